package inspector_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// edit returns an editor of a form with a selection.
func edit(t *testing.T, src string, sel editor.Selection) *editor.Editor {
	t.Helper()
	return open(t, decode(t, src).(*schema.Object), sel)
}

func open(t *testing.T, form *schema.Object, sel editor.Selection) *editor.Editor {
	t.Helper()
	e := editor.New(model.FromTree(form), editor.Config{
		Now:  func() time.Time { return time.Unix(0, 0) },
		Rand: func(int) int { return 0 },
	})
	e.Select(sel)
	if !e.State().Selection.Equal(sel) {
		t.Fatalf("the selection is %+v, want %+v", e.State().Selection, sel)
	}
	return e
}

func decode(t *testing.T, src string) any {
	t.Helper()
	v, ps := schema.Decode([]byte(src))
	if len(ps) > 0 {
		t.Fatalf("%s: %v", src, ps)
	}
	return v
}

func text(v any) string { return string(schema.Encode(v)) }

func dump(s editor.State) string {
	return text(s.Form.Tree()) + fmt.Sprintf("%v %s %s", s.Selection.Nodes, s.Selection.Component, s.Selection.Rule)
}

// run applies a command and checks the laws of every command: the state that it
// is given does not change, undo and redo restore both states, and the patch
// leads from the saved form to the new one. It also checks the law of panels.
func run(t *testing.T, e *editor.Editor, c editor.Command) {
	t.Helper()
	before := e.State()
	frozen := dump(before)
	if err := e.Run(c); err != nil {
		t.Fatalf("%s: %v", c.Label(), err)
	}
	after := e.State()
	if got := dump(before); got != frozen {
		t.Fatalf("%s wrote to the state it was given:\n got %s\nwant %s", c.Label(), got, frozen)
	}
	if applied := e.Changes().Apply(e.Base()); !schema.Equal(applied.Tree(), after.Form.Tree()) {
		t.Fatalf("%s: the patch gives\n     %s\nwant %s", c.Label(), text(applied.Tree()), text(after.Form.Tree()))
	}
	if after.Form != before.Form {
		if _, ok := e.Undo(); !ok || text(e.State().Form.Tree()) != text(before.Form.Tree()) {
			t.Fatalf("undo of %s gave\n     %s\nwant %s", c.Label(), text(e.State().Form.Tree()), text(before.Form.Tree()))
		}
		if _, ok := e.Redo(); !ok || dump(e.State()) != dump(after) {
			t.Fatalf("redo of %s gave\n     %s\nwant %s", c.Label(), dump(e.State()), dump(after))
		}
	}
	panelLaw(t, e)
}

// panelLaw checks the law of every panel: no path has two rows, a row holds
// the form's value, and every problem below the panel's paths
// is shown by exactly one row or part.
func panelLaw(t *testing.T, e *editor.Editor) {
	t.Helper()
	p := inspector.Read(e, nil)
	seen := map[string]bool{}
	for _, r := range flat(p) {
		path := r.Path.String()
		if seen[path] {
			t.Errorf("%s has two rows", path)
		}
		seen[path] = true
		if v, ok := schema.Lookup(e.State().Form.Tree(), r.Path); ok != r.Present || !schema.Equal(v, r.Value) {
			t.Errorf("%s: the row holds %v (%v), the form %v (%v)", path, r.Value, r.Present, v, ok)
		}
	}
	root, whole := about(e)
	for _, pr := range e.Found().Problems() {
		if !pr.Path.HasPrefix(root) || whole && (ownPanel(e.State().Form, pr.Path) || inspector.PageOf(e.State(), pr.Path) != "") {
			continue
		}
		shown := 0
		for _, r := range flat(p) {
			shown += len(keep(r.Problems, func(q schema.Problem) bool { return q.Path.Equal(pr.Path) && q.Code == pr.Code }))
		}
		for i, part := range p.Parts {
			if pr.Path.HasPrefix(part.Path) && part.Problems > 0 && part.Sections == nil && part.ID != "" && firstPart(p.Parts, part.ID) == i {
				shown++
			}
		}
		if shown != 1 {
			t.Errorf("%s [%s] is shown %d times, want once", pr, pr.Code, shown)
		}
	}
}

func firstPart(parts []inspector.Part, id string) int {
	for i := range parts {
		if parts[i].ID == id {
			return i
		}
	}
	return -1
}

func keep[T any](list []T, f func(T) bool) []T {
	var out []T
	for _, v := range list {
		if f(v) {
			out = append(out, v)
		}
	}
	return out
}

// about returns the path of the editor's selection.
func about(e *editor.Editor) (root schema.Path, whole bool) {
	s := e.State().Selection
	switch {
	case s.Empty():
		return nil, true
	case s.Has(model.StartID):
		return path("start"), false
	case s.Has(model.EndingID):
		return path("ending"), false
	}
	n, i := e.State().Form.Node(s.Only())
	root = path("nodes").Index(i)
	switch c := n.Config.(type) {
	case *model.Step:
		for j := range c.Components {
			if s.Component != "" && c.Components[j].ID == s.Component {
				return root.Key("config").Key("components").Index(j), false
			}
		}
	case *model.Router, *model.Flow, nil: // the panel of a rule is its router's
	}
	return root, false
}

// ownPanel reports whether a problem is shown in the panel of its node.
func ownPanel(f *model.Form, p schema.Path) bool {
	if p[0].Key == "start" || p[0].Key == "ending" {
		return true
	}
	if p[0].Key != "nodes" || len(p) < 2 {
		return false
	}
	_, first := f.Node(f.Nodes[p[1].Index].ID)
	return first == p[1].Index
}

func path(key string) schema.Path { return schema.Path{schema.Key(key)} }

// flat returns all rows of a panel, including those inside others.
func flat(p inspector.Panel) []inspector.Row {
	var out []inspector.Row
	var walk func([]inspector.Row)
	walk = func(rows []inspector.Row) {
		for _, r := range rows {
			out = append(out, r)
			walk(r.Rows)
		}
	}
	list := p.Sections
	for _, part := range p.Parts {
		list = append(slices.Clip(list), part.Sections...)
	}
	for _, s := range list {
		walk(s.Rows)
		if s.Condition != nil {
			walk(s.Condition.Rows())
		}
	}
	if p.Otherwise != nil {
		walk([]inspector.Row{*p.Otherwise})
	}
	return out
}

// row returns the row with a path in the panel of the selection.
func row(t *testing.T, e *editor.Editor, path string) inspector.Row {
	t.Helper()
	var have []string
	for _, r := range flat(inspector.Read(e, nil)) {
		if r.Path.String() == path {
			return r
		}
		have = append(have, r.Path.String())
	}
	t.Fatalf("no row %s, only %q", path, have)
	return inspector.Row{}
}

// enter types a text into the row with a path, applies it and returns the row
// afterwards.
func enter(t *testing.T, e *editor.Editor, path, text string) inspector.Row {
	t.Helper()
	run(t, e, row(t, e, path).Edit(text))
	for _, r := range flat(inspector.Read(e, nil)) {
		if r.Path.String() == path {
			return r
		}
	}
	return inspector.Row{}
}

// value returns the JSON text of the form's value at a path, "" for none.
func value(t *testing.T, e *editor.Editor, at string) string {
	t.Helper()
	v, ok := schema.Lookup(e.State().Form.Tree(), parsePath(t, at))
	if !ok {
		return ""
	}
	return text(v)
}

func parsePath(t *testing.T, at string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(at)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
