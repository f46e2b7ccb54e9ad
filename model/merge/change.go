package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// ChangeKind says what happened at the path of a Change.
type ChangeKind string

// The kinds of changes; the names are ours.
const (
	Added   ChangeKind = "added"   // it did not exist
	Removed ChangeKind = "removed" // it no longer exists
	Changed ChangeKind = "changed" // it has another value
	Moved   ChangeKind = "moved"   // it is at another place in its list, or in another step
)

// Change is one difference between two forms, as an author thinks of it: of a whole node, component, rule or hidden field, or of one
// property of it or of the form.
type Change struct {
	Kind ChangeKind
	// Path is the path in the new form, even for a property that was removed. An element that was removed from a list has its path in the
	// old form.
	Path schema.Path
	// From is the old path of an element that moved, else nil.
	From schema.Path
	// Node, Component and Rule are the ids of the elements that contain the change, as written, malformed or not; "" if there is none. For
	// a component, Node is the id of its step.
	Node, Component, Rule string
	// Before and After are the values. Both are absent for a move. They may contain secrets, which String never shows.
	Before, After Value

	subject string      // the element that contains the change, in words
	origin  string      // the step that a component came from, in words
	rest    schema.Path // the property inside the subject, empty for the subject itself
	secret  bool
}

// Layout reports whether only coordinates changed, so that the form behaves as before.
func (c Change) Layout() bool { return isLayout(c.Path) }

func isLayout(p schema.Path) bool {
	at := model.PlaceOf(p)
	return (at.End != "" || at.Node >= 0 && at.Part() < 0) && len(at.Rest) == 1 && at.Rest[0].Key == "coordinates"
}

// Changes returns every difference between two forms except the order of members, in the order of the new form; removed elements are listed
// where they were. It is empty exactly when the forms have the same value, apart from the properties that only a response has (id, the
// dates), which no author changes.
//
// Nodes, components (over the whole form), rules (in their router) and hidden fields (by key) are matched by id; those whose id is
// malformed or taken are matched by their order among those. An object of the tables, a map and everything below a language are compared
// member by member. Every other value, including coordinates, is compared as a whole. If the order of a list changed, the fewest moves that
// explain it are reported. An element that was added or removed is one change, with its content. The API does not define this; it is our
// choice.
func Changes(base, now *model.Form) []Change {
	xs, opaque, ok := indexAll(base, now)
	c := &changer{base: xs[0], now: xs[1], opaque: opaque}
	form := subject{title: "form"}
	for _, key := range weave(memberKeys(now.Tree()), memberKeys(base.Tree())) {
		if model.ResponseOnly(key) {
			continue
		}
		at := schema.Path{schema.Key(key)}
		b, n := valueAt(base.Tree(), key), valueAt(now.Tree(), key)
		if key == "nodes" && ok {
			c.nodes(b, n)
			continue
		}
		r, known := model.ContentTable().Row(key)
		if !known {
			r.Spec = schema.Any{}
		}
		c.value(form, at, r.Spec, b, n)
	}
	return c.out
}

// subject is the element that contains a change.
type subject struct {
	at                    schema.Path
	title                 string
	node, component, rule string
	hidden                string // the key of a hidden field
	secret                bool   // its content is never shown
	step                  bool   // its components are compared separately
}

type changer struct {
	base, now *index
	opaque    map[string]bool
	out       []Change
}

func (c *changer) add(o subject, kind ChangeKind, rest schema.Path, b, n Value, secret bool) {
	c.out = append(c.out, Change{
		Kind: kind, Path: o.at.Join(rest), Node: o.node, Component: o.component, Rule: o.rule,
		Before: b, After: n, subject: o.title, rest: rest, secret: secret || o.secret,
	})
}

func (c *changer) moved(o subject, from schema.Path, origin string) {
	c.out = append(c.out, Change{
		Kind: Moved, Path: o.at, From: from, Node: o.node, Component: o.component, Rule: o.rule, subject: o.title, origin: origin,
	})
}

func kindOfChange(b, n Value) ChangeKind {
	switch {
	case !b.Present:
		return Added
	case !n.Present:
		return Removed
	}
	return Changed
}

// value reports the differences at rest inside a subject.
func (c *changer) value(o subject, rest schema.Path, s schema.Spec, b, n Value) {
	if same(b, n) {
		return
	}
	if o.step && rest.Equal(componentsPath) {
		// If the list was added or removed, the changes of its components show it.
		bl, _ := b.list()
		nl, _ := n.list()
		if b.Present != n.Present && len(bl)+len(nl) == 0 {
			c.add(o, kindOfChange(b, n), rest, b, n, false)
		}
		return
	}
	if name := model.ElementKey(s); name != "" {
		bl, ok1 := b.list()
		nl, ok2 := n.list()
		if ok1 && ok2 && len(bl)+len(nl) > 0 {
			c.list(o, rest, name, s.(schema.List).Item, bl, nl)
			return
		}
	}
	bo, ok1 := b.object()
	no, ok2 := n.object()
	if ok1 && ok2 && bo.Len()+no.Len() > 0 && byMember(s, bo, no) {
		for _, key := range weave(memberKeys(no), memberKeys(bo)) {
			bv, nv := valueAt(bo, key), valueAt(no, key)
			if !same(bv, nv) {
				spec, _ := memberSpec(s, no, key)
				c.value(o, rest.Key(key), spec, bv, nv)
			}
		}
		return
	}
	c.add(o, kindOfChange(b, n), rest, b, n, schema.HoldsSecret(s))
}

// list reports the differences between the rules of a router, or between hidden fields.
func (c *changer) list(o subject, rest schema.Path, name string, item schema.Spec, base, now []any) {
	b, n := newElements(base, name), newElements(now, name)
	moved := reordered(b.keys, n.keys)
	for _, key := range weave(n.keys, b.keys) {
		was, is := b.at(key), n.at(key)
		switch {
		case !is.Present:
			c.add(o.element(rest, name, b.place[key], was.Tree), Removed, nil, was, Value{}, false)
		case !was.Present:
			c.add(o.element(rest, name, n.place[key], is.Tree), Added, nil, Value{}, is, false)
		default:
			e := o.element(rest, name, n.place[key], is.Tree)
			if moved[key] {
				c.moved(e, o.at.Join(rest).Index(b.place[key]), "")
			}
			c.value(e, nil, item, was, is)
		}
	}
}

// element returns the i-th element of a list at rest in the subject: a rule or a hidden
// field, identified by the property name.
func (o subject) element(rest schema.Path, name string, i int, tree any) subject {
	id := textOf(tree, name)
	o.at = o.at.Join(rest).Index(i)
	if name == "id" {
		o.rule, o.title = id, o.title+": rule "+model.IDTitle(id)
	} else {
		o.hidden, o.title = id, o.title+": hidden field "+model.IDTitle(id)
	}
	return o
}

func textOf(v any, key string) string {
	o, _ := v.(*schema.Object)
	return o.Text(key)
}

func (x *index) nodeSubject(key string) subject {
	i := x.place[key]
	return subject{at: model.NodePath(i), node: textOf(x.list[i], "id"), title: model.NodeTitle(x.list[i])}
}

func (x *index) componentSubject(key string) subject {
	p := x.components[key]
	o := x.nodeSubject(p.node)
	o.at, o.component = model.ComponentPath(x.place[p.node], p.at), textOf(p.tree, "id")
	o.title += ": " + componentTitle(p.tree)
	return o
}

// nodes reports the differences in the graph.
func (c *changer) nodes(b, n Value) {
	before := len(c.out)
	moved := reordered(c.base.keys, c.now.keys)
	for _, key := range weave(c.now.keys, c.base.keys) {
		pause.Now()
		was, is := c.base.at(key), c.now.at(key)
		switch {
		case !is.Present:
			c.add(c.base.nodeSubject(key), Removed, nil, was, Value{}, false)
		case !was.Present:
			c.add(c.now.nodeSubject(key), Added, nil, Value{}, is, false)
			c.components(key, true)
		default:
			if moved[key] {
				c.moved(c.now.nodeSubject(key), model.NodePath(c.base.place[key]), "")
			}
			c.components(key, c.node(key, was, is))
		}
	}
	if len(c.out) == before && !same(b, n) {
		c.add(subject{title: "form"}, kindOfChange(b, n), schema.Path{schema.Key("nodes")}, b, n, false)
	}
}

// node reports the differences in a node apart from its components, and whether they cover components that were added or removed.
func (c *changer) node(key string, was, is Value) (whole bool) {
	bo, ok1 := was.Tree.(*schema.Object)
	no, ok2 := is.Tree.(*schema.Object)
	if bo == no && ok1 && ok2 {
		return false
	}
	o := c.now.nodeSubject(key)
	o.step = c.now.isStep(key)
	if !ok1 || !ok2 {
		if !same(was, is) {
			c.add(o, Changed, nil, was, is, false)
		}
		return true
	}
	table := model.NodeTable(model.NodeType(no.Text("type")))
	for _, k := range weave(memberKeys(no), memberKeys(bo)) {
		s, _ := memberSpec(table, no, k)
		if k == "config" && (c.opaque[key] || !same(valueAt(bo, "type"), valueAt(no, "type"))) {
			whole, s = true, schema.Any{}
		}
		c.value(o, schema.Path{schema.Key(k)}, s, valueAt(bo, k), valueAt(no, k))
	}
	return whole
}

// components reports the differences in the components of a step. If covered, the change of the step already covers those that were added
// or removed.
func (c *changer) components(node string, covered bool) {
	base, now := c.base.of[node], c.now.of[node]
	moved := reordered(base, now)
	for _, key := range weave(now, base) {
		was, had := c.base.components[key]
		is, has := c.now.components[key]
		switch {
		case !has:
			if !covered {
				c.add(c.base.componentSubject(key), Removed, nil, present(was.tree), Value{}, false)
			}
		case is.node != node: // reported in the step to which it moved
		case !had:
			if !covered {
				c.add(c.now.componentSubject(key), Added, nil, Value{}, present(is.tree), false)
			}
		default:
			c.component(key, was, is, moved[key])
		}
	}
}

func (c *changer) component(key string, was, is location, moved bool) {
	moved = moved || was.node != is.node
	if !moved && schema.Equal(was.tree, is.tree) {
		return
	}
	o := c.now.componentSubject(key)
	if moved {
		origin := ""
		if was.node != is.node {
			origin = model.NodeTitle(c.base.list[c.base.place[was.node]])
		}
		c.moved(o, model.ComponentPath(c.base.place[was.node], was.at), origin)
	}
	bo, ok1 := was.tree.(*schema.Object)
	no, ok2 := is.tree.(*schema.Object)
	switch {
	case !ok1 || !ok2:
		c.value(o, nil, schema.Any{}, present(was.tree), present(is.tree))
	case sameKind(bo, no):
		o.secret = model.KindOf(no.Text("type")) == nil
		c.value(o, nil, componentSpecOf(no), present(bo), present(no))
	default:
		// Configs of two kinds have no properties in common.
		for _, k := range weave(memberKeys(no), memberKeys(bo)) {
			p := o
			p.secret = k == "config"
			c.value(p, schema.Path{schema.Key(k)}, schema.Any{}, valueAt(bo, k), valueAt(no, k))
		}
	}
}
