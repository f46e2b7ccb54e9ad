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

var everywhere = graph.Rect{X: -1e6, Y: -1e6, W: 2e6, H: 2e6}

// cards returns a scene of flow cards, 280 wide and 76 high, at these places; the two
// ends are far away. The third number, if not 0, makes the card a step with as many rows.
func cards(tb testing.TB, places ...[3]int) *graph.Scene {
	tb.Helper()
	var nodes []string
	for i, p := range places {
		var rows []string
		for j := range p[2] {
			rows = append(rows, fmt.Sprintf(`{"id":"c%dx%d","category":"FIELD","type":"EMAIL"}`, i, j))
		}
		node := fmt.Sprintf(`{"id":"n%d","type":"FLOW","coordinates":{"x":%d,"y":%d},"config":{"flow_id":"f"}}`, i, p[0], p[1])
		if p[2] > 0 {
			node = fmt.Sprintf(
				`{"id":"n%d","type":"STEP","coordinates":{"x":%d,"y":%d},"config":{"components":[%s]}}`,
				i,
				p[0],
				p[1],
				strings.Join(rows, ","),
			)
		}
		nodes = append(nodes, node)
	}
	return graph.New(
		graphtest.Form(
			tb,
			fmt.Sprintf(
				`{"name":"cards","start":{"coordinates":{"x":-99999,"y":-99999}},"ending":{"coordinates":{"x":99999,"y":99999}},"nodes":[%s]}`,
				strings.Join(nodes, ","),
			),
		),
	)
}

func TestSnap(t *testing.T) {
	tests := []struct {
		name  string
		cards [][3]int // the first is dragged
		by    graph.Vec
		zoom  float64
		want  string
	}{
		{"nothing near", [][3]int{{0, 0, 0}, {1000, 1000, 0}}, graph.Vec{X: 33, Y: 44}, 1, "33,44 false false"},
		{"level handles", [][3]int{{0, 0, 0}, {1000, 100, 3}}, graph.Vec{X: 33, Y: 94}, 1, "33,100 false true | 33,120 to 1280,120"},
		{"level bottoms", [][3]int{{0, 0, 0}, {1000, 100, 3}}, graph.Vec{X: 33, Y: 160}, 1, "33,156 false true | 33,232 to 1280,232"},
		{
			"handles before sides",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {2000, 29, 3}},
			graph.Vec{X: 33, Y: 92},
			1,
			"33,100 false true | 33,120 to 1280,120 | 33,176 to 1280,176",
		},
		{"middles", [][3]int{{0, 0, 0}, {1000, 100, 3}}, graph.Vec{X: 33, Y: 131}, 1, "33,128 false true | 33,166 to 1280,166"},
		{
			"left sides",
			[][3]int{{0, 0, 0}, {100, 1000, 0}},
			graph.Vec{X: 107, Y: 33},
			1,
			"100,33 true false | 100,33 to 100,1076 | 380,33 to 380,1076",
		},
		{"left at right", [][3]int{{0, 0, 0}, {1000, 1000, 0}}, graph.Vec{X: 1275, Y: 33}, 1, "1280,33 true false | 1280,33 to 1280,1076"},
		{
			"above the other",
			[][3]int{{0, 0, 0}, {100, 1000, 0}},
			graph.Vec{X: 97, Y: 2000},
			1,
			"100,2000 true false | 100,1000 to 100,2076 | 380,1000 to 380,2076",
		},
		{
			"border of the reach",
			[][3]int{{0, 0, 0}, {100, 1000, 0}},
			graph.Vec{X: 108, Y: 33},
			1,
			"100,33 true false | 100,33 to 100,1076 | 380,33 to 380,1076",
		},
		{"out of reach", [][3]int{{0, 0, 0}, {100, 1000, 0}}, graph.Vec{X: 109, Y: 33}, 1, "109,33 false false"},
		{
			"further at half zoom",
			[][3]int{{0, 0, 0}, {100, 1000, 0}},
			graph.Vec{X: 115, Y: 33},
			.5,
			"100,33 true false | 100,33 to 100,1076 | 380,33 to 380,1076",
		},
		{"less at double zoom", [][3]int{{0, 0, 0}, {100, 1000, 0}}, graph.Vec{X: 105, Y: 33}, 2, "105,33 false false"},
		{
			"the nearer of two",
			[][3]int{{0, 0, 0}, {100, 1000, 0}, {110, 2000, 0}},
			graph.Vec{X: 104, Y: 33},
			1,
			"100,33 true false | 100,33 to 100,1076 | 380,33 to 380,1076",
		},
		{
			"between two",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {2000, 100, 0}},
			graph.Vec{X: 1503, Y: 140},
			1,
			"1500,140 true false | 1280,158 to 1500,158 gap 220 | 1780,158 to 2000,158 gap 220",
		},
		{
			"as far as the two before",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1400, 100, 0}},
			graph.Vec{X: 1805, Y: 140},
			1,
			"1800,140 true false | 1280,138 to 1400,138 gap 120 | 1680,158 to 1800,158 gap 120",
		},
		{
			"as far as the two behind",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1400, 100, 0}},
			graph.Vec{X: 597, Y: 140},
			1,
			"600,140 true false | 880,158 to 1000,158 gap 120 | 1280,138 to 1400,138 gap 120",
		},
		{
			"below the two above",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1000, 300, 0}},
			graph.Vec{X: 1100, Y: 503},
			1,
			"1100,500 false true | 1140,176 to 1140,300 gap 124 | 1190,376 to 1190,500 gap 124",
		},
		{
			"no gap twice",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1280, 100, 0}},
			graph.Vec{X: 1563, Y: 140},
			1,
			"1560,140 true false | 1560,100 to 1560,216",
		},
		{"not beside at the left", [][3]int{{0, 0, 0}, {1000, 900, 0}, {2000, 100, 0}}, graph.Vec{X: 1503, Y: 140}, 1, "1503,140 false false"},
		{"not beside at the right", [][3]int{{0, 0, 0}, {1000, 100, 0}, {2000, 900, 0}}, graph.Vec{X: 1503, Y: 140}, 1, "1503,140 false false"},
		{
			"touching at the left",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1400, 100, 0}, {2360, 100, 0}},
			graph.Vec{X: 1680, Y: 140},
			1,
			"1680,140 true false | 1680,100 to 1680,216",
		},
		{
			"touching at the right",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1960, 100, 0}, {2360, 100, 0}},
			graph.Vec{X: 1680, Y: 140},
			1,
			"1680,140 true false | 1960,100 to 1960,216",
		},
		{
			"right below what begins beside",
			[][3]int{{0, 0, 0}, {1000, 216, 0}, {2000, 100, 0}},
			graph.Vec{X: 1503, Y: 140},
			1,
			"1503,140 false true | 1000,216 to 1783,216",
		},
		{
			"right above what ends beside",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {2000, 64, 0}},
			graph.Vec{X: 1503, Y: 140},
			1,
			"1503,140 false true | 1503,140 to 2280,140",
		},
		{
			"the nearest of the gaps",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1400, 100, 0}, {2212, 100, 0}},
			graph.Vec{X: 1805, Y: 140},
			1,
			"1806,140 true false | 1680,158 to 1806,158 gap 126 | 2086,158 to 2212,158 gap 126",
		},
		{
			"border of a gap's reach",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {2000, 100, 0}},
			graph.Vec{X: 1508, Y: 140},
			1,
			"1500,140 true false | 1280,158 to 1500,158 gap 220 | 1780,158 to 2000,158 gap 220",
		},
		{
			"the gaps beside it say enough",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {1400, 100, 0}, {2200, 100, 0}},
			graph.Vec{X: 1803, Y: 140},
			1,
			"1800,140 true false | 1680,158 to 1800,158 gap 120 | 2080,158 to 2200,158 gap 120",
		},
		{
			"both axes",
			[][3]int{{0, 0, 0}, {1000, 100, 0}, {500, 900, 0}},
			graph.Vec{X: 497, Y: 103},
			1,
			"500,100 true true | 500,100 to 500,976 | 780,100 to 780,976 | 500,120 to 1280,120 | 500,176 to 1280,176",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := cards(t, test.cards...)
			got := graph.NewGuides(s, map[string]bool{"n0": true}, everywhere).Snap(test.by, test.zoom)
			text := fmt.Sprintf("%g,%g %v %v", got.By.X, got.By.Y, got.OnX, got.OnY)
			for _, l := range got.Lines {
				text += fmt.Sprintf(" | %g,%g to %g,%g", l.From.X, l.From.Y, l.To.X, l.To.Y)
				if l.Gap != 0 {
					text += fmt.Sprintf(" gap %g", l.Gap)
				}
			}
			if text != test.want {
				t.Errorf("got %s, want %s", text, test.want)
			}
		})
	}
}

func TestSnapLooksAtTheView(t *testing.T) {
	s := cards(t, [3]int{0, 0, 0}, [3]int{100, 1000, 0})
	moving := map[string]bool{"n0": true}
	if got := graph.NewGuides(s, moving, graph.Rect{X: 0, Y: 0, W: 500, H: 500}).Snap(graph.Vec{X: 103}, 1); got.OnX {
		t.Errorf("it snaps to a card out of view: %v", got)
	}
	if got := graph.NewGuides(s, nil, everywhere).Snap(graph.Vec{X: 103}, 1); got.OnX || got.OnY || got.By.X != 103 {
		t.Errorf("no card dragged: got %v", got)
	}
	if got := graph.NewGuides(s, map[string]bool{"n0": true, "n1": true, model.StartID: true, model.EndingID: true},
		everywhere).Snap(graph.Vec{X: 1}, 1); got.OnX {
		t.Errorf("it snaps to itself: %v", got)
	}
}

// Each of several dragged cards has a handle line; level ones share one.
func TestSnapSeveral(t *testing.T) {
	s := cards(t, [3]int{0, 0, 0}, [3]int{400, 0, 0}, [3]int{0, 333, 3}, [3]int{3000, 100, 3}, [3]int{4000, 633, 3})
	snap := func(by graph.Vec, ids ...string) string {
		moving := map[string]bool{}
		for _, id := range ids {
			moving[id] = true
		}
		got := graph.NewGuides(s, moving, everywhere).Snap(by, 1)
		return fmt.Sprintf("%v %v", got.By, got.Lines)
	}
	if got, want := snap(graph.Vec{X: 33, Y: 94}, "n0", "n1"), "{33 100} [{{33 120} {3280 120} 0}]"; got != want {
		t.Errorf("two that are level: got %s, want %s", got, want)
	}
	if got, want := snap(graph.Vec{X: 33, Y: 303}, "n0", "n2"), "{33 300} [{{33 653} {4280 653} 0} {{33 765} {4280 765} 0}]"; got != want {
		t.Errorf("the lower of two: got %s, want %s", got, want)
	}
}

// The lines are found whatever the order of the cards in the form.
func TestSnapToMiddles(t *testing.T) {
	s := cards(t, [3]int{2000, 0, 0}, [3]int{0, 0, 0}, [3]int{3000, 0, 0}, [3]int{1000, 0, 0}, [3]int{-1000, 0, 0})
	for x := -1000; x <= 3000; x += 1000 {
		at := s.Card(model.StartID).Rect
		by := graph.Vec{X: float64(x+140-48+3) - at.X, Y: 500 - at.Y}
		got := graph.NewGuides(s, map[string]bool{model.StartID: true}, everywhere).Snap(by, 1)
		if !got.OnX || got.By.X != by.X-3 {
			t.Errorf("the middle of the card at %d: got %+v, want X %v", x, got, by.X-3)
		}
	}
}

// Snapping moves a card no further than the reach, and every line lies where both a still card and the dragged ones have a line.
func TestSnapLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	caught := 0
	for range 400 {
		var places [][3]int
		for range 3 + rnd.IntN(20) {
			places = append(places, [3]int{rnd.IntN(3000), rnd.IntN(1500), rnd.IntN(5)})
		}
		s := cards(t, places...)
		moving := map[string]bool{"n0": true}
		if rnd.IntN(2) == 0 {
			moving["n1"] = true
		}
		box, _ := graphtest.Box(s, moving)
		zoom := .25 + 2*rnd.Float64()
		g := graph.NewGuides(s, moving, everywhere)
		by := graph.Vec{X: float64(rnd.IntN(2000) - 1000), Y: float64(rnd.IntN(2000) - 1000)}
		got := g.Snap(by, zoom)
		d := got.By.Sub(by)
		if max(math.Abs(d.X), math.Abs(d.Y)) > 8/zoom+1e-9 || !got.OnX && d.X != 0 || !got.OnY && d.Y != 0 {
			t.Fatalf("moved by %v at zoom %v: %v", d, zoom, got)
		}
		if (got.OnX || got.OnY) != (len(got.Lines) > 0) {
			t.Fatalf("the lines do not match what snapped: %+v", got)
		}
		r := box.Moved(got.By)
		for _, l := range got.Lines {
			if l.From.X != l.To.X && l.From.Y != l.To.Y || l.Gap == 0 && !r.Grown(.1).Overlaps(graph.RectOf(l.From, l.To)) {
				t.Fatalf("line %v of %v", l, r)
			}
			if l.Gap != 0 && math.Abs(l.To.Sub(l.From).Len()-l.Gap) > .1 {
				t.Fatalf("gap %v is %v long", l, l.To.Sub(l.From).Len())
			}
		}
		caught += len(got.Lines)
	}
	if caught < 150 {
		t.Errorf("only %d lines", caught)
	}
}

// A snap allocates nothing but its lines.
func TestSnapAllocates(t *testing.T) {
	s := cards(t, [3]int{0, 0, 0}, [3]int{1000, 1000, 0})
	g := graph.NewGuides(s, map[string]bool{"n0": true}, everywhere)
	if n := testing.AllocsPerRun(100, func() { g.Snap(graph.Vec{X: 33, Y: 44}, 1) }); n != 0 {
		t.Errorf("%v allocations without a line", n)
	}
}

func BenchmarkSnap(b *testing.B) {
	var places [][3]int
	for i := range 1000 {
		places = append(places, [3]int{i % 32 * 360, i / 32 * 200, i % 5})
	}
	g := graph.NewGuides(cards(b, places...), map[string]bool{"n0": true}, everywhere)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		g.Snap(graph.Vec{X: float64(i * 7 % 10000), Y: float64(i * 11 % 6000)}, 1)
	}
}
