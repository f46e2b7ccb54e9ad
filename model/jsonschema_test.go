package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
)

// each calls f with every object of a tree and its path.
func each(v any, at schema.Path, f func(schema.Path, *schema.Object)) {
	switch v := v.(type) {
	case *schema.Object:
		f(at, v)
		for _, m := range v.Members() {
			each(m.Value, at.Key(m.Key), f)
		}
	case []any:
		for i, e := range v {
			each(e, at.Index(i), f)
		}
	}
}

// Every definition must be used and every reference must lead to one: a table that is
// no longer the same literal would silently be printed again.
func TestPatchSchemaRefs(t *testing.T) {
	s := model.PatchSchema()
	used := map[string]int{}
	each(s, nil, func(at schema.Path, o *schema.Object) {
		ref, has := o.Get("$ref")
		if !has {
			return
		}
		name, ok := strings.CutPrefix(fmt.Sprint(ref), "#/$defs/")
		if !ok || !s.Object("$defs").Has(name) {
			t.Errorf("%s: %v leads nowhere", at, ref)
		}
		used[name]++
	})
	for _, m := range s.Object("$defs").Members() {
		if used[m.Key] == 0 {
			t.Errorf("nothing refers to %s", m.Key)
		}
		// The name becomes part of a URI without escapes.
		if strings.Trim(m.Key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-") != "" {
			t.Errorf("the name %q needs an escape", m.Key)
		}
	}
	// Start, ending and each of the three node types have coordinates.
	for name, want := range map[string]int{"pointer": 6, "coordinates": 5, "rule": 1, "component": 1, "node": 1} {
		if used[name] != want {
			t.Errorf("got %d references to %s, want %d", used[name], name, want)
		}
	}
}

// The schema uses no oneOf: in the schema of the public API it refuses a pointer to the ending, and
// for one error in a component it reports the errors of all kinds.
func TestPatchSchemaKeywords(t *testing.T) {
	known := map[string]bool{}
	for k := range strings.FieldsSeq("$schema $id title description $defs $ref $comment type format pattern minLength maxLength writeOnly " +
		"minimum maximum enum const items minItems properties required additionalProperties anyOf allOf if then") {
		known[k] = true
	}
	each(model.PatchSchema(), nil, func(at schema.Path, o *schema.Object) {
		if n := len(at); n > 0 && (at[n-1].Key == "properties" || at[n-1].Key == "$defs") {
			return // names, not keywords
		}
		for _, m := range o.Members() {
			if !known[m.Key] {
				t.Errorf("%s has the keyword %s", at, m.Key)
			}
		}
	})
}

// Each secret of the tables is marked, and nothing else.
func TestPatchSchemaSecrets(t *testing.T) {
	var got []string
	each(model.PatchSchema(), nil, func(at schema.Path, o *schema.Object) {
		if o.Has("writeOnly") {
			got = append(got, at[1].Key+" "+at[len(at)-1].Key)
		}
	})
	want := "component.widget.SERVICE_VERIFIABLE_CREDENTIALS access_token; component.widget.MAPS_ADDRESS api_key; " +
		"component.widget.RECAPTCHA secret_key; component.field.PAYMENT private_key"
	if g := strings.Join(got, "; "); g != want {
		t.Errorf("\n got %s\nwant %s", g, want)
	}
}

// Every property, node type and kind has a title.
func TestPatchSchemaWords(t *testing.T) {
	s := model.PatchSchema()
	each(s, nil, func(at schema.Path, o *schema.Object) {
		// A table has this keyword; a discriminator on its own does not.
		if !o.Has("additionalProperties") {
			return
		}
		for _, m := range o.Object("properties").Members() {
			if p, _ := m.Value.(*schema.Object); p.Text("title") == "" {
				t.Errorf("%s has no title", at.Key("properties").Key(m.Key))
			}
		}
	})
	for i := range model.Kinds {
		k := &model.Kinds[i]
		def := s.Object("$defs").Object("component." + strings.ToLower(string(k.Category)) + "." + k.Type)
		if def.Text("title") != k.Label || def.Text("description") != k.Doc || def.Object("properties") == nil {
			t.Errorf("%s: got %.300s", k.Type, schema.Encode(def))
		}
	}
	for _, typ := range []model.NodeType{model.StepNode, model.FlowNode, model.RouterNode} {
		def := s.Object("$defs").Object("node." + string(typ))
		if def.Text("title") != string(typ) || def.Text("description") == "" {
			t.Errorf("%s: got %.300s", typ, schema.Encode(def))
		}
	}
	for _, key := range []string{"$schema", "$id", "title", "description"} {
		if s.Text(key) == "" {
			t.Errorf("the schema has no %s", key)
		}
	}
	if got := s.Object("properties").Object("messages").Text("title"); got != "Messages" {
		t.Errorf("got the title %q of messages", got)
	}
}

// The text never depends on the order of a map.
func TestPatchSchemaIsDeterministic(t *testing.T) {
	first := string(schema.Encode(model.PatchSchema()))
	for range 3 {
		if string(schema.Encode(model.PatchSchema())) != first {
			t.Fatal("the schema printed twice differs")
		}
	}
}

// Typical bodies: nulls that remove a property, pointers to the ending,
// and errors of which the oracle reports one and not those of all other kinds.
func TestPatchSchemaByHand(t *testing.T) {
	o := newOracle(t)
	node := func(s string) string { return `{"nodes":[` + s + `]}` }
	for _, x := range []struct {
		src  string
		want bool
	}{
		{`{}`, true},
		{`{"name":"x"}`, true},
		{`{"name":null}`, false},
		{`{"messages":null,"languages":null,"translations":null,"nodes":null,"start":null,"ending":null,"style":null}`, true},
		{`{"id":"ap_1"}`, false},
		{`{"start":{"next_node":"$ending"}}`, true},
		{`{"start":{"next_node":null}}`, false},
		{`{"start":{"coordinates":{"x":1.0,"y":1e2}}}`, true},
		{`{"start":{"coordinates":{"x":1.5,"y":0}}}`, false},
		{`{"nodes":[null]}`, false},
		{node(`{"id":"a","type":"STEP"},{"id":"a","type":"STEP","config":{"next_node":"nowhere"}}`), true}, // CheckGraph's
		{node(`{"id":"a","type":"FLOW"}`), false},
		{node(`{"id":"a","type":"ROUTER","config":{"rules":[{"id":"r","condition":null}]}}`), true},
		{node(`{"id":"a","type":"STEP","config":{"components":[
{"id":"c","category":"WIDGET","type":"GMAPS_ADDRESS","config":{"api_key":"k"}}]}}`), true},
		{node(`{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"BLOCK","type":"TEXT"}]}}`), false},
		{node(`{"id":"a","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"SOCIAL","config":{}}]}}`), true},
	} {
		ours, theirs := o.judge(t, x.src, parse(t, x.src))
		if ours != x.want || theirs != x.want {
			t.Errorf("%s: ours %v, theirs %v, want %v", x.src, ours, theirs, x.want)
		}
	}
}

// An error in one component must not report the other kinds.
func TestPatchSchemaReportsOnlyTheError(t *testing.T) {
	o := newOracle(t)
	for src, want := range map[string]string{
		`{"id":"c","category":"FIELD","type":"TEXT","config":{"multiline":1}}`: "/config/multiline",
		`{"id":"c","category":"FIELD","type":"NONE","config":{"multiline":1}}`: "/type",
		`{"id":"c","category":"NONE","type":"TEXT","config":{"multiline":1}}`:  "/category",
		`7`: "/nodes/0/config/components/0",
	} {
		doc := parse(t, `{"nodes":[{"id":"a","type":"STEP","config":{"components":[`+src+`]}}]}`)
		places := o.places(t, doc)
		// nodes may be null, so the validator reports that alternative too.
		if len(places) != 2 || !strings.HasSuffix(places[0], want) || places[1] != "/nodes" {
			t.Errorf("%s: the faults are at %v, want %s and /nodes", src, places, want)
		}
	}
}

// Real forms, which are not part of the project, are used where they are available.
func TestPatchSchemaTakesRealForms(t *testing.T) {
	o := newOracle(t)
	for _, file := range realforms.Files(t) {
		v, ps := schema.Decode(file.Text)
		if len(ps) > 0 {
			t.Fatalf("%s: %v", file.Name, ps)
		}
		form, _ := v.(*schema.Object)
		if inner := form.Object("form"); inner != nil {
			form = inner
		}
		for _, only := range []string{"id", "created_at", "updated_at", "embedded_at", "submitted_at"} {
			form = form.Without(only)
		}
		if ours, theirs := o.judge(t, file.Name, form); !ours || !theirs {
			t.Errorf("%s: ours %v, theirs %v, want both to accept it", file.Name, ours, theirs)
		}
	}
}
