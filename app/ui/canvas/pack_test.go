package canvas

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Each kind has its own colour, and an unknown kind has a different one.
func TestPackedKinds(t *testing.T) {
	for i, k := range []graph.Kind{graph.StepKind, graph.FlowKind, graph.RouterKind, graph.StartKind, graph.EndingKind, "LOOP"} {
		if got := packedKind(k); got != i {
			t.Errorf("%s: got %d, want %d", k, got, i)
		}
	}
}

func TestPackedFlags(t *testing.T) {
	s := scene(t, source)
	edges := func(id string) string {
		p := packScene(s, pick(editor.Selection{Nodes: []string{id}}), nil)
		p.find()
		all := floatsOf(p.edges)
		var found []string
		for e, i := range p.edgeAt {
			if int(all[i*edgeFloats])&packedHot != 0 {
				found = append(found, e.Source().ID+":"+string(e.Port))
			}
			if dangling := int(all[i*edgeFloats])&packedDangling != 0; dangling != e.Dangling() {
				t.Errorf("%s:%s: dangling %v", e.Source().ID, e.Port, dangling)
			}
		}
		slices.Sort(found)
		return strings.Join(found, " ")
	}
	for id, want := range map[string]string{
		"": "", "a": "$start:next a:jump:c2 a:next r:fallback", "r": "a:next r:fallback r:rule:one r:rule:two", "f": "r:rule:one",
		model.EndingID: "a:jump:c2",
	} {
		if got := edges(id); got != want {
			t.Errorf("%q selected: got %s, want %s", id, got, want)
		}
	}
	// While the coverage is shown, edges that no scenario takes stand out.
	covered := pick(editor.Selection{})
	covered.marks = marksOf(Marks{Taken: map[string]int{"a:next": 1}})
	p := packScene(s, covered, nil)
	p.find()
	for e, i := range p.edgeAt {
		want := e.Dangling() || edgeName(e) != "a:next"
		if got := int(floatsOf(p.edges)[i*edgeFloats])&packedDangling != 0; got != want {
			t.Errorf("%s: stands out %v", edgeName(e), got)
		}
	}
	// The minimap shows problems but no selection.
	cards := floatsOf(packCards(s, map[string]trouble{"f": {count: 1}}))
	for i, c := range s.Cards() {
		if got, bad := int(cards[i*cardFloats+4]), c.ID == "f"; (got&packedBad != 0) != bad || got&packedSelected != 0 {
			t.Errorf("%s: flags %b", c.ID, got)
		}
	}
}

// Moved items are emphasized; items that were not packed move nothing.
func TestPackedMoves(t *testing.T) {
	s, other := scene(t, source), scene(t, source)
	p := packScene(s, picked{}, nil)
	cards, edges := bytes.Clone(p.cards), bytes.Clone(p.edges)
	by := graph.Vec{X: 10, Y: 20}
	e := other.Edge("r", "rule:one")
	p.moveCard(other.Card("r"), by)
	p.moveEdge(e, e.Moved(by, by))
	if !bytes.Equal(p.cards, cards) || !bytes.Equal(p.edges, edges) {
		t.Error("a missing card or edge was moved")
	}
	e = s.Edge("r", "rule:one")
	i := p.edgeAt[e] * edgeFloats
	if got := int(floatsOf(p.edges)[i]); got&packedHot != 0 {
		t.Fatalf("before: flags %b", got)
	}
	p.moveEdge(e, e.Moved(by, by))
	if got := floatsOf(p.edges); int(got[i])&packedHot == 0 || got[i+1] != e.Curve.P[0].X+10 || got[i+2] != e.Curve.P[0].Y+20 {
		t.Errorf("after: flags %b at %v, %v", int(got[i]), got[i+1], got[i+2])
	}
}

// The form is in the middle of the minimap, surrounded by space, and is never
// enlarged.
func TestFitSmallInTheMiddle(t *testing.T) {
	for _, b := range []graph.Rect{{X: 500, Y: -70, W: 1e6, H: 10}, {X: -5e5, W: 10, H: 1e6}, {X: 40, Y: 30, W: 300, H: 200}} {
		v := fitSmall(b)
		c := v.ToScreen(b.Center())
		if math.Abs(c.X-miniWidth/2) > 1e-6 || math.Abs(c.Y-miniHeight/2) > 1e-6 {
			t.Errorf("%v: the middle is at %v", b, c)
		}
		lo, hi := v.ToScreen(b.Origin()), v.ToScreen(graph.Vec{X: b.Right(), Y: b.Bottom()})
		const pad = miniPadding - 1e-6
		if lo.X < pad || lo.Y < pad || hi.X > miniWidth-pad || hi.Y > miniHeight-pad {
			t.Errorf("%v: shown from %v to %v", b, lo, hi)
		}
		fills := math.Abs(lo.X-miniPadding) < 1e-6 || math.Abs(lo.Y-miniPadding) < 1e-6
		if fills == (v.Zoom == maxMiniZoom) {
			t.Errorf("%v: zoom %v, shown from %v to %v", b, v.Zoom, lo, hi)
		}
	}
}

// The frame on the minimap stays inside it, and there is none around a whole form.
func TestMiniFrame(t *testing.T) {
	bounds := graph.Rect{W: 3000, H: 500}
	view := fitSmall(bounds)
	for _, tt := range []struct {
		name    string
		visible graph.Rect
		framed  bool
	}{
		{"all", graph.Rect{X: -100, Y: -2000, W: 3200, H: 5000}, false},
		{"the beginning", graph.Rect{X: -200, Y: -200, W: 1000, H: 900}, true},
		{"higher than the map", graph.Rect{X: 500, Y: -5000, W: 1000, H: 9000}, true},
		{"wider than the map", graph.Rect{X: -500, Y: 100, W: 9000, H: 100}, true},
		{"elsewhere", graph.Rect{X: 9000, Y: 100, W: 1000, H: 900}, false},
	} {
		r, ok := miniFrame(view, tt.visible, bounds)
		if ok != tt.framed {
			t.Errorf("%s: framed %v", tt.name, ok)
		}
		if ok && (r.X < 0 || r.Y < 0 || r.Right() > miniWidth || r.Bottom() > miniHeight || r.W <= 0 || r.H <= 0) {
			t.Errorf("%s: %v", tt.name, r)
		}
	}
	// What does not reach the border is exact.
	if r, _ := miniFrame(view, graph.Rect{X: 500, Y: 100, W: 1000, H: 300}, bounds); math.Abs(r.X-view.ToScreen(graph.Vec{X: 500}).X) > 1e-6 || math.Abs(r.W-1000*view.Zoom) > 1e-6 {
		t.Errorf("inside: %v", r)
	}
}

// Ids of parts can repeat: rules in two routers, and parts without an id.
func TestPickedRow(t *testing.T) {
	s := scene(t, `{"nodes":[
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one","condition":1},{"id":"two","condition":1}]}},
		{"id":"q","type":"ROUTER","config":{"rules":[{"id":"one","condition":1}]}},
		{"id":"s","type":"STEP","config":{"components":[{"type":"TEXT"},{"id":"one","type":"TEXT"}]}}]}`)
	for name, tt := range map[string]struct {
		sel  editor.Selection
		card string
		want int
	}{
		"its router":                     {editor.Selection{Nodes: []string{"r"}, Rule: "two"}, "r", 1},
		"another router":                 {editor.Selection{Nodes: []string{"r"}, Rule: "one"}, "q", -1},
		"a rule of that id":              {editor.Selection{Nodes: []string{"q"}, Component: "one"}, "q", -1},
		"a deleted rule":                 {editor.Selection{Nodes: []string{"r"}, Rule: "gone"}, "r", -1},
		"a step, one part has no id":     {editor.SelectNodes("s"), "s", -1},
		"a component beside one without": {editor.Selection{Nodes: []string{"s"}, Component: "one"}, "s", 1},
	} {
		if got := pick(tt.sel).row(s.Card(tt.card)); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
	if got := pick(editor.SelectNodes("r", "s", "q")).active(); got != "q" {
		t.Errorf("the keyboard is at %q, want the last", got)
	}
}

func TestPickedHot(t *testing.T) {
	s := scene(t, source)
	for name, tt := range map[string]struct {
		sel   editor.Selection
		hover graph.Hit
		want  string
	}{
		"nothing":         {editor.Selection{}, graph.Hit{}, ""},
		"selected":        {editor.SelectNodes("r"), graph.Hit{}, "a:next r:fallback r:rule:one r:rule:two"},
		"pointed at":      {editor.Selection{}, graph.Hit{Card: s.Card("a")}, "$start:next a:jump:c2 a:next r:fallback"},
		"a selected edge": {editor.Selection{Edge: &editor.EdgeRef{From: "r", Port: "rule:two"}}, graph.Hit{}, "r:rule:two"},
	} {
		var got []string
		s.Edges(func(e *graph.Edge) {
			if pick(tt.sel).hot(e, tt.hover) {
				got = append(got, e.Source().ID+":"+string(e.Port))
			}
		})
		if slices.Sort(got); strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %v, want %s", name, got, tt.want)
		}
	}
}

// A small graph that fits into the view needs no map.
func TestWhenTheMinimapHelps(t *testing.T) {
	view := graph.Rect{W: 1000, H: 600}
	for _, tt := range []struct {
		cards int
		w, h  float64
		want  bool
	}{{14, 1000, 600, false}, {15, 1000, 600, true}, {4, 1001, 600, true}, {4, 1000, 601, true}} {
		if got := needsMinimap(tt.cards, graph.Rect{X: -50, W: tt.w, H: tt.h}, view); got != tt.want {
			t.Errorf("%d cards of %v x %v: %t", tt.cards, tt.w, tt.h, got)
		}
	}
}

// The far layer gets a title for each packed card, each on one line.
func TestTitlesOfPackedCards(t *testing.T) {
	s := scene(t, `{"name":"x","nodes":[{"id":"a","type":"STEP","alias":"Two\nlines"},{"id":"b","type":"FLOW","alias":"Other"}]}`)
	p := packScene(s, picked{}, nil)
	if got := strings.Split(titlesOf(p.cardList), "\n"); !slices.Equal(got, []string{"Start", "Ending", "Two lines", "Other"}) || len(got)*4*cardFloats != len(p.cards) {
		t.Errorf("the titles are %q", got)
	}
}
