package ui

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/describe"
	"github.com/formgraph/formgraph/app/ui/help"
	"github.com/formgraph/formgraph/app/ui/history"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/search"
	"github.com/formgraph/formgraph/app/ui/transfer"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// performer runs the commands of the page on its parts.
type performer struct {
	*parts
	pointer   bool              // the last press came from a pointer, not from a key
	duplicate func(app.Context) // makes a copy of the form
}

// perform runs a command if it applies. If not, it shows the person what is missing.
func (p *performer) perform(ctx app.Context, id command.ID, arg string) {
	if remedy, ok := command.Of(id).Needs.Missing(p.Situation()); ok {
		defer p.uncover(ctx)()
		p.carry(ctx, id, arg)
	} else if remedy != "" {
		p.Say(ctx, remedy)
	}
}

// tabOf maps commands to the tabs that they show.
var tabOf = map[command.ID]string{
	command.ShowComponents: workspace.Components, command.ShowOutline: workspace.Outline,
	command.ShowProblems: workspace.Problems, command.ShowHistory: workspace.History,
}

// carry runs a command that is known to apply.
func (p *performer) carry(ctx app.Context, id command.ID, arg string) {
	switch id {
	case command.Save:
		p.save(ctx)
	case command.Undo:
		p.undo(ctx)
	case command.Redo:
		p.redo(ctx)
	case command.Find:
		p.search.Open(ctx, search.Find)
	case command.Replace:
		p.search.OpenReplace(ctx)
	case command.Commands:
		p.search.Open(ctx, search.Commands)
	case command.ShowComponents, command.ShowOutline, command.ShowProblems, command.ShowHistory:
		p.showTab(ctx, tabOf[id])
	case command.NextProblem:
		p.problems.Step(ctx, 1)
	case command.PreviousProblem:
		p.problems.Step(ctx, -1)
	case command.Import:
		kit.Press(transfer.Input)
	case command.Export:
		p.transfer.Export()
	case command.ExportFlows:
		p.transfer.ExportFlows(ctx)
	case command.CopyStyle:
		p.copyStyle(ctx)
	case command.PasteStyle:
		p.pasteStyle(ctx)
	case command.DuplicateForm:
		p.desk.Settle(ctx, p.duplicate)
	case command.Preview:
		p.togglePreview(ctx)
	case command.PreviewHere:
		p.preview.Open(ctx, p.Editor.State().Selection.Nodes[0])
	case command.ShowScenarios:
		p.toggleTests(ctx)
	case command.ShowImpact:
		p.scenarios.Open(ctx)
		p.impact.Open(ctx)
	case command.ShowComments:
		p.preview.Close()
		p.desk.Toggle(ctx, message.Comments)
	case command.Comment:
		p.preview.Close()
		p.desk.Comment(ctx)
	case command.Share:
		p.preview.Close()
		p.desk.Toggle(ctx, message.Links)
	case command.Compare:
		p.toggleCompare(ctx)
	case command.ExportPicture:
		p.desk.File(ctx, message.Picture)
	case command.ExportBitmap:
		p.desk.File(ctx, message.Bitmap)
	case command.ExportDocument:
		p.desk.File(ctx, message.Document)
	case command.Atlas:
		p.transfer.OpenAtlas(ctx)
	case command.CopyLink:
		p.copyLink(ctx)
	case command.Settings:
		p.Editor.Select(editor.Selection{})
		p.Panels.ShowRight()
	case command.Theme:
		kit.SwitchTheme()
	case command.Help:
		p.Dialog.Open(ctx, help.Name)
	case command.AllForms:
		ctx.Navigate("/forms")
	default:
		p.carryEdit(ctx, id, arg)
	}
}

// carryEdit runs a command that selects or changes parts of the form.
func (p *performer) carryEdit(ctx app.Context, id command.ID, arg string) {
	switch id {
	case command.AddNode:
		p.menu.Toggle(ctx)
	case command.AddStep, command.AddFlow, command.AddRouter:
		p.addNode(ctx, command.NodeOf(id), p.context.placeFor(arg))
	case command.AddNote:
		p.notes.Add(ctx, p.context.placeFor(arg))
	case command.AddRule:
		if p.Run(ctx, p.Editor.Make().Rule(p.Editor.State().Selection.Only())) {
			p.inspector.EditRule(ctx)
		}
	case command.AddRules:
		p.Run(ctx, p.Editor.Make().RuleForEach(p.Editor.State().Selection.Only()))
	case command.AddComponent:
		p.addComponent(ctx, model.KindOf(arg))
	case command.Connect:
		p.connect.Open(ctx)
	case command.Edit:
		p.inspector.EditText(ctx)
	case command.EditLabel:
		if !p.label.Start(ctx) {
			p.inspector.EditText(ctx)
		}
	case command.Parts:
		p.inspector.ShowFolded(ctx)
	case command.Copy, command.Cut:
		p.clipboard.Copy(ctx, id == command.Cut)
	case command.Paste:
		p.clipboard.Paste(ctx, p.context.placeFor(arg))
	case command.Duplicate:
		p.Run(ctx, p.Editor.Make().Duplicate())
	case command.Delete, command.DeleteAlone:
		p.remove(ctx, id == command.Delete)
	case command.SelectAll:
		p.Editor.Select(editor.SelectAll(p.Editor.State()))
	case command.SelectUpstream:
		p.Editor.Select(editor.Upstream(p.Editor.State(), p.Editor.State().Selection.Nodes))
	case command.SelectDownstream:
		p.Editor.Select(editor.Downstream(p.Editor.State(), p.Editor.State().Selection.Nodes))
	case command.MoveUp, command.MoveDown:
		p.movePart(ctx, id == command.MoveDown)
	case command.MoveTo:
		p.connect.OpenMove(ctx)
	case command.ChangeKind:
		p.inspector.ChangeKind(ctx)
	case command.Menu:
		p.context.open(ctx)
	default:
		if p.Canvas != nil {
			p.arrange.Carry(ctx, id)
		}
	}
}

func (p *performer) undo(ctx app.Context) {
	p.Typing = ""
	if s, ok := p.Editor.Undo(); ok {
		p.Say(ctx, "Undone: "+history.Said(&s))
	}
}

func (p *performer) redo(ctx app.Context) {
	p.Typing = ""
	if s, ok := p.Editor.Redo(); ok {
		p.Say(ctx, "Redone: "+history.Said(&s))
	}
}

// movePart moves the selected components, or the selected rule, by one place among their siblings.
func (p *performer) movePart(ctx app.Context, down bool) {
	if c := editor.Shift(p.Editor.State(), down); c != nil {
		p.Run(ctx, c)
	}
}

// togglePreview opens the preview at the start of the form, or closes it.
func (p *performer) togglePreview(ctx app.Context) {
	if p.preview.Opened() {
		p.preview.Close()
		return
	}
	p.preview.Open(ctx, "")
}

// toggleCompare opens or closes the comparison with the saved version.
func (p *performer) toggleCompare(ctx app.Context) {
	if p.desk.Compares() {
		p.desk.Close(ctx)
		return
	}
	p.preview.Close()
	p.desk.Comparison.WithSaved(ctx)
}

// copyLink copies the address of the form.
func (p *performer) copyLink(ctx app.Context) {
	ctx.Async(func() {
		said := "Copied the link to this form."
		if kit.Copy(app.Window().Get("location").Get("href").String()) != nil {
			said = "Your browser blocked copying. The link is the address of this page."
		}
		ctx.Dispatch(func(ctx app.Context) { p.Say(ctx, said) })
	})
}

// showTab shows a tab of the left panel, which may have to read what it shows.
func (p *performer) showTab(ctx app.Context, name string) {
	p.preview.Close()
	if p.desk.Covers() {
		p.desk.Close(ctx)
	}
	p.Panels.ShowTab(name)
	p.Redraw(ctx)
}

// remove deletes the selection. It announces what else that breaks, or for an edge the two ends: nothing else on the screen does.
func (p *performer) remove(ctx app.Context, join bool) {
	was, c := p.Editor.State(), editor.Command(editor.RemoveSelection{Join: join})
	said, parts := describe.Deleted(was), was.Selection.Parts
	if len(parts) > 0 {
		said, c = describe.DeletedComponents(len(parts)), editor.RemoveComponents{Node: was.Selection.Only(), IDs: parts}
	}
	broken := describe.Damage(p.Editor.Damage(c))
	if !p.Run(ctx, c) {
		return
	}
	if edge := was.Selection.Edge; edge != nil {
		p.SayUndo(ctx, describe.Disconnected(was.Form, *edge))
	} else if broken != "" {
		p.SayUndo(ctx, said+": "+broken+".")
	} else if len(parts) > 0 {
		p.SayUndo(ctx, said+".")
	}
}

// addNode adds a node, and names it next on its card. A person in the outline stays there.
func (p *performer) addNode(ctx app.Context, t model.NodeType, place *model.Point) {
	outline := p.Dialog.Origin.Outline()
	if p.menu.Add(ctx, t, place) && !outline && !p.label.Start(ctx) && p.pointer {
		kit.Focus("#canvas") // the keys are for the new node
	}
}

// addComponent adds a component of a kind to a step, after the selected component.
func (p *performer) addComponent(ctx app.Context, k *model.Kind) {
	if p.palette.Add(ctx, k) && p.pointer && p.Panels.Right {
		p.inspector.EditText(ctx) // the person types its name next; a key that pressed the button keeps the focus there
	}
}

// save saves the form. A form with problems of the person's own is not saved; its problems are shown instead.
func (p *performer) save(ctx app.Context) { p.desk.Settle(ctx, p.saveNow) }

// saveNow is save once the form has what the person did.
func (p *performer) saveNow(ctx app.Context) {
	if p.Editor == nil {
		return
	}
	p.Editor.Checked()
	if n := len(p.Editor.Found().Own()); n > 0 {
		p.Panels.ShowTab(workspace.Problems)
		p.Say(ctx, fmt.Sprintf("Not saved: fix %s first.", kit.Several(n, "1 problem", "%d problems")))
		return
	}
	p.saver.Save(ctx)
}
