package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/arrange"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/scope"
)

// Panel is the inspector.
type Panel struct {
	*workspace.Workspace
	rows      map[string]inspector.Row // drawn rows, by path
	selected  editor.Selection         // when Selected was called last
	rejected  rejected                 // the last text that a field refused
	shown     map[string]bool          // visible secrets, by path
	helped    string                   // the path of the row whose help is open
	open      map[string]bool          // the sections that a person opened or folded, by title
	source    string                   // the path of the condition that is shown as JSON
	sort      kit.Sortable
	pick      picker
	paste     paste
	visual    map[string]bool // rich texts, by path: whether the visual editor is shown, and not the source
	query     string          // filters the rows
	searching bool            // whether the input for the query is shown
	large     string          // the path of the code that is shown large
	loaded    string          // the parts of the program that were asked for
	scope     *scope.Analysis // of the form before the text that is being typed; see analysis
	scopeOf   *model.Form     // the form of scope
	hints     map[string][]inspector.Hint
	check     check
	showing   bool // whether a journey of a hint is marked on the canvas
}

// New returns the inspector of a workspace.
func New(w *workspace.Workspace) *Panel {
	p := &Panel{Workspace: w, rows: map[string]inspector.Row{}, shown: map[string]bool{}, open: map[string]bool{}, visual: map[string]bool{}}
	p.sort.Move = p.Move
	return p
}

// Draw draws the rows of the selection.
func (p *Panel) Draw() app.UI {
	if p.Editor == nil {
		return kit.El("aside.right aria-hidden=true")
	}
	panel := inspector.Read(p.Editor, p.analysis()).Filter(p.query)
	p.rows = map[string]inspector.Row{}
	head := []app.UI{}
	if panel.Parent != "" {
		head = append(head, kit.El("button.link.back type=button data-act=go data-arg=%", p.Editor.State().Selection.Only()).
			Body(kit.Icon("back"), kit.El("span").Text(p.parentName(panel.Parent))))
	}
	head = append(head, kit.El("div.who-is").Body(
		kit.El("span.k class=%", strings.ToLower(panel.Tint)).Body(kit.Icon(panel.Icon)),
		kit.El("div.grow").Body(kit.El("h2").Text(panel.Title), kit.El("small").Text(panel.Subtitle)),
		kit.IconButton("search-rows", "Search properties", "search", true).Attr("aria-expanded", kit.Yes(p.searching)),
		app.If(p.canTry(), func() app.UI {
			c := command.Of(command.PreviewHere)
			return kit.IconButton(string(c.ID), c.Title, c.Icon, true)
		}),
		app.If(p.canDelete(), func() app.UI { return kit.IconButton("delete", "Delete", "trash", true) }),
		workspace.CloseButton("right"),
	))
	if p.searching {
		head = append(head, kit.SearchField("id="+FilterID, "Search properties", p.query))
	}
	body := append([]app.UI{}, head...)
	body = append(body, arrange.Buttons(p.Workspace))
	for i, s := range panel.Sections {
		body = append(body, p.section(s))
		switch {
		case i > 0:
		case panel.PartNoun == "rule":
			body = append(body, p.ruleList(panel))
		case panel.PartNoun != "":
			body = append(body, p.partList(panel))
		}
	}
	body = append(body, p.pages(panel))
	return kit.El("aside.right aria-label=% data-testid=inspector", "Inspector").On("pointerdown", p.drag).On("keydown", p.key).On("paste", p.pasted).
		Body(append(body, p.drawPicker())...)
}

// pages draws links to the pages that edit what a form has beside its nodes.
func (p *Panel) pages(panel inspector.Panel) app.UI {
	if !panel.Whole {
		return kit.El("div hidden=true")
	}
	link := func(view, name, symbol string) app.UI {
		return kit.El("button.secondary type=button data-act=view data-arg=%", view).Body(kit.Icon(symbol), kit.El("span").Text(name))
	}
	return kit.El("nav.pages aria-label=%", "Pages of the form").Body(
		link(message.Languages, "Languages", "text"), link(message.Messages, "Messages", "mail"), link(message.Style, "Style", "code"))
}

func (p *Panel) drag(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	p.sort.Down(ctx, e)
}

func (p *Panel) key(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	if p.pick.path != "" && p.pickerKey(ctx, e.Get("key").String()) {
		e.PreventDefault()
		e.Call("stopPropagation")
		return
	}
	if p.cellKey(ctx, e) {
		e.PreventDefault()
		return
	}
	if p.paste.path != "" && e.Get("key").String() == "Escape" && e.Get("target").Get("id").String() == PasteID {
		e.PreventDefault()
		p.closePaste(ctx)
		return
	}
	if p.searching && e.Get("key").String() == "Escape" && e.Get("target").Get("id").String() == FilterID {
		e.PreventDefault()
		p.query, p.searching = "", false
		kit.FocusSoon(ctx, "[data-act=search-rows]", 0)
		return
	}
	if p.large != "" && e.Get("key").String() == "Escape" {
		e.PreventDefault()
		p.large = ""
		return
	}
	p.sort.Key(ctx, e)
}

// analysis returns what the paths through the form collect. While a person types into a large form it is that of an earlier moment.
func (p *Panel) analysis() *scope.Analysis {
	f := p.Editor.State().Form
	if p.scopeOf == f || p.scope != nil && p.Typing != "" && len(f.Nodes) > largeForm {
		return p.scope
	}
	p.scope, p.scopeOf = scope.Analyze(f), f
	p.hints = inspector.Hints(p.scope)
	return p.scope
}

// largeForm is the number of nodes above which the analysis waits until a person has typed.
const largeForm = 150

// canTry reports whether a run of the form can begin at the selection.
func (p *Panel) canTry() bool {
	only := p.Editor.State().Selection.Only()
	return only != "" && only != model.EndingID
}

func (p *Panel) canDelete() bool {
	sel := p.Editor.State().Selection
	return !p.Editor.ReadOnly() && !sel.Empty() && !sel.Has(model.StartID) && !sel.Has(model.EndingID)
}

func (p *Panel) parentName(id string) string {
	if n, _ := p.Editor.State().Form.Node(id); n != nil {
		return n.Name()
	}
	return id
}

// section draws the rows of a section below a head that folds it.
func (p *Panel) section(s inspector.Section) app.UI {
	if s.Title == "" {
		return kit.El("section.rows").Body(p.rowsOf(s.Rows)...)
	}
	open, rows, note := p.isOpen(s) || p.query != "", s.Rows, s.Note
	var id app.UI = kit.El("span hidden=true")
	if len(rows) > 0 && rows[0].OnLeave() {
		// The id can be read and changed while the section is folded.
		id, rows, note = p.rowAs("f own-id", rows[0]), rows[1:], ""
	}
	dom := kit.DomID("s-", s.Title)
	head := []app.UI{
		kit.El("button.fold type=button data-act=fold data-arg=% aria-expanded=% aria-controls=%", s.Title, kit.Yes(open), dom).
			Body(kit.Icon("down"), kit.El("span.grow").Text(s.Title), kit.El("small").Text(note)),
		id,
	}
	body := kit.El("div.rows id=% hidden=%", dom, kit.Yes(!open))
	if only, ok := whole(s); ok {
		p.rows[only.Path.String()] = only
		if open && p.removable(only) {
			head = append(head, p.remove(only))
		}
		return kit.El("section").Body(kit.El("h3").Body(head...), body.Body(p.content(only)...))
	}
	return kit.El("section").Body(kit.El("h3").Body(head...), body.Body(p.rowsOf(rows)...))
}

// isOpen reports whether a section is open: as a person left it, else as it is at first. A section with the row that is sought opens.
func (p *Panel) isOpen(s inspector.Section) bool {
	if p.Seek != "" && slices.ContainsFunc(s.Rows, p.isSought) {
		p.open[s.Title] = true
		p.Seek = ""
	}
	if open, ok := p.open[s.Title]; ok {
		return open
	}
	return !s.Folded
}

func (p *Panel) isSought(r inspector.Row) bool {
	return r.Path.String() == p.Seek || slices.ContainsFunc(r.Rows, p.isSought)
}

// whole returns the row of an object, list or map that is a section by itself.
func whole(s inspector.Section) (inspector.Row, bool) {
	if len(s.Rows) != 1 || s.Rows[0].Label != s.Title {
		return inspector.Row{}, false
	}
	return s.Rows[0], s.Rows[0].Input.Contains()
}

func (p *Panel) rowsOf(rows []inspector.Row) []app.UI {
	var out []app.UI
	for _, r := range rows {
		out = append(out, p.row(r))
	}
	return out
}

// partList lists the components of a step.
func (p *Panel) partList(panel inspector.Panel) app.UI {
	lock := p.Editor.ReadOnly()
	var items []app.UI
	for i, part := range panel.Parts {
		arg := fmt.Sprint(i)
		items = append(items, kit.El("li.part-row data-sort=%", arg).DataSet("component", part.ID).Body(
			p.grip(part.Title, ""),
			kit.El("button.part type=button data-act=select-part data-arg=%", part.ID).Body(kit.Icon(part.Icon),
				kit.El("span.grow").Text(part.Title), kit.El("small").Text(part.Type), badge(part.Problems)),
			kit.El("div.item-tools").Body(
				kit.IconButton("part-copy", "Duplicate "+part.Title, "copy", !lock).DataSet("arg", arg),
				kit.IconButton("part-delete", "Delete "+part.Title, "trash", !lock).DataSet("arg", arg),
			),
		))
	}
	return kit.El("section").Body(
		kit.El("h3").Body(kit.El("span.grow").Text("Components"), kit.El("small").Text(len(items))),
		app.If(len(items) == 0, func() app.UI { return kit.El("p.quiet-text").Text("Add components from the left.") }),
		kit.El("ul.parts").Body(items...),
	)
}

// grip draws the handle by which an element of a list is dragged. With the focus on it, the arrow keys move the element.
func (p *Panel) grip(name, list string) app.UI {
	if p.Editor.ReadOnly() {
		return kit.El("span hidden=true")
	}
	return kit.El("button.grip type=button data-grip=true data-list=% aria-label=% title=%", kit.Held(list), "Move "+name,
		"Drag, or press the arrow keys").Body(kit.Icon("grip"))
}

// badge draws the number of problems.
func badge(problems int) app.UI {
	if problems == 0 {
		return kit.El("span hidden=true")
	}
	return kit.El("span.badge title=%", kit.Several(problems, "1 problem", "%d problems")).Body(kit.Icon("warn"),
		kit.El("span").Text(problems))
}
