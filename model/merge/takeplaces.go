package merge

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// ofPlaces reports whether a conflict is about the order of rules or components, or the step of a component.
func (c *Conflict) ofPlaces() bool {
	return c.Kind == BothMoved || c.Kind == BothAdded || c.Kind == BothOrdered && c.subject.isNode()
}

// takePlaces resolves conflicts that are ofPlaces as take does, but it copies the form once for all: components leave their steps, what is left
// there is ordered, and then the components arrive. It takes those of steps whose components are no list one by one.
func takePlaces(f *model.Form, conflicts []Conflict) *model.Form {
	t := takingPlaces{form: f, steps: map[int]*arrangement{}}
	var odd []Conflict
	for i := range conflicts {
		if !t.take(&conflicts[i]) {
			odd = append(odd, conflicts[i])
		}
	}
	for node, a := range t.steps {
		t.edits = append(t.edits, schema.Edit{Path: model.NodePath(node).Join(componentsPath), Value: a.arranged()})
	}
	return takeEach(edited(f, t.edits), odd)
}

// takeEach resolves conflicts one by one. It leaves out those whose elements no longer exist.
func takeEach(f *model.Form, conflicts []Conflict) *model.Form {
	for _, c := range conflicts {
		if g, err := c.take(f); err == nil {
			f = g
		}
	}
	return f
}

// takingPlaces collects what changes in the lists of a form.
type takingPlaces struct {
	form  *model.Form
	edits []schema.Edit        // of the orders of rules
	steps map[int]*arrangement // by the index of the step
}

// step returns the arrangement of a step, nil if the node is none or its components are no list.
func (t *takingPlaces) step(node int) *arrangement {
	if a := t.steps[node]; a != nil {
		return a
	}
	list, step, sound := stepComponents(t.form.Nodes[node].Tree())
	if !step || !sound {
		return nil
	}
	a := &arrangement{list: list, left: map[int]bool{}}
	t.steps[node] = a
	return a
}

// take takes a conflict, and reports false if that is to be done for itself.
func (t *takingPlaces) take(c *Conflict) bool {
	at, found := c.locate(t.form, nil)
	if !found {
		return true // there is no such place
	}
	here := model.PlaceOf(at)
	if c.Kind == BothOrdered {
		return t.order(c, here.Node, at)
	}
	_, to := t.form.Node(c.anchor.node)
	if !c.anchor.ok || to < 0 {
		return true
	}
	from, into := t.step(here.Node), t.step(to)
	if from == nil || into == nil {
		return false
	}
	tree := c.Theirs.Tree
	if c.Kind == BothMoved {
		tree = from.list[here.Component]
	}
	from.left[here.Component] = true
	into.arrivals = append(into.arrivals, &arrival{tree, c.anchor.behind})
	return true
}

// order takes the order of the components or the rules of a node.
func (t *takingPlaces) order(c *Conflict, node int, at schema.Path) bool {
	if c.rest.Equal(componentsPath) {
		a := t.step(node)
		if a == nil {
			return false
		}
		a.order = &c.Theirs
		return true
	}
	path := at.Join(c.rest)
	v, _ := schema.Lookup(t.form.Tree(), path)
	list, ok := v.([]any)
	if ok {
		t.edits = append(t.edits, schema.Edit{Path: path, Value: inOrder(list, "id", c.Theirs)})
	}
	return ok
}

// arrangement is how the components of a step change.
type arrangement struct {
	list     []any
	left     map[int]bool // the components that leave
	order    *Value       // the ids in their order, nil if that stays
	arrivals []*arrival   // pointers share their sorting with others, as in removeAll
}

// arrival is a component that comes into a step, after the nearest of those that it followed.
type arrival struct {
	tree   any
	behind []string
}

// arranged returns the components of the step. The arrivals are of one form, so each follows those of a part of the same list.
func (a *arrangement) arranged() []any {
	stay := make([]any, 0, len(a.list))
	for i, c := range a.list {
		if !a.left[i] {
			stay = append(stay, c)
		}
	}
	if a.order != nil {
		stay = inOrder(stay, "id", *a.order)
	}
	if len(a.arrivals) == 0 {
		return stay
	}
	place := make(map[string]int, len(stay)) // a component: where the next one begins
	for i, c := range stay {
		place[textOf(c, "id")] = i + 1
	}
	slices.SortFunc(a.arrivals, func(x, y *arrival) int { return cmp.Compare(len(x.behind), len(y.behind)) })
	at, seen := 0, 0
	after := make([][]any, len(stay)+1) // what arrives before the first component, and after each
	for _, x := range a.arrivals {
		for ; seen < len(x.behind); seen++ {
			at = cmp.Or(place[x.behind[seen]], at)
		}
		after[at] = append(after[at], x.tree)
	}
	out := slices.Clone(after[0])
	for i, c := range stay {
		out = append(append(out, c), after[i+1]...)
	}
	return out
}
