package addmenu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

const form = `{"id":"ap_test","name":"Contact","start":{"next_node":"ask","coordinates":{"x":0,"y":0}},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":240,"y":0},"config":{"next_node":"$ending","components":[
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}]}}],
	"ending":{"coordinates":{"x":1440,"y":0}}}`

// onMenu calls f with the add menu of a form.
func onMenu(t *testing.T, f func(ctx app.Context, p *Menu, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		f(ctx, &Menu{Workspace: w}, c)
	})
}

// added describes the latest node: its position, its incoming edges and its outgoing edges.
func added(p *Menu) string {
	f := p.Editor.State().Form
	n := f.Nodes[len(f.Nodes)-1]
	var in, out []string
	for _, e := range f.Edges() {
		if string(e.To) == n.ID {
			in = append(in, e.From)
		}
		if e.From == n.ID {
			out = append(out, string(e.To))
		}
	}
	return fmt.Sprintf("%d nodes, %s, %v to %v", len(f.Nodes), n.Type, in, out)
}

func TestNodeIsAddedWhereTheMenuWasOpened(t *testing.T) {
	next := editor.EdgeRef{From: "ask", Port: model.NextPort}
	for _, test := range []struct {
		name   string
		sel    editor.Selection
		drop   *gesture.Drop
		want   string
		reveal bool // the view moves to the new node, which is not at the pointer
		undo   bool // the page announces the connection
	}{
		{name: "nothing selected", want: "2 nodes, FLOW, [ask] to [$ending]", reveal: true, undo: true},
		{name: "behind the selected node", sel: editor.SelectNodes("ask"), want: "2 nodes, FLOW, [ask] to [$ending]", reveal: true, undo: true},
		{
			name: "where a connection was dropped", drop: &gesture.Drop{From: next, At: graph.Vec{X: 700, Y: 300}},
			want: "2 nodes, FLOW, [ask] to [$ending]", undo: true,
		},
		{name: "on an edge", drop: &gesture.Drop{From: next, Middle: true}, want: "2 nodes, FLOW, [ask] to [$ending]", reveal: true, undo: true},
		{
			name: "a drop comes before the selection", sel: editor.SelectNodes("ask"),
			drop: &gesture.Drop{From: editor.EdgeRef{From: model.StartID, Port: model.NextPort}, Middle: true},
			want: "2 nodes, FLOW, [$start] to [ask]", reveal: true, undo: true,
		},
	} {
		onMenu(t, func(ctx app.Context, p *Menu, c *uitest.Canvas) {
			p.Editor.Select(test.sel)
			if test.drop != nil {
				p.Offer(ctx, *test.drop, graph.Vec{X: 10, Y: 20})
			} else {
				p.Toggle(ctx)
			}
			p.Add(ctx, model.FlowNode, nil)
			id := p.Editor.State().Selection.Only()
			if got := added(p); got != test.want || p.IsOpen() {
				t.Errorf("%s: %s, menu open: %t; want %s", test.name, got, p.IsOpen(), test.want)
			}
			if got := slices.Contains(c.Calls, "Reveal "+id); got != test.reveal || id == "ask" {
				t.Errorf("%s: selects %q, reveals it: %t", test.name, id, got)
			}
			if said := p.Toast.Text(); (said != "") != test.undo {
				t.Errorf("%s: says %q", test.name, said)
			}
		})
	}
}

func TestDroppedNodeHasItsHandleAtThePointer(t *testing.T) {
	onMenu(t, func(ctx app.Context, p *Menu, _ *uitest.Canvas) {
		p.Offer(ctx, gesture.Drop{From: editor.EdgeRef{From: "ask", Port: model.NextPort}, At: graph.Vec{X: 700, Y: 300}}, graph.Vec{})
		p.Add(ctx, model.FlowNode, nil)
		f := p.Editor.State().Form
		if at := f.Nodes[1].At; at.X != 700 || at.Y != 300-graph.HeaderHeight/2 {
			t.Errorf("it is at %v", at)
		}
	})
}

func TestMenuIsDrawnWhereItWasOpened(t *testing.T) {
	onMenu(t, func(ctx app.Context, p *Menu, _ *uitest.Canvas) {
		drop := gesture.Drop{From: editor.EdgeRef{From: "ask", Port: model.NextPort}}
		p.Offer(ctx, drop, graph.Vec{X: 10, Y: 20})
		if shown := app.HTMLString(p.Draw()); strings.Count(shown, "Asks people for answers") != 2 { // the line and its description
			t.Errorf("the menu does not say what a step does: %s", shown)
		}
		if shown := app.HTMLString(p.Draw()); !strings.Contains(shown, "left:min(10px") || !strings.Contains(shown, "top:min(20px") {
			t.Errorf("a drop at 10, 20 draws %s", shown)
		}
		drop.Middle = true
		p.Offer(ctx, drop, graph.Vec{X: 10, Y: 20})
		if top := fmt.Sprintf("top:min(%dpx", 20+int(gesture.PlusSize)); !strings.Contains(app.HTMLString(p.Draw()), top) {
			t.Errorf("the menu of an edge's button is not below it, at %s", top)
		}
		p.Close()
		p.Toggle(ctx)
		if shown := app.HTMLString(p.Draw()); strings.Contains(shown, "add-here") || !strings.Contains(shown, `"add-router"`) {
			t.Errorf("opened by its button it draws %s", shown)
		}
	})
}

func TestMenuKnowsThatTheOutlineOpenedIt(t *testing.T) {
	onMenu(t, func(ctx app.Context, p *Menu, _ *uitest.Canvas) {
		inOutline := true
		p.Dialog.Origin = workspace.Origin{InOutline: func() bool { return inOutline }, ToOutline: func() bool { return true }}
		p.Toggle(ctx)
		inOutline = false
		if !p.Dialog.Origin.Outline() {
			t.Error("the outline that opened the menu is forgotten")
		}
		if p.Toggle(ctx); p.Dialog.Origin.Outline() {
			t.Error("a menu that was closed still belongs to the outline")
		}
	})
}
