package explore

import (
	std "context"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run"
	"github.com/formgraph/formgraph/model/run/answer"
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

// String returns the difference in words.
func (d Difference) String() string {
	switch d.Kind {
	case GoesElsewhere:
		switch {
		case d.Before == "":
			return fmt.Sprintf("now gets on to %q from %q", d.After, d.Node)
		case d.After == "":
			return fmt.Sprintf("no longer gets on to %q from %q", d.Before, d.Node)
		}
		return fmt.Sprintf("now goes to %q instead of %q, from %q", d.After, d.Before, d.Node)
	case Asked:
		return fmt.Sprintf("is now asked %q at %q", d.After, d.Node)
	case NotAsked:
		return fmt.Sprintf("is no longer asked %q at %q", d.Before, d.Node)
	case CannotFinish:
		return fmt.Sprintf("can no longer finish from %q", d.Node)
	case CanFinish:
		return fmt.Sprintf("can now finish from %q", d.Node)
	}
	return ""
}

// Compare returns what changes for people from one form to another, in the order in which they meet it. Only what they see counts: the
// steps, flows and fields on their way, and whether they can finish; not texts, aliases, positions or routers by themselves. Nodes,
// buttons and fields are compared by their id. states limits the search, 0 is DefaultStates. An error is that of the context.
func Compare(ctx std.Context, before, after *run.Program, states int) ([]Difference, error) {
	if states == 0 {
		states = DefaultStates
	}
	c := comparer{worlds: newWorlds([sides]*run.Program{before, after}), index: map[string]bool{}, told: map[string]bool{}}
	for side, w := range c.worlds {
		c.searches[side] = newSearch(w, states, false)
		if !c.searches[side].run(func() bool { return ctx.Err() != nil }) {
			return nil, ctx.Err()
		}
		c.finishes[side] = c.searches[side].finishes()
	}
	c.follow(pair{at: model.StartID, sets: c.worlds[0].vars.initial()}, hop{to: [sides]int{c.worlds[0].start, c.worlds[1].start}})
	for i := 0; i < len(c.pairs) && i < states; i++ {
		if i%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.expand(i)
	}
	return c.found, nil
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

// stand is where a form takes people after its routers.
type stand struct {
	at    int    // index of the node, ending or nowhere
	id    string // of the node at which the journey is or stops
	sets  []set
	trail [sides]*trail
}

// follow takes both forms on through their routers, and compares where they arrive.
func (c *comparer) follow(from pair, h hop) {
	start := stand{at: h.to[0], id: from.at, sets: from.sets, trail: from.journey}
	for side := range sides {
		if h.step[side] != nil {
			start.trail[side] = &trail{start.trail[side], *h.step[side]}
		}
	}
	for _, a := range c.route(0, start, nil) {
		second := a
		second.at, second.id = h.to[1], from.at
		for _, b := range c.route(1, second, nil) {
			c.arrive(from, a, b)
		}
	}
}

// route returns where a form takes people from a place: there, or through routers. What the routers of one form read also restricts
// the values of the other.
func (c *comparer) route(side int, s stand, seen []int) []stand {
	w := c.worlds[side]
	if s.at < 0 {
		if s.at == ending {
			s.id = model.EndingID
		}
		return []stand{s}
	}
	at := &w.places[s.at]
	s.id = at.node.ID
	if at.router == nil {
		return []stand{s}
	}
	if slices.Contains(seen, s.at) {
		s.at = nowhere
		return []stand{s}
	}
	sets := make([]set, len(at.router.reads))
	for i, v := range at.router.reads {
		sets[i] = s.sets[v]
	}
	boxes, _ := at.router.split(sets)
	var all []stand
	past := func(b box, way int) stand {
		next := s
		next.sets = b.within(s.sets)
		next.trail[1-side] = &trail{next.trail[1-side], step{way: -1, kind: judge, box: b}}
		if way < 0 {
			next.trail[side] = &trail{next.trail[side], step{way: -1, kind: judge, box: b}}
			return next
		}
		next.trail[side] = &trail{next.trail[side], step{at: s.at, way: way, box: b}}
		next.at = at.ways[way].to
		return next
	}
	for _, b := range boxes[asking] {
		all = append(all, past(b, -1))
	}
	for i := range at.ways {
		for _, b := range boxes[i] {
			if !b.asks {
				all = append(all, c.route(side, past(b, i), append(slices.Clone(seen), s.at))...)
			}
		}
	}
	return all
}

// arrive compares where both forms are now. b's sets are what is possible in both.
func (c *comparer) arrive(from pair, a, b stand) {
	for i, v := range c.worlds[0].vars.list {
		if b.sets[i] == 0 && len(v.domain) > 0 {
			return // not possible together
		}
	}
	to := pair{at: b.id, sets: b.sets, journey: b.trail}
	if a.id != b.id || (a.at < 0) != (b.at < 0) || a.at >= 0 && c.typeOf(0, a.at) != c.typeOf(1, b.at) {
		c.part(from, a, b)
		return
	}
	if a.at < 0 {
		return // both ended, or both stopped
	}
	c.ending(to)
	c.asking(to, a.at, b.at)
	c.add(to)
}

func (c *comparer) typeOf(side, at int) model.NodeType { return c.worlds[side].places[at].node.Type }

// part notes that the forms take people to different places.
func (c *comparer) part(from pair, a, b stand) {
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
	c.tell(d, b.sets, b.trail, [sides]int{a.at, b.at})
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
			if answer.TypeOf(of) != answer.None {
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
