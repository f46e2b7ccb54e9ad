package scope

import "slices"

// wordSize is the number of groups of fields that one pass over the form follows. Each is a bit of a word for each vertex, so that the
// memory of a pass does not depend on the number of fields.
const wordSize = 64

// pass is what the paths to each vertex collect of up to wordSize groups of fields, each a bit.
type pass struct {
	*Analysis
	misses []uint64 // the groups that some path to the vertex does not surely collect
	may    []uint64 // the groups that some path to the vertex may collect

	own []uint64 // the groups for which a step asks
	due []bool   // the vertices that have something to pass on

	left  int         // how many ways may still be followed
	ended func() bool // whether to end early
}

// maxFollowed bounds the ways that all passes of a call follow: a few tenths of a second. A form of 10,000 steps in a row, each with a field that
// another one reads, needs eight million.
const maxFollowed = 20_000_000

func (a *Analysis) newPass(ended func() bool) *pass {
	words := make([]uint64, 3*len(a.ways))
	n := len(a.ways)
	return &pass{Analysis: a, misses: words[:n:n], may: words[n : 2*n : 2*n], own: words[2*n:], due: make([]bool, n), left: maxFollowed, ended: ended}
}

// follow finds what the paths collect of the groups from an index on, in place of what the last call found. Each bit of a vertex is set at
// most once, so the time is at most linear in the ways times the groups, and in a usual form linear in the ways. It returns false, and knows
// nothing, once maxFollowed is reached or the pass is to end.
func (p *pass) follow(from int) bool {
	if p.left -= len(p.ways); p.left <= 0 || p.ended() {
		p.left = 0
		return false
	}
	clear(p.misses)
	clear(p.may)
	clear(p.own)
	sources := p.only(p.start())
	all, hidden := uint64(0), uint64(0)
	for i, g := range p.groups[from:min(from+wordSize, len(p.groups))] {
		bit := uint64(1) << i
		all |= bit
		if g.hidden {
			hidden |= bit
		}
		for _, v := range g.steps {
			p.own[v] |= bit
			if p.reached[v] {
				sources = p.with(sources, v)
			}
		}
	}
	p.misses[p.start()] = all &^ hidden
	p.spread(p.misses, p.only(p.start()), p.ways, func(v, way int) uint64 {
		if way == p.checks[v] {
			return p.misses[v] &^ p.own[v]
		}
		return p.misses[v]
	})
	if slices.Contains(p.returns, true) {
		p.detours()
		sources = p.order
	}
	p.may[p.start()] = hidden
	p.spread(p.may, sources, p.ways, func(v, _ int) uint64 { return p.may[v] | p.own[v] })
	return p.left > 0
}

// detours adds to each step the fields that a path may collect by leaving it and returning with previous buttons: its own, those of the
// step from which it returns, and those of further detours. Previous buttons need no other treatment: each returns to the step from which
// the path came, so what is between is such a detour, and it makes no field uncollected.
func (p *pass) detours() {
	p.spread(p.may, p.order, p.back, func(w, way int) uint64 {
		if !p.returns[w] {
			return 0
		}
		return p.may[w] | p.own[w] | p.own[p.back[w][way]]
	})
	for v := range p.may {
		if p.checks[v] < 0 { // not a step: it passes detours on to the steps before, and none begins there
			p.may[v] = 0
		}
	}
}

// spread adds to the words of the vertices what ways pass on, until nothing changes. It begins at the sources: other vertices pass nothing
// on before their word changes. It goes over the vertices there and back, since most ways lead to a near vertex in one direction.
func (p *pass) spread(words []uint64, sources []int, ways [][]int, pass func(v, way int) uint64) {
	for _, v := range sources {
		p.due[v] = true
	}
	last := len(p.order) - 1
	for changed, reverse := true, false; changed; reverse = !reverse {
		if p.left <= 0 || p.ended() {
			p.left = 0
			clear(p.due)
			return
		}
		changed = false
		for i := range p.order {
			if reverse {
				i = last - i
			}
			v := p.order[i]
			if !p.due[v] {
				continue
			}
			p.due[v] = false
			p.left -= len(ways[v])
			for way, w := range ways[v] {
				if w < 0 {
					continue
				}
				if word := words[w] | pass(v, way); word != words[w] {
					words[w], p.due[w], changed = word, true, true
				}
			}
		}
	}
}

// at reports whether a path to the site misses a group of the pass, and whether one may collect it.
func (p *pass) at(s site, group int) (misses, may bool) {
	for _, v := range s.at {
		misses = misses || p.misses[v]>>(group%wordSize)&1 == 1
		may = may || p.may[v]>>(group%wordSize)&1 == 1
	}
	return misses, may
}

// tree has the shortest paths from the start.
type tree struct {
	order []int // the vertices that are reached, the nearest first
	last  []int // the vertex before each of them on its path
}

// search returns the shortest paths that do not leave any of the given steps by the next node.
func (a *Analysis) search(avoid []int) tree {
	t := tree{order: make([]int, 0, len(a.ways)), last: slices.Repeat([]int{-1}, len(a.ways))}
	closed := make([]bool, len(a.ways))
	for _, v := range avoid {
		closed[v] = true
	}
	t.order, t.last[a.start()] = append(t.order, a.start()), a.start()
	for i := 0; i < len(t.order); i++ {
		v := t.order[i]
		for way, w := range a.ways[v] {
			if w < 0 || t.last[w] >= 0 || closed[v] && way == a.checks[v] {
				continue
			}
			t.last[w] = v
			t.order = append(t.order, w)
		}
	}
	return t
}
