package tidy

import (
	"slices"

	"github.com/formgraph/formgraph/app/graph"
)

// band is a range of layers; last is exclusive.
type band struct{ first, last int }

// cutter finds where to cut a layering into bands.
type cutter struct {
	columns
	heights []float64 // of each layer: the sum of its cards and the gaps between them
	passing []int32   // of each layer: how many links cross its left side
	may     []bool    // of each layer: a band may begin with it, behind a router or with a card in which ways meet
}

func newCutter(s *layering, cols columns) *cutter {
	n := s.depth()
	c := &cutter{columns: cols, heights: make([]float64, n), passing: make([]int32, n+1), may: make([]bool, n+1)}
	for i := range c.heights {
		c.heights[i] = -graph.CardGap
	}
	for v, card := range s.cards {
		c.heights[s.layer[v]] += graph.SnapUp(card.Rect.H) + graph.CardGap
		if card.Kind == graph.RouterKind {
			c.may[s.layer[v]+1] = true
		}
		if len(s.ins.of(int32(v))) > 1 {
			c.may[s.layer[v]] = true
		}
	}
	for i := range s.links {
		l := &s.links[i]
		a, b := s.layer[l.from], s.layer[l.to]
		c.passing[min(a, b)+1]++
		if far := int(max(a, b)) + 1; far <= n {
			c.passing[far]--
		}
	}
	for i := 1; i <= n; i++ {
		c.passing[i] += c.passing[i-1]
	}
	return c
}

// best returns the bands that would show the layout largest on a page, less so where they cut links, and their total height, if a band is
// spread times as high as its highest layer. It returns nil if one strip is better.
func (c *cutter) best(spread float64) (cut []band, height float64) {
	best := graph.PageScale(graph.Vec{X: c.total(), Y: slices.Max(c.heights) * spread}) * bandGain
	for k := 2; k <= len(c.heights); k += 1 + k/16 { // one by one for few bands: each try takes time linear in the layers
		now := c.cut(k)
		w, h, passing := 0.0, -float64(bandGap), int32(0)
		for _, r := range now {
			passing += c.passing[r.first]
			w = max(w, c.end(r.last-1)-c.x[r.first])
			h += slices.Max(c.heights[r.first:r.last])*spread + bandGap + 2*bandMargin
		}
		cost := 1 + passCost*min(passMost, float64(passing)/float64(max(1, len(now)-1)))
		if scale := graph.PageScale(graph.Vec{X: w + graph.PillWidth + graph.LayerGap, Y: h}) / cost; scale > best {
			best, cut, height = scale, now, h
		}
		if h*graph.PageRatio > w {
			break // more bands would only be higher
		}
	}
	return cut, height
}

// cut divides the layers into about k bands of about the same width. A band ends where the fewest links cross, as long as it is full
// enough, and only where the next may begin.
func (c *cutter) cut(k int) []band {
	n := len(c.heights)
	most := bandSlack * c.total() / float64(k)
	var bands []band
	for first := 0; first < n; {
		last := first + 1
		for last < n && c.end(last)-c.x[first] <= most {
			last++
		}
		end := -1
		for i := last; i > first && i < n && c.end(i-1)-c.x[first] >= leastBand*most; i-- {
			if c.may[i] && (end < 0 || c.passing[i] < c.passing[end]) {
				end = i
			}
		}
		for ; end < 0; last++ {
			if last >= n || c.may[last] {
				end = last
			}
		}
		bands = append(bands, band{first, end})
		first = end
	}
	return bands
}
