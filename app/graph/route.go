package graph

import "math"

// Measures of the ways of edges between and around cards.
const (
	leave       = 14   // from the side of a card to the first turn of an edge, at least
	arrive      = 20   // from the last turn of an edge to its target, at least: the head of the arrow is there
	wayClear    = 10   // between an edge and a card that it passes
	wayPad      = 24   // between an edge and the cards around which it runs, where there is room
	wayTurns    = 40   // how much longer a way may be for two corners less
	wayCross    = 800  // how much longer a way may be to cross an edge less
	wayCrowd    = 200  // so many edges are looked at
	wayCards    = 128  // so many cards are looked at: an edge between ends with more in its way runs over them
	wayUnder    = 200  // how much shorter a way back under the cards must be than one over them
	wayTries    = 8    // how often a level gives way to cards
	wayReach    = 96   // how far a level may give way
	waySide     = 96   // the same beside the first and the last line, which belong to their cards
	wayFar      = 600  // how far above and below its handles an edge looks for channels between cards
	wayWide     = 3000 // an edge wider than this looks for none
	wayChannels = 8    // so many are tried
	wayNarrow   = 8    // between cards, and an edge between them runs to the right
	waySlight   = .5   // a difference of heights below which an edge is straight
)

// room is the range in which a line of a path may be moved aside. A line without room to move has lo == hi.
type room struct{ lo, hi float64 }

// plan is the path of an edge as if it were alone, and how far each of its lines may give way to those of other edges.
type plan struct {
	Curve
	first, level, last room
	lines              lines
	detour             bool       // no direct path was free, and this one depends on those of others
	want               [3]float64 // where first, level and last would best be
}

// lines are the lines of a plan that can give way.
type lines uint8

const (
	fixed    lines = iota // none: the edge is straight, leads nowhere, or has no room
	oneTurn               // a vertical line: first
	twoTurns              // a vertical line, a level and a vertical line
)

// at returns the curve of the plan with its lines at other places.
func (p *plan) at(first, level, last float64) Curve {
	a, b := p.P[0], p.P[5]
	switch p.lines {
	case oneTurn:
		return stepped(a, b, first)
	case twoTurns:
		return leveled(a, b, first, level, last)
	default:
	}
	return p.Curve
}

// way looks for the path of an edge. It depends only on the places of the cards that overlap the region that it has seen.
type way struct {
	cards          *index  // of all cards
	source, target int32   // the slots of the cards at the ends
	from, to       Rect    // and where they are, which may be elsewhere than in cards
	a, b           Vec     // the handles
	edges          *edges  // of all cards
	self           *Edge   // the edge, nil for one that is being drawn
	right, left    float64 // how far the lines from the handles are free, where they turn beside their cards
	seen           []Rect  // the regions on whose cards and edges the path depends
	found          []Rect
}

// seenRegions is how many regions are kept for a path at most.
const seenRegions = 12

func (w *way) see(r Rect) { w.seen = add(w.seen, r, seenRegions) }

// cardsIn returns the cards within r, with those at the ends where they are now, or reports that they are too many to look at: between ends so
// far from each other. The slice is valid until the next call.
func (w *way) cardsIn(r Rect) ([]Rect, bool) {
	w.see(r)
	w.found = w.found[:0]
	slots := w.cards.some(r, wayCards)
	if len(slots) > wayCards {
		return nil, false
	}
	for _, i := range slots {
		if c := w.cards.items[i].rect; i != w.source && i != w.target && within(r, c) {
			w.found = append(w.found, c)
		}
	}
	for i, end := range [2]Rect{w.from, w.to} {
		if (i == 0 || w.source != w.target) && within(r, end) {
			w.found = append(w.found, end)
		}
	}
	return w.found, true
}

// free reports whether no card lies within r. Of cards that do, only one is seen: the answer is the same as long as it is there.
func (w *way) free(r Rect) bool {
	for i, end := range [2]Rect{w.from, w.to} {
		if (i == 0 || w.source != w.target) && within(r, end) {
			w.see(end)
			return false
		}
	}
	c, found := w.cards.within(r, w.source, w.target)
	if found {
		w.see(c)
	} else {
		w.see(r)
	}
	return !found
}

// within reports whether two rectangles overlap by more than their borders.
func within(r, s Rect) bool {
	return r.X < s.Right() && s.X < r.Right() && r.Y < s.Bottom() && s.Y < r.Bottom()
}

// direct finds the path of an edge that has no choice: straight, or with a vertical line in the only gap between its ends.
func (w *way) direct() (plan, bool) {
	wide := w.b.X - w.a.X
	if wide < wayNarrow {
		return plan{}, false
	}
	if math.Abs(w.a.Y-w.b.Y) < waySlight {
		return plan{Curve: straight(w.a, w.b)}, w.free(Rect{w.a.X, w.a.Y, wide, 0}.heightened(wayClear))
	}
	if w.back() { // no room to move the line
		x := w.a.X + wide*leave/(leave+arrive)
		return w.turned(room{x, x}), w.free(Rect{w.a.X, min(w.a.Y, w.b.Y), wide, math.Abs(w.a.Y - w.b.Y)}.heightened(wayClear))
	}
	all := room{w.a.X + leave, w.b.X - arrive}
	return w.turned(all), w.free(w.between(all, w.a.Y, w.b.Y))
}

// between returns the region in which a vertical line between two heights has no card beside it.
func (w *way) between(r room, y, end float64) Rect {
	return Rect{r.lo - leave, min(y, end), r.hi - r.lo + 2*leave, math.Abs(y - end)}.heightened(wayClear)
}

// turned returns the path with a vertical line in a gap.
func (w *way) turned(gap room) plan {
	x := (gap.lo + gap.hi) / 2
	return plan{Curve: stepped(w.a, w.b, x), lines: oneTurn, first: gap, want: [3]float64{x}}
}

// detour finds the path of another edge: along a level between two vertical lines.
func (w *way) detour() plan {
	if p, ok := w.around(); ok {
		return p
	}
	return w.anyway()
}

// anyway is the path where no free one is found: it runs over cards.
func (w *way) anyway() plan {
	if !w.back() {
		x := (w.a.X + w.b.X) / 2
		return plan{Curve: stepped(w.a, w.b, x), detour: true}
	}
	return plan{detour: true, Curve: leveled(w.a, w.b, w.a.X+leave, max(w.from.Bottom(), w.to.Bottom())+wayPad, w.b.X-arrive)}
}

// row returns how far a horizontal line from a handle to the right or left, up to a place, is free.
func (w *way) row(from Vec, to float64) float64 {
	r := RectOf(from, Vec{to, from.Y}).Grown(wayClear)
	if to > from.X {
		r.X, r.W = from.X, to-from.X
	} else {
		r.X, r.W = to, from.X-to
	}
	free := to
	cards, ok := w.cardsIn(r)
	if !ok {
		return from.X
	}
	for _, c := range cards {
		if to > from.X {
			free = min(free, c.X)
		} else {
			free = max(free, c.Right())
		}
	}
	return free
}

// turns finds the gaps nearest to the target and to the source in which an edge to the right can turn once.
func (w *way) turns() (gaps [2]room, ok [2]bool) {
	reach, back := w.row(w.a, w.b.X), w.row(w.b, w.a.X)
	all := room{w.a.X + leave, w.b.X - arrive}
	if back > w.a.X {
		all.lo = max(all.lo, back+leave)
	}
	if reach < w.b.X {
		all.hi = min(all.hi, reach-leave)
	}
	if all.lo > all.hi {
		return gaps, ok
	}
	for i := range gaps {
		gaps[i], ok[i] = w.gap(all, w.a.Y, w.b.Y, i == 0)
	}
	ok[1] = ok[1] && gaps[0] != gaps[1]
	return gaps, ok
}

// gap returns the last or the first gap between cards within a room through which a vertical line between two heights fits.
func (w *way) gap(r room, y, end float64, last bool) (room, bool) {
	cards, ok := w.cardsIn(w.between(r, y, end))
	if !ok {
		return r, false
	}
	for again := true; again; {
		again = false
		for _, c := range cards {
			switch {
			case last && c.X-leave < r.hi && r.hi < c.Right()+leave:
				r.hi, again = c.X-leave, true
			case !last && c.X-leave < r.lo && r.lo < c.Right()+leave:
				r.lo, again = c.Right()+leave, true
			}
		}
	}
	for _, c := range cards {
		switch {
		case last && c.Right() <= r.hi:
			r.lo = max(r.lo, c.Right()+leave)
		case !last && c.X >= r.lo:
			r.hi = min(r.hi, c.X-leave)
		}
	}
	return r, r.lo <= r.hi
}

func (r Rect) heightened(by float64) Rect { return Rect{r.X, r.Y - by, r.W, r.H + 2*by} }

// around returns the shortest path along a free level that it finds. A way back prefers to run over the cards.
func (w *way) around() (best plan, ok bool) {
	const most = waySide + CardWidth
	w.right, w.left = w.row(w.a, w.a.X+leave+most), w.row(w.b, w.b.X-arrive-most)
	least, crossed := math.Inf(1), 1
	judge := func(p plan, cost float64) {
		if cost >= least {
			return
		}
		n := w.crossed(&p.Curve, (least-cost)/wayCross)
		if cost += wayCross * float64(n); cost < least {
			best, least, crossed, ok = p, cost, n, true
		}
	}
	try := func(level float64, up bool, more float64) bool {
		p, cost, found := w.along(level, up, least-more)
		if found {
			judge(p, cost+more)
		}
		return found && p.want[1] == level
	}
	either := func(level float64) {
		if !try(level, true, 0) {
			try(level, false, 0)
		}
	}
	back := w.back()
	top, bottom := min(w.from.Y, w.to.Y), max(w.from.Bottom(), w.to.Bottom())
	if back {
		try(top-wayPad, true, 0)
		try(bottom+wayPad, false, wayUnder)
	} else {
		gaps, found := w.turns()
		for i, gap := range gaps {
			if found[i] {
				p := w.turned(gap)
				p.detour = true
				judge(p, w.b.X-w.a.X+math.Abs(w.b.Y-w.a.Y))
			}
		}
		for _, y := range [2]float64{w.a.Y, w.b.Y} {
			either(y)
		}
	}
	if gap := max(w.to.Y-w.from.Bottom(), w.from.Y-w.to.Bottom()); gap >= 2*wayClear {
		y := (min(w.from.Bottom(), w.to.Bottom()) + max(w.from.Y, w.to.Y)) / 2
		either(y)
	}
	if crossed > 0 {
		more := 0.0
		if back {
			more = wayUnder
		}
		for _, y := range w.channels() {
			try(y, true, more)
		}
	}
	if ok && best.lines == twoTurns {
		best.level = w.above(&best)
	}
	return best, ok
}

// channels returns levels that are free of cards all the way between the handles, one for each channel between cards, the nearest first.
func (w *way) channels() []float64 {
	left, right := min(w.a.X, w.b.X), max(w.a.X, w.b.X)
	low, high := min(w.a.Y, w.b.Y), max(w.a.Y, w.b.Y)
	if right-left > wayWide {
		return nil
	}
	cards, ok := w.cardsIn(Rect{left, low, right - left, high - low}.heightened(wayFar))
	if !ok {
		return nil
	}
	insertionSort(cards, func(a, b *Rect) bool { return a.Y < b.Y })
	var levels []float64
	bottom := math.Inf(-1)
	for _, c := range cards {
		if c.Y-bottom >= 2*wayClear {
			pad := min(wayPad, (c.Y-bottom)/2)
			levels = append(levels, max(bottom+pad, min(c.Y-pad, low)))
		}
		bottom = max(bottom, c.Bottom())
	}
	levels = append(levels, max(bottom+wayPad, low))
	far := func(y float64) float64 { return max(low-y, y-high, 0) }
	insertionSort(levels, func(a, b *float64) bool { return far(*a) < far(*b) })
	return levels[:min(len(levels), wayChannels)]
}

// insertionSort sorts short lists. It is stable, and far smaller in the browser's program than another sort of package slices.
func insertionSort[T any](list []T, less func(a, b *T) bool) {
	for i := range list {
		for j := i; j > 0 && less(&list[j], &list[j-1]); j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// crossed returns how many times a path crosses the direct ones of others and, if it leads to the left, their detours to the right. Those of a
// line where there are too many are not counted. It may stop counting at a limit.
func (w *way) crossed(c *Curve, most float64) (n int) {
	for k := 1; k < len(c.P) && float64(n) < most; k++ {
		a, b := c.P[k-1], c.P[k]
		if a == b {
			continue
		}
		w.see(RectOf(a, b))
		n += w.crossedBy(w.edges.direct, a, b)
		if w.back() {
			n += w.crossedBy(w.edges.turned, a, b)
		}
	}
	return n
}

// crossedBy returns how many times a line crosses the paths in an index.
func (w *way) crossedBy(paths *index, a, b Vec) (n int) {
	found := paths.some(RectOf(a, b), wayCrowd)
	if len(found) > wayCrowd {
		return 0
	}
	for _, i := range found {
		e := w.edges.all[i]
		if e == w.self {
			continue
		}
		for j := 1; j < len(e.plan.P); j++ {
			if crosses(a, b, e.plan.P[j-1], e.plan.P[j]) {
				n++
			}
		}
	}
	return n
}

// back reports whether the edge leads to the left.
func (w *way) back() bool { return w.b.X < w.a.X+leave+arrive }

// crosses reports whether a horizontal and a vertical line cross inside both.
func crosses(a, b, c, d Vec) bool {
	if a.X == b.X {
		a, b, c, d = c, d, a, b
	}
	return a.Y == b.Y && c.X == d.X && min(a.X, b.X) < c.X && c.X < max(a.X, b.X) && min(c.Y, d.Y) < a.Y && a.Y < max(c.Y, d.Y)
}

// along returns a path at a level, or at the next free one above or below it, and its cost: its length, and more for its corners. It does not
// look for one that costs a limit or more.
func (w *way) along(level float64, up bool, limit float64) (p plan, cost float64, ok bool) {
	for range wayTries {
		nearest := max(level, min(w.a.Y, w.b.Y))
		if up {
			nearest = min(level, max(w.a.Y, w.b.Y))
		}
		if math.Abs(nearest-w.a.Y)+math.Abs(nearest-w.b.Y)+math.Abs(w.b.X-w.a.X)+wayTurns >= limit {
			return p, 0, false
		}
		first, one := w.beside(w.a, level, false)
		if !one {
			return p, 0, false
		}
		last, two := w.beside(w.b, level, true)
		if !two {
			return p, 0, false
		}
		x, end := first.lo+min(leave, (first.hi-first.lo)/2), last.hi
		left, right := min(x, end), max(x, end)
		if end < x { // the level becomes longer when its ends give way
			left, right = min(left, last.lo), max(right, first.hi)
			if w.b.X > w.a.X+leave+arrive { // between two cards
				x = (w.a.X + leave + w.b.X - arrive) / 2
				end, left, right = x, x, x
			}
		}
		hit, few := w.cardsIn(Rect{left, level, right - left, 0}.heightened(wayClear))
		if !few {
			return p, 0, false
		}
		if len(hit) == 0 {
			p = plan{
				Curve: leveled(w.a, w.b, x, level, end), detour: true, lines: twoTurns, first: first, last: last,
				want: [3]float64{x, level, end}, level: room{left, right},
			}
			cost = math.Abs(x-w.a.X) + math.Abs(level-w.a.Y) + math.Abs(end-x) + math.Abs(w.b.Y-level) + math.Abs(w.b.X-end) + wayTurns
			return p, cost, true
		}
		for _, c := range hit {
			if up {
				level = min(level, c.Y-wayPad)
			} else {
				level = max(level, c.Bottom()+wayPad)
			}
		}
	}
	return p, 0, false
}

// above returns the room above and below the level of a plan for it, and for the vertical lines at its ends. The plan has the extent of the
// level instead.
func (w *way) above(p *plan) room {
	left, right, x, level, end := p.level.lo, p.level.hi, p.want[0], p.want[1], p.want[2]
	r := room{level - wayReach, level + wayReach}
	cards, ok := w.cardsIn(Rect{left, level, right - left, 0}.heightened(wayReach))
	if !ok {
		return room{level, level}
	}
	for _, c := range cards {
		if c.Bottom() <= level {
			r.lo = max(r.lo, c.Bottom()+wayClear)
		} else {
			r.hi = min(r.hi, c.Y-wayClear)
		}
	}
	for _, y := range [2]*float64{&r.lo, &r.hi} {
		first, one := w.beside(w.a, *y, false)
		last, two := w.beside(w.b, *y, true)
		if !one || !two || x < first.lo || x > first.hi || end < last.lo || end > last.hi {
			*y = level
		}
	}
	return room{min(r.lo, level), max(r.hi, level)}
}

// beside returns the room for the vertical line from a handle to a level: the nearest to the handle.
func (w *way) beside(handle Vec, level float64, left bool) (room, bool) {
	if left {
		r := room{w.left + leave, handle.X - arrive}
		r, ok := w.gap(r, handle.Y, level, true)
		return room{max(r.lo, r.hi-waySide), r.hi}, ok
	}
	r := room{handle.X + leave, w.right - leave}
	r, ok := w.gap(r, handle.Y, level, false)
	return room{r.lo, min(r.hi, r.lo+waySide)}, ok
}
