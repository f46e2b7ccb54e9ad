package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/inspector"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// lists draws lists with few texts in an element as tables, and makes them of pasted text.
type lists struct {
	*sheet
	fields *fields
	paste  paste
}

// table draws a list of objects with few texts, one in a line.
func (l *lists) table(r inspector.Row) []app.UI {
	if l.paste.path == r.Path.String() {
		return l.drawPaste(r)
	}
	columns := fmt.Sprint(len(r.Columns))
	var head []app.UI
	for _, name := range r.Columns {
		head = append(head, kit.El("span").Text(name))
	}
	var lines []app.UI
	list := r.Path.String()
	drawn, first, last := l.spans.Draw(list, len(r.Rows))
	for i := drawn.From; i < drawn.To; i++ {
		of := r.Rows[i]
		var cells, problems []app.UI
		texts := of.Rows
		if of.Input == inspector.Text {
			texts = []inspector.Row{of}
		}
		for j, c := range texts {
			path := c.Path.String()
			l.rows[path] = c
			c.Label = named(r, i)
			if r.Columns[j] != "" {
				c.Label = fmt.Sprintf("%s of %s", r.Columns[j], strings.ToLower(c.Label))
			}
			describe := ""
			if text := l.problemOf(c); text != "" {
				describe = kit.DomID("p-", path)
				problems = append(problems, problemText(describe, strings.TrimPrefix(r.Columns[j]+": "+text, ": ")))
			}
			problems = append(problems, l.fields.found.warningsOf(c)...)
			cells = append(cells, kit.El("div.control").Body(l.fields.line(c, kit.DomID("f-", path), describe).Attr("aria-label", c.Label)))
		}
		cells = append(cells, kit.El("div.item-tools").Body(l.fields.tools(r, i)...))
		if of.Input == inspector.Group {
			l.rows[of.Path.String()] = of
			problems = append(problems, l.problemLine(of)...)
		}
		lines = append(lines, kit.El("div.line data-sort=%", fmt.Sprint(i)).Body(append([]app.UI{
			l.grip(strings.ToLower(named(r, i)), list),
			l.mark(r, i),
			kit.El("div.cells data-columns=% role=group aria-label=%", columns, named(r, i)).Body(cells...),
		}, problems...)...))
	}
	table := kit.El("div.table data-marks=% hidden=%", kit.Yes(l.marks(r)), kit.Yes(len(r.Rows) == 0)).Body(
		kit.El("div.cells.head data-columns=% aria-hidden=true hidden=%", columns, kit.Yes(r.Columns[0] == "")).Body(head...),
		kit.El("div.lines").Body(lines...))
	return []app.UI{first, table, last, kit.Tree("div.adders.wide { * button.link.dim type=button data-act=clear data-arg=% hidden=% { % } }",
		[]string{list, kit.Yes(!l.fields.removable(r) || len(r.Rows) < long), "Remove all " + r.Element.Noun + "s"}, l.fields.add(r))}
}

// long is the number of lines from which all of them can be removed at once.
const long = 10

// pasteButton draws the button at the head of a table that opens its lines.
func (l *lists) pasteButton(r inspector.Row) app.UI {
	return kit.El("button.link type=button data-act=paste-open data-arg=% hidden=%", r.Path.String(),
		kit.Yes(l.Editor.ReadOnly() || l.paste.path == r.Path.String())).Text("Paste many")
}

// marks reports whether options have marks: their default value is one of them, or nothing.
func (l *lists) marks(r inspector.Row) bool {
	in := l.rows[r.List().DefaultPath().String()].Input
	return r.List().HasDefault() && (in == inspector.Select || in == inspector.Checks)
}

// mark draws the mark that makes an option the default.
func (l *lists) mark(r inspector.Row, i int) app.UI {
	if !l.marks(r) {
		return kit.El("span hidden=true")
	}
	name := strings.ToLower(named(r, i))
	value := r.List().OptionValue(i)
	return kit.El("input.default-mark type=checkbox data-path=% data-value=% data-held=% aria-label=% title=% disabled=%", r.List().DefaultPath().String(), value,
		kit.Held(kit.Yes(r.List().IsDefault(i))), "Default: "+name, "Chosen at first", kit.Yes(l.Editor.ReadOnly() || value == ""))
}

// paste is the text of which a list is made, while it is open.
type paste struct {
	path string // of the list, "" if none is open
	text string
}

// PasteID is the id of the text of which a list is made.
const PasteID = "paste-many"

// drawPaste draws the text of which a list is made, and what comes of it.
func (l *lists) drawPaste(r inspector.Row) []app.UI {
	come := r.List().Paste(l.paste.text)
	columns := fmt.Sprint(len(r.Columns))
	help := "One " + r.Element.Noun + " a line."
	if len(r.Columns) > 1 {
		help = fmt.Sprintf("One %s a line: %s, then a tab or a comma, then %s.", r.Element.Noun, strings.ToLower(r.Columns[0]), strings.ToLower(r.Columns[1]))
	}
	var notes, lines []app.UI
	for _, n := range come.Notes {
		notes = append(notes, kit.Tree("p.hint-text role=status { @warn span { % } }", []string{n}))
	}
	for _, item := range come.Items[:min(len(come.Items), kit.SpanStep)] {
		class := "cells"
		if item.New {
			class = "cells new"
		}
		var cells []app.UI
		for _, c := range item.Cells {
			cells = append(cells, kit.El("span").Text(c))
		}
		lines = append(lines, kit.El("li class=% data-columns=%", class, columns).Body(cells...))
	}
	return []app.UI{kit.Tree("div.paste role=group aria-label=% { label for=% { % } textarea id=% rows=8 spellcheck=false data-held=% aria-describedby=paste-help "+
		"small id=paste-help { % } * * small { % } div.buttons { button.secondary type=button data-act=paste-cancel { % } "+
		"button.primary type=button data-act=paste-use data-arg=% disabled=% { % } } }",
		[]string{
			"Paste many", PasteID, "Paste many " + r.Element.Noun + "s", PasteID, kit.Held(l.paste.text), help, come.Summary, "Cancel",
			r.Path.String(), kit.Yes(len(come.Items) == 0), fmt.Sprintf("Use these %d", len(come.Items)),
		},
		kit.El("div.notes hidden=%", kit.Yes(len(notes) == 0)).Body(notes...), kit.El("ul.coming aria-label=%", "What comes").Body(lines...))}
}

// openPaste opens the text of a list, with further lines after the element i if that is not negative.
func (l *lists) openPaste(ctx app.Context, r inspector.List, i int, more string) {
	l.paste = paste{r.Path.String(), r.Lines()}
	if i >= 0 {
		l.paste.text = r.LinesWith(i, more)
	}
	l.Typing = ""
	l.Sync(ctx)
	kit.CaretSoon(ctx, "#"+PasteID, kit.UTF16Len, 0)
}

// closePaste closes the text of a list and moves the focus back.
func (l *lists) closePaste(ctx app.Context) {
	path := l.paste.path
	l.paste = paste{}
	kit.FocusSoon(ctx, `[data-act=paste-open]:not([hidden])[data-arg=`+strconv.Quote(path)+`]`, 0)
}

// cell returns the table and the element in it to which a control belongs, and false if it is not in a table.
func (l *lists) cell(el app.Value) (list inspector.List, i int, ok bool) {
	path := el.Get("dataset").Get("path")
	if path.Type() != app.TypeString || l.Editor.ReadOnly() {
		return list, 0, false
	}
	r, ok := l.rows[path.String()]
	if !ok {
		return list, 0, false
	}
	at, i, ok := r.Cell()
	if !ok {
		return list, 0, false
	}
	list = l.rows[at.String()].List()
	return list, i, len(list.Columns) > 0 && i < len(list.Rows)
}

// cellKey makes the next row of a table for Enter, and removes an empty row for Backspace. It reports whether it did.
func (l *lists) cellKey(ctx app.Context, e app.Event) bool {
	key := e.Get("key").String()
	if key != "Enter" && key != "Backspace" || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() {
		return false
	}
	list, i, ok := l.cell(kit.Target(e))
	if !ok || key == "Backspace" && !list.EmptyAt(i) {
		return false
	}
	l.Typing = ""
	if key == "Enter" {
		l.spans.Reach(list.Path.String(), i+1)
		l.Run(ctx, list.AddAt(i+1))
		l.Sync(ctx)
		l.focusCell(ctx, list.CellPath(i+1))
		return true
	}
	l.spans.Reach(list.Path.String(), i-1)
	l.Run(ctx, list.Remove(i))
	l.Sync(ctx)
	if i == 0 && len(list.Rows) == 1 {
		kit.FocusSoon(ctx, `[data-act=add][data-arg=`+strconv.Quote(list.Path.String())+`]`, 0)
	} else {
		l.focusCell(ctx, list.CellPath(max(i-1, 0)))
	}
	return true
}

func (l *lists) focusCell(ctx app.Context, path schema.Path) {
	kit.CaretSoon(ctx, "[data-path="+strconv.Quote(path.String())+"]", kit.UTF16Len, 0)
}

// pasted opens the text of a list when several lines are pasted into one of its texts.
func (l *lists) pasted(ctx app.Context, e app.Event) {
	defer l.Rescue(ctx)
	data := e.Get("clipboardData")
	if l.Editor == nil || !data.Truthy() {
		return
	}
	text := data.Call("getData", "text/plain").String()
	if !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") {
		return
	}
	if list, i, ok := l.cell(kit.Target(e)); ok {
		e.PreventDefault()
		l.openPaste(ctx, list, i, text)
	}
}

// pasteAct handles the controls of the text of a list.
func (l *lists) pasteAct(ctx app.Context, name, arg string) {
	r, ok := l.rows[arg]
	switch {
	case name == "paste-open" && ok:
		l.openPaste(ctx, r.List(), -1, "")
		return
	case name == "paste-use" && ok:
		l.Run(ctx, r.List().Paste(l.paste.text).Command())
	}
	l.closePaste(ctx)
	l.Sync(ctx)
}
