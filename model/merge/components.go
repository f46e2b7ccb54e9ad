package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// home returns the step to which a component belongs, and whether the two sides moved it to different steps. The component must be in mine
// or theirs.
func (g *merger) home(c string) (node string, conflict bool) {
	m, inM := g.m.components[c]
	t, inT := g.t.components[c]
	b, inB := g.b.components[c]
	switch {
	case !inM:
		return t.node, false
	case !inT || m.node == t.node:
		return m.node, false
	case inB && b.node == m.node:
		return t.node, false
	case inB && b.node == t.node:
		return m.node, false
	}
	return m.node, true
}

// settle returns the step of a component in the result, and the kind of conflict, "" for none. ok is false for a component that is removed.
func (g *merger) settle(c string) (node string, why ConflictKind, ok bool) {
	m, inM := g.m.components[c]
	t, inT := g.t.components[c]
	b, inB := g.b.components[c]
	switch {
	case inM && inT:
		node, both := g.home(c)
		if g.outcomes[node] == onlyMine && node != m.node {
			return m.node, "", true
		}
		switch {
		case both && inB:
			why = BothMoved
		case both:
			why = BothAdded
		}
		return node, why, true
	case inM:
		f := g.outcomes[m.node]
		if !inB || f == keptMine || f == onlyMine {
			return m.node, "", f != gone
		}
		return m.node, RemovedAndChanged, f != gone && (b.node != m.node || !schema.Equal(b.tree, m.tree))
	case inT:
		f := g.outcomes[t.node]
		if !inB || f == keptThem {
			return t.node, "", f != gone
		}
		return t.node, RemovedAndChanged, f != gone && (b.node != t.node || !schema.Equal(b.tree, t.tree))
	}
	return "", "", false
}

// components returns the components of a step in the result.
func (g *merger) components(o subject, key string) []any {
	keep := func(c string) bool {
		node, _, ok := g.settle(c)
		return ok && node == key
	}
	keys := g.ordered(o, componentsPath, g.b.of[key], g.m.of[key], g.t.of[key], keep)
	out := make([]any, len(keys))
	for i, c := range keys {
		out[i] = g.component(o, c, i)
	}
	return out
}

// component returns the i-th component of a step in the result.
func (g *merger) component(node subject, c string, i int) any {
	v := sides{g.b.component(c), g.m.component(c), g.t.component(c)}
	some := v.some()
	step, why, _ := g.settle(c)
	if r, ok := v.clear(); ok && why == "" && v.m.Present && v.t.Present {
		return r.Tree
	}
	o := node
	o.at, o.component = model.ComponentPath(g.place[step], i), textOf(some.Tree, "id")
	o.title += ": " + componentTitle(some.Tree)
	switch why {
	case BothMoved, BothAdded:
		w := v
		if why == BothMoved {
			w = sides{g.stepID(g.b, c), g.stepID(g.m, c), g.stepID(g.t, c)}
		}
		n := g.conflict(o, why, nil, w, false)
		n.anchor = g.t.anchorOf(c)
		if why == BothAdded {
			return v.m.Tree
		}
	case RemovedAndChanged:
		n := g.conflict(o, why, nil, v, false)
		n.anchor = g.t.anchorOf(c)
	default: // settle returns no other
	}
	bo, mo, to, ok := v.objects()
	switch {
	case !v.m.Present || !v.t.Present:
		return some.Tree
	case !ok:
		return g.value(o, nil, schema.Any{}, v).Tree
	case typesConflict(bo, mo, to):
		g.conflict(o, TypeChanged, nil, v, false)
		return v.m.Tree
	}
	// If the kinds differ, the tables of both contain what is left to merge.
	o.secret = model.KindOf(mo.Text("type")) == nil
	return g.value(o, nil, componentSpecOf(mo), v).Tree
}

// typesConflict reports whether two components with one key cannot be merged: one side changed the type and the other the config, or one
// side changed the category, on which every property depends, and the other anything.
func typesConflict(b, m, t *schema.Object) bool {
	if sameKind(m, t) {
		return false
	}
	depends := func(side *schema.Object) bool {
		if !same(valueAt(m, "category"), valueAt(t, "category")) {
			return !schema.Equal(b, side)
		}
		return !same(valueAt(b, "config"), valueAt(side, "config"))
	}
	switch {
	case sameKind(b, m):
		return depends(m)
	case sameKind(b, t):
		return depends(t)
	}
	return true
}

func (g *merger) stepID(x *index, c string) Value {
	p, ok := x.components[c]
	if !ok {
		return Value{}
	}
	return present(textOf(x.at(p.node).Tree, "id"))
}
