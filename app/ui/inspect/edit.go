package inspect

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/canvas"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Act handles a control, and reports whether it is one of the inspector's.
func (p *Panel) Act(ctx app.Context, name, arg string) bool {
	switch name {
	case "select-part":
		p.selectPart(arg)
	case "kind-use", "kind-cancel":
		p.kinds.act(ctx, name)
	case "choose-parts":
		p.sections.ready = !p.sections.choosing()
		p.Editor.Select(editor.SelectNodes(p.State().Selection.Nodes...))
		p.selected = p.State().Selection
	case "choose-part":
		p.Editor.Select(p.State().Selection.TogglePart(arg))
		p.selected, p.sections.ready = p.State().Selection, true
	case kit.MoreRows:
		p.spans.More(arg)
	case "more-parts":
		p.moreParts(ctx)
	case "place":
		if path, err := schema.ParsePath(arg); err == nil {
			p.ShowPlace(ctx, path)
		}
	case "warning-fix":
		p.fixWarning(ctx, arg)
	case "part-copy", "part-delete":
		p.actOnPart(ctx, name, arg)
	case "rule-move":
		p.moveRule(ctx, arg)
	case "source":
		if p.rules.source == arg {
			arg = ""
		}
		p.rules.source = arg
	case "find-node":
		if r, ok := p.rows[arg]; ok {
			way, _ := editor.WayOf(p.Editor.State().Form, r.Path)
			p.Find(ctx, way, r.Text() != "" && !r.Mixed && !r.Required, r.Edit)
		}
	case "reveal":
		p.fields.shown[arg] = !p.fields.shown[arg]
	case "clear":
		if r, ok := p.rows[arg]; ok {
			p.Run(ctx, editor.Clear{Path: r.Path})
		}
	case "reset":
		if r, ok := p.rows[arg]; ok {
			p.Run(ctx, r.Reset())
		}
	case "step":
		by, path, _ := strings.Cut(arg, " ")
		n, _ := strconv.Atoi(by)
		if r, ok := p.rows[path]; ok {
			p.Run(ctx, r.Quantity().Step(n))
		}
	case "explain":
		if p.fields.helped == arg {
			arg = ""
		}
		p.fields.helped = arg
	case "pick":
		p.picker.openPicker(ctx, arg)
	case "pick-close":
		p.picker.closePicker()
	case "pick-variable":
		p.picker.useVariable(ctx, arg)
	case "hint-fix", "hint-show":
		p.actOnHint(ctx, name, arg)
	case "paste-open", "paste-use", "paste-cancel":
		p.lists.pasteAct(ctx, name, arg)
	case flowAct:
		p.useFlow(ctx, arg)
	case "rich":
		p.codes.visual[arg] = !p.codes.visual[arg]
		kit.FocusSoon(ctx, "[data-path="+strconv.Quote(arg)+"]", 0)
	case "replace": // the next key replaces the secret
		kit.Focus("[data-path=" + strconv.Quote(arg) + "]")
	case "search-rows":
		p.sections.query, p.searching = "", !p.searching
		kit.FocusSoon(ctx, "#"+FilterID, 0)
	case "large":
		if p.codes.large == arg {
			arg = ""
		}
		p.codes.large = arg
	case "fold":
		p.fold(arg)
	case "add", "remove", "up", "down":
		p.editItems(ctx, name, arg)
	default:
		return false
	}
	return true
}

// fold opens or folds the section with a title, and keeps it so for the other selections.
func (p *Panel) fold(title string) {
	for _, s := range p.panel().Sections {
		if s.Title == title {
			p.sections.open[title] = !p.sections.isOpen(s)
		}
	}
}

// Input applies input in a control with a path, key by key.
func (p *Panel) Input(ctx app.Context, el app.Value, path string) {
	if p.Editor == nil || el.Get("type").String() == "checkbox" {
		return
	}
	p.Typing = path // a redraw does not change this control
	r, ok := p.rows[path]
	if ok && r.OnLeave() {
		return
	}
	text := el.Get("value").String()
	if el.Get("tagName").String() == "SELECT" {
		if text == notSet {
			text = ""
		}
	}
	p.Edit(ctx, path, text)
	if ok {
		p.picker.follow(el, r)
	}
}

// Change applies switches, and controls whose text takes effect when they lose the focus.
func (p *Panel) Change(ctx app.Context, el app.Value, path string) {
	if el.Get("type").String() != "checkbox" {
		p.left(ctx, path, el.Get("value").String())
		return
	}
	option := ""
	if v := el.Get("dataset").Get("value"); v.Truthy() {
		option = v.String()
	}
	p.tick(ctx, path, option)
}

// tick toggles the switch at a path, or an option of the list there.
func (p *Panel) tick(ctx app.Context, path, option string) {
	r, ok := p.rows[path]
	if p.Editor == nil || !ok {
		return
	}
	// A redraw may have reset the checkbox in the meantime, and changed what is chosen.
	if !r.Mixed {
		r.Value, _ = schema.Lookup(p.Editor.State().Form.Tree(), r.Path)
	}
	if option != "" {
		p.Run(ctx, r.Check(option, !r.Checked(option)))
	} else {
		p.Run(ctx, r.Turn(!r.On()))
	}
	p.Sync(ctx)
}

// left applies the text of a control that has lost the focus, unless each key applied it.
func (p *Panel) left(ctx app.Context, path, text string) {
	if r, ok := p.rows[path]; ok && p.Editor != nil && r.OnLeave() {
		p.Edit(ctx, path, text)
	}
}

// Leave ends text input in a control.
func (p *Panel) Leave(ctx app.Context) {
	if p.Typing == "" {
		return
	}
	p.Typing = ""
	if p.picker.pick.typed {
		p.picker.pick = pick{}
	}
	if p.Editor != nil {
		p.Editor.Seal()
	}
	p.Sync(ctx)
}

// Left records which control lost the focus.
func (p *Panel) Left(e app.Event) {
	if path, err := schema.ParsePath(pathOf(e)); err == nil && len(path) > 0 && p.Editor != nil {
		p.Editor.Left(path)
	}
}

// Selected ends what belongs to the last selection if it has changed: the text that a field refused, the list of variables, the journey that
// is shown on the canvas.
func (p *Panel) Selected() {
	now := p.Editor.State().Selection
	if now.Equal(p.selected) {
		return
	}
	if now.Only() != p.selected.Only() {
		clear(p.spans)
	}
	if at, ok := now.Place(p.Editor.State().Form); ok {
		p.spans.Reach(partsList, max(at.Component, at.Rule))
	}
	p.selected, p.rejected, p.picker.pick, p.lists.paste = now, rejected{}, pick{}, paste{}
	p.codes.visual, p.codes.large, p.sections.query, p.searching = map[string]bool{}, "", "", false
	p.sections.ready, p.kinds.open = false, false
	if p.showing {
		p.showing = false
		p.Mark(func(m *canvas.Marks) { m.Visited, m.Edges = nil, nil })
	}
}

// EditText moves the focus to the text of the selection.
func (p *Panel) EditText(ctx app.Context) {
	p.Panels.Right = true
	selector := ".right [data-path]"
	if path := inspector.EditPath(p.Editor.State()); path != nil {
		p.Seek = path.String()
		selector = "[data-path=" + strconv.Quote(path.String()) + "]"
	}
	kit.FocusSoon(ctx, selector, 0)
}

// EditRule moves the focus to the value of the first comparison of the selected rule. One that compares with nothing is not ready for that.
func (p *Panel) EditRule(ctx app.Context) {
	at, ok := p.State().Selection.Place(p.State().Form)
	if !ok || at.Rule < 0 {
		return
	}
	value := at.Path().Key("condition").Key("operands").Index(0).Key("operands").Index(1)
	if v, _ := schema.Lookup(p.State().Form.Tree(), value); v == "" {
		return
	}
	kit.FocusSoon(ctx, "[data-path="+strconv.Quote(value.String())+"]", 0)
}

// ShowFolded shows the components or rules of the selected node, starting with the first one hidden on its card.
func (p *Panel) ShowFolded(ctx app.Context) {
	p.Panels.Right = true
	p.Panels.Left = p.Panels.Left && workspace.Wide() // only one drawer at a time
	kit.FocusSoon(ctx, ".right .parts > :nth-child("+strconv.Itoa(graph.FoldAfter+1)+") .part", 0)
}

// moreParts shows the components that can be added to the selected step.
func (p *Panel) moreParts(ctx app.Context) {
	p.Panels.ShowTab(workspace.Components)
	selector := ".pal-item" // in a narrow window, a keyboard on the screen would cover the list
	if workspace.Wide() {
		selector = "#palette-filter"
	}
	kit.FocusSoon(ctx, selector, 0)
}

func (p *Panel) selectPart(id string) {
	s := p.Editor.State()
	node := s.Selection.Only()
	sel := editor.Selection{Nodes: []string{node}}
	if n, _ := s.Form.Node(node); n != nil && n.Type == model.RouterNode {
		sel.Rule = id
	} else {
		sel.Component = id
	}
	p.Editor.Select(sel)
}

// actOnPart duplicates or deletes a component or rule of the selected node; arg is its index.
func (p *Panel) actOnPart(ctx app.Context, name, arg string) {
	parts := inspector.Read(p.Editor, p.analysis()).Parts
	i, err := strconv.Atoi(arg)
	if err != nil || i >= len(parts) || p.ReadOnly() {
		return
	}
	before := p.Editor.State().Selection
	p.selectPart(parts[i].ID)
	if name == "part-copy" {
		p.Run(ctx, p.Editor.Make().Duplicate())
		return
	}
	p.Run(ctx, editor.RemoveSelection{})
	if before.Component == "" && before.Rule == "" {
		p.Editor.Select(before)
	}
}

// Move moves an element of a list to another place: of the list with a path, or of the parts of the selected node.
func (p *Panel) Move(ctx app.Context, list string, from, to int) {
	if list == partsList {
		p.MovePart(ctx, from, to)
		return
	}
	if r, ok := p.rows[list]; ok && from < len(r.Rows) && to < len(r.Rows) {
		p.Run(ctx, r.List().Move(from, to-from))
	}
}

// editItems changes the elements of a list; arg is the path of the list, preceded by the index of an element.
func (p *Panel) editItems(ctx app.Context, name, arg string) {
	i := 0
	path := arg
	if name != "add" {
		at, rest, _ := strings.Cut(arg, " ")
		i, _ = strconv.Atoi(at)
		path = rest
	}
	r, ok := p.rows[path]
	if !ok || name != "add" && i >= len(r.Rows) {
		return
	}
	switch name {
	case "add":
		key := ""
		if r.Input == inspector.Entries {
			el := app.Window().GetElementByID(kit.DomID("k-", path))
			key = el.Get("value").String()
			el.Set("value", "")
		}
		c, err := r.List().Add(key)
		if err != nil {
			p.Say(ctx, kit.Sentence(err))
			return
		}
		p.spans.Reach(path, len(r.Rows))
		p.Run(ctx, c)
	case "remove":
		p.Run(ctx, r.List().Remove(i))
	case "up":
		p.spans.Reach(path, i-1)
		p.Run(ctx, r.List().Move(i, -1))
	case "down":
		p.spans.Reach(path, i+1)
		p.Run(ctx, r.List().Move(i, 1))
	}
}
