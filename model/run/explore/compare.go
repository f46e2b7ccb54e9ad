package explore

import (
	std "context"
	"fmt"
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/run/scenario"
)

// DifferenceKind says what a change of a form does to people.
type DifferenceKind string

// The kinds of differences.
const (
	GoesElsewhere DifferenceKind = "goes_elsewhere" // the same answers lead to another place
	Asked         DifferenceKind = "asked"          // a step asks for something new
	NotAsked      DifferenceKind = "not_asked"      // a step no longer asks for something
	CannotFinish  DifferenceKind = "cannot_finish"  // the ending can no longer be reached
	CanFinish     DifferenceKind = "can_finish"     // the ending can be reached now
)

// DifferenceKinds lists the kinds, the gravest first.
var DifferenceKinds = []DifferenceKind{CannotFinish, GoesElsewhere, Asked, NotAsked, CanFinish}

// Difference is something that people experience differently in two forms.
type Difference struct {
	Kind DifferenceKind
	// Node is where the journeys part, or the step that asks.
	Node string
	// Before and After are what follows in the two forms: a node, model.EndingID, or "" if the journey does not get on. For Asked and
	// NotAsked they are the id of the component, or "".
	Before, After string
	// Scenario is a journey that shows the difference. Its expected path is that in the first form.
	Scenario scenario.Scenario
}

// String returns the difference in words, with ids in quotation marks.
func (d Difference) String() string {
	return d.Text(func(node, part string) string {
		if part != "" {
			node = part
		}
		return strconv.Quote(node)
	})
}

// Text returns the difference in words, with the names of nodes and components.
func (d Difference) Text(names scenario.Names) string {
	at, before, after := names(d.Node, ""), names(d.Before, ""), names(d.After, "")
	switch d.Kind {
	case GoesElsewhere:
		switch {
		case d.Before == "":
			return fmt.Sprintf("now gets on to %s from %s", after, at)
		case d.After == "":
			return fmt.Sprintf("no longer gets on to %s from %s", before, at)
		}
		return fmt.Sprintf("now goes to %s instead of %s, from %s", after, before, at)
	case Asked:
		return fmt.Sprintf("now asked %s at %s", names(d.Node, d.After), at)
	case NotAsked:
		return fmt.Sprintf("no longer asked %s at %s", names(d.Node, d.Before), at)
	case CannotFinish:
		return fmt.Sprintf("can no longer finish from %s", at)
	case CanFinish:
		return fmt.Sprintf("can now finish from %s", at)
	}
	return ""
}

// Comparison is what Compare found.
type Comparison struct {
	Differences []Difference
	// Limited reports that the forms were too large to be compared to the end.
	Limited bool
}

// Compare returns what changes for people from one form to another, in the order in which they meet it. Only what they see counts: the
// steps, flows and fields on their way, and whether they can finish; not texts, aliases, positions or routers by themselves. Nodes,
// buttons and fields are compared by their id. The options limit the search; Keep has no meaning here. An error is that of the context.
func Compare(ctx std.Context, before, after *run.Program, o Options) (*Comparison, error) {
	states := o.States
	if states == 0 {
		states = DefaultStates
	}
	search, follow := meter(o.Progress).halves()
	stop := func() bool { return ctx.Err() != nil }
	worlds, ok := newWorlds([sides]*run.Program{before, after}, stop)
	if !ok {
		return nil, ctx.Err()
	}
	c := comparer{
		worlds: worlds, index: map[string]bool{}, told: map[string]bool{},
		ahead: map[[2]int]map[string]bool{}, stop: stop, left: 4 * states,
	}
	for side, w := range c.worlds {
		c.searches[side] = newSearch(w, states, false)
		share := func() float64 { return (float64(side) + c.searches[side].share()) / float64(len(c.worlds)) }
		if !c.searches[side].run(func() bool { search.show(share()); return stop() }) {
			return nil, ctx.Err()
		}
		c.finishes[side] = c.searches[side].finishes()
	}
	c.follow(pair{at: model.StartID, sets: c.worlds[0].vars.initial()}, hop{to: [sides]int{c.worlds[0].start, c.worlds[1].start}})
	for i := 0; i < len(c.pairs) && c.goesOn(); i++ {
		if i%64 == 0 {
			follow.show(float64(i) / float64(len(c.pairs)))
		}
		c.expand(i)
	}
	return &Comparison{Differences: c.found, Limited: c.left < 0 || c.searches[0].limited || c.searches[1].limited}, ctx.Err()
}

// comparer runs two forms side by side for as long as people are at the same place in both.
type comparer struct {
	worlds   [sides]*world
	searches [sides]*search
	finishes [sides]map[string]bool // the nodes from which the ending can be reached
	pairs    []pair
	index    map[string]bool
	told     map[string]bool
	found    []Difference
	ahead    map[[2]int]map[string]bool // the nodes to which routers lead on, by the form and the index of the router
	stop     func() bool
	left     int // how many more moments may be looked at
}

// goesOn counts a moment, and reports whether it may be looked at.
func (c *comparer) goesOn() bool {
	c.left--
	return c.left >= 0 && (c.left%64 != 0 || !c.stop())
}

// pair is a moment at which people are at the same node in both forms.
type pair struct {
	at      string // the node
	sets    []set
	journey [sides]*trail
}

// trail is a journey, from its last step back to its first.
type trail struct {
	before *trail
	step   step
}

func (t *trail) steps() []step {
	var list []step
	for ; t != nil; t = t.before {
		list = append(list, t.step)
	}
	slices.Reverse(list)
	return list
}

// finishes returns the nodes from which a run can reach the ending, whatever it has done before.
func (s *search) finishes() map[string]bool {
	from := make([][]int, len(s.states))
	var queue []int
	for i, of := range s.states {
		if of.at == ending {
			queue = append(queue, i)
		}
		for _, m := range of.out {
			from[m.to] = append(from[m.to], i)
		}
	}
	can := make([]bool, len(s.states))
	ids := map[string]bool{}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		if can[i] {
			continue
		}
		can[i] = true
		if at := s.states[i].at; at >= 0 {
			ids[s.w.places[at].node.ID] = true
		}
		queue = append(queue, from[i]...)
	}
	return ids
}

// hop is what people do next in both forms: the ways that they take, and what the variables can be then.
type hop struct {
	to   [sides]int   // indexes of nodes
	step [sides]*step // nil for none
}

func (c *comparer) typeOf(side, at int) model.NodeType { return c.worlds[side].places[at].node.Type }

// part notes that the forms take people to different places.
func (c *comparer) part(from pair, t twin) {
	a, b := t.of[0], t.of[1]
	d := Difference{Kind: GoesElsewhere, Node: from.at, Before: a.id, After: b.id}
	if a.at == nowhere {
		d.Before = ""
	}
	if b.at == nowhere {
		d.After = ""
	}
	if d.Before == d.After {
		return // stopped in both, at different routers
	}
	switch was, is := c.can(0, a), c.can(1, b); {
	case was && !is:
		d.Kind = CannotFinish
	case is && !was:
		d.Kind = CanFinish
	}
	c.tell(d, t.sets, t.trail, [sides]int{a.at, b.at})
}

func (c *comparer) can(side int, s stand) bool {
	return s.at == ending || s.at >= 0 && c.finishes[side][s.id]
}

// ending notes whether people can finish from a node in only one of the forms.
func (c *comparer) ending(at pair) {
	d := Difference{Kind: CannotFinish, Node: at.at, Before: model.EndingID}
	switch was, is := c.finishes[0][at.at], c.finishes[1][at.at]; {
	case was == is:
		return
	case is:
		d = Difference{Kind: CanFinish, Node: at.at, After: model.EndingID}
	}
	if slices.ContainsFunc(c.found, func(f Difference) bool { return f.Kind == d.Kind }) {
		return // further nodes on the same ways say nothing new
	}
	c.tell(d, at.sets, at.journey, c.places(at.at))
}

// asking notes what a step asks for in only one of the forms.
func (c *comparer) asking(at pair, a, b int) {
	was, is := c.fieldsOf(0, a), c.fieldsOf(1, b)
	for _, id := range was {
		if !slices.Contains(is, id) {
			c.tell(Difference{Kind: NotAsked, Node: at.at, Before: id}, at.sets, at.journey, [sides]int{a, b})
		}
	}
	for _, id := range is {
		if !slices.Contains(was, id) {
			c.tell(Difference{Kind: Asked, Node: at.at, After: id}, at.sets, at.journey, [sides]int{a, b})
		}
	}
}

// fieldsOf returns the ids of the components of a step that take an answer.
func (c *comparer) fieldsOf(side, at int) []string {
	var ids []string
	if step, ok := c.worlds[side].places[at].node.Config.(*model.Step); ok {
		for _, of := range step.Components {
			if answertype.Of(of) != answertype.None {
				ids = append(ids, of.ID)
			}
		}
	}
	return ids
}

// places returns the indexes of a node in both forms.
func (c *comparer) places(id string) (at [sides]int) {
	for side, w := range c.worlds {
		at[side] = w.index(model.Pointer(id))
	}
	return at
}

// add adds a pair unless there is one like it.
func (c *comparer) add(p pair) {
	key, at := p.at, c.places(p.at)
	p.sets = slices.Clone(p.sets)
	for i, v := range c.worlds[0].vars.list {
		if !c.worlds[0].places[at[0]].live[i] && !c.worlds[1].places[at[1]].live[i] {
			p.sets[i] = v.all()
		}
		key += fmt.Sprintf(" %x", uint64(p.sets[i]))
	}
	if !c.index[key] {
		c.index[key] = true
		c.pairs = append(c.pairs, p)
	}
}
