package graph_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// cardsAt returns cards that are only their places.
func cardsAt(list ...graph.Rect) []*graph.Card {
	cards := make([]*graph.Card, len(list))
	for i, r := range list {
		cards[i] = &graph.Card{Rect: r}
	}
	return cards
}

// onScreen returns the place of a part of the form on the canvas.
func onScreen(v graph.Viewport, r graph.Rect) graph.Rect {
	return graph.RectOf(v.ToScreen(r.Origin()), v.ToScreen(graph.Vec{X: r.Right(), Y: r.Bottom()}))
}

// pane is a canvas between both panels in a window of 1440 by 900 pixels.
var pane = graph.Pane{
	Size: graph.Vec{X: 860, Y: 852},
	Tabs: graph.Rect{X: 16, Y: 10, W: 298, H: 32},
	Map:  graph.Rect{X: 662, Y: 726, W: 182, H: 110},
}

// What is brought into view is clear of the tabs, with its id, of the buttons and of a panel, and at a margin from the border.
func TestInside(t *testing.T) {
	low := graph.Vec{X: 390, Y: 700}
	for _, tt := range []struct {
		name string
		p    graph.Pane
		want graph.Rect
	}{
		{"only buttons", graph.Pane{Size: low}, graph.Rect{X: 48, Y: 48, W: 294, H: 572}},
		{"tabs", graph.Pane{Size: low, Tabs: graph.Rect{Y: 10, W: 280, H: 50}}, graph.Rect{X: 48, Y: 80, W: 294, H: 540}},
		{"a panel", graph.Pane{Size: low, Sheet: 350}, graph.Rect{X: 48, Y: 48, W: 294, H: 254}},
		{"no room", graph.Pane{Size: low, Tabs: graph.Rect{Y: 10, W: 280, H: 50}, Sheet: 650}, graph.Rect{X: 48, Y: 80, W: 294, H: 48}},
	} {
		if got := tt.p.Inside(48); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// A form opens as a whole if its cards then show more than their names, else with its first card 20 pixels from the left in the upper third.
func TestBeginAndFitReadable(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		p := graph.Pane{Size: graph.Vec{X: 300 + 1500*rnd.Float64(), Y: 300 + 900*rnd.Float64()}}
		bounds := graph.Rect{X: 4000*rnd.Float64() - 2000, Y: 4000*rnd.Float64() - 2000, W: 5000 * rnd.Float64(), H: 3000 * rnd.Float64()}
		first := graph.Rect{X: bounds.X, Y: bounds.Y + bounds.H*rnd.Float64(), W: 96, H: 40}
		v := p.Begin(first, graph.Rect{}, cardsAt(first), 1)
		if at := v.ToScreen(first.Origin()); math.Abs(at.X-20) > 1e-6 || v.ToScreen(first.Center()).Y > p.Size.Y/3 || at.Y < 0 || v.Zoom != 1 {
			t.Fatalf("on %v the form begins at %v, zoom %v", p.Size, at, v.Zoom)
		}
		v = p.FitReadable(bounds, first, graph.Rect{}, cardsAt(first, bounds), 40)
		switch fit := graph.Fit(bounds, p.Inside(40), 1); {
		case fit.Zoom >= graph.NameZoom:
			if v != fit {
				t.Fatalf("got %v, want %v", v, fit)
			}
		case v != p.Begin(first, graph.Rect{}, cardsAt(first, bounds), graph.ReadableZoom):
			t.Fatalf("on %v %v is fitted at %v", p.Size, bounds, v)
		}
	}
}

// A form is fitted beside the minimap if its cards show more than their names there.
func TestFitReadableBesideTheMinimap(t *testing.T) {
	first := graph.Rect{W: 96, H: 40}
	for _, tt := range []struct {
		name string
		last graph.Rect
		want float64
	}{
		{"small", graph.Rect{X: 100, W: 100, H: 100}, 1},
		{"clear of it", graph.Rect{X: 900, Y: 0, W: 600, H: 300}, .52},
		{"under it", graph.Rect{X: 1160, Y: 980, W: 100, H: 100}, .5778},
		{"too large beside it", graph.Rect{X: 1340, Y: 1160, W: 220, H: 240}, graph.ReadableZoom},
	} {
		v := pane.FitReadable(first.Union(tt.last), first, graph.Rect{}, cardsAt(first, tt.last), 40)
		if math.Abs(v.Zoom-tt.want) > 1e-3 {
			t.Errorf("%s: zoom %v, want %v", tt.name, v.Zoom, tt.want)
		}
		if at := onScreen(v, tt.last); tt.want < graph.ReadableZoom && at.Overlaps(pane.Map) {
			t.Errorf("%s: at %v", tt.name, at)
		}
	}
}

// The target of the start is fully in view, or as much of it as there is room for while the start is in view, above the buttons.
func TestBeginShowsTheNextCard(t *testing.T) {
	first := graph.Rect{W: 96, H: 40}
	for _, tt := range []struct {
		name     string
		next     graph.Rect
		from, to float64 // of next on the screen, whose height is 800
		start    float64
	}{
		{"level", graph.Rect{X: 240, W: 280, H: 200}, 204, 404, 204},
		{"far above", graph.Rect{X: 240, Y: -400, W: 280, H: 200}, 20, 220, 420},
		{"a little below the middle", graph.Rect{X: 240, Y: 480, W: 280, H: 200}, 520, 720, 40},
		{"too far above", graph.Rect{X: 240, Y: -900, W: 280, H: 200}, -220, -20, 680},
		{"too far below", graph.Rect{X: 240, Y: 1500, W: 280, H: 200}, 1520, 1720, 20},
	} {
		v := graph.Pane{Size: graph.Vec{X: 900, Y: 800}}.Begin(first, tt.next, cardsAt(first, tt.next), 1)
		a, b := v.ToScreen(tt.next.Origin()).Y, v.ToScreen(graph.Vec{Y: tt.next.Bottom()}).Y
		if start := v.ToScreen(first.Origin()).Y; a != tt.from || b != tt.to || start != tt.start || v.ToScreen(first.Origin()).X != 20 {
			t.Errorf("%s: next from %v to %v, want %v to %v; start at %v, want %v", tt.name, a, b, tt.from, tt.to, start, tt.start)
		}
	}
}

// No card in view lies under the tabs, or beside them above their lower side, as far as the start and the name of the next card stay above
// the buttons. A card that is not in view moves nothing.
func TestBeginClearOfTheTabs(t *testing.T) {
	const start, least = 219, 62 // where the start is if nothing moves it, and the highest place of a card
	first := graph.Rect{W: 96, H: 40}
	next := graph.Rect{X: 240, W: 280, H: 100}
	at := func(x, y float64) graph.Rect { return graph.Rect{X: x, Y: y - start, W: 280, H: 100} } // on the screen, moved by nothing
	stack := func(x float64) (list []graph.Rect) {
		for y := range 20 {
			list = append(list, at(x, -1500+float64(y)*140))
		}
		return list
	}
	for _, tt := range []struct {
		name  string
		cards []graph.Rect
		by    float64
	}{
		{"nothing near", []graph.Rect{at(240, 600)}, 0},
		{"clear", []graph.Rect{at(240, least)}, 0},
		{"under them", []graph.Rect{at(200, 20)}, least - 20},
		{"beside them", []graph.Rect{at(500, 20)}, least - 20},
		{"cut off at the top", []graph.Rect{at(200, -90)}, least + 90},
		{"above the canvas", []graph.Rect{at(200, -110)}, 0},
		{"to the right of the canvas", []graph.Rect{at(860, 20)}, 0},
		{"comes into view", []graph.Rect{at(200, 20), at(500, -110)}, least + 110},
		{"a stack beside them", stack(500), 0},
		{"a stack beside them, and one under them", append(stack(500), at(200, 20)), least - 20},
		{"a stack under them", stack(200), 0},
	} {
		v := pane.Begin(first, next, cardsAt(append(tt.cards, first, next)...), 1)
		if got := v.ToScreen(first.Origin()); got != (graph.Vec{X: 20, Y: start + tt.by}) || v.Zoom != 1 {
			t.Errorf("%s: the start is at %v, want %v below %v", tt.name, got, tt.by, start)
		}
	}

	// The start, and the name of the card after it, are not moved under the buttons.
	low := graph.Rect{X: 240, Y: 450, W: 280, H: 100}
	v := pane.Begin(first, low, cardsAt(first, low, at(200, -70)), 1)
	if got := v.ToScreen(low.Origin()).Y; got+graph.HeaderHeight > pane.Inside(20).Bottom() {
		t.Errorf("the name of the card after the start is at %v", got)
	}
	flat := graph.Pane{Size: graph.Vec{X: 860, Y: 240}, Tabs: pane.Tabs}
	for _, y := range []float64{-100, -60, -20} {
		v := flat.Begin(first, graph.Rect{}, cardsAt(first, graph.Rect{X: 100, Y: y, W: 280, H: 90}), 1)
		if got := onScreen(v, first); got.Y < least || got.Bottom() > flat.Size.Y-60 {
			t.Errorf("on a low canvas with a card at %v the start is at %v", y, got)
		}
	}
}

// A selection too large to be readable is shown from its upper left corner.
func TestFitReadableShowsTheCorner(t *testing.T) {
	r := graph.Rect{X: 100, Y: 200, W: 3000, H: 5000}
	if got := pane.FitReadable(r, r, graph.Rect{}, nil, 40).ToScreen(r.Origin()); got.Sub(graph.Vec{X: 20, Y: 62}).Len() > 1e-6 {
		t.Errorf("the corner is at %v", got)
	}
}

// A form that fits the view is clear of the tabs and the buttons. It leaves the corner free that the minimap covers, but is not smaller than it
// has to be.
func TestFitBesideTheMinimap(t *testing.T) {
	in := pane.Inside(40)
	for _, tt := range []struct {
		name  string
		cards []graph.Rect
		want  graph.Rect // the part of the canvas
	}{
		{"nothing there", []graph.Rect{{W: 280, H: 100}, {X: 3000, Y: 1000, W: 280, H: 100}, {Y: 2000, W: 280, H: 100}}, in},
		{
			"high",
			[]graph.Rect{{W: 280, H: 100}, {X: 1500, Y: 2400, W: 600, H: 100}},
			graph.Rect{X: in.X, Y: in.Y, W: pane.Map.X - 40 - in.X, H: in.H},
		},
		{
			"wide",
			[]graph.Rect{{W: 280, H: 100}, {X: 3000, Y: 2900, W: 600, H: 400}},
			graph.Rect{X: in.X, Y: in.Y, W: in.W, H: pane.Map.Y - 40 - in.Y},
		},
		{
			"very high, at the lowest zoom",
			[]graph.Rect{{W: 280, H: 100}, {X: 9000, Y: 13900, W: 2000, H: 400}},
			graph.Rect{X: in.X, Y: in.Y, W: pane.Map.X - 40 - in.X, H: in.H},
		},
	} {
		all := graph.Rect{}
		for _, c := range tt.cards {
			all = all.Union(c)
		}
		want := graph.Fit(all, tt.want, 1)
		if got := pane.FitBeside(all, in, tt.cards); got != want {
			t.Errorf("%s: got %v, want %v", tt.name, got, want)
		}
		bare := pane
		bare.Map = graph.Rect{}
		if got := bare.FitBeside(all, in, tt.cards); got != graph.Fit(all, in, 1) {
			t.Errorf("%s: got %v without a minimap", tt.name, got)
		}
		for _, c := range tt.cards {
			if at := onScreen(want, c); at.Overlaps(pane.Map) || at.Y < pane.Tabs.Bottom() || at.Bottom() > pane.Size.Y-60 {
				t.Errorf("%s: a card is at %v", tt.name, at)
			}
		}
	}
}

// A panel that opens at the bottom leaves what is selected in view, or else what was in view; nothing moves down.
func TestUncover(t *testing.T) {
	p := graph.Pane{Size: graph.Vec{X: 390, Y: 800}, Tabs: graph.Rect{X: 16, Y: 10, W: 280, H: 48}, Sheet: 400}
	at := func(y, h float64) graph.Rect { return graph.Rect{X: 20, Y: y, W: 280, H: h} }
	for _, tt := range []struct {
		name     string
		selected graph.Rect
		cards    []graph.Rect
		by       float64
	}{
		{"nothing in view", graph.Rect{}, []graph.Rect{at(900, 100)}, 0},
		{"clear of it", graph.Rect{}, []graph.Rect{at(100, 200)}, 0},
		{"under it", graph.Rect{}, []graph.Rect{at(300, 100), at(500, 100)}, -220},
		{"the selected one", at(300, 100), []graph.Rect{at(300, 100), at(500, 100)}, -20},
		{"a selected one out of view", at(-900, 100), []graph.Rect{at(400, 100)}, -120},
		{"too high", graph.Rect{}, []graph.Rect{at(200, 500)}, -122},
		{"all over", graph.Rect{}, []graph.Rect{at(-100, 2000)}, 0},
	} {
		v := graph.Viewport{Zoom: 1}
		if got := p.Uncover(v, tt.selected, cardsAt(tt.cards...), 20); got != v.Panned(graph.Vec{Y: tt.by}) {
			t.Errorf("%s: moved by %v, want %v", tt.name, got.Y, tt.by)
		}
	}
}
