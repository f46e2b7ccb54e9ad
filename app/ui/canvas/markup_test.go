package canvas

import (
	"encoding/binary"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

const source = `{"name":"x","start":{"next_node":"a","coordinates":{"x":-160,"y":4}},"ending":{"coordinates":{"x":1200,"y":0}},"nodes":[
{"id":"a","type":"STEP","alias":"<b>Contact</b> & \"more\"","coordinates":{"x":0,"y":0},"config":{"components":[
 {"id":"c1","category":"FIELD","type":"EMAIL","label":"Mail <script>alert(1)</script>","required":true,"sensitive":true},
 {"id":"c2","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"$ending"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[
 {"id":"one","condition":{"operator":"EQ","operands":["{{fields.code}}","123"]},"next_node":"f"},{"id":"two","condition":2,
"next_node":"gone"}],"fallback":"a"}},
{"id":"f","type":"FLOW","coordinates":{"x":800,"y":0},"config":{"flow_id":"af_1"}}]}`

func scene(tb testing.TB, src string) *graph.Scene {
	tb.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		tb.Fatal(problems)
	}
	return graph.New(model.FromTree(v.(*schema.Object)))
}

// element is a start tag in a piece of markup, with the text directly inside
// it.
type element struct {
	name string
	attr map[string]string
	text string
}

// elements parses markup strictly: our markup is also valid XML.
func elements(tb testing.TB, markup string) []element {
	tb.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	var all []element
	var open []int
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			if len(open) > 0 {
				tb.Fatalf("unclosed element in %s", markup)
			}
			return all
		}
		if err != nil {
			tb.Fatalf("%v in %s", err, markup)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := element{name: tok.Name.Local, attr: map[string]string{}}
			for _, a := range tok.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			open = append(open, len(all))
			all = append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(tok)
			}
		}
	}
}

func card(s *graph.Scene, id string, l look, selected bool) string {
	c := s.Card(id)
	l.content, l.id = c.Content, c.ID
	return string(appendCard(nil, c, l, selected))
}

func TestCardAttributes(t *testing.T) {
	s := scene(t, source)
	tests := []struct {
		id       string
		look     look
		selected bool
		want     map[string]string
	}{
		{"a", look{row: -1}, false, map[string]string{
			"data-node": "a", "data-kind": "STEP", "data-problems": "0", "aria-selected": "false", "role": "option", "id": "node:a",
			"aria-label": `<b>Contact</b> & "more", step`, "style": "left:0px;top:0px;height:104px;z-index:2",
		}},
		{"r", look{row: -1, trouble: trouble{count: 1, rows: 2}}, true, map[string]string{
			"data-kind": "ROUTER", "data-problems": "1", "aria-selected": "true", "aria-label": "r, router, 1 problem",
		}},
		{"f", look{row: -1, trouble: trouble{count: 3}}, false, map[string]string{"data-kind": "FLOW", "aria-label": "f, flow, 3 problems"}},
		{"$start", look{row: -1}, false, map[string]string{
			"data-node": "$start", "data-kind": "START",
			"aria-label": "Start, where the journey begins",
		}},
		{"$ending", look{row: -1}, false, map[string]string{
			"data-node": "$ending", "data-kind": "ENDING",
			"aria-label": "Ending, where the journey ends",
		}},
	}
	for _, tt := range tests {
		all := elements(t, card(s, tt.id, tt.look, tt.selected))
		for name, want := range tt.want {
			got := all[0].attr[name]
			if name == "aria-label" {
				got = all[1].attr[name] // the head
			}
			if got != want {
				t.Errorf("%s: %s: got %q, want %q", tt.id, name, got, want)
			}
		}
	}
}

func TestCardHandles(t *testing.T) {
	s := scene(t, source)
	for id, want := range map[string]string{
		"a": "a:in@20px a:jump:c2@86px a:next@20px", "r": "r:in@20px r:rule:one@58px r:rule:two@86px r:fallback@114px",
		"$start": "$start:next@20px", "$ending": "$ending:in@20px",
	} {
		var got []string
		for _, e := range elements(t, card(s, id, look{row: -1}, false)) {
			if h := e.attr["data-handle"]; h != "" {
				got = append(got, h+"@"+strings.TrimPrefix(e.attr["style"], "top:"))
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: got %s, want %s", id, got, want)
		}
	}
}

func TestCardRows(t *testing.T) {
	s := scene(t, source)
	rows := func(id string, l look) []element {
		var rows []element
		for _, e := range elements(t, card(s, id, l, false)) {
			if strings.HasPrefix(e.attr["class"], "cv-row") && e.attr["class"] != "cv-rows" {
				rows = append(rows, e)
			}
		}
		return rows
	}
	got := rows("a", look{row: 1, trouble: trouble{count: 1, rows: 1}})
	if len(got) != 2 || got[0].attr["data-component"] != "c1" || got[1].attr["data-component"] != "c2" {
		t.Fatalf("rows of a step: got %v", got)
	}
	if got[0].attr["class"] != "cv-row cv-bad" || got[1].attr["class"] != "cv-row cv-on" {
		t.Errorf("classes: got %q and %q", got[0].attr["class"], got[1].attr["class"])
	}
	if got := rows("r", look{row: -1}); len(got) != 3 || got[2].attr["class"] != "cv-row cv-else" || got[0].attr["data-component"] != "" {
		t.Errorf("rows of a router: got %v", got)
	}
	html := card(s, "a", look{row: -1}, false)
	for _, want := range []string{`Mail alert(1)`, `cv-required`, `ci-lock`, `ci-mail`} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is not in %s", want, html)
		}
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "<b>Contact") {
		t.Errorf("the form's markup came through: %s", html)
	}
	if html = card(s, "r", look{row: -1}, false); !strings.Contains(html, `<b>fields.code</b> equals <b>123</b>`) {
		t.Errorf("condition: got %s", html)
	}
}

func TestEdgeAttributes(t *testing.T) {
	s := scene(t, source)
	for _, tt := range []struct{ from, port, edge, target, class string }{
		{"$start", "next", "$start:next", "a", "cv-edge"},
		{"a", "jump:c2", "a:jump:c2", "$ending", "cv-edge"},
		{"r", "fallback", "r:fallback", "a", "cv-edge cv-dashed cv-back"},
		{"r", "rule:two", "r:rule:two", "gone", "cv-edge cv-dangling"},
	} {
		e := s.Edge(tt.from, model.Port(tt.port))
		p := elements(t, string(appendEdge(nil, e, e.Curve, nil, plain)))[0]
		if p.name != "path" || p.attr["data-edge"] != tt.edge || p.attr["data-target"] != tt.target ||
			p.attr["class"] != tt.class || p.attr["d"] == "" {
			t.Errorf("%s:%s: got %v", tt.from, tt.port, p)
		}
	}
	if got := edgeClass(s.Edge("r", model.FallbackPort), hot); got != "cv-edge cv-dashed cv-back cv-hot" {
		t.Errorf("hot: got %q", got)
	}
	rule, fallback := s.Edge("r", "rule:one"), s.Edge("r", "fallback")
	for _, tt := range []struct {
		edge *graph.Edge
		to   float64
		want string
	}{
		{fallback, 400, "Otherwise"},
		{rule, 180, "fields.code equals 123"},
		{rule, 179, ""}, // it would be too near to the handles
	} {
		label := string(appendLabel(nil, tt.edge, graph.To(graph.Vec{}, graph.Vec{X: tt.to}), 0, 1))
		if (label != "") != (tt.want != "") || !strings.Contains(label, tt.want) {
			t.Errorf("%s over %v: got %q, want %s", tt.edge.Port, tt.to, label, tt.want)
		}
	}
	if b := appendLabel(nil, s.Edge("a", "next"), graph.Curve{}, 24, 1); len(b) > 0 {
		t.Errorf("an edge of a step has the label %s", b)
	}
}

func TestGuideMarkup(t *testing.T) {
	line := elements(t, "<x>"+string(appendGuide(nil, graph.GuideLine{From: graph.Vec{X: 1, Y: 2}, To: graph.Vec{X: 1, Y: 20.5}}))+"</x>")
	if len(line) != 2 || line[1].attr["d"] != "M1 2L1 20.50" || line[1].attr["class"] != "cv-guide" {
		t.Errorf("a line: got %+v", line)
	}
	gap := elements(t, "<x>"+string(appendGuide(nil, graph.GuideLine{
		From: graph.Vec{X: 0, Y: 10}, To: graph.Vec{X: 80, Y: 10},
		Gap: 80,
	}))+"</x>")
	if len(gap) != 3 || gap[2].attr["x"] != "40" || gap[2].attr["y"] != "10" || gap[2].text != "80" {
		t.Errorf("a gap: got %+v", gap)
	}
}

// FuzzCard puts arbitrary text wherever a form can contain text. The markup
// must equal that of a harmless form, element by element, and contain the text
// as text.
func FuzzCard(f *testing.F) {
	for _, s := range []string{
		"a", `"><script>alert(1)</script>`, "'\"`&<>", "\x00\x1f\x7f\xff", "</div>", "&lt;", "\u2028 onerror=x",
		"{{fields.x}}", "]]>",
	} {
		f.Add(s)
	}
	shape := func(t *testing.T, text string) (shape string, all []element) {
		t.Helper()
		one := func(key string, v any) schema.Member { return schema.Member{Key: key, Value: v} }
		config := schema.NewObject(one("components", []any{schema.NewObject(one("id", text), one("type", text), one("label", text))}),
			one("next_node", text))
		rules := schema.NewObject(one("rules", []any{schema.NewObject(one("id", text), one("condition",
			schema.NewObject(one("operator", "EQ"), one("operands", []any{text, text}))), one("next_node", text))}))
		s := graph.New(model.FromTree(schema.NewObject(one("nodes", []any{
			schema.NewObject(one("id", text), one("type", "STEP"), one("alias", text), one("config", config)),
			schema.NewObject(one("id", "r"+text), one("type", "ROUTER"), one("config", rules)),
			schema.NewObject(one("id", "x"+text), one("type", text)),
			schema.NewObject(one("id", "f"+text), one("type", "FLOW"), one("config", schema.NewObject(one("flow_id", "f"+text)))),
		}))))
		var b []byte
		for _, c := range s.Cards() {
			b = appendCard(b, c, look{content: c.Content, id: c.ID, row: -1}, false)
		}
		s.Edges(func(e *graph.Edge) { b = appendLabel(appendEdge(b, e, e.Curve, nil, hot), e, e.Curve, 0, 1) })
		if !utf8.Valid(b) {
			t.Fatalf("not UTF-8: %q", b)
		}
		// A browser accepts control characters, which are illegal in XML.
		legal := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0xfffe && r <= 0xffff {
				return utf8.RuneError
			}
			return r
		}, string(b))
		all = elements(t, "<x>"+legal+"</x>")
		for _, e := range all {
			// The width of a text may affect these.
			shape += e.name + " " + strings.TrimSuffix(e.attr["class"], longClass) + ";"
			for name := range e.attr {
				if strings.HasPrefix(name, "on") || name == "href" {
					t.Errorf("attribute %s=%q", name, e.attr[name])
				}
			}
		}
		return shape, all
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" || text == "STEP" || text == "FLOW" || text == "ROUTER" || text == model.EndingID || model.KindOf(text) != nil {
			return // these have a special meaning
		}
		got, all := shape(t, text)
		want, _ := shape(t, "harmless")
		if got != want {
			t.Errorf("markup: got %s, want %s", got, want)
		}
		odd := func(r rune) bool { return r < ' ' || r == 0x7f || r >= 0xfffe }
		if utf8.ValidString(text) && strings.IndexFunc(text, odd) < 0 && strings.TrimSpace(text) == text {
			if got := all[5].text; all[5].name == "b" && got != text && got != "Start" {
				t.Errorf("text: got %q, want %q", got, text)
			}
		}
	})
}

// onTime reports that no problem is early.
func onTime(schema.Problem) bool { return false }

// What a new component lacks counts, and looks like something to do.
func TestEarlyTroubles(t *testing.T) {
	s := scene(t, source)
	label, name := formtest.Path(t, "nodes[0].config.components[1].config.text"), formtest.Path(t, "nodes[0].alias")
	early := func(p schema.Problem) bool { return p.Path.Equal(label) }
	for _, tt := range []struct {
		problems schema.Problems
		want     trouble
		class    string
	}{
		{schema.Problems{{Path: label}}, trouble{count: 1, early: 1, doubts: 0b10}, `class="cv-badge cv-todo"`},
		{schema.Problems{{Path: label}, {Path: name}}, trouble{count: 2, early: 1, doubts: 0b10}, `class="cv-badge"`},
	} {
		got := troublesOf(tt.problems, early, s)["a"]
		if got != tt.want {
			t.Errorf("got %+v, want %+v", got, tt.want)
		}
		c := s.Card("a")
		if head := string(appendHead(nil, look{content: c.Content, id: "a", trouble: got})); !strings.Contains(head, tt.class) {
			t.Errorf("%+v draws %s", got, head)
		}
	}
}

func TestTroubles(t *testing.T) {
	s := scene(t, source)
	got := troublesOf(schema.Problems{
		{Path: formtest.Path(t, "nodes[0].config.components[1].config.text")},
		{Path: formtest.Path(t, "nodes[0].alias")},
		{Path: formtest.Path(t, "nodes[1].config.rules[0]")},
		{Path: formtest.Path(t, "nodes[1].config.rules[9]")},
		{Path: formtest.Path(t, "nodes[99].id")},
		{Path: formtest.Path(t, "nodes")},
		{Path: formtest.Path(t, "start.next_node")},
		{Path: formtest.Path(t, "ending")},
		{Path: formtest.Path(t, "name")},
		{},
	}, onTime, s)
	want := map[string]trouble{"a": {count: 2, rows: 0b10}, "r": {count: 2, rows: 0b1}, "$start": {count: 1}, "$ending": {count: 1}}
	if len(got) != len(want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for k, w := range want {
		if got[k] != w {
			t.Errorf("%s: got %v, want %v", k, got[k], w)
		}
	}
}

func TestPicked(t *testing.T) {
	s := scene(t, source)
	p := pick(editor.Selection{Nodes: []string{"r"}, Rule: "two"})
	if !p.has("r") || p.has("a") || p.active() != "r" || p.row(s.Card("r")) != 1 || p.row(s.Card("a")) != -1 {
		t.Errorf("a rule: got %v, row %d", p, p.row(s.Card("r")))
	}
	if p = pick(editor.Selection{Nodes: []string{"a"}, Component: "c2"}); p.row(s.Card("a")) != 1 {
		t.Errorf("a component: got row %d", p.row(s.Card("a")))
	}
	hot := func(p picked, h graph.Hit) string {
		var keys []string
		s.Edges(func(e *graph.Edge) {
			if p.hot(e, h) {
				keys = append(keys, e.Source().ID+":"+string(e.Port))
			}
		})
		return strings.Join(keys, " ")
	}
	if got := hot(pick(editor.SelectNodes("f")), graph.Hit{}); got != "r:rule:one" {
		t.Errorf("edges of a selected node: got %q", got)
	}
	if got := hot(pick(editor.Selection{}), graph.Hit{Card: s.Card("$start")}); got != "$start:next" {
		t.Errorf("edges of a node pointed at: got %q", got)
	}
	if got := hot(pick(editor.Selection{Edge: &editor.EdgeRef{From: "a", Port: "next"}}),
		graph.Hit{Edge: s.Edge("r", "fallback")}); got != "a:next r:fallback" {
		t.Errorf("selected and pointed at: got %q", got)
	}
	if p = pick(editor.Selection{}); p.active() != "" || p.row(s.Card("$start")) != -1 {
		t.Error("nothing selected: something is active")
	}
}

func floatsOf(b []byte) []float64 {
	fs := make([]float64, len(b)/4)
	for i := range fs {
		fs[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return fs
}

func TestPack(t *testing.T) {
	s := scene(t, source)
	chosen := pick(editor.Selection{Nodes: []string{"r"}})
	chosen.marks = marksOf(Marks{Threads: Threads{Nodes: map[string]int{"f": 2}}})
	p := packScene(s, chosen, map[string]trouble{"f": {count: 1}})
	p.find()
	cards, edges := floatsOf(p.cards), floatsOf(p.edges)
	if len(cards) != 5*cardFloats || len(edges) != (6+1)*edgeFloats {
		t.Fatalf("got %d and %d numbers", len(cards), len(edges))
	}
	at := func(id string) []float64 { i := p.cardAt[s.Card(id)] * cardFloats; return cards[i : i+cardFloats] }
	for id, want := range map[string][]float64{
		"$start": {-160, 4, 96, 40, 3}, "r": {400, 0, 280, 132, 2 + packedSelected},
		"f": {800, 0, 280, 76, 1 + packedBad + packedTalk},
	} {
		for i, w := range want {
			if at(id)[i] != w {
				t.Errorf("%s: got %v, want %v", id, at(id), want)
				break
			}
		}
	}
	e := s.Edge("r", model.FallbackPort)
	i := p.edgeAt[e] * edgeFloats
	if got := edges[i]; got != float64(graph.Lines)+packedDashed+packedHot+packedBack {
		t.Errorf("flags of the fallback: got %v", got)
	}
	if gap := edges[6*edgeFloats:]; gap[0] != packedGap || gap[1] != gap[3] || gap[4]-gap[2] != 10 && gap[3]-gap[1] != 10 {
		t.Errorf("the gap is %v", gap)
	}
	n, m := len(p.cards), 4*6*edgeFloats // without the gap, which would be elsewhere
	p.moveCard(s.Card("r"), graph.Vec{X: 10, Y: 20})
	p.moveEdge(e, e.Moved(graph.Vec{X: 10, Y: 20}, graph.Vec{}))
	cards, edges = floatsOf(p.cards), floatsOf(p.edges)
	if got := at("r"); got[0] != 410 || got[1] != 20 || got[2] != 280 || len(p.cards) != n || len(p.edges) != m {
		t.Errorf("after a move: got %v", got)
	}
	if edges[i+1] != 690 || edges[i+2] != 134 {
		t.Errorf("the edge after a move begins at %v, %v", edges[i+1], edges[i+2])
	}
	if q := packCards(s, nil); len(q) != n {
		t.Errorf("cards alone: got %d bytes, want %d", len(q), n)
	}
}

func TestFitSmall(t *testing.T) {
	for _, b := range []graph.Rect{{W: 1e6, H: 10}, {X: -5e5, W: 10, H: 1e6}, {W: 300, H: 200}, {X: 1, Y: 1, W: 2e6, H: 2e6}} {
		v := fitSmall(b)
		lo, hi := v.ToScreen(b.Origin()), v.ToScreen(graph.Vec{X: b.Right(), Y: b.Bottom()})
		if lo.X < 0 || lo.Y < 0 || hi.X > miniWidth || hi.Y > miniHeight || v.Zoom > maxMiniZoom {
			t.Errorf("%v: shown from %v to %v", b, lo, hi)
		}
	}
}

func BenchmarkMarkup(b *testing.B) {
	s := scene(b, source)
	buf := make([]byte, 0, 1<<16)
	b.ReportAllocs()
	for b.Loop() {
		buf = buf[:0]
		for _, c := range s.Cards() {
			buf = appendCard(buf, c, look{content: c.Content, id: c.ID, row: -1}, false)
		}
	}
}

// The ghost of a component that is dragged has its icon and its label, as text.
func TestGhost(t *testing.T) {
	s := scene(t, `{"name":"x","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"c","category":"FIELD","type":"EMAIL","label":"Mail & more"}]}}]}`)
	for want, c := range map[string]*gesture.Carry{
		`<i class="ci ci-mail"></i><span>Mail &amp; more</span>`: {From: s.Card("a")},
		`<i class="ci ci-number"></i><span>Number</span>`:        {Brought: gesture.BroughtBy("NUMBER")},
		`<i class="ci ci-step"></i><span>Step</span>`:            {Brought: gesture.BroughtBy("STEP")},
	} {
		if got := string(appendGhost(nil, c)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Seen from far, cards with warnings are marked apart from those with problems.
func TestWarned(t *testing.T) {
	s := scene(t, source)
	troubles := warn(troublesOf(schema.Problems{{Path: formtest.Path(t, "nodes[0].id")}}, onTime, s), schema.Problems{
		{Path: formtest.Path(t, "nodes[0].config")}, {Path: formtest.Path(t, "nodes[1].config.fallback")}, {Path: formtest.Path(t, "name")},
	}, s)
	first, second := s.Cards()[2].Key, s.Cards()[3].Key
	if len(troubles) != 2 || troubles[first] != (trouble{count: 1, warnings: 1}) || troubles[second] != (trouble{warnings: 1}) {
		t.Errorf("got %v", troubles)
	}
	for i, want := range []int{0, 0, packedBad | packedWarned, packedWarned} {
		if got := int(floatsOf(packScene(s, picked{}, troubles).cards)[i*cardFloats+4]) &^ 7; got != want {
			t.Errorf("card %d: flags %b, want %b", i, got, want)
		}
		if got := int(floatsOf(packCards(s, troubles))[i*cardFloats+4]) &^ 7; got != want&packedBad {
			t.Errorf("card %d of the minimap: flags %b", i, got)
		}
	}
	step := warn(nil, schema.Problems{{Path: formtest.Path(t, "nodes[0].config.components[1].config.text")}}, s)[first]
	if step.at(0) != unmarked || step.at(1) != doubtful {
		t.Errorf("the rows of a step with a warning about the second are marked %v and %v", step.at(0), step.at(1))
	}
	if got := warn(nil, nil, s); len(got) != 0 {
		t.Errorf("no warnings: got %v", got)
	}
}

// The note at the pointer is at its right, or at its left where it would extend over the border of the canvas.
func TestNoteBesideThePointer(t *testing.T) {
	for _, tt := range []struct {
		x, width float64
		want     string
	}{
		{100, 860, "translate(114px,60px)"},
		{586, 860, "translate(600px,60px)"},
		{587, 860, "translate(573px,60px) translateX(-100%)"},
		{195, 390, "translate(209px,60px)"},
		{196, 390, "translate(182px,60px) translateX(-100%)"},
	} {
		if got := string(appendNote(nil, graph.Vec{X: tt.x, Y: 20}, 40, tt.width)); got != tt.want {
			t.Errorf("at %v of %v: %s, want %s", tt.x, tt.width, got, tt.want)
		}
	}
}
