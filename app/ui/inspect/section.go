package inspect

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// sections draws the sections of the panel.
type sections struct {
	*sheet
	fields *fields
	open   map[string]bool // the sections that a person opened or folded, by title
	query  string          // filters the rows
	ready  bool            // whether components can be selected together though none is yet
}

// choosing reports whether components are selected together, or can be.
func (sc *sections) choosing() bool { return sc.ready || len(sc.chosen()) > 0 }

// chosen are the components that are selected together.
func (sc *sections) chosen() []string { return sc.State().Selection.Parts }

// partTools are the commands for the components that are selected together.
var partTools = [...]command.ID{command.Copy, command.Cut, command.Duplicate, command.MoveUp, command.MoveDown, command.Delete}

// tools draws the buttons for the components that are selected together.
func (sc *sections) tools() app.UI {
	if len(sc.chosen()) == 0 {
		return kit.El("div hidden=true")
	}
	var buttons []app.UI
	for _, id := range partTools {
		c := command.Of(id)
		_, ok := c.Needs.Missing(sc.Situation())
		buttons = append(buttons, kit.IconButton(string(id), c.Title, c.Icon, ok))
	}
	return kit.El("section.arrange").Body(kit.El("div.row").Body(buttons...))
}

// section draws the rows of a section below a head that folds it.
func (sc *sections) section(s inspector.Section) app.UI {
	if s.Title == "" {
		return kit.El("section.rows").Body(sc.fields.rowsOf(s.Rows)...)
	}
	open, rows, note := sc.isOpen(s) || sc.query != "", s.Rows, s.Note
	var id app.UI = kit.El("span hidden=true")
	if len(rows) > 0 && rows[0].OnLeave() && !open {
		// The id can be read and changed while the section is folded. In the open section it is a row like the others.
		id, rows, note = sc.fields.rowAs("f own-id", rows[0]), rows[1:], ""
	}
	dom := kit.DomID("s-", s.Title)
	head := []app.UI{kit.Tree("button.fold type=button data-act=fold data-arg=% aria-expanded=% aria-controls=% { @down span.grow { % } small { % } }",
		[]string{s.Title, kit.Yes(open), dom, s.Title, note}), id}
	body := kit.El("div.rows id=% hidden=%", dom, kit.Yes(!open))
	if only, ok := whole(s); ok {
		sc.rows[only.Path.String()] = only
		if open {
			head = append(head, sc.fields.headTool(only))
		}
		return kit.El("section").Body(kit.El("h3").Body(head...), body.Body(sc.fields.content(only)...))
	}
	return kit.El("section").Body(kit.El("h3").Body(head...), body.Body(sc.fields.rowsOf(rows)...))
}

// isOpen reports whether a section is open: as a person left it, else as it is at first. A section with the row that is sought opens.
func (sc *sections) isOpen(s inspector.Section) bool {
	if sc.Seek != "" && slices.ContainsFunc(s.Rows, sc.isSought) {
		sc.open[s.Title] = true
	}
	if open, ok := sc.open[s.Title]; ok {
		return open
	}
	return !s.Folded
}

func (sc *sections) isSought(r inspector.Row) bool {
	return r.Path.String() == sc.Seek || slices.ContainsFunc(r.Rows, sc.isSought)
}

// whole returns the row of an object, list or map that is a section by itself.
func whole(s inspector.Section) (inspector.Row, bool) {
	if len(s.Rows) != 1 || s.Rows[0].Label != s.Title {
		return inspector.Row{}, false
	}
	return s.Rows[0], s.Rows[0].Input.Contains()
}

// partList lists the components of a step.
func (sc *sections) partList(panel inspector.Panel) app.UI {
	lock := sc.Editor.ReadOnly()
	var items []app.UI
	n := len(panel.Parts)
	drawn, first, last := sc.spans.Draw(partsList, n)
	for i := drawn.From; i < drawn.To; i++ {
		part := panel.Parts[i]
		if sc.choosing() {
			items = append(items, kit.Tree("li.part-row data-component=% { button.part type=button role=checkbox aria-checked=% data-act=choose-part "+
				"data-arg=% { span.box @% span.grow { % } small { % } * } }",
				[]string{part.ID, kit.Yes(slices.Contains(sc.chosen(), part.ID)), part.ID, part.Icon, part.Title, part.Type}, badge(part.Problems)))
			continue
		}
		arg := fmt.Sprint(i)
		items = append(items, kit.El("li.part-row data-sort=%", arg).DataSet("component", part.ID).Body(
			sc.grip(part.Title, partsList),
			kit.El("button.part type=button data-act=select-part data-arg=%", part.ID).Body(kit.Icon(part.Icon),
				kit.El("span.grow").Text(part.Title), trait("required", part.Required, kit.El("span.req")), trait("sensitive", part.Sensitive, kit.Icon("lock")),
				trait("warning", part.Warned, kit.Icon("warn")),
				kit.El("small").Text(part.Type), badge(part.Problems)),
			kit.El("div.item-tools hidden=%", kit.Yes(lock)).Body(
				kit.IconButton("part-copy", "Duplicate "+part.Title, "duplicate", true).DataSet("arg", arg),
				kit.IconButton("part-delete", "Delete "+part.Title, "trash", true).DataSet("arg", arg),
			),
		))
	}
	name, note := "Select several", ""
	switch {
	case n == 0:
		note = "This step has no components yet."
	case !sc.choosing():
	case len(sc.chosen()) < 2:
		note = "Select at least two to edit what they have in common."
	default:
		note = panel.Note
	}
	if sc.choosing() {
		name = "Done"
	}
	return kit.Tree("section { h3 { span.grow { % } small { % } button.link type=button data-act=choose-parts aria-expanded=% hidden=% { % } } "+
		"p.quiet-text hidden=% { % } * * * button.link.more type=button data-act=more-parts hidden=% { @plus span { % } } }", []string{
		"Components", fmt.Sprint(n), kit.Yes(sc.choosing()), kit.Yes(n < 2 || lock), name, kit.Yes(note == ""), note,
		kit.Yes(sc.choosing() || lock), command.Of(command.AddComponent).Title,
	}, first, kit.El("ul.parts").Body(items...), last)
}

// trait draws what a component is, as its row on the card does.
func trait(name string, on bool, sign app.UI) app.UI {
	return kit.El("span.trait title=% role=img aria-label=% hidden=%", name, name, kit.Yes(!on)).Body(sign)
}

// badge draws the number of problems.
func badge(problems int) app.UI {
	if problems == 0 {
		return kit.El("span hidden=true")
	}
	return kit.El("span.badge title=%", kit.Several(problems, "1 problem", "%d problems")).Body(kit.Icon("warn"),
		kit.El("span").Text(problems))
}
