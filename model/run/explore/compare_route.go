package explore

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/formgraph/formgraph/model"
)

// twin is how far two forms have taken the same people on since they last did something.
type twin struct {
	of    [sides]stand
	sets  []set // what is possible in both
	trail [sides]*trail
}

// stand is where a form has taken people.
type stand struct {
	at    int    // index of the node, ending or nowhere
	id    string // of the node at which the journey is or stops
	rests bool   // whether it goes no further by itself
	seen  []int  // the routers on the way that could lead in a circle
}

// follow takes both forms on through their routers, side by side, and compares where they arrive. Combinations of values that matter to
// neither form any longer are not told apart, since their number doubles with every router.
func (c *comparer) follow(from pair, h hop) {
	start := twin{sets: from.sets, trail: from.journey}
	for side := range sides {
		start.of[side] = c.stand(side, h.to[side], from.at, nil)
		if h.step[side] != nil {
			start.trail[side] = &trail{start.trail[side], *h.step[side]}
		}
	}
	known := map[string]bool{}
	queue := []twin{start}
	for len(queue) > 0 && c.goesOn() {
		t := queue[0]
		queue = queue[1:]
		side := c.turn(t)
		if t.of[side].rests {
			c.arrive(from, t)
			continue
		}
		for _, next := range c.route(side, t) {
			if key := c.key(next); !known[key] {
				known[key] = true
				queue = append(queue, next)
			}
		}
	}
}

// stand returns where people are when a way leads to a place.
func (c *comparer) stand(side, to int, from string, seen []int) stand {
	s := stand{at: to, id: from, seen: seen}
	switch to {
	case ending:
		s.id, s.rests = model.EndingID, true
	case nowhere:
		s.rests = true
	default:
		place := &c.worlds[side].places[to]
		s.id, s.rests = place.node.ID, place.router == nil
		if slices.Contains(seen, to) {
			s.at, s.rests = nowhere, true
		}
	}
	return s
}

// turn returns the form whose router comes next. It is the one that is behind, so that both read the same variables at the same time.
func (c *comparer) turn(t twin) int {
	switch {
	case t.of[0].rests:
		return 1
	case t.of[1].rests || t.of[0].id == t.of[1].id:
		return 0
	case c.leadsOn(1, t.of[1].at)[t.of[0].id]:
		return 1
	}
	return 0
}

// leadsOn returns the nodes to which routers lead on from a router.
func (c *comparer) leadsOn(side, router int) map[string]bool {
	if known, ok := c.ahead[[2]int{side, router}]; ok {
		return known
	}
	ids := map[string]bool{}
	places := c.worlds[side].places
	queue := []int{router}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, way := range places[i].ways {
			if way.to < 0 || ids[places[way.to].node.ID] {
				continue
			}
			ids[places[way.to].node.ID] = true
			if places[way.to].router != nil {
				queue = append(queue, way.to)
			}
		}
	}
	c.ahead[[2]int{side, router}] = ids
	return ids
}

// route takes one form on through its router. What the router reads restricts the values of the other form, too.
func (c *comparer) route(side int, t twin) []twin {
	at := &c.worlds[side].places[t.of[side].at]
	seen := t.of[side].seen
	if at.circles {
		seen = append(slices.Clone(seen), t.of[side].at)
	}
	boxes := at.boxes(t.sets)
	var all []twin
	past := func(b box, by step) *twin {
		next := t
		next.sets = b.within(t.sets)
		next.trail[side] = &trail{t.trail[side], by}
		next.trail[1-side] = &trail{t.trail[1-side], step{way: -1, kind: judge, box: b}}
		all = append(all, next)
		return &all[len(all)-1]
	}
	for _, b := range boxes[asking] {
		past(b, step{way: -1, kind: judge, box: b}).of[side].rests = true
	}
	for i, way := range at.ways {
		for _, b := range boxes[i] {
			if !b.asks {
				next := past(b, step{at: t.of[side].at, way: i, box: b})
				next.of[side] = c.stand(side, way.to, t.of[side].id, seen)
			}
		}
	}
	return all
}

// boxes returns what the router of a place makes of sets of all variables, as split does.
func (p *place) boxes(sets []set) map[int][]box {
	boxes, _ := p.router.split(p.router.of(sets))
	return boxes
}

// key is the same for twins that nothing tells apart any longer.
func (c *comparer) key(t twin) string {
	var key []byte
	for _, s := range t.of {
		key = strconv.AppendQuote(strconv.AppendInt(key, int64(s.at), 10), s.id)
		key = strconv.AppendBool(key, s.rests)
		for _, r := range s.seen {
			key = strconv.AppendInt(append(key, ','), int64(r), 10)
		}
		key = append(key, ';')
	}
	for v, of := range t.sets {
		if c.matters(t, v) {
			key = binary.LittleEndian.AppendUint64(key, uint64(of))
		}
	}
	return string(key)
}

// matters reports whether one of the forms reads a variable later.
func (c *comparer) matters(t twin, v int) bool {
	for side, s := range t.of {
		if s.at >= 0 && c.worlds[side].places[s.at].live[v] {
			return true
		}
	}
	return false
}

// arrive compares where both forms are now.
func (c *comparer) arrive(from pair, t twin) {
	for i, v := range c.worlds[0].vars.list {
		if t.sets[i] == 0 && len(v.domain) > 0 {
			return // not possible together
		}
	}
	a, b := t.of[0], t.of[1]
	if a.id != b.id || (a.at < 0) != (b.at < 0) || a.at >= 0 && c.typeOf(0, a.at) != c.typeOf(1, b.at) {
		c.part(from, t)
		return
	}
	if a.at < 0 {
		return // both ended, or both stopped
	}
	to := pair{at: b.id, sets: t.sets, journey: t.trail}
	c.ending(to)
	c.asking(to, a.at, b.at)
	c.add(to)
}
