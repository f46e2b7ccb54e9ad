package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ConflictKind says why two sides of a merge contradict each other.
type ConflictKind string

// The kinds of conflicts; the names are ours.
const (
	// BothChanged: one value became two different ones. The result has mine.
	BothChanged ConflictKind = "changed"
	// RemovedAndChanged: one side removed what the other changed. The result
	// keeps it as changed, so that nothing is lost.
	RemovedAndChanged ConflictKind = "removed"
	// RemovedAndUsed: one side removed a node that the other side newly points
	// to. The result keeps the node.
	RemovedAndUsed ConflictKind = "used"
	// TypeChanged: one side gave an element another type while the other
	// changed what depends on it. The result has mine whole.
	TypeChanged ConflictKind = "type"
	// BothMoved: a component went to two different steps. The result has it
	// where mine has it. Base, Mine and Theirs hold the ids of the steps.
	BothMoved ConflictKind = "moved"
	// BothAdded: two components with one id were added to different steps. The
	// result has mine.
	BothAdded ConflictKind = "added"
	// BothOrdered: a list was put into two different orders. The result has
	// mine. Base, Mine and Theirs hold the lists of ids.
	BothOrdered ConflictKind = "order"
)

// Conflict is one place where the two sides of a merge contradict each other.
type Conflict struct {
	Kind ConflictKind
	// Path is the place in the merged form.
	Path schema.Path
	// Node, Component and Rule are the ids of what the conflict is in, "" where
	// there is none.
	Node, Component, Rule string
	// Base, Mine and Theirs are the values. They may hold secrets; String never
	// shows them. A whole step is as that side had it, a step's config is without
	// its components, which are merged one by one.
	Base, Mine, Theirs Value

	subject  subject
	rest     schema.Path
	anchor   anchor       // of a component, where theirs has it
	restored []model.Edge // into a node that stays: as the side that removed it has them
	secret   bool
}

// Layout reports whether the conflict is of coordinates only, so that a caller may
// pass over it: mine was taken.
func (c Conflict) Layout() bool { return isLayout(c.Path) }

// Forms merges two forms that were made from base. The result is mine with what
// theirs changed; the conflicts are in document order, nil when there is none. It
// works on any forms, valid or not; of valid ones without conflicts it makes one
// that has no problem beyond those of the two sides. The API defines no merge; the
// rules are ours:
//
//   - What one side changed has its value; so has what both changed alike. What is
//     compared member by member is merged that way, see [Changes]; the rest is one value.
//   - What one side removed and the other changed stays as changed and is a conflict.
//   - Elements of one id that both added are merged as if base had an empty one.
//     Only components that were added to different steps are not: mine stays, so
//     that ids stay unique.
//   - A component that one side moved and the other edited is moved and edited.
//   - A list has the order of the side that changed it, mine when both did and
//     differ. What a side added comes after the neighbour it has there; where
//     both added after one, the lesser first id comes first, so that it does not
//     matter which side merges.
//   - A node that one side removed and the other newly points to stays as it is.
//   - A node that stays against a removal keeps the edges into it.
//   - Properties that only a response has are theirs, where theirs has them or
//     base had them.
func Forms(base, mine, theirs *model.Form) (*model.Form, []Conflict) {
	xs, opaque, ok := indexAll(base, mine, theirs)
	g := &merger{b: xs[0], m: xs[1], t: xs[2], opaque: opaque, used: map[string]bool{}}
	if ok {
		g.decide()
	}
	for {
		g.conflicts = nil
		f := mine.Derive(g.form(ok))
		if !ok || !g.keepUsed(f) {
			if ok {
				f = g.restoreEdges(f)
			}
			sortConflicts(f.Tree(), g.conflicts)
			return f, g.conflicts
		}
	}
}

// sortConflicts sorts conflicts into document order.
func sortConflicts(tree *schema.Object, cs []Conflict) {
	ps := make(schema.Problems, len(cs))
	for i, c := range cs {
		ps[i] = schema.Problem{Path: c.Path, Offset: i}
	}
	schema.Sort(tree, ps)
	old := slices.Clone(cs)
	for i, p := range ps {
		cs[i] = old[p.Offset]
	}
}

// merger holds one merge. The outcomes of nodes and the homes of components are
// decided first, from the three forms; then the tree is made.
type merger struct {
	b, m, t   *index
	opaque    map[string]bool
	outcomes  map[string]outcome
	used      map[string]bool // nodes that stay because they are pointed to
	nodes     []string        // of the result, in order
	place     map[string]int
	conflicts []Conflict
}

// sides is a value as it is in base, mine and theirs.
type sides struct{ b, m, t Value }

func (v sides) objects() (b, m, t *schema.Object, ok bool) {
	b, _ = v.b.Tree.(*schema.Object)
	m, ok1 := v.m.object()
	t, ok2 := v.t.object()
	return b, m, t, ok1 && ok2
}

func (v sides) member(key string) sides {
	b, _ := v.b.Tree.(*schema.Object)
	m, _ := v.m.Tree.(*schema.Object)
	t, _ := v.t.Tree.(*schema.Object)
	return sides{valueAt(b, key), valueAt(m, key), valueAt(t, key)}
}

// some returns the value of mine, that of theirs where mine has none.
func (v sides) some() Value {
	if v.m.Present {
		return v.m
	}
	return v.t
}

// clear returns the value that one side changed or that both changed alike, and whether
// there is one.
func (v sides) clear() (Value, bool) {
	switch {
	case same(v.m, v.t), same(v.b, v.t):
		return v.m, true
	case same(v.b, v.m):
		return v.t, true
	}
	return Value{}, false
}

// form makes the tree of the result.
func (g *merger) form(graph bool) *schema.Object {
	v := sides{present(g.b.form.Tree()), present(g.m.form.Tree()), present(g.t.form.Tree())}
	form := subject{title: "form"}
	return g.object(v, func(key string, v sides) Value {
		at := schema.Path{schema.Key(key)}
		if model.ResponseOnly(key) {
			if v.t.Present || v.b.Present {
				return v.t
			}
			return v.m
		}
		if key == "nodes" && graph {
			return g.graph(v)
		}
		r, known := model.ContentTable().Row(key)
		if !known {
			r.Spec = schema.Any{}
		}
		return g.value(form, at, r.Spec, v)
	})
}

// object merges objects by the members that one of the sides has.
func (g *merger) object(v sides, member func(key string, v sides) Value) *schema.Object {
	_, m, t, _ := v.objects()
	mk := memberKeys(m)
	keys := mk
	if t.Len() > 0 {
		keys = weave(mk, memberKeys(t))
	}
	members := make([]schema.Member, 0, len(keys))
	for _, key := range keys {
		if r := member(key, v.member(key)); r.Present {
			members = append(members, schema.Member{Key: key, Value: r.Tree})
		}
	}
	return shared(v, schema.NewObject(members...)).(*schema.Object)
}

// shared returns the value of a side that a merged value equals, mine first, so that
// what the merge did not touch is not copied.
func shared(v sides, merged any) any {
	for _, side := range []Value{v.m, v.t} {
		if side.Present && schema.Equal(side.Tree, merged) {
			return side.Tree
		}
	}
	return merged
}

// value merges a value at rest inside a subject.
func (g *merger) value(o subject, rest schema.Path, s schema.Spec, v sides) Value {
	if r, ok := v.clear(); ok {
		return r
	}
	kind, result := BothChanged, v.m
	switch {
	case !v.m.Present:
		kind, result = RemovedAndChanged, v.t
	case !v.t.Present:
		kind = RemovedAndChanged
	default:
		if name := model.ElementKey(s); name != "" {
			ml, ok1 := v.m.Tree.([]any)
			tl, ok2 := v.t.Tree.([]any)
			if ok1 && ok2 {
				bl, _ := v.b.list()
				return present(g.list(o, rest, name, s.(schema.List).Item, bl, ml, tl))
			}
		}
		if _, m, t, ok := v.objects(); ok && byMember(s, m, t) {
			return present(g.object(v, func(key string, v sides) Value {
				spec, _ := memberSpec(s, m, key)
				return g.value(o, rest.Key(key), spec, v)
			}))
		}
	}
	g.conflict(o, kind, rest, v, schema.HoldsSecret(s))
	return result
}

func (g *merger) conflict(o subject, kind ConflictKind, rest schema.Path, v sides, secret bool) *Conflict {
	g.conflicts = append(g.conflicts, Conflict{
		Kind: kind, Path: o.at.Join(rest), Node: o.node, Component: o.component, Rule: o.rule,
		Base: v.b, Mine: v.m, Theirs: v.t, subject: o, rest: rest, secret: secret || o.secret,
	})
	return &g.conflicts[len(g.conflicts)-1]
}
