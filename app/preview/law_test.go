package preview_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/preview"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// items returns the samples; given says whether they are answered.
func items(given bool) []preview.Item {
	var list []preview.Item
	for _, s := range previewtest.Samples() {
		it := s.Item
		if given && s.Given != nil {
			it.Answer, _ = answer.Judge(it.Component, s.Given, nil)
		}
		list = append(list, it)
	}
	return list
}

func TestEveryKindHasASampleAndIsDrawn(t *testing.T) {
	seen := map[string]bool{}
	for _, it := range items(false) {
		if k := it.Component.Kind; k != nil {
			seen[k.Type] = true
		}
	}
	for i := range model.Kinds {
		k := &model.Kinds[i]
		if !seen[k.Type] {
			t.Errorf("%s has no sample", k.Type)
		}
		for _, name := range []string{k.Type, k.Alias} {
			if name == "" {
				continue
			}
			tree := schema.Encode(model.NewComponent(k, model.SpecDialect, "it").With("type", name))
			root := screen(t, preview.Item{Component: previewtest.Component(string(tree))})
			attr := "data-field"
			if k.Category == model.Block {
				attr = "data-block"
			}
			if got := root.with(attr, "it"); len(got) != 1 || strings.Contains(root.words, "unknown here") {
				t.Errorf("%s: %d elements with %s: %s", name, len(got), attr, root.words)
			}
		}
	}
}

// Every reference leads to an element of the same screen, and ids are unique.
func TestReferencesLeadToElements(t *testing.T) {
	for _, given := range []bool{false, true} {
		list := items(given)
		for i := range list {
			list[i].Problem = "Please answer this question."
		}
		list = append(list, list...) // a broken form may contain an id twice
		root := screen(t, list...)
		ids := map[string]bool{}
		for _, n := range root.all(has("id")) {
			if id := n.attrs["id"]; ids[id] || id == "" || strings.ContainsAny(id, " \n") {
				t.Errorf("the id %q is empty or not unique", id)
			}
			ids[n.attrs["id"]] = true
		}
		for _, name := range []string{"aria-describedby", "aria-labelledby", "for", "data-other", "data-checks"} {
			found := root.all(has(name))
			if len(found) == 0 {
				t.Errorf("nothing has %s", name)
			}
			for _, n := range found {
				for id := range strings.FieldsSeq(n.attrs[name]) {
					if !ids[id] {
						t.Errorf("%s of <%s> names %q, which does not exist", name, n.tag, id)
					}
				}
			}
		}
	}
}

// A field says that it is required and what is wrong with its answer, to everybody.
func TestRequiredAndProblems(t *testing.T) {
	const problem = "This is the problem."
	for _, s := range previewtest.Samples() {
		if s.Item.Component.Category == model.Block {
			continue
		}
		id := s.Item.Component.ID
		valid := screen(t, s.Item).with("data-field", id)[0]
		if len(valid.with("role", "alert"))+len(valid.with("aria-invalid", "true")) > 0 {
			t.Errorf("%s: a field without a problem shows one", s.Name)
		}
		s.Item.Problem = problem
		field := screen(t, s.Item).with("data-field", id)[0]
		alerts, invalid := field.with("role", "alert"), field.with("aria-invalid", "true")
		if len(alerts) != 1 || alerts[0].words != problem || len(invalid) == 0 {
			t.Fatalf("%s: %d alerts, %d invalid controls", s.Name, len(alerts), len(invalid))
		}
		for _, n := range invalid {
			if !slices.Contains(strings.Fields(n.attrs["aria-describedby"]), alerts[0].attrs["id"]) {
				t.Errorf("%s: the problem does not describe <%s>", s.Name, n.tag)
			}
		}
		marks := field.with("class", "af-required")
		told := append(field.with("aria-required", "true"), field.all(func(n *node) bool { return n.words == " (required)" })...)
		if field.attrs["aria-required"] == "true" {
			told = append(told, field)
		}
		if required := s.Item.Component.Required; required && len(told) == 0 || !required && len(told) > 0 || required != (len(marks) == 1) {
			t.Errorf("%s: required is %t, %d marks, %d attributes", s.Name, required, len(marks), len(told))
		}
	}
}

// The frame reads every field from named controls in its element, and nothing else has a name.
func TestControlsHaveNames(t *testing.T) {
	for _, s := range previewtest.Samples() {
		root := screen(t, s.Item)
		field := root.all(has("data-field"))
		named := root.all(has("name"))
		if s.Item.Component.Category == model.Block {
			if len(field)+len(named) > 0 {
				t.Errorf("%s is a block and has controls", s.Name)
			}
			continue
		}
		if len(field) != 1 || len(named) == 0 || len(field[0].all(has("name"))) != len(named) {
			t.Errorf("%s: %d fields, %d controls", s.Name, len(field), len(named))
		}
		if typ := field[0].attrs["data-type"]; !slices.Contains([]string{"text", "boolean", "list", "object", "files"}, typ) {
			t.Errorf("%s has the type %q", s.Name, typ)
		}
	}
}

func TestNoSecretIsRendered(t *testing.T) {
	markup := preview.Screen{Items: items(true)}.Render()
	for _, secret := range []string{"SECRET", "tracker.example", "display: none"} {
		if strings.Contains(markup, secret) {
			t.Errorf("the markup contains %q", secret)
		}
	}
}

// texts are those that would be markup anywhere.
var texts = []string{
	`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' autofocus onfocus='alert(1)`, "`onload=alert(1)`", `</textarea></main></title>`, `-->`,
	`]]>`, "&lt;b&gt; &amp;", "\x00<b>\r\n", "\xff\xfe<b\xc0>", `javascript:alert(1)`, `" style="position:fixed`, "\u2028\u202e</div>",
}

// No text of a form or an answer changes the structure of a screen.
func TestTextsAreNeverMarkup(t *testing.T) {
	for _, s := range previewtest.Samples() {
		render := func(text string) *node {
			it := preview.Item{Component: previewtest.WithTexts(s.Item.Component, text), Problem: text, Answer: text}
			v := preview.Screen{Node: text, Language: text, Title: text, Problem: text, Items: []preview.Item{it}}
			return parse(t, v.Render())
		}
		want := render("<text").skeleton()
		for _, text := range texts {
			text = schema.WellFormed(text)
			if got := render("<" + text).skeleton(); got != want {
				t.Errorf("%s, %q:\n got %s\nwant %s", s.Name, text, got, want)
			}
		}
	}
}

// Values of any type, in any place, are drawn without a panic.
func TestAnyTreeIsDrawn(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := []any{nil, true, schema.Number("1e400"), schema.Number("-3"), "", "x", []any{"a", nil}, schema.NewObject(), schema.NewObject(schema.Member{Key: "a", Value: "b"})}
	for _, s := range previewtest.Samples() {
		for range 12 {
			tree := scramble(random, values, s.Item.Component.Tree(), 0).(*schema.Object)
			it := preview.Item{Component: previewtest.Component(string(schema.Encode(tree))), Answer: values[random.IntN(len(values))], Wait: random.IntN(3)}
			screen(t, it)
		}
	}
}

// scramble replaces some of the values of a tree, but not the kind of a component.
func scramble(random *rand.Rand, values []any, v any, depth int) any {
	o, ok := v.(*schema.Object)
	if !ok || depth > 0 && random.IntN(8) == 0 {
		if random.IntN(3) == 0 {
			return values[random.IntN(len(values))]
		}
		return v
	}
	for _, m := range o.Members() {
		if depth > 0 || m.Key != "type" && m.Key != "category" {
			o = o.With(m.Key, scramble(random, values, m.Value, depth+1))
		}
	}
	return o
}
