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

// A window with little room opens without the inspector, which comes with the first selection. Then it stays as the person has it.
func TestInspectorAwaitsTheFirstSelection(t *testing.T) {
	for _, tt := range []struct {
		name        string
		width       int
		do          func(*workspace.Panels)
		left, right bool
	}{
		{"roomy", 1180, func(*workspace.Panels) {}, true, true},
		{"little room", 1179, func(*workspace.Panels) {}, true, false},
		{"narrow", 899, func(*workspace.Panels) {}, false, false},
		{"something is selected", 900, (*workspace.Panels).Meet, true, true},
		{"something is selected in a narrow window", 899, (*workspace.Panels).Meet, false, false},
		{"opened and closed by hand", 1024, func(p *workspace.Panels) { p.ToggleRight(); p.ToggleRight(); p.Meet() }, false, false}, // one panel, as above
		{"closed after the first selection", 1024, func(p *workspace.Panels) { p.Meet(); p.Right = false; p.Meet() }, true, false},
		{"closed by hand where there is room", 1440, func(p *workspace.Panels) { p.Right = false; p.Meet() }, true, false},
		{"the window becomes larger", 1024, func(p *workspace.Panels) { p.Resize(1024, 1440) }, true, true},
		{"larger, after closed by hand", 1024, func(p *workspace.Panels) { p.Meet(); p.Right = false; p.Resize(1024, 1440) }, true, false},
		{"the window becomes smaller", 1440, func(p *workspace.Panels) { p.Resize(1440, 1024) }, true, true},
		{"the window becomes narrow", 1440, func(p *workspace.Panels) { p.Resize(1440, 800) }, false, false},
		{"narrow no more", 800, func(p *workspace.Panels) { p.Resize(800, 1000) }, true, false},
	} {
		var p workspace.Panels
		p.Begin(tt.width)
		if tt.do(&p); p.Left != tt.left || p.Right != tt.right {
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
