package inspect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/arrange"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// Panel is the inspector.
type Panel struct {
	*workspace.Workspace
	rows     map[string]inspector.Row // drawn rows, by path
	rejected rejected                 // the last text that a field refused
	shown    map[string]bool          // visible secrets, by path
	helped   string                   // the path of the row whose help is open
	open     map[string]bool          // the sections that a person opened or folded, by title
}

// New returns the inspector of a workspace.
func New(w *workspace.Workspace) *Panel {
	return &Panel{Workspace: w, rows: map[string]inspector.Row{}, shown: map[string]bool{}, open: map[string]bool{}}
}

// Draw draws the rows of the selection.
func (p *Panel) Draw() app.UI {
	if p.Editor == nil {
		return kit.El("aside.right aria-hidden=true")
	}
	panel := inspector.Read(p.Editor)
	p.rows = map[string]inspector.Row{}
	head := []app.UI{}
	if panel.Parent != "" {
		head = append(head, kit.El("button.link.back type=button data-act=go data-arg=%", p.Editor.State().Selection.Only()).
			Body(kit.Icon("back"), kit.El("span").Text(p.parentName(panel.Parent))))
	}
	head = append(head, kit.El("div.who-is").Body(
		kit.El("span.k class=%", strings.ToLower(panel.Tint)).Body(kit.Icon(panel.Icon)),
		kit.El("div.grow").Body(kit.El("h2").Text(panel.Title), kit.El("small").Text(panel.Subtitle)),
		app.If(p.canTry(), func() app.UI {
			c := command.Of(command.PreviewHere)
			return kit.IconButton(string(c.ID), c.Title, c.Icon, true)
		}),
		app.If(p.canDelete(), func() app.UI { return kit.IconButton("delete", "Delete", "trash", true) }),
		workspace.CloseButton("right"),
	))
	body := append([]app.UI{}, head...)
	body = append(body, arrange.Buttons(p.Workspace))
	for i, s := range panel.Sections {
		body = append(body, p.section(s))
		if i == 0 && panel.PartNoun != "" {
			body = append(body, p.partList(panel))
		}
	}
	return kit.El("aside.right aria-label=% data-testid=inspector", "Inspector").Body(body...)
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

// section draws the rows of a section below a head that folds it.
func (p *Panel) section(s inspector.Section) app.UI {
	if s.Title == "" {
		return kit.El("section").Body(p.rowsOf(s.Rows)...)
	}
	open, rows, note := p.isOpen(s), s.Rows, s.Note
	var id app.UI = kit.El("span hidden=true")
	if len(rows) > 0 && rows[0].OnLeave() {
		// The id can be read and changed while the section is folded.
		id, rows, note = p.rowAs("f key", rows[0]), rows[1:], ""
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
	list := p.rowsOf(rows)
	if s.Condition != nil {
		list = append(list, p.condition(*s.Condition)...)
	}
	return kit.El("section").Body(kit.El("h3").Body(head...), body.Body(list...))
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
	if s.Condition != nil || len(s.Rows) != 1 || s.Rows[0].Label != s.Title {
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

// partList lists the components of a step or the rules of a router.
func (p *Panel) partList(panel inspector.Panel) app.UI {
	title := "Components"
	var add app.UI = kit.El("span")
	if panel.PartNoun == "rule" {
		title = "Rules"
		add = kit.El("button.link type=button data-act=add-rule disabled=%", kit.Yes(p.Editor.ReadOnly())).Text("Add rule")
	}
	var items []app.UI
	for i, part := range panel.Parts {
		arg := fmt.Sprint(i)
		b := kit.El("button.part type=button data-act=select-part data-arg=%", part.ID)
		li := kit.El("li.part-row")
		if panel.PartNoun == "component" {
			li = li.DataSet("component", part.ID)
		}
		items = append(items, li.Body(
			b.Body(kit.Icon(part.Icon), kit.El("span.grow").Text(part.Title), kit.El("small").Text(part.Type), badge(part.Problems)),
			kit.IconButton("part-up", fmt.Sprintf("Move up %s", part.Title), "up", i > 0 && !p.Editor.ReadOnly()).DataSet("arg", arg),
			kit.IconButton("part-down", fmt.Sprintf("Move down %s", part.Title), "down",
				i < len(panel.Parts)-1 && !p.Editor.ReadOnly()).DataSet("arg", arg),
		))
	}
	empty := "Add components from the left."
	if panel.PartNoun == "rule" {
		empty = "Without rules, the router always takes the fallback."
	}
	return kit.El("section").Body(
		kit.El("h3").Body(kit.El("span.grow").Text(title), kit.El("small").Text(len(items)), add),
		app.If(len(items) == 0, func() app.UI { return kit.El("p.quiet-text").Text(empty) }),
		kit.El("ul.parts").Body(items...),
	)
}

// condition draws the comparisons of a rule.
func (p *Panel) condition(c inspector.Condition) []app.UI {
	out := []app.UI{p.row(c.Operator)}
	p.rows[c.List.Path.String()] = c.List
	for k, cmp := range c.Rows {
		var body []app.UI
		if len(cmp.Operands) > 0 {
			body = append(body, p.row(cmp.Operands[0]))
		}
		body = append(body, p.row(cmp.Operator))
		for _, o := range cmp.Operands[min(1, len(cmp.Operands)):] {
			body = append(body, p.row(o))
		}
		body = append(body, kit.IconButton("remove", fmt.Sprintf("Remove condition %d", k+1), "close", !p.Editor.ReadOnly()).
			DataSet("arg", fmt.Sprintf("%d %s", k, c.List.Path)))
		out = append(out, kit.El("fieldset.group.comparison aria-label=%", fmt.Sprintf("Condition %d", k+1)).Body(body...))
	}
	return append(out, kit.El("button.link type=button data-act=add data-arg=% disabled=%", c.List.Path.String(),
		kit.Yes(p.Editor.ReadOnly())).Text("Add condition"))
}

// badge draws the number of problems.
func badge(problems int) app.UI {
	if problems == 0 {
		return kit.El("span hidden=true")
	}
	return kit.El("span.badge title=%", kit.Several(problems, "1 problem", "%d problems")).Body(kit.Icon("warn"),
		kit.El("span").Text(problems))
}
