package merge

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/schema"
)

// outcome is what the merge does with a node.
type outcome int

const (
	gone      outcome = iota
	merged            // both sides have it
	addedMine         // only mine has it
	addedThem         // only theirs has it
	keptMine          // theirs removed it, mine changed it or points to it
	keptThem          // mine removed it, theirs changed it or points to it
	onlyMine          // both have it, and they cannot be merged
)

// decide sets the outcome of every node.
func (g *merger) decide() {
	g.outcomes = map[string]outcome{}
	for _, key := range g.m.keys {
		pause.Now()
		b, m, t := g.b.at(key), g.m.at(key), g.t.at(key)
		switch {
		case t.Present && g.typeConflict(key, b, m, t):
			g.outcomes[key] = onlyMine
		case t.Present:
			g.outcomes[key] = merged
		case !b.Present:
			g.outcomes[key] = addedMine
		case g.touched(key, g.m, g.t, true):
			g.outcomes[key] = keptMine
		}
	}
	for _, key := range g.t.keys {
		pause.Now()
		switch {
		case g.m.at(key).Present:
		case !g.b.at(key).Present:
			g.outcomes[key] = addedThem
		case g.touched(key, g.t, g.m, true):
			g.outcomes[key] = keptThem
		}
	}
}

// typeConflict reports whether two nodes with one key cannot be merged: one side changed the type and the other a property that depends on
// it.
func (g *merger) typeConflict(key string, b, m, t Value) bool {
	typ := sides{b, m, t}.member("type")
	switch {
	case same(typ.m, typ.t):
		return false
	case same(typ.b, typ.m):
		return g.touched(key, g.m, g.t, false)
	case same(typ.b, typ.t):
		return g.touched(key, g.t, g.m, false)
	}
	return true
}

// touched reports whether a side changed a node of base: its components, its config or, with all, any other property. Removals and
// reorderings do not count, since removing the node loses nothing of them. Neither does a component that is now in another step, with its
// changes.
func (g *merger) touched(key string, side, other *index, all bool) bool {
	b, s := g.b.at(key), side.at(key)
	bo, ok1 := b.Tree.(*schema.Object)
	so, ok2 := s.Tree.(*schema.Object)
	if !ok1 || !ok2 {
		return !same(b, s)
	}
	if all && !schema.Equal(bo.Without("config"), so.Without("config")) || !same(g.ownConfig(key, bo), g.ownConfig(key, so)) {
		return true
	}
	for _, c := range side.of[key] {
		if was, ok := g.b.components[c]; !ok || was.node != key {
			if home, _ := g.home(c); home == key {
				return true
			}
		} else if _, ok := other.components[c]; !ok && !schema.Equal(was.tree, side.components[c].tree) {
			return true
		}
	}
	return false
}

// ownConfig returns the config of a node without the components, which are merged over the whole form.
func (g *merger) ownConfig(key string, node *schema.Object) Value {
	v := valueAt(node, "config")
	if o, ok := v.Tree.(*schema.Object); ok && g.hasComponents(key, node) {
		v.Tree = o.Without("components")
	}
	return v
}

// hasComponents reports whether the components of a node are merged over the whole form.
func (g *merger) hasComponents(key string, node *schema.Object) bool {
	return !g.opaque[key] && node.Text("type") == string(model.StepNode)
}

// graph returns the nodes of the result.
func (g *merger) graph(v sides) Value {
	keep := func(key string) bool { return g.outcomes[key] != gone }
	g.nodes = g.ordered(subject{title: "form"}, schema.Path{schema.Key("nodes")}, g.b.keys, g.m.keys, g.t.keys, keep)
	g.place = places(g.nodes)
	out := make([]any, len(g.nodes))
	for i, key := range g.nodes {
		pause.Now()
		out[i] = g.node(key, i)
	}
	if len(out) == 0 {
		// Merge whether there is an empty list.
		has := sides{Value{Present: v.b.Present}, Value{Present: v.m.Present}, Value{Present: v.t.Present}}
		if r, _ := has.clear(); !r.Present {
			return Value{}
		}
		return present([]any{})
	}
	return present(shared(v, out))
}

// node returns the i-th node of the result.
func (g *merger) node(key string, i int) any {
	v := sides{g.b.at(key), g.m.at(key), g.t.at(key)}
	some := v.some()
	o := subject{at: model.NodePath(i), node: textOf(some.Tree, "id"), title: model.NodeTitle(some.Tree)}
	whole := v
	switch g.outcomes[key] {
	case keptMine, keptThem:
		kind := RemovedAndChanged
		if g.used[key] {
			kind = RemovedAndUsed
		}
		g.conflict(o, kind, nil, v, false)
		// The node stays as it is on its side, so the rest of the merge treats it as if only that side had it.
		whole = sides{m: v.m, t: v.t}
	case onlyMine:
		g.conflict(o, TypeChanged, nil, v, false)
		whole = sides{m: v.m}
	case gone, merged, addedMine, addedThem:
	}
	_, isObject := some.Tree.(*schema.Object)
	if _, _, _, ok := whole.objects(); !ok || !isObject {
		return g.value(o, nil, schema.Any{}, whole).Tree
	}
	typ := typeOf(whole)
	table := model.NodeTable(typ)
	return g.object(whole, func(k string, v sides) Value {
		at := schema.Path{schema.Key(k)}
		switch {
		case k != "config":
			s, _ := memberSpec(table, nil, k)
			return g.value(o, at, s, v)
		case g.opaque[key]:
			return g.value(o, at, schema.Any{}, v)
		}
		return g.config(o, key, table, whole, typ == model.StepNode)
	})
}

// typeOf returns the type of a merged node.
func typeOf(v sides) model.NodeType {
	r, ok := v.member("type").clear()
	if !ok {
		r = v.member("type").m
	}
	s, _ := r.Tree.(string)
	return model.NodeType(s)
}

// config returns the config of a node in the result.
func (g *merger) config(o subject, key string, table schema.Table, node sides, step bool) Value {
	b, m, t, _ := node.objects()
	row, _ := table.Row("config")
	own := sides{g.ownConfig(key, b), g.ownConfig(key, m), g.ownConfig(key, t)}
	r := g.value(o, schema.Path{schema.Key("config")}, row.Spec, own)
	if !step {
		return r
	}
	list := g.components(o, key)
	has := func(node *schema.Object) Value {
		return Value{Present: g.hasComponents(key, node) && node.Object("config").Has("components")}
	}
	there, _ := sides{has(b), has(m), has(t)}.clear()
	if len(list) == 0 && (!there.Present || !r.Present) {
		return r
	}
	config, _ := r.object()
	return present(shared(sides{m: valueAt(m, "config"), t: valueAt(t, "config")}, config.With("components", list)))
}

// keepUsed finds nodes that one side removed and that are still pointed to. It restores them, with the nodes that they point to, and
// reports whether there were any.
func (g *merger) keepUsed(f *model.Form) bool {
	var found bool
	var dangling [2]map[string]bool
	keep := func(to model.Pointer) *index {
		key := string(to)
		if g.outcomes[key] != gone || !model.ValidIdentifier(key) {
			return nil
		}
		side, other, f, i := g.m, g.t, keptMine, 1
		if !side.at(key).Present {
			side, other, f, i = g.t, g.m, keptThem, 0
		}
		if !side.at(key).Present {
			return nil
		}
		// If the side that removed the node still points to it, the problem existed before.
		if dangling[i] == nil {
			dangling[i] = map[string]bool{}
			for _, e := range other.form.Edges() {
				dangling[i][string(e.To)] = true
			}
		}
		if dangling[i][key] {
			return nil
		}
		g.outcomes[key], g.used[key], found = f, true, true
		return side
	}
	type restored struct {
		side *index
		key  string
	}
	var work []restored
	for _, e := range f.Edges() {
		if side := keep(e.To); side != nil {
			work = append(work, restored{side, string(e.To)})
		}
	}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for _, out := range w.side.form.Outs(w.side.place[w.key]) {
			if side := keep(out.To); side != nil {
				work = append(work, restored{side, string(out.To)})
			}
		}
	}
	return found
}
