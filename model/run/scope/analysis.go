package scope

import (
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/pause"
	"github.com/formgraph/formgraph/model/run/answertype"
)

// Analysis is what the paths through a form collect. It is immutable and safe for concurrent use.
type Analysis struct {
	form *model.Form
	graph
	fields []field
	groups []group
	byID   map[string]int
	others map[string][]int // the steps with a component of an id that takes no answer
	asking []int            // the steps with a component that takes an answer

	refs      []reference
	uses      []use
	mentioned map[string]bool // the texts of variables in vars and context
}

// graph has the ways of a form; see flow.Ways. The vertices are the indexes of the nodes, then the ending, then the start.
type graph struct {
	vertices []int // all of them; a part of it is a list of one vertex
	ways     [][]int
	back     [][]int // the vertices from which ways lead to each, those that paths reach
	checks   []int   // the index of a step's way to its next node, the only one that checks the answers; -1 for other vertices
	order    []int   // the vertices that paths reach, breadth first
	reached  []bool
	// returns marks the vertices from which a path can go back to the step before: a step with a previous button, and what leads to one
	// without a step in between.
	returns []bool
}

// field is a name in the namespace fields that a form may give a value.
type field struct {
	id    string
	node  int // of the first component that asks for the field, if any does
	index int // of that component in its step, or of the hidden field
	group
	given int // the index of the first hidden field that has a value in the form, -1 if there is none
	of    int // the index of the group
}

// group has fields that every path collects together. In a usual form these are the fields of a step.
type group struct {
	steps  []int // that ask for the fields
	hidden bool  // whether there is a hidden field with the key
}

// Analyze prepares a form, in time and memory linear in it.
func Analyze(f *model.Form) *Analysis {
	components := 0
	for _, n := range f.Nodes {
		components += n.Parts()
	}
	a := &Analysis{
		form: f, fields: make([]field, 0, components), byID: make(map[string]int, components), others: map[string][]int{},
		mentioned: map[string]bool{},
	}
	a.findWays()
	pause.Now()
	a.findFields()
	a.findGroups()
	pause.Now()
	a.findReferences()
	return a
}

func (a *Analysis) start() int  { return len(a.form.Nodes) + 1 }
func (a *Analysis) ending() int { return len(a.form.Nodes) }

func (a *Analysis) findWays() {
	a.ways = flow.Ways(a.form)
	n := len(a.ways)
	a.vertices, a.back, a.checks = make([]int, n), make([][]int, n), slices.Repeat([]int{-1}, n)
	a.reached, a.returns = make([]bool, n), make([]bool, n)
	var queue []int
	for v := range n {
		a.vertices[v] = v
		if v >= len(a.form.Nodes) {
			continue
		}
		if step, ok := a.form.Nodes[v].Config.(*model.Step); ok {
			a.checks[v] = len(a.ways[v]) - 1
			if slices.ContainsFunc(step.Components, (*model.Component).GoesBack) {
				a.returns[v] = true
				queue = append(queue, v)
			}
		}
	}
	a.order = a.search(nil).order
	for _, v := range a.order {
		a.reached[v] = true
		for _, w := range a.ways[v] {
			if w >= 0 {
				a.back[w] = append(a.back[w], v)
			}
		}
	}
	for i := 0; i < len(queue); i++ {
		for _, v := range a.back[queue[i]] {
			if !a.returns[v] && a.checks[v] < 0 {
				a.returns[v] = true
				queue = append(queue, v)
			}
		}
	}
}

func (a *Analysis) findFields() {
	for v, n := range a.form.Nodes {
		step, ok := n.Config.(*model.Step)
		if !ok {
			continue
		}
		asks := false
		for i, c := range step.Components {
			switch {
			case c.ID == "":
			case answertype.Of(c) == answertype.None:
				a.others[c.ID] = a.with(a.others[c.ID], v)
			default:
				asks = true
				f := a.field(c.ID)
				if len(f.steps) == 0 {
					f.node, f.index = v, i
				}
				f.steps = a.with(f.steps, v)
			}
		}
		if asks {
			a.asking = append(a.asking, v)
		}
	}
	for i, h := range a.form.Start.Hidden {
		if h.Key == "" {
			continue
		}
		f := a.field(h.Key)
		if len(f.steps) == 0 && !f.hidden {
			f.index = i
		}
		f.hidden = true
		if f.given < 0 && h.Value != "" {
			f.given = i
		}
	}
}

func (a *Analysis) findGroups() {
	single := map[int]int{} // the group of the fields for which only one step asks, by the step
	for i := range a.fields {
		f := &a.fields[i]
		f.of = len(a.groups)
		if len(f.steps) == 1 && !f.hidden {
			if g, ok := single[f.steps[0]]; ok {
				f.of = g
				continue
			}
			single[f.steps[0]] = f.of
		}
		a.groups = append(a.groups, f.group)
	}
}

// field returns the field with an id, and adds it if it is missing. It is valid until the next call.
func (a *Analysis) field(id string) *field {
	i, ok := a.byID[id]
	if !ok {
		i = len(a.fields)
		a.byID[id] = i
		a.fields = append(a.fields, field{id: id, given: -1})
	}
	return &a.fields[i]
}

// with returns a list of vertices with another one, unless that is its last.
func (g *graph) with(list []int, v int) []int {
	switch {
	case len(list) == 0:
		return g.only(v)
	case list[len(list)-1] == v:
		return list
	}
	return append(list, v)
}

// only returns the list of one vertex.
func (g *graph) only(v int) []int { return g.vertices[v : v+1 : v+1] }
