package tidy

import (
	"math"

	"github.com/formgraph/formgraph/app/graph"
)

// A layout much wider than a page is cut between layers into bands, which lie below each other like lines of text. An edge from one band to
// the next runs back between them.
const (
	bandGain   = 1.35 // how much larger than one strip the bands must show a form
	passCost   = .2   // how much less a cut counts for each link that it cuts, on average: it crosses others on its way back
	passMost   = 6    // so many links count: a large form does not fit a page without bands
	bandGap    = 80   // between two bands, at least
	bandMargin = 24   // between an edge in that gap and the cards beside it
	mostGap    = 320  // a gap is not widened beyond this to keep an edge off the cards
	bandSlack  = 1.15 // how much wider than the others a band may be in order to end at a good place
	leastBand  = 0.6  // how full it must be in order to end earlier for one
)

// bands is a layout cut into bands, each laid out separately.
type bands struct {
	whole  *layering
	of     []int32 // of each card of the whole: its band
	local  []int32 // and its index in the layering of that band
	strips []strip
	left   []float64 // of each column
	indent int       // how many columns are to the left of the second band's first: that of Start
}

// strip is a band that is laid out.
type strip struct {
	*layering
	columns
	sheet
}

// wrap lays a part out in bands and reports whether that shows it larger than one strip. The height of the bands is estimated first, and
// corrected once with the result: laying out every choice would take too long.
func wrap(s *layering, cols columns, cards []*graph.Card, p part) (sheet, bool) {
	c := newCutter(s, cols)
	cut, height := c.best(1)
	if len(cut) < 2 {
		return sheet{}, false
	}
	first := newBands(s, cards, p, cut).stack()
	if s.scale > largeSheet {
		return first, true
	}
	again, _ := c.best(max(1, first.size.Y/height))
	if len(again) < 2 || len(again) == len(cut) {
		return first, true
	}
	if second := newBands(s, cards, p, again).stack(); graph.PageScale(second.size) > graph.PageScale(first.size) {
		return second, true
	}
	return first, true
}

// newBands lays out each band of a cut.
func newBands(s *layering, cards []*graph.Card, p part, cut []band) *bands {
	b := &bands{whole: s, of: make([]int32, len(s.cards)), local: make([]int32, len(s.cards))}
	bandOf := make([]int32, s.depth())
	for i, r := range cut {
		for j := r.first; j < r.last; j++ {
			bandOf[j] = int32(i)
		}
	}
	of, local := make([]int32, len(cards)), make([]int32, len(cards))
	for k := range of {
		of[k] = -1
	}
	members := make([][]int32, len(cut))
	for v, k := range p.members {
		i := bandOf[s.layer[v]]
		of[k], local[k] = i, int32(len(members[i])) //nolint:gosec // a form has at most 200,000 values
		b.of[v], b.local[v] = i, local[k]
		members[i] = append(members[i], k)
	}
	for i := range cut {
		l := newLayering(cards, part{members: members[i], arcs: p.arcs, local: local, of: of, number: int32(i)})
		l.scale = s.scale
		cols := columnsOf(l)
		b.strips = append(b.strips, strip{l, cols, lay(l, cols)})
	}
	if b.strips[0].beginsWithStart() {
		b.indent = 1
	}
	return b
}

// beginsWithStart reports whether Start is alone in the first column.
func (s *strip) beginsWithStart() bool {
	for v, c := range s.cards {
		if s.layer[v] == 0 && c.Kind != graph.StartKind {
			return false
		}
	}
	return true
}

// stack places the bands below each other. They share columns, so that a vertical line between two columns of one band meets no card of
// another. Start is to the left of the first column that they share.
func (b *bands) stack() sheet {
	b.setLeft()
	gaps := b.gaps()
	tops := make([]float64, len(b.strips))
	for i := 1; i < len(tops); i++ {
		tops[i] = tops[i-1] + graph.SnapUp(b.strips[i-1].size.Y) + gaps[i-1]
	}
	sh := sheet{at: make([]graph.Vec, len(b.whole.cards))}
	for v, c := range b.whole.cards {
		i, k := b.of[v], b.local[v]
		s := &b.strips[i]
		sh.at[v] = graph.Vec{X: b.left[b.column(i, int(s.layer[k]))], Y: tops[i] + s.at[k].Y}
		sh.size = graph.Vec{X: max(sh.size.X, sh.at[v].X+c.Rect.W), Y: max(sh.size.Y, sh.at[v].Y+graph.SnapUp(c.Rect.H))}
	}
	return sh
}

// column returns the column of a layer of a band.
func (b *bands) column(i int32, layer int) int {
	if i == 0 {
		return layer
	}
	return layer + b.indent
}

// setLeft sets the left side of every column: each is as wide as its widest band needs.
func (b *bands) setLeft() {
	var width, gap []float64
	for i, sh := range b.strips {
		for j := range sh.x {
			c := b.column(int32(i), j)
			for len(width) <= c {
				width, gap = append(width, 0), append(gap, graph.LayerGap)
			}
			width[c] = max(width[c], graph.SnapUp(sh.width[j]))
			if j+1 < len(sh.x) {
				gap[c] = max(gap[c], sh.x[j+1]-sh.x[j]-graph.SnapUp(sh.width[j]))
			}
		}
	}
	b.left = make([]float64, len(width))
	for c := 1; c < len(width); c++ {
		b.left[c] = b.left[c-1] + width[c-1] + gap[c-1]
	}
}

// gaps returns the gap below each band: large enough that an edge to the next band, which runs half way between its cards, runs between the
// bands.
func (b *bands) gaps() []float64 {
	gaps := make([]float64, len(b.strips))
	for i := range gaps {
		gaps[i] = bandGap
	}
	for i := range b.whole.links {
		l := &b.whole.links[i]
		upper, lower := l.from, l.to
		if b.of[upper] > b.of[lower] {
			upper, lower = lower, upper
		}
		if b.of[lower] != b.of[upper]+1 {
			continue
		}
		over := &b.strips[b.of[upper]]
		bottom := over.at[b.local[upper]].Y + graph.SnapUp(b.whole.cards[upper].Rect.H)
		above, below := graph.SnapUp(over.size.Y)-bottom, b.strips[b.of[lower]].at[b.local[lower]].Y
		gap := &gaps[b.of[upper]]
		*gap = max(*gap, min(mostGap, graph.SnapUp(math.Abs(above-below)+2*bandMargin)))
	}
	return gaps
}
