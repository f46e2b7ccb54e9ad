package graph_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// grid returns a form of n nodes in a square, each leading to the next. Every tenth is a
// router, the others are steps.
func grid(tb testing.TB, n int) *model.Form {
	tb.Helper()
	var b strings.Builder
	b.WriteString(
		`{"name":"grid","start":{"next_node":"n0","coordinates":{"x":-200,"y":0}},"ending":{"coordinates":{"x":-200,"y":200}},"nodes":[`,
	)
	cols := int(math.Ceil(math.Sqrt(float64(n))))
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		x, y := i%cols*400, i/cols*300
		if i%10 == 9 {
			fmt.Fprintf(
				&b,
				`{"id":"n%d","type":"ROUTER","coordinates":{"x":%d,"y":%d},"config":{"rules":[{"id":"a","condition":{"operator":"AND","operands":[
{"operator":"EQ","operands":["{{fields.code}}","123"]}]},"next_node":"n%d"}],"fallback":"n%d"}}`,
				i,
				x,
				y,
				(i+cols)%n,
				i/2,
			)
			continue
		}
		fmt.Fprintf(&b, `{"id":"n%d","type":"STEP","alias":"Page %d","coordinates":{"x":%d,"y":%d},"config":{"components":[
			{"id":"e%d","category":"FIELD","type":"EMAIL","label":"Mail"}],"next_node":"n%d"}}`, i, i, x, y, i, (i+1)%n)
	}
	b.WriteString("]}")
	return graphtest.Form(tb, b.String())
}

const small = `{"name":"small","start":{"next_node":"a","coordinates":{"x":-160,"y":0}},"ending":{"coordinates":{"x":1200,"y":0}},"nodes":[
{"id":"a","type":"STEP","alias":"Contact","coordinates":{"x":0,"y":0},"config":{"components":[
 {"id":"c1","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h2>How can we</h2> <p>reach&nbsp;you &amp; when?</p>"}},
 {"id":"c2","category":"FIELD","type":"EMAIL","label":"Work e-mail","required":true,"sensitive":true},
 {"id":"c3","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"$ending"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[
 {"id":"one","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.code}}","123"]}]},"next_node":"f"},
 {"id":"two","alias":"Too many","condition":true,"next_node":"gone"}],"fallback":"a"}},
{"id":"f","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"af_1","next_node":"$ending"}}]}`

func texts(rows []graph.Row) string {
	var s []string
	for _, r := range rows {
		s = append(s, r.Text())
	}
	return strings.Join(s, "|")
}

func outs(c *graph.Card) string {
	var s []string
	for i, o := range c.Outs {
		at := c.OutAt(i)
		s = append(s, fmt.Sprintf("%s@%v,%v", o.Port, at.X, at.Y))
	}
	return strings.Join(s, " ")
}

func TestCards(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	tests := []struct {
		id, title, rows, outs string
		kind                  graph.Kind
		rect                  graph.Rect
	}{
		{"$start", "Start", "", "next@-64,20", graph.StartKind, graph.Rect{X: -160, Y: 0, W: 96, H: 40}},
		{"$ending", "Ending", "", "", graph.EndingKind, graph.Rect{X: 1200, Y: 0, W: 96, H: 40}},
		{
			"a",
			"Contact",
			"How can we|Work e-mail|Skip",
			"jump:c3@280,114 next@280,20",
			graph.StepKind,
			graph.Rect{W: 280, H: 132},
		},
		{
			"r",
			"r",
			"fields.code equals 123|Too many|Otherwise",
			"rule:one@680,58 rule:two@680,94 fallback@680,130",
			graph.RouterKind,
			graph.Rect{X: 400, W: 280, H: 148},
		},
		{"f", "f", "Run flow", "next@1080,20", graph.FlowKind, graph.Rect{X: 800, W: 280, H: 76}},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			c := s.Card(tt.id)
			if c.Title != tt.title || c.Kind != tt.kind {
				t.Errorf("got %s %q, want %s %q", c.Kind, c.Title, tt.kind, tt.title)
			}
			if got := texts(c.Rows); got != tt.rows {
				t.Errorf("rows: got %q, want %q", got, tt.rows)
			}
			if got := outs(c); got != tt.outs {
				t.Errorf("outs: got %q, want %q", got, tt.outs)
			}
			if c.Rect != tt.rect {
				t.Errorf("rect: got %v, want %v", c.Rect, tt.rect)
			}
		})
	}
	row := s.Card("a").Rows[1]
	if !row.Required || !row.Sensitive || row.Icon != "mail" || row.ID != "c2" {
		t.Errorf("row of the field: got %+v", row)
	}
	if in := s.Card("a").InAt(); in != (graph.Vec{X: 0, Y: 20}) {
		t.Errorf("input: got %v", in)
	}
	if got, want := s.Bounds(), (graph.Rect{X: -160, W: 1456, H: 148}); got != want {
		t.Errorf("bounds: got %v, want %v", got, want)
	}
}

func TestBrokenNodesAreShown(t *testing.T) {
	s := graph.New(
		graphtest.Form(
			t,
			`{"name":"x","nodes":[null,{"id":"a","type":"TIMER"},{"id":"a","type":"STEP"},{"id":"b","type":"STEP","config":{"components":[
{"id":"c","type":"NEW"},7]}},{"type":"FLOW","config":{"next_node":"$start"}}]}`,
		),
	)
	var titles []string
	keys := map[string]bool{}
	for _, c := range s.Cards() {
		titles = append(titles, c.Title)
		keys[c.Key] = true
	}
	if got, want := strings.Join(titles, ","), "Start,Ending,Unknown node,a,a,b,Flow"; got != want {
		t.Errorf("titles: got %q, want %q", got, want)
	}
	if len(keys) != len(s.Cards()) {
		t.Errorf("keys are not unique: %v", keys)
	}
	if got, want := texts(s.Card("b").Rows), "NEW|Unknown component"; got != want {
		t.Errorf("rows: got %q, want %q", got, want)
	}
	if got := texts(s.Cards()[4].Rows); got != "Add a component" {
		t.Errorf("empty step: got %q", got)
	}
	flow := s.Cards()[6]
	if !flow.Rows[0].Warn || !flow.Edges()[0].Dangling() {
		t.Errorf("a flow without id to the start: got row %+v, dangling %v", flow.Rows[0], flow.Edges()[0].Dangling())
	}
}

func TestFold(t *testing.T) {
	for _, tt := range []struct{ n, rows int }{{0, 1}, {1, 1}, {12, 12}, {13, 13}, {21, 13}} {
		var comps []string
		for i := range tt.n {
			comps = append(
				comps,
				fmt.Sprintf(`{"id":"c%d","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"J%d","next_node":"$ending"}}`, i, i),
			)
		}
		s := graph.New(
			graphtest.Form(
				t,
				`{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[`+strings.Join(comps, ",")+`]}}]}`,
			),
		)
		c := s.Card("a")
		if len(c.Rows) != tt.rows || c.Rect.H != 48+28*float64(tt.rows) {
			t.Errorf("%d components: got %d rows, height %v, want %d rows", tt.n, len(c.Rows), c.Rect.H, tt.rows)
		}
		if len(c.Outs) != tt.n+1 {
			t.Errorf("%d components: got %d ways out", tt.n, len(c.Outs))
		}
		for i := range c.Outs {
			if at := c.OutAt(i); !c.Rect.Contains(at) {
				t.Errorf("%d components: handle %s at %v is outside the card", tt.n, c.Outs[i].Port, at)
			}
		}
		if tt.n == 21 && c.Rows[12].Text() != "+9 more" {
			t.Errorf("last row: got %q", c.Rows[12].Text())
		}
	}
	// A router's fallback stays visible below the fold.
	var rules []string
	for i := range 20 {
		rules = append(rules, fmt.Sprintf(`{"id":"r%d","condition":1}`, i))
	}
	s := graph.New(graphtest.Form(t, `{"nodes":[{"id":"a","type":"ROUTER","config":{"rules":[`+strings.Join(rules, ",")+`]}}]}`))
	rows := s.Card("a").Rows
	if len(rows) != 14 || rows[12].Text() != "+8 more" || rows[13].Text() != "Otherwise" {
		t.Errorf("router: got %q", texts(rows))
	}
}

func TestAutomaticPlaces(t *testing.T) {
	tests := []struct{ name, form string }{
		{"nothing placed", `{"nodes":[{"id":"a","type":"STEP"},{"id":"b","type":"ROUTER"},{"id":"c","type":"FLOW"}]}`},
		{"no nodes", `{}`},
		{"two rows", `{"nodes":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"},{"id":"f"},{"id":"g"},{"id":"h"}]}`},
		{
			"rows of tall cards",
			`{"nodes":[{"id":"a"},{"id":"b","type":"ROUTER","config":{"rules":[{},{},{},{},{},{},{},{}]}},{"id":"c"},{"id":"d"},{"id":"e"},
{"id":"f"},{"id":"g"},{"id":"h"}]}`,
		},
		{
			"a graph with loops and a node that is there twice",
			`{"start":{"next_node":"a"},"nodes":[{"id":"a","type":"ROUTER","config":{"rules":[{"next_node":"b"},{"next_node":"c"}],
"fallback":"a"}},{"id":"b","type":"STEP","config":{"next_node":"a"}},{"id":"c","type":"FLOW","config":{"next_node":"$ending"}},{"id":"b"},
{"id":"d","type":"STEP","config":{"next_node":"a"}}]}`,
		},
		{
			"some placed",
			`{"start":{"coordinates":{"x":0,"y":300}},"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0}},{"id":"b","type":"ROUTER"},
{"id":"c","type":"FLOW","coordinates":{"x":400,"y":55}}]}`,
		},
		{
			"at the bounds",
			`{"nodes":[{"id":"a","type":"STEP","coordinates":{"x":999999,"y":999999}},{"id":"b"},
{"id":"c","coordinates":{"x":-999999,"y":-999999}}]}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, again := graph.New(graphtest.Form(t, tt.form)), graph.New(graphtest.Form(t, tt.form))
			cards := s.Cards()
			for i, c := range cards {
				if got := again.Cards()[i].Rect; got != c.Rect {
					t.Errorf("%q: got %v and then %v", c.ID, c.Rect, got)
				}
				for _, d := range cards[:i] {
					if c.Rect.Overlaps(d.Rect) {
						t.Errorf("%q at %v overlaps %q at %v", c.ID, c.Rect, d.ID, d.Rect)
					}
				}
			}
		})
	}
}

// In a form without coordinates, edges lead to the right and targets are in the order of their handles, unless they close a loop.
func TestAutomaticColumns(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"start":{"next_node":"a"},"nodes":[{"id":"lost","type":"STEP"},
{"id":"z","type":"STEP","config":{"next_node":"$ending"}},{"id":"b","type":"STEP","config":{"next_node":"z"}},
{"id":"a","type":"ROUTER","config":{"rules":[{"next_node":"b"},{"next_node":"c"},{"next_node":"a"},{"next_node":"e"}],"fallback":"z"}},
{"id":"c","type":"STEP","config":{"next_node":"d"}},{"id":"d","type":"STEP","config":{"next_node":"a"}},{"id":"b","type":"STEP"},
{"id":"e","type":"STEP"}]}`))
	at := func(id string) graph.Vec { return s.Card(id).Rect.Origin() }
	for _, row := range [][]string{{"$start", "a", "b", "z", "$ending"}, {"a", "c", "d", "$ending"}} {
		for i, id := range row[1:] {
			if before := s.Card(row[i]).Rect; at(id).X < before.Right()+graph.LayerGap {
				t.Errorf("%s at %v is not to the right of %s at %v", id, at(id), row[i], before)
			}
		}
	}
	b, c := s.Card("b").Rect, s.Card("c").Rect
	if b.X != c.X || b.Bottom()+2*graph.Grid > c.Y {
		t.Errorf("b at %v is not above c at %v, with a gap", b, c)
	}
	a := s.Card("a").Rect
	if upper, lower := b.Y, s.Card("e").Rect.Bottom(); math.Abs(a.Center().Y-(upper+lower)/2) > 2*graph.Grid {
		t.Errorf("a at %v is not beside the middle of b, c and e, from %v to %v", a, upper, lower)
	}
	if start := s.Card("$start").Rect; a.X-start.Right() != b.X-a.Right() {
		t.Errorf("Start at %v is not as far from a at %v as a is from b", start, a)
	}
	for _, c := range s.Cards() {
		if reached := c.ID != "lost" && c == s.Card(c.ID); reached && c.Rect.Bottom() >= at("lost").Y {
			t.Errorf("%s at %v is not above the node that cannot be reached, at %v", c.ID, c.Rect, at("lost"))
		}
		if !c.Auto {
			t.Errorf("%s has coordinates", c.ID)
		}
	}
}

// A long form without coordinates continues below, so that a page shows it larger than one strip.
func TestAutomaticBands(t *testing.T) {
	var b strings.Builder
	for i := range 41 {
		fmt.Fprintf(&b, `{"id":"n%d","type":"STEP","config":{"next_node":"n%d"}},`, i, i+1)
	}
	s := graph.New(graphtest.Form(t, `{"start":{"next_node":"n0"},"nodes":[`+b.String()+`{"id":"n41","type":"STEP","config":{"next_node":"$ending"}}]}`))
	var bounds graph.Rect
	bands := 0
	for i, c := range append(s.Cards()[2:], s.Card("$ending")) {
		bounds = bounds.Union(c.Rect)
		before := s.Cards()[max(0, i+1)]
		if i == 0 {
			before = s.Card("$start")
		}
		switch {
		case c.Rect.X > before.Rect.Right() && c.Rect.Y < before.Rect.Bottom() && before.Rect.Y < c.Rect.Bottom():
		case c.Rect.Y > before.Rect.Bottom() && c.Rect.X <= s.Card("$start").Rect.X:
			bands++
		default:
			t.Errorf("%s at %v is neither to the right of %s at %v nor at the left of a band below", c.ID, c.Rect, before.ID, before.Rect)
		}
	}
	strip := graph.Vec{X: 43 * 360, Y: 120}
	if size := (graph.Vec{X: bounds.W, Y: bounds.H}); bands < 3 || graph.PageScale(size) < 4*graph.PageScale(strip) {
		t.Errorf("%d bands of %v, which a page does not show much larger than a strip of %v", bands+1, size, strip)
	}
}

func TestAutomaticPlaceStays(t *testing.T) {
	f := graphtest.Form(t, `{"nodes":[{"id":"a","coordinates":{"x":0,"y":0}},{"id":"b"}]}`)
	s := graph.New(f)
	was := s.Card("b").Rect
	g, err := f.Set(schema.Path{schema.Key("nodes"), schema.Index(0), schema.Key("coordinates")}, model.Point{X: 5000, Y: 5000}.Tree())
	if err != nil {
		t.Fatal(err)
	}
	s.Update(g)
	if got := s.Card("b").Rect; got != was {
		t.Errorf("after another node moved: got %v, want %v", got, was)
	}
	if !s.Card("b").Auto || s.Card("a").Auto {
		t.Error("Auto does not match which nodes have coordinates")
	}
}

func nodePath(i int, key string) schema.Path {
	return schema.Path{schema.Key("nodes"), schema.Index(i), schema.Key(key)}
}

func TestFreePlace(t *testing.T) {
	s := graph.New(graphtest.Form(t, small))
	for _, tt := range []struct {
		name     string
		at, want graph.Vec
	}{
		{"free already", graph.Vec{X: 0, Y: 407}, graph.Vec{X: 0, Y: 400}},
		{"on a card", graph.Vec{X: 400, Y: 60}, graph.Vec{X: 400, Y: 180}},
	} {
		got := s.FreePlace(tt.at, 76)
		if got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if cards := s.CardsIn(graph.Rect{X: got.X, Y: got.Y, W: graph.CardWidth, H: 76}, nil); len(cards) > 0 {
			t.Errorf("%s: %v overlaps %s", tt.name, got, cards[0].ID)
		}
	}
}
