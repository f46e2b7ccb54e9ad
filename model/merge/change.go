package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ChangeKind tells what happened to the place of a Change.
type ChangeKind string

// The kinds of changes; the names are ours.
const (
	Added   ChangeKind = "added"   // it was not there
	Removed ChangeKind = "removed" // it is no longer there
	Changed ChangeKind = "changed" // it holds another value
	Moved   ChangeKind = "moved"   // it stands at another place of its list, or in another step
)

// Change is one difference between two forms, as an author thinks of it. What
// changed is a node, component, rule or hidden field as a whole, or one property
// of it or of the form.
type Change struct {
	Kind ChangeKind
	// Path is the place in the new form, also of a property that is gone. What
	// was removed from a list has its path in the old form.
	Path schema.Path
	// From is where an element that moved was in the old form, else nil.
	From schema.Path
	// Node, Component and Rule are the ids of what the change is in, as they are
	// written, malformed or not; "" where there is none. A component has its
	// step's id in Node.
	Node, Component, Rule string
	// Before and After are the values, both absent for a move. They may hold
	// secrets; String never shows them.
	Before, After Value

	owner  string      // what the change is in, in words
	origin string      // the step that a component came from, in words
	rest   schema.Path // the property inside the owner, empty for the owner itself
	secret bool
}

// Layout reports whether the change is of coordinates only: the form does the same
// as before.
func (c Change) Layout() bool { return isLayout(c.Path) }

func isLayout(p schema.Path) bool {
	at := model.PlaceOf(p)
	return (at.End != "" || at.Node >= 0 && at.Part() < 0) && len(at.Rest) == 1 && at.Rest[0].Key == "coordinates"
}

// Changes returns every difference between two forms but the order of members,
// in the order of the new form, what was removed where it was. It is empty exactly
// when the forms hold the same value, but for the properties that only a response
// has (id, the dates), which no author changes.
//
// Nodes, components (over the whole form), rules (in their router) and hidden
// fields (by key) are matched by id; those whose id is malformed or taken, by
// their place among such. An object of the tables, a map and what lies below a
// language are compared member by member; every other value, coordinates too, is
// one value. Of a list whose order changed, the fewest elements moved that explain
// it. An element that came or went is one change, with what it holds. The document
// names none of this; the choice is ours.
func Changes(base, now *model.Form) []Change {
	xs, opaque, ok := indexAll(base, now)
	c := &changer{base: xs[0], now: xs[1], opaque: opaque}
	form := owner{title: "form"}
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

// owner is what a change is in.
type owner struct {
	at                    schema.Path
	title                 string
	node, component, rule string
	hidden                string // the key of a hidden field
	secret                bool   // what it holds is never shown
}

type changer struct {
	base, now *index
	opaque    map[string]bool
	out       []Change
}

func (c *changer) add(o owner, kind ChangeKind, rest schema.Path, b, n Value, secret bool) {
	c.out = append(c.out, Change{
		Kind: kind, Path: o.at.Join(rest), Node: o.node, Component: o.component, Rule: o.rule,
		Before: b, After: n, owner: o.title, rest: rest, secret: secret || o.secret,
	})
}

func (c *changer) moved(o owner, from schema.Path, origin string) {
	c.out = append(c.out, Change{
		Kind: Moved, Path: o.at, From: from, Node: o.node, Component: o.component, Rule: o.rule, owner: o.title, origin: origin,
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

// value reports what differs at rest inside an owner.
func (c *changer) value(o owner, rest schema.Path, s schema.Spec, b, n Value) {
	if same(b, n) {
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

// list reports what differs between the rules of a router, or between the hidden
// fields.
func (c *changer) list(o owner, rest schema.Path, name string, item schema.Spec, base, now []any) {
	bk := listKeys(base, name, "", map[string]bool{})
	nk := listKeys(now, name, "", map[string]bool{})
	was, is := places(bk), places(nk)
	displaced := displaced(bk, nk)
	element := func(l []any, i int) owner {
		e := o
		e.at = o.at.Join(rest).Index(i)
		e.title = elementTitle(o.title, name, l[i])
		if name == "id" {
			e.rule = textOf(l[i], "id")
		}
		return e
	}
	for _, key := range weave(nk, bk) {
		i, had := was[key]
		j, has := is[key]
		switch {
		case !has:
			c.add(element(base, i), Removed, nil, present(base[i]), Value{}, false)
		case !had:
			c.add(element(now, j), Added, nil, Value{}, present(now[j]), false)
		default:
			e := element(now, j)
			if displaced[key] {
				c.moved(e, o.at.Join(rest).Index(i), "")
			}
			c.value(e, nil, item, present(base[i]), present(now[j]))
		}
	}
}

func places(keys []string) map[string]int {
	m := make(map[string]int, len(keys))
	for i, k := range keys {
		m[k] = i
	}
	return m
}

func textOf(v any, key string) string {
	o, _ := v.(*schema.Object)
	return o.Text(key)
}

func (x *index) nodeOwner(key string) owner {
	i := x.node[key]
	return owner{at: model.NodePath(i), node: textOf(x.list[i], "id"), title: model.NodeTitle(x.list[i])}
}

func (x *index) partOwner(key string) owner {
	p := x.parts[key]
	o := x.nodeOwner(p.node)
	o.at, o.component = model.ComponentPath(x.node[p.node], p.at), textOf(p.tree, "id")
	o.title += ": " + partTitle(p.tree)
	return o
}

// nodes reports what differs in the graph.
func (c *changer) nodes(b, n Value) {
	before := len(c.out)
	displaced := displaced(c.base.nodes, c.now.nodes)
	for _, key := range weave(c.now.nodes, c.base.nodes) {
		was, is := c.base.at(key), c.now.at(key)
		switch {
		case !is.Present:
			c.add(c.base.nodeOwner(key), Removed, nil, was, Value{}, false)
		case !was.Present:
			c.add(c.now.nodeOwner(key), Added, nil, Value{}, is, false)
			c.parts(key, true)
		default:
			if displaced[key] {
				c.moved(c.now.nodeOwner(key), model.NodePath(c.base.node[key]), "")
			}
			c.parts(key, c.node(key, was, is))
		}
	}
	if len(c.out) == before && !same(b, n) {
		c.add(owner{title: "form"}, kindOfChange(b, n), schema.Path{schema.Key("nodes")}, b, n, false)
	}
}

// node reports what differs in a node but for its components, and whether that
// reports components that came or went, too.
func (c *changer) node(key string, was, is Value) (whole bool) {
	bo, ok1 := was.Tree.(*schema.Object)
	no, ok2 := is.Tree.(*schema.Object)
	if bo == no && ok1 && ok2 {
		return false
	}
	o := c.now.nodeOwner(key)
	if !ok1 || !ok2 {
		if !same(was, is) {
			c.add(o, Changed, nil, was, is, false)
		}
		return true
	}
	table := model.NodeTable(model.NodeType(no.Text("type")))
	for _, k := range weave(memberKeys(no), memberKeys(bo)) {
		bv, nv := valueAt(bo, k), valueAt(no, k)
		at := schema.Path{schema.Key(k)}
		switch {
		case k != "config":
			s, _ := memberSpec(table, no, k)
			c.value(o, at, s, bv, nv)
		case c.opaque[key] || !same(valueAt(bo, "type"), valueAt(no, "type")):
			whole = true
			c.value(o, at, schema.Any{}, bv, nv)
		case c.now.isStep(key):
			c.stepConfig(o, table, bv, nv)
		default:
			s, _ := memberSpec(table, no, k)
			c.value(o, at, s, bv, nv)
		}
	}
	return whole
}

// stepConfig reports what differs in a step's config but for its components.
func (c *changer) stepConfig(o owner, table schema.Table, b, n Value) {
	row, _ := table.Row("config")
	at := schema.Path{schema.Key("config")}
	bo, _ := b.object()
	no, _ := n.object()
	if b.Present != n.Present && bo.Len()+no.Len() == 0 {
		c.add(o, kindOfChange(b, n), at, b, n, false)
	}
	for _, k := range weave(memberKeys(no), memberKeys(bo)) {
		bv, nv := valueAt(bo, k), valueAt(no, k)
		if k == "components" {
			// A list that came or went with its components is told by them.
			if bv.Present != nv.Present && len(bo.List(k))+len(no.List(k)) == 0 {
				c.add(o, kindOfChange(bv, nv), at.Key(k), bv, nv, false)
			}
			continue
		}
		s, _ := memberSpec(row.Spec, no, k)
		c.value(o, at.Key(k), s, bv, nv)
	}
}

// parts reports what differs in the components of a step. When the step's own
// change reports those that came and went, they are not reported again.
func (c *changer) parts(node string, told bool) {
	base, now := c.base.of[node], c.now.of[node]
	displaced := displaced(base, now)
	for _, key := range weave(now, base) {
		was, had := c.base.parts[key]
		is, has := c.now.parts[key]
		switch {
		case !has:
			if !told {
				c.add(c.base.partOwner(key), Removed, nil, present(was.tree), Value{}, false)
			}
		case is.node != node: // it is told where it went
		case !had:
			if !told {
				c.add(c.now.partOwner(key), Added, nil, Value{}, present(is.tree), false)
			}
		default:
			c.part(key, was, is, displaced[key])
		}
	}
}

func (c *changer) part(key string, was, is placed, displaced bool) {
	moved := displaced || was.node != is.node
	if !moved && schema.Equal(was.tree, is.tree) {
		return
	}
	o := c.now.partOwner(key)
	if moved {
		origin := ""
		if was.node != is.node {
			origin = model.NodeTitle(c.base.list[c.base.node[was.node]])
		}
		c.moved(o, model.ComponentPath(c.base.node[was.node], was.at), origin)
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
		// The config of another kind is another config.
		for _, k := range weave(memberKeys(no), memberKeys(bo)) {
			p := o
			p.secret = k == "config"
			c.value(p, schema.Path{schema.Key(k)}, schema.Any{}, valueAt(bo, k), valueAt(no, k))
		}
	}
}
