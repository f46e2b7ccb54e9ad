package graph

import "math"

// cellSize is a little over twice the width of a card: most cards lie in one or two
// cells, and a screen at zoom 1 covers about a dozen.
const cellSize = 640

// maxCells is how many cells an item may occupy. A larger one is listed in cells of the next level, which are coarser times as long.
const (
	maxCells = 24
	coarser  = 16
	levels   = 8
)

// index is a uniform grid that finds the rectangles in a region. Items are small numbers that the caller chooses; the number of a removed
// one may be reused.
type index struct {
	cells map[uint64][]int32
	items []item
	sizes [levels]int // the numbers of the items by level
	count int
	round uint32 // number of the last query; marks the items that it has found
	found []int32
}

type item struct {
	rect  Rect
	met   uint32
	used  bool
	level int8
}

func newIndex(n int) *index {
	return &index{cells: make(map[uint64][]int32, n/8), items: make([]item, 0, n)}
}

type span struct{ x0, y0, x1, y1 int32 }

// spanOf returns the cells of a rectangle on a level.
func spanOf(r Rect, level int8) span {
	size := float64(int64(cellSize) << (4 * level))
	return span{cellOf(r.X, size), cellOf(r.Y, size), cellOf(r.Right(), size), cellOf(r.Bottom(), size)}
}

// levelOf returns the first level on which a rectangle has few cells, and the cells.
func levelOf(r Rect) (level int8, s span) {
	for ; ; level++ {
		if s = spanOf(r, level); s.cells() <= maxCells || level == levels-1 {
			return level, s
		}
	}
}

func cellOf(v, size float64) int32 { return int32(math.Floor(max(-1e12, min(1e12, v)) / size)) }

func (s span) cells() int { return (int(s.x1-s.x0) + 1) * (int(s.y1-s.y0) + 1) }

// key returns the key of a cell on a level. Cells that are very far from each other may have the same key, which costs time only.
func key(x, y int32, level int8) uint64 {
	return uint64(uint32(x))<<32 | uint64(uint32(y))&(1<<29-1) | uint64(level)<<29 //nolint:gosec // the bits of two cell numbers and a level
}

// put sets the rectangle of an item, new or not.
func (g *index) put(i int32, r Rect) {
	for int(i) >= len(g.items) {
		g.items = append(g.items, item{})
	}
	it := &g.items[i]
	level, s := levelOf(r)
	if it.used {
		if it.level == level && spanOf(it.rect, level) == s {
			it.rect = r
			return
		}
		g.remove(i)
	}
	*it = item{rect: r, used: true, level: level, met: it.met}
	g.count++
	g.sizes[level]++
	for y := s.y0; y <= s.y1; y++ {
		for x := s.x0; x <= s.x1; x++ {
			k := key(x, y, level)
			g.cells[k] = append(g.cells[k], i)
		}
	}
}

// has reports whether there is an item.
func (g *index) has(i int32) bool { return i >= 0 && int(i) < len(g.items) && g.items[i].used }

// remove removes an item.
func (g *index) remove(i int32) {
	it := &g.items[i]
	if !it.used {
		return
	}
	it.used = false
	g.count--
	g.sizes[it.level]--
	s := spanOf(it.rect, it.level)
	for y := s.y0; y <= s.y1; y++ {
		for x := s.x0; x <= s.x1; x++ {
			k := key(x, y, it.level)
			if l := without(g.cells[k], i); len(l) > 0 {
				g.cells[k] = l
			} else {
				delete(g.cells, k)
			}
		}
	}
}

func without(l []int32, i int32) []int32 {
	for j, v := range l {
		if v == i {
			l[j] = l[len(l)-1]
			return l[:len(l)-1]
		}
	}
	return l
}

// query returns the items that overlap r, without duplicates and in no particular order. The slice is valid until the next query.
func (g *index) query(r Rect) []int32 { return g.some(r, math.MaxInt) }

// some is query, but stops when it has found more than most.
func (g *index) some(r Rect, most int) []int32 {
	g.found = g.found[:0]
	s, whole := g.cellsOf(r)
	if whole {
		for i := range g.items {
			if g.items[i].used && g.items[i].rect.Overlaps(r) {
				g.found = append(g.found, int32(i))
				if len(g.found) > most {
					break
				}
			}
		}
		return g.found
	}
	g.round++
	for level, n := range g.sizes {
		if n == 0 {
			continue
		}
		if level > 0 {
			s = spanOf(r, int8(level))
		}
		for y := s.y0; y <= s.y1; y++ {
			for x := s.x0; x <= s.x1 && len(g.found) <= most; x++ {
				g.meet(g.cells[key(x, y, int8(level))], r, most)
			}
		}
	}
	return g.found
}

// cellsOf returns the cells of a rectangle, or reports that the items themselves are the shorter list: a view that is zoomed out covers more
// cells than are in use.
func (g *index) cellsOf(r Rect) (s span, whole bool) {
	s = spanOf(r, 0)
	return s, s.x1-s.x0 > 1<<15 || s.y1-s.y0 > 1<<15 || s.cells() > len(g.cells)+1 || s.cells() > g.count+1
}

func (g *index) meet(list []int32, r Rect, most int) {
	for _, i := range list {
		it := &g.items[i]
		if it.met != g.round && it.rect.Overlaps(r) {
			it.met = g.round
			g.found = append(g.found, i)
			if len(g.found) > most {
				return
			}
		}
	}
}

// within returns an item, but for two, that overlaps r by more than its border.
func (g *index) within(r Rect, but, and int32) (Rect, bool) {
	s, whole := g.cellsOf(r)
	if whole {
		for i := range g.items {
			if it := &g.items[i]; it.used && int32(i) != but && int32(i) != and && within(r, it.rect) {
				return it.rect, true
			}
		}
		return Rect{}, false
	}
	in := func(list []int32) int32 {
		for _, i := range list {
			if i != but && i != and && within(r, g.items[i].rect) {
				return i
			}
		}
		return -1
	}
	found := int32(-1)
	for level, n := range g.sizes {
		if n == 0 {
			continue
		}
		if level > 0 {
			s = spanOf(r, int8(level))
		}
		for y := s.y0; y <= s.y1; y++ {
			for x := s.x0; x <= s.x1 && found < 0; x++ {
				found = in(g.cells[key(x, y, int8(level))])
			}
		}
	}
	if found < 0 {
		return Rect{}, false
	}
	return g.items[found].rect, true
}
