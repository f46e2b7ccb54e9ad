package graph

import (
	"cmp"
	"math"
	"slices"
)

// LaneStep is the distance between the lines of edges that run beside each other, where there is room. Those to one target come together.
const LaneStep = 12

const (
	orderRounds = 6
	laneLeast   = 4   // apart, where there is little room
	mostLanes   = 160 // lines beside each other whose order is looked for; more keep the places that they would have alone
)

// lanes keeps the lines of edges apart. A line is known by the slot of its edge and its place in it: the first, the level or the last. The places
// of lines depend only on those that share their room, directly or by way of others.
type lanes struct {
	at      [2]*index // the vertical and the horizontal lines, by number
	touched [2][]Rect // the rooms whose lines have changed
}

const linesOfEdge = 3

func newLanes(n int) *lanes { return &lanes{at: [2]*index{newIndex(n), newIndex(n)}} }

// spread returns the region in which a vertical line may be, with the lane beside it.
func spread(r room, y, end float64) Rect {
	return Rect{r.lo, min(y, end), r.hi - r.lo, math.Abs(end - y)}.Grown(LaneStep / 2)
}

// upright is spread for a horizontal line.
func upright(r room, x, end float64) Rect {
	return Rect{min(x, end), r.lo, math.Abs(end - x), r.hi - r.lo}.Grown(LaneStep / 2)
}

// set tells of the plan of an edge.
func (l *lanes) set(e *Edge) {
	l.drop(e)
	p := &e.plan
	switch p.lines {
	case oneTurn:
		l.put(0, e.slot*linesOfEdge, spread(p.first, p.P[0].Y, p.P[5].Y))
	case twoTurns:
		l.put(0, e.slot*linesOfEdge, spread(p.first, p.P[0].Y, p.P[2].Y))
		l.put(1, e.slot*linesOfEdge+1, upright(p.level, p.P[2].X, p.P[3].X))
		l.put(0, e.slot*linesOfEdge+2, spread(p.last, p.P[3].Y, p.P[5].Y))
	default:
	}
}

func (l *lanes) put(axis int, n int32, r Rect) {
	l.at[axis].put(n, r)
	l.touched[axis] = append(l.touched[axis], r)
}

// drop tells that an edge has no lines.
func (l *lanes) drop(e *Edge) {
	for k := range int32(linesOfEdge) {
		at, n := l.at[k%2], e.slot*linesOfEdge+k
		if at.has(n) {
			l.touched[k%2] = append(l.touched[k%2], at.items[n].rect)
			at.remove(n)
		}
	}
}

// settle gives every line that shares its room with a changed one its place, and returns the slots of their edges.
func (l *lanes) settle(all []*Edge) (changed map[int32]bool) {
	changed = make(map[int32]bool)
	for axis, touched := range l.touched {
		done := make(map[int32]bool)
		for _, r := range touched {
			for _, n := range slices.Clone(l.at[axis].query(r)) {
				if done[n] {
					continue
				}
				group := l.group(all, axis, n, done)
				place(all, axis, group)
				for _, n := range group {
					changed[n/linesOfEdge] = true
				}
			}
		}
		l.touched[axis] = touched[:0]
	}
	return changed
}

// group returns the lines that share their room with a line, directly or by way of others, in an order that follows from the form.
func (l *lanes) group(all []*Edge, axis int, n int32, done map[int32]bool) []int32 {
	done[n] = true
	group := []int32{n}
	for i := 0; i < len(group); i++ {
		for _, o := range l.at[axis].query(l.at[axis].items[group[i]].rect) {
			if !done[o] {
				done[o] = true
				group = append(group, o)
			}
		}
	}
	slices.SortFunc(group, func(a, b int32) int {
		e, f := all[a/linesOfEdge], all[b/linesOfEdge]
		return cmp.Or(cmp.Compare(e.source.slot, f.source.slot), cmp.Compare(e.out, f.out), cmp.Compare(a%linesOfEdge, b%linesOfEdge))
	})
	return group
}

// track is a line, or several to one target that come together.
type track struct {
	of     []int32
	room   room
	want   float64
	lo, hi float64 // its extent along
	before []float64
	after  []float64 // the places along it at which lines lead to the left, or up, and to the right, or down
	target int32
	at     float64
}

// place gives the lines of a group their places.
func place(all []*Edge, axis int, group []int32) {
	tracks := tracksOf(all, axis, group)
	if len(tracks) > 1 && len(tracks) <= mostLanes {
		order(tracks)
		for step := float64(LaneStep); !apart(tracks, step) && step > laneLeast; step -= 2 {
		}
	}
	for _, t := range tracks {
		for _, n := range t.of {
			all[n/linesOfEdge].lane[n%linesOfEdge] = t.at
		}
	}
}

// tracksOf returns the lines of a group as tracks.
func tracksOf(all []*Edge, axis int, group []int32) []*track {
	var tracks []*track
	ending := make(map[int32]*track)
	for _, n := range group {
		e := all[n/linesOfEdge]
		t := trackOf(e, n%linesOfEdge)
		t.of = []int32{n}
		if axis == 0 && (e.plan.lines == oneTurn || n%linesOfEdge == 2) {
			t.target = e.target.slot
			if o := ending[t.target]; o != nil && max(o.room.lo, t.room.lo) <= min(o.room.hi, t.room.hi) {
				o.join(t)
				continue
			}
			ending[t.target] = t
		}
		tracks = append(tracks, t)
	}
	for _, t := range tracks {
		t.at = max(t.room.lo, min(t.room.hi, t.want))
	}
	return tracks
}

func (t *track) join(o *track) {
	t.of = append(t.of, o.of...)
	t.room = room{max(t.room.lo, o.room.lo), min(t.room.hi, o.room.hi)}
	t.want = max(t.want, o.want)
	t.lo, t.hi = min(t.lo, o.lo), max(t.hi, o.hi)
	t.before, t.after = append(t.before, o.before...), append(t.after, o.after...)
}

// trackOf returns the k-th line of an edge.
func trackOf(e *Edge, k int32) *track {
	p := &e.plan
	t := &track{want: p.want[k], target: -1}
	side := func(right bool, at float64) {
		if right {
			t.after = append(t.after, at)
		} else {
			t.before = append(t.before, at)
		}
	}
	switch {
	case p.lines == oneTurn:
		t.room, t.lo, t.hi = p.first, min(p.P[0].Y, p.P[5].Y), max(p.P[0].Y, p.P[5].Y)
		side(false, p.P[0].Y)
		side(true, p.P[5].Y)
	case k == 0:
		t.room, t.lo, t.hi = p.first, min(p.P[0].Y, p.P[2].Y), max(p.P[0].Y, p.P[2].Y)
		side(false, p.P[0].Y)
		side(p.P[3].X > p.P[2].X, p.P[2].Y)
	case k == 2:
		t.room, t.lo, t.hi = p.last, min(p.P[3].Y, p.P[5].Y), max(p.P[3].Y, p.P[5].Y)
		side(p.P[3].X < p.P[2].X, p.P[3].Y)
		side(true, p.P[5].Y)
	default:
		t.room, t.lo, t.hi = p.level, min(p.P[2].X, p.P[3].X), max(p.P[2].X, p.P[3].X)
		side(p.P[0].Y > p.P[2].Y, p.P[2].X)
		side(p.P[5].Y > p.P[2].Y, p.P[3].X)
	}
	return t
}

// beside reports whether two tracks would cover each other at one place.
func (t *track) beside(o *track) bool { return t.lo < o.hi+LaneStep/2 && o.lo < t.hi+LaneStep/2 }

// crossings returns how many lines cross if t is before o.
func (t *track) crossings(o *track) (n int) {
	for _, y := range t.after {
		if o.lo < y && y < o.hi {
			n++
		}
	}
	for _, y := range o.before {
		if t.lo < y && y < t.hi {
			n++
		}
	}
	return n
}

// order orders tracks from the left, or from above, so that few lines cross.
func order(tracks []*track) {
	slices.SortStableFunc(tracks, func(a, b *track) int { return cmp.Compare(a.at, b.at) })
	for range orderRounds {
		again := false
		for _, t := range slices.Clone(tracks) {
			from := slices.Index(tracks, t)
			to, best, sum := from, 0, 0
			for j := from - 1; j >= 0 && tracks[j].may(t); j-- {
				if sum += t.gain(tracks[j]); sum < best {
					to, best = j, sum
				}
			}
			sum = 0
			for j := from + 1; j < len(tracks) && t.may(tracks[j]); j++ {
				if sum += tracks[j].gain(t); sum < best {
					to, best = j, sum
				}
			}
			if to != from {
				again = true
				tracks = slices.Insert(slices.Delete(tracks, from, from+1), to, t)
			}
		}
		if !again {
			break
		}
	}
}

// may reports whether a track after t can be before it.
func (t *track) may(o *track) bool { return !(t.beside(o) && t.room.hi < o.room.lo) }

// gain returns how many more lines cross when t is before o instead of after it.
func (t *track) gain(o *track) int {
	if !t.beside(o) {
		return 0
	}
	return t.crossings(o) - o.crossings(t)
}

// apart places ordered tracks at least step apart, near where they want to be, and reports whether there was room.
func apart(tracks []*track, step float64) bool {
	most := make([]float64, len(tracks)) // the greatest place of each that leaves room for those after it
	for i := len(tracks) - 1; i >= 0; i-- {
		t := tracks[i]
		most[i] = t.room.hi
		for j := i + 1; j < len(tracks); j++ {
			if t.beside(tracks[j]) && tracks[j].room.hi >= t.room.lo {
				most[i] = min(most[i], most[j]-step)
			}
		}
	}
	fits := true
	pass := func(shift float64) (moved float64) {
		for i, t := range tracks {
			least := t.room.lo
			for j := range i {
				if t.beside(tracks[j]) && tracks[j].at+step > least && tracks[j].at <= t.room.hi {
					least = tracks[j].at + step
				}
			}
			if least > most[i] {
				fits = fits && least <= t.room.hi
			}
			t.at = max(t.room.lo, min(t.room.hi, max(least, min(most[i], t.want-shift))))
			moved += t.at - t.want
		}
		return moved / float64(len(tracks))
	}
	shift := pass(0)
	if fits && shift != 0 {
		pass(shift)
	}
	return fits
}
