package merge

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// ConflictKind is the reason why two sides of a merge contradict each other.
type ConflictKind string

// The kinds of conflicts; the names are ours.
const (
	// BothChanged: both sides changed a value differently. The result has mine.
	BothChanged ConflictKind = "changed"
	// RemovedAndChanged: one side removed what the other changed. The result
	// keeps it with the change, so that nothing is lost.
	RemovedAndChanged ConflictKind = "removed"
	// RemovedAndUsed: one side removed a node that the other side newly points
	// to. The result keeps the node.
	RemovedAndUsed ConflictKind = "used"
	// TypeChanged: one side changed the type of an element while the other
	// changed what depends on it. The result has mine as a whole.
	TypeChanged ConflictKind = "type"
	// BothMoved: the sides moved a component to different steps. In the result it is where mine has it. Base, Mine and Theirs hold the ids
	// of the steps.
	BothMoved ConflictKind = "moved"
	// BothAdded: the sides added components with one id to different steps. The
	// result has mine.
	BothAdded ConflictKind = "added"
	// BothRenamed: both sides gave an element another id. The result has theirs, which others may know already. Base, Mine and Theirs
	// hold the ids.
	BothRenamed ConflictKind = "renamed"
	// BothOrdered: both sides changed the order of a list differently. The result has
	// mine. Base, Mine and Theirs hold the lists of ids.
	BothOrdered ConflictKind = "order"
)

// Conflict is one place where the two sides of a merge contradict each other.
type Conflict struct {
	Kind ConflictKind
	// Path is the place in the merged form.
	Path schema.Path
	// Node, Component and Rule are the ids of the elements that contain the conflict, "" if there is none.
	Node, Component, Rule string
	// Base, Mine and Theirs are the values. They may contain secrets, which String never shows. A whole step includes its components; the
	// config of a step does not, since they are merged one by one.
	Base, Mine, Theirs Value

	subject  subject
	rest     schema.Path
	anchor   anchor       // of a component, where theirs has it
	restored []model.Edge // of a node that stays: the restored edges as they are on the side that removed it
	former   flow.Renames // the ids in theirs of what mine has renamed
	secret   bool
}

// Layout reports whether the conflict is only about coordinates, so that a caller may ignore it: the result has mine.
func (c Conflict) Layout() bool { return isLayout(c.Path) }

// OfValue reports whether the conflict is about a property that has a value on each side, or had one, and not about whole elements, their
// places or their order.
func (c Conflict) OfValue() bool {
	return len(c.rest) > 0 && (c.Kind == BothChanged || c.Kind == TypeChanged || c.Kind == RemovedAndChanged)
}

// Secret reports whether the values may contain secrets, which are not to be shown.
func (c Conflict) Secret() bool { return c.secret }

// Forms merges two forms that were made from base. The result is mine with the changes of theirs. The conflicts are in document order, nil
// if there are none. Forms works on any forms, valid or not. If there are no conflicts, every problem of the result is a problem of one of
// the sides. The API defines no merge; the rules are our choice:
//
//   - A value that one side changed, or both changed to the same one, is the changed one. What is
//     compared member by member is merged member by member, see [Changes].
//   - What one side removed and the other changed stays with the change, and is a conflict.
//   - Elements with one id that both sides added are merged as if base had an empty one,
//     except components that were added to different steps: only mine stays, so
//     that ids stay unique.
//   - A component that one side moved and the other edited is moved and edited.
//   - A list has the order of the side that changed it, or mine if both changed it
//     differently. An added element comes after its neighbour on that side. If
//     both sides added after one neighbour, the smaller first id comes first, so that it does not
//     matter which side merges.
//   - An element that one side renamed, as [flow.SureRenamesOf] finds out, has the new id in the other, too, with all that refers to it.
//   - A node that one side removed and the other newly points to stays.
//   - A node that stays although one side removed it keeps the edges into it.
//   - Properties that only a response has are taken from theirs, if theirs or base
//     has them.
func Forms(base, mine, theirs *model.Form) (*model.Form, []Conflict) {
	forms, r := renamed(base, mine, theirs)
	f, conflicts := alike(forms[0], forms[1], forms[2])
	for i := range conflicts {
		conflicts[i].former = r.former
	}
	return f, r.conflicts(f, conflicts)
}

// alike merges forms whose elements have the ids that they have in the result.
func alike(base, mine, theirs *model.Form) (*model.Form, []Conflict) {
	if n, ok := narrow(base, mine, theirs); ok {
		f, conflicts := whole(n.forms[0], n.forms[1], n.forms[2])
		return n.widen(mine, theirs, f, conflicts)
	}
	return whole(base, mine, theirs)
}

// whole is Forms without narrowing: it compares all nodes.
func whole(base, mine, theirs *model.Form) (*model.Form, []Conflict) {
	xs, opaque, ok := indexAll(base, mine, theirs)
	g := &merger{b: xs[0], m: xs[1], t: xs[2], opaque: opaque, used: map[string]bool{}}
	if ok {
		g.decide()
	}
	for {
		g.conflicts = nil
		f := mine.Derive(g.form(ok), theirs)
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

// merger holds the state of one merge. It first decides the outcomes of nodes from
// the three forms, and then makes the tree.
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

// some returns the value of mine, or that of theirs if mine has none.
func (v sides) some() Value {
	if v.m.Present {
		return v.m
	}
	return v.t
}

// clear returns the merged value, and false if the two sides changed it
// differently.
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

// object merges the members of two objects.
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

// shared returns the value of a side if the merged value equals it, preferably mine, so that
// what the merge did not change is shared.
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
