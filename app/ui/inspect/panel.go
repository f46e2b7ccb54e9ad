package inspect

import (
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
	"github.com/formgraph/formgraph/model/schema"
)

// Panel is the inspector.
type Panel struct {
	*findings
	codes     *codes
	picker    *picker
	fields    *fields
	lists     *lists
	rules     *rules
	sections  *sections
	kinds     *kinds
	sort      kit.Sortable
	selected  editor.Selection // when Selected was called last
	searching bool             // whether the input for the query is shown
	tried     bool             // the form was previewed since the page was opened

	// Find lets the person find a node, for which it runs a command. way is the way out that the command sets, if it sets one alone; clear
	// reports that it may also lead nowhere, for which the id is "".
	Find func(ctx app.Context, way editor.EdgeRef, clear bool, set func(id string) editor.Command)
	// Blame draws a line about who changed the selection last; nil for none.
	Blame func() app.UI
	// Facts returns what the page knows about the form; nil for no summary.
	Facts func() Facts
	// Setting draws a setting of the form that is not in it; nil for none.
	Setting func() app.UI
}

// New returns the inspector of a workspace.
func New(w *workspace.Workspace) *Panel {
	sh := &sheet{Workspace: w, rows: map[string]inspector.Row{}, spans: kit.Spans{}}
	found := &findings{sheet: sh}
	codes := &codes{sheet: sh, visual: map[string]bool{}}
	picker := &picker{sheet: sh, found: found, codes: codes}
	fields := &fields{sheet: sh, found: found, codes: codes, picker: picker, shown: map[string]bool{}}
	fields.lists = &lists{sheet: sh, fields: fields}
	sections := &sections{sheet: sh, fields: fields, open: map[string]bool{}}
	p := &Panel{
		findings: found, codes: codes, picker: picker, fields: fields, lists: fields.lists, sections: sections, kinds: &kinds{sheet: sh},
		rules: &rules{sheet: sh, fields: fields, found: found, sections: sections},
	}
	p.sort.Move = p.Move
	return p
}

// Opens sets the function that returns which menu of the page is open.
func (p *Panel) Opens(menu func() string) { p.fields.menu = menu }

// Draw draws the rows of the selection.
func (p *Panel) Draw() app.UI {
	if p.Editor == nil {
		return kit.El("aside.right aria-hidden=true")
	}
	panel := p.panel().Filter(p.sections.query)
	p.rows = map[string]inspector.Row{}
	if path, err := schema.ParsePath(p.Seek); err == nil {
		p.spans.ReachAll(path)
	}
	defer func() { p.Seek = "" }()
	var body []app.UI
	if panel.Parent != "" {
		body = append(body, kit.Tree("button.link.back type=button data-act=go data-arg=% { @back span { % } }",
			[]string{p.Editor.State().Selection.Only(), p.parentName(panel.Parent)}))
	}
	who := []app.UI{
		kit.Tree("span.k class=% { @% }", []string{strings.ToLower(panel.Tint), panel.Icon}),
		kit.Tree("div.grow { h2 { % } small hidden=% { % } }", []string{panel.Title, kit.Yes(panel.Title == panel.Subtitle), panel.Subtitle}),
	}
	if p.searching || panel.Searchable() {
		who = append(who, kit.IconButton("search-rows", "Search properties", "search", true).Attr("aria-expanded", kit.Yes(p.searching)))
	}
	if !p.Editor.ReadOnly() && inspector.OtherKinds(p.Editor.State()) != nil {
		c := command.Of(command.ChangeKind)
		who = append(who, kit.IconButton(string(c.ID), c.Title, c.Icon, true).Attr("aria-expanded", kit.Yes(p.kinds.open)))
	}
	if p.canTry() {
		c := command.Of(command.PreviewHere)
		who = append(who, kit.IconButton(string(c.ID), c.Title, c.Icon, true))
	}
	if p.canDelete() {
		who = append(who, kit.IconButton("delete", "Delete", "trash", true))
	}
	body = append(body, kit.El("div.who-is").Body(append(who, workspace.CloseButton("right"))...))
	if len(panel.Itself.Warnings) > 0 {
		p.rows[panel.Itself.Path.String()] = panel.Itself
	}
	body = append(body, kit.El("div.itself").Body(p.warningsOf(panel.Itself)...))
	if p.Blame != nil {
		body = append(body, p.Blame())
	}
	if p.searching {
		body = append(body, kit.SearchField("id="+FilterID, "Search properties", p.sections.query))
	}
	note := kit.El("p.several hidden=%", kit.Yes(panel.Note == "" || panel.PartNoun != "")).Text(panel.Note)
	body = append(body, p.kinds.draw(), arrange.Buttons(p.Workspace), p.sections.tools(), note)
	if p.sections.choosing() && panel.PartNoun == "component" {
		body = append(body, p.sections.partList(panel))
		panel.PartNoun = ""
	}
	for i, s := range panel.Sections {
		body = append(body, p.sections.section(s))
		switch {
		case i > 0:
		case panel.PartNoun == "rule":
			body = append(body, p.rules.ruleList(panel))
		case panel.PartNoun != "":
			body = append(body, p.sections.partList(panel))
		}
		if i == 0 {
			body = append(body, p.about(panel), p.pages(panel), p.data())
		}
	}
	return kit.El("aside.right aria-label=% data-testid=inspector", "Inspector").On("pointerdown", p.drag).On("keydown", p.key).On("paste", p.lists.pasted).
		Body(append(body, p.picker.drawPicker())...)
}

// panel returns what the inspector shows: the selection, or the components of a step that are edited together.
func (p *Panel) panel() inspector.Panel {
	panel := inspector.Read(p.Editor, p.analysis())
	if !p.sections.choosing() || panel.PartNoun != "component" {
		return panel
	}
	if len(p.sections.chosen()) < 2 {
		panel.Sections = nil
		return panel
	}
	of := inspector.Components(p.Editor, p.analysis())
	of.PartNoun, of.Parts, of.Tint = panel.PartNoun, panel.Parts, panel.Tint
	return of
}

// pages draws links to the pages that edit what a form has beside its nodes.
func (p *Panel) pages(panel inspector.Panel) app.UI {
	if !panel.Whole {
		return kit.El("div hidden=true")
	}
	var links []app.UI
	for i, view := range []string{message.Languages, message.Messages, message.Style} {
		links = append(links, kit.Tree("button.page-link type=button data-act=view data-arg=% { span.grow { % } small { % } @down }",
			[]string{view, panel.Pages[i].Name, panel.Pages[i].Note}))
	}
	if p.Setting != nil {
		if setting := p.Setting(); setting != nil {
			links = append(links, setting)
		}
	}
	return kit.El("nav.pages aria-label=%", "Pages of the form").Body(links...)
}

func (p *Panel) drag(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	p.sort.Down(ctx, e)
}

func (p *Panel) key(ctx app.Context, e app.Event) {
	defer p.Rescue(ctx)
	key, at := e.Get("key").String(), kit.Target(e).Get("id").String()
	escape := key == "Escape"
	switch {
	case p.picker.pick.path != "" && p.picker.pickerKey(ctx, key), p.choosing(e), p.stepKey(ctx, e):
		e.Call("stopPropagation")
	case p.lists.cellKey(ctx, e):
	case escape && p.lists.paste.path != "" && at == PasteID:
		p.lists.closePaste(ctx)
	case escape && p.searching && at == FilterID:
		p.sections.query, p.searching = "", false
		kit.FocusSoon(ctx, "[data-act=search-rows]", 0)
	case escape && p.kinds.open:
		p.kinds.act(ctx, "kind-cancel")
	case escape && p.codes.large != "":
		p.codes.large = ""
	default:
		p.sort.Key(ctx, e)
		return
	}
	e.PreventDefault()
}

// stepKey changes a number by the arrow keys, and by ten with Shift. It reports whether it did.
func (p *Panel) stepKey(ctx app.Context, e app.Event) bool {
	by := -kit.Arrow(e.Get("key").String())
	if by == 0 || p.Editor.ReadOnly() {
		return false
	}
	r := p.rows[pathOf(e)]
	if r.Input != inspector.Number {
		return false
	}
	if e.Get("shiftKey").Bool() {
		by *= 10
	}
	p.Typing = ""
	p.Run(ctx, r.Quantity().Step(by))
	p.Sync(ctx)
	return true
}

// choosing reports whether a key would delete the step, since none of its components is chosen yet.
func (p *Panel) choosing(e app.Event) bool {
	key := e.Get("key").String()
	return p.sections.choosing() && len(p.sections.chosen()) == 0 && (key == "Delete" || key == "Backspace") && pathOf(e) == ""
}

// pathOf returns the path of the control in which a key is pressed, "" for another element.
func pathOf(e app.Event) string {
	path := kit.Target(e).Get("dataset").Get("path")
	if path.Type() != app.TypeString {
		return ""
	}
	return path.String()
}

// canTry reports whether a run of the form can begin at the selection.
func (p *Panel) canTry() bool {
	only := p.Editor.State().Selection.Only()
	return !p.sections.choosing() && only != "" && only != model.EndingID
}

// canDelete reports whether the head has the button. Several nodes have it among their commands.
func (p *Panel) canDelete() bool {
	sel := p.Editor.State().Selection
	return len(sel.Nodes) < 2 && !p.Editor.ReadOnly() && !p.sections.choosing() && !sel.Empty() && !sel.Has(model.StartID) && !sel.Has(model.EndingID)
}

func (p *Panel) parentName(id string) string {
	if n, _ := p.Editor.State().Form.Node(id); n != nil {
		return n.Name()
	}
	return id
}
