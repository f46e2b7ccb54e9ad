package ui

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/help"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/notes"
	"github.com/formgraph/formgraph/app/ui/problems"
	"github.com/formgraph/formgraph/app/ui/saver"
	"github.com/formgraph/formgraph/app/ui/scenarios"
	"github.com/formgraph/formgraph/app/ui/topbar"
	"github.com/formgraph/formgraph/app/ui/versions"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model/pause"
)

// onClick handles a press on a control.
func (p *editorPage) onClick(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	name, arg, ok := kit.Act(e)
	if !ok {
		return
	}
	if !slices.Contains([]command.ID{command.AddNode, command.AddStep, command.AddFlow, command.AddRouter}, command.ID(name)) {
		p.menu.Close()
	}
	p.performer.pointer = e.Get("detail").Truthy()
	p.Sync(ctx)
	if name == kit.OpenMenu {
		p.openMenu(ctx, arg, kit.Near(e, "[data-act]"))
		return
	}
	p.popup.CloseBack()
	pause.Within(func() { p.do(ctx, name, arg) }) // what a press does by default does not wait for it
}

// do handles a control of the page: it runs a command, or the control's own action.
func (p *editorPage) do(ctx app.Context, name, arg string) {
	if id := command.ID(name); command.Of(id) != nil {
		p.Perform(ctx, id, arg)
		return
	}
	defer p.uncover(ctx)()
	switch name {
	case "sign-out":
		p.session.signOut(ctx)
	case "save-as-new":
		p.session.saveAsNew(ctx)
	case openCopyAct:
		p.session.open(ctx, p.session.copied)
	case kit.OtherAccount:
		kit.Leave(kit.SignInAddress(kit.FormAddress(p.ID), true))
	case kit.CloseToast:
		p.Toast.Clear()
	case "cancel":
		p.Dialog.Close()
	case "reload":
		p.load(ctx)
	case "sign-in-page":
		kit.Leave(kit.SignInAddress(kit.FormAddress(p.ID), false))
	case "sign-in":
		p.session.signInAgain(ctx)
	case kit.ThemeAct:
		kit.SetTheme(arg)
	case topbar.WheelAct:
		p.bar.ChooseWheel(arg)
	case workspace.SheetAct:
		p.Panels.Sheet = p.Panels.Sheet.Larger()
	case "left":
		p.Panels.ToggleLeft()
		p.redraw(ctx)
	case "right":
		p.Panels.ToggleRight()
	case "close-drawers":
		p.closeSheet(ctx)
	case "clear-filter":
		p.palette.ClearFilter()
	case "tab":
		p.performer.showTab(ctx, arg)
	case "view":
		p.showView(ctx, arg)
	case topbar.SkipAct:
		kit.Focus("#canvas")
	case "dock-close":
		p.closeDock()
	default:
		if p.Editor != nil {
			p.edit(ctx, name, arg)
		}
	}
}

// edit handles controls that need a form but are not commands.
func (p *editorPage) edit(ctx app.Context, name, arg string) {
	i, _ := strconv.Atoi(arg)
	switch name {
	case saver.SavingAct:
		p.saver.Setting.Choose(ctx, arg)
	case "cancel-save":
		p.saver.Cancel()
	case "merge":
		p.saver.Merge(ctx)
	case saver.ChangesDialog:
		p.saver.ShowChanges(ctx)
	case "discard-draft":
		p.session.discardDraft(ctx)
	case "keep-draft":
		p.draft.Dismiss()
	case "take":
		p.search.Take(ctx, i)
	case "jump":
		p.Typing = ""
		p.Editor.JumpTo(i)
	case "import-flows":
		p.transfer.UseFlows(ctx)
	case "choose-flows":
		p.transfer.ChooseFlows(ctx)
	case "flows-later":
		p.transfer.FlowsLater()
	case versions.Act:
		p.preview.Close()
		p.desk.Comparison.WithVersion(ctx, arg)
	case versions.ChangeAct:
		p.preview.Close()
		p.desk.Comparison.Change(ctx, arg)
	case notes.UndoAct:
		p.notes.Undo(ctx)
	case "undo-toast":
		p.performer.undo(ctx)
	case "go":
		p.Editor.Select(editor.SelectNodes(arg))
		p.Show(arg)
	case "problem":
		p.problems.GoTo(ctx, i)
	case problems.PlayAct:
		node, edges := p.problems.Journey(i)
		p.preview.Travel(ctx, node, edges)
	case "connect":
		p.connect.Connect(ctx, arg)
	case saver.ImpactAct:
		p.Dialog.Close()
		p.scenarios.Open(ctx)
		p.impact.OpenTheirs(ctx)
	default:
		acts := []func(ctx app.Context, name, arg string) bool{
			p.saver.Act, p.together.Act, p.problems.Act, p.preview.Act, p.scenarios.Act, p.impact.Act, p.transfer.Act, p.versions.Do, p.search.Act,
		}
		if !slices.ContainsFunc(acts, func(act func(app.Context, string, string) bool) bool { return act(ctx, name, arg) }) {
			p.inspector.Act(ctx, name, arg)
		}
	}
}

// onInput applies input key by key.
func (p *editorPage) onInput(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	el := kit.Target(e)
	text := el.Get("value").String()
	kit.Seen(el)
	switch el.Get("id").String() {
	case "palette-filter":
		p.palette.Filter = text
	case "connect-filter":
		p.connect.Type(text)
	case help.Filter:
		p.help.Type(text)
	case "search-text":
		p.search.Type(text)
	case "replace-text":
		p.search.With(text)
	default:
		if id := el.Get("id").String(); p.inspector.Type(id, text) || p.preview.Input(id, text) || p.scenarios.Input(id, text) || p.versions.Input(id, text) {
			return
		}
		if path := el.Get("dataset").Get("path"); path.Type() == app.TypeString {
			p.inspector.Input(ctx, el, path.String())
		}
	}
}

// onChange applies switches, choices, and text that takes effect when the control
// loses the focus.
func (p *editorPage) onChange(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	el := kit.Target(e)
	switch el.Get("id").String() {
	case "import-file":
		p.transfer.Import(ctx)
	case scenarios.FileInput[1:]:
		p.scenarios.Import(ctx)
	default:
		p.transfer.Choose(el)
		if p.scenarios.Change(ctx, el.Get("id").String()) || p.preview.Change(ctx, el.Get("id").String(), el.Get("value").String()) {
			return
		}
		if path := el.Get("dataset").Get("path"); path.Type() == app.TypeString {
			p.inspector.Change(ctx, el, path.String())
		}
	}
}

// onLeave ends text input when a control loses the focus.
func (p *editorPage) onLeave(ctx app.Context, e app.Event) {
	p.inspector.Leave(ctx)
	p.inspector.Left(e)
}
