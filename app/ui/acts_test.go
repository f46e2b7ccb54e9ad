package ui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/drafts"
	"github.com/formgraph/formgraph/app/ui/history"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/outline"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/uitest"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

const threeNodes = `{"id":"ap_test","name":"Contact","start":{"next_node":"ask","coordinates":{"x":0,"y":0}},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":240,"y":0},"config":{"next_node":"which","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"next","category":"BLOCK","type":"NEXT_BUTTON",
		"config":{"text":"On"}}]}},
	{"id":"which","type":"ROUTER","alias":"Which","coordinates":{"x":640,"y":40},"config":{"rules":[
		{"id":"r1","alias":"Company","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a"]}]},
		"next_node":"save"}],"fallback":"$ending"}},
	{"id":"save","type":"FLOW","alias":"Save","coordinates":{"x":1040,"y":0},"config":{"flow_id":"af_1","next_node":"$ending"}}],
	"ending":{"coordinates":{"x":1440,"y":0}}}`

// onPage calls f with the page of an open form.
func onPage(t *testing.T, f func(ctx app.Context, p *editorPage, c *uitest.Canvas)) {
	t.Helper()
	uitest.Run(t, func(ctx app.Context) {
		p, c := openPage(t, ctx)
		f(ctx, p, c)
	})
}

// openPage returns the page of an open form.
func openPage(t *testing.T, ctx app.Context) (*editorPage, *uitest.Canvas) {
	t.Helper()
	w, c := uitest.Workspace(t, threeNodes)
	p := newEditorPage(&Site{}, w.ID)
	p.Editor, p.Canvas = w.Editor, w.Canvas
	p.Redraw, p.Sync, p.Perform, p.session.resume = w.Redraw, w.Sync, p.performer.perform, p.performer.save
	p.saver = saver.New(p.Workspace, &p.together.Room, p.Editor.State().Form, "")
	p.tree = outline.New(ctx, p.Workspace)
	p.bar.Saver = p.saver
	return p, c
}

// seen returns the visible content of a page. It leaves out the markup, whose attributes have no fixed
// order.
func seen(p *editorPage, c *uitest.Canvas) string {
	s := p.Editor.State()
	return fmt.Sprint(c.Calls, len(p.Editor.Steps()), s.Selection, p.Editor.UndoLabel(), p.Dialog.Name(), p.Panels, p.Toast.Text(),
		p.menu.IsOpen(), p.popup.Of(), p.preview.Opened())
}

// Every command has a visible effect when it applies to the selection.
func TestEachCommandHasAVisibleEffect(t *testing.T) {
	// The browser carries out these: a file chooser, a file, another page, another theme, a field, a form at the server.
	byBrowser := []command.ID{
		command.Import, command.Export, command.ExportFlows, command.ExportPicture, command.ExportBitmap, command.ExportDocument, command.AllForms, command.Theme, command.CopyLink, command.Edit, command.Save,
		command.DuplicateForm,
	}
	selections := []editor.Selection{
		editor.SelectNodes("ask"),
		{Nodes: []string{"ask"}, Component: "mail"},
		{Nodes: []string{"ask"}, Component: "next"},
		editor.SelectNodes("which"), editor.SelectNodes("ask", "which", "save"),
		{Edge: &editor.EdgeRef{From: "ask", Port: "next"}},
		{},
	}
	for _, c := range command.Table {
		if slices.Contains(byBrowser, c.ID) {
			continue
		}
		done := false
		for _, sel := range selections {
			onPage(t, func(ctx app.Context, p *editorPage, canvas *uitest.Canvas) {
				p.Run(ctx, p.Editor.Make().Component(model.KindOf("BOOLEAN"), "ask", 0)) // whose options have no rules
				// There is a step to undo and a step to redo.
				for range 2 {
					p.Run(ctx, editor.RemoveNodes{IDs: []string{"save"}})
				}
				p.Editor.Undo()
				if c.ID == command.Undo {
					p.Editor.Redo()
				}
				p.Editor.Select(editor.Selection{Nodes: []string{"ask"}, Component: "mail"})
				p.Style, _ = editor.StyleOf(p.Editor.State())
				p.Editor.Select(sel)
				p.Panels.Tab = workspace.Components
				if c.ID == command.ShowComponents {
					p.Panels.Tab = workspace.Outline
				}
				if !p.Applies(c.ID) {
					return
				}
				was := seen(p, canvas)
				p.performer.perform(ctx, c.ID, "TEXT")
				done = done || seen(p, canvas) != was
			})
		}
		if !done {
			t.Errorf("%s has no visible effect", c.ID)
		}
	}
}

// A command that does not apply shows the person what is missing.
func TestRefusedCommandSaysWhatIsMissing(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		p.performer.perform(ctx, command.AddRule, "")
		if text := p.Toast.Text(); !strings.Contains(text, "router") {
			t.Errorf("without a router selected the page says %q", text)
		}
		if p.Editor.UndoLabel() != "" {
			t.Errorf("the form was changed: %s", p.Editor.UndoLabel())
		}
	})
}

// A message says what was undone or redone.
func TestUndoSaysWhatHappened(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		p.inspector.Draw()
		p.inspector.Edit(ctx, "name", "Other")
		for _, tt := range []struct {
			id   command.ID
			want string
		}{{command.Undo, "Undone: changed the name of the form to “Other”."}, {command.Redo, "Redone: changed the name of the form to “Other”."}} {
			if p.performer.perform(ctx, tt.id, ""); p.Toast.Text() != tt.want {
				t.Errorf("%s says %q, want %q", tt.id, p.Toast.Text(), tt.want)
			}
		}
	})
}

// A form with problems is not saved; the page shows the problems instead.
func TestFormWithProblemsIsNotSaved(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		p.inspector.Draw()
		p.inspector.Edit(ctx, "name", "")
		p.Panels = workspace.Panels{Tab: workspace.Components}
		p.performer.perform(ctx, command.Save, "")
		if p.Panels.Tab != workspace.Problems || !p.Panels.Left || !strings.HasPrefix(p.Toast.Text(), "Not saved: fix ") {
			t.Errorf("the page shows %+v and says %q", p.Panels, p.Toast.Text())
		}
	})
}

// What closes a sheet closes the page beside the canvas, too, which is one in a narrow window. A tab takes its place.
func TestSheetOfAPageCloses(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		p, _ := openPage(t, ctx)
		p.desk.Show(ctx, message.Comments)
		p.do(ctx, workspace.SheetAct, "")
		if p.Panels.Sheet != workspace.FullSheet || !p.desk.Beside() {
			t.Errorf("the sheet is %s", p.Panels.Sheet)
		}
		if p.do(ctx, "close-drawers", ""); p.desk.Beside() || p.Panels.Sheet != workspace.HalfSheet {
			t.Errorf("the page is still there, or its height is: %s", p.Panels.Sheet)
		}
		p.desk.Show(ctx, message.Comments)
		if p.do(ctx, "tab", workspace.Outline); p.desk.Beside() || !p.Panels.Left {
			t.Error("the page covers the tab")
		}
	})
}

// A panel that opens over the canvas, or a page below it, leaves the graph in view.
func TestOpenedPanelLeavesTheGraphInView(t *testing.T) {
	for _, tt := range []struct {
		name, act, arg string
		open           bool // a panel is open before
		want           int
	}{
		{"a tab", "tab", workspace.Outline, false, 1},
		{"the inspector", "right", "", false, 1},
		{"a command", string(command.ShowProblems), "", false, 1},
		{"the comments", "view", message.Comments, false, 1},
		{"another tab", "tab", workspace.History, true, 0},
		{"no panel", "close-drawers", "", true, 0},
	} {
		var c *uitest.Canvas
		uitest.Play(t, func(ctx app.Context) {
			var p *editorPage
			p, c = openPage(t, ctx)
			p.Panels = workspace.Panels{Left: tt.open}
			p.do(ctx, tt.act, tt.arg)
		})
		cleared := slices.DeleteFunc(slices.Clone(c.Calls), func(call string) bool { return call != "Uncover" })
		if len(cleared) != tt.want {
			t.Errorf("%s: the graph was moved %d times, want %d", tt.name, len(cleared), tt.want)
		}
	}
}

// An open menu gets all keys, and Escape closes it before anything else.
func TestOpenMenuGetsTheKeys(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		returned := false
		p.popup.Open(ctx, "any", "Any", []kit.Item{{Act: "one", Name: "One"}}, 0, 0, func() { returned = true })
		p.Dialog.Open(ctx, saver.ChangesDialog)
		if p.press(ctx, app.Event{Value: app.Null()}, "Escape"); p.popup.Of() != "" || !returned || p.Dialog.Name() == "" {
			t.Errorf("open are the menu %q and the dialog %q, and the focus returns: %t", p.popup.Of(), p.Dialog.Name(), returned)
		}
	})
}

// Show, in the message about changes from outside, lists all of them.
func TestChangesFromOutsideAreShown(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		p.Toast.SayMore("Changed.", saver.ChangesDialog, "Show")
		if p.do(ctx, saver.ChangesDialog, ""); p.Dialog.Name() != saver.ChangesDialog || p.Toast.Text() != "" {
			t.Errorf("the dialog is %q, and the page says %q", p.Dialog.Name(), p.Toast.Text())
		}
	})
}

// A tab that is opened is drawn with what its panel has yet to read, such as the saved versions: that begins with a redraw.
func TestOpenedTabIsRedrawn(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		redrawn := 0
		p.Redraw = func(app.Context) { redrawn++ }
		p.do(ctx, "tab", workspace.History)
		if p.Panels.Tab != workspace.History || redrawn == 0 {
			t.Errorf("the tab is %s, redrawn %d times", p.Panels.Tab, redrawn)
		}
	})
}

// A tab takes the place of the preview. In a narrow window, the bar at the bottom leads out of it in this way.
func TestTabLeavesThePreview(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		p, _ := openPage(t, ctx)
		p.preview.Open(ctx, "")
		if p.do(ctx, "tab", workspace.Outline); p.preview.Opened() || !p.Panels.Left || p.Panels.Tab != workspace.Outline {
			t.Errorf("the preview is open: %t, and the page shows %+v", p.preview.Opened(), p.Panels)
		}
	})
}

// Play of a problem opens the preview with the journey that shows it.
func TestProblemIsPlayed(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		p, _ := openPage(t, ctx)
		p.Run(ctx, editor.RemoveNodes{IDs: []string{"save"}})
		at := -1
		for i := range len(p.Editor.Found().Warnings()) {
			if node, _ := p.problems.Journey(i); node == "which" {
				at = i
			}
		}
		if at < 0 {
			t.Fatal("no problem has a journey to the rule that leads nowhere")
		}
		if p.do(ctx, problems.PlayAct, strconv.Itoa(at)); !p.preview.Opened() || p.Panels.Dock != workspace.Journey {
			t.Errorf("the preview is open: %t, below the canvas is %q", p.preview.Opened(), p.Panels.Dock)
		}
	})
}

// A row opens the menu of its panel. A row that is gone opens none.
func TestMenusOfRows(t *testing.T) {
	uitest.Play(t, func(ctx app.Context) {
		p, _ := openPage(t, ctx)
		p.Run(ctx, editor.RemoveNodes{IDs: []string{"save"}})
		for _, tt := range []struct{ menu, of, want string }{
			{history.RowMenu, "0", "Undo to here"},
			{problems.RowMenu, "0", "Go to it"},
			{problems.RowMenu, "99", ""},
			{versions.RowMenu, "99", ""},
			{outline.RowMenu, "", ""},
			{"other", "0", ""},
		} {
			p.popup.Close()
			p.openRow(ctx, kit.Asked{Menu: tt.menu, Of: tt.of, Element: app.Undefined()})
			if shown := app.HTMLString(p.popup.Draw()); p.popup.Of() != "" != (tt.want != "") || !strings.Contains(shown, tt.want) {
				t.Errorf("%s %s has %s, want %q", tt.menu, tt.of, shown, tt.want)
			}
		}
	})
}

// A problem of what a page shows opens that page.
func TestProblemOpensItsPage(t *testing.T) {
	broken := strings.Replace(threeNodes, `"nodes":`, `"messages":{"custom":{"hi":""}},"nodes":`, 1)
	p := remotePage(t, broken, func(client.Request) (client.Response, error) { return uitest.Answer(404, `{}`), nil })
	uitest.Play(t, func(ctx app.Context) {
		p.tree = outline.New(ctx, p.Workspace)
		p.do(ctx, "problem", "0")
		shown := ""
		for _, view := range p.desk.Items() {
			if view.Chosen {
				shown += view.Name
			}
		}
		if shown != "Messages" {
			t.Errorf("the page shows %q", shown)
		}
	})
}

// The menu says what deleting a node would break, and the message after it does.
func TestDeletionSaysWhatItBreaks(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		p.Editor.Select(editor.SelectNodes("which"))
		const broken = "1 node becomes unreachable"
		for _, id := range []command.ID{command.Delete, command.DeleteAlone, command.Duplicate} {
			if got := p.context.damage(id); strings.Contains(got, broken) != (id == command.DeleteAlone) {
				t.Errorf("the line of %s says %q", id, got)
			}
		}
		if p.performer.perform(ctx, command.DeleteAlone, ""); !strings.HasPrefix(p.Toast.Text(), "Deleted “Which”: "+broken) {
			t.Errorf("the message says %q", p.Toast.Text())
		}
	})
}

// Restored work that is discarded leaves the saved form, and undo brings it back.
func TestDiscardedWorkComesBackByUndo(t *testing.T) {
	onPage(t, func(ctx app.Context, p *editorPage, _ *uitest.Canvas) {
		none := uitest.Server(func(client.Request) (client.Response, error) { return uitest.Answer(503, `{}`), nil })
		p.draft = drafts.OpenFor(t.Context(), client.New(none), p.ID)
		p.draft.Follow(p.Editor, func() string { return "" }, func() {})
		p.Run(ctx, editor.RemoveNodes{IDs: []string{"save"}})
		if p.do(ctx, "discard-draft", ""); p.Editor.Unsaved() || p.Toast.Text() != "Discarded. Undo restores it." {
			t.Errorf("unsaved: %t, says %q", p.Editor.Unsaved(), p.Toast.Text())
		}
		if p.performer.undo(ctx); !p.Editor.Unsaved() || len(p.Editor.State().Form.Nodes) != 2 {
			t.Errorf("after undo the form has %d nodes, want 2", len(p.Editor.State().Form.Nodes))
		}
	})
}
