package outline

import (
	"slices"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// outline is a form as a tree of rows: the start, the nodes in the order of the
// journey, and the ending, with components below a step, and rules and "Otherwise" below a router.
// The content of a row is computed when it is first drawn: of a thousand nodes some
// twenty are visible. An outline is immutable except for its open nodes.
type outline struct {
	form    *model.Form
	order   []int          // indexes of the nodes in the form, in the order of the journey
	reached int            // number of nodes at the start of order that a journey can reach
	keys    []string       // keys of the nodes, in the form's order
	place   map[string]int // position in the tree of a node's key or an end's id
	// problems counts the problems of a node and of its parts, by index in the
	// form. The part is -1 for the whole node; the node is startProblems or
	// endingProblems for an end.
	problems map[spot]int
	warnings map[spot]int    // the same of warnings
	turned   map[string]bool // ids of closed nodes, or of open ones if few is false
	few      bool
	made     map[spot]row    // rows computed so far
	small    map[spot]string // lower-case names of rows, for look-up
	tops     []float64       // positions of the first-level rows, in px, followed by the end of the last one
}

// spot is the position of a row: its index in the first level, and its index among
// the parts, -1 for the first-level row itself. "Otherwise" of a router comes after its parts.
type spot struct{ at, part int }

// Keys of outline.problems that are not nodes.
const (
	startProblems  = -1
	endingProblems = -2
)

// openUpTo is the maximum number of nodes that are shown with their parts when the
// outline opens. A longer outline opens with its nodes only.
const openUpTo = 100

// Heights of the rows, in px, as in the style sheet.
const (
	rowHeight  = 32.0
	partHeight = 28.0
	wayHeight  = 44.0 // of a part with the line of its target
)

// newOutline returns the outline of a form. Nodes stay open or closed as in the
// previous outline, nil for none.
func newOutline(f *model.Form, problems schema.Problems, was *outline) *outline {
	o := &outline{
		form: f, place: make(map[string]int, len(f.Nodes)+2), turned: map[string]bool{},
		made: map[spot]row{}, small: map[spot]string{}, few: len(f.Nodes) <= openUpTo,
	}
	if was != nil {
		o.turned, o.few = was.turned, was.few
	}
	o.order, o.reached = flow.Order(f)
	o.keys = f.Keys()
	o.place[model.StartID], o.place[model.EndingID] = 0, len(o.order)+1
	for i, n := range o.order {
		o.place[o.keys[n]] = i + 1
	}
	o.problems = o.count(problems)
	o.measure()
	return o
}

// count counts problems or warnings as outline.problems does.
func (o *outline) count(problems schema.Problems) map[spot]int {
	counts := map[spot]int{}
	for _, p := range problems {
		at, ok := o.form.At(p.Path)
		switch {
		case at.End == model.StartID:
			counts[spot{startProblems, -1}]++
		case at.End == model.EndingID:
			counts[spot{endingProblems, -1}]++
		case ok:
			counts[spot{at.Node, -1}]++
			part := at.Part()
			if n := len(at.Rest); n > 0 && at.Rest[n-1].Key == string(model.FallbackPort) {
				part = o.form.Nodes[at.Node].Parts()
			}
			if part >= 0 {
				counts[spot{at.Node, part}]++
			}
		}
	}
	return counts
}

// counted returns the key of a row in outline.problems.
func (o *outline) counted(s spot) spot {
	switch {
	case o.node(s.at) != nil:
		return spot{o.order[s.at-1], s.part}
	case s.at == 0:
		return spot{startProblems, -1}
	default:
		return spot{endingProblems, -1}
	}
}

// measure computes the positions of the first-level rows.
func (o *outline) measure() {
	o.tops = make([]float64, o.len()+1)
	for i := range o.len() {
		tops := o.topsOfParts(i)
		o.tops[i+1] = o.tops[i] + tops[len(tops)-1]
	}
}

// topsOfParts returns the distances of the shown parts of a first-level row from its top, and that of the row after them, in px.
func (o *outline) topsOfParts(at int) []float64 {
	tops := append(make([]float64, 0, o.shown(at)+1), rowHeight)
	for i := range o.shown(at) {
		height := partHeight
		if o.leads(spot{at, i}) {
			height = wayHeight
		}
		tops = append(tops, tops[i]+height)
	}
	return tops
}

// leads reports whether a part has a target.
func (o *outline) leads(s spot) bool {
	c, _ := o.item(s)
	return c == nil || c.Kind != nil && c.Kind.Leads() != ""
}

// len returns the number of first-level rows.
func (o *outline) len() int { return len(o.order) + 2 }

// node returns the node of a first-level row, nil for the two ends.
func (o *outline) node(at int) *model.Node {
	if at < 1 || at > len(o.order) {
		return nil
	}
	return o.form.Nodes[o.order[at-1]]
}

// id returns the id by which the row is selected: a node's key, or the id of an
// end.
func (o *outline) id(at int) string {
	switch n := o.node(at); {
	case n != nil:
		return o.keys[o.order[at-1]]
	case at == 0:
		return model.StartID
	}
	return model.EndingID
}

// parts returns the number of components or rules of a node.
func (o *outline) parts(at int) int {
	if n := o.node(at); n != nil {
		return n.Parts()
	}
	return 0
}

// rows returns the number of rows below a node.
func (o *outline) rows(at int) int {
	if o.otherwise(spot{at, o.parts(at)}) != nil {
		return o.parts(at) + 1
	}
	return o.parts(at)
}

// otherwise returns the router of a row "Otherwise", nil for any other row.
func (o *outline) otherwise(s spot) *model.Router {
	if n := o.node(s.at); n != nil && s.part == n.Parts() {
		r, _ := n.Config.(*model.Router)
		return r
	}
	return nil
}

// open reports whether the parts of a row are shown.
func (o *outline) open(at int) bool { return o.turned[o.id(at)] != o.few && o.rows(at) > 0 }

// shown returns the number of shown parts of a row.
func (o *outline) shown(at int) int {
	if o.open(at) {
		return o.rows(at)
	}
	return 0
}

// setOpen shows or hides the parts of a row.
func (o *outline) setOpen(at int, open bool) {
	if o.rows(at) > 0 && open != o.open(at) {
		o.turned[o.id(at)] = open != o.few
		o.measure()
	}
}

// openAll shows the parts of all nodes.
func (o *outline) openAll() {
	o.turned, o.few = map[string]bool{}, true
	o.measure()
}

// top returns the distance of a row from the first, in px; for a part that is not shown, that of the row after it.
func (o *outline) top(s spot) float64 {
	y := o.tops[s.at]
	if s.part >= 0 {
		tops := o.topsOfParts(s.at)
		y += tops[min(s.part, len(tops)-1)]
	}
	return y
}

// within returns the first-level rows in a range of heights: the first, and the one
// after the last.
func (o *outline) within(from, to float64) (first, end int) { return between(o.tops, from, to) }

// between returns the rows in a range of heights: the first, and the one after the last. tops has the height at which each begins, and that at which
// the last ends.
func between(tops []float64, from, to float64) (first, end int) {
	n := len(tops) - 1
	first, _ = slices.BinarySearch(tops[1:], from)
	end, _ = slices.BinarySearch(tops[:n], to)
	return min(first, n), max(first, end)
}

// otherwisePart stands for the id that "Otherwise" does not have.
const otherwisePart = "\x00otherwise"

// part returns the id of a component or rule, "" for a first-level row.
func (o *outline) part(s spot) string {
	c, r := o.item(s)
	switch {
	case o.otherwise(s) != nil:
		return otherwisePart
	case c != nil:
		return c.ID
	case r != nil:
		return r.ID
	}
	return ""
}

// item returns the component or rule of a row, nil and nil for a first-level row and for "Otherwise".
func (o *outline) item(s spot) (*model.Component, *model.Rule) {
	if n := o.node(s.at); n != nil {
		return n.Component(s.part), n.Rule(s.part)
	}
	return nil, nil
}

// name returns the name of a row.
func (o *outline) name(s spot) string {
	if c, r := o.item(s); c != nil {
		return caption.Component(c)
	} else if r != nil {
		return caption.Rule(o.form.Fields(), r, s.part)
	}
	switch n := o.node(s.at); {
	case o.otherwise(s) != nil:
		return "Otherwise"
	case n != nil:
		return n.Name()
	case s.at == 0:
		return "Start"
	}
	return "Ending"
}
