package editor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func TestDuplicateNodes(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[
 {"id":"a","type":"STEP","coordinates":{"x":7,"y":0},"config":{"components":[{"id":"t","category":"FIELD","type":"TEXT","label":`+
		`"{{fields.t}}"}],"next_node":"b"}},
 {"id":"b","type":"ROUTER","coordinates":{"x":407,"y":10},"config":{"rules":[{"id":"r1","condition":"{{fields.t}}","next_node":"b"},`+
		`{"id":"r2","condition":1,"next_node":"c"}],"fallback":"gone"}},
 {"id":"c","type":"FLOW","config":{"next_node":"a"}}],"start":{"next_node":"a"},
 "translations":{"de":{"components":{"t":{"label":"T {{fields.t}}"},"u":{}},"x":1},"fr":{"components":{"u":{}}},"it":3}}`)
	e.Select(editor.SelectNodes("b", "a", model.StartID))
	run(t, e, e.Make().Duplicate())
	f := e.State().Form
	want := `[{"id":"step_?","type":"STEP","coordinates":{"x":727,"y":0},"config":{"components":[{"id":"text_?","category":"FIELD",` +
		`"type":"TEXT","label":"{{fields.text_?}}"}],"next_node":"router_?"}},` +
		`{"id":"router_?","type":"ROUTER","coordinates":{"x":1127,"y":10},"config":{"rules":[{"id":"r1","condition":"{{fields.text_?}}",` +
		`"next_node":"router_?"},{"id":"r2","condition":1,"next_node":"c"}]}}]`
	if got := encoded(f, 3); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	texts, _ := f.Tree().Get("translations")
	if got, want := named(f, string(schema.Encode(texts))), `{"de":{"components":{"t":{"label":"T {{fields.t}}"},"u":{},"text_?":`+
		`{"label":"T {{fields.text_?}}"}},"x":1},"fr":{"components":{"u":{}}},"it":3}`; got != want {
		t.Errorf("translations are\n     %s\nwant %s", got, want)
	}
	if sel := e.State().Selection.Nodes; len(sel) != 2 || sel[0] != f.Nodes[3].ID || sel[1] != f.Nodes[4].ID {
		t.Errorf("selected is %v", sel)
	}
	if got := ways(f)[:len("$start:next>a a:next>b")]; got != "$start:next>a a:next>b" || e.UndoLabel() != "Duplicate 2 nodes" {
		t.Errorf("ways %s, step %s", got, e.UndoLabel())
	}
}

// Copies are one card and a gap to the right, or a little lower if another node is there.
// Dragged copies are where they were dropped.
func TestDuplicatePlaces(t *testing.T) {
	e, _ := newEditor(
		t,
		`{"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":5}},{"id":"b","type":"FLOW","coordinates":{"x":320,"y":5}}]}`,
	)
	e.Select(editor.SelectNodes("a"))
	dragged := e.Make().Duplicate()
	dragged.By = model.Point{X: -3, Y: 4}
	for _, tt := range []struct {
		c    editor.Command
		want model.Point
	}{{e.Make().Duplicate(), model.Point{X: 340, Y: 25}}, {dragged, model.Point{X: -3, Y: 9}}} {
		s, err := tt.c.Do(e.State())
		if err != nil || s.Form.Nodes[2].At != tt.want {
			t.Errorf("copied to %v, %v, want %v", s.Form.Nodes[2].At, err, tt.want)
		}
	}
}

func TestDuplicateParts(t *testing.T) {
	e, _ := newEditor(t, `{"nodes":[
 {"id":"s","type":"STEP","config":{"components":[{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"{{fields.j}}",`+
		`"next_node":"s"}},
   {"id":"v","category":"WIDGET","type":"GMAPS_ADDRESS"},{"id":"n","category":"BLOCK","type":"NEXT_BUTTON"}]}},
 {"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":1,"next_node":"s"},{"id":"y","condition":1}]}}],
 "translations":{"de":{"components":{"j":{"config":{"text":"Los"}}}}}}`)
	for _, tt := range []struct {
		sel  editor.Selection
		want string
	}{
		{editor.Selection{Nodes: []string{"s"}, Component: "j"}, `[{"id":"j","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":` +
			`"{{fields.j}}","next_node":"s"}},{"id":"jump_button_?","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":` +
			`"{{fields.jump_button_?}}","next_node":"s"}},`},
		{editor.Selection{Nodes: []string{"s"}, Component: "v"}, `{"id":"v","category":"WIDGET","type":"GMAPS_ADDRESS"},{"id":` +
			`"maps_address_?","category":"WIDGET","type":"GMAPS_ADDRESS"},{"id":"n"`},
		{editor.Selection{Nodes: []string{"r"}, Rule: "x"}, `{"id":"x","condition":1,"next_node":"s"},{"id":"rule_?","condition":1,` +
			`"next_node":"s"},{"id":"y"`},
	} {
		e.Select(tt.sel)
		run(t, e, e.Make().Duplicate())
		f := e.State().Form
		if got := encoded(f, 0); !strings.Contains(got, tt.want) {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
		sel := e.State().Selection
		if id := sel.Component + sel.Rule; id == "" || id == tt.sel.Component+tt.sel.Rule {
			t.Errorf("%q is selected, want the copy", id)
		}
	}
	f := e.State().Form
	if got := named(f, string(schema.Encode(f.Tree().Object("translations")))); got != `{"de":{"components":{"j":{"config":{"text":`+
		`"Los"}},"jump_button_?":{"config":{"text":"Los"}}}}}` {
		t.Errorf("translations are %s", got)
	}
}

func TestDuplicateExplainsRefusal(t *testing.T) {
	e, _ := newEditor(t, twoSteps)
	for want, sel := range map[string]editor.Selection{
		"nothing is selected":                                 {},
		"start and ending cannot be copied":                   editor.SelectNodes(model.EndingID),
		"an edge cannot be copied: select the nodes it joins": {Edge: &editor.EdgeRef{From: "a", Port: model.NextPort}},
	} {
		e.Select(sel)
		if err := e.Can(e.Make().Duplicate()); fmt.Sprint(err) != want {
			t.Errorf("%v: got %v, want %s", sel, err, want)
		}
	}
	if err := e.Can(editor.Duplicate{}); err == nil {
		t.Error("nothing can be copied")
	}
}
