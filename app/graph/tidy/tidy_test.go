package tidy_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/realforms"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
)

// reached returns the cards reachable from Start and the edges that close a cycle, by a plain recursive search over handles from the top.
func reached(s *graph.Scene) (cards map[*graph.Card]bool, back map[*graph.Edge]bool) {
	cards, back = make(map[*graph.Card]bool), make(map[*graph.Edge]bool)
	open := make(map[*graph.Card]bool)
	var walk func(*graph.Card)
	walk = func(c *graph.Card) {
		cards[c], open[c] = true, true
		order := make([]int, len(c.Outs))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return int(c.Outs[a].Y - c.Outs[b].Y) })
		for _, i := range order {
			e := c.Edges()[i]
			switch {
			case e == nil || e.Dangling():
			case open[e.Target()]:
				back[e] = true
			case !cards[e.Target()]:
				walk(e.Target())
			}
		}
		open[c] = false
	}
	walk(s.Card(model.StartID))
	return cards, back
}

// checkTidy checks the laws of a layout of cards in a scene that may continue in bands.
func checkTidy(t *testing.T, s *graph.Scene, only map[string]bool) {
	t.Helper()
	for _, c := range s.Cards() {
		if only != nil && !only[c.ID] {
			continue
		}
		if math.Mod(c.Rect.X, graph.Grid) != 0 || math.Mod(c.Rect.Y, 1) != 0 {
			t.Fatalf("%s at %v is off the columns of the grid", c.ID, c.Rect)
		}
		if max(math.Abs(c.Rect.X), math.Abs(c.Rect.Y)) > model.MaxCoordinate {
			t.Fatalf("%s at %v is out of bounds", c.ID, c.Rect)
		}
		for _, o := range s.CardsIn(c.Rect.Grown(39.9), nil) {
			if o != c && (only == nil || only[o.ID]) {
				t.Fatalf("%s at %v stands less than 40 from %s at %v", c.ID, c.Rect, o.ID, o.Rect)
			}
		}
	}
	if only == nil {
		checkLayers(t, s, false)
	}
}

// checkLayers checks the direction of edges. In one strip they lead to the right, or are loops. In bands an edge to the
// right may lead to a band below, and a loop to a band above.
func checkLayers(t *testing.T, s *graph.Scene, strip bool) {
	t.Helper()
	cards, back := reached(s)
	ending, start := s.Card(model.EndingID), s.Card(model.StartID)
	right := func(c, o *graph.Card) bool { return o.Rect.X >= c.Rect.Right()+80 }
	under := func(c, o *graph.Card) bool { return !strip && o.Rect.Y >= c.Rect.Bottom()+80 }
	low := ending.Rect.Bottom()
	for c := range cards {
		low = max(low, c.Rect.Bottom())
		if c != start && !right(start, c) {
			t.Fatalf("%s at %v stands in Start's layer", c.ID, c.Rect)
		}
		if c != ending && !right(c, ending) && !under(c, ending) {
			t.Fatalf("%s at %v stands in Ending's layer", c.ID, c.Rect)
		}
		for _, e := range c.Edges() {
			switch {
			case e == nil || e.Dangling():
			case back[e] && e.Target().Rect.X > c.Rect.X && !under(e.Target(), c):
				t.Fatalf("the loop %s of %s leads to the right: from %v to %v", e.Port, c.ID, c.Rect, e.Target().Rect)
			case !back[e] && !right(c, e.Target()) && !under(c, e.Target()):
				t.Fatalf("edge %s of %s leads back or is too short: from %v to %v", e.Port, c.ID, c.Rect, e.Target().Rect)
			}
		}
	}
	for _, c := range s.Cards() {
		if !cards[c] && c != ending && c.Rect.Y < low+80 {
			t.Fatalf("%s at %v is not below %v", c.ID, c.Rect, low)
		}
		for _, e := range c.Edges() {
			if e != nil && e.Target() == ending && ending.Rect.X < c.Rect.Right()+80 {
				t.Fatalf("the edge from %s at %v to the ending at %v goes back", c.ID, c.Rect, ending.Rect)
			}
		}
	}
}

// drawn returns where the cards of a scene are and how its edges run.
func drawn(s *graph.Scene) []string {
	var lines []string
	for _, c := range s.Cards() {
		lines = append(lines, fmt.Sprint(c.Key, c.Rect, c.Auto, c.Outs))
		for _, e := range c.Edges() {
			if e != nil {
				lines = append(lines, fmt.Sprint(e.Port, e.Curve))
			}
		}
	}
	return lines
}

func TestTidyLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for i := range sizetest.Of(0, 51, 1000) {
		n := 1 + rnd.IntN(40)
		if i%50 == 0 {
			n = 300
		}
		f := graphtest.Random(t, rnd, n, i%4*10)
		s := graph.New(f)
		before := drawn(s)
		places := tidy.Layout(s, nil)
		if !slices.Equal(drawn(s), before) {
			t.Fatal("the scene was changed")
		}
		for _, c := range s.Cards() {
			p, ok := places[c.Key]
			if ok && !c.Auto && graph.At(p) == c.Rect.Origin() {
				t.Fatalf("%s does not move but is in the map", c.Key)
			}
			if !ok && c.Auto {
				t.Fatalf("%s has no place but is not in the map", c.Key)
			}
		}
		after := graph.New(graphtest.WithPlaces(t, f, places))
		checkTidy(t, after, nil)
		strip := stripped(t, f, nil)
		checkTidy(t, strip, nil)
		checkLayers(t, strip, true)
		if start, was := after.Card(model.StartID).Rect, s.Card(model.StartID).Rect; max(
			math.Abs(start.X-was.X),
			math.Abs(start.Y-was.Y),
		) > graph.Grid/2 {
			t.Fatalf("Start went from %v to %v", was, start)
		}
		if again := tidy.Layout(after, nil); len(again) > 0 {
			t.Fatalf("a tidy form is changed: %v", again)
		}
	}
}

// Few edges run over cards, and hardly any loops. In bands more do, since the count includes edges between bands, which may pass
// other bands.
func TestTidyClearsTheWay(t *testing.T) {
	for _, tt := range []struct {
		name        string
		tidied      func(testing.TB, *model.Form, map[string]bool) *graph.Scene
		edges, back int // how many of a hundred may run over cards
	}{
		{"strip", stripped, 5, 8},
		{"bands", tidied, 6, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(25, 26))
			var edges, back, overEdges, overBack int
			for range 200 {
				s := tt.tidied(t, graphtest.Random(t, rnd, 12, 0), nil)
				s.Edges(func(e *graph.Edge) {
					over := len(through(s, e)) > 0
					switch {
					case e.Curve.Shape == graph.Lines:
						back++
						if over {
							overBack++
						}
					case !e.Dangling():
						edges++
						if over {
							overEdges++
						}
					}
				})
			}
			t.Logf("over cards: %d of %d edges, %d of %d that run back", overEdges, edges, overBack, back)
			if 100*overEdges > tt.edges*edges || 100*overBack > tt.back*back {
				t.Errorf("over cards: %d of %d edges, %d of %d that run back", overEdges, edges, overBack, back)
			}
		})
	}
}

// The places and the order of the nodes in the form do not matter when Start leads to all.
func TestTidyFollowsFromTheGraph(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		f := graphtest.Random(t, rnd, 2+rnd.IntN(40), 0)
		f = graphtest.WithPlaces(t, f, map[string]model.Point{model.StartID: {X: 40, Y: 60}})
		want := tidied(t, f, nil)
		nodes := slices.Clone(f.Tree().List("nodes"))
		for i := range nodes {
			o, _ := nodes[i].(*schema.Object)
			nodes[i] = o.With("coordinates", model.Point{X: rnd.IntN(9000), Y: rnd.IntN(9000)}.Tree())
		}
		rnd.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
		got := tidied(t, f.Derive(f.Tree().With("nodes", nodes)), nil)
		for _, c := range want.Cards() {
			if o := got.Card(c.ID); o.Rect != c.Rect {
				t.Fatalf("%s: got %v, want %v", c.ID, o.Rect, c.Rect)
			}
		}
	}
}

func TestTidyOnly(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for i := range sizetest.Of(0, 50, 1000) {
		f := graphtest.Random(t, rnd, 2+rnd.IntN(30), 10)
		s := graph.New(f)
		only := make(map[string]bool)
		var was graph.Rect
		for _, c := range s.Cards() {
			if rnd.IntN(2) == 0 {
				only[c.ID] = true
				was = was.Union(c.Rect)
			}
		}
		places := tidy.Layout(s, only)
		for id := range places {
			if !only[id] {
				t.Fatalf("%s moves but was not chosen", id)
			}
		}
		if len(only) == 0 {
			continue
		}
		after := graph.New(graphtest.WithPlaces(t, f, places))
		checkTidy(t, after, only)
		var now graph.Rect
		for id := range only {
			now = now.Union(after.Card(id).Rect)
		}
		if max(math.Abs(now.X-was.X), math.Abs(now.Y-was.Y)) > graph.Grid/2 {
			t.Fatalf("%d: the corner went from %v to %v", i, was, now)
		}
		if again := tidy.Layout(after, only); len(again) > 0 {
			t.Fatalf("a tidy selection is changed: %v", again)
		}
	}
	if got := tidy.Layout(graph.New(graphtest.Flow(t, "$start: a", "a: b $ending", "b: $ending")), map[string]bool{}); len(got) != 0 {
		t.Errorf("no card chosen: got %v", got)
	}
}

// The corner of a selection stays, even where nothing leads to the ending.
func TestTidyOnlyKeepsTheCorner(t *testing.T) {
	rnd := rand.New(rand.NewPCG(27, 28))
	for range sizetest.Of(0, 30, 1000) {
		n := 2 + rnd.IntN(7)
		lines := []string{"$start: n0"}
		only := map[string]bool{model.StartID: true, model.EndingID: true}
		for i := range n {
			line := fmt.Sprintf("n%d:", i)
			for range 2 + rnd.IntN(3) {
				line += fmt.Sprintf(" n%d", rnd.IntN(n))
			}
			lines = append(lines, line)
			only[fmt.Sprintf("n%d", i)] = true
		}
		f := graphtest.Flow(t, lines...)
		for strip, s := range map[bool]*graph.Scene{true: stripped(t, f, only), false: tidied(t, f, only)} {
			if r, _ := graphtest.Box(s, only); r.Origin() != (graph.Vec{}) {
				t.Fatalf("the corner went to %v", r.Origin())
			}
			start, ending := s.Card(model.StartID).Rect, s.Card(model.EndingID).Rect
			if ending.Y != start.Y && (strip || ending.Y < start.Y+80) {
				t.Fatalf("Start at %v and Ending at %v are not level, nor in two bands (strip %v)", start, ending, strip)
			}
		}
	}
}

// A form whose layers exceed the bounds of coordinates stays within them.
func TestTidyTooLarge(t *testing.T) {
	lines := []string{"$start: n0"}
	for i := range 6000 {
		lines = append(lines, fmt.Sprintf("n%d: n%d", i, i+1))
	}
	f := graphtest.Flow(t, lines...)
	s := graph.New(f)
	after := graph.New(graphtest.WithPlaces(t, f, tidy.Layout(s, nil)))
	for _, c := range after.Cards() {
		if max(math.Abs(c.Rect.X), math.Abs(c.Rect.Y)) > model.MaxCoordinate {
			t.Fatalf("%s at %v is out of bounds", c.ID, c.Rect)
		}
		if len(after.CardsIn(c.Rect.Grown(39), nil)) > 1 {
			t.Fatalf("%s at %v overlaps another", c.ID, c.Rect)
		}
	}
	if again := tidy.Layout(after, nil); len(again) > 0 {
		t.Fatalf("%d cards of a tidy form move", len(again))
	}
}

// A form at the bounds of coordinates is moved back into them.
func TestTidyAtTheBorder(t *testing.T) {
	f := graphtest.WithPlaces(
		t,
		graphtest.Flow(t, "$start: a", "a: b", "b: $ending"),
		map[string]model.Point{model.StartID: {X: model.MaxCoordinate, Y: -model.MaxCoordinate}},
	)
	s := tidied(t, f, nil)
	checkTidy(t, s, nil)
	if got := s.Card(model.EndingID).Rect.Origin(); got != (graph.Vec{X: 999_980, Y: -999_980}) {
		t.Errorf("got the ending at %v", got)
	}
}

func TestTidyBrokenIDs(t *testing.T) {
	f := graphtest.Form(t, `{"name":"broken","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"FLOW","config":{"flow_id":"f","next_node":"a"}},
		{"id":"a","type":"FLOW","config":{"flow_id":"f","next_node":"a"}},
		{"type":"ROUTER","config":{"rules":[],"fallback":"a"}},
		7,{"id":"$ending","type":"STEP"}]}`)
	s := graph.New(f)
	places := tidy.Layout(s, nil)
	if len(places) != len(s.Cards()) {
		t.Errorf("got %d places of %d cards", len(places), len(s.Cards()))
	}
	taken := make(map[model.Point]string)
	for _, key := range slices.Sorted(maps.Keys(places)) {
		if o, ok := taken[places[key]]; ok {
			t.Errorf("%q stands on %q", key, o)
		}
		taken[places[key]] = key
	}
}

// TestTidyGolden pins the layouts of the examples and of realistic forms. A change of
// the layout shows here; look at -pictures before -update.
func TestTidyGolden(t *testing.T) {
	forms := examples(t)
	rnd := rand.New(rand.NewPCG(11, 12))
	for i := range 6 {
		forms[fmt.Sprintf("random-%d", i)] = graphtest.Random(t, rnd, 8+8*i, 4)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		s := tidied(t, forms[name], nil)
		draw(t, name, s)
		edges, over := 0, 0
		s.Edges(func(e *graph.Edge) { edges, over = edges+1, over+len(through(s, e)) })
		fmt.Fprintf(&b, "%s: %d edges, over cards %d\n", name, edges, over)
		for _, c := range s.Cards() {
			fmt.Fprintf(&b, "  %s %g,%g\n", c.ID, c.Rect.X, c.Rect.Y)
		}
		if strings.Contains(name, "-") && !strings.HasPrefix(name, "random") && over > 0 {
			t.Errorf("%s: edges run over %d cards", name, over)
		}
	}
	const file = "testdata/tidy.golden"
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("places differ from the golden file (-want +got):\n%s", diff)
	}
}

// TestTidyRealForms lays out real forms.
func TestTidyRealForms(t *testing.T) {
	for _, file := range realforms.Files(t) {
		f := formFile(t, file.Path)
		s := tidied(t, f, nil)
		draw(t, strings.TrimSuffix(file.Name, ".json"), s)
		checkTidy(t, s, nil)
		if again := tidy.Layout(s, nil); len(again) > 0 {
			t.Errorf("%s: a tidy form is changed: %v", file.Name, again)
		}
	}
}

// BenchmarkTidy measures a first run, and one more after an edge got another target.
func BenchmarkTidy(b *testing.B) {
	for _, n := range []int{12, 100, 1000, 10000} {
		rnd := rand.New(rand.NewPCG(1, uint64(n)))
		f := graphtest.Random(b, rnd, n, 3)
		s := graph.New(f)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				tidy.Layout(s, nil)
			}
		})
		e := editor.New(placed(b, tidied(b, f, nil)), editor.Config{})
		for e.Revision() == 0 {
			d := pick(rnd, edgesOf(s), func(*graph.Edge) bool { return true })
			_ = e.Run(editor.Reconnect{Edge: refOf(d), Target: model.Pointer(fmt.Sprintf("n%d", rnd.IntN(n)))})
		}
		s = graph.New(e.State().Form)
		b.Run(fmt.Sprintf("%d/again", n), func(b *testing.B) {
			for b.Loop() {
				tidy.Layout(s, nil)
			}
			b.ReportMetric(100*movementOf(s, tidied(b, placed(b, s), nil)).all, "%moved")
		})
	}
}
