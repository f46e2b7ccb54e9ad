package canvas

import "github.com/formgraph/formgraph/app/graph"

// sight is a view, with the place in the window and the size of the canvas that has it.
type sight struct {
	view         graph.Viewport
	origin, size graph.Vec
}

func (s sight) same(origin, size graph.Vec) bool { return s.origin == origin && s.size == size }

// sights keeps the views that a canvas had before panels beside it took some of its room. When the canvas has the room again, it gets the view
// back, unless somebody has moved the view since.
type sights struct {
	before   []sight        // the newest last
	after    graph.Viewport // the last view that follow returned
	held     *sight         // the view of hold, which comes back whatever has moved the view
	released bool           // held comes back once the canvas has its place
}

// mostSights is the maximum number of views that sights keeps. There are fewer panels.
const mostSights = 8

// follow returns the view of a canvas to which a panel has given another place or size. was is the sight before, and next the view that shows
// the same as well as it can.
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

// forget forgets all views, as when the size of the window changes.
func (l *sights) forget() { *l = sights{} }

// hold remembers a view.
func (l *sights) hold(now sight) { l.held, l.released = &now, false }

// release returns the view of hold, and whether the canvas already has its place again. If not, follow returns the view later.
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

// fitPath returns the view that shows the cards around the place of a run within in, a part of the canvas in pixels: v if it does so already,
// else one that is as large as possible, up to 100 %. If there is no room for all cards, the current one is in view.
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
