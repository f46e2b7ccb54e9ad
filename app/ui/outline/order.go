package outline

import (
	"slices"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// outline is a form as a tree of rows: the start, the nodes in the order of the
// journey, the ending; below a step its components, below a router its rules.
// What a row says is made when it is drawn first: of a thousand nodes some twenty
// are in sight. It is immutable but for what is open.
type outline struct {
	form    *model.Form
	order   []int          // places in the form, of the nodes in the order of the journey
	reached int            // how many of order a journey can reach
	keys    []string       // of the nodes, in the form's order
	place   map[string]int // of a node's key, or an end's id, in the tree
	// problems counts those of a node, and of its parts, by places in the form; the
	// part is -1 for all of the node, the node startProblems or endingProblems for
	// an end.
	problems map[spot]int
	turned   map[string]bool // ids of nodes that are not open, or that are when few is false
	few      bool
	made     map[spot]row    // what rows were asked for
	small    map[spot]string // names of rows, to be looked up
	tops     []float64       // of the rows of the first level, in px, with the end of the last
}

// spot is a row: a place in the tree's first level, and one among its parts, -1
// for the first level itself.
type spot struct{ at, part int }

// The places of outline.problems that are not nodes.
const (
	startProblems  = -1
	endingProblems = -2
)

// openUpTo is how many nodes are shown with their parts when the outline opens.
// A longer list is read by its nodes first.
const openUpTo = 100

// The heights of the rows, in px; the style sheet has the same.
const (
	rowHeight  = 32.0
	partHeight = 28.0
)

// newOutline lays a form out. Open and closed stay as they were in the outline
// before, nil for none.
func newOutline(f *model.Form, problems schema.Problems, was *outline) *outline {
	o := &outline{
		form: f, place: make(map[string]int, len(f.Nodes)+2), problems: map[spot]int{}, turned: map[string]bool{},
		made: map[spot]row{}, small: map[spot]string{}, few: len(f.Nodes) <= openUpTo,
	}
	if was != nil {
		o.turned, o.few = was.turned, was.few
	}
	o.order, o.reached = journey(f)
	o.keys = f.Keys()
	o.place[model.StartID], o.place[model.EndingID] = 0, len(o.order)+1
	for i, n := range o.order {
		o.place[o.keys[n]] = i + 1
	}
	for _, p := range problems {
		at, ok := f.At(p.Path)
		switch {
		case at.End == model.StartID:
			o.problems[spot{startProblems, -1}]++
		case at.End == model.EndingID:
			o.problems[spot{endingProblems, -1}]++
		case ok:
			o.problems[spot{at.Node, -1}]++
			if at.Part() >= 0 {
				o.problems[spot{at.Node, at.Part()}]++
			}
		}
	}
	o.measure()
	return o
}

// journey returns the places of the nodes so that each comes after those that
// lead to it, where no circle prevents that, and of two branches the first one
// first; those that nothing leads to come last, in the form's order. reached is
// how many are not of these.
func journey(f *model.Form) (order []int, reached int) {
	byID := make(map[string]int, len(f.Nodes))
	for i, n := range slices.Backward(f.Nodes) {
		byID[n.ID] = i // the first of an id is the one that is led to
	}
	seen := make([]bool, len(f.Nodes))
	// Depth first, and a node is put down when all behind it are: read backwards
	// that is the order. The last branch is walked first, so it ends up last. The
	// stack is our own: in the browser a deep one of calls ends the page.
	type visit struct {
		node int
		outs []model.Out
	}
	var stack []visit
	push := func(to model.Pointer) {
		if i, ok := byID[string(to)]; ok && !seen[i] {
			seen[i] = true
			stack = append(stack, visit{i, f.Outs(i)})
		}
	}
	push(f.Start.Next)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if n := len(top.outs); n > 0 {
			to := top.outs[n-1].To
			top.outs = top.outs[:n-1]
			push(to)
			continue
		}
		order = append(order, top.node)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(order)
	reached = len(order)
	for i := range f.Nodes {
		if !seen[i] {
			order = append(order, i)
		}
	}
	return order, reached
}

// measure finds where the rows of the first level are.
func (o *outline) measure() {
	o.tops = make([]float64, o.len()+1)
	for i := range o.len() {
		o.tops[i+1] = o.tops[i] + rowHeight + partHeight*float64(o.shown(i))
	}
}

// len is how many rows the first level has.
func (o *outline) len() int { return len(o.order) + 2 }

// node returns the node of a row of the first level, nil for the two ends.
func (o *outline) node(at int) *model.Node {
	if at < 1 || at > len(o.order) {
		return nil
	}
	return o.form.Nodes[o.order[at-1]]
}

// id returns what the row is selected by: a node's key, or the id of an end.
func (o *outline) id(at int) string {
	switch n := o.node(at); {
	case n != nil:
		return o.keys[o.order[at-1]]
	case at == 0:
		return model.StartID
	}
	return model.EndingID
}

// parts is how many components or rules a node has.
func (o *outline) parts(at int) int {
	if n := o.node(at); n != nil {
		return n.Parts()
	}
	return 0
}

// open reports whether the parts of a row are shown.
func (o *outline) open(at int) bool { return o.turned[o.id(at)] != o.few && o.parts(at) > 0 }

// shown is how many parts of a row are shown.
func (o *outline) shown(at int) int {
	if o.open(at) {
		return o.parts(at)
	}
	return 0
}

// setOpen shows the parts of a row, or hides them.
func (o *outline) setOpen(at int, open bool) {
	if o.parts(at) > 0 && open != o.open(at) {
		o.turned[o.id(at)] = open != o.few
		o.measure()
	}
}

// openAll shows the parts of all nodes.
func (o *outline) openAll() {
	o.turned, o.few = map[string]bool{}, true
	o.measure()
}

// top is where a row begins, in px below the first.
func (o *outline) top(s spot) float64 {
	y := o.tops[s.at]
	if s.part >= 0 {
		y += rowHeight + partHeight*float64(s.part)
	}
	return y
}

// within returns the rows of the first level that a part of the height shows:
// from the one, up to and without the other.
func (o *outline) within(from, to float64) (first, end int) {
	first, _ = slices.BinarySearch(o.tops[1:], from)
	end, _ = slices.BinarySearch(o.tops[:o.len()], to)
	return min(first, o.len()), max(first, end)
}

// part returns the id of a component or rule, "" for a row of the first level.
func (o *outline) part(s spot) string {
	c, r := o.item(s)
	switch {
	case c != nil:
		return c.ID
	case r != nil:
		return r.ID
	}
	return ""
}

// item returns what the row of a part stands for, nil and nil for a row of the
// first level.
func (o *outline) item(s spot) (*model.Component, *model.Rule) {
	if n := o.node(s.at); n != nil {
		return n.Component(s.part), n.Rule(s.part)
	}
	return nil, nil
}

// name returns what a row is called.
func (o *outline) name(s spot) string {
	if c, r := o.item(s); c != nil {
		return caption.Component(c)
	} else if r != nil {
		return caption.Rule(r, s.part)
	}
	switch n := o.node(s.at); {
	case n != nil:
		return n.Name()
	case s.at == 0:
		return "Start"
	}
	return "Ending"
}
