package graph_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/app/graph/tidy"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/sizetest"
)

// overlaps returns the pairs of cards that overlap.
func overlaps(s *graph.Scene) map[[2]string]bool {
	pairs := map[[2]string]bool{}
	for _, c := range s.Cards() {
		for _, o := range s.CardsIn(graph.Rect{X: c.Rect.X + .5, Y: c.Rect.Y + .5, W: c.Rect.W - 1, H: c.Rect.H - 1}, nil) {
			if o != c {
				pairs[[2]string{c.Key, o.Key}] = true
			}
		}
	}
	return pairs
}

// withMoved returns the scene of a form with some cards at new places. Cards that the form does not place stay where they are drawn.
func withMoved(t *testing.T, f *model.Form, s *graph.Scene, moved map[string]model.Point) *graph.Scene {
	t.Helper()
	places := map[string]model.Point{}
	for _, c := range s.Cards() {
		places[c.Key] = c.Rect.Origin().Point()
	}
	maps.Copy(places, moved)
	return graph.New(graphtest.WithPlaces(t, f, places))
}

// A new card on any way out covers no card, no cards overlap that did not before, and what was at the right of the new card still
// is.
func TestRoomCoversNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	for range 300 {
		f := graphtest.Random(t, rnd, 1+rnd.IntN(14), 5)
		if rnd.IntN(2) == 0 {
			f = graphtest.WithPlaces(t, f, tidy.Layout(graph.New(f), nil))
		}
		s := graph.New(f)
		for _, c := range s.Cards() {
			for i := range c.Outs {
				checkRoom(t, f, s, c, i)
			}
		}
	}
}

// The same holds for a card that is dropped anywhere on an edge, also on one that leads back.
func TestRoomForACardOnAnEdge(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 34))
	back := 0
	for range sizetest.Of(0, 200, 5000) {
		f := graphtest.Random(t, rnd, 2+rnd.IntN(12), 5)
		if rnd.IntN(2) == 0 {
			f = graphtest.WithPlaces(t, f, tidy.Layout(graph.New(f), nil))
		}
		s := graph.New(f)
		self := s.Cards()[2+rnd.IntN(len(f.Nodes))]
		before := overlaps(s)
		for _, source := range s.Cards() {
			for _, e := range source.Edges() {
				if e == nil || e.Target() == nil || source == self || e.Target() == self {
					continue
				}
				if e.Target().Rect.X < source.Rect.Right() {
					back++
				}
				mid := e.Curve.At(.5).Point()
				r := graph.Rect{
					X: float64(mid.X+rnd.IntN(400)-200) - self.Rect.W/2,
					Y: float64(mid.Y+rnd.IntN(200)-100) - self.Rect.H/2,
					W: self.Rect.W,
					H: self.Rect.H,
				}
				at, moved := s.RoomFor(r, self, source, e.Target())
				moved[self.Key] = at
				for pair := range overlaps(withMoved(t, f, s, moved)) {
					if !before[pair] {
						t.Fatalf("%s at %v on the edge from %s to %s: %v overlap; moved %v", self.ID, at, source.ID, e.Target().ID, pair, moved)
					}
				}
			}
		}
	}
	if back < 100 {
		t.Errorf("%d edges lead back", back)
	}
}

func checkRoom(t *testing.T, f *model.Form, s *graph.Scene, c *graph.Card, i int) {
	t.Helper()
	before := overlaps(s)
	at, moved := s.RoomAfter(c, i)
	for k, p := range moved {
		if was := s.Card(k).Rect; p.Y != was.Origin().Point().Y || p.X <= was.Origin().Point().X {
			t.Fatalf("%s moved from %v to %v", k, was, p)
		}
	}
	after := withMoved(t, f, s, moved)
	for pair := range overlaps(after) {
		if !before[pair] {
			t.Fatalf(
				"after %s:%s at %v: %s %v and %s %v overlap",
				c.ID,
				c.Outs[i].Port,
				at,
				pair[0],
				after.Card(pair[0]).Rect,
				pair[1],
				after.Card(pair[1]).Rect,
			)
		}
	}
	r := graph.Rect{X: float64(at.X), Y: float64(at.Y), W: graph.CardWidth, H: graph.NewCardHeight}
	if found := after.CardsIn(r.Grown(1), nil); len(found) > 0 {
		t.Fatalf("the card after %s:%s at %v covers %s at %v", c.ID, c.Outs[i].Port, r, found[0].ID, found[0].Rect)
	}
	if e := c.Edges()[i]; e != nil && e.Target() != nil && e.Target().Rect.X >= c.Rect.Right() {
		if to := after.Card(e.Target().Key).Rect; r.X < c.Rect.Right() || to.X < r.Right() {
			t.Fatalf("%s:%s: from %v over %v to %v", c.ID, c.Outs[i].Port, c.Rect, r, to)
		}
	}
}

func TestRoomPlaces(t *testing.T) {
	form := func(extra string) *graph.Scene {
		return graph.New(
			graphtest.Form(t, `{"start":{"next_node":"a","coordinates":{"x":0,"y":0}},"ending":{"coordinates":{"x":900,"y":0}},"nodes":[
		{"id":"a","type":"FLOW","coordinates":{"x":180,"y":0},"config":{"flow_id":"f","next_node":"b"}},
		{"id":"b","type":"ROUTER","coordinates":{"x":540,"y":0},"config":{"rules":[{"id":"r","condition":1}],"fallback":"$ending"}}`+extra+`]}`),
		)
	}
	for _, tt := range []struct {
		name, from string
		port       model.Port
		extra      string
		at         model.Point
		moved      map[string]model.Point
	}{
		{"between cards that stand close", "a", "next", "", model.Point{X: 540}, map[string]model.Point{"b": {X: 900}, "$ending": {X: 1260}}},
		{"from the start", "$start", "next", "", model.Point{X: 176}, map[string]model.Point{"a": {X: 540}, "b": {X: 900}, "$ending": {X: 1260}}},
		{
			"of a free rule, below what it joins again", "b", "rule:r", "",
			model.Point{X: 980, Y: 80},
			map[string]model.Point{"$ending": {X: 1340}},
		},
		{
			"beside what stands far off", "a", "next",
			`,{"id":"z","type":"FLOW","coordinates":{"x":3000,"y":0}},{"id":"y","type":"FLOW","coordinates":{"x":540,"y":900}}`,
			model.Point{X: 540},
			map[string]model.Point{"b": {X: 900}, "$ending": {X: 1260}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := form(tt.extra)
			c := s.Card(tt.from)
			at, moved := s.RoomAfter(c, c.Out(tt.port))
			if at != tt.at {
				t.Errorf("at %v, want %v", at, tt.at)
			}
			if len(moved) != len(tt.moved) {
				t.Errorf("moved %v, want %v", moved, tt.moved)
			}
			for k, p := range tt.moved {
				if moved[k] != p {
					t.Errorf("moved %v, want %v", moved, tt.moved)
				}
			}
		})
	}
}
