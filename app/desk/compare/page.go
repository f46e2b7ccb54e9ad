// Package compare is the page of the desk that compares the form with another one. That may be the saved version, a file, or whatever the
// editor's program offers. People take from it what they want, node by node. It also compares two other forms, such as two versions.
package compare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/app/compare"
	"github.com/formgraph/formgraph/app/desk"
	"github.com/formgraph/formgraph/app/desk/message"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/envelope"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Page is the page. Use New.
type Page struct {
	form    desk.Form
	choices []message.Choice
	with    message.Choice
	other   *model.Form // the form before the changes, if it is not the one under edit; nil until it is read
	now     message.Choice
	changed *model.Form // the form after the changes, if it is not the one under edit; nil until it is read
	beside  struct{ form, placed *model.Form }
	wrong   string // why it could not be read
	faults  schema.Problems
	layout  bool // places are compared
	items   []compare.Item
	shown   []int // of items
	open    map[string]bool
	current string // the item that was chosen last, by its name in attributes
	marks   *schema.Object
	opened  bool                    // the focus comes once there is something to see
	names   func(tag string) string // names of languages
}

// New returns the page. names returns the name of a language for people.
func New(names func(tag string) string) *Page {
	return &Page{layout: true, open: map[string]bool{}, marks: nothing, now: this, names: names}
}

// this is the form under edit.
var this = message.Choice{Kind: message.This, Name: "This form", After: true}

// nothing marks nothing.
var nothing = schema.NewObject()

// Open implements desk.Comparer. What was compared last may have changed since.
func (p *Page) Open() {
	p.opened = true
	p.set(message.Choice{}, nil, "")
	p.now, p.changed = this, nil
	p.compare()
}

// sides returns the form before the changes and the one after them, nil until they are read.
func (p *Page) sides() (before, after *model.Form) {
	before, after = p.place(&p.with, p.other), p.place(&p.now, p.changed)
	if p.with.Kind == message.This {
		before = p.form.Form
	}
	if p.now.Kind == message.This {
		after = p.form.Form
	}
	return before, after
}

// ready reports whether both forms are read.
func (p *Page) ready() bool {
	before, after := p.sides()
	return before != nil && after != nil
}

// own reports whether the form under edit is on one side. Only that form can take something from the other.
func (p *Page) own() bool { return p.arrives() != (p.now.Kind == message.This) }

// arrives reports whether the form under edit is the one before the changes. What it lacks is then added.
func (p *Page) arrives() bool { return p.with.Kind == message.This }

// from returns the choice and the form from which the form under edit can take something.
func (p *Page) from() (*message.Choice, *model.Form) {
	before, after := p.sides()
	if p.arrives() {
		return &p.now, after
	}
	return &p.with, before
}

// place returns the form of a choice where the canvas shows it: one from elsewhere that is compared with the form under edit may stand beside it.
// It does not move while parts of it are taken.
func (p *Page) place(of *message.Choice, f *model.Form) *model.Form {
	if f == nil || of.Earlier() || !p.own() {
		return f
	}
	if p.beside.form != f {
		p.beside.form, p.beside.placed = f, beside(p.form.Form, f)
	}
	return p.beside.placed
}

// Form implements desk.Page.
func (p *Page) Form(of desk.Form) {
	if of != p.form {
		p.form = of
		p.compare()
	}
}

// Compare implements desk.Comparer.
func (p *Page) Compare(t *desk.Turn, o *message.Order) {
	if o.Choices != nil {
		p.choices = o.Choices
	}
	if o.Choice == nil {
		return
	}
	var f *model.Form
	if o.Other != nil {
		f = model.FromTree(o.Other)
	}
	switch {
	case o.Choice.After && o.Choice.Kind == message.File:
		p.arrive(*o.Choice, f)
	case o.Choice.After:
		p.now, p.changed, p.wrong = *o.Choice, f, o.Wrong
	default:
		p.set(*o.Choice, f, o.Wrong)
	}
	p.compare()
	if p.opened {
		p.opened = false
		t.Focus("#cmp-with")
	}
}

func (p *Page) set(with message.Choice, other *model.Form, wrong string) {
	p.with, p.other, p.wrong, p.faults = with, other, wrong, nil
}

// arrive compares the form with that of a file, which has what the form can take.
func (p *Page) arrive(of message.Choice, f *model.Form) {
	p.set(this, nil, "")
	p.now, p.changed = of, f
}

// compare compares the forms as they are.
func (p *Page) compare() {
	p.items, p.shown = nil, nil
	if !p.ready() {
		p.marks = nothing
		return
	}
	p.items = compare.Forms(p.sides())
	p.choose()
}

// choose chooses what is shown.
func (p *Page) choose() {
	p.shown = nil
	for i := range p.items {
		if p.layout || !p.items[i].Layout() {
			p.shown = append(p.shown, i)
		}
	}
	if !p.own() || !p.ready() {
		p.marks = nothing // the canvas shows the form under edit
		return
	}
	_, other := p.from()
	items := p.items
	if p.arrives() {
		items = compare.Forms(other, p.form.Form)
	}
	marks := compare.MarksOf(other, p.form.Form, items, p.layout)
	if p.arrives() {
		marks.Reverse()
	}
	if m := tree(marks, p.arrives()); !schema.Equal(m, p.marks) {
		p.marks = m
	}
}

// Marks implements desk.Comparer.
func (p *Page) Marks() *schema.Object { return p.marks }

// Event implements desk.Page.
func (p *Page) Event(t *desk.Turn, e message.Event) {
	switch {
	case e.On == "file":
		p.read(e)
		t.Focus("#cmp-with")
	case e.On == "change" && e.Do == "layout":
		p.layout = e.Text == "true"
		p.choose()
	case e.On == "change" && e.Do == "with":
		for _, c := range p.offered() {
			if nameOf(c) == e.Text {
				p.chooseBefore(t, c)
			}
		}
	case e.On == "change" && e.Do == "now":
		p.chooseAfter(t, e.Text)
	case e.On == "press":
		p.press(t, e)
	}
}

// chooseBefore chooses the form before the changes.
func (p *Page) chooseBefore(t *desk.Turn, c message.Choice) {
	c.After = false
	p.set(c, nil, "")
	p.compare()
	t.Read(c)
}

// offered returns the choices of both sides.
func (p *Page) offered() []message.Choice { return append([]message.Choice{this}, p.choices...) }

// before returns the choice of the version before the last saved one, nil if there is none. The newest kept version is the last saved one.
func (p *Page) before() *message.Choice {
	met := false
	for i := range p.choices {
		if p.choices[i].Kind != message.Version {
			continue
		}
		if met {
			return &p.choices[i]
		}
		met = true
	}
	return nil
}

// chooseAfter chooses the form after the changes by its name, as nameOf returns it.
func (p *Page) chooseAfter(t *desk.Turn, name string) {
	for _, c := range p.offered() {
		if nameOf(c) != name {
			continue
		}
		c.After = true
		p.now, p.changed, p.wrong = c, nil, ""
		p.compare()
		t.Read(c)
	}
}

// nameOf names a choice in attributes.
func nameOf(c message.Choice) string { return c.Kind + " " + c.ID }

// read reads a file.
func (p *Page) read(e message.Event) {
	of := message.Choice{Kind: message.File, Name: e.Name, After: true}
	d, problems := envelope.Open(e.File)
	problems, _ = problems.Split() // what only the tenant knows can be compared
	if d.Form == nil || len(problems) > 0 {
		p.arrive(of, nil)
		p.wrong, p.faults = "The file is not a form that can be compared.", problems
	} else {
		p.arrive(of, d.Form)
	}
	p.compare()
}

func (p *Page) press(t *desk.Turn, e message.Event) {
	switch e.Do {
	case "leave":
		t.Leave()
	case "again":
		if before, _ := p.sides(); before != nil {
			t.Read(p.now)
		} else {
			t.Read(p.with)
		}
	case "before":
		if c := p.before(); c != nil {
			p.chooseBefore(t, *c)
			t.Focus("#cmp-with")
		}
	case "more":
		p.open[e.Arg] = true
	case "take-all":
		if of, other := p.from(); p.own() && other != nil {
			t.Run(take{p.verb().With("all from " + of.Name), merge.TakeAll(other, p.form.Form)})
			t.Focus("#cmp-with")
		}
	default:
		at, i := p.item(e.Arg)
		if i == nil {
			return
		}
		p.current = e.Arg
		switch e.Do {
		case "go":
			if i.Key != "" {
				t.Select(i.Key)
			}
		case "take":
			if !p.own() {
				return
			}
			of, other := p.from()
			t.Run(take{p.verb().With(i.Name + " from " + of.Name), i.Take(other, p.form.Form)})
			t.Focus(p.after(at))
		}
	}
}

// item returns a shown item by its name in attributes.
func (p *Page) item(name string) (at int, it *compare.Item) {
	for at, i := range p.shown {
		if id(&p.items[i]) == name {
			return at, &p.items[i]
		}
	}
	return -1, nil
}

// id names an item in attributes.
func id(i *compare.Item) string {
	if i.IsNode() {
		return "n" + strconv.Itoa(i.Was) + "-" + i.Key
	}
	return "p" + i.Path.String()
}

// after returns the selector of the control that has the focus after an item was taken: that of the next item.
func (p *Page) after(at int) string {
	for _, next := range []int{at + 1, at - 1} {
		if 0 <= next && next < len(p.shown) {
			return `#desk [data-do="take"][data-arg=` + strconv.Quote(id(&p.items[p.shown[next]])) + `]`
		}
	}
	return "#cmp-with"
}

// take replaces the form.
type take struct {
	name verb.Phrase
	form *model.Form
}

// Label implements editor.Command.
func (c take) Label() verb.Phrase { return c.name }

// Do implements editor.Command.
func (c take) Do(s editor.State) (editor.State, error) {
	s.Form = c.form
	return s, nil
}

// tree returns marks as the editor's program reads them. arrives reports whether the form on the canvas is the one before the changes.
func tree(m compare.Marks, arrives bool) *schema.Object {
	var cards, was, edges []any
	for _, c := range m.Cards {
		rows := []any{}
		for _, r := range c.Rows {
			rows = append(rows, r.ID, compare.Signs[r.Kind])
		}
		cards = append(cards, schema.NewObject(schema.Member{Key: "key", Value: c.Key}, schema.Member{Key: "kind", Value: string(c.Kind)},
			schema.Member{Key: "tag", Value: compare.Signs[c.Kind] + " " + c.Tag}, schema.Member{Key: "rows", Value: rows},
			schema.Member{Key: "gone", Value: strings.Join(c.Gone, ", ")}))
	}
	for _, r := range m.Was {
		was = append(was, fmt.Sprintf("left:%gpx;top:%gpx;width:%gpx;height:%gpx", r.X, r.Y, r.W, r.H))
	}
	for _, e := range m.Edges {
		edges = append(edges, e)
	}
	o := schema.NewObject(schema.Member{Key: "cards", Value: cards}, schema.Member{Key: "nodes", Value: m.Gone}, schema.Member{Key: "edges", Value: edges}, schema.Member{Key: "was", Value: was})
	if arrives {
		o = o.With("arrives", true)
	}
	return o
}
