package graph_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"weak"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// describe prints everything that a scene reports, except the places of cards without coordinates, since those depend on where they were
// before.
func describe(s *graph.Scene) []string {
	var lines []string
	for _, c := range s.Cards() {
		lines = append(lines, fmt.Sprintf("%q %d %s %q %v %q %v", c.Key, c.Place, c.Kind, c.Title, c.Rect, texts(c.Rows), c.Outs))
		var ins []string
		for _, e := range c.Ins() {
			ins = append(ins, e.Source().Key+":"+string(e.Port))
		}
		slices.Sort(ins)
		lines = append(lines, fmt.Sprint(ins))
		for i, e := range c.Edges() {
			if e == nil {
				lines = append(lines, fmt.Sprint(i, " nil"))
				continue
			}
			to := "-"
			if e.Target() != nil {
				to = e.Target().Key
			}
			lines = append(lines, fmt.Sprint(i, e.Port, e.To, to, e.Curve, e.Source() == c))
		}
	}
	n := 0
	s.Edges(func(*graph.Edge) { n++ })
	lines = append(lines, fmt.Sprint(n, " edges"), fmt.Sprint(s.Bounds()))
	var found []string
	for _, c := range s.CardsIn(s.Bounds(), nil) {
		found = append(found, c.Key)
	}
	for _, e := range s.EdgesIn(s.Bounds().Grown(1000), nil) {
		found = append(found, e.Source().Key+":"+string(e.Port))
	}
	slices.Sort(found)
	return append(lines, found...)
}

// TestUpdateEqualsNew makes random edits: after each, Update must give the same scene as
// New.
func TestUpdateEqualsNew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	nodes := schema.Key("nodes")
	f := grid(t, 30)
	s := graph.New(f)
	key := func(k string) schema.Path {
		return schema.Path{nodes, schema.Index(rnd.IntN(len(f.Nodes))), schema.Key(k)}
	}
	id := func() string { return fmt.Sprintf("n%d", rnd.IntN(34)) }
	for range 600 {
		g, err := f, error(nil)
		switch rnd.IntN(10) {
		case 0, 1:
			g, err = f.Set(key("coordinates"), model.Point{X: rnd.IntN(4000), Y: rnd.IntN(3000)}.Tree())
		case 2, 3:
			g, err = f.Set(key("config").Key("next_node"), id())
		case 4:
			g, err = f.Set(key("alias"), fmt.Sprint("Alias ", rnd.IntN(5)))
		case 5:
			if len(f.Nodes) > 2 {
				g, err = f.Clear(schema.Path{nodes, schema.Index(rnd.IntN(len(f.Nodes)))})
			}
		case 6:
			g, err = f.Insert(
				schema.Path{nodes, schema.Index(rnd.IntN(len(f.Nodes) + 1))},
				model.NewNode(model.RouterNode, id(), model.Point{X: rnd.IntN(4000)}),
			)
		case 7:
			g, err = f.Set(key("id"), id())
		case 9:
			g, err = f.Clear(key("config").Key("next_node"))
		case 8:
			g, err = f.Set(schema.Path{schema.Key("start"), schema.Key("next_node")}, id())
		}
		if err != nil {
			t.Fatal(err)
		}
		f = g
		s.Update(f)
		got, want := describe(s), describe(graph.New(f))
		if i := firstDifference(got, want); i >= 0 {
			t.Fatalf("line %d: got %s, want %s", i, got[i], want[i])
		}
	}
}

func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b)) - 1
	}
	return -1
}

func TestUpdateKeepsPointers(t *testing.T) {
	f := graphtest.Form(t, small)
	s := graph.New(f)
	a, content, edge := s.Card("a"), s.Card("a").Content, s.Edge("a", model.NextPort)
	rev := s.Rev()
	s.Update(f)
	if s.Rev() != rev {
		t.Error("Update with the same form counts as a change")
	}
	g, err := f.Set(schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("coordinates")}, model.Point{X: 7}.Tree())
	if err != nil {
		t.Fatal(err)
	}
	s.Update(g)
	if s.Card("a") != a || a.Content != content || s.Edge("a", model.NextPort) != edge {
		t.Error("a move made a new card, content or edge")
	}
	if a.Rect.X != 7 || edge.Curve.P[0].X != 287 || s.Rev() == rev {
		t.Errorf("after the move: got card %v, edge from %v", a.Rect, edge.Curve.P[0])
	}
	g, err = g.Clear(schema.Path{schema.Key("nodes"), schema.Index(2)})
	if err != nil {
		t.Fatal(err)
	}
	s.Update(g)
	if s.Card("a") != a || s.Edge("a", model.NextPort) != edge || s.Card("f") != nil {
		t.Error("removing a node made new cards of the others")
	}
	if e := s.Edge("r", model.RulePort("one")); !e.Dangling() {
		t.Errorf("an edge to the removed node leads to %v", e.Target())
	}
}

func TestIndexFindsOverlappingItems(t *testing.T) {
	s := graph.New(grid(t, 400))
	seen, listed := 0, 0
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		r := graph.Rect{X: rnd.Float64()*9000 - 500, Y: rnd.Float64()*7000 - 500, W: rnd.Float64() * 3000, H: rnd.Float64() * 3000}
		var want []string
		for _, c := range s.Cards() {
			if c.Rect.Overlaps(r) {
				want = append(want, c.Key)
			}
		}
		var got []string
		for _, c := range s.CardsIn(r, nil) {
			got = append(got, c.Key)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("in %v: got %v, want %v", r, got, want)
		}
		n, edges := 0, s.EdgesIn(r, nil)
		s.Edges(func(e *graph.Edge) {
			for i := range 201 {
				if r.Contains(e.Curve.At(float64(i) / 200)) {
					n++
					if !slices.Contains(edges, e) {
						t.Fatalf("in %v: %s is missing", r, path(e.Curve))
					}
					return
				}
			}
		})
		seen += n
		listed += len(edges)
	}
	// Some of the listed edges only come near; most must be visible.
	if seen == 0 || listed > seen*3/2 {
		t.Errorf("%d edges listed for %d visible", listed, seen)
	}
}

func TestStep(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	tests := []struct {
		at, from string
		d        graph.Direction
		want     string
	}{
		{"$start", "", graph.Right, "a"},
		{"a", "", graph.Right, "r"},
		{"r", "", graph.Right, "f"},
		{"f", "", graph.Right, "$ending"},
		{"$ending", "", graph.Left, "a"},
		{"$ending", "f", graph.Left, "f"},
		{"a", "", graph.Left, "$start"},
		{"a", "r", graph.Left, "r"},
		{"$ending", "", graph.Right, ""},
	}
	for _, tt := range tests {
		got := ""
		if c := s.Step(s.Card(tt.at), tt.d, tt.from); c != nil {
			got = c.ID
		}
		if got != tt.want {
			t.Errorf("%s in direction %d from %q: got %q, want %q", tt.at, tt.d, tt.from, got, tt.want)
		}
	}
}

func TestStepToSiblings(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"nodes":[
		{"id":"r","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[{"id":"1","condition":1,"next_node":"low"},
{"id":"2","condition":1,"next_node":"mid"}],"fallback":"top"}},
		{"id":"low","coordinates":{"x":400,"y":600}},{"id":"mid","coordinates":{"x":400,"y":300}},{"id":"top","coordinates":{"x":400,"y":0}},
{"id":"far","coordinates":{"x":400,"y":2000}}]}`))
	for _, tt := range []struct {
		at   string
		d    graph.Direction
		want string
	}{{"top", graph.Down, "mid"}, {"mid", graph.Down, "low"}, {"mid", graph.Up, "top"}, {"low", graph.Down, "far"}, {
		"r", graph.Right,
		"low",
	}} {
		if got := s.Step(s.Card(tt.at), tt.d, ""); got == nil || got.ID != tt.want {
			t.Errorf("%s in direction %d: got %v, want %s", tt.at, tt.d, got, tt.want)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		f := grid(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				graph.New(f)
			}
		})
	}
}

func BenchmarkUpdateOneEdit(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		f := grid(b, n)
		at := schema.Path{schema.Key("nodes"), schema.Index(n / 2), schema.Key("coordinates")}
		g, err := f.Set(at, model.Point{X: 20, Y: 20}.Tree())
		if err != nil {
			b.Fatal(err)
		}
		s := graph.New(f)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Update(g)
				s.Update(f)
			}
		})
	}
}

func BenchmarkCull(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		s := graph.New(grid(b, n))
		cards, edges := make([]*graph.Card, 0, 200), make([]*graph.Edge, 0, 200)
		v := graph.Rect{X: 4000, Y: 3000, W: 1600, H: 900}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				cards, edges = s.CardsIn(v, cards[:0]), s.EdgesIn(v, edges[:0])
			}
		})
	}
}

func BenchmarkHit(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		s := graph.New(grid(b, n))
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Hit(graph.Vec{X: 4390, Y: 3150}, 1, nil)
			}
		})
	}
}

// A page has one scene as long as it is open. The ends stay when all nodes are others, and keep nothing of what led to them.
func TestSceneKeepsNoOlderForm(t *testing.T) {
	f := graphtest.Flow(t, "$start: a", "a: b c d", "b: $ending", "c: $ending", "d: $ending")
	old := make([]weak.Pointer[model.Node], len(f.Nodes))
	for i, n := range f.Nodes {
		old[i] = weak.Make(n)
	}
	s := graph.New(f)
	f = graphtest.Flow(t, "$start: e", "e: $ending")
	s.Update(f)
	runtime.GC()
	for i := range old {
		if n := old[i].Value(); n != nil {
			t.Fatalf("node %d is kept", i)
		}
	}
	runtime.KeepAlive(s)
}
