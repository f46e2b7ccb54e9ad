package canvas

import "github.com/formgraph/formgraph/app/graph"

// sight is the view of a canvas that has a place in the window and a size.
type sight struct {
	view         graph.Viewport
	origin, size graph.Vec
}

func (s sight) same(origin, size graph.Vec) bool { return s.origin == origin && s.size == size }

// sights are the views that a canvas had before panels beside it took its room, the last one last. They come back with the room, unless somebody
// has moved the view since.
type sights struct {
	before   []sight
	after    graph.Viewport // the last view that follow returned
	held     *sight         // comes back whatever moved the view
	released bool           // once it has its place
}

// most bounds the views that are remembered: panels come and go in nests, and there are fewer of them.
const mostSights = 8

// follow returns the view of a canvas that a panel has given another place or size. was is the view before, and next the one that shows the same as
// well as it can.
func (l *sights) follow(was sight, origin, size graph.Vec, next graph.Viewport) graph.Viewport {
	if l.held != nil {
		if l.released && l.held.same(origin, size) {
			next, l.held, l.released = l.held.view, nil, false
			l.before, l.after = nil, next
		}
		return next
	}
	if was.view != l.after {
		l.before = nil
	}
	l.after = next
	for i, s := range l.before {
		if s.same(origin, size) {
			l.before, l.after = l.before[:i], s.view
			return l.after
		}
	}
	if l.before = append(l.before, was); len(l.before) > mostSights {
		l.before = l.before[1:]
	}
	return next
}

// forget forgets all views: the window has another size.
func (l *sights) forget() { *l = sights{} }

// hold remembers a view.
func (l *sights) hold(now sight) { l.held, l.released = &now, false }

// release returns the view that was held, and whether the canvas has its place already. Else follow returns it later.
func (l *sights) release(origin, size graph.Vec) (view graph.Viewport, now bool) {
	switch {
	case l.held == nil:
		return view, false
	case l.held.same(origin, size):
		view = l.held.view
		l.forget()
		return view, true
	}
	l.released = true
	return view, false
}

// fitPath returns the view that shows the cards around the place of a run in a part of the canvas, in pixels: the present one if it does, else one that
// is as large as possible up to 100 %. If there is no room for all of them, the current card is in view.
func fitPath(v graph.Viewport, current, around, in graph.Rect) graph.Viewport {
	if v.Zoom >= graph.NameZoom && v.Reveal(around, in) == v {
		return v
	}
	if fit := graph.Fit(around, in, 1); fit.Zoom >= graph.NameZoom {
		return fit
	}
	c := around.Center()
	return graph.Fit(graph.Rect{X: c.X, Y: c.Y}, in, graph.NameZoom).Reveal(current, in)
}
