package editor_test

import (
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func formOf(t *testing.T, text string) *model.Form {
	t.Helper()
	v, ps := schema.Decode([]byte(text))
	if len(ps) > 0 {
		t.Fatal(ps)
	}
	return model.FromTree(v.(*schema.Object))
}

func pathOf(t *testing.T, text string) schema.Path {
	t.Helper()
	p, err := schema.ParsePath(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func editorOf(t *testing.T, text string) *editor.Editor {
	t.Helper()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return editor.New(formOf(t, text), editor.Config{
		Now:  func() time.Time { now = now.Add(time.Minute); return now },
		Rand: func(n int) int { return n - 1 },
	})
}

func TestPendingTextIsUnsavedAndAProblem(t *testing.T) {
	e := editorOf(t, `{"id":"ap_a","name":"x"}`)
	at := pathOf(t, "translations")
	if err := e.Run(editor.SetPending{Path: at, Text: "{"}); err != nil {
		t.Fatal(err)
	}
	if !e.Unsaved() || e.ChangeCount() != 1 || !e.Changes().Empty() {
		t.Errorf("unsaved %v, %d changes, patch empty %v", e.Unsaved(), e.ChangeCount(), e.Changes().Empty())
	}
	ps := e.Found().Problems()
	if len(ps) != 1 || ps[0].Code != schema.CodeSyntax || !ps[0].Path.Equal(at) {
		t.Fatalf("problems %v", ps)
	}
	if err := e.Run(editor.Set{Path: at, Value: schema.NewObject()}); err != nil {
		t.Fatal(err)
	}
	if _, ok := e.State().PendingAt(at); ok || len(e.Found().Problems()) != 0 {
		t.Errorf("a valid value left the pending text or problems %v", e.Found().Problems())
	}
	e.Undo()
	if text, _ := e.State().PendingAt(at); text != "{" {
		t.Errorf("undo restored %q", text)
	}
	e.Undo()
	if e.Unsaved() {
		t.Error("the first state is unsaved")
	}
}

func TestPendingTextFollowsItsRow(t *testing.T) {
	const form = `{"name":"x","nodes":[
		{"id":"step_a","type":"STEP","config":{"components":[{"id":"one","category":"FIELD","type":"TEXT"},
{"id":"two","category":"FIELD","type":"CUSTOM","config":{"params":{}}}]}},
		{"id":"step_b","type":"STEP","config":{}}]}`
	for _, tc := range []struct {
		name, at, want string // want "" when the row is gone
		command        editor.Command
	}{
		{"an earlier node is removed", "nodes[1].config.x", "nodes[0].config.x", editor.RemoveItem{Path: pathOf(t, "nodes[0]")}},
		{"its node is removed", "nodes[1].config.x", "", editor.RemoveItem{Path: pathOf(t, "nodes[1]")}},
		{"its node moves", "nodes[1].config.x", "nodes[0].config.x", editor.MoveItem{List: pathOf(t, "nodes"), From: 1, To: 0}},
		{
			"a component before it goes", "nodes[0].config.components[1].config.params", "nodes[0].config.components[0].config.params",
			editor.RemoveItem{Path: pathOf(t, "nodes[0].config.components[0]")},
		},
		{"its node is edited", "nodes[1].config.x", "nodes[1].config.x", editor.Set{Path: pathOf(t, "nodes[1].alias"), Value: "B"}},
		{"its value is replaced from above", "nodes[1].config.x", "", editor.Set{
			Path:  pathOf(t, "nodes[1].config"),
			Value: schema.NewObject(schema.Member{Key: "next_node", Value: "$ending"}),
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := editorOf(t, form)
			for _, c := range []editor.Command{editor.SetPending{Path: pathOf(t, tc.at), Text: "{"}, tc.command} {
				if err := e.Run(c); err != nil {
					t.Fatal(err)
				}
			}
			got := ""
			if p := e.State().Pending; len(p) == 1 {
				got = p[0].Path.String()
			}
			if got != tc.want {
				t.Errorf("the text is at %q, want %q", got, tc.want)
			}
			e.Undo()
			if _, ok := e.State().PendingAt(pathOf(t, tc.at)); !ok {
				t.Error("undo does not restore the text")
			}
		})
	}
}

func TestChangesAreCountedAsAPersonCounts(t *testing.T) {
	const form = `{"id":"ap_a","name":"x","nodes":[
		{"id":"step_a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[]}},
		{"id":"step_b","type":"STEP","coordinates":{"x":400,"y":0},"config":{}}]}`
	field := func(id string) any {
		return schema.NewObject(
			schema.Member{Key: "id", Value: id},
			schema.Member{Key: "category", Value: "FIELD"},
			schema.Member{Key: "type", Value: "TEXT"},
		)
	}
	for _, tc := range []struct {
		name     string
		commands []editor.Command
		want     int
	}{
		{"nothing", nil, 0},
		{"two nodes move", []editor.Command{
			editor.Set{Path: pathOf(t, "nodes[0].coordinates.x"), Value: schema.IntNumber(9)},
			editor.Set{Path: pathOf(t, "nodes[1].coordinates.x"), Value: schema.IntNumber(9)},
		}, 1},
		{"two components are added", []editor.Command{
			editor.InsertItem{Path: pathOf(t, "nodes[0].config.components[0]"), Value: field("a")},
			editor.InsertItem{Path: pathOf(t, "nodes[0].config.components[1]"), Value: field("b")},
		}, 2},
		{"two properties of a node", []editor.Command{
			editor.Set{Path: pathOf(t, "nodes[0].alias"), Value: "A"},
			editor.Set{Path: pathOf(t, "nodes[0].config.next_node"), Value: "step_b"},
		}, 2},
		{"a property and a text that is not valid", []editor.Command{
			editor.Set{Path: pathOf(t, "name"), Value: "y"},
			editor.SetPending{Path: pathOf(t, "translations"), Text: "{"},
		}, 2},
		{"the order of nodes", []editor.Command{editor.MoveItem{List: pathOf(t, "nodes"), From: 1, To: 0}}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := editorOf(t, form)
			for _, c := range tc.commands {
				if err := e.Run(c); err != nil {
					t.Fatal(err)
				}
			}
			if got := e.ChangeCount(); got != tc.want {
				t.Errorf("%d changes, want %d", got, tc.want)
			}
		})
	}
}

func TestRestoredEditorContinues(t *testing.T) {
	e := editorOf(t, `{"id":"ap_a","name":"x"}`)
	for _, name := range []string{"a", "b", "c"} {
		if err := e.Run(editor.Set{Path: pathOf(t, "name"), Value: name}); err != nil {
			t.Fatal(err)
		}
		e.Seal()
	}
	e.Undo()
	r := editor.Restore(e.Past(), editor.Config{Now: time.Now})
	if r.State().Form != e.State().Form || r.Base() != e.Base() {
		t.Fatal("another form")
	}
	for _, want := range []string{"a", "x"} {
		if r.Undo(); r.State().Form.Name != want {
			t.Errorf("undone, the name is %q, want %q", r.State().Form.Name, want)
		}
	}
	for _, want := range []string{"a", "b", "c"} {
		if s, ok := r.Redo(); r.State().Form.Name != want || !ok || s.Label.String() != "Edit name" {
			t.Errorf("redone (%s), the name is %q, want %q", s.Label, r.State().Form.Name, want)
		}
	}
}

func TestPendingTextsAreEqualByRowAndText(t *testing.T) {
	a := editor.Pending{Path: pathOf(t, "nodes[0].config"), Text: "{"}
	for _, tc := range []struct {
		b    editor.Pending
		want bool
	}{
		{editor.Pending{Path: pathOf(t, "nodes[0].config"), Text: "{"}, true},
		{editor.Pending{Path: pathOf(t, "nodes[0].config"), Text: "["}, false},
		{editor.Pending{Path: pathOf(t, "nodes[1].config"), Text: "{"}, false},
	} {
		if got := a.Equal(tc.b); got != tc.want {
			t.Errorf("%v and %v: got %v, want %v", a, tc.b, got, tc.want)
		}
	}
}

// Clearing a row drops its text even if the form has no value there.
func TestClearDropsPendingText(t *testing.T) {
	e := editorOf(t, `{"name":"x"}`)
	at := pathOf(t, "translations")
	for _, c := range []editor.Command{editor.SetPending{Path: at, Text: "{"}, editor.Clear{Path: at}} {
		if err := e.Run(c); err != nil {
			t.Fatal(err)
		}
	}
	if text, ok := e.State().PendingAt(at); ok {
		t.Errorf("cleared, the row still holds %q", text)
	}
}

// A restored editor does not reuse serials either, and Before is that of the last forgotten step.
func TestSerialsAreUnique(t *testing.T) {
	e := editorOf(t, `{"name":"x"}`)
	set := func() {
		t.Helper()
		name := e.State().Form.Name + "y"
		if len(name) > 9 {
			name = "x"
		}
		if err := e.Run(editor.Set{Path: pathOf(t, "name"), Value: name}); err != nil {
			t.Fatal(err)
		}
		e.Seal()
	}
	for range 3 {
		set()
	}
	e = editor.Restore(e.Past(), editor.Config{Now: time.Now})
	for e.Past().Before == 0 {
		set()
	}
	last := e.Past().Before
	for _, s := range e.Past().Steps {
		if s.Serial != last+1 {
			t.Fatalf("step %d follows step %d", s.Serial, last)
		}
		last = s.Serial
	}
}
