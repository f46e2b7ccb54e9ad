package editor_test

import (
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// A node that nobody reaches is connected from the nearest place that leads nowhere, else from where journeys end, or it is deleted. Each is one
// step and removes the warning.
func TestUnreachableNodeIsConnectedOrDeleted(t *testing.T) {
	const lost = `{"id":"lost","type":"STEP","alias":"Lost","coordinates":{"x":600,"y":0},"config":{"components":[
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]}}`
	step := func(id, next, x string) string {
		return `{"id":"` + id + `","type":"STEP","alias":"` + id + `","coordinates":{"x":` + x + `,"y":0},"config":{"components":[
			{"id":"go_` + id + `","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go"}}]` + next + `}}`
	}
	form := func(start, nodes string) string {
		return `{"name":"f","start":{"next_node":"` + start + `"},"nodes":[` + nodes + lost + `]}`
	}
	for _, tt := range []struct{ name, form, fix, from, lostTo string }{
		{"what leads nowhere", form("a", step("a", `,"next_node":"b"`, "0")+","+step("b", "", "300")+","), "Connect from b", "b", ""},
		{"the nearest to the left", form("r", `{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[
			{"id":"one","condition":{},"next_node":"a"}],"fallback":"b"}},`+step("a", "", "200")+","+step("b", "", "700")+","), "Connect from a", "a", ""},
		{"what ends", form("a", step("a", `,"next_node":"$ending"`, "0")+","), "Connect from a", "a", "$ending"},
		{"a place that nobody reaches", form("a", `{"id":"a","type":"STEP","config":{"components":[],"next_node":"r"}},
			{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one","condition":{}}],"fallback":"$ending"}},`), "", "", ""},
		{"no place", form("a", `{"id":"a","type":"ROUTER","config":{"rules":[],"fallback":"a"}},`), "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			warned := func(e *editor.Editor) schema.Problem {
				for _, p := range e.Found().Warnings() {
					if at := model.PlaceOf(p.Path); p.Code == schema.CodeUnreachable && at.Node == len(e.State().Form.Nodes)-1 {
						return p
					}
				}
				return schema.Problem{}
			}
			e, _ := newEditor(t, tt.form)
			fixes := e.Make().Reach(warned(e))
			if last := fixes[len(fixes)-1]; last.Name != "Delete node" {
				t.Errorf("the last fix is %s", last.Name)
			}
			if tt.fix == "" {
				if len(fixes) != 1 {
					t.Errorf("offers %v", fixes)
				}
				return
			}
			if len(fixes) != 2 || fixes[0].Name != tt.fix {
				t.Fatalf("offers %v", fixes)
			}
			before := dump(e.State())
			for _, fix := range fixes {
				run(t, e, fix.Command)
				if p := warned(e); p.Code != "" {
					t.Errorf("%s leaves %v", fix.Name, p)
				}
				if fix.Name == tt.fix {
					from, _ := e.State().Form.OutOf(tt.from, model.NextPort)
					to, _ := e.State().Form.OutOf("lost", model.NextPort)
					if from.To != "lost" || string(to.To) != tt.lostTo {
						t.Errorf("%s leads to %q, lost to %q", tt.from, from.To, to.To)
					}
				}
				if e.Undo(); dump(e.State()) != before {
					t.Errorf("%s is more than one step", fix.Name)
				}
			}
			if e.Make().Reach(schema.Problem{Code: schema.CodeDeadEnd}) != nil {
				t.Error("offers it for another problem")
			}
		})
	}
}
