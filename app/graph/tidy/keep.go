package tidy

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// keeper repairs a layout after edits: what still has its place keeps it, and the rest goes next to it. Cards stay in their columns unless an
// edge would then lead back, and at their heights unless they would come too close to others.
type keeper struct {
	cards  []*graph.Card
	parts  []part
	strip  float64
	at     []graph.Vec
	placed []bool // the card has a place
	depth  []int32
	band   []int32
	column []int32
	least  []int32 // the least column of each card: to the right of what leads to it
	moves  []bool  // the card has no place yet, or leaves its column: it looks for a gap
	pinned []bool  // the card is on the main path: others make room for it
}

// Limits of what counts as a layout, in parts of the cards and of their edges.
const (
	mostRepairs = 4  // rounds until nothing moves any more
	mostMoved   = 3  // one card in so many may move apart from the others
	fewCards    = 4  // are laid out anew
	usualLevel  = .2 // of the edges are level where there is no new layout
)

// keep returns the present places of cards, repaired until nothing moves any more, or nil if these are not those of a layout.
func keep(cards []*graph.Card, parts []part, strip float64) []graph.Vec {
	n := len(cards)
	if n <= fewCards {
		return nil
	}
	k := &keeper{cards: cards, parts: parts, strip: strip, at: make([]graph.Vec, n), depth: make([]int32, n), placed: make([]bool, n)}
	for i, c := range cards {
		k.at[i], k.placed[i] = c.Rect.Origin(), !c.Auto
	}
	k.setDepths()
	if n > ratedCards && !k.usual() {
		return nil
	}
	for range mostRepairs {
		before := slices.Clone(k.at)
		k.repairAll()
		if k.moved() > max(1, n/mostMoved) {
			return nil
		}
		if slices.Equal(k.at, before) {
			return k.at
		}
	}
	return nil
}

// repairAll repairs all groups.
func (k *keeper) repairAll() {
	n := len(k.cards)
	k.band, k.column, k.least = make([]int32, n), make([]int32, n), make([]int32, n)
	k.moves, k.pinned = make([]bool, n), make([]bool, n)
	groups := k.groups()
	for _, g := range groups {
		k.repair(g)
	}
	k.separate(groups)
	endRight(k.cards, k.at)
	for i := range k.placed {
		k.placed[i] = true
	}
}

// setDepths finds how many columns each card is at least to the right of the first.
func (k *keeper) setDepths() {
	for _, p := range k.parts {
		for _, v := range p.members {
			for _, a := range k.ahead(v) {
				k.depth[a.to] = max(k.depth[a.to], k.depth[v]+1)
			}
		}
	}
}

// width returns how wide a strip of a depth is about.
func width(depth int32) float64 { return float64(depth+1) * (graph.CardWidth + graph.LayerGap) }

// usual reports whether as many edges are level as in a layout, which is not so deep that a new one would be set in rows.
func (k *keeper) usual() bool {
	level, edges := 0, 0
	for v, arcs := range k.parts[0].arcs {
		for _, a := range arcs {
			edges++
			if levelLine(k.cards[v].OutAt(int(a.out)), k.cards[a.to].InAt()) {
				level++
			}
		}
	}
	return float64(level) >= usualLevel*float64(edges) && width(slices.Max(k.depth)) < 2*lastPlace
}

// moved returns how many cards move, but for those of the largest group that moves as one to the side or up or down.
func (k *keeper) moved() int {
	same := map[graph.Vec]int{}
	moved, most := 0, 0
	for i, c := range k.cards {
		d := k.at[i].Sub(c.Rect.Origin())
		if d == (graph.Vec{}) && !c.Auto {
			continue
		}
		moved++
		if same[d]++; !c.Auto && (d.X == 0 || d.Y == 0) {
			most = max(most, same[d])
		}
	}
	return moved - most
}

// groups returns the cards in the order of parts and members: each part is a group, but for those that begin within the height of Start's
// part, which belong to it.
func (k *keeper) groups() (groups [][]int32) {
	low := math.Inf(-1)
	for i, p := range k.parts {
		g, top := slices.Clone(p.members), math.Inf(1)
		for _, v := range g {
			top = min(top, k.at[v].Y)
		}
		if i > 0 && top < low {
			groups[0] = append(groups[0], g...)
			continue
		}
		groups = append(groups, g)
		if i == 0 && k.cards[g[0]].Kind == graph.StartKind {
			for _, v := range g {
				low = max(low, k.bottom(v))
			}
		}
	}
	return groups
}

func (k *keeper) bottom(v int32) float64 { return k.at[v].Y + k.height(v) }

func (k *keeper) height(v int32) float64 { return math.Ceil(k.cards[v].Rect.H) }

// separate moves groups down that come too close to others: all of them below the first, and each below those that it would meet.
func (k *keeper) separate(groups [][]int32) {
	boxes := make([]graph.Rect, len(groups))
	for i, g := range groups {
		for _, v := range g {
			boxes[i] = boxes[i].Union(graph.Rect{X: k.at[v].X, Y: k.at[v].Y, W: k.cards[v].Rect.W, H: k.height(v)})
		}
	}
	order := make([]int32, len(groups))
	for i := range order {
		order[i] = int32(i)
	}
	first := 0
	if k.cards[0].Kind == graph.StartKind {
		first = 1
	}
	slices.SortStableFunc(order[first:], func(a, b int32) int { return cmp.Compare(boxes[a].Y, boxes[b].Y) })
	var above []graph.Rect
	for n, i := range order {
		b := &boxes[i]
		by := 0.0
		for _, o := range above {
			if o.X < b.Right()+graph.LayerGap && b.X < o.Right()+graph.LayerGap || n > 0 && first == 1 && o == boxes[0] {
				by = max(by, o.Bottom()+partGap-b.Y)
			}
		}
		by = graph.SnapUp(by)
		for _, v := range groups[i] {
			k.at[v].Y += by
		}
		b.Y += by
		above = append(slices.DeleteFunc(above, func(o graph.Rect) bool { return o.Bottom()+partGap <= b.Y && o != boxes[0] }), *b)
	}
}

// repair repairs the layout of a group.
func (k *keeper) repair(members []int32) {
	tops := k.setBands(members)
	cols := k.columns(members)
	cols = k.setColumns(members, cols)
	k.pull(members)
	k.straighten(members)
	by := func(a, b int32) int {
		return cmp.Or(cmp.Compare(k.band[a], k.band[b]), cmp.Compare(k.column[a], k.column[b]), cmp.Compare(k.at[a].Y, k.at[b].Y))
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, by)
	for first := 0; first < len(sorted); {
		last := first + 1
		for last < len(sorted) && k.band[sorted[last]] == k.band[sorted[first]] && k.column[sorted[last]] == k.column[sorted[first]] {
			last++
		}
		k.stack(sorted[first:last], tops[k.band[sorted[first]]])
		first = last
	}
	k.spread(members, len(tops))
	k.fit(members, cols)
	for _, v := range members {
		k.at[v].X = cols[k.column[v]].x
	}
}

// setBands divides a layout too deep for a strip into bands where there is nothing at all on some height, so that an edge may lead back to
// what is below. It returns where they begin.
func (k *keeper) setBands(members []int32) (tops []float64) {
	most := int32(0)
	for _, v := range members {
		most = max(most, k.depth[v])
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(k.at[a].Y, k.at[b].Y) })
	tops = append(tops, k.at[sorted[0]].Y)
	if width(most) <= k.strip {
		return tops
	}
	low := k.bottom(sorted[0])
	for _, v := range sorted {
		if k.at[v].Y-low >= bandGap {
			tops = append(tops, k.at[v].Y)
		}
		low = max(low, k.bottom(v))
		k.band[v] = int32(len(tops) - 1) //nolint:gosec // a form has at most 200,000 values
	}
	return tops
}

// spread moves bands down that come too close to the one above.
func (k *keeper) spread(members []int32, bands int) {
	top, bottom := make([]float64, bands), make([]float64, bands)
	for i := range top {
		top[i], bottom[i] = math.Inf(1), math.Inf(-1)
	}
	for _, v := range members {
		b := k.band[v]
		top[b], bottom[b] = min(top[b], k.at[v].Y), max(bottom[b], k.bottom(v))
	}
	by, low := make([]float64, bands), math.Inf(-1)
	for i := range by {
		if i > 0 {
			by[i] = max(by[i-1], graph.SnapUp(low+bandGap-top[i]))
		}
		low = max(low, bottom[i]+by[i])
	}
	for _, v := range members {
		k.at[v].Y += by[k.band[v]]
	}
}

// straighten puts the main path on one height in each band: that of Start, or of most of its cards.
func (k *keeper) straighten(members []int32) {
	v := members[0]
	if k.cards[v].Kind != graph.StartKind {
		return
	}
	var run []int32
	var drop []float64
	level := func() {
		at := map[float64]int{}
		base := k.at[run[0]].Y
		if k.cards[run[0]].Kind != graph.StartKind {
			for i, v := range run {
				y := k.at[v].Y - drop[i]
				if !k.moves[v] {
					if at[y]++; at[y] > at[base] {
						base = y
					}
				}
			}
		}
		for i, v := range run {
			k.at[v].Y, k.pinned[v] = base+drop[i], true
		}
	}
	run, drop = append(run, v), append(drop, 0)
	for v >= 0 {
		next, d := int32(-1), 0.0
		for _, a := range k.parts[0].arcs[v] {
			if a.main {
				next, d = a.to, k.cards[v].Outs[a.out].Y-k.cards[a.to].InY
			}
		}
		if next >= 0 && k.band[next] == k.band[v] {
			run, drop = append(run, next), append(drop, drop[len(drop)-1]+d)
		} else {
			level()
			run, drop = append(run[:0], next), append(drop[:0], 0)
		}
		v = next
	}
}
