package graph

import (
	"cmp"
	"math"
	"slices"

	"github.com/formgraph/formgraph/model/pause"
)

// LaneStep is the distance between the lines of edges that run beside each other, where there is room. Those to one target come together.
const LaneStep = 12

const (
	orderRounds = 6
	laneLeast   = 4   // apart, where there is little room
	mostBeside  = 64  // other lines that may share the room of one; a line with more is alone
	mostLanes   = 160 // lines that share their room, directly or by way of others; those of a larger group are alone
)

// lanes keeps the lines of edges apart. A line is known by its number, from the slot of its edge and its place in it: the first, the level or
// the last. The places of lines depend only on those that share their room, directly or by way of others. Where there are more than fit, each
// line is alone: it keeps the place that it would have without the others, so that many lie on each other.
type lanes struct {
	at      [2]*index // the vertical and the horizontal lines, by number
	states  []laneState
	marks   []laneMark
	search  uint32    // number of the last search for a group
	settles uint32    // number of the last settle
	fresh   bool      // no line has been placed
	left    [2][]Rect // the rooms of lines that are new or gone
	starts  []int32
	placed  []int32
}

// laneMark tells of searches.
type laneMark struct {
	met     uint32 // the last search that met the line
	decided uint32 // the last settle that placed it
}

// laneState says how a line was placed.
type laneState uint8

const (
	unplaced laneState = iota
	crowded            // alone, since too many others share its room
	inCrowd            // alone, since its group is too large
	inGroup            // beside the others of its group
)

const linesOfEdge = 3

func newLanes(n int) *lanes {
	return &lanes{at: [2]*index{newIndex(linesOfEdge * n), newIndex(linesOfEdge * n)}, fresh: true}
}

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

func (l *lanes) put(axis int32, n int32, r Rect) {
	for int(n) >= len(l.states) {
		l.states, l.marks = append(l.states, unplaced), append(l.marks, laneMark{})
	}
	l.states[n] = unplaced
	l.at[axis].put(n, r)
	l.change(axis, r)
}

func (l *lanes) change(axis int32, r Rect) {
	if !l.fresh {
		l.left[axis] = add(l.left[axis], r, shiftedRegions)
	}
}

// drop tells that an edge has no lines.
func (l *lanes) drop(e *Edge) {
	for k := range int32(linesOfEdge) {
		axis, n := k%2, e.slot*linesOfEdge+k
		if l.at[axis].has(n) {
			l.change(axis, l.at[axis].items[n].rect)
			l.at[axis].remove(n)
		}
	}
}

// settle gives the lines that share the rooms of changed ones, directly or by way of others, their places, and returns all that it has placed.
// The slice is valid until the next call.
func (l *lanes) settle(all []*Edge) []int32 {
	l.placed = l.placed[:0]
	l.settles++
	for axis, at := range l.at {
		l.starts = l.starts[:0]
		if l.fresh {
			for n := range at.items {
				if at.items[n].used {
					l.starts = append(l.starts, int32(n))
				}
			}
		}
		for _, r := range l.left[axis] {
			l.starts = append(l.starts, at.query(r)...)
		}
		l.crowd(all, at)
		for _, n := range l.starts {
			if l.states[n] != crowded && l.marks[n].decided != l.settles {
				pause.Now()
				l.group(all, axis, n)
			}
		}
		l.left[axis] = l.left[axis][:0]
	}
	l.fresh = false
	return l.placed
}

// crowd finds out which of the lines from which a search starts are crowded. Those beside a line that has become crowded join them: their
// group may have come apart.
func (l *lanes) crowd(all []*Edge, at *index) {
	for _, n := range l.starts { // not over those that it adds
		was := l.states[n]
		switch r := at.items[n].rect; {
		case l.marks[n].decided == l.settles:
		case len(at.some(r, mostBeside+1)) > mostBeside+1:
			if was == inCrowd || was == inGroup {
				l.starts = append(l.starts, at.query(r)...)
			}
			l.alone(all, n, crowded)
		case was == crowded:
			l.states[n] = unplaced
		}
	}
}

// alone gives a line the place that it would have without others.
func (l *lanes) alone(all []*Edge, n int32, s laneState) {
	e, k := all[n/linesOfEdge], n%linesOfEdge
	l.states[n], l.marks[n].decided = s, l.settles
	e.lane[k] = e.plan.want[k]
	l.placed = append(l.placed, n)
}

// group places the lines that share their room with a line, directly or by way of others that are not crowded. A group that is too large is not
// searched to its end: the rest of it is alone already, or is met by another search, but for lines that were in a smaller group.
func (l *lanes) group(all []*Edge, axis int, n int32) {
	at := l.at[axis]
	l.search++
	l.marks[n].met = l.search
	group, large := []int32{n}, false
	for i := 0; i < len(group); i++ {
		if large && l.states[group[i]] != inGroup {
			continue
		}
		for _, o := range at.query(at.items[group[i]].rect) {
			switch m := &l.marks[o]; {
			case m.met == l.search || l.states[o] == crowded:
			case m.decided == l.settles: // the search that met it did not come here, so that its group is too large
				large = true
			default:
				m.met = l.search
				group = append(group, o)
			}
		}
		large = large || len(group) > mostLanes
	}
	if large {
		for _, n := range group {
			l.alone(all, n, inCrowd)
		}
		return
	}
	// The order follows from the form. A stable sort of numbers is there for others.
	slices.SortStableFunc(group, func(a, b int32) int {
		e, f := all[a/linesOfEdge], all[b/linesOfEdge]
		return cmp.Or(cmp.Compare(e.source.slot, f.source.slot), cmp.Compare(e.out, f.out), cmp.Compare(a%linesOfEdge, b%linesOfEdge))
	})
	place(all, axis, group)
	for _, n := range group {
		l.states[n], l.marks[n].decided = inGroup, l.settles
	}
	l.placed = append(l.placed, group...)
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
	if len(tracks) > 1 {
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
