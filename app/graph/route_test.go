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
	"github.com/formgraph/formgraph/model/sizetest"
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
	if e.Curve.Bounds().H > 0 {
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

// An edge between cards with little room between them does not run around them.
func TestEdgeInANarrowGap(t *testing.T) {
	for _, wide := range []int{8, 16, 33, 34, 60} {
		for _, y := range []int{0, 48} {
			s := graph.New(flows(t, "a 0 0 b", fmt.Sprintf("b %d %d -", graph.CardWidth+wide, y)))
			e := s.Edge("a", model.NextPort)
			if got := e.Curve.Bounds(); got.W != float64(wide) || got.H != float64(y) {
				t.Errorf("%d wide, %d apart: %s", wide, y, path(e.Curve))
			}
		}
	}
}

// A card that is dragged has the edges that it has after the release, around others.
func TestDraggedEdgeRunsAround(t *testing.T) {
	f := flows(t, "a 0 0 b", "b 1000 400 -", "c 500 -20 -")
	s := graph.New(f)
	e, by := s.Edge("a", model.NextPort), graph.Vec{Y: -400}
	preview := e.Moved(graph.Vec{}, by)
	s.Update(moved(t, f, 1, model.Point{X: 1000}))
	if e.Curve != preview || e.Curve.Shape != graph.Lines {
		t.Errorf("preview %s, afterwards %s", path(preview), path(e.Curve))
	}
}

// The lines of edges that run beside each other are a lane apart, and those to one target come together before it.
func TestLinesAreApart(t *testing.T) {
	var s *graph.Scene
	apart := func(name string, edges []*graph.Edge, together bool) {
		t.Helper()
		for i, e := range edges {
			p := e.Curve.P
			if ids := over(s, e.Curve); len(ids) > 0 {
				t.Errorf("%s: %s lies on %v", name, path(e.Curve), ids)
			}
			for _, other := range edges[:i] {
				q := other.Curve.P
				if math.Abs(p[2].Y-q[2].Y) < graph.LaneStep || math.Abs(p[1].X-q[1].X) < graph.LaneStep && p[1].X < q[0].X+100 && p[0].X == q[0].X {
					t.Errorf("%s: %s and %s run together: %s, %s", name, e.Port, other.Port, path(e.Curve), path(other.Curve))
				}
				if together && p[3].X != q[3].X {
					t.Errorf("%s: %s and %s end apart: %s, %s", name, e.Port, other.Port, path(e.Curve), path(other.Curve))
				}
			}
		}
	}
	s = graph.New(graphtest.Form(t, `{"nodes":[{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[
		{"id":"1","condition":1,"next_node":"z"},{"id":"2","condition":1,"next_node":"z"}],"fallback":"z"}},
		{"id":"z","type":"FLOW","coordinates":{"x":2000,"y":60}},{"id":"u","type":"FLOW","coordinates":{"x":900,"y":-60}},
		{"id":"v","type":"FLOW","coordinates":{"x":900,"y":60}},{"id":"w","type":"FLOW","coordinates":{"x":900,"y":180}}]}`))
	apart("through a gap", s.Card("r").Edges(), true)
	var loops []*graph.Edge
	s = graph.New(flows(t, "z 0 400 -", "a 400 0 z", "b 800 0 z", "c 1200 0 z", "d 1600 0 z"))
	for _, id := range []string{"a", "b", "c", "d"} {
		loops = append(loops, s.Edge(id, model.NextPort))
	}
	apart("back from cards in a row", loops, true)
	s = graph.New(flows(t, "z 0 900 -", "a 400 0 z", "b 400 200 z", "c 400 400 z"))
	apart("back from cards in a column", []*graph.Edge{s.Edge("a", model.NextPort), s.Edge("b", model.NextPort), s.Edge("c", model.NextPort)}, true)
	s = graph.New(graphtest.Form(t, `{"nodes":[{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[
		{"id":"1","condition":1,"next_node":"u"},{"id":"2","condition":1,"next_node":"v"}],"fallback":"w"}},
		{"id":"u","type":"FLOW","coordinates":{"x":400,"y":200}},{"id":"v","type":"FLOW","coordinates":{"x":400,"y":320}},{"id":"w","type":"FLOW","coordinates":{"x":400,"y":440}}]}`))
	turns := s.Card("r").Edges()
	for i, e := range turns[1:] {
		if d := turns[i].Curve.P[1].X - e.Curve.P[1].X; d != graph.LaneStep {
			t.Errorf("the turns of two rules are %v apart: %s, %s", d, path(turns[i].Curve), path(e.Curve))
		}
	}
}

// The paths of a scene do not depend on how its form came about.
func TestPathsFollowFromTheForm(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	placed := func(n int) *model.Form { // each node has a place: others stay where they were
		f := graphtest.Random(t, rnd, n, 20)
		places := map[string]model.Point{model.StartID: {X: -200}, model.EndingID: {X: 3000}}
		for _, n := range f.Nodes {
			places[n.ID] = model.Point{X: rnd.IntN(3000), Y: rnd.IntN(1500)}
		}
		return graphtest.WithPlaces(t, f, places)
	}
	for range sizetest.Of(4, 20, 200) {
		f := placed(2 + rnd.IntN(25))
		s := graph.New(f)
		for range 12 {
			i := rnd.IntN(len(f.Nodes))
			if rnd.IntN(4) == 0 {
				f = placed(len(f.Nodes))
			} else {
				f = moved(t, f, i, model.Point{X: rnd.IntN(3000), Y: rnd.IntN(1500)})
			}
			s.Update(f)
			want := graph.New(f)
			for _, c := range want.Cards() {
				for k, e := range c.Edges() {
					if got := s.Card(c.Key).Edges()[k]; e != nil && got.Curve != e.Curve {
						t.Fatalf("%s %s: %s after changes, %s anew", c.ID, e.Port, path(got.Curve), path(e.Curve))
					}
				}
			}
		}
	}
}

// The same holds for lines that are alone, because too many share their room or belong to their group, and for those that were. Between two
// columns, to has for each card on the left the one on the right to which it leads, or -1.
func TestCrowdsFollowFromTheForm(t *testing.T) {
	const n = 180
	form := func(to []int) *model.Form {
		nodes := make([]string, 0, 2*n)
		for i, o := range to {
			target := "-"
			if o >= 0 {
				target = fmt.Sprintf("b%d", o)
			}
			nodes = append(nodes, fmt.Sprintf("a%d 0 %d %s", i, 100*i, target), fmt.Sprintf("b%d 420 %d -", i, 100*i))
		}
		return flows(t, nodes...)
	}
	var s *graph.Scene
	check := func(name string, to []int) {
		t.Helper()
		f := form(to)
		if s == nil {
			s = graph.New(f)
		}
		s.Update(f)
		want := graph.New(f)
		s.Edges(func(e *graph.Edge) {
			if o := want.Edge(e.Source().Key, e.Port); o.Curve != e.Curve {
				t.Fatalf("%s, %s: %s after changes, %s anew", name, e.Source().ID, path(e.Curve), path(o.Curve))
			}
		})
	}
	// A line becomes crowded far from those whose group it leaves.
	to := make([]int, n)
	fill := func(from, until, by int) {
		for i := from; i < until; i++ {
			to[i] = min(n-1, i+by)
			if by == 0 {
				to[i] = -1
			}
		}
	}
	odd := func(from, until, by int) {
		for i := from; i < until; i += 2 {
			fill(i, i+1, by)
		}
	}
	fill(0, n, 0)
	odd(1, 121, 1)
	to[0] = 150
	check("long", to)
	odd(121, 151, 1)
	check("long and crowded", to)
	odd(121, 151, 0)
	check("long again", to)
	// Two groups become one that is too large, and come apart.
	fill(0, n, 2)
	fill(88, 92, 0)
	check("apart", to)
	fill(88, 92, 2)
	check("one", to)
	fill(88, 92, 0)
	check("apart again", to)

	for _, window := range []int{12, 30, 90} {
		rnd := rand.New(rand.NewPCG(1, uint64(window)))
		some := func(i int) int { return max(0, min(n-1, i+rnd.IntN(2*window)-window)) }
		for i := range to {
			to[i] = some(i)
		}
		for round := range sizetest.Of(10, 30, 200) {
			at, most := rnd.IntN(n-20), 1+rnd.IntN(12)
			for i := at; i < at+most; i++ {
				if to[i] = some(i); round%3 == 0 {
					to[i] = -1
				}
			}
			check(fmt.Sprintf("window %d, round %d", window, round), to)
		}
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

// An edge that would cross others above and below the cards in its way runs through the channel between these.
func TestEdgesLookForChannels(t *testing.T) {
	s := graph.New(flows(t, "a 0 40 z", "z 2000 40 -", "m 800 40 -", "n 800 140 -", "p 400 -300 q", "q 1300 0 -", "v 400 600 w", "w 1300 220 -"))
	e := s.Edge("a", model.NextPort)
	if level := e.Curve.P[2].Y; level <= s.Card("m").Rect.Bottom() || level >= s.Card("n").Rect.Y {
		t.Errorf("the edge runs at %v: %s", level, path(e.Curve))
	}
	if len(e.Gaps())+len(s.Edge("p", model.NextPort).Gaps())+len(s.Edge("v", model.NextPort).Gaps()) > 0 {
		t.Error("edges cross")
	}
}
