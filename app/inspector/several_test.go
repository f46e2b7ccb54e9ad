package inspector_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// several returns an editor of a step with components of these kinds, the first with every property and the others new.
func several(t *testing.T, kinds ...*model.Kind) *editor.Editor {
	t.Helper()
	var list []any
	sel := editor.SelectNodes("sample")
	for i, k := range kinds {
		id := fmt.Sprint("it", i)
		c := model.NewComponent(k, model.SpecDialect, id)
		if i == 0 {
			c = sample(k.Table()).(*schema.Object).With("id", id)
		}
		list, sel = append(list, c), sel.TogglePart(id)
	}
	n := model.NewNode(model.StepNode, "sample", model.Point{}).With("config", schema.NewObject(schema.Member{Key: "components", Value: list}))
	form := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "nodes", Value: []any{n}})
	return open(t, form, sel)
}

// leaves returns the rows that have controls.
func leaves(p inspector.Panel) []inspector.Row {
	return keep(flat(p), func(r inspector.Row) bool { return r.Input != inspector.Group })
}

// other returns a text for a row that none of its elements has.
func other(r inspector.Row) string {
	switch r.Input {
	case inspector.Number:
		return "77"
	case inspector.Select, inspector.Pointer:
		return r.Options[len(r.Options)-1].Value
	case inspector.Switch:
		return "true"
	default:
		return "Other text"
	}
}

// Too many components are only counted.
func TestManyComponents(t *testing.T) {
	kinds := make([]*model.Kind, 51)
	for i := range kinds {
		kinds[i] = &model.Kinds[i%2]
	}
	p := inspector.Components(several(t, kinds...), nil)
	want := fmt.Sprintf("26 %s, 25 %s", kinds[0].Label, kinds[1].Label)
	if p.Title != "51 components" || p.Subtitle != want || p.Note != "At most 50 components are edited together." || len(p.Sections) > 0 {
		t.Errorf("%q, %q, %q, %d sections", p.Title, p.Subtitle, p.Note, len(p.Sections))
	}
	if p := inspector.Components(several(t, kinds[:50]...), nil); len(p.Sections) == 0 {
		t.Error("50 components have no rows")
	}
}

// An edit of several components gives each of them the value, and changes nothing else, in one step that undo takes back. That holds for every
// pair of kinds and every property that they share.
func TestEditOfSeveralComponents(t *testing.T) {
	edits := 0
	for i := range model.Kinds {
		for j := range model.Kinds {
			a, b := &model.Kinds[i], &model.Kinds[j]
			e := several(t, a, b, b)
			for _, r := range leaves(inspector.Components(e, nil)) {
				if r.Count != 3 {
					t.Fatalf("%s and %s: %s is of %d", a.Type, b.Type, r.Path, r.Count)
				}
				edits++
				before := e.State().Form
				c := r.Edit(other(r))
				if r.Input == inspector.Checks {
					c = r.Check(r.Options[0].Value, true)
				}
				if err := e.Run(c); err != nil {
					t.Fatalf("%s and %s: %s: %v", a.Type, b.Type, r.Path, err)
				}
				want, _ := schema.Lookup(e.State().Form.Tree(), r.Path)
				if want == nil {
					t.Errorf("%s and %s: %s is not set", a.Type, b.Type, r.Path)
				}
				tree := any(before.Tree())
				for k := range 3 {
					at := append(schema.Path{}, r.Path...)
					at[4] = schema.Elem{Index: k}
					if got, _ := schema.Lookup(e.State().Form.Tree(), at); !schema.Equal(got, want) {
						t.Errorf("%s and %s: %s is %s, want %s", a.Type, b.Type, at, text(got), text(want))
					}
					tree, _ = schema.Set(tree.(*schema.Object), at, want)
				}
				if discriminates := strings.HasSuffix(r.Path.String(), "charge.type"); !discriminates && text(tree) != text(e.State().Form.Tree()) {
					t.Errorf("%s and %s: the edit of %s changed more:\n%s\n%s", a.Type, b.Type, r.Path, text(tree), text(e.State().Form.Tree()))
				}
				if got, want := c.Label().String(), " of 3 components"; !strings.HasPrefix(got, "Set ") || !strings.HasSuffix(got, want) {
					t.Errorf("the label is %q", got)
				}
				if e.State().Form == before {
					continue
				}
				if _, ok := e.Undo(); !ok || text(e.State().Form.Tree()) != text(before.Tree()) {
					t.Errorf("%s and %s: undo of %s leaves another form", a.Type, b.Type, r.Path)
				}
			}
		}
	}
	if edits < 1500 {
		t.Errorf("only %d edits were tried", edits)
	}
}

// Rows of several say whether their values differ, and typing in one is one step.
func TestRowsOfSeveral(t *testing.T) {
	e := several(t, model.KindOf("TEXT"), model.KindOf("EMAIL"), model.KindOf("EMAIL"))
	at := func(property string) inspector.Row {
		t.Helper()
		for _, r := range flat(inspector.Components(e, nil)) {
			if r.Path[len(r.Path)-1].Key == property {
				return r
			}
		}
		t.Fatalf("no row %s", property)
		return inspector.Row{}
	}
	p := inspector.Components(e, nil)
	if p.Title != "3 components" || p.Subtitle != "1 Text, 2 Email" {
		t.Errorf("%q, %q", p.Title, p.Subtitle)
	}
	if r := at("required"); !r.Mixed || r.Ons != 1 || r.On() {
		t.Errorf("required: mixed %v, %d on, on %v", r.Mixed, r.Ons, r.On())
	}
	if r := at("label"); !r.Mixed || r.Text() != "" {
		t.Errorf("label: mixed %v, %q", r.Mixed, r.Text())
	}
	for _, s := range []string{"S", "Sa", "Same"} {
		if err := e.Run(at("label").Edit(s)); err != nil {
			t.Fatal(err)
		}
	}
	if r := at("label"); r.Mixed || r.Text() != "Same" {
		t.Errorf("label: mixed %v, %q", r.Mixed, r.Text())
	}
	if s, _ := e.Undo(); s.Label.String() != "Set label of 3 components" {
		t.Errorf("undo takes back %q", s.Label)
	}
	if r := at("label"); !r.Mixed {
		t.Error("undo leaves the label")
	}
	if err := e.Run(at("label").Edit("")); err != nil || at("label").Present {
		t.Errorf("the labels are not cleared: %v", err)
	}
	if err := e.Run(at("hint").Edit(strings.Repeat("x", 501))); err != nil || len(at("hint").Problems) != 1 {
		t.Errorf("%d problems: %v", len(at("hint").Problems), err)
	}
	e.Select(editor.SelectNodes("sample").TogglePart("it1"))
	if len(inspector.Components(e, nil).Sections) != 0 {
		t.Error("one component has rows of several")
	}
}

// Several nodes have their common rows; too many nodes have none, and neither have the two ends, which are not edited
// with the others.
func TestRowsOfSeveralNodes(t *testing.T) {
	var nodes []any
	var ids []string
	for i := range 60 {
		ids = append(ids, fmt.Sprint("n", i))
		nodes = append(nodes, model.NewNode(model.StepNode, ids[i], model.Point{X: i}))
	}
	form := schema.NewObject(schema.Member{Key: "name", Value: "Form"}, schema.Member{Key: "nodes", Value: nodes})
	e := open(t, form, editor.SelectNodes(ids[:2]...))
	var rows []string
	for _, r := range leaves(inspector.Read(e, nil)) {
		rows = append(rows, fmt.Sprint(r.Path, r.Mixed))
		if r.Path[len(r.Path)-1].Key == "next_node" {
			if err := e.Run(r.Edit(model.EndingID)); err != nil {
				t.Error(err)
			}
		}
	}
	if got, want := fmt.Sprint(rows), "[nodes[0].config.next_node false nodes[0].coordinates.x true nodes[0].coordinates.y false]"; got != want {
		t.Errorf("the rows are %s, want %s", got, want)
	}
	if got := value(t, e, "nodes[1].config.next_node"); got != `"$ending"` {
		t.Errorf("the second node leads to %s", got)
	}
	for _, tt := range []struct {
		sel                   editor.Selection
		rows                  int
		title, subtitle, note string
	}{
		{editor.SelectNodes(ids...), 0, "60 nodes", "60 steps", "At most 50 nodes are edited together."},
		{editor.SelectNodes("n0", model.StartID), 0, "2 nodes", "1 step, start", ""},
		{
			editor.SelectNodes(model.StartID, "n0", "n1", "n2", model.EndingID), 3, "5 nodes", "start, 3 steps, ending",
			"An edit below changes 3 nodes, not Start or Ending. “Mixed” marks what differs.",
		},
		{editor.SelectNodes("n0", "n1"), 3, "2 nodes", "2 steps", "An edit below changes both nodes. “Mixed” marks what differs."},
		{editor.SelectNodes("n0", "n1", "n2"), 3, "3 nodes", "3 steps", "An edit below changes all 3 nodes. “Mixed” marks what differs."},
	} {
		e.Select(tt.sel)
		p := inspector.Read(e, nil)
		if n := len(leaves(p)); n != tt.rows || p.Title != tt.title || p.Subtitle != tt.subtitle || p.Note != tt.note {
			t.Errorf("%v: %d rows, %q, %q, %q", tt.sel.Nodes, n, p.Title, p.Subtitle, p.Note)
		}
	}
	e.Select(editor.SelectNodes(model.StartID, "n0", "n1"))
	if err := e.Run(inspector.Read(e, nil).Sections[0].Rows[0].Edit("n2")); err != nil {
		t.Fatal(err)
	}
	if a, b := value(t, e, "nodes[0].config.next_node"), value(t, e, "nodes[1].config.next_node"); a != `"n2"` || b != a {
		t.Errorf("the nodes lead to %s and %s", a, b)
	}
}
