package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Any text of the clipboard is either parsed or refused. A parsed text can be pasted without breaking a law, ids stay unique, and a copy of
// the result can be parsed again.
func FuzzParsePaste(f *testing.F) {
	for _, s := range []string{
		spoken, twoSteps, `{"form":` + spoken + `}`, `[{"id":"c","category":"FIELD","type":"TEXT","label":"{{fields.c}}{{fields['mail']}}"}]`,
		`{"rules":[{"id":"r1","condition":["{{fields.mail}}"],"next_node":"a"},{"next_node":3},{}]}`,
		`{"nodes":[{},{"id":5,"type":"STEP","config":{"components":[3,{"type":"JUMP_BUTTON"},{"id":"","type":"x"}]},
"coordinates":{"x":1e9,"y":-1e400}}]}`,
		`{"nodes":[{"id":"$ending","type":"ROUTER","config":{"rules":[{"next_node":"$ending"},7]}},
{"id":"$start","type":"FLOW","config":{"next_node":"$start"}}]}`,
		"{", "\ufeff[]", `{"components":[{}]}`,
	} {
		f.Add(s, 3, -7)
	}
	f.Fuzz(func(t *testing.T, text string, x, y int) {
		p, err := editor.ParsePaste(text)
		if err != nil {
			return
		}
		for _, sel := range []editor.Selection{editor.SelectNodes("a"), editor.SelectNodes("r"), {Nodes: []string{"a"}, Component: "mail"}} {
			e, _ := newEditor(t, spoken)
			e.Select(sel)
			c := e.Make().Paste(p, nil)
			if x%2 == 0 {
				c = e.Make().Paste(p, &model.Point{X: x, Y: y})
			}
			if e.Can(c) != nil {
				continue
			}
			dropped := c.Dropped(e.State())
			if dropped < 0 {
				t.Fatalf("%d edges are dropped", dropped)
			}
			was := placesOf(e.State().Form)
			run(t, e, c)
			s := e.State()
			for _, n := range s.Form.Nodes[2:] {
				if n.Placed && was[n.At] {
					t.Fatalf("%s stands exactly over another node", n.ID)
				}
			}
			if _, ps := schema.Decode(schema.Encode(s.Form.Tree())); len(ps) > 0 && ps[0].Code != schema.CodeLimit {
				t.Fatalf("the form cannot be decoded again: %v", ps)
			}
			copied, err := editor.Copy(s)
			if err != nil {
				continue // too large with its line breaks
			}
			again, err := editor.ParsePaste(copied)
			if err != nil {
				t.Fatalf("what was pasted cannot be copied: %v", err)
			}
			if len(again.Nodes) != len(p.Nodes) {
				t.Fatalf("copied %v of %v", again, p)
			}
			run(t, e, e.Make().Duplicate())
			run(t, e, editor.RemoveSelection{Join: true})
		}
	})
}

// placesOf returns the places of the nodes of a form.
func placesOf(f *model.Form) map[model.Point]bool {
	m := map[model.Point]bool{}
	for _, n := range f.Nodes {
		if n.Placed {
			m[n.At] = true
		}
	}
	return m
}
