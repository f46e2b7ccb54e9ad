package graph_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

// backs returns the jumps back of a scene.
func backs(s *graph.Scene) (list []string) {
	s.Edges(func(e *graph.Edge) {
		if e.Back() {
			list = append(list, e.Source().ID+":"+string(e.To))
		}
	})
	slices.Sort(list)
	return list
}

// Whether an edge is a jump back follows from the flow, not from the places, and from the form as it is.
func TestJumpsBack(t *testing.T) {
	f := graphtest.Flow(t, "$start: a", "a: b c", "b: a d", "c: d c", "d: $ending", "x: y", "y: x")
	s := graph.New(f)
	if got := backs(s); !slices.Equal(got, []string{"b:a", "c:c"}) {
		t.Errorf("got %v", got)
	}
	s.Update(graphtest.Flow(t, "$start: b", "a: b c", "b: a d", "c: d c", "d: $ending", "x: y", "y: x"))
	if got := backs(s); !slices.Equal(got, []string{"a:b", "c:c"}) {
		t.Errorf("from b: got %v", got)
	}
}

// Where two edges cross, one is interrupted: the vertical one, or the jump back. The gaps of edges that an edit does not touch follow it.
func TestGaps(t *testing.T) {
	at := func(y int) *model.Form {
		return graphtest.WithPlaces(t, graphtest.Flow(t, "$start: a", "a: b", "b: c d", "c: $ending", "d: $ending"), map[string]model.Point{
			model.StartID: {X: -400}, "a": {}, "b": {X: 400}, "c": {X: 800, Y: y}, "d": {X: 800, Y: 400 - y}, model.EndingID: {X: 1400, Y: 200},
		})
	}
	gaps := func(s *graph.Scene) (n int) {
		s.Edges(func(e *graph.Edge) {
			n += len(e.Gaps())
			if got := strings.Count(string(e.Curve.AppendPath(nil, e.Gaps())), "M"); got != 1+len(e.Gaps()) {
				t.Errorf("%s has %d parts and %d gaps", e.Port, got, len(e.Gaps()))
			}
		})
		return n
	}
	s := graph.New(at(0))
	if n := gaps(s); n != 0 {
		t.Errorf("%d gaps where nothing crosses", n)
	}
	s.Update(at(400))
	if n := gaps(s); n != 1 {
		t.Errorf("%d gaps of two edges that cross", n)
	}
	s.Update(at(0))
	if n := gaps(s); n != 0 {
		t.Errorf("%d gaps when nothing crosses again", n)
	}
}

// Each crossing has one gap, and the gaps after changes are those of the form.
func TestGapsFollowFromTheForm(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	place := func(f *model.Form) *model.Form {
		places := map[string]model.Point{model.StartID: {X: -200}, model.EndingID: {X: 3000}}
		for _, n := range f.Nodes {
			places[n.ID] = model.Point{X: rnd.IntN(3000), Y: rnd.IntN(1500)}
		}
		return graphtest.WithPlaces(t, f, places)
	}
	f := place(graphtest.Random(t, rnd, 20, 20))
	s, any := graph.New(f), 0
	for range 12 {
		want := graph.New(f)
		s.Edges(func(e *graph.Edge) {
			any += len(e.Gaps())
			if o := want.Edge(e.Source().Key, e.Port); !slices.Equal(o.Gaps(), e.Gaps()) {
				t.Fatalf("%s %s: %v after changes, %v anew", e.Source().ID, e.Port, e.Gaps(), o.Gaps())
			}
		})
		f = moved(t, f, rnd.IntN(len(f.Nodes)), model.Point{X: rnd.IntN(3000), Y: rnd.IntN(1500)})
		s.Update(f)
	}
	if any == 0 {
		t.Error("no edges cross")
	}
}
