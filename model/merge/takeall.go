package merge

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// TakeTheirs returns the form with conflicts of one merge resolved by theirs, as [Conflict.TakeTheirs] resolves each, but it copies the form once
// for all: it sets the values first, then orders and moves what both sides ordered or moved, and removes elements last. It leaves out
// the conflicts whose elements no longer exist. A component that is in a removed node as well as in one that is taken stays in that.
func TakeTheirs(f *model.Form, conflicts []Conflict) *model.Form {
	t := takingAll{form: f, conflicts: conflicts, list: remembered(f), inside: map[int]bool{}, replaced: map[int]bool{}}
	for i := range conflicts {
		t.take(&conflicts[i])
	}
	f = edited(f, t.edits)
	for len(t.single) > 0 {
		n := slices.IndexFunc(t.single, func(c Conflict) bool { return !c.ofPlaces() })
		if n < 0 {
			n = len(t.single)
		}
		f = takePlaces(f, t.single[:n])
		rest := min(n+1, len(t.single))
		f, t.single = takeEach(f, t.single[n:rest]), t.single[rest:]
	}
	return removeAll(f, t.removed)
}

// TakeBase is TakeTheirs with the values that both sides changed.
func TakeBase(f *model.Form, conflicts []Conflict) *model.Form {
	all := slices.Clone(conflicts)
	for i := range all {
		all[i].Theirs = all[i].Base
	}
	return TakeTheirs(f, all)
}

// edited returns a form after edits, without those whose place is taken by another kind of value.
func edited(f *model.Form, edits []schema.Edit) *model.Form {
	if len(edits) == 0 {
		return f
	}
	return f.Derive(schema.PatchFitting(f.Tree(), edits))
}

// remembered is listAt, but it indexes each list once.
func remembered(f *model.Form) func(schema.Path, string) elements {
	lists, find := map[string]elements{}, listAt(f)
	return func(p schema.Path, name string) elements {
		key := p.String()
		if _, ok := lists[key]; !ok {
			lists[key] = find(p, name)
		}
		return lists[key]
	}
}

// takingAll sorts conflicts by how they are resolved.
type takingAll struct {
	form      *model.Form
	conflicts []Conflict
	list      func(schema.Path, string) elements
	edits     []schema.Edit // of values, at their places in the form
	appended  int           // how many of them add a node
	single    []Conflict
	removed   []Conflict     // of elements
	inside    map[int]bool   // the nodes with edits in their configs
	replaced  map[int]bool   // the nodes that are edited as a whole
	used      map[string]int // how many components have an id, nil before it is needed
}

func (t *takingAll) take(c *Conflict) {
	if c.Kind == BothRenamed {
		return // the form has the ids of theirs
	}
	at, found := c.locate(t.form, t.list)
	node := model.PlaceOf(at).Node
	switch v := c.Theirs; {
	case c.Kind == BothOrdered || c.Kind == BothMoved || c.Kind == BothAdded || t.replaced[node]:
		t.single = append(t.single, *c)
	case len(c.rest) > 0 && !found: // there is no such place
	case len(c.rest) > 0:
		t.property(c, at, node)
	case !v.Present:
		t.removed = append(t.removed, *c)
	case c.subject.isNode() && !t.inside[node]:
		t.put(at, found, v.Tree)
	case found && !c.subject.isNode():
		t.inside[node] = true // hidden fields are in none
		t.edits = append(t.edits, schema.Edit{Path: at, Value: v.Tree})
	default:
		t.single = append(t.single, *c)
	}
}

// property takes a value in an element.
func (t *takingAll) property(c *Conflict, at schema.Path, node int) {
	last := c.rest[len(c.rest)-1].Key
	switch {
	case last == "" || last == "id" || last == "key": // other conflicts are found by ids
		t.single = append(t.single, *c)
		return
	case !c.subject.isNode():
		t.inside[node] = true
	case len(c.rest) > 1 || last == "type":
		t.inside[node] = true
	case last == "config":
		tree, own := takeConfig(t.form.Nodes[node].Tree(), c.Theirs)
		switch {
		case t.inside[node]:
			t.single = append(t.single, *c)
		case tree == nil:
			t.edits = append(t.edits, schema.Edit{Path: at.Join(c.rest), Value: c.Theirs.Tree, Cleared: !c.Theirs.Present})
		case own:
			t.replaced[node] = true
			t.edits = append(t.edits, schema.Edit{Path: at, Value: tree})
		default:
			t.put(at, true, tree)
		}
		return
	}
	t.edits = append(t.edits, schema.Edit{Path: at.Join(c.rest), Value: c.Theirs.Tree, Cleared: !c.Theirs.Present})
}

// put replaces a node, or adds it after the others, without the components that are in another step.
func (t *takingAll) put(at schema.Path, found bool, tree any) {
	if t.used == nil {
		t.countAll()
	}
	e := schema.Edit{Path: at}
	if found {
		node := model.PlaceOf(at).Node
		t.replaced[node] = true
		t.count(t.form.Nodes[node].Tree(), -1)
	} else {
		e.Path, e.Inserted = model.NodePath(len(t.form.Nodes)+t.appended), true
		t.appended++
	}
	e.Value = withoutUsed(tree, func(id string) bool { return t.used[id] > 0 })
	t.count(e.Value, 1)
	t.edits = append(t.edits, e)
}

// count counts the components of a node that the form gets or loses.
func (t *takingAll) count(node any, by int) {
	list, _, _ := stepComponents(node)
	for _, c := range list {
		t.used[textOf(c, "id")] += by
	}
}

// countAll counts the components of a form without the nodes that are to be removed.
func (t *takingAll) countAll() {
	t.used = map[string]int{}
	for _, n := range t.form.Nodes {
		t.count(n.Tree(), 1)
	}
	for i := range t.conflicts {
		c := &t.conflicts[i]
		if at, found := c.locate(t.form, t.list); found && c.subject.isNode() && len(c.rest) == 0 && !c.Theirs.Present {
			t.count(t.form.Nodes[model.PlaceOf(at).Node].Tree(), -1)
		}
	}
}

// way names a way out of a node.
type way struct {
	from string
	port model.Port
}

// removeAll removes the elements of conflicts. The edges into a node then lead where they lead on the side that removed it, or nowhere.
func removeAll(f *model.Form, conflicts []Conflict) *model.Form {
	list := remembered(f)
	led := map[string]map[way]model.Pointer{} // by the removed nodes
	gone := map[string]schema.Path{}
	for i := range conflicts {
		c := &conflicts[i]
		at, found := c.locate(f, list)
		if !found {
			continue
		}
		if gone[at.String()] = at; !c.subject.isNode() || c.Node == "" {
			continue
		}
		led[c.Node] = make(map[way]model.Pointer, len(c.restored))
		for _, e := range c.restored {
			led[c.Node][way{e.From, e.Port}] = e.To
		}
	}
	if len(gone) == 0 {
		return f
	}
	var edits []schema.Edit
	for _, e := range f.Edges() {
		from, removed := led[string(e.To)]
		if !removed {
			continue
		}
		to := from[way{e.From, e.Port}]
		_, i := f.Node(string(to))
		if _, removed := led[string(to)]; removed || i < 0 && to != model.EndingID {
			to = ""
		}
		edits = append(edits, schema.Edit{Path: e.Path, Value: string(to), Cleared: to == ""})
	}
	removals := make([]*schema.Edit, 0, len(gone)) // pointers share their sorting with others: each kind of value takes 10 KB of the browser's program
	for _, at := range gone {
		removals = append(removals, &schema.Edit{Path: at, Cleared: true})
	}
	// The last element first: it moves no other.
	slices.SortFunc(removals, func(a, b *schema.Edit) int { return comparePaths(b.Path, a.Path) })
	for _, e := range removals {
		edits = append(edits, *e)
	}
	return edited(f, edits)
}

// comparePaths compares the places of elements.
func comparePaths(a, b schema.Path) int {
	return slices.CompareFunc(a, b, func(x, y schema.Elem) int { return cmp.Or(cmp.Compare(x.Index, y.Index), cmp.Compare(x.Key, y.Key)) })
}
