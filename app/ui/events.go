package ui

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// rescue keeps the editor alive when a handler of ours is broken: a panic would
// end the page, and the work in it.
func (p *editorPage) rescue(ctx app.Context) {
	if broken := recover(); broken != nil {
		kit.LogError(fmt.Sprint("formgraph: ", broken, "\n", string(debug.Stack())))
		p.say(ctx, "Something went wrong in the editor. Your work is kept: save it, then load the page again.")
	}
}

// onClick does what the pressed control says.
func (p *editorPage) onClick(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	name, arg, ok := kit.Act(e)
	if !ok {
		return
	}
	if p.menu && !slices.Contains([]command.ID{command.AddNode, command.AddStep, command.AddFlow, command.AddRouter}, command.ID(name)) {
		p.menu = false
	}
	p.pointer = e.Get("detail").Int() > 0
	p.sync(ctx)
	p.do(ctx, name, arg)
}

// do does what a control of the page is for: a command, or what only the control does.
func (p *editorPage) do(ctx app.Context, name, arg string) {
	if id := command.ID(name); command.Of(id) != nil {
		p.perform(ctx, id, arg)
		return
	}
	switch name {
	case "sign-out":
		p.signOut(ctx)
	case "save-as-new":
		p.saveAsNew(ctx)
	case "cancel":
		p.dialog = ""
	case "reload":
		p.load(ctx)
	case "sign-in-page":
		kit.Leave("/bff/login?return_to=/forms/" + p.id)
	case "sign-in":
		p.signInAgain(ctx)
	case "left":
		p.left = !p.left
		p.right = p.right && (wide() || !p.left) // one drawer at a time
	case "right":
		p.right = !p.right
		p.left = p.left && (wide() || !p.right)
	case "close-drawers":
		p.left, p.right = false, false
	case "clear-filter":
		p.filter, p.typing = "", ""
		kit.Focus("#palette-filter")
	case "tab":
		p.showTab(ctx, arg)
	default:
		if p.ed != nil {
			p.edit(ctx, name, arg)
		}
	}
}

// edit does what needs a form.
func (p *editorPage) edit(ctx app.Context, name, arg string) {
	i, _ := strconv.Atoi(arg)
	switch name {
	case "cancel-save":
		p.saver.cancel()
	case "mine":
		p.saver.overwrite(ctx, p.redraw)
	case "theirs":
		p.loadSaved(ctx)
	case "discard-draft":
		p.discardDraft(ctx)
	case "keep-draft":
		p.draft.keeper.Dismiss()
	case "merge":
		p.merge(ctx)
	case "take":
		p.takeResult(ctx, i)
	case "jump":
		p.typing = ""
		p.ed.JumpTo(i)
	case "take-theirs":
		p.takeTheirs(ctx, arg)
	case "import-flows":
		p.closeDialog()
		p.run(ctx, useFlows{p.incoming.mapping()})
	case "choose-flows":
		p.chooseFlows(ctx)
	case "flows-later":
		p.flowsLater = true
	case "undo-toast":
		p.undo(ctx)
	case "go":
		p.ed.Select(editor.SelectNodes(arg))
		p.show(arg)
	case "select-part":
		p.selectPart(arg)
	case "part-up", "part-down":
		p.movePart(ctx, name, arg)
	case "problem":
		p.goToProblem(ctx, i)
	case "connect":
		p.connect(ctx, arg)
	case "reveal":
		p.shown[arg] = !p.shown[arg]
	case "clear":
		if r, ok := p.rows[arg]; ok {
			p.run(ctx, editor.Clear{Path: r.Path})
		}
	case "add", "remove", "up", "down":
		p.editItems(ctx, name, arg)
	}
}

func (p *editorPage) undo(ctx app.Context) {
	p.typing = ""
	if label, ok := p.ed.Undo(); ok {
		p.say(ctx, fmt.Sprintf("%s: %s", command.Of(command.Undo).Title, label))
	}
}

func (p *editorPage) redo(ctx app.Context) {
	p.typing = ""
	if label, ok := p.ed.Redo(); ok {
		p.say(ctx, fmt.Sprintf("%s: %s", command.Of(command.Redo).Title, label))
	}
}

// onInput takes over what is typed, key by key.
func (p *editorPage) onInput(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	el := e.Get("target")
	switch el.Get("id").String() {
	case "palette-filter":
		p.filter = el.Get("value").String()
		return
	case "connect-filter":
		p.connectTo = el.Get("value").String()
		return
	case "search-text":
		p.search.query, p.search.at = el.Get("value").String(), 0
		return
	}
	path := el.Get("dataset").Get("path")
	if p.ed == nil || path.Type() != app.TypeString || el.Get("type").String() == "checkbox" {
		return
	}
	p.typing = path.String() // a redraw leaves it alone
	r, ok := p.rows[path.String()]
	if !ok || !r.OnLeave() {
		text := el.Get("value").String()
		if text == notSet && el.Get("tagName").String() == "SELECT" {
			text = ""
		}
		p.take(ctx, path.String(), text)
	}
}

// onChange takes over switches, choices and what is taken over on leaving.
func (p *editorPage) onChange(ctx app.Context, e app.Event) {
	defer p.rescue(ctx)
	el := e.Get("target")
	if el.Get("id").String() == "wheel-zooms" {
		zooms := kit.Recall("wheel") != "zooms"
		kit.Remember("wheel", map[bool]string{true: "zooms", false: "pans"}[zooms])
		if p.island != nil {
			p.island.SetWheelZooms(zooms)
		}
		return
	}
	if el.Get("id").String() == "import-file" {
		p.importFile(ctx)
		return
	}
	p.incoming.chosen(el)
	path := el.Get("dataset").Get("path")
	if p.ed == nil || path.Type() != app.TypeString {
		return
	}
	r, ok := p.rows[path.String()]
	switch {
	case el.Get("type").String() == "checkbox" && ok:
		// What is checked may have been put back in line with the form meanwhile.
		on, _ := schema.Lookup(p.ed.State().Form.Tree(), r.Path)
		p.run(ctx, r.Turn(on != true))
		p.sync(ctx)
	case ok && r.OnLeave():
		p.take(ctx, path.String(), el.Get("value").String())
	}
}

// onLeave ends the typing in a control.
func (p *editorPage) onLeave(ctx app.Context, _ app.Event) {
	if p.typing != "" {
		p.typing = ""
		if p.ed != nil {
			p.ed.Seal()
		}
		p.sync(ctx)
	}
}

// show brings a node into view.
func (p *editorPage) show(id string) {
	if p.island != nil {
		p.island.ZoomTo(id)
	}
}
