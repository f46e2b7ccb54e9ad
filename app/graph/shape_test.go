package graph_test

import (
	"math"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

func path(c graph.Curve) string { return string(c.AppendPath(nil, nil)) }

func TestEdges(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	tests := []struct {
		from, port, path string
		dashed, dangling bool
	}{
		{"$start", "next", "M-64 20L0 20", false, false},
		{"a", "next", "M280 20L400 20", false, false},
		{"r", "rule:one", "M680 58L727 58Q737 58 737 48L737 30Q737 20 747 20L800 20", false, false},
		{"r", "rule:two", "M680 94L708 94M704 90L712 98M704 98L712 90", false, true},
		{"r", "fallback", "M680 130L698 130Q708 130 708 140L708 168Q708 178 698 178L-10 178Q-20 178 -20 168L-20 30Q-20 20 -10 20L0 20", true, false},
		{"a", "jump:c3", "M280 114L298 114Q308 114 308 124L308 156Q308 166 318 166L1170 166Q1180 166 1180 156L1180 30Q1180 20 1190 20L1200 20", false, false},
	}
	for _, tt := range tests {
		e := s.Edge(tt.from, model.Port(tt.port))
		if e == nil {
			t.Errorf("%s:%s: no edge", tt.from, tt.port)
			continue
		}
		if !tt.dangling {
			tt.path += "m-11.5 0v-2.5l4.5 2.5m-4.5 0v2.5l4.5-2.5" // the head, which ends at the handle
		}
		if got := path(e.Curve); got != tt.path {
			t.Errorf("%s:%s: got %s, want %s", tt.from, tt.port, got, tt.path)
		}
		if e.Dashed() != tt.dashed || e.Dangling() != tt.dangling {
			t.Errorf("%s:%s: dashed %v, dangling %v", tt.from, tt.port, e.Dashed(), e.Dangling())
		}
	}
	if e := s.Edge("f", model.FallbackPort); e != nil {
		t.Errorf("a port that is not there: got %v", e)
	}
	if e := s.Edge("x", model.NextPort); e != nil {
		t.Errorf("a node that is not there: got %v", e)
	}
}

// TestLoopsKeepClear checks the loops between two cards at all places around
// each other: none may run through a card, and all begin and end at the handles.
func TestLoopsKeepClear(t *testing.T) {
	f := graphtest.Form(
		t,
		`{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"next_node":"b"}},
{"id":"b","type":"STEP","coordinates":{"x":0,"y":0}}]}`,
	)
	for y := -400; y <= 400; y += 50 {
		for x := -900; x <= 0; x += 100 {
			s := graph.New(moved(t, f, 1, model.Point{X: x, Y: y}))
			e, a, b := s.Edge("a", model.NextPort), s.Card("a"), s.Card("b")
			if a.Rect.Overlaps(b.Rect.Grown(60)) {
				continue
			}
			if e.Curve.At(0) != a.OutAt(0) || e.Curve.At(1) != b.InAt() {
				t.Fatalf("b at %d,%d: runs from %v to %v", x, y, e.Curve.At(0), e.Curve.At(1))
			}
			for i := range 200 {
				p := e.Curve.At(float64(i) / 200)
				if a.Rect.Grown(-1).Contains(p) || b.Rect.Grown(-1).Contains(p) {
					t.Fatalf("b at %d,%d: %v lies in a card", x, y, p)
				}
			}
		}
	}
}

func moved(t *testing.T, f *model.Form, i int, to model.Point) *model.Form {
	t.Helper()
	g, err := f.Set(nodePath(i, "coordinates"), to.Tree())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestMovedMeetsUpdate(t *testing.T) {
	f := graphtest.Form(t, small)
	s := graph.New(f)
	by := graph.Vec{X: -700, Y: 333}
	e := s.Edge("r", model.RulePort("one"))
	if got := s.Card("r").CurveTo(0, s.Card("f")); got != e.Curve {
		t.Errorf("before it is connected %s, afterwards %s", path(got), path(e.Curve))
	}
	preview := e.Moved(graph.Vec{}, by)
	s.Update(moved(t, f, 2, model.Point{X: 100, Y: 333}))
	if n := len(preview.P) - 1; e.Curve.P[0] != preview.P[0] || e.Curve.P[n] != preview.P[n] {
		t.Errorf("preview %s, afterwards %s", path(preview), path(e.Curve))
	}
}

func TestDistance(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	tests := []struct {
		name string
		port model.Port
		at   graph.Vec
		want float64
	}{
		{"on the line", model.RulePort("one"), graph.Vec{X: 737, Y: 39}, 0},
		{"aside", model.RulePort("one"), graph.Vec{X: 680, Y: 48}, 10},
		{"before the start", model.RulePort("one"), graph.Vec{X: 670, Y: 58}, 10},
		{"on the loop", model.FallbackPort, graph.Vec{X: 300, Y: 178}, 0},
		{"below the loop", model.FallbackPort, graph.Vec{X: 300, Y: 190}, 12},
		{"at the stub", model.RulePort("two"), graph.Vec{X: 690, Y: 97}, 3},
	}
	for _, tt := range tests {
		if got := s.Edge("r", tt.port).Curve.Distance(tt.at); math.Abs(got-tt.want) > .5 {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBoundsHoldTheCurve(t *testing.T) {
	s := graph.New(grid(t, 60))
	s.Edges(func(e *graph.Edge) {
		b := e.Curve.Bounds().Grown(.001)
		for i := range 50 {
			if p := e.Curve.At(float64(i) / 49); !b.Contains(p) {
				t.Errorf("%s: %v lies outside %v", path(e.Curve), p, b)
			}
		}
	})
}

func TestHit(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	tests := []struct {
		name string
		at   graph.Vec
		zoom float64
		want string
	}{
		{"header", graph.Vec{X: 100, Y: 20}, 1, "a row -1"},
		{"first row", graph.Vec{X: 100, Y: 45}, 1, "a row 0"},
		{"last row", graph.Vec{X: 100, Y: 127}, 1, "a row 2"},
		{"padding below the rows", graph.Vec{X: 100, Y: 130}, 1, "a row -1"},
		{"handle", graph.Vec{X: 280, Y: 20}, 1, "a out next"},
		{"handle zone outside", graph.Vec{X: 295, Y: 20}, 1, "a out next"},
		{"past the zone", graph.Vec{X: 297, Y: 40}, 1, "nothing"},
		{"handle of a row", graph.Vec{X: 676, Y: 60}, 1, "r out rule:one"},
		{"nearer of two handles", graph.Vec{X: 684, Y: 80}, 1, "r out rule:two"},
		{"second line of a rule", graph.Vec{X: 500, Y: 114}, 1, "r row 1"},
		{"below a rule of two lines", graph.Vec{X: 500, Y: 117}, 1, "r row 2"},
		{"zone grows far out", graph.Vec{X: 310, Y: 20}, .5, "a out next"},
		{"card can be dragged far out", graph.Vec{X: 140, Y: 20}, .05, "a row -1"},
		{"small rows", graph.Vec{X: 100, Y: 45}, graph.RowZoom, "a row 0"},
		{"no row far out", graph.Vec{X: 100, Y: 45}, .29, "a row -1"},
		{"input is the card", graph.Vec{X: 2, Y: 20}, 1, "a row -1"},
		{"start", graph.Vec{X: -120, Y: 20}, 1, "$start row -1"},
		{"edge", graph.Vec{X: 340, Y: 27}, 1, "edge a:next"},
		{"loop", graph.Vec{X: 200, Y: 179}, 1, "edge r:fallback"},
		{"empty", graph.Vec{X: 200, Y: 199}, 1, "nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := hit(s.Hit(tt.at, tt.zoom, nil)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func hit(h graph.Hit) string {
	switch {
	case h.Card != nil && h.Out >= 0:
		return h.Card.ID + " out " + string(h.Card.Outs[h.Out].Port)
	case h.Card != nil:
		return h.Card.ID + " row " + string("-0123456789"[h.Row+1]) + map[bool]string{true: "1"}[h.Row < 0]
	case h.Edge != nil:
		return "edge " + h.Edge.Source().ID + ":" + string(h.Edge.Port)
	}
	return "nothing"
}

func TestHitUppermost(t *testing.T) {
	s := graph.New(
		graphtest.Form(
			t,
			`{"nodes":[{"id":"a","coordinates":{"x":0,"y":0}},{"id":"b","coordinates":{"x":100,"y":10}},
{"id":"c","type":"FLOW","coordinates":{"x":50,"y":5}}]}`,
		),
	)
	at := graph.Vec{X: 200, Y: 20}
	if got := s.Hit(at, 1, nil).Card.ID; got != "c" {
		t.Errorf("got %s, want the last drawn", got)
	}
	if got := s.Hit(at, 1, func(id string) bool { return id == "a" }).Card.ID; got != "a" {
		t.Errorf("got %s, want the one in front", got)
	}
	// The handle of c is drawn above a, but below it when a is in front.
	if got := hit(s.Hit(graph.Vec{X: 330, Y: 25}, 1, nil)); got != "c out next" {
		t.Errorf("got %s, want the handle", got)
	}
	if got := hit(s.Hit(graph.Vec{X: 330, Y: 25}, 1, func(id string) bool { return id == "b" })); got != "b row -1" {
		t.Errorf("got %s, want the card in front of the handle", got)
	}
}

func TestTargetAt(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	for _, tt := range []struct {
		name string
		at   graph.Vec
		want string
	}{
		{"inside", graph.Vec{X: 500, Y: 100}, "r"},
		{"near the input", graph.Vec{X: 380, Y: 25}, "r"},
		{"not near", graph.Vec{X: 370, Y: 25}, ""},
		{"start has no input but is a card", graph.Vec{X: -120, Y: 10}, "$start"},
		{"beside the start", graph.Vec{X: -170, Y: 20}, ""},
	} {
		got := ""
		if c := s.TargetAt(tt.at, 1, nil); c != nil {
			got = c.ID
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestViewport(t *testing.T) {
	v := graph.Viewport{X: 30, Y: -40, Zoom: .5}
	p := graph.Vec{X: 120, Y: 80}
	if got := v.ToForm(v.ToScreen(p)); got != p {
		t.Errorf("there and back: got %v, want %v", got, p)
	}
	at := graph.Vec{X: 400, Y: 300}
	for _, f := range []float64{2, .5, 1.2, 100, .0001} {
		w := v.ZoomAt(at, f)
		if a, b := v.ToForm(at), w.ToForm(at); a.Sub(b).Len() > 1e-6 {
			t.Errorf("zoom by %v moved the point under the pointer from %v to %v", f, a, b)
		}
		if w.Zoom < graph.MinZoom || w.Zoom > graph.MaxZoom {
			t.Errorf("zoom by %v: got %v", f, w.Zoom)
		}
	}
	if got := v.ZoomAt(at, math.NaN()); got != v {
		t.Errorf("zoom by no number: got %v", got)
	}
	if got, want := v.Visible(graph.Vec{X: 100, Y: 50}), (graph.Rect{X: -60, Y: 80, W: 200, H: 100}); got != want {
		t.Errorf("visible: got %v, want %v", got, want)
	}
}

func TestFit(t *testing.T) {
	in := graph.Rect{X: 50, Y: 70, W: 900, H: 500}
	for _, tt := range []struct {
		name   string
		bounds graph.Rect
		zoom   float64
	}{
		{"small is not enlarged", graph.Rect{X: 10, Y: 10, W: 100, H: 100}, 1},
		{"wide", graph.Rect{X: -500, W: 1800, H: 100}, .5},
		{"high", graph.Rect{W: 100, H: 2000}, .25},
		{"beyond the least zoom", graph.Rect{W: 1e6, H: 10}, graph.MinZoom},
		{"empty", graph.Rect{}, 1},
	} {
		v := graph.Fit(tt.bounds, in, 1)
		if v.Zoom != tt.zoom {
			t.Errorf("%s: got zoom %v, want %v", tt.name, v.Zoom, tt.zoom)
		}
		if got := v.ToScreen(tt.bounds.Center()); got.Sub(in.Center()).Len() > 1e-6 {
			t.Errorf("%s: the middle is shown at %v", tt.name, got)
		}
	}
	if v := graph.Fit(graph.Rect{W: 10, H: 10}, graph.Rect{W: -100, H: -100}, 1); math.IsNaN(v.X) || v.Zoom < graph.MinZoom {
		t.Errorf("no size: got %v", v)
	}
}

func TestReveal(t *testing.T) {
	v, in := graph.Viewport{Zoom: 1}, graph.Rect{X: 20, Y: 50, W: 760, H: 530}
	for _, tt := range []struct {
		name string
		r    graph.Rect
		want graph.Viewport
	}{
		{"in sight", graph.Rect{X: 100, Y: 100, W: 280, H: 100}, v},
		{"under what covers the top", graph.Rect{X: 100, Y: 40, W: 280, H: 100}, graph.Viewport{Y: 10, Zoom: 1}},
		{"too high", graph.Rect{X: 100, Y: 100, W: 280, H: 1000}, graph.Viewport{Y: -50, Zoom: 1}},
		{"right", graph.Rect{X: 700, Y: 100, W: 280, H: 100}, graph.Viewport{X: -200, Zoom: 1}},
		{"left and below", graph.Rect{X: -80, Y: 900, W: 280, H: 100}, graph.Viewport{X: 100, Y: -420, Zoom: 1}},
		{"too large", graph.Rect{X: 100, Y: 100, W: 2000, H: 100}, graph.Viewport{X: -80, Zoom: 1}},
	} {
		if got := v.Reveal(tt.r, in); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestBetween(t *testing.T) {
	a := graph.Viewport{X: 10, Y: 20, Zoom: 1}
	at := graph.Vec{X: 300, Y: 200}
	b := a.ZoomAt(at, 3)
	if a.Between(b, 0) != a || a.Between(b, 1) != b {
		t.Error("the ends are not the viewports themselves")
	}
	m := a.Between(b, .4)
	if m.Zoom <= a.Zoom || m.Zoom >= b.Zoom || m.ToForm(at).Sub(a.ToForm(at)).Len() > 1e-6 {
		t.Errorf("on the way: got %v, shows %v where %v was", m, m.ToForm(at), a.ToForm(at))
	}
	if m := a.Between(graph.Viewport{X: 30, Y: 20, Zoom: 1}, .5); m.X != 20 {
		t.Errorf("a pan half way: got %v", m)
	}
}

// TestWithin checks that the visible part of a long curve looks the same in the region
// and ends near it.
func TestWithin(t *testing.T) {
	f := graphtest.Form(
		t,
		`{"nodes":[{"id":"a","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"fallback":"b","rules":[]}},
{"id":"b","type":"STEP","coordinates":{"x":50000,"y":30000}}]}`,
	)
	for _, to := range []model.Point{{X: 50000, Y: 30000}, {X: -50000, Y: 9000}, {X: 60000, Y: -200}, {X: -90000}, {X: 300, Y: 20}} {
		s := graph.New(moved(t, f, 1, to))
		whole := s.Edge("a", model.FallbackPort).Curve
		for i := range 21 {
			at := whole.At(float64(i) / 20)
			r := graph.Rect{X: at.X - 700, Y: at.Y - 500, W: 1600, H: 900}
			part := whole.Within(r, 900)
			if b := part.Bounds(); b.W > 4*1600 || b.H > 4*1600 {
				t.Errorf("to %v, at %v: the part still extends over %v", to, at, b)
			}
			for j := range 2001 {
				if p := whole.At(float64(j) / 2000); r.Contains(p) && part.Distance(p) > 4 {
					t.Fatalf("to %v, at %v: %v is missing, by %v", to, at, p, part.Distance(p))
				}
			}
		}
		if r := whole.Bounds(); whole.Within(r, 0) != whole {
			t.Errorf("to %v: a fully visible curve is cut", to)
		}
	}
}

// A way with lines of no length has round corners like any other.
func TestWaysHaveRoundCorners(t *testing.T) {
	c := graph.Curve{Shape: graph.Lines, P: [6]graph.Vec{{}, {X: 100}, {X: 100}, {X: 100, Y: -80}, {X: 100, Y: -80}, {X: 200, Y: -80}}}
	const want = "M0 0L90 0Q100 0 100 -10L100 -70Q100 -80 110 -80L200 -80"
	if got := path(c); !strings.HasPrefix(got, want) {
		t.Errorf("the path is %s, want %s and the head of an arrow", got, want)
	}
}
