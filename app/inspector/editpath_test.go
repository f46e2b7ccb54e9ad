package inspector_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/model"
)

// What E and a double click lead to is never an id, for every kind of component it is a row of the inspector, and a button's is
// its text.
func TestEditingBeginsAtTheText(t *testing.T) {
	for i := range model.Kinds {
		k := &model.Kinds[i]
		e := edit(t, `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[]}}]}`, editor.SelectNodes("s"))
		if err := e.Run(e.Make().Component(k, "s", 0)); err != nil {
			t.Fatal(err)
		}
		p := inspector.EditPath(e.State())
		if p == nil {
			if k.Category != model.Block {
				t.Errorf("%s: nothing", k.Type)
			}
			continue
		}
		if strings.HasSuffix(p.String(), ".id") {
			t.Errorf("%s: %s", k.Type, p)
		}
		row(t, e, p.String())
	}
	const form = `{"name":"f","nodes":[{"id":"s","type":"STEP","config":{"components":[
{"id":"b","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}},
		{"id":"d","category":"BLOCK","type":"DIVIDER"},{"id":"x","category":"FIELD","type":"TEXT"},{"id":"?","type":"MAP"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one","condition":1}]}},{"id":"f","type":"FLOW","config":{"flow_id":""}},
{"id":"u","type":"PAGE"}]}`
	for _, tt := range []struct {
		sel  editor.Selection
		want string
	}{
		{editor.Selection{Nodes: []string{"s"}, Component: "b"}, "nodes[0].config.components[0].config.text"},
		{editor.Selection{Nodes: []string{"s"}, Component: "d"}, "nodes[0].config.components[1].config.text"},
		{editor.Selection{Nodes: []string{"s"}, Component: "x"}, "nodes[0].config.components[2].label"},
		{editor.Selection{Nodes: []string{"s"}, Component: "?"}, ""},
		{editor.SelectNodes("s"), "nodes[0].alias"},
		{editor.SelectNodes("r"), "nodes[1].alias"},
		{editor.Selection{Nodes: []string{"r"}, Rule: "one"}, "nodes[1].config.rules[0].alias"},
		{editor.SelectNodes("f"), "nodes[2].alias"},
		{editor.SelectNodes("u"), ""},
		{editor.SelectNodes("s", "r"), ""},
		{editor.Selection{}, ""},
	} {
		e := edit(t, form, tt.sel)
		got := ""
		if p := inspector.EditPath(e.State()); p != nil {
			got = p.String()
			row(t, e, got)
		}
		if got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.sel, got, tt.want)
		}
	}
}
