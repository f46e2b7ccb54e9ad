package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

// flows returns a form of FLOW nodes, each with a place and a target.
func flows(tb testing.TB, nodes ...string) *model.Form {
	tb.Helper()
	list := make([]string, len(nodes))
	for i, n := range nodes {
		var id, to string
		var x, y int
		if _, err := fmt.Sscanf(n, "%s %d %d %s", &id, &x, &y, &to); err != nil {
			tb.Fatal(err)
		}
		list[i] = fmt.Sprintf(`{"id":%q,"type":"FLOW","coordinates":{"x":%d,"y":%d},"config":{"flow_id":"f","next_node":%q}}`, id, x, y, to)
	}
	return graphtest.Form(tb, `{"start":{"coordinates":{"x":-4000,"y":0}},"ending":{"coordinates":{"x":-4000,"y":100}},"nodes":[`+strings.Join(list, ",")+`]}`)
}

// over returns the cards on which a curve lies.
func over(s *graph.Scene, c graph.Curve) (ids []string) {
	for _, card := range s.Cards() {
		for i := range 1001 {
			if card.Rect.Grown(-1).Contains(c.At(float64(i) / 1000)) {
				ids = append(ids, card.ID)
				break
			}
		}
	}
	return ids
}

// No edge lies on a card where there are gaps between the cards, however long it is and whether it leads forwards or back.
func TestEdgesRunAroundCards(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 6 {
		var nodes []string
		for i := range 80 {
			nodes = append(nodes, fmt.Sprintf("n%d %d %d n%d", i, i%10*400+rnd.IntN(40), i/10*180+rnd.IntN(40), rnd.IntN(80)))
		}
		s := graph.New(flows(t, nodes...))
		s.Edges(func(e *graph.Edge) {
			if ids := over(s, e.Curve); len(ids) > 0 {
				t.Errorf("%s to %s: %s lies on %v", e.Source().ID, e.To, path(e.Curve), ids)
			}
		})
	}
}

// An edge that no card hinders has the usual curve, and has it again when the card in its way is gone.
func TestWayAroundACard(t *testing.T) {
	at := func(x, y int) *model.Form { return flows(t, "a 0 0 b", "b 1000 0 a", fmt.Sprintf("c %d %d -", x, y)) }
	s := graph.New(at(500, 400))
	e := s.Edge("a", model.NextPort)
	free := e.Curve
	if free != graph.Forward(s.Card("a").OutAt(0), s.Card("b").InAt()) {
		t.Errorf("free: %s", path(free))
	}
	for _, tt := range []struct {
		y     int
		below bool
	}{{-40, true}, {-10, false}} {
		s.Update(at(500, tt.y))
		card := s.Card("c").Rect
		if y := e.Curve.At(.5).Y; tt.below && y < card.Bottom() || !tt.below && y > card.Y && y < card.Bottom() {
			t.Errorf("around a card at %d: %s", tt.y, path(e.Curve))
		}
		if ids := over(s, e.Curve); len(ids) > 0 {
			t.Errorf("around a card at %d: on %v", tt.y, ids)
		}
		if got := s.EdgesIn(graph.Rect{X: 490, Y: e.Curve.At(.5).Y - 5, W: 10, H: 10}, nil); len(got) != 1 || got[0] != e {
			t.Errorf("around a card at %d: %d edges at its middle", tt.y, len(got))
		}
	}
	if s.Update(at(500, 400)); e.Curve != free {
		t.Errorf("without the card: %s", path(e.Curve))
	}
}

// A card that is dragged has the edges that it has after the release, around others.
func TestDraggedEdgeRunsAround(t *testing.T) {
	f := flows(t, "a 0 0 b", "b 1000 400 -", "c 500 -20 -")
	s := graph.New(f)
	e, by := s.Edge("a", model.NextPort), graph.Vec{Y: -400}
	preview := e.Moved(graph.Vec{}, by)
	s.Update(moved(t, f, 1, model.Point{X: 1000}))
	if e.Curve != preview || e.Curve.Shape != graph.Loop {
		t.Errorf("preview %s, afterwards %s", path(preview), path(e.Curve))
	}
}

// Edges that pass through the same gap can be told apart.
func TestWaysAreApart(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"nodes":[{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[
		{"id":"1","condition":1,"next_node":"z"},{"id":"2","condition":1,"next_node":"z"}],"fallback":"z"}},
		{"id":"z","type":"FLOW","coordinates":{"x":2000,"y":60}},{"id":"u","type":"FLOW","coordinates":{"x":900,"y":-60}},
		{"id":"v","type":"FLOW","coordinates":{"x":900,"y":60}},{"id":"w","type":"FLOW","coordinates":{"x":900,"y":180}}]}`))
	edges := s.Card("r").Edges()
	for i, e := range edges {
		if e.Curve.Shape != graph.Loop {
			t.Errorf("%s: %s", e.Port, path(e.Curve))
		}
		for _, other := range edges[:i] {
			if p, q := e.Curve.P, other.Curve.P; math.Abs(p[2].Y-q[2].Y) < 5 || math.Abs(p[1].X-q[1].X) < 5 || math.Abs(p[3].X-q[3].X) < 5 {
				t.Errorf("%s and %s run together: %s, %s", e.Port, other.Port, path(e.Curve), path(other.Curve))
			}
		}
	}
}

// Loops of cards at one height, or above each other, do not cover each other.
func TestLoopsAreApart(t *testing.T) {
	s := graph.New(flows(t, "z 0 400 -", "a 400 0 z", "b 800 0 z", "c 1200 0 z", "d 1600 0 z"))
	at := map[float64]bool{}
	near, last := 0, math.Inf(-1)
	for _, id := range []string{"a", "b", "c", "d"} {
		c := s.Edge(id, model.NextPort).Curve
		if math.Abs(c.P[2].Y-last) < 8 {
			near++
		}
		last = c.P[2].Y
		if c.Shape != graph.Loop || at[c.P[2].Y] || at[-c.P[3].X] || len(over(s, c)) > 0 {
			t.Errorf("%s: %s", id, path(c))
		}
		at[c.P[2].Y], at[-c.P[3].X] = true, true
	}
	if near > 1 {
		t.Errorf("%d loops of cards that follow each other are less than 8 units apart", near)
	}
	s = graph.New(flows(t, "z 0 900 -", "a 400 0 z", "b 400 200 z", "c 400 400 z"))
	for _, id := range []string{"a", "b", "c"} {
		c := s.Edge(id, model.NextPort).Curve
		if c.Shape != graph.Loop || at[c.P[1].X] {
			t.Errorf("%s, above others: %s", id, path(c))
		}
		at[c.P[1].X] = true
	}
}

// The cost of the path of an edge that is dragged, in a form where most run around many cards.
func BenchmarkMoved(b *testing.B) {
	rnd := rand.New(rand.NewPCG(5, 6))
	var nodes []string
	for i := range 1000 {
		nodes = append(nodes, fmt.Sprintf("n%d %d %d n%d", i, i%32*400+rnd.IntN(40), i/32*180+rnd.IntN(40), rnd.IntN(1000)))
	}
	s := graph.New(flows(b, nodes...))
	var edges []*graph.Edge
	s.Edges(func(e *graph.Edge) { edges = append(edges, e) })
	i := 0
	for b.Loop() {
		edges[i%len(edges)].Moved(graph.Vec{X: 10, Y: 10}, graph.Vec{})
		i++
	}
}

// A high and narrow edge runs straight down between its ends instead of at a slant, unless there is no room for its corners or cards are there.
func TestSteepEdgesRunStraightDown(t *testing.T) {
	for _, tt := range []struct {
		name  string
		shape graph.Shape
		nodes []string
	}{
		{"high", graph.Loop, []string{"a 0 0 b", "b 380 900 none"}},
		{"up", graph.Loop, []string{"a 0 900 b", "b 380 0 none"}},
		{"low", graph.Bezier, []string{"a 0 0 b", "b 380 300 none"}},
		{"wide", graph.Bezier, []string{"a 0 0 b", "b 900 900 none"}},
		{"narrow", graph.Bezier, []string{"a 0 0 b", "b 300 900 none"}},
	} {
		s := graph.New(flows(t, tt.nodes...))
		c := s.Edge("a", model.NextPort).Curve
		if c.Shape != tt.shape {
			t.Errorf("%s: %s", tt.name, path(c))
		}
		if c.Shape == graph.Loop && (c.P[2].X != c.P[3].X || c.P[2].X <= c.P[0].X || c.P[3].X >= c.P[5].X) {
			t.Errorf("%s: the vertical line of %s is not between the ends", tt.name, path(c))
		}
	}
}
