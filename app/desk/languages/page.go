// Package languages is the page of the desk with every text of a form in every language, as a table that is edited like a spreadsheet.
package languages

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/app/translate/sources"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is the page. Use New.
type Page struct {
	grid
	builder translate.Builder
	records *sources.Records
}

// grid is the table: what of it is listed and in view, and the cursor in it.
type grid struct {
	names   func(tag string) string // names of languages
	table   *translate.Table
	orphans schema.Problems // translations that translate nothing, which have no cell
	form    desk.Form
	filter  filter
	folded  map[string]bool // groups, by their key
	lines   []line          // that pass the filter
	tally   tally
	view    view
	motion
	cursor cursor
	pseudo bool   // a column shows pseudo translations
	tongue string // the language of a stack
	popup
}

// popup is the menu or dialog that is open.
type popup struct {
	open  string          // one of the constants below or menuOf a language, "" for none
	plan  *translate.Plan // of the file that is about to be imported
	fault string          // why the input of the dialog is refused
	typed string          // the input of the dialog
}

// The menus and dialogs.
const (
	fileMenu  = "file"
	addDialog = "add"
	planned   = "plan"
	leftOver  = "left"
	menuOf    = "menu:" // and a language
	renameOf  = "rename:"
	removeOf  = "remove:"
)

// view is the visible part of the table, in CSS pixels.
type view struct{ left, top, width, height int }

// New returns the page. names returns the name of a language for people.
func New(names func(tag string) string) *Page {
	return &Page{grid: grid{names: names, folded: map[string]bool{}, view: view{width: 1200, height: 800}}}
}

// Form implements desk.Page.
func (p *Page) Form(of desk.Form) {
	if of.ReadOnly != p.form.ReadOnly {
		p.drawn = nil
	}
	p.form = of
	p.update()
}

// Sources reads the records of translations that the server has. desk.Session calls it.
func (p *Page) Sources(text string) error {
	records, problems := sources.Read([]byte(text))
	if len(problems) > 0 {
		return problems[0]
	}
	p.records = records
	return nil
}

// update makes the table of the form as it is.
func (p *Page) update() {
	was := p.table
	p.table = p.builder.Table(p.form.Form, p.records)
	if was != nil && (was.Source != p.table.Source || !slices.Equal(was.Languages, p.table.Languages)) {
		p.drawn = nil
	}
	p.orphans = answer.Orphans(p.form.Form)
	p.mark()
	p.list()
	p.cursor.within(&p.grid)
}

// Go implements desk.Finder. A property of the languages themselves is changed by the menu of one.
func (p *Page) Go(t *desk.Turn, path schema.Path) {
	if path[0].Key == "languages" {
		of := p.table.Source
		if i := p.table.Column(p.form.Tree().Object("languages").Text("default")); i >= 0 && path[len(path)-1].Key == "default" {
			of = p.table.Languages[i]
		}
		t.Focus("[data-do=open][data-arg=" + strconv.Quote(menuOf+of) + "]")
		return
	}
	if leftAt(p.orphans, path.String()) != nil {
		p.open = ""
		p.toggle(t, leftOver)
		return
	}
	for row, r := range p.table.Rows {
		for column := range p.table.Languages {
			if !p.table.Path(r, column).Equal(path) {
				continue
			}
			p.filter, p.folded, p.tongue = filter{}, map[string]bool{}, p.table.Languages[column]
			p.list()
			p.cursor.move(&p.grid, row, column, false)
			p.focus(t)
			return
		}
	}
}

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch e.On {
	case "scroll":
		p.scroll(view{e.Left, e.Top, max(e.Width, 1), max(e.Height, 1)})
	case "settle":
		p.settle()
	case "focus":
		if row, column, ok := p.place(e.Arg); ok {
			p.cursor.move(&p.grid, row, column, false)
			t.Clip("")
		}
	case "bare": // a press on a cell without a control
		if row, column, ok := p.place(e.Arg); ok {
			p.cursor.move(&p.grid, row, column, false)
			p.focus(t)
			t.Clip("")
		}
	case "extend":
		if row, column, ok := p.place(e.Arg); ok {
			p.cursor.move(&p.grid, row, column, true)
			t.Clip(p.copied())
		}
	case "input":
		p.input(t, e)
	case "change":
		if e.Do == "tongue" {
			p.choose(e.Text)
		}
	case "key":
		p.key(t, e)
	case "paste":
		p.paste(t, e.Text)
	case "cut":
		t.Run(p.table.Clear(p.block()))
	case "file":
		p.read(t, e.Name, e.File)
	case "press":
		p.press(t, e)
	}
}

// input handles typing.
func (p *Page) input(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "search":
		p.filter.query, p.view.top = e.Text, 0
		p.list()
	case "language":
		p.fault, p.typed = "", e.Text
	case "cell":
		row, column, ok := p.place(e.Arg)
		if !ok {
			return
		}
		r := p.table.Rows[row]
		p.filter.keep(r.Key)
		if column == ofSource {
			t.Run(setSource(r, e.Text))
			return
		}
		t.Run(p.table.SetText(r, column, e.Text))
	}
}

// setSource returns the command that changes a text itself. A message without a text is the built-in one.
func setSource(r *translate.Row, text string) editor.Command {
	if text == "" && r.Component == nil {
		return editor.Clear{Path: r.At}
	}
	return editor.Set{Path: r.At, Value: text}
}

// press handles a control.
func (p *Page) press(t *desk.Turn, e message.Event) {
	p.fault = ""
	switch e.Do {
	case "page":
		t.Show(e.Arg)
	case "back":
		t.Leave()
	case "filter":
		p.filter.choose(e.Arg)
		p.view.top = 0
		p.list()
	case "fold":
		p.folded[e.Arg] = !p.folded[e.Arg]
		p.list()
	case "open":
		p.toggle(t, e.Arg)
	case "close":
		p.close(t)
	case "still":
		p.confirm(t)
	case "show":
		if r := p.row(); r != nil && r.Component != nil {
			t.Go(r.At)
		}
	case "pseudo":
		p.pseudo, p.drawn = !p.pseudo, nil
		p.close(t)
	default:
		p.manage(t, e)
	}
}

// manage handles the controls of languages and files.
func (p *Page) manage(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "add":
		to := cmp.Or(e.Arg, p.tagOf(strings.TrimSpace(e.Text)))
		p.apply(t, translate.AddLanguage{Language: to}, to)
	case "rename":
		to := strings.TrimSpace(e.Text)
		p.apply(t, translate.RenameLanguage{From: e.Arg, To: to}, to)
	case "default":
		p.apply(t, translate.SetDefault{Language: e.Arg}, e.Arg)
	case "remove":
		p.apply(t, translate.RemoveLanguage{Language: e.Arg}, e.Arg)
	case "drop":
		p.drop(t, e.Arg)
	case "copy-source":
		p.copySource(t, e.Arg)
	case "csv", "json", "xliff":
		p.export(t, e.Do, e.Arg)
	case "import":
		if p.plan != nil {
			t.Run(p.plan.Write())
			p.plan = nil
		}
		p.close(t)
	}
}

// apply runs a command about a language, and keeps the dialog open with the reason if it does not apply.
func (p *Page) apply(t *desk.Turn, c editor.Command, tag string) {
	if _, err := c.Do(editor.State{Form: p.form.Form}); err != nil {
		p.fault = p.refusal(err, tag)
		return
	}
	t.Run(c)
	p.close(t)
}

// toggle opens or closes a menu or a dialog.
func (p *Page) toggle(t *desk.Turn, name string) {
	if p.open == name {
		p.close(t)
		return
	}
	p.open, p.typed = name, ""
	t.Focus(".dk-dialog input, .dk-dialog .primary, .dk-menu [role^=menuitem]")
}

// close closes what is open and returns the focus to where it came from.
func (p *Page) close(t *desk.Turn) {
	if p.open == "" {
		return
	}
	name := p.open
	p.open, p.plan = "", nil
	for _, prefix := range []string{renameOf, removeOf} {
		if language, ok := strings.CutPrefix(name, prefix); ok {
			name = menuOf + language
		}
	}
	if name == planned {
		name = fileMenu
	}
	t.Focus(`[data-do=open][data-arg=` + strconv.Quote(name) + `]`)
}

// copySource copies every missing text of a language from the source.
func (p *Page) copySource(t *desk.Turn, language string) {
	column := p.table.Column(language)
	if column < 0 {
		return
	}
	w := translate.Write{Name: verb.Copy.With("the source")}
	for _, r := range p.table.Rows {
		if r.Cells[column].State == translate.Missing {
			w.Changes = append(w.Changes, translate.Change{Row: r, Language: language, Text: r.Text, Source: r.Text})
		}
	}
	p.close(t)
	t.Run(w)
}

// confirm records that the selected translations are still right.
func (p *Page) confirm(t *desk.Turn) {
	changes := p.table.Confirm(p.block())
	p.records = translate.Record(translate.Adopt(p.records, p.table), changes)
	t.Sources(string(p.records.Text()))
	p.update()
	p.focus(t)
}

// place returns the row and the column that the argument of a cell names.
func (g *grid) place(arg string) (row, column int, ok bool) {
	number, key, _ := strings.Cut(arg, ":")
	column, err := strconv.Atoi(number)
	row = slices.IndexFunc(g.table.Rows, func(r *translate.Row) bool { return r.Key == key })
	return row, column, err == nil && row >= 0 && column >= ofSource && column < len(g.table.Languages)
}

// pathOf returns the path of a cell.
func (g *grid) pathOf(r *translate.Row, column int) schema.Path {
	if column == ofSource {
		return r.At
	}
	return g.table.Path(r, column)
}

// Records returns the text of the records of translations after a form was saved in place of another. text is that of the records until then,
// "" for none.
func Records(before, after *model.Form, text string) (string, error) {
	var was *sources.Records
	if text != "" {
		var problems schema.Problems
		if was, problems = sources.Read([]byte(text)); len(problems) > 0 {
			return "", problems[0]
		}
	}
	var b translate.Builder
	table := b.Table(before, was)
	now := translate.Follow(was, table, b.Table(after, was))
	return string(now.Text()), nil
}
