package together

import (
	"maps"
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/face"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Person is a page that has the form open, with what its person does.
type Person struct {
	Page, Sub, Name string
	Hue             int  // of the person among all who are here, see face.Hues
	Edits           bool // the person may change the form
	Asks            bool // the person may not change the form, and asks for the permission
	Node            string
	Component       string
	Field           string // the field that the person types in, as FieldKey returns it; "" for none
	Forks           []Fork
	At              *model.Point // of the person's mouse in the form; nil if it is not over the canvas
}

// Fork is a text that somebody typed at a property after another person had changed it. The author of the text has not yet decided which one stays.
type Fork struct{ Field, Text string }

// Limits of what a page shows to others.
const (
	maxForkText = 1000 // runes
	maxForks    = 10
)

// People are the other pages that have the form open, in the order in which they came.
type People struct {
	list  []Person
	hues  map[string]int       // of everybody, by subject
	asked map[string]time.Time // when somebody asked to edit last, by subject
}

// askTime is how long somebody who has asked to edit does not ask again, however often their page says so.
const askTime = 30 * time.Second

// Asking returns those who ask for the permission to edit and did not before, each person once in half a minute.
func (p *People) Asking(before []Person, now time.Time) (asking []Person) {
	maps.DeleteFunc(p.asked, func(_ string, at time.Time) bool { return now.Sub(at) >= askTime })
	for _, q := range p.list {
		_, lately := p.asked[q.Sub]
		if !q.Asks || lately || slices.ContainsFunc(before, func(b Person) bool { return b.Page == q.Page && b.Asks }) {
			continue
		}
		if p.asked == nil {
			p.asked = map[string]time.Time{}
		}
		p.asked[q.Sub] = now
		asking = append(asking, q)
	}
	return asking
}

// List returns the people. The caller must not change the list.
func (p *People) List() []Person { return p.list }

// Hue returns the color of somebody who is here, or of the person of this page.
func (p *People) Hue(sub string) int {
	if h, ok := p.hues[sub]; ok {
		return h
	}
	return face.Hue(sub)
}

// Here returns the subjects of everybody who is here.
func (p *People) Here() []string { return slices.Sorted(maps.Keys(p.hues)) }

// Hello sets the list to the people who are there when a stream begins. self is the subject of the person of this page.
func (p *People) Hello(self string, people []any) {
	p.list = nil
	for _, v := range people {
		p.take(v)
	}
	p.color(self)
}

// color gives everybody a color.
func (p *People) color(self string) {
	subs := []string{self}
	for _, q := range p.list {
		subs = append(subs, q.Sub)
	}
	p.hues = face.Hues(subs)
	p.list = slices.Clone(p.list)
	for i := range p.list {
		p.list[i].Hue = p.hues[p.list[i].Sub]
	}
}

// LookAlike reports whether a page draws two lists of people in the same way. node is the id of the node that is selected on the page, "" for none.
// The selections and mice of people do not count, since the canvas shows them. A field in which somebody types counts only if it belongs to the node.
func LookAlike(a, b []Person, node string) bool {
	return slices.EqualFunc(a, b, func(p, q Person) bool {
		if p.Field != q.Field && (p.Node == node || q.Node == node) {
			return false
		}
		return p.Page == q.Page && p.Sub == q.Sub && p.Name == q.Name && p.Hue == q.Hue && p.Edits == q.Edits && p.Asks == q.Asks && slices.Equal(p.Forks, q.Forks)
	})
}

// SamePlaces reports whether two lists have the same people with the same selections, wherever their mice are.
func SamePlaces(a, b []Person) bool {
	return slices.EqualFunc(a, b, func(p, q Person) bool {
		return p.Page == q.Page && p.Sub == q.Sub && p.Name == q.Name && p.Hue == q.Hue && p.Node == q.Node && p.Component == q.Component
	})
}

// Presence takes an event: somebody has come, shows something else, or has left. self is the subject of the person of this page.
func (p *People) Presence(self string, data *schema.Object) {
	before := len(p.list)
	if left, _ := data.Get("left"); left == true {
		p.list = slices.DeleteFunc(slices.Clone(p.list), func(q Person) bool { return q.Page == data.Text("page") })
	} else {
		p.take(data)
	}
	if len(p.list) != before {
		p.color(self)
	}
}

func (p *People) take(v any) {
	o, _ := v.(*schema.Object)
	if o.Text("page") == "" {
		return
	}
	shows := o.Object("shows")
	is := Person{
		Page: o.Text("page"), Sub: o.Text("sub"), Name: o.Text("name"), Edits: on(shows, "edits"), Asks: on(shows, "asks"),
		Node: shows.Text("node"), Component: shows.Text("component"), Field: shows.Text("field"),
	}
	if at, ok := model.PointOf(shows.Object("at")); ok {
		is.At = &at
	}
	for _, v := range shows.List("forks") {
		f, _ := v.(*schema.Object)
		is.Forks = append(is.Forks, Fork{f.Text("field"), f.Text("text")})
	}
	at := slices.IndexFunc(p.list, func(q Person) bool { return q.Page == is.Page })
	if at < 0 {
		p.list = append(slices.Clip(p.list), is)
		return
	}
	is.Hue = p.list[at].Hue
	p.list = slices.Clone(p.list)
	p.list[at] = is
}

func on(o *schema.Object, key string) bool {
	v, _ := o.Get(key)
	return v == true
}

// At returns the people whose selection is a node.
func (p *People) At(node string) []Person {
	var at []Person
	for _, q := range p.list {
		if q.Node == node && node != "" {
			at = append(at, q)
		}
	}
	return at
}

// Shows is what a page shows to others.
type Shows struct {
	Node, Component, Field string
	Asks                   bool
	Forks                  []merge.Conflict
	At                     *model.Point // of the mouse in the form; nil if it is not over the canvas
}

// Tree returns what the page shows as an object, for a form that the page has.
func (s Shows) Tree(f *model.Form) *schema.Object {
	var members []schema.Member
	add := func(key, text string) {
		if text != "" {
			members = append(members, schema.Member{Key: key, Value: text})
		}
	}
	add("node", s.Node)
	add("component", s.Component)
	add("field", s.Field)
	if s.Asks {
		members = append(members, schema.Member{Key: "asks", Value: true})
	}
	if s.At != nil {
		members = append(members, schema.Member{Key: "at", Value: s.At.Tree()})
	}
	var forks []any
	for _, c := range s.Forks[:min(len(s.Forks), maxForks)] {
		text, ok := c.Mine.Tree.(string)
		if !ok || c.Secret() {
			text = ""
		}
		forks = append(forks, schema.NewObject(schema.Member{Key: "field", Value: FieldKey(f, c.Path)},
			schema.Member{Key: "text", Value: schema.Shorten(text, maxForkText)}))
	}
	if forks != nil {
		members = append(members, schema.Member{Key: "forks", Value: forks})
	}
	return schema.NewObject(members...)
}

// FieldKey returns the name of a property that is the same on all pages, whose paths may differ.
func FieldKey(f *model.Form, p schema.Path) string { return placeOf(f, p).key() }
