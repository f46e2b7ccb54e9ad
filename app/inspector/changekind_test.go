package inspector_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A component of each kind becomes one of each other kind in one step, which undo takes back: with its id and its place, the translations, and
// every property that the new kind has too and whose rule is the same. The form has no new problems but those of a new component.
func TestEveryKindBecomesEveryOther(t *testing.T) {
	for _, bare := range []bool{true, false} {
		for _, s := range subjects(t, bare) {
			from := model.KindOf(s.name)
			if from == nil {
				continue
			}
			tree, err := schema.Set(s.form, parsePath(t, "translations"), decode(t, `{"de":{"components":{"it":{"label":"Es","hint":"Hilfe"}}}}`))
			if err != nil {
				t.Fatal(err)
			}
			for i := range model.Kinds {
				to := &model.Kinds[i]
				if to == from {
					continue
				}
				e := open(t, tree.(*schema.Object), s.sel)
				before := e.State().Form
				was := before.Nodes[3].Component(2).Tree()
				c := e.Make().ChangeKind(to)
				_, kept, lost := c.Convert(before.Nodes[3].Component(2))
				run(t, e, c)
				now := e.State().Form.Nodes[3].Component(2)
				if now.ID != "it" || now.Kind != to || now.Tree().Text("category") != string(to.Category) {
					t.Fatalf("%s becomes %s", from.Type, text(now.Tree()))
				}
				back, _ := schema.Set(e.State().Form.Tree(), s.at, was)
				if text(back) != text(before.Tree()) {
					t.Errorf("%s to %s changes something else", from.Type, to.Type)
				}
				carried := carries(t, from.Table(), to.Table(), was, now.Tree(), "id", "category", "type", "config") +
					carries(t, from.Config, to.Config, was.Object("config"), now.Tree().Object("config"))
				if len(kept) < carried {
					t.Errorf("%s to %s: %d properties carry over, and only %v are named", from.Type, to.Type, carried, kept)
				}
				if had := len(was.Members()) - 4 + was.Object("config").Len(); !bare && len(kept)+len(lost) != had {
					t.Errorf("%s to %s: of %d properties, %v carry over and %v are lost", from.Type, to.Type, had, kept, lost)
				}
				old := problems(before, nil)
				fresh := problems(before, func() *schema.Object { return model.NewComponent(to, model.SpecDialect, "it") })
				for _, p := range problems(e.State().Form, nil) {
					if !slices.Contains(old, p) && !slices.Contains(fresh, p) {
						t.Errorf("%s to %s, bare %v: %s", from.Type, to.Type, bare, p)
					}
				}
			}
		}
	}
}

// carries checks that each property of the same rule has its value still, and returns how many do.
func carries(t *testing.T, from, to schema.Table, was, now *schema.Object, except ...string) int {
	t.Helper()
	n := 0
	for _, r := range to {
		v, has := was.Get(r.Name)
		old, listed := from.Row(r.Name)
		if slices.Contains(except, r.Name) || !has || !listed || !schema.Same(old.Spec, r.Spec) {
			continue
		}
		if of, ok := r.Spec.(schema.Any); ok && of.Options != "" {
			if a, _ := from.Row(of.Options); !schema.Same(a.Spec, specOf(to, of.Options)) {
				continue // the default of other options
			}
		}
		n++
		if got, _ := now.Get(r.Name); !schema.Equal(got, v) {
			t.Errorf("%s is %s, want %s", r.Name, text(got), text(v))
		}
	}
	return n
}

func specOf(t schema.Table, name string) schema.Spec {
	r, _ := t.Row(name)
	return r.Spec
}

// problems returns the problems of a form as texts, with another component in the place of the one that the subjects have.
func problems(f *model.Form, instead func() *schema.Object) []string {
	if instead != nil {
		f, _ = f.Set(schema.Path{schema.Key("nodes"), {Index: 3}, schema.Key("config"), schema.Key("components"), {Index: 2}}, instead())
	}
	var out []string
	for _, p := range editor.New(f, editor.Config{}).Found().Problems() {
		out = append(out, p.Path.String()+" "+string(p.Code)+" "+p.Detail)
	}
	return out
}

// What fits carries over although its bounds differ, options do not become cards, and a default does not come without its options.
func TestWhatCarriesOver(t *testing.T) {
	for _, tt := range []struct{ component, to, want, kept, lost string }{
		{
			`{"id":"it","category":"FIELD","type":"TEL","label":"Phone","hint":"h","config":{"placeholder":"p","country_picker":true}}`, "TEXT",
			`{"id":"it","category":"FIELD","type":"TEXT","label":"Phone","hint":"h","config":{"placeholder":"p"}}`, "Label, Hint, Placeholder", "Let people pick the country",
		},
		{
			`{"id":"it","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"A"}],"default_value":"a"}}`, "DROPDOWN",
			`{"id":"it","category":"FIELD","type":"DROPDOWN","config":{"options":[{"value":"a","label":"A"}],"default_value":"a"}}`, "Options, Default value", "",
		},
		{
			`{"id":"it","category":"FIELD","type":"CHOICE","config":{"options":[{"value":"a","label":"A"}],"default_value":"a"}}`, "CARDS",
			`{"id":"it","category":"FIELD","type":"CARDS","config":{"options":[]}}`, "", "Options, Default value",
		},
		{
			`{"id":"it","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>a</p>"}}`, "HTML",
			`{"id":"it","category":"BLOCK","type":"HTML","config":{"content":"<p>a</p>"}}`, "Content", "",
		},
		{
			`{"id":"it","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On","foreign":1}}`, "PREVIOUS_BUTTON",
			`{"id":"it","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"On","foreign":1}}`, "Text", "",
		},
		{
			`{"id":"it","category":"BLOCK","type":"DIVIDER"}`, "EMAIL", `{"id":"it","category":"FIELD","type":"EMAIL","label":"Email address"}`, "", "",
		},
	} {
		f := `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[` + tt.component + `]}}]}`
		e := edit(t, f, editor.Selection{Nodes: []string{"s"}, Component: "it"})
		c := e.Make().ChangeKind(model.KindOf(tt.to))
		_, kept, lost := c.Convert(e.State().Form.Nodes[0].Component(0))
		if err := e.Run(c); err != nil {
			t.Fatal(err)
		}
		if got := text(e.State().Form.Nodes[0].Component(0).Tree()); got != strings.ReplaceAll(tt.want, "\n", "") {
			t.Errorf("%s becomes\n     %s\nwant %s", tt.component, got, tt.want)
		}
		if strings.Join(kept, ", ") != tt.kept || strings.Join(lost, ", ") != tt.lost {
			t.Errorf("%s to %s: %v carry over, %v are lost", tt.component, tt.to, kept, lost)
		}
	}
	e := edit(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[{"id":"it","category":"BLOCK","type":"X"}]}}]}`,
		editor.Selection{Nodes: []string{"s"}, Component: "it"})
	if err := e.Run(e.Make().ChangeKind(model.KindOf("TEXT"))); err == nil {
		t.Error("a component of an unknown kind changes it")
	}
	if e.Select(editor.SelectNodes("s")); e.Can(e.Make().ChangeKind(model.KindOf("TEXT"))) == nil {
		t.Error("a step changes its kind")
	}
}
