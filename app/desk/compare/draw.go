package compare

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/markup"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Draw implements desk.Page.
func (p *Page) Draw(s *desk.Screen) {
	s.Region("", func(w *markup.Writer) {
		w.Open("header.cmp-head data-region=head").Close()
		w.Open("div.cmp-counts data-region=counts").Close()
		w.Open("div.cmp-body").Open("div data-region=state").Close()
		w.Open("ul.cmp-list aria-label=Changes data-region=list").Close().Close()
		w.Open("footer.cmp-foot data-region=foot").Close()
	})
	s.Region("head", p.head)
	s.Region("counts", p.counts)
	s.Region("state", p.state)
	var lines []desk.Line
	for _, i := range p.shown {
		lines = append(lines, p.line(&p.items[i]))
	}
	s.Lines("list", lines)
	s.Region("foot", p.foot)
}

// head draws what is compared with what.
func (p *Page) head(w *markup.Writer) {
	w.Open("div.cmp-title").Leaf("h2", "Compare").Open("label.cmp-layout title=%", "Also show what only moved on the canvas")
	w.Open("input type=checkbox data-in=layout checked=%", markup.Only(p.layout, "checked")).Leaf("span", "Show moves").Close()
	w.Open("button.icon type=button data-do=leave aria-label=% title=%", "Leave the comparison", "Leave the comparison (Esc)").Icon("close").Close().Close()
	w.Open("div.cmp-sides").Open("label").Leaf("span", "Before")
	p.offer(w, "with", p.with)
	w.Close()
	w.Icon("arrow").Open("label").Leaf("span", "After")
	p.offer(w, "now", p.now)
	w.Close().Close()
	w.Open("label.secondary.cmp-file").Icon("file").Open("span").Leaf("span", "Compare with a ").Text("file…").Close()
	w.Open("input.unseen type=file data-in=file accept=% aria-label=%", ".json,application/json", "Compare with a file").Close()
}

// offer draws the control that chooses the form of a side, "with" or "now".
func (p *Page) offer(w *markup.Writer, side string, chosen message.Choice) {
	w.Open("select id=% data-in=% data-value=%", "cmp-"+side, side, nameOf(chosen))
	if chosen.Kind == message.File || chosen.Kind == message.Before {
		w.Leaf("option value=%", chosen.Name, nameOf(chosen))
	}
	group := ""
	for _, c := range p.offered() {
		if c.Group != group {
			if group != "" {
				w.Close()
			}
			if group = c.Group; group != "" {
				w.Open("optgroup label=%", group)
			}
		}
		w.Leaf("option value=%", c.Name, nameOf(c))
	}
	if group != "" {
		w.Close()
	}
	w.Close()
}

var kinds = []merge.ChangeKind{merge.Added, merge.Removed, merge.Changed, merge.Moved}

// counts draws how much of each kind there is.
func (p *Page) counts(w *markup.Writer) {
	if !p.ready() {
		return
	}
	n := compare.Count(p.items)
	for _, k := range kinds {
		if n[k] == 0 || k == merge.Moved && !p.layout {
			continue
		}
		w.Open("span.cmp-count data-kind=%", string(k)).Leaf("i aria-hidden=true", compare.Signs[k]).Text(strconv.Itoa(n[k]) + " " + lower(p.word(k))).Close()
	}
}

// word returns the word of a kind.
func (p *Page) word(k merge.ChangeKind) string {
	if k == merge.Removed && p.arrives() {
		return compare.OnlyHere
	}
	return compare.Words[k]
}

func lower(s string) string { return string(s[0]+'a'-'A') + s[1:] }

// state draws why there is no list.
func (p *Page) state(w *markup.Writer) {
	switch {
	case p.wrong != "":
		w.Open("div.cmp-wrong role=alert").Icon("warn").Open("div.grow").Leaf("b", p.wrong)
		const most = 50
		if len(p.faults) > 0 {
			w.Open("ul")
			for i, f := range p.faults {
				if i == most {
					w.Leaf("li", "and "+strconv.Itoa(len(p.faults)-most)+" more")
					break
				}
				w.Leaf("li", f.Error())
			}
			w.Close()
		} else {
			w.Leaf("button.link type=button data-do=again", "Try again")
		}
		w.Close().Close()
	case !p.ready():
		w.Leaf("p.dim role=status", "Reading the form…")
	case len(p.items) == 0 && p.now.Kind == message.This && p.with.Kind == message.Saved:
		w.Leaf("p.dim role=status", "Nothing is unsaved.")
		if p.before() != nil {
			w.Leaf("button.secondary.cmp-before type=button data-do=before", "Compare with the version before")
		}
	case len(p.items) == 0:
		of, what := &p.with, "the form"
		if p.own() {
			of, _ = p.from()
		} else {
			what = schema.Quote(p.now.Name)
		}
		w.Leaf("p.dim role=status", "Nothing differs: "+what+" is the same as "+schema.Quote(of.Name)+".")
	case len(p.shown) == 0:
		w.Leaf("p.dim role=status", "Only places on the canvas differ. Turn on “Show moves” to see them.")
	}
}

// fold is how many differences of an item are shown before the rest is folded.
const fold = 4

// line draws an item.
func (p *Page) line(i *compare.Item) desk.Line {
	var w markup.Writer
	name := id(i)
	w.Open("li.cmp-item data-key=% data-kind=% aria-current=%", name, string(i.Kind), markup.Only(p.current == name, "true"))
	w.Open("div.cmp-row")
	w.Open("button.cmp-go type=button data-do=go data-arg=% title=%", name, markup.Only(i.Key != "", "Show it on the canvas"))
	w.Leaf("i.cmp-sign role=img aria-label=% title=%", compare.Signs[i.Kind], p.word(i.Kind), p.word(i.Kind)).Icon(i.Icon).Open("span").Leaf("b", i.Name)
	if i.ID != "" {
		w.Leaf("code", i.ID)
	}
	w.Close().Close()
	if !p.form.ReadOnly && p.own() {
		act := p.verb()
		if p.lacks(i) {
			act = verb.Remove
		}
		w.Leaf("button.link type=button data-do=take data-arg=% title=% aria-label=%", act.String(), name, p.effect(i),
			strings.TrimSpace(act.With(i.Name).String()+" "+i.ID)+". "+p.effect(i))
	}
	w.Close()
	n := 0
	w.Open("ul")
	if i.Kind == merge.Removed && p.arrives() {
		w.Leaf("li.cmp-line", compare.OnlyHere)
	}
	for j := range i.Lines {
		l := &i.Lines[j]
		if l.Layout && !p.layout {
			continue
		}
		if n++; n > fold && !p.open[name] {
			continue
		}
		if l.Language {
			named := *l
			named.Before, named.After = p.language(l.Before), p.language(l.After)
			l = &named
		}
		draw(&w, l)
	}
	w.Close()
	if n > fold && !p.open[name] {
		w.Leaf("button.link type=button data-do=more data-arg=%", "Show "+strconv.Itoa(n-fold)+" more", name)
	}
	w.Close()
	return desk.Line{Key: name, HTML: w.String()}
}

// language names a language, "" for none.
func (p *Page) language(tag string) string {
	if tag == "" {
		return ""
	}
	return p.names(tag)
}

// verb names the act of taking something from the other form: Restore if that is an earlier state of the form under edit, else Take.
func (p *Page) verb() verb.Verb {
	if of, _ := p.from(); of.Earlier() {
		return verb.Restore
	}
	return verb.Take
}

// lacks reports whether the form to take from does not have an item.
func (p *Page) lacks(i *compare.Item) bool {
	if p.arrives() {
		return i.Kind == merge.Removed
	}
	return i.Kind == merge.Added
}

// effect says what taking an item does.
func (p *Page) effect(i *compare.Item) string {
	of, _ := p.from()
	switch {
	case p.lacks(i):
		return "Removes it: " + of.Name + " does not have it."
	case i.Kind == merge.Added:
		return "Adds it as in " + of.Name + "."
	case i.Kind == merge.Removed:
		return "Brings it back as in " + of.Name + "."
	case i.Kind == merge.Moved:
		return "Moves it to where it is in " + of.Name + "."
	}
	return "Makes it the same as in " + of.Name + "."
}

// draw draws a difference inside an item.
func draw(w *markup.Writer, l *compare.Line) {
	w.Open("li.cmp-line data-kind=%", string(l.Kind))
	w.Open("i title=%", compare.Words[l.Kind]).Text(compare.Signs[l.Kind]).Close().Open("span")
	if l.Name != "" {
		w.Leaf("b", l.Name)
		if l.Property == "" && l.Note == "" {
			w.Text(" " + lower(compare.Words[l.Kind]))
		}
	}
	if l.Property != "" {
		if l.Name != "" {
			w.Text(" › ")
		}
		w.Text(l.Property)
	}
	if l.Note != "" {
		w.Leaf("small", l.Note)
	}
	if l.Before != "" || l.After != "" {
		w.Open("span.cmp-values")
		values(w, l)
		w.Close()
	}
	w.Close().Close()
}

// short is up to how many characters two values are shown side by side.
const short = 40

// values draws both values: side by side, or as one text with its changes.
func values(w *markup.Writer, l *compare.Line) {
	switch {
	case l.Before == "":
		w.Leaf("ins", l.After)
	case l.After == "":
		w.Leaf("del", l.Before)
	case len(l.Before) <= short && len(l.After) <= short:
		w.Leaf("del", l.Before).Text(" ").Leaf("ins", l.After)
	default:
		for _, part := range compare.Texts(l.Before, l.After) {
			w.Leaf([]string{"span", "del", "ins"}[part.Kind], part.Text)
		}
	}
}

// foot draws the button that takes all changes. The head counts them.
func (p *Page) foot(w *markup.Writer) {
	if len(p.items) == 0 || p.form.ReadOnly || !p.own() {
		return
	}
	of, _ := p.from()
	w.Open("span.push").Close()
	w.Leaf("button.secondary type=button data-do=take-all title=%", p.verb().With("all").String(), "Makes the form the same as "+of.Name+". Undo brings yours back.")
}
