package tidy

import (
	"math"

	"github.com/formgraph/formgraph/app/graph"
)

// A layout much wider than a page is cut between layers into bands, which are below each other as the lines of a
// text do. An edge from one band to the next runs back between them.
const (
	pageRatio  = 1.25 // of a page's width to its height: a canvas beside open panels
	pageWidth  = 1600 // a layout up to this width stays as it is
	bandGain   = 1.2  // how much larger bands must show a form than the strip does
	bandGap    = 80   // between two bands, at least
	bandMargin = 24   // between an edge in that gap and the cards beside it
	mostGap    = 320  // a gap is not widened beyond this to keep an edge off the cards
	bandSlack  = 1.15 // how much wider than the others a band may be to end at a good place
	leastBand  = 0.6  // how full it must be to end earlier for one
)

// band is a run of layers; last is not in it.
type band struct{ first, last int }

// bands is a layout cut into bands, each laid out by itself.
type bands struct {
	*layering             // of the whole
	of        []int32     // of each card of the whole: its band
	local     []int32     // and its place in the layering of that
	layerings []*layering // of the bands
	left      []float64
	indent    int // columns that are left of the first one of the second band: that of Start
}

// wrap lays a part out in bands and reports whether that shows it larger than one strip. How high bands are is
// estimated first, and once more with what the estimate missed: to lay out every choice would take too long.
func (s *layering) wrap(cards []*graph.Card, p part) bool {
	cut, height := s.cutFor(1)
	if len(cut) < 2 {
		return false
	}
	s.at, s.size = s.lines(cards, p, cut).stack()
	if s.scale > largeSheet {
		return true
	}
	again, _ := s.cutFor(max(1, s.size.Y/height))
	if len(again) < 2 || len(again) == len(cut) {
		return true
	}
	if at, size := s.lines(cards, p, again).stack(); pageScale(size.X, size.Y) > pageScale(s.size.X, s.size.Y) {
		s.at, s.size = at, size
	}
	return true
}

// pageScale says how large a page shows a layout.
func pageScale(width, height float64) float64 { return min(pageRatio/width, 1/max(height, 1)) }

// cutFor returns the bands that would show the layout largest on a page, and how high they would be, where a band is
// spread times as high as its highest layer; nil for one strip.
func (s *layering) cutFor(spread float64) (cut []band, height float64) {
	layers, strip := s.layerHeights()
	full := s.x[len(s.x)-1] + s.width[len(s.x)-1]
	best := pageScale(full, strip*spread) * bandGain
	passing := s.passing()
	for k := 2; k <= len(s.layers); k++ {
		now := s.cut(k, passing)
		w, h := 0.0, -float64(bandGap)
		for _, r := range now {
			w = max(w, s.x[r.last-1]+s.width[r.last-1]-s.x[r.first])
			high := 0.0
			for i := r.first; i < r.last; i++ {
				high = max(high, layers[i])
			}
			h += high*spread + bandGap + 2*bandMargin
		}
		if scale := pageScale(w+graph.PillWidth+graph.LayerGap, h); scale > best {
			best, cut, height = scale, now, h
		}
		if h*pageRatio > w {
			break // more bands are only higher
		}
	}
	return cut, height
}

// layerHeights returns how high the cards of each layer are at least, with the gaps between them, and the most of that.
func (s *layering) layerHeights() (heights []float64, most float64) {
	heights = make([]float64, len(s.layers))
	for v, c := range s.cards {
		heights[s.layer[v]] += graph.SnapUp(c.Rect.H) + graph.CardGap
	}
	for i := range heights {
		heights[i] -= graph.CardGap
		most = max(most, heights[i])
	}
	return heights, most
}

// lines lays out every band.
func (s *layering) lines(cards []*graph.Card, p part, cut []band) *bands {
	b := &bands{layering: s, of: make([]int32, len(s.cards)), local: make([]int32, len(s.cards))}
	bandOf := make([]int32, len(s.layers))
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
		sh := newLayering(cards, part{members: members[i], arcs: p.arcs, local: local, of: of, number: int32(i)})
		sh.scale = s.scale
		sh.firstOrder()
		sh.setColumns()
		sh.lay()
		b.layerings = append(b.layerings, sh)
	}
	if first := b.layerings[0]; len(first.columns[0]) == 1 && first.cards[first.columns[0][0]].Kind == graph.StartKind {
		b.indent = 1
	}
	return b
}

// passing returns for every layer how many links there are between the layers before it and the others.
func (s *layering) passing() []int32 {
	passing := make([]int32, len(s.layers)+1)
	for i := range s.links {
		l := &s.links[i]
		a, b := s.layer[l.from], s.layer[l.to]
		passing[min(a, b)+1]++
		if far := int(max(a, b)) + 1; far < len(passing) {
			passing[far]--
		}
	}
	for i := 1; i < len(passing); i++ {
		passing[i] += passing[i-1]
	}
	return passing
}

// cut divides the layers into up to k bands of about the same width. A band ends where the fewest links pass on, as
// long as it is full enough.
func (s *layering) cut(k int, passing []int32) []band {
	n := len(s.layers)
	right := func(i int) float64 { return s.x[i] + s.width[i] }
	most := bandSlack * right(n-1) / float64(k)
	var bands []band
	for first := 0; first < n; {
		last := first + 1
		for last < n && right(last)-s.x[first] <= most {
			last++
		}
		if last < n {
			end := last
			for i := last - 1; i > first && right(i-1)-s.x[first] >= leastBand*most; i-- {
				if passing[i] < passing[end] {
					end = i
				}
			}
			last = end
		}
		bands = append(bands, band{first, last})
		first = last
	}
	return bands
}

// stack returns the places of the cards, and the extent of all. The columns of the bands are below each other, so
// that an upright line between two columns of one band meets no card of another. Start is left of the first.
func (b *bands) stack() (at []graph.Vec, size graph.Vec) {
	b.setLeft()
	gaps := b.gaps()
	tops := make([]float64, len(b.layerings))
	for i := 1; i < len(tops); i++ {
		tops[i] = tops[i-1] + graph.SnapUp(b.layerings[i-1].size.Y) + gaps[i-1]
	}
	at = make([]graph.Vec, len(b.cards))
	for v, c := range b.cards {
		i := b.of[v]
		sh := b.layerings[i]
		at[v] = graph.Vec{X: b.left[b.column(i, int(sh.layer[b.local[v]]))], Y: tops[i] + sh.at[b.local[v]].Y}
		size = graph.Vec{X: max(size.X, at[v].X+c.Rect.W), Y: max(size.Y, at[v].Y+graph.SnapUp(c.Rect.H))}
	}
	return at, size
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
	for i, sh := range b.layerings {
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

// gaps returns how far the band after each is below it: so far that an edge from one to the other, which runs half way
// between its cards, runs between the bands.
func (b *bands) gaps() []float64 {
	gaps := make([]float64, len(b.layerings))
	for i := range gaps {
		gaps[i] = bandGap
	}
	for i := range b.links {
		l := &b.links[i]
		upper, lower := l.from, l.to
		if b.of[upper] > b.of[lower] {
			upper, lower = lower, upper
		}
		if b.of[lower] != b.of[upper]+1 {
			continue
		}
		over := b.layerings[b.of[upper]]
		bottom := over.at[b.local[upper]].Y + graph.SnapUp(b.cards[upper].Rect.H)
		above, below := graph.SnapUp(over.size.Y)-bottom, b.layerings[b.of[lower]].at[b.local[lower]].Y
		gap := &gaps[b.of[upper]]
		*gap = max(*gap, min(mostGap, graph.SnapUp(math.Abs(above-below)+2*bandMargin)))
	}
	return gaps
}
