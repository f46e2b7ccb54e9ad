package editor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
)

// Components that are selected together are copied, cut, pasted, duplicated, moved and deleted in the order of the step, each as one step of
// the history.
func TestSelectedComponentsActTogether(t *testing.T) {
	const form = `{"name":"f","nodes":[{"id":"a","type":"STEP","config":{"components":[{"id":"w","category":"FIELD","type":"TEXT"},
 {"id":"x","category":"FIELD","type":"TEXT"},{"id":"y","category":"FIELD","type":"TEXT"},{"id":"z","category":"FIELD","type":"TEXT"}]}},
 {"id":"b","type":"STEP","config":{"components":[]}}]}`
	sel := editor.SelectNodes("a").TogglePart("z").TogglePart("w").TogglePart("x").TogglePart("w") // z, x
	shift := func(down bool) func(*editor.Editor) editor.Command {
		return func(e *editor.Editor) editor.Command { return editor.Shift(e.State(), down) }
	}
	for _, tt := range []struct {
		name, label, want string
		selected          int
		command           func(*editor.Editor) editor.Command
	}{
		{"delete", "Delete", "w y", 0, func(*editor.Editor) editor.Command { return editor.RemoveSelection{} }},
		{"cut", "Cut", "w y", 0, func(*editor.Editor) editor.Command { return editor.Cut{} }},
		{"up", "Move 2 components", "x w z y", 2, shift(false)},
		{"down", "Move 2 components", "w y x z", 2, shift(true)},
		{"duplicate", "Duplicate 2 components", "w x y z + +", 2, func(e *editor.Editor) editor.Command { return e.Make().Duplicate() }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, _ := newEditor(t, form)
			e.Select(sel)
			run(t, e, tt.command(e))
			got := strings.Fields(components(e.State().Form, "a"))
			for i, id := range got {
				if len(id) > 1 {
					got[i] = "+"
				}
			}
			if s := strings.Join(got, " "); s != tt.want || len(e.State().Selection.Parts) != tt.selected {
				t.Errorf("the step has %s, want %s; selected are %q", s, tt.want, e.State().Selection.Parts)
			}
			if s, _ := e.Undo(); s.Label.String() != tt.label || components(e.State().Form, "a") != "w x y z" || !e.State().Selection.Equal(sel) {
				t.Errorf("undo of %q leaves %s and selects %+v", s.Label, components(e.State().Form, "a"), e.State().Selection)
			}
		})
	}
	e, _ := newEditor(t, form)
	e.Select(sel)
	text, err := editor.Copy(e.State())
	p, _ := editor.ParsePaste(text)
	if err != nil || len(p.Components) != 2 || p.Components[0].Text("id") != "x" || p.Components[1].Text("id") != "z" {
		t.Fatalf("copies %s, %v", text, err)
	}
	run(t, e, editor.Cut{})
	e.Select(editor.SelectNodes("b"))
	run(t, e, e.Make().Paste(p, nil))
	if got := components(e.State().Form, "b"); got != "x z" || !slices.Equal(e.State().Selection.Parts, []string{"x", "z"}) {
		t.Errorf("pastes %s, selects %+v", got, e.State().Selection)
	}
	if editor.Shift(e.State(), true) != nil || editor.Shift(e.State(), false) != nil {
		t.Error("all components of a step can be moved")
	}
	run(t, e, e.Make().Paste(p, nil))
	if got := components(e.State().Form, "b"); !strings.HasPrefix(got, "x z ") {
		t.Errorf("a further paste goes before: %s", got)
	}
	e.Select(editor.Selection{Nodes: []string{"b"}, Parts: []string{"gone", "z"}})
	if got := e.State().Selection.Parts; !slices.Equal(got, []string{"z"}) {
		t.Errorf("selects %q", got)
	}
}
