package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
)

// choose returns some ids of a scene.
func choose(rnd *rand.Rand, s *graph.Scene) map[string]bool {
	ids := make(map[string]bool)
	for _, c := range s.Cards() {
		if rnd.IntN(2) == 0 {
			ids[c.ID] = true
		}
	}
	return ids
}

func TestAlign(t *testing.T) {
	rnd := rand.New(rand.NewPCG(19, 20))
	for i := range 300 {
		f := graphtest.Random(t, rnd, 2+rnd.IntN(12), 10)
		s := graph.New(f)
		ids, how := choose(rnd, s), graph.Alignment(i%6)
		places := graph.Align(s, ids, how)
		was, rects := graphtest.Box(s, ids)
		after := graph.New(graphtest.WithPlaces(t, f, places))
		now, moved := graphtest.Box(after, ids)
		if len(rects) < 2 {
			if len(places) > 0 {
				t.Fatal("less than two cards move")
			}
			continue
		}
		for j, r := range moved {
			got := map[graph.Alignment]float64{
				graph.AlignLeft: r.X - was.X, graph.AlignCenter: r.Center().X - was.Center().X, graph.AlignRight: r.Right() - was.Right(),
				graph.AlignTop: r.Y - was.Y, graph.AlignMiddle: r.Center().Y - was.Center().Y, graph.AlignBottom: r.Bottom() - was.Bottom(),
			}[how]
			if math.Abs(got) > .5 {
				t.Fatalf("%d: %v is %v off in %v", how, r, got, was)
			}
			if across := r.Y - rects[j].Y; how <= graph.AlignRight && across != 0 {
				t.Fatalf("%d: %v moved across by %v", how, r, across)
			}
			if across := r.X - rects[j].X; how > graph.AlignRight && across != 0 {
				t.Fatalf("%d: %v moved across by %v", how, r, across)
			}
		}
		if now.W > was.W || now.H > was.H {
			t.Fatalf("%v grew to %v", was, now)
		}
		if again := graph.Align(after, ids, how); len(again) > 0 && how != graph.AlignCenter && how != graph.AlignMiddle {
			t.Fatalf("%d: aligned cards move: %v", how, again)
		}
	}
}

func TestDistribute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	for i := range 300 {
		f := graphtest.Random(t, rnd, 2+rnd.IntN(12), 10)
		s := graph.New(f)
		ids, axis := choose(rnd, s), graph.Axis(i%2)
		places := graph.Distribute(s, ids, axis)
		was, rects := graphtest.Box(s, ids)
		after := graph.New(graphtest.WithPlaces(t, f, places))
		_, moved := graphtest.Box(after, ids)
		if len(rects) < 3 {
			if len(places) > 0 {
				t.Fatal("less than three cards move")
			}
			continue
		}
		span := func(r graph.Rect) (from, to, across float64) {
			if axis == graph.Vertical {
				return r.Y, r.Bottom(), r.X
			}
			return r.X, r.Right(), r.Y
		}
		order := make([]int, len(rects))
		for j := range order {
			order[j] = j
			_, _, a := span(rects[j])
			if _, _, b := span(moved[j]); a != b {
				t.Fatalf("%v moved across to %v", rects[j], moved[j])
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			x, y, _ := span(rects[a])
			v, w, _ := span(rects[b])
			return int(2 * (x + y - v - w))
		})
		least, most := math.Inf(1), math.Inf(-1)
		for j := 1; j < len(order); j++ {
			_, end, _ := span(moved[order[j-1]])
			begin, _, _ := span(moved[order[j]])
			least, most = min(least, begin-end), max(most, begin-end)
		}
		if most-least > 1 {
			t.Fatalf("gaps from %v to %v", least, most)
		}
		from, to, _ := span(was)
		first, _, _ := span(moved[order[0]])
		_, last, _ := span(moved[order[len(order)-1]])
		if first != from || math.Abs(last-to) > .5 {
			t.Fatalf("from %v to %v, want %v to %v", first, last, from, to)
		}
	}
}

func TestArrangeAtTheBorder(t *testing.T) {
	const m = model.MaxCoordinate
	f := graphtest.WithPlaces(t, graphtest.Flow(t, "$start: a", "a: $ending"), map[string]model.Point{
		model.StartID: {X: m, Y: m}, "a": {X: m - 100, Y: m}, model.EndingID: {X: 0, Y: 0},
	})
	s := graph.New(f)
	if got := graph.Align(s, nil, graph.AlignRight)[model.EndingID]; got != (model.Point{X: m, Y: 0}) {
		t.Errorf("aligned right: got %v", got)
	}
	// The first card would leave the bounds if its bottom were aligned with that of
	// a taller one at the border.
	f = graphtest.Form(
		t,
		fmt.Sprintf(
			`{"name":"b","start":{"coordinates":{"x":0,"y":%d}},"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":%d},
"config":{"flow_id":"f"}}]}`,
			m-7,
			m,
		),
	)
	if got := graph.Align(graph.New(f), map[string]bool{"a": true, model.StartID: true},
		graph.AlignBottom)[model.StartID]; got != (model.Point{X: 0, Y: m}) {
		t.Errorf("aligned at the bottom: got %v", got)
	}
	// The narrow card is last by its middle, but another reaches further.
	f = graphtest.Form(
		t,
		fmt.Sprintf(
			`{"ending":{"coordinates":{"x":%d,"y":0}},"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0}},
{"id":"b","type":"FLOW","coordinates":{"x":%d,"y":0}}]}`,
			m,
			m-100,
		),
	)
	got := graph.Distribute(graph.New(f), map[string]bool{"a": true, "b": true, model.EndingID: true}, graph.Horizontal)
	if p, ok := got[model.EndingID]; ok && p.X != m || got["b"].X == 0 {
		t.Errorf("distributed: got %v", got)
	}
}
