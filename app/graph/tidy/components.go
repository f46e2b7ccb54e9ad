package tidy

import (
	"cmp"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// arc is a way out of a card that leads to another of the laid-out cards.
type arc struct {
	to   int32
	out  int32 // in Card.Outs
	back bool  // closes a cycle
	main bool  // on the main path
}

// part is a set of cards that are laid out together, as indexes in the list of cards. Members are ordered so that every arc except a back
// arc leads from an earlier to a later one.
type part struct {
	members []int32
	arcs    [][]arc // of all cards; arcs into another part are ignored
	local   []int32 // of all cards: their index in the members of their part
	of      []int32 // of all cards: their part
	number  int32
}

// search is a depth-first search over cards that finds which arcs close cycles.
type search struct {
	arcs  [][]arc
	part  []int32 // -1 while it is unknown
	state []uint8
	stack []visit
	done  []int32 // in the order in which the search left them
}

type visit struct{ card, next int32 }

// The states of a card in the search.
const (
	unseen uint8 = iota
	open         // on the current path of the search
	left
)

// partsOf divides cards into parts: first the cards reachable from Start, with Ending, then the connected components of the others. The
// first part follows from the graph alone, whatever the order of the nodes in the form.
func partsOf(cards []*graph.Card) []part {
	n := len(cards)
	s := &search{arcs: arcsOf(cards), part: make([]int32, n), state: make([]uint8, n), done: make([]int32, 0, n)}
	for i := range s.part {
		s.part[i] = -1
	}
	count := int32(0)
	var parts []part
	add := func(from int) {
		members := slices.Clone(s.done[from:])
		slices.Reverse(members)
		parts = append(parts, part{members: members, arcs: s.arcs, of: s.part, number: count})
		count++
	}
	ending := int32(slices.IndexFunc(cards, func(c *graph.Card) bool { return c.Kind == graph.EndingKind })) //nolint:gosec // 1 at most
	if cards[0].Kind == graph.StartKind {
		if ending >= 0 {
			s.from(ending, 0) // the card that is left first is last
		}
		s.from(0, 0)
		s.markMain(ending)
		add(0)
	}
	for _, members := range s.components(ending) {
		from := len(s.done)
		for _, i := range members {
			s.part[i] = count
		}
		for _, i := range s.roots(members) {
			s.from(i, count)
		}
		for _, i := range members {
			s.from(i, count)
		}
		add(from)
	}
	local := make([]int32, n)
	for i := range parts {
		parts[i].local = local
		for v, k := range parts[i].members {
			local[k] = int32(v)
		}
	}
	return parts
}

// markMain marks the main path: from Start by the first way out that leads on to Ending, or by the first one if none does.
func (s *search) markMain(ending int32) {
	leads := make([]bool, len(s.arcs))
	for _, i := range s.done { // the targets of a card that close no cycle are left before it
		leads[i] = i == ending || slices.ContainsFunc(s.arcs[i], func(a arc) bool { return !a.back && leads[a.to] })
	}
	for at := int32(0); ; {
		arcs := s.arcs[at]
		k := slices.IndexFunc(arcs, func(a arc) bool { return !a.back && leads[a.to] })
		if k < 0 {
			k = slices.IndexFunc(arcs, func(a arc) bool { return !a.back })
		}
		if k < 0 {
			return
		}
		arcs[k].main = true
		at = arcs[k].to
	}
}

// arcsOf lists the arcs of every card by the height of their handles, from the top. For a router that is the order of its rules.
func arcsOf(cards []*graph.Card) [][]arc {
	at := make(map[*graph.Card]int32, len(cards))
	for i, c := range cards {
		at[c] = int32(i)
	}
	arcs := make([][]arc, len(cards))
	var outs []int32
	for i, c := range cards {
		outs = outs[:0]
		edges := c.Edges()
		for j, e := range edges {
			if e != nil && e.Target() != nil {
				outs = append(outs, int32(j))
			}
		}
		slices.SortStableFunc(outs, func(a, b int32) int { return cmp.Compare(c.Outs[a].Y, c.Outs[b].Y) })
		for _, j := range outs {
			if k, ok := at[edges[j].Target()]; ok {
				arcs[i] = append(arcs[i], arc{to: k, out: j})
			}
		}
	}
	return arcs
}

// from searches from a card through the cards that belong to the part or to none yet.
func (s *search) from(root, part int32) {
	if s.state[root] != unseen {
		return
	}
	s.enter(root, part)
	for len(s.stack) > 0 {
		top := &s.stack[len(s.stack)-1]
		arcs := s.arcs[top.card]
		if int(top.next) == len(arcs) {
			s.state[top.card] = left
			s.done = append(s.done, top.card)
			s.stack = s.stack[:len(s.stack)-1]
			continue
		}
		a := &arcs[top.next]
		top.next++
		switch {
		case s.state[a.to] == open:
			a.back = true
		case s.state[a.to] == unseen && (s.part[a.to] < 0 || s.part[a.to] == part):
			s.enter(a.to, part)
		}
	}
}

func (s *search) enter(card, part int32) {
	s.state[card], s.part[card] = open, part
	s.stack = append(s.stack, visit{card: card})
}

// components returns the connected components of the cards that no search has reached, in the order of their first cards. ending, unless it
// is -1, counts as the last card.
func (s *search) components(ending int32) [][]int32 {
	root := make([]int32, len(s.arcs))
	for i := range root {
		root[i] = int32(i)
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, arcs := range s.arcs {
		for _, a := range arcs {
			if s.part[i] < 0 && s.part[a.to] < 0 {
				x, y := find(int32(i)), find(a.to)
				root[max(x, y)] = min(x, y)
			}
		}
	}
	at := make(map[int32]int)
	var groups [][]int32
	join := func(i int32) {
		if s.part[i] >= 0 {
			return
		}
		r := find(i)
		k, ok := at[r]
		if !ok {
			k = len(groups)
			at[r] = k
			groups = append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	for i := range int32(len(s.arcs)) { //nolint:gosec // a form has at most 200,000 values
		if i != ending {
			join(i)
		}
	}
	if ending >= 0 {
		join(ending)
	}
	return groups
}

// roots returns the members to which no other member leads.
func (s *search) roots(members []int32) []int32 {
	led := make(map[int32]bool)
	for _, i := range members {
		for _, a := range s.arcs[i] {
			if a.to != i {
				led[a.to] = true
			}
		}
	}
	var roots []int32
	for _, i := range members {
		if !led[i] {
			roots = append(roots, i)
		}
	}
	return roots
}
