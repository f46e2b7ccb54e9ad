package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/model/flow"
)

// Distances between automatically placed cards.
const (
	autoGap     = 80
	AutoColumns = 6 // cards in one row
	columnStep  = CardWidth + autoGap
	mostBands   = 60 // more are not tried
)

// A page is what the canvas shows while the panels are shut.
const (
	PageRatio = 1.75            // of its width to its height
	PageWidth = 10 * columnStep // cards up to this width stay beside each other: eight ranks, Start and Ending
)

// PageScale returns the scale at which cards of a total size fit a page, in a unit of its own: only the ratio of two scales has a meaning.
func PageScale(size Vec) float64 { return min(PageRatio/size.X, 1/max(size.Y, 1)) }

// unset marks a card that has yet to be placed. It is not a valid coordinate.
const unset = math.MaxInt32

// placeAll places those of the changed cards that have no place: in columns if no card has a place; else nodes in rows below everything
// else, Start to the left of everything, Ending to the right. The places follow from the form alone, and no placed card overlaps
// another. The form is not changed: coordinates belong to the author.
func (s *Scene) placeAll(changed []*Card) {
	cards := s.cards
	if !slices.ContainsFunc(changed, func(c *Card) bool { return c.Auto && c.Rect.X == unset }) {
		return
	}
	if !slices.ContainsFunc(cards, func(c *Card) bool { return c.Rect.X != unset }) {
		s.placeInColumns()
	}
	var bounds Rect
	for _, c := range cards {
		if c.Rect.X != unset {
			bounds = bounds.Union(c.Rect)
		}
	}
	at := Vec{bounds.X, SnapUp(bounds.Bottom() + autoGap)}
	if bounds.Empty() {
		at.Y = 0
	}
	column, height := 0, 0.0
	for _, c := range cards[ends:] {
		if c.Rect.X != unset {
			continue
		}
		if column == AutoColumns {
			column, at.Y, height = 0, SnapUp(at.Y+height+autoGap), 0
		}
		c.Rect.X, c.Rect.Y = at.X+float64(column)*(CardWidth+autoGap), at.Y
		bounds = bounds.Union(c.Rect)
		height = max(height, c.Rect.H)
		column++
	}
	start, ending := cards[0], cards[1]
	if start.Rect.X == unset {
		start.Rect.X, start.Rect.Y = bounds.X-autoGap-PillWidth, bounds.Y
		bounds = bounds.Union(start.Rect)
	}
	if ending.Rect.X == unset {
		ending.Rect.X, ending.Rect.Y = bounds.Right()+autoGap, bounds.Y
	}
}

// placeInColumns places Start, Ending and the nodes that can be reached from Start, each to the right of all that lead to it but for loops,
// and those of a column below each other in the order of the ways to them. Many columns are cut into bands. Package tidy takes more care; this
// costs a walk.
func (s *Scene) placeInColumns() {
	cards := s.cards
	order, reached := flow.Order(s.form)
	way := cards[:1:1] // Start and the nodes that can be reached, each before those it leads to; only the targets of loops come earlier
	rank := make(map[*Card]int, reached)
	for i, n := range order[:reached] {
		way = append(way, cards[ends+n])
		rank[cards[ends+n]] = i + 1
	}
	columns := make(map[*Card]int, len(way))
	heights := make([]float64, 1) // of the columns, with the gap below the last card; Start is alone in the first
	for _, c := range way {
		for _, o := range c.Outs {
			if to := s.byID[string(o.To)]; to != nil && rank[to] > rank[c] {
				columns[to] = max(columns[to], columns[c]+1)
			}
		}
		column := columns[c]
		if column == len(heights) {
			heights = append(heights, 0)
		}
		c.Rect.X, c.Rect.Y = float64(column)*columnStep, heights[column]
		heights[column] += SnapUp(c.Rect.H + autoGap/2)
	}
	per := columnsBeside(heights)
	var middles []float64 // of the bands
	half := 0.0
	for band := range slices.Chunk(heights, per) {
		at, last := 0.0, half
		if half = slices.Max(band) / 2; len(middles) > 0 {
			at = middles[len(middles)-1] + last + half + autoGap
		}
		middles = append(middles, at)
	}
	for _, c := range way {
		column := columns[c]
		c.Rect.X -= float64(column/per*per) * columnStep
		c.Rect.Y += Snap(middles[column/per] - heights[column]/2)
	}
	start, ending := cards[0], cards[1]
	start.Rect.X += CardWidth - PillWidth
	last := len(heights) - 1
	ending.Rect.X, ending.Rect.Y = float64(last%per+1)*columnStep, Snap(middles[last/per])-ending.Rect.H/2
}

// columnsBeside returns how many columns of some heights to place beside each other. Those of a layout wider than a page continue in bands
// below, like lines of text, in as many as a page shows largest.
func columnsBeside(heights []float64) int {
	n := len(heights)
	if float64(n)*columnStep <= PageWidth {
		return n
	}
	beside, best := n, 0.0
	for bands := 1; bands <= min(n, mostBands); bands++ {
		per := (n + bands - 1) / bands
		height := 0.0
		for band := range slices.Chunk(heights, per) {
			height += slices.Max(band) + autoGap
		}
		if s := PageScale(Vec{float64(per) * columnStep, height}); s > best {
			beside, best = per, s
		}
	}
	return beside
}

// SnapUp returns the smallest multiple of the grid that is not below v.
func SnapUp(v float64) float64 { return math.Ceil(v/Grid) * Grid }

// FreePlace returns the place nearest to at, on the grid, where a new card of a height overlaps no other. If the surroundings are full, it
// returns at, snapped to the grid.
func (s *Scene) FreePlace(at Vec, height float64) Vec {
	at = at.Snapped()
	const step, rings = 2 * Grid, 60
	for ring := range rings {
		for _, d := range around(ring) {
			p := at.Add(d.Scale(step))
			if len(s.CardsIn(Rect{p.X, p.Y, CardWidth, height}.Grown(Grid-1), nil)) == 0 {
				return p
			}
		}
	}
	return at
}

// around returns the offsets from the middle of a square to its border, n steps away, the nearest first; among equals, below comes first,
// then right, above and left.
func around(n int) []*Vec {
	if n == 0 {
		return []*Vec{{}}
	}
	r := float64(n)
	ways := make([]*Vec, 0, 8*n) // pointers, so that the sort shares its code with other sorts
	for i := -n; i <= n; i++ {
		ways = append(ways, &Vec{float64(i), r}, &Vec{r, float64(i)}, &Vec{float64(i), -r}, &Vec{-r, float64(i)})
	}
	slices.SortStableFunc(ways, func(a, b *Vec) int { return cmp.Compare(a.X*a.X+a.Y*a.Y, b.X*b.X+b.Y*b.Y) })
	return ways
}

// Snap returns the multiple of the grid nearest to v.
func Snap(v float64) float64 { return math.Round(v/Grid) * Grid }
