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
	sort      kit.Sortable
	selected  editor.Selection // when Selected was called last
	searching bool             // whether the input for the query is shown
}

// New returns the inspector of a workspace.
func New(w *workspace.Workspace) *Panel {
	sh := &sheet{Workspace: w, rows: map[string]inspector.Row{}}
	found := &findings{sheet: sh}
	codes := &codes{sheet: sh, visual: map[string]bool{}}
	picker := &picker{sheet: sh, found: found, codes: codes}
	fields := &fields{sheet: sh, found: found, codes: codes, picker: picker, shown: map[string]bool{}}
	fields.lists = &lists{sheet: sh, fields: fields}
	sections := &sections{sheet: sh, fields: fields, open: map[string]bool{}}
	p := &Panel{findings: found, codes: codes, picker: picker, fields: fields, lists: fields.lists, sections: sections,
		rules: &rules{sheet: sh, fields: fields, found: found, sections: sections}}
	p.sort.Move = p.Move
	return p
}

// Draw draws the rows of the selection.
func (p *Panel) Draw() app.UI {
	if p.Editor == nil {
		return kit.El("aside.right aria-hidden=true")
	}
	panel := inspector.Read(p.Editor, p.analysis()).Filter(p.sections.query)
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
		head = append(head, kit.SearchField("id="+FilterID, "Search properties", p.sections.query))
	}
	body := append([]app.UI{}, head...)
	body = append(body, arrange.Buttons(p.Workspace))
	for i, s := range panel.Sections {
		body = append(body, p.sections.section(s))
		switch {
		case i > 0:
		case panel.PartNoun == "rule":
			body = append(body, p.rules.ruleList(panel))
		case panel.PartNoun != "":
			body = append(body, p.sections.partList(panel))
		}
	}
	body = append(body, p.pages(panel))
	return kit.El("aside.right aria-label=% data-testid=inspector", "Inspector").On("pointerdown", p.drag).On("keydown", p.key).On("paste", p.lists.pasted).
		Body(append(body, p.picker.drawPicker())...)
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
	if p.picker.pick.path != "" && p.picker.pickerKey(ctx, e.Get("key").String()) {
		e.PreventDefault()
		e.Call("stopPropagation")
		return
	}
	if p.lists.cellKey(ctx, e) {
		e.PreventDefault()
		return
	}
	if p.lists.paste.path != "" && e.Get("key").String() == "Escape" && e.Get("target").Get("id").String() == PasteID {
		e.PreventDefault()
		p.lists.closePaste(ctx)
		return
	}
	if p.searching && e.Get("key").String() == "Escape" && e.Get("target").Get("id").String() == FilterID {
		e.PreventDefault()
		p.sections.query, p.searching = "", false
		kit.FocusSoon(ctx, "[data-act=search-rows]", 0)
		return
	}
	if p.codes.large != "" && e.Get("key").String() == "Escape" {
		e.PreventDefault()
		p.codes.large = ""
		return
	}
	p.sort.Key(ctx, e)
}

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
