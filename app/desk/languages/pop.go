package languages

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/translate"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// note draws what is wrong with the translation at the cursor, and what can be done about it.
func (p *Page) note(w *markup.Writer) {
	r := p.row()
	if r == nil || p.cursor.column == ofSource || p.open != "" {
		return
	}
	c := r.Cells[p.cursor.column]
	_, mark := look(r, p.cursor.column)
	if mark == "" {
		return
	}
	w.Open("div.dk-note role=status")
	w.Icon("warn").Open("div.grow")
	switch c.State {
	case translate.Stale:
		w.Leaf("b", "The "+p.names(p.table.Source)+" text has changed since this was translated")
		if was := translate.Earlier(p.records, r, p.table.Languages[p.cursor.column]); was != "" {
			w.Open("p.dk-diff")
			for _, part := range compare.Texts(was, r.Text) {
				w.Leaf([]string{"span", "del", "ins"}[part.Kind], part.Text)
			}
			w.Close()
		}
	case translate.TooLong:
		w.Leaf("b", "This is too long").Leaf("p", sentenceOf(mark))
	case translate.LostTemplate:
		w.Leaf("b", "The variables differ from those of the source")
		w.Leaf("p", "People see the text without the value. Copy each {{ … }} from the source as it is.")
	default:
		w.Leaf("b", "This may not fit").Leaf("p", sentenceOf(mark))
	}
	w.Close()
	if c.State == translate.Stale && !p.form.ReadOnly {
		w.Open("button.secondary type=button data-do=still title=%", "Alt+Enter").Icon("check").Leaf("span", "Still right").Close()
	}
	if r.Component != nil {
		w.Leaf("button.quiet type=button data-do=show", "Show on the canvas")
	}
	w.Close()
}

// menus draws the menus and dialogs.
type menus struct{ *grid }

// draw draws the menu or dialog that is open.
func (m menus) draw(w *markup.Writer) {
	switch m.open {
	case "":
		return
	case fileMenu:
		m.fileMenu(w)
	case addDialog:
		m.ask(w, "Add a language", "add", "", "", "Add", "A name, or a tag such as pt-BR.")
	case planned:
		m.plannedDialog(w)
	case leftOver:
		m.leftDialog(w)
	default:
		for prefix, draw := range map[string]func(*markup.Writer, string){menuOf: m.languageMenu, renameOf: m.renameDialog, removeOf: m.removeDialog} {
			if language, ok := strings.CutPrefix(m.open, prefix); ok {
				draw(w, language)
			}
		}
	}
}

func item(w *markup.Writer, does, arg, icon, name string, disabled bool) {
	w.Open("button.menu-item type=button role=menuitem data-do=% data-arg=% disabled=%", does, arg, markup.Only(disabled, "disabled"))
	w.Icon(icon).Leaf("span", name).Close()
}

// fileMenu is the menu of files.
func (m menus) fileMenu(w *markup.Writer) {
	w.Open("div.menu.dk-menu role=menu aria-label=%", "Import, export")
	w.Leaf("small", "Export")
	none := len(m.table.Languages) == 0
	item(w, "csv", "", "download", "CSV for a spreadsheet", false)
	for _, l := range m.table.Languages {
		item(w, "xliff", l, "download", "XLIFF 2.1 for translators, "+m.names(l), false)
	}
	item(w, "json", "", "download", "JSON", none)
	if !m.form.ReadOnly {
		w.Leaf("small", "Import")
		w.Open("label.menu-item role=menuitem tabindex=-1").Icon("file").Leaf("span", "File…").Leaf("span.dim.push", "CSV, XLIFF, JSON")
		fileInput(w)
		w.Close()
		w.Leaf("p.dim", "Cells of a spreadsheet are pasted into the table.")
	}
	if m.stacked() {
		w.Close()
		return
	}
	w.Open("hr").Open("button.menu-item type=button role=menuitemcheckbox aria-checked=% data-do=pseudo", markup.Yes(m.pseudo))
	w.Icon("text").Leaf("span", "Show pseudo translations")
	if m.pseudo {
		w.Open("span.push").Icon("check").Close()
	}
	w.Close().Close()
}

// languageMenu is the menu of a language.
func (m menus) languageMenu(w *markup.Writer, language string) {
	w.Open("div.menu.dk-menu role=menu aria-label=%", m.names(language))
	ro := m.form.ReadOnly
	item(w, "open", renameOf+language, "pencil", "Change its tag…", ro)
	w.Open("button.menu-item type=button role=menuitemcheckbox aria-checked=% data-do=default data-arg=% disabled=%", markup.Yes(m.isDefault(language)), language,
		markup.Only(ro, "disabled")).Icon("people").Leaf("span", "Show it where no language fits")
	if m.isDefault(language) {
		w.Open("span.push").Icon("check").Close()
	}
	w.Close()
	if language == m.table.Source {
		w.Close()
		return
	}
	item(w, "copy-source", language, "copy", "Fill what is missing with "+m.names(m.table.Source), ro)
	item(w, "xliff", language, "download", "Export XLIFF 2.1", false)
	item(w, "open", removeOf+language, "trash", "Remove the language…", ro)
	w.Close()
}

// isDefault reports whether people whose language the form does not have see a language.
func (g *grid) isDefault(language string) bool {
	name := cmp.Or(g.form.Tree().Object("languages").Text("default"), g.table.Source)
	return model.LanguageTag(name) == model.LanguageTag(language)
}

func (m menus) renameDialog(w *markup.Writer, language string) {
	m.ask(w, "Change the tag of "+m.names(language), "rename", language, language, "Change", "People whose browser asks for the new tag get its texts.")
}

// removeDialog asks before the texts of a language go.
func (m menus) removeDialog(w *markup.Writer, language string) {
	column := m.table.Column(language)
	if column < 0 {
		return
	}
	n := len(m.table.Rows) - m.table.Coverage(column).States[translate.Missing]
	dialog(w, "Remove "+m.names(language)+"?", func() {
		text := fmt.Sprintf("Its %d texts go with it. Undo brings them back.", n)
		switch n {
		case 0:
			text = "It has no texts yet."
		case 1:
			text = "Its only text goes with it. Undo brings it back."
		}
		w.Leaf("p", text)
	}, func() {
		w.Leaf("button.primary type=button data-do=remove data-arg=%", "Remove", language)
	})
}

// refusal returns why a command about a language does not apply, as a sentence.
func (g *grid) refusal(err error, tag string) string {
	switch {
	case errors.Is(err, translate.ErrMalformed) && tag == "":
		return "Type the tag of a language, such as de or pt-BR."
	case errors.Is(err, translate.ErrMalformed):
		return schema.Quote(tag) + " is not the tag of a language, such as de or pt-BR."
	case errors.Is(err, translate.ErrTaken):
		return "The form already has " + g.called(tag) + "."
	case errors.Is(err, translate.ErrSource):
		return "The form is written in " + g.called(g.table.Source) + "."
	}
	return sentenceOf(err.Error())
}

// called returns the name of a language with its tag, as in "German (de)".
func (g *grid) called(tag string) string {
	if name := g.names(tag); name != tag {
		return name + " (" + tag + ")"
	}
	return tag
}

// ask is a dialog that asks for a language. To add one, it also offers some by their names.
func (m menus) ask(w *markup.Writer, title, does, arg, value, button, help string) {
	dialog(w, title, func() {
		w.Open("label.dk-label").Text("Language")
		w.Open("input type=text id=dk-tag maxlength=55 autocomplete=off spellcheck=false data-in=language data-enter=% data-arg=% aria-describedby=dk-help aria-invalid=% value=%",
			does, arg, markup.Yes(m.fault != ""), value)
		w.Close()
		if m.fault != "" {
			w.Open("p.dk-fault id=dk-help role=alert").Icon("warn").Leaf("span", m.fault).Close()
		} else {
			w.Leaf("p.dim id=dk-help", help)
		}
		if does != "add" {
			return
		}
		m.offers(w, m.typed)
	}, func() {
		w.Leaf("button.primary type=button data-do=% data-arg=% data-text=%", button, does, arg, "#dk-tag")
	})
}

// offers draws the languages to add after somebody typed a part of a name. What Enter adds is marked.
func (g *grid) offers(w *markup.Writer, typed string) {
	w.Open("div.dk-offers role=group aria-label=%", "Languages")
	chosen := g.tagOf(strings.TrimSpace(typed))
	for _, tag := range g.offered(typed) {
		class := ""
		if tag == chosen {
			class = ".on"
		}
		w.Open("button"+class+" type=button data-do=add data-arg=%", tag).Leaf("span", g.names(tag)).Leaf("code", tag).Close()
	}
	w.Close()
}

// fileInput draws the control that imports a file, in its label.
func fileInput(w *markup.Writer) {
	w.Open("input.unseen type=file data-in=file accept=% aria-label=%", ".csv,.xlf,.xliff,.json,.tsv,.txt", "Import translations")
}

// dialog draws a dialog with a way back.
func dialog(w *markup.Writer, title string, body, buttons func()) {
	w.Open("button.dk-veil type=button tabindex=-1 data-do=close aria-label=%", "Close").Close()
	w.Open("div.dk-dialog role=dialog aria-modal=true aria-label=%", title).Leaf("h2", title)
	body()
	w.Open("div.buttons").Leaf("button.secondary type=button data-do=close", "Cancel")
	buttons()
	w.Close().Close()
}

// plannedDialog shows what a file changes before it is imported.
func (m menus) plannedDialog(w *markup.Writer) {
	if m.fault != "" {
		dialog(w, "This file cannot be imported", func() {
			w.Open("p.dk-fault role=alert").Icon("warn").Leaf("span", m.fault).Close()
		}, func() {})
		return
	}
	plan := m.plan
	if plan == nil {
		return
	}
	dialog(w, "Import translations", func() {
		w.Open("ul.dk-plan")
		for _, part := range []struct {
			n    int
			name string
		}{
			{len(plan.Added), "new"},
			{len(plan.Changed), "changed"},
			{len(plan.Unchanged), "as they are"},
			{len(plan.Outdated), "made of an earlier source; they will be marked as stale"},
			{len(plan.Unknown), "of texts that the form does not have; they are left out"},
		} {
			if part.n > 0 {
				w.Open("li").Leaf("b", strconv.Itoa(part.n)).Text(" " + part.name).Close()
			}
		}
		for _, l := range plan.Languages {
			w.Open("li").Text("New language ").Leaf("b", m.names(l)).Close()
		}
		w.Close()
		changes := slices.Concat(plan.Added, plan.Changed)
		const most = 8
		if len(changes) > 0 {
			w.Open("div.dk-sample").Open("table")
			for _, c := range changes[:min(most, len(changes))] {
				w.Open("tr").Leaf("th scope=row", c.Row.Text).Leaf("td", m.names(c.Language)).Leaf("td", c.Text).Close()
			}
			w.Close()
			if n := len(changes) - most; n > 0 {
				w.Leaf("p.dim", fmt.Sprintf("and %d more", n))
			}
			w.Close()
		}
	}, func() {
		n := len(plan.Added) + len(plan.Changed)
		w.Leaf("button.primary type=button data-do=import disabled=%", "Import "+several(n, "text"), markup.Only(n == 0, "disabled"))
	})
}
