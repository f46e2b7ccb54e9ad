package comments

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// person is somebody who comments, or whom a comment mentions.
type person struct{ sub, name string }

func personOf(o *schema.Object) person { return person{o.Text("sub"), o.Text("name")} }

func (p person) tree() *schema.Object {
	return schema.NewObject(schema.Member{Key: "sub", Value: p.sub}, schema.Member{Key: "name", Value: p.name})
}

// called returns the name of a person for people.
func (p person) called() string { return cmp.Or(p.name, "Somebody") }

// remark is a comment.
type remark struct {
	id, text        string
	by              person // nobody if the author deleted it
	created, edited time.Time
	mentions        []person
	unread          bool // mentions the viewer and is unread
}

// gone reports whether the author deleted it.
func (r *remark) gone() bool { return r.text == "" }

// place is what a thread is about; the zero value is the whole form.
type place struct{ node, component string }

// thread is a comment with the replies to it.
type thread struct {
	place
	remarks    []remark // the first one began it
	resolvedBy person
	resolved   time.Time // zero if it is open
}

func (t *thread) id() string { return t.remarks[0].id }

func (t *thread) open() bool { return t.resolved.IsZero() }

// last returns when somebody wrote last.
func (t *thread) last() time.Time { return t.remarks[len(t.remarks)-1].created }

// unread reports whether one of its comments is for the person and unread.
func (t *thread) unread() bool {
	return slices.ContainsFunc(t.remarks, func(r remark) bool { return r.unread })
}

// threadsOf reads the comments on a form, the thread with the last comment first. A reply whose thread is not there is left out.
func threadsOf(list []any) []*thread {
	var all []*thread
	by := map[string]*thread{}
	instant := func(o *schema.Object, key string) time.Time {
		at, _ := time.Parse(time.RFC3339, o.Text(key))
		return at
	}
	for _, replies := range []bool{false, true} {
		for _, v := range list {
			o, _ := v.(*schema.Object)
			id := o.Text("id")
			if o == nil || (o.Text("thread") != id) != replies {
				continue
			}
			r := remark{
				id: id, text: o.Text("text"), by: personOf(o.Object("author")), created: instant(o, "created_at"), edited: instant(o, "edited_at"),
			}
			for _, m := range o.List("mentions") {
				m, _ := m.(*schema.Object)
				r.mentions = append(r.mentions, personOf(m))
			}
			unread, _ := o.Get("unread")
			r.unread = unread == true
			if t := by[o.Text("thread")]; replies && t != nil {
				t.remarks = append(t.remarks, r)
			} else if !replies {
				t := &thread{
					place: place{o.Text("node"), o.Text("component")}, remarks: []remark{r}, resolved: instant(o, "resolved_at"),
					resolvedBy: personOf(o.Object("resolved_by")),
				}
				by[id] = t
				all = append(all, t)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *thread) int { return b.last().Compare(a.last()) })
	return all
}

// where finds places in the form. A place keeps to its element when the element is renamed, and to a component when that moves to another node.
type where struct {
	form    *model.Form
	nodes   map[string]*model.Node // by key
	parts   map[string]spotted     // by the id of the component
	order   map[string]int         // of the nodes, by key
	renamed flow.Renames
}

// spotted is a component with the key of its node.
type spotted struct {
	*model.Component

	node string
}

// follow takes the next form.
func (w *where) follow(f *model.Form) {
	if w.form == f {
		return
	}
	if w.form != nil {
		r := flow.RenamesOf(w.form, f)
		w.renamed.Nodes, w.renamed.Components = joined(w.renamed.Nodes, r.Nodes), joined(w.renamed.Components, r.Components)
	}
	w.form = f
	w.nodes, w.parts, w.order = map[string]*model.Node{}, map[string]spotted{}, map[string]int{"": -2, model.StartID: -1, model.EndingID: len(f.Nodes)}
	for i, key := range f.Keys() {
		n := f.Nodes[i]
		w.nodes[key], w.order[key] = n, i
		if s, ok := n.Config.(*model.Step); ok {
			for _, c := range s.Components {
				if _, taken := w.parts[c.ID]; !taken {
					w.parts[c.ID] = spotted{c, key}
				}
			}
		}
	}
}

func joined(a, b map[string]string) map[string]string {
	if a == nil {
		a = map[string]string{}
	}
	maps.Copy(a, b)
	return a
}

// find returns a place as it is now, and whether the form still has it.
func (w *where) find(p place) (place, bool) {
	if p.component != "" {
		id := latest(w.renamed.Components, p.component, func(id string) bool { return w.parts[id].Component != nil })
		if c := w.parts[id]; c.Component != nil {
			return place{c.node, id}, true
		}
		return p, false
	}
	id := latest(w.renamed.Nodes, p.node, func(id string) bool { return w.nodes[id] != nil })
	_, there := w.order[id]
	return place{node: id}, there
}

// latest follows the new names of an id until there is such an element.
func latest(names map[string]string, id string, there func(string) bool) string {
	for range len(names) {
		next, ok := names[id]
		if !ok || there(id) {
			break
		}
		id = next
	}
	return id
}

// name returns what people call a place, and its icon. A place that is gone is called by its ids.
func (w *where) name(p place) (name, icon string) {
	if p.node == "" {
		return "The whole form", "form"
	}
	switch p.node {
	case model.StartID:
		name, icon = "Start", "start"
	case model.EndingID:
		name, icon = "Ending", "ending"
	default:
		name, icon = p.node, "unknown"
		if n := w.nodes[p.node]; n != nil {
			name = cmp.Or(n.Alias, n.Title())
			if k := model.NodeKindOf(n.Type); k != nil {
				icon = k.Icon
			}
		}
	}
	if p.component == "" {
		return name, icon
	}
	c := w.parts[p.component]
	if c.Component == nil {
		return name + " › " + p.component, "unknown"
	}
	if icon = "unknown"; c.Kind != nil {
		icon = c.Kind.Icon
	}
	return name + " › " + caption.Component(c.Component), icon
}
