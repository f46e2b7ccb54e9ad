package workspace_test

import (
	"context"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

const form = `{"id":"ap_test","name":"Contact","nodes":[
	{"id":"which","type":"ROUTER","config":{"rules":[{"id":"r1"},{"id":"r2"},{"id":"r3"}]}}]}`

func TestOriginIsKeptUntilTheFocusGoesBack(t *testing.T) {
	inOutline, back := false, 0
	o := workspace.Origin{InOutline: func() bool { return inOutline }, ToOutline: func() bool { back++; return true }}
	if o.Keep(); o.Outline() {
		t.Error("the canvas counts as the outline")
	}
	o.Back()
	inOutline = true
	o.Keep()
	inOutline = false
	if o.Keep(); !o.Outline() {
		t.Error("a dialog opened from the outline forgets this when it opens another")
	}
	if o.Back(); back != 1 || o.Outline() {
		t.Errorf("the focus went to the outline %d times, still its: %t", back, o.Outline())
	}
	inOutline = true
	o.Keep()
	if o.Forget(); o.Outline() {
		t.Error("a forgotten origin is kept")
	}
	empty := workspace.Origin{}
	if empty.Keep(); empty.Outline() {
		t.Error("a page without an outline has its focus there")
	}
}

func TestDialogIsOpenUntilItIsClosed(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		back := 0
		d := workspace.Dialog{Origin: workspace.Origin{InOutline: func() bool { return true }, ToOutline: func() bool { back++; return true }}}
		d.Open(ctx, "help")
		if d.Name() != "help" || !strings.Contains(app.HTMLString(d.Frame("Title")), "Title") {
			t.Errorf("the open dialog is %q", d.Name())
		}
		if d.Close(); d.Name() != "" || back != 0 {
			t.Errorf("closed, the dialog is %q and moved the focus %d times", d.Name(), back)
		}
		d.Open(ctx, "find")
		if d.CloseBack(); d.Name() != "" || back != 1 {
			t.Errorf("closed, the dialog is %q and moved the focus %d times", d.Name(), back)
		}
	})
}

// A narrow window shows only one panel. The window of native tests has no
// width.
func TestNarrowWindowShowsOnePanel(t *testing.T) {
	var p workspace.Panels
	for i, step := range []struct {
		do          func()
		left, right bool
	}{
		{p.ToggleLeft, true, false},
		{p.ToggleRight, false, true},
		{p.ToggleLeft, true, false},
		{p.ToggleLeft, false, false},
		{func() { p.ShowTab(workspace.History) }, true, false},
	} {
		if step.do(); p.Left != step.left || p.Right != step.right {
			t.Errorf("step %d shows %+v", i, p)
		}
	}
	if p.Tab != workspace.History {
		t.Errorf("the tab is %s", p.Tab)
	}
	p.Sheet = workspace.FullSheet
	if p.Close(); p.Left || p.Right || p.Sheet != workspace.HalfSheet {
		t.Errorf("closed, the panels are %+v", p)
	}
}

// The inspector is beside the canvas while something is selected, unless the person wants it otherwise; the left panel is until it is closed.
func TestPanelsThatThePersonWants(t *testing.T) {
	left, right, showRight := (*workspace.Panels).ToggleLeft, (*workspace.Panels).ToggleRight, (*workspace.Panels).ShowRight
	chosen := func(p *workspace.Panels) { p.Follow(true) }
	nothing := func(p *workspace.Panels) { p.Follow(false) }
	to := func(width int) func(*workspace.Panels) { return func(p *workspace.Panels) { p.Resize(width) } }
	type acts []func(*workspace.Panels)
	for _, tt := range []struct {
		name        string
		width       int
		do          acts
		left, right bool
	}{
		{"as it opens", 1440, nil, true, false},
		{"as a narrow window opens", 899, nil, false, false},
		{"something is selected", 900, acts{chosen}, true, true},
		{"something is selected in a narrow window", 899, acts{chosen}, false, false},
		{"nothing any more", 1440, acts{chosen, nothing}, true, false},
		{"nothing in a narrow window", 800, acts{chosen, right, nothing}, false, true},
		{"closed, then something else is selected", 1440, acts{chosen, right, nothing, chosen}, true, false},
		{"closed and opened", 1440, acts{chosen, right, right, nothing, chosen}, true, true},
		{"closed and opened with nothing selected", 1440, acts{chosen, right, nothing, right, chosen}, true, true},
		{"opened with nothing selected", 1440, acts{right, chosen, nothing}, true, true},
		{"opened and closed with nothing selected", 1440, acts{right, right, chosen, nothing}, true, false},
		{"closed with nothing selected after it was for good", 1440, acts{chosen, right, nothing, showRight, right, chosen}, true, false},
		{"shown by a command", 1440, acts{showRight}, true, true},
		{"shown by a command, then something is selected", 1440, acts{showRight, chosen, nothing}, true, false},
		{"shown by a command for what is selected", 1440, acts{chosen, right, nothing, chosen, showRight, chosen}, true, true},
		{"the left one is closed", 1440, acts{left, chosen}, false, true},
		{"the window becomes smaller", 1440, acts{chosen, to(1024)}, true, true},
		{"the window becomes narrow", 1440, acts{chosen, to(800)}, false, false},
		{"narrow no more", 800, acts{chosen, to(1000)}, true, true},
		{"narrow for a while", 1440, acts{left, to(800), to(1000)}, false, false},
	} {
		var p workspace.Panels
		p.Begin(tt.width)
		for _, do := range tt.do {
			do(&p)
		}
		if p.Left != tt.left || p.Right != tt.right {
			t.Errorf("%s: %+v", tt.name, p)
		}
	}
}

func TestNothingRunsAfterThePageWasLeft(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	done, ended, over := false, false, false
	uitest.Play(t, func(ctx app.Context) {
		w.Async(ctx, func(c context.Context) func(app.Context) {
			<-c.Done()
			ended = true
			return func(app.Context) { done = true }
		})
		w.End()
	}, func(app.Context) { over = w.Over() })
	if done || !ended || !over {
		t.Errorf("the call ended: %t, its result was used: %t", ended, done)
	}
}

func TestPanicInAnAnswerIsReported(t *testing.T) {
	w, _ := uitest.Workspace(t, form)
	said := ""
	uitest.Play(t, func(ctx app.Context) {
		w.Async(ctx, func(context.Context) func(app.Context) { return nil })
		w.Async(ctx, func(context.Context) func(app.Context) {
			return func(ctx app.Context) {
				defer func() { ctx.Dispatch(func(app.Context) { said = w.Toast.Text() }) }()
				panic("it broke")
			}
		})
	})
	if !strings.Contains(said, "Your work is kept") {
		t.Errorf("says %q", said)
	}
}

func TestRunSaysWhyACommandIsRefused(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		if w.Run(ctx, editor.RemoveNodes{IDs: []string{"nobody"}}) || !strings.HasSuffix(w.Toast.Text(), ".") {
			t.Errorf("a refused command says %q", w.Toast.Text())
		}
		w.Toast.Clear()
		if !w.Run(ctx, editor.RemoveNodes{IDs: []string{"which"}}) || w.Toast.Text() != "" {
			t.Errorf("an accepted command says %q", w.Toast.Text())
		}
	})
}

// The button of a message undoes what the message tells of, and goes when it would undo something else.
func TestUndoOfAMessageGoesWithItsStep(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		shown := func() bool { return strings.Contains(app.HTMLString(w.Toast.Box()), "undo-toast") }
		remove := func(id string) {
			w.Run(ctx, editor.RemoveNodes{IDs: []string{id}})
			w.SayUndo(ctx, "Deleted.")
		}
		if remove("which"); !shown() {
			t.Error("there is no button")
		}
		w.Editor.Select(editor.Selection{})
		if !shown() {
			t.Error("the button goes without a reason")
		}
		if w.Editor.Undo(); shown() || w.Toast.Text() != "" {
			t.Error("the step is undone, the button is still there")
		}
		remove("which")
		if w.Run(ctx, editor.Set{Path: schema.Path{schema.Key("name")}, Value: "Other"}); shown() {
			t.Error("the button would undo another step")
		}
	})
}

func TestPartMovesWithinTheSelectedNode(t *testing.T) {
	uitest.Run(t, func(ctx app.Context) {
		w, _ := uitest.Workspace(t, form)
		order := func() (ids string) {
			n, _ := w.Editor.State().Form.Node("which")
			for _, r := range n.Config.(*model.Router).Rules {
				ids += r.ID
			}
			return ids
		}
		if w.MovePart(ctx, 0, 2); order() != "r1r2r3" {
			t.Errorf("without a selected node the order is %s", order())
		}
		w.Editor.Select(editor.SelectNodes("which"))
		if w.MovePart(ctx, 0, 2); order() != "r2r3r1" {
			t.Errorf("the order is %s", order())
		}
	})
}

func TestWorkspaceWithoutAFormOffersNothing(t *testing.T) {
	w := workspace.New("ap_test", nil)
	if w.State().Form != nil || !w.ReadOnly() || w.Applies(command.Save) || w.Applies(command.Find) || !w.Applies(command.Help) {
		t.Error("a form that is not loaded can be worked on")
	}
	w.Show("nobody") // there is no canvas
}

func TestHeightOfASheet(t *testing.T) {
	for _, test := range []struct {
		sheet      workspace.Sheet
		work, want float64
	}{
		{workspace.LowSheet, 700, 72},
		{workspace.LowSheet, 60, 60},
		{workspace.HalfSheet, 700, 350},
		{workspace.FullSheet, 700, 676},
		{workspace.FullSheet, 20, 0},
	} {
		if got := test.sheet.Height(test.work); got != test.want {
			t.Errorf("a %s sheet is %g high over %g, want %g", test.sheet, got, test.work, test.want)
		}
	}
}
