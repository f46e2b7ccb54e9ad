package tidy

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// nearby is how far from its wish a card may be put in a gap before others make room for it.
const nearby = 160

// emptyColumn is the least width that a column leaves behind.
const emptyColumn = graph.PillWidth + graph.LayerGap

// column is a column of a layout that is kept.
type column struct {
	x, width float64
	cards    int
}

// columns returns the columns in which the cards of a group are, from the left: of those that come too close to each other the ones with most
// cards.
func (k *keeper) columns(members []int32) (cols []column) {
	at := map[float64]*column{}
	var all []*column
	for _, v := range members {
		x := graph.SnapUp(k.at[v].X)
		if !k.placed[v] {
			continue
		}
		c := at[x]
		if c == nil {
			c = &column{x: x}
			at[x] = c
			all = append(all, c)
		}
		c.cards++
		c.width = max(c.width, k.cards[v].Rect.W)
	}
	slices.SortFunc(all, func(a, b *column) int { return cmp.Or(cmp.Compare(b.cards, a.cards), cmp.Compare(a.x, b.x)) })
	for _, c := range all {
		i, _ := slices.BinarySearchFunc(cols, c.x, func(o column, x float64) int { return cmp.Compare(o.x, x) })
		if i > 0 && cols[i-1].x+cols[i-1].width+graph.LayerGap > c.x || i < len(cols) && c.x+c.width+graph.LayerGap > cols[i].x {
			continue
		}
		cols = append(cols, *c)
		copy(cols[i+1:], cols[i:])
		cols[i] = *c
	}
	if len(cols) == 0 {
		cols = append(cols, column{x: graph.Snap(k.at[members[0]].X), width: graph.CardWidth})
	}
	return cols
}

// nearest returns the column nearest to a place.
func nearest(cols []column, x float64) int32 {
	i, ok := slices.BinarySearchFunc(cols, x, func(o column, x float64) int { return cmp.Compare(o.x, x) })
	if !ok && (i == len(cols) || i > 0 && x-cols[i-1].x < cols[i].x-x) {
		i--
	}
	return int32(i) //nolint:gosec // a form has at most 200,000 values
}

// setColumns puts each card in the column nearest to its place that is to the right of all that leads to it. It returns the columns, with new
// ones at the right if there are too few.
func (k *keeper) setColumns(members []int32, cols []column) []column {
	last := map[int32]int32{} // of each band: the column furthest to the right
	for _, v := range members {
		at := nearest(cols, k.at[v].X)
		k.moves[v] = !k.placed[v] || cols[at].x != k.at[v].X
		if k.moves[v] {
			for _, a := range k.ahead(v) {
				if w := a.to; k.placed[w] && k.band[w] == k.band[v] {
					at = max(0, min(at, nearest(cols, k.at[w].X)-1))
				}
			}
		}
		to := max(at, k.least[v])
		if k.cards[v].Kind == graph.EndingKind {
			if most, ok := last[k.band[v]]; ok {
				to = max(to, most+1)
			}
		}
		k.column[v] = to
		last[k.band[v]] = max(last[k.band[v]], to)
		k.moves[v] = k.moves[v] || to != at
		for _, a := range k.ahead(v) {
			w := a.to
			switch right := k.at[w].X > k.at[v].X; {
			case k.band[w] > k.band[v] && !right:
				continue
			case k.band[w] < k.band[v] && !right && int(to) == len(cols)-1:
				k.band[w], k.moves[w] = k.band[v], true
			}
			k.least[w] = max(k.least[w], to+1)
		}
		for int(to) >= len(cols) {
			c := cols[len(cols)-1]
			cols = append(cols, column{x: c.x + graph.SnapUp(c.width) + graph.LayerGap, width: graph.CardWidth})
		}
	}
	return cols
}

// pull moves what is to the right of a column of a band to the left where no edge is short, so that all can become shorter.
func (k *keeper) pull(members []int32) {
	type key struct{ band, column int32 }
	cards := map[key]int{} // how many are there
	led := map[key]int{}   // and how many of them only from further left
	nearest := map[int32]int32{}
	fixed := map[int32]int32{} // of each band: the last column to which a short edge leads from another band
	for _, v := range members {
		for _, a := range k.parts[0].arcs[v] {
			if a.back || k.column[a.to] <= k.column[v] {
				continue
			}
			nearest[a.to] = max(nearest[a.to], k.column[v]+1)
			if b := k.band[a.to]; b != k.band[v] && k.column[a.to] == k.column[v]+1 {
				fixed[b] = max(fixed[b], k.column[a.to])
			}
		}
	}
	for _, v := range members {
		at := key{k.band[v], k.column[v]}
		cards[at]++
		if to, ok := nearest[v]; ok && to < k.column[v] && k.cards[v].Kind != graph.EndingKind {
			led[at]++
		}
	}
	cuts := map[int32][]int32{} // of each band, the columns before which there is room
	for at, n := range led {
		if n == cards[at] && cards[key{at.band, at.column - 1}] > 0 && at.column > fixed[at.band] {
			cuts[at.band] = append(cuts[at.band], at.column)
		}
	}
	for _, list := range cuts {
		slices.SortStableFunc(list, cmp.Compare[int32])
	}
	for _, v := range members {
		if by, found := slices.BinarySearch(cuts[k.band[v]], k.column[v]); by > 0 || found {
			if found {
				by++
			}
			k.column[v] -= int32(by) //nolint:gosec // a form has at most 200,000 values
			k.moves[v] = true
		}
	}
}

// ahead returns the arcs of a card that lead on within its part.
func (k *keeper) ahead(v int32) (arcs []arc) {
	p := &k.parts[0]
	for _, a := range p.arcs[v] {
		if !a.back && p.of[a.to] == p.of[v] {
			arcs = append(arcs, a)
		}
	}
	return arcs
}

// stack keeps the cards of a column of a band apart, and puts those that move into gaps. The cards are ordered by height. top is where the band
// begins.
func (k *keeper) stack(cards []int32, top float64) {
	var stay, move []int32
	pin := 0
	for _, v := range cards {
		if k.moves[v] && !k.pinned[v] {
			move = append(move, v)
			continue
		}
		if k.pinned[v] {
			pin = len(stay)
		}
		stay = append(stay, v)
	}
	k.push(stay, pin+1)
	for i := pin - 1; i >= 0; i-- {
		v, w := stay[i], stay[i+1]
		k.at[v].Y = min(k.at[v].Y, k.at[w].Y-graph.CardGap-k.height(v))
	}
	for _, v := range move {
		stay = k.insert(stay, v, top)
	}
}

// push moves the cards of a column from the i-th on down as far as needed.
func (k *keeper) push(cards []int32, i int) {
	for ; i < len(cards); i++ {
		k.at[cards[i]].Y = max(k.at[cards[i]].Y, k.bottom(cards[i-1])+graph.CardGap)
	}
}

// insert puts a card into the nearest gap of a column, or makes one for it.
func (k *keeper) insert(cards []int32, v int32, top float64) []int32 {
	wish, best, to, y := k.at[v].Y, math.Inf(1), 0, 0.0
	for i := range len(cards) + 1 {
		lo, hi := top, math.Inf(1)
		if i > 0 {
			lo = k.bottom(cards[i-1]) + graph.CardGap
		}
		if i < len(cards) {
			hi = k.at[cards[i]].Y - graph.CardGap - k.height(v)
		}
		if at := max(lo, min(wish, hi)); at <= hi && math.Abs(at-wish) < best {
			best, to, y = math.Abs(at-wish), i, at
		}
	}
	if best > nearby {
		for to = 0; to < len(cards) && (k.pinned[cards[to]] || k.at[cards[to]].Y < wish); to++ {
		}
		if y = wish; to > 0 {
			y = max(y, k.bottom(cards[to-1])+graph.CardGap)
		}
	}
	k.at[v].Y = y
	cards = append(cards, v)
	copy(cards[to+1:], cards[to:])
	cards[to] = v
	k.push(cards, to+1)
	return cards
}

// fit moves columns apart that have become wider, and closes the gaps that columns without cards leave. Gaps with many lines stay as wide as
// these need.
func (k *keeper) fit(members []int32, cols []column) {
	for i := range cols {
		cols[i].width = 0
	}
	for _, v := range members {
		c := &cols[k.column[v]]
		c.width = max(c.width, k.cards[v].Rect.W)
	}
	var left []int // the columns with cards
	used := make([]int32, len(cols))
	wide := false
	for i := range cols {
		if cols[i].width == 0 {
			continue
		}
		if n := len(left); n > 0 {
			wide = wide || cols[left[n-1]].free(&cols[i]) >= emptyColumn
		}
		used[i] = int32(len(left)) //nolint:gosec // a form has at most 200,000 values
		left = append(left, i)
	}
	var lines [][]*upright
	if wide {
		lines = k.turning(members, used, len(left))
	}
	by, x := 0.0, make([]float64, len(cols))
	for j, i := range left {
		x[i] = cols[i].x
		if j == 0 {
			continue
		}
		before := &cols[left[j-1]]
		free := before.free(&cols[i])
		if free >= emptyColumn {
			if free -= graph.SnapUp(float64(max(0, beside(lines[j-1])-usualLines)) * graph.LaneStep); free >= emptyColumn {
				by -= free
			}
		} else if free < 0 {
			by -= free
		}
		x[i] += by
	}
	for _, i := range left {
		cols[i].x = x[i]
	}
}

// free returns how much further apart two columns are than usual.
func (c *column) free(next *column) float64 {
	return next.x - c.x - graph.SnapUp(c.width) - graph.LayerGap
}

// turning returns the vertical lines between n columns: an edge to the right may turn behind its first card or before its last.
func (k *keeper) turning(members, used []int32, n int) [][]*upright {
	lines := make([][]*upright, n)
	add := func(gap int32, y, end float64) {
		if gap >= 0 && int(gap) < n-1 && y != end {
			lines[gap] = append(lines[gap], &upright{min(y, end), max(y, end)})
		}
	}
	p := &k.parts[0]
	for _, v := range members {
		for _, a := range p.arcs[v] {
			if p.of[a.to] != p.of[v] {
				continue
			}
			y, end := k.at[v].Y+k.cards[v].Outs[a.out].Y, k.at[a.to].Y+k.cards[a.to].InY
			from, to := used[k.column[v]], used[k.column[a.to]]-1
			if to > from {
				y, end = math.Inf(-1), math.Inf(1) // it may turn at any height
			}
			add(from, y, end)
			if to != from {
				add(to, y, end)
			}
		}
	}
	return lines
}
