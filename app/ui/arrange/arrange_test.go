package arrange

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
)

const form = `{"id":"ap_test","name":"Contact","nodes":[
	{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[]}},
	{"id":"b","type":"STEP","coordinates":{"x":600,"y":400},"config":{"components":[]}},
	{"id":"c","type":"STEP","coordinates":{"x":1300,"y":900},"config":{"components":[]}}]}`

func onTool(t *testing.T, f func(ctx app.Context, p *Tool, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		w, c := uitest.Workspace(t, form)
		f(ctx, &Tool{w}, c)
	})
}

func TestAligningTwiceChangesNothing(t *testing.T) {
	for _, id := range []command.ID{
		command.AlignLeft, command.AlignCenters, command.AlignRight, command.AlignTop, command.AlignMiddles,
		command.AlignBottom,
		command.DistributeAcross, command.DistributeDown, command.TidySelection,
	} {
		onTool(t, func(ctx app.Context, p *Tool, c *uitest.Canvas) {
			p.Editor.Select(editor.SelectNodes("a", "b", "c"))
			p.Carry(ctx, id)
			if p.Editor.UndoLabel() == "" || !slices.Contains(c.Calls, "Animate") {
				t.Errorf("%s moves nothing: canvas %q", id, c.Calls)
			}
			n := len(p.Editor.Steps())
			if p.Carry(ctx, id); len(p.Editor.Steps()) != n || !strings.Contains(p.Toast.Text(), "already in place") {
				t.Errorf("%s again is another step, and says %q", id, p.Toast.Text())
			}
		})
	}
}

func TestAlignMovesOnlyTheSelection(t *testing.T) {
	onTool(t, func(ctx app.Context, p *Tool, _ *uitest.Canvas) {
		p.Editor.Select(editor.SelectNodes("a", "b"))
		p.Carry(ctx, command.AlignTop)
		f := p.Editor.State().Form
		if f.Nodes[0].At.Y != 0 || f.Nodes[1].At.Y != 0 || f.Nodes[1].At.X != 600 || f.Nodes[2].At.Y != 900 ||
			p.Editor.UndoLabel() != command.Of(command.AlignTop).Title {
			t.Errorf("the nodes are at %v, %v and %v; undo is called %q", f.Nodes[0].At, f.Nodes[1].At, f.Nodes[2].At, p.Editor.UndoLabel())
		}
	})
}

func TestTidiedFormIsShown(t *testing.T) {
	onTool(t, func(ctx app.Context, p *Tool, c *uitest.Canvas) {
		p.Carry(ctx, command.TidyUp)
		if !slices.Contains(c.Calls, "FitReadable") {
			t.Errorf("the canvas is asked for %q", c.Calls)
		}
		c.Calls = nil
		if p.Carry(ctx, command.TidyUp); len(c.Calls) > 0 {
			t.Errorf("a tidy form moves the view: %q", c.Calls)
		}
		p.Canvas = nil
		p.Carry(ctx, command.FitView) // nothing has been drawn yet
	})
}

func TestSeveralNodesCanBeArranged(t *testing.T) {
	onTool(t, func(_ app.Context, p *Tool, _ *uitest.Canvas) {
		for nodes, want := range map[string]int{"a": 0, "a b": 9, "a b c": 11} {
			p.Editor.Select(editor.SelectNodes(strings.Fields(nodes)...))
			if got := strings.Count(app.HTMLString(Buttons(p.Workspace)), "data-act="); got != want {
				t.Errorf("with %s selected %d commands are offered, want %d", nodes, got, want)
			}
		}
	})
}
