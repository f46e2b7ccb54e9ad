package flow_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// renaming is the common signature of the four functions.
type renaming func(f *model.Form, old, id string) (*model.Form, error)

func ruleOf(node string) renaming {
	return func(f *model.Form, old, id string) (*model.Form, error) { return flow.RenameRule(f, node, old, id) }
}

func TestRename(t *testing.T) {
	const nodes = `{"name":"{{fields.a}} $ending a","start":{"next_node":"a","hidden_fields":[{"key":"a","value":"a"}]},"nodes":[
	 {"id":"a","type":"STEP","config":{"next_node":"a","components":[{"id":"a","type":"JUMP_BUTTON","config":{"text":"a","next_node":"a"}},
{"id":"c","type":"CUSTOM","config":{"next_node":"a"}}]}},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"a","condition":"a","next_node":"a"},{"id":"y","next_node":"$ending"}],
"fallback":"a"}},
	 {"id":"f","type":"FLOW","config":{"flow_id":"a","next_node":"a"}},
	 {"id":"l","type":"LOOP","config":{"next_node":"a"}}]}`
	const fields = `{"name":"f","nodes":[
	 {"id":"a","type":"STEP","alias":"{{fields.a}} fields.a","config":{"components":[
{"id":"a","type":"TEXT","label":"{{fields.ab}}{{fields.a}}{{ fields['a'].x ?? fields.a }}"}]}},
	 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"a","condition":{"{{fields.a}}":["{{fields.a}}"]}}]}}],
	 "start":{"hidden_fields":[{"key":"h","value":"{{fields.a}}"},{"key":"i"},{"key":"h"}]},
	 "translations":{"de":{"components":{"x":1,"a":{"label":"{{fields.a}}"},"y":2},"a":3},
"fr":{"components":{"b":{"label":"stale {{fields.a}}"}}},"it":{"components":{"b":"stale {{fields.a}}","a":"kept"}},
"pl":{"components":{"a":"kept","b":"stale {{fields.a}}"}},"nl":{"components":{"a":"kept","b":"stale"}},"en":{"components":7},"es":null}}`
	const twice = `{"name":"{{fields.a}}","nodes":[{"id":"n","type":"STEP","config":{"components":[{"id":"a","type":"TEXT"},
{"id":"a","type":"TEXT"}]}},{"id":"n","type":"FLOW","config":{"flow_id":"","next_node":"n"}}],
"translations":{"de":{"components":{"a":1}}}}`
	const both = `{"name":"{{fields.a}}","nodes":[{"id":"n","type":"STEP","config":{"components":[{"id":"a","type":"TEXT"}]}}],
"start":{"hidden_fields":[{"key":"a"}]},"translations":{"de":{"components":{"a":1}}}}`
	const rules = `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1},{"id":"x","condition":2},
{"id":"y","condition":"x"}],"fallback":"x"}},{"id":"q","type":"ROUTER","config":{"rules":[{"id":"x"},{"id":"z"}]}}]}`
	tests := []struct {
		name    string
		src     string
		do      renaming
		old, id string
		// changes are replacements in the text, at all places.
		changes []string
	}{
		{"node", nodes, flow.RenameNode, "a", "b", []string{
			`"start":{"next_node":"a"`, `"start":{"next_node":"b"`,
			`{"id":"a","type":"STEP","config":{"next_node":"a"`, `{"id":"b","type":"STEP","config":{"next_node":"b"`,
			`{"text":"a","next_node":"a"}`, `{"text":"a","next_node":"b"}`,
			`"condition":"a","next_node":"a"`, `"condition":"a","next_node":"b"`,
			`"fallback":"a"`, `"fallback":"b"`,
			`{"flow_id":"a","next_node":"a"}`, `{"flow_id":"a","next_node":"b"}`,
		}},
		{"node of an unknown type", nodes, flow.RenameNode, "l", "m", []string{`{"id":"l"`, `{"id":"m"`}},
		{
			"first of two nodes",
			twice,
			flow.RenameNode,
			"n",
			"m",
			[]string{`{"id":"n","type":"STEP"`, `{"id":"m","type":"STEP"`, `"next_node":"n"`, `"next_node":"m"`},
		},
		{
			"node named like the ending",
			`{"start":{"next_node":"$ending"},"nodes":[{"id":"$ending","type":"STEP"}]}`,
			flow.RenameNode,
			"$ending",
			"m",
			[]string{`{"id":"$ending"`, `{"id":"m"`},
		},
		{"component", fields, flow.RenameComponent, "a", "b", []string{
			`"components":[{"id":"a"`, `"components":[{"id":"b"`,
			`"{{fields.a}} fields.a"`, `"{{fields.b}} fields.a"`,
			`{{fields.a}}{{ fields['a'].x ?? fields.a }}`, `{{fields.b}}{{ fields['b'].x ?? fields.b }}`,
			`["{{fields.a}}"]`, `["{{fields.b}}"]`,
			`"value":"{{fields.a}}"`, `"value":"{{fields.b}}"`,
			`"a":{"label":"{{fields.a}}"}`, `"b":{"label":"{{fields.b}}"}`,
			`"stale {{fields.a}}"}}},"it"`, `"stale {{fields.b}}"}}},"it"`,
			`"b":"stale {{fields.a}}","a":"kept"`, `"b":"kept"`,
			`"a":"kept","b":"stale {{fields.a}}"`, `"b":"kept"`,
			`"a":"kept","b":"stale"`, `"b":"kept"`,
		}},
		{"first of two components", twice, flow.RenameComponent, "a", "b", []string{`[{"id":"a"`, `[{"id":"b"`}},
		{"component beside a hidden field", both, flow.RenameComponent, "a", "b", []string{`[{"id":"a"`, `[{"id":"b"`, `{"a":1}`, `{"b":1}`}},
		{"hidden field beside a component", both, flow.RenameHiddenField, "a", "b", []string{`{"key":"a"}`, `{"key":"b"}`}},
		{
			"hidden field",
			strings.ReplaceAll(fields, "fields.a}}", "fields.h}}"),
			flow.RenameHiddenField,
			"h",
			"b",
			[]string{
				`"key":"h"`,
				`"key":"b"`,
				"{{fields.h}}",
				"{{fields.b}}",
				`["{{fields.b}}"]`,
				`["{{fields.b}}"]`,
				`{"{{fields.b}}":`,
				`{"{{fields.h}}":`,
			},
		},
		{"first of two rules", rules, ruleOf("r"), "x", "w", []string{`{"id":"x","condition":1`, `{"id":"w","condition":1`}},
		{"rule of the second router", rules, ruleOf("q"), "x", "y", []string{`[{"id":"x"},`, `[{"id":"y"},`}},
		{"to the same id", nodes, flow.RenameNode, "a", "a", nil},
		{"component to the same id", fields, flow.RenameComponent, "a", "a", nil},
		{"hidden field to the same key", fields, flow.RenameHiddenField, "h", "h", nil},
		{"rule to the same id", rules, ruleOf("r"), "y", "y", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := parse(t, tt.src)
			was := string(schema.Encode(f.Tree()))
			got, err := tt.do(f, tt.old, tt.id)
			if err != nil {
				t.Fatal(err)
			}
			want := was
			for i := 0; i < len(tt.changes); i += 2 {
				if !strings.Contains(want, tt.changes[i]) {
					t.Fatalf("the test case is wrong: no %s in %s", tt.changes[i], want)
				}
				want = strings.ReplaceAll(want, tt.changes[i], tt.changes[i+1])
			}
			if got := string(schema.Encode(got.Tree())); got != want {
				t.Errorf("renamed:\n %s\nwant\n %s", got, want)
			}
			if now := string(schema.Encode(f.Tree())); now != was {
				t.Errorf("the form itself has changed to %s", now)
			}
			if len(tt.changes) == 0 && got != f {
				t.Error("another form without a change")
			}
		})
	}
}

func TestRenameRefused(t *testing.T) {
	const src = `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"c","type":"TEXT"},{"id":"d","type":"TEXT"}]}},
	 {"id":"b","type":"ROUTER","config":{"rules":[{"id":"x"},{"id":"y"}]}},{"type":"STEP","config":{"components":[{}]}}],
"start":{"hidden_fields":[{"key":"h"},{"key":"i"},{}]}}`
	tests := []struct {
		name    string
		do      renaming
		old, id string
		want    error
	}{
		{"node", flow.RenameNode, "c", "z", flow.ErrNoID},
		{"node without an id", flow.RenameNode, "", "z", flow.ErrNoID},
		{"node", flow.RenameNode, "a", "", flow.ErrMalformed},
		{"node", flow.RenameNode, "a", "$ending", flow.ErrMalformed},
		{"node", flow.RenameNode, "a", "b", flow.ErrTaken},
		{"node, like a component", flow.RenameNode, "a", "c", nil},
		{"component", flow.RenameComponent, "a", "z", flow.ErrNoID},
		{"component", flow.RenameComponent, "h", "z", flow.ErrNoID},
		{"component without an id", flow.RenameComponent, "", "z", flow.ErrNoID},
		{"component", flow.RenameComponent, "c", "é", flow.ErrMalformed},
		{"component", flow.RenameComponent, "c", "d", flow.ErrTaken},
		{"component, like a hidden field", flow.RenameComponent, "c", "h", flow.ErrTaken},
		{"component, like a node", flow.RenameComponent, "c", "a", nil},
		{"hidden field", flow.RenameHiddenField, "c", "z", flow.ErrNoID},
		{"hidden field without a key", flow.RenameHiddenField, "", "z", flow.ErrNoID},
		{"hidden field", flow.RenameHiddenField, "h", "a b", flow.ErrMalformed},
		{"hidden field", flow.RenameHiddenField, "h", "i", flow.ErrTaken},
		{"hidden field, like a component", flow.RenameHiddenField, "h", "c", flow.ErrTaken},
		{"hidden field, like a rule", flow.RenameHiddenField, "h", "x", nil},
		{"rule of no node", ruleOf("z"), "x", "z", flow.ErrNoID},
		{"rule of a step", ruleOf("a"), "x", "z", flow.ErrNoID},
		{"rule", ruleOf("b"), "z", "w", flow.ErrNoID},
		{"rule", ruleOf("b"), "x", "a.b", flow.ErrMalformed},
		{"rule", ruleOf("b"), "x", "y", flow.ErrTaken},
		{"rule", ruleOf("b"), "y", "x", flow.ErrTaken},
		{"rule, like its router", ruleOf("b"), "x", "b", nil},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %s to %s", tt.name, tt.old, tt.id), func(t *testing.T) {
			g, err := tt.do(parse(t, src), tt.old, tt.id)
			if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) || (g == nil) != (err != nil) {
				t.Errorf("got %v, %v, want %v", g, err, tt.want)
			}
			if err != nil && (!strings.HasPrefix(err.Error(), "rename ") || strings.HasSuffix(err.Error(), ".")) {
				t.Errorf("the text is %q", err)
			}
		})
	}
}

// randomFields returns a form whose components, hidden fields and texts refer to each
// other at random. Ids are unique.
func randomFields(r *rand.Rand) *model.Form {
	p := randomPlan(r)
	for i := range p.nodes {
		p.nodes[i].id = planIDs[i]
	}
	tree := p.form().Tree()
	ids := []string{"c0", "c1", "c10", "c20", "h1", "h2", "gone"}
	text := func() string {
		pieces := []string{"{{fields.%s}}", "{{ fields['%s'].x ?? 1 }}", "fields.%s", "{{'fields.%s'}}", "{{x-fields.%s}} 'ä", "{{f(fields.%s)}}"}
		s := ""
		for range r.IntN(4) {
			s += fmt.Sprintf(pieces[r.IntN(len(pieces))], ids[r.IntN(len(ids))])
		}
		return s + "."
	}
	var languages []schema.Member
	for _, l := range []string{"de", "fr"} {
		var texts []schema.Member
		for _, id := range ids[:r.IntN(len(ids))] {
			texts = append(texts, schema.Member{Key: id, Value: object("label", text())})
		}
		languages = append(languages, schema.Member{Key: l, Value: object("components", schema.NewObject(texts...))})
	}
	hidden := []any{object("key", "h1", "value", text()), object("key", "h2", "value", text())}
	tree = tree.With("translations", schema.NewObject(languages...)).
		With("messages", object("custom", object("k", text(), "{{fields.c0}}", text())))
	return model.FromTree(tree.With("start", tree.Object("start").With("hidden_fields", hidden)))
}

// Renaming an element and back restores the value, makes nothing dangle, and
// keeps what references refer to.
func TestRenameLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	done := map[string]int{}
	for range sizetest.Of(0, 4000, 40_000) {
		f := randomFields(r)
		var kind, old, node string
		var do renaming
		switch r.IntN(6) {
		case 0:
			kind, do, old = "node", flow.RenameNode, planIDs[r.IntN(8)]
		case 1, 2:
			kind, do, old = "component", flow.RenameComponent, "c"+strconv.Itoa(r.IntN(3)*10+r.IntN(2))
		case 3:
			kind, do, old = "hidden", flow.RenameHiddenField, []string{"h1", "h2"}[r.IntN(2)]
		default:
			node = planIDs[r.IntN(8)]
			kind, do, old = "rule", ruleOf(node), "r"+strconv.Itoa(r.IntN(2))
		}
		id := "new-" + strconv.Itoa(r.IntN(100))
		g, err := do(f, old, id)
		if errors.Is(err, flow.ErrNoID) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		done[kind]++
		back, err := do(g, id, old)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := string(schema.Encode(back.Tree())), string(schema.Encode(f.Tree())); got != want {
			t.Fatalf("%s %s to %s and back:\n got %s\nwant %s", kind, old, id, got, want)
		}
		if got, want := problemLines(g), problemLines(f); got != want {
			t.Fatalf("problems after %s %s to %s:\n got %s\nwant %s", kind, old, id, got, want)
		}
		checkRenamedReferences(t, f, g, kind, old, id)
		if kind == "node" || kind == "rule" {
			if got, want := findingShape(g), findingShape(f); got != want {
				t.Fatalf("findings after %s %s to %s:\n got %s\nwant %s", kind, old, id, got, want)
			}
		}
		// What a renaming does not change is shared.
		for i, n := range f.Nodes {
			if same := schema.Equal(n.Tree(), g.Nodes[i].Tree()); same != (n == g.Nodes[i]) {
				t.Fatalf("%s %s to %s: node %d has an equal value: %v, is shared: %v", kind, old, id, i, same, n == g.Nodes[i])
			}
		}
		for _, m := range f.Tree().Members() {
			was, ok := m.Value.(*schema.Object)
			is, _ := g.Tree().Get(m.Key)
			if ok && schema.Equal(was, is) && is != any(was) {
				t.Fatalf("%s %s to %s: %s is not shared", kind, old, id, m.Key)
			}
		}
	}
	for _, kind := range []string{"node", "component", "hidden", "rule"} {
		if done[kind] < 100 {
			t.Errorf("only %d times: %s", done[kind], kind)
		}
	}
}

// checkRenamedReferences checks that renaming a field renames its references, and that
// renaming anything else keeps all references.
func checkRenamedReferences(t *testing.T, f, g *model.Form, kind, old, id string) {
	t.Helper()
	before, after := flow.References(f), flow.References(g)
	if len(before) != len(after) {
		t.Fatalf("%d references after renaming, were %d", len(after), len(before))
	}
	for i, b := range before {
		want := b.ID
		if want == old && (kind == "component" || kind == "hidden") {
			want = id
		}
		p := b.Path
		if kind == "component" && len(p) > 3 && p[0].Key == "translations" && p[3].Key == old {
			p = p[:3].Key(id).Join(p[4:])
		}
		if a := after[i]; a.ID != want || !a.Path.Equal(p) {
			t.Fatalf("the reference %v is %v after renaming %s %s to %s", b, a, kind, old, id)
		}
	}
}

func problemLines(f *model.Form) string {
	var lines []string
	for _, p := range new(model.Checker).Check(f) {
		lines = append(lines, p.Path.String()+" "+string(p.Code))
	}
	return strings.Join(lines, "; ")
}

func findingShape(f *model.Form) string {
	return strings.Join(findingLines(flow.Prove(f)), "; ")
}

// A large form is renamed in one pass: copying the list of nodes for each pointer would
// take quadratic time.
func TestRenameLarge(t *testing.T) {
	const n = 20_000
	rules := make([]any, n)
	texts := make([]schema.Member, n)
	for i := range rules {
		rules[i] = object("id", "r"+strconv.Itoa(i), "next_node", "a")
		texts[i] = schema.Member{Key: "k" + strconv.Itoa(i), Value: "{{fields.c}}"}
	}
	f := model.FromTree(object("name", strings.Repeat("{{fields.c}}", n), "nodes", []any{
		object("id", "a", "type", "ROUTER", "config", object("rules", rules)),
		object("id", "s", "type", "STEP", "config", object("components", []any{object("id", "c", "type", "TEXT")})),
	}, "messages", object("custom", schema.NewObject(texts...))))
	g, err := flow.RenameNode(f, "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if g, err = flow.RenameComponent(g, "c", "d"); err != nil {
		t.Fatal(err)
	}
	for _, e := range g.Edges() {
		if e.To != "b" {
			t.Fatalf("%v", e)
		}
	}
	refs := flow.References(g)
	if len(refs) != 2*n {
		t.Errorf("%d references, want %d", len(refs), 2*n)
	}
	for _, r := range refs {
		if r.ID != "d" {
			t.Fatalf("%v", r)
		}
	}
}

func FuzzRename(f *testing.F) {
	f.Add([]byte(referring), "a", "z")
	f.Add(
		[]byte(
			`{"translations":{"de":{"components":{"a":{"l":"{{fields.a}}"},"z":"{{fields.a}}"}}},"nodes":[
{"id":"a","type":"STEP","config":{"components":[{"id":"a"}],"next_node":"a"}}]}`,
		),
		"a",
		"z",
	)
	f.Add(
		[]byte(
			`{"start":{"next_node":"a","hidden_fields":[{"key":"a"},3]},"nodes":[3,{"id":"a","type":"ROUTER","config":{"rules":[
{"id":"a","next_node":"a"},4]}}]}`,
		),
		"a",
		"z",
	)
	f.Fuzz(func(t *testing.T, src []byte, old, id string) {
		v, ps := schema.Decode(src)
		o, ok := v.(*schema.Object)
		if len(ps) > 0 || !ok {
			return
		}
		form := model.FromTree(o)
		was := string(schema.Encode(o))
		for _, do := range []renaming{flow.RenameNode, flow.RenameComponent, flow.RenameHiddenField, ruleOf(old)} {
			g, err := do(form, old, id)
			if (g == nil) != (err != nil) {
				t.Fatalf("%v and %v", g, err)
			}
			if err == nil && old != id {
				if g, err = do(g, id, "x"+id+old); err != nil && model.ValidIdentifier(old) && !errors.Is(err, flow.ErrTaken) {
					t.Fatalf("renamed once more: %v, %v", g, err)
				}
			}
		}
		if now := string(schema.Encode(form.Tree())); now != was {
			t.Fatalf("the form was changed from %s to %s", was, now)
		}
		// The graph of any form can be analysed.
		for _, p := range flow.Prove(form) {
			if _ = p.Witness(); p.Problem.Detail == "" {
				t.Fatalf("no words: %#v", p.Problem)
			}
		}
	})
}
