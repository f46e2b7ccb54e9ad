package canvas

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/graph"
)

var longNames = []string{"Your company", "Contact", "Terms of service and privacy", "A particularly long name of a step", "Address of the owner", "Who else owns a part of the company"}

// farSigns gives every third card of a scene a sign of each kind.
func farSigns(s *graph.Scene) map[*graph.Card]sign {
	signs := map[*graph.Card]sign{}
	for i, c := range s.Cards() {
		if i%3 == 2 {
			m := marksOf(Marks{
				Threads: Threads{Nodes: map[string]int{c.ID: 2}}, People: map[string]Visitors{c.ID: {Names: "Anna"}},
				Compared: &Compared{Cards: map[string]*Difference{c.Key: {Tag: "~ Changed"}}},
			})
			signs[c] = signOf(c, trouble{count: i % 2, warnings: 1}, m)
		}
	}
	return signs
}

// No name covers a mark or a tag, and none is cut to a few characters.
func TestNamesLeaveRoomForSigns(t *testing.T) {
	s := grid(t, 200, func(i int) string { return longNames[i%len(longNames)] })
	signs := farSigns(s)
	if len(signs) < 60 {
		t.Fatalf("%d signs", len(signs))
	}
	for _, zoom := range []float64{.12, .18, .25, .3, .38, .44} {
		names := pickNames(s, nameOrder(s.Cards()), signs, s.Bounds(), zoom)
		for _, n := range names {
			for c, sign := range signs {
				for _, b := range sign.appendBoxes(nil, c, zoom) {
					if b.Overlaps(n.box(zoom)) {
						t.Fatalf("at %v %q covers a sign of %q: %+v", zoom, n.text, c.ID, sign)
					}
				}
			}
			if strings.HasSuffix(n.text, "…") && utf8.RuneCountInString(n.text) <= leastCut {
				if lines := slices.DeleteFunc(slices.Clone(names), func(o name) bool { return o.card != n.card }); len(lines) < 2 {
					t.Errorf("at %v a card is named %q", zoom, n.text)
				}
			}
		}
	}
}

// Marks stand where the style sheet puts them.
func TestPlacesOfSigns(t *testing.T) {
	s := grid(t, 1, func(int) string { return "One" })
	c := s.Card("n0")
	none := sign{}
	if got := signOf(c, trouble{}, nil); got != none || got.any() || got.inset() != 0 {
		t.Errorf("an unmarked card has %+v", got)
	}
	got := signOf(c, trouble{warnings: 1}, marksOf(Marks{Threads: Threads{Nodes: map[string]int{"n0": 3}}}))
	if b := got.appendBoxes(nil, c, .3); len(b) != 1 || b[0].W != signStep+signWidth("3") || b[0].Right() != c.Rect.Right()*.3+signOut || b[0].Y != c.Rect.Y*.3-signUp {
		t.Errorf("a warning and comments are at %v", b)
	}
	if n := len((sign{people: "Anna", tag: "+ Added"}).appendBoxes(nil, c, .3)); n != 2 {
		t.Errorf("%d tags", n)
	}
}

// The order of the nodes in the form does not matter for the names.
func TestNamesDoNotDependOnTheOrder(t *testing.T) {
	draw := func(backwards bool) (lines []string) {
		var nodes []string
		for i := range 60 {
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","alias":%q,"coordinates":{"x":%d,"y":%d},"config":{"components":[]}}`, i,
				longNames[i%len(longNames)], i%8*290, i/8*200))
		}
		if backwards {
			slices.Reverse(nodes)
		}
		s := scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":-300,"y":400}},"nodes":[`+strings.Join(nodes, ",")+`]}`)
		for _, n := range pickNames(s, nameOrder(s.Cards()), nil, s.Bounds(), .25) {
			lines = append(lines, fmt.Sprint(n.card.ID, n.at, n.by, n.text))
		}
		return lines
	}
	if a, b := draw(false), draw(true); len(a) < 20 || !slices.Equal(a, b) {
		t.Errorf("names are\n%v\nbackwards\n%v", a, b)
	}
}

// Named in full, a card keeps the other names in their places, except those that it covers.
func TestNamesInFull(t *testing.T) {
	s := grid(t, 200, func(i int) string { return longNames[i%len(longNames)] })
	for _, zoom := range []float64{.1, .2, .3, .44} {
		names := pickNames(s, nameOrder(s.Cards()), nil, s.Bounds(), zoom)
		for _, c := range s.Cards() {
			all := withFull(s, []*graph.Card{c}, nil, zoom, names)
			var text []string
			for _, n := range all {
				if n.card == c {
					text = append(text, n.text)
				} else if !slices.Contains(names, n) {
					t.Fatalf("at %v %q has moved", zoom, n.text)
				}
				for _, o := range all {
					if o != n && (o.card == c) != (n.card == c) && o.box(zoom).Overlaps(n.box(zoom)) {
						t.Fatalf("at %v %q overlaps %q", zoom, n.text, o.text)
					}
				}
			}
			if got := strings.Join(text, " "); got != c.Title {
				t.Fatalf("at %v %q is named %q", zoom, c.Title, got)
			}
		}
	}
}

// A view that is fitted to a form has room for the names at its sides, and no more than they need.
func TestFitLeavesRoomForNames(t *testing.T) {
	s := scene(t, `{"start":{"coordinates":{"x":0,"y":0}},"ending":{"coordinates":{"x":0,"y":2000}},"nodes":[
		{"id":"a","type":"STEP","alias":"Who else owns a part of it","coordinates":{"x":3000,"y":1000},"config":{"components":[]}}]}`)
	p, all := graph.Pane{Size: graph.Vec{X: 600, Y: 700}}, s.Bounds()
	in := p.Inside(40)
	was := graph.Fit(all, in, 1)
	right := func(v graph.Viewport) (x float64) {
		for _, n := range pickNames(s, nameOrder(s.Cards()), nil, all, v.Zoom) {
			x = max(x, n.box(v.Zoom).Right()+v.X)
		}
		return x
	}
	if right(was) < p.Size.X {
		t.Fatalf("the name ends at %v without room for it", right(was))
	}
	now := fitNamed(s, nil, all, p, 40)
	if x := right(now); x > p.Size.X || x < p.Size.X-60 || now.Zoom < was.Zoom*.6 {
		t.Errorf("the name ends at %v of %v, the zoom is %v after %v", x, p.Size.X, now.Zoom, was.Zoom)
	}
	if got := besideNames(all, namesOf(s, nil, all, was.Zoom), in, in.Grown(1000), was.Zoom); got != in {
		t.Errorf("with room on all sides %v becomes %v", in, got)
	}
}

// The names above the highest cards of a form that fits the view are below the tabs, those below the lowest above the buttons, and none is below
// the minimap.
func TestFitKeepsNamesClearOfTheTabs(t *testing.T) {
	p := graph.Pane{Size: graph.Vec{X: 1600, Y: 710}, Tabs: graph.Rect{X: 16, Y: 10, W: 298, H: 32}, Map: graph.Rect{X: 940, Y: 590, W: 182, H: 110}}
	for _, rows := range []int{8, 11, 20} {
		var nodes []string
		for i := range 3 * rows {
			nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","alias":"Who else owns a part","coordinates":{"x":%d,"y":%d},"config":{"components":[]}}`,
				i, i/rows*420, i%rows*240))
		}
		s := scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":-300,"y":400}},"nodes":[`+strings.Join(nodes, ",")+`]}`)
		signs := farSigns(s)
		v := fitNamed(s, signs, s.Bounds(), p, 40)
		top, bottom := math.Inf(1), 0.0
		for _, n := range pickNames(s, nameOrder(s.Cards()), signs, s.Bounds(), v.Zoom) {
			b := n.box(v.Zoom)
			top, bottom = min(top, b.Y+v.Y), max(bottom, b.Bottom()+v.Y)
			if at := (graph.Rect{X: b.X + v.X, Y: b.Y + v.Y, W: b.W, H: b.H}); at.Overlaps(p.Map) {
				t.Errorf("%d cards below each other: %q is below the minimap, at %v", rows, n.text, at)
			}
		}
		if top < p.Tabs.Bottom() || top > p.Tabs.Bottom()+30 || bottom > p.Size.Y-60 || v.Zoom >= graph.NameZoom {
			t.Errorf("%d cards below each other: names from %v to %v, the zoom is %v", rows, top, bottom, v.Zoom)
		}
	}
}
