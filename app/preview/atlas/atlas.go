package atlas

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
)

// Options say what a file contains.
type Options struct {
	// Style is the style sheet of the frame in which the editor shows screens, web/static/preview.css.
	Style string
	// Languages are the languages to show, in their order; nil for all of the form.
	Languages []string
	// Date is printed on the cover as it is, "" for none.
	Date string
	// MaxBytes bounds the file, 0 for no bound.
	MaxBytes int
}

// The errors of Write, beside that of its context.
var (
	// ErrLanguage means that a form does not have a language of the options.
	ErrLanguage = errors.New("the form is not in this language")
	// ErrTooLarge means that the file would be larger than MaxBytes.
	ErrTooLarge = errors.New("the file would be too large")
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed screen.css
	screenStyle string

	page = template.Must(template.New("page").Funcs(template.FuncMap{"language": languageName, "whole": hyphened}).Parse(pageText))
)

// Write returns the file. The same form and options give the same bytes. Its time and size grow with the number of components times the
// number of languages, and Write needs memory for about three files. The form may have problems. Write ends with the error of ctx, and with
// ErrTooLarge, after the screen that it is drawing.
func Write(ctx context.Context, f *model.Form, o Options) ([]byte, error) {
	languages, err := chosen(f, o.Languages)
	if err != nil {
		return nil, err
	}
	a := &atlas{form: f, program: run.NewProgram(f), languages: languages, numbers: map[string]int{}, limit: o.MaxBytes}
	a.sheet = sheet(o.Style) + sheet(screenStyle)
	for i := range languages {
		a.sheet += fmt.Sprintf(".fg-lang-%d{display:var(--fg-lang-%[1]d,block)}", i)
	}
	a.own = sheet(f.Tree().Object("style").Text("css"))
	steps := order(f)
	for i, s := range slices.Backward(steps) {
		a.numbers[s.node.ID] = i + 1 // of the first with the id
	}
	cover := cover{Name: f.Name, Date: o.Date, Languages: languages, Ending: ending(f)}
	cover.Style = template.CSS(pageStyle) //nolint:gosec // it is ours
	if strings.TrimSpace(cover.Name) == "" {
		cover.Name = "A form without a name"
	}
	for i, s := range steps {
		v, err := a.step(ctx, i+1, s)
		if err != nil {
			return nil, err
		}
		cover.Steps = append(cover.Steps, v)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, cover); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	if a.limit > 0 && out.Len() > a.limit {
		return nil, ErrTooLarge
	}
	return out.Bytes(), nil
}

// grow counts bytes of the file, and returns why no more are written.
func (a *atlas) grow(ctx context.Context, n int) error {
	if a.size += n; a.limit > 0 && a.size > a.limit {
		return ErrTooLarge
	}
	return ctx.Err()
}

// chosen returns the languages to show.
func chosen(f *model.Form, requested []string) ([]string, error) {
	all := f.Languages()
	if len(requested) == 0 {
		return all, nil
	}
	var list []string
	for _, l := range requested {
		i := slices.IndexFunc(all, func(have string) bool { return strings.EqualFold(have, l) })
		if i < 0 {
			return nil, fmt.Errorf("%w: %s; it has %s", ErrLanguage, l, strings.Join(all, ", "))
		}
		if !slices.Contains(list, all[i]) {
			list = append(list, all[i])
		}
	}
	return list, nil
}

// atlas is a file in the making.
type atlas struct {
	form      *model.Form
	program   *run.Program
	languages []string
	numbers   map[string]int // of the steps, by id
	sheet     string         // the style sheet of all screens
	own       string         // that of the form
	limit     int            // of the file in bytes, 0 for none
	size      int            // of what is drawn, somewhat less than that of the file
}

// cover is what the template of the page shows.
type cover struct {
	Name, Date string
	Languages  []string
	Steps      []stepView
	Ending     string
	Style      template.CSS
}

// States returns the names of the states.
func (cover) States() []string { return stateNames[:] }

// Words returns the words of the name.
func (c cover) Words() []string { return strings.Fields(c.Name) }

// hyphened reports whether a browser may break a word that should stay whole, such as e-mail.
func hyphened(word string) bool { return strings.Contains(word, "-") }

// Unreachable returns the number of steps that nobody reaches.
func (c cover) Unreachable() int {
	n := 0
	for _, s := range c.Steps {
		if s.Unreachable {
			n++
		}
	}
	return n
}

// stepView is a step as the template shows it.
type stepView struct {
	Number      int
	Title, ID   string
	Unreachable bool
	Ways        []way
	Rows        []rowView
	Notes       []string
	Screens     template.HTML // the shadow root
}

// rowView is a row of screens as the template shows it: what it slots into the shadow root.
type rowView struct {
	Slot, Name string // of the heading, "" for none
	Captions   []captionView
}

type captionView struct{ Slot, Words string }

// step returns a step with its screens: a row for each state with the languages side by side, or one row with the states of the only
// language.
func (a *atlas) step(ctx context.Context, number int, s found) (stepView, error) {
	v := stepView{Number: number, Title: s.node.Name(), ID: s.node.ID, Unreachable: !s.reachable}
	if err := a.grow(ctx, len(a.sheet)+len(a.own)); err != nil {
		return v, err
	}
	groups, notes, err := a.states(ctx, s.node)
	if err != nil {
		return v, err
	}
	v.Ways, v.Notes = a.ways(s.node), notes
	var b strings.Builder
	b.WriteString(`<template shadowrootmode="open"><style>` + a.sheet + "</style><style>" + a.own + "</style>")
	single := rowView{}
	if len(a.languages) == 1 {
		b.WriteString(`<div class="fg-grid">`)
	}
	for _, g := range groups {
		state := "state-" + strconv.Itoa(g.state)
		if len(a.languages) == 1 {
			single.Captions = append(single.Captions, captionView{state, stateNames[g.state]})
			screen(&b, g, 0, "fg-"+state, state)
			continue
		}
		row := rowView{Slot: state, Name: stateNames[g.state]}
		b.WriteString(`<div class="fg-` + state + `"><slot name="` + state + `"></slot><div class="fg-grid">`)
		for i, l := range a.languages {
			slot := state + "-" + strconv.Itoa(i)
			row.Captions = append(row.Captions, captionView{slot, languageName(l)})
			screen(&b, g, i, "fg-lang-"+strconv.Itoa(i), slot)
		}
		b.WriteString("</div></div>")
		v.Rows = append(v.Rows, row)
	}
	if len(a.languages) == 1 {
		b.WriteString("</div>")
		v.Rows = []rowView{single}
	}
	b.WriteString("</template>")
	v.Screens = template.HTML(b.String()) //nolint:gosec // of finish and sheet, which clean what the author wrote
	return v, nil
}

// screen writes the screen of a state in a language with the elements around it that a document has. class says what shows it, slot names
// the place of its caption.
func screen(b *strings.Builder, g group, language int, class, slot string) {
	markup := g.screens[language]
	b.WriteString(`<div class="fg-cell ` + class + `"><slot name="` + slot + `"></slot>`)
	b.WriteString(`<div class="fg-view"><fg-html class="fg-root"` + direction(markup) + `><fg-body>`)
	b.WriteString(finish(markup, slot+"-", g.state == asked))
	b.WriteString(`</fg-body></fg-html></div></div>`)
}

// direction returns the language and the direction of a screen, which the frame gives its document.
func direction(markup string) string {
	start, _, _ := strings.Cut(markup, ">")
	_, attrs, _ := strings.Cut(strings.TrimPrefix(start, "<div"), `class="af-form"`)
	return attrs
}
