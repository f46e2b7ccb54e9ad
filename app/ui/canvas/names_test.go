package canvas

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

// grid returns a scene of n steps in a square.
func grid(t *testing.T, n int, alias func(i int) string) *graph.Scene {
	t.Helper()
	var nodes []string
	for i := range n {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","alias":%q,"coordinates":{"x":%d,"y":%d},"config":{"components":[]}}`, i,
			alias(i), i%40*360, i/40*200))
	}
	return scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":-300,"y":400}},"nodes":[`+strings.Join(nodes,
		",")+`]}`)
}

// Names overlap at no zoom, and cover no other card; those of the ends are always shown.
func TestNamesDoNotOverlap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"Your company", "Contact", "Terms of service and privacy", "Straße", "名前を入力してください", "x"}
	s := grid(t, 1200, func(int) string { return words[rnd.IntN(len(words))] })
	order := nameOrder(s.Cards())
	for zoom, least := range map[float64]int{.05: 2, .08: 2, .12: 20, .15: 20, .17: 60, .25: 100, .44: 100} {
		names := pickNames(s, order, nil, s.Bounds(), zoom)
		if len(names) < least || names[0].text != "Start" || names[1].text != "Ending" {
			t.Errorf("at %v there are %d names, the first %+v", zoom, len(names), names[0])
		}
		boxes := make([]graph.Rect, len(names))
		for i, n := range names {
			boxes[i] = n.box(zoom)
			for j, o := range boxes[:i] {
				if o.Overlaps(boxes[i]) {
					t.Fatalf("at %v %q overlaps %q", zoom, n.text, names[j].text)
				}
			}
			for _, c := range s.Cards() {
				if covers := (graph.Rect{X: c.Rect.X * zoom, Y: c.Rect.Y * zoom, W: c.Rect.W * zoom, H: c.Rect.H * zoom}).Overlaps(boxes[i]); covers && c != n.card {
					t.Fatalf("at %v %q covers the card %q", zoom, n.text, c.Title)
				}
			}
		}
	}
}

// A name that its card does not hold is beside it, wider than the card or in two lines, and only without room there it is cut.
func TestNamesBesideTheirCards(t *testing.T) {
	s := scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":3000,"y":0}},"nodes":[
		{"id":"wide","type":"FLOW","alias":"Check the code","coordinates":{"x":0,"y":0},"config":{}},
		{"id":"low","type":"STEP","alias":"Ask for the code again","coordinates":{"x":0,"y":1000},"config":{}},
		{"id":"low2","type":"STEP","alias":"Say that it is wrong","coordinates":{"x":400,"y":1000},"config":{}},
		{"id":"over","type":"STEP","alias":"One","coordinates":{"x":0,"y":2000},"config":{}},
		{"id":"tight","type":"STEP","alias":"Incomprehensibly long","coordinates":{"x":0,"y":2080},"config":{}},
		{"id":"under","type":"STEP","alias":"Two","coordinates":{"x":0,"y":2160},"config":{}}]}`)
	for _, c := range s.Cards() {
		if c.Kind == graph.StepKind && c.Rect.Y >= 2000 && c.Rect.H > 80 {
			t.Fatalf("%s is %v high", c.ID, c.Rect.H)
		}
	}
	const zoom = .22
	lines := map[string][]name{}
	for _, n := range pickNames(s, nameOrder(s.Cards()), nil, s.Bounds().Grown(200), zoom) {
		lines[n.card.ID] = append(lines[n.card.ID], n)
	}
	for id, want := range map[string]string{
		"$start": "Start", "$ending": "Ending", "wide": "Check the code", "low": "Ask for the/code again", "low2": "Say that it is wrong", "tight": "",
	} {
		var texts []string
		for _, n := range lines[id] {
			texts = append(texts, n.text)
			if in := n.card.Rect.Contains(n.at.Add(n.by.Scale(1 / zoom))); in != (id == "tight") || n.plate == in {
				t.Errorf("%s: %q at %v, in its card %v, on a plate %v", id, n.text, n.by, in, n.plate)
			}
		}
		if got := strings.Join(texts, "/"); got != want {
			t.Errorf("%s is named %q, want %q", id, got, want)
		}
	}
}

// A form with few cards has more names, seen from very far, than an equal part of a large form.
func TestNamesOfAFormWithFewCards(t *testing.T) {
	const zoom = .12
	count := func(n int) int {
		s := grid(t, n, func(int) string { return "Step" })
		order := nameOrder(s.Cards())
		return len(pickNames(s, order, nil, graph.Rect{X: -400, Y: -100, W: 6*360 + 400, H: 250}, zoom))
	}
	few, many := count(6), count(240)
	if few != 7 || many >= few {
		t.Errorf("a row of 7 cards has %d names, such a row of a large form %d", few, many)
	}
}

// A name lies on no edge where there is room beside it; else it lies on one.
func TestNamesLieOnNoEdge(t *testing.T) {
	s := scene(t, `{"start":{"coordinates":{"x":0,"y":0},"next_node":"a"},"ending":{"coordinates":{"x":2400,"y":0}},"nodes":[
		{"id":"a","type":"STEP","alias":"Second","coordinates":{"x":1600,"y":0},"config":{"components":[],"next_node":"$ending"}},
		{"id":"b","type":"STEP","alias":"Aside","coordinates":{"x":700,"y":60},"config":{"components":[]}}]}`)
	const zoom = .2
	names := pickNames(s, nameOrder(s.Cards()), nil, s.Bounds().Grown(200), zoom)
	if len(names) != 4 {
		t.Errorf("there are %d names", len(names))
	}
	for _, n := range names {
		box := n.box(zoom)
		r := graph.Rect{X: box.X / zoom, Y: box.Y / zoom, W: box.W / zoom, H: box.H / zoom}
		for _, e := range s.EdgesIn(r, nil) {
			if e.Curve.Meets(r) {
				t.Errorf("%q lies on the edge of %s", n.text, e.Source().ID)
			}
		}
	}
}

// A name that would lie on an edge leaves its room to a less important one that would not.
func TestNamesOnEdgesComeLast(t *testing.T) {
	step := func(id string, x, y float64, next string) string {
		return fmt.Sprintf(`{"id":%q,"type":"STEP","alias":%[1]q,"coordinates":{"x":%[2]v,"y":%[3]v},"config":{"components":[{"id":"%[1]s_mail","category":"FIELD","type":"EMAIL"}]%[4]s}}`, id, x, y, next)
	}
	nodes := []string{
		step("hemmed", 0, 0, `,"next_node":"below_z"`), step("free", 400, 200, ""),
		step("above_a", -2000, -110, `,"next_node":"above_z"`), step("above_z", 2000, -110, ""),
		step("below_a", -2000, 150, `,"next_node":"below_z"`), step("below_z", 2000, 150, ""),
	}
	for i := range fewCards {
		nodes = append(nodes, step(fmt.Sprint("n", i), float64(i)*2000, 9000, ""))
	}
	s := scene(t, `{"start":{"coordinates":{"x":-4000,"y":0}},"ending":{"coordinates":{"x":-4000,"y":400}},"nodes":[`+strings.Join(nodes, ",")+`]}`)
	named := map[string]bool{}
	for _, n := range pickNames(s, nameOrder(s.Cards()), nil, s.Bounds(), .1) {
		named[n.text] = true
	}
	if named["hemmed"] || !named["free"] {
		t.Errorf("of two neighbors, one between edges, these have names: hemmed %v, free %v", named["hemmed"], named["free"])
	}
}

// A card that is large enough contains its name, in as many lines as it needs.
func TestNamesInTheirCards(t *testing.T) {
	s := grid(t, 4, func(i int) string { return strings.Repeat("Some words ", i+1) })
	const zoom = .44
	inside := map[string]int{}
	for _, n := range pickNames(s, s.Cards()[2:], nil, s.Bounds(), zoom) {
		if !n.plate {
			inside[n.card.ID]++
			if at := n.by; at.X+nameWidth(n.text) > n.card.Rect.W*zoom || at.Y+nameHeight/2 > n.card.Rect.H*zoom {
				t.Errorf("%q at %v is outside a card of %v", n.text, at, n.card.Rect)
			}
		}
	}
	if inside["n0"] != 1 || inside["n1"] != 2 {
		t.Errorf("lines in cards: %v", inside)
	}
}

// Seen from far, names stand above their cards at the left side, also those that their cards hold; only without room there they are in the card
// or below it. From near enough they are in their cards.
func TestNamesStandAboveTheirCards(t *testing.T) {
	s := scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":3000,"y":0}},"nodes":[
		{"id":"free","type":"STEP","alias":"One","coordinates":{"x":0,"y":0},"config":{"components":[]}},
		{"id":"marked","type":"FLOW","alias":"Look it up again","coordinates":{"x":600,"y":0},"config":{}},
		{"id":"over","type":"FLOW","alias":"Two","coordinates":{"x":0,"y":600},"config":{}},
		{"id":"close","type":"FLOW","alias":"Three","coordinates":{"x":0,"y":700},"config":{}},
		{"id":"long","type":"FLOW","alias":"Look up the number","coordinates":{"x":600,"y":700},"config":{}},
		{"id":"low","type":"FLOW","alias":"Two","coordinates":{"x":600,"y":600},"config":{}},
		{"id":"next","type":"FLOW","alias":"Questionnaire","coordinates":{"x":0,"y":1200},"config":{}},
		{"id":"beside","type":"FLOW","alias":"Four","coordinates":{"x":310,"y":1270},"config":{}},
		{"id":"pair","type":"FLOW","alias":"Some more words","coordinates":{"x":600,"y":1200},"config":{}},
		{"id":"word","type":"FLOW","alias":"Five","coordinates":{"x":970,"y":1200},"config":{}}]}`)
	signs := map[*graph.Card]sign{s.Card("marked"): signOf(s.Card("marked"), trouble{count: 1}, nil)}
	places := func(zoom float64) map[string]string {
		at := map[string]string{}
		for _, n := range pickNames(s, nameOrder(s.Cards()), signs, s.Bounds().Grown(400), zoom) {
			box := n.box(zoom)
			switch top := n.card.Rect.Y * zoom; {
			case !n.plate:
				at[n.card.ID] += "inside "
			case box.Bottom() < top-signUp:
				at[n.card.ID] += "over the marks "
			case box.Bottom() < top:
				at[n.card.ID] += "above "
			default:
				at[n.card.ID] += "below "
			}
			if left := n.card.Rect.X * zoom; n.plate && box.X != left && !isEnd(n.card.Content) {
				t.Errorf("at %v %q begins %v right of its card", zoom, n.text, box.X-left)
			}
			if !strings.Contains(n.card.Title, n.text) {
				t.Errorf("at %v %q is cut to %q", zoom, n.card.Title, n.text)
			}
		}
		return at
	}
	far := places(.3)
	for id, want := range map[string]string{
		"free": "above ", "marked": "over the marks ", "over": "above ", "close": "inside ",
		"long": "below ", "next": "above ", "beside": "above ", "pair": "over the marks above ", "word": "above ", "$start": "above ",
	} {
		if far[id] != want {
			t.Errorf("%s is named %sits card, want %s", id, far[id], want)
		}
	}
	near := places(.44)
	for id, at := range near {
		if strings.ReplaceAll(at, "inside ", "") != "" && id[0] != '$' {
			t.Errorf("from near, %s is named %sits card", id, at)
		}
	}
}
