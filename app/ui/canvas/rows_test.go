package canvas

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

func icon(name string) string { return `<i class="ci ci-` + name + `"></i>` }

// The complete markup of every kind of row, with everything optional present and
// absent.
func TestRowMarkup(t *testing.T) {
	const push = `<i class="cv-push"></i>`
	lock := strings.Replace(icon("lock"), `">`, `" title="Sensitive">`, 1)
	words := []graph.Word{{Text: "a", Value: true}, {Text: "is <"}, {Text: "b&", Value: true}}
	for _, tt := range []struct {
		name    string
		row     graph.Row
		flow    string
		bad, on bool
		want    string
	}{
		{
			"component",
			graph.Row{Kind: graph.ComponentRow, ID: "c", Icon: "mail", Words: words},
			"", false, false,
			`<div class="cv-row" data-component="c">` + icon("mail") + `<span><b>a</b> is &lt; <b>b&amp;</b></span>` + push + `</div>`,
		},
		{
			"component of a flow's name",
			graph.Row{Kind: graph.ComponentRow, ID: "c", Words: words[1:2]},
			"Other", false, false,
			`<div class="cv-row" data-component="c"><span>is &lt;</span>` + push + `</div>`,
		},
		{
			"required",
			graph.Row{Kind: graph.ComponentRow, ID: "c", Required: true},
			"", false, false,
			`<div class="cv-row" data-component="c"><span></span><i class="cv-required" title="Required"></i>` + push + `</div>`,
		},
		{
			"sensitive",
			graph.Row{Kind: graph.ComponentRow, ID: "c", Sensitive: true},
			"", false, false,
			`<div class="cv-row" data-component="c"><span></span>` + lock + push + `</div>`,
		},
		{
			"bad and on",
			graph.Row{Kind: graph.ComponentRow, ID: "c"},
			"", true, true,
			`<div class="cv-row cv-bad cv-on" data-component="c"><span></span>` + icon("warn") + push + `</div>`,
		},
		{
			"rule",
			graph.Row{Kind: graph.RuleRow, ID: "r", Index: 2, Words: words[:1]},
			"", false, false,
			`<div class="cv-row cv-rule"><em>3</em><span><b>a</b></span>` + push + `</div>`,
		},
		{
			"fallback",
			graph.Row{Kind: graph.FallbackRow, Words: words[1:2]},
			"", false, false,
			`<div class="cv-row cv-else"><em></em><span>is &lt;</span>` + push + `</div>`,
		},
		{
			"more",
			graph.Row{Kind: graph.MoreRow, Words: words[1:2]},
			"", false, false,
			`<div class="cv-row cv-more"><span>is &lt;</span>` + push + `</div>`,
		},
		{
			"empty",
			graph.Row{Kind: graph.EmptyRow, Icon: "plus"},
			"", false, false,
			`<div class="cv-row cv-more">` + icon("plus") + `<span></span>` + push + `</div>`,
		},
		{
			"flow",
			graph.Row{Kind: graph.FlowRow, Icon: "flow", Flow: "af<1", Words: words[1:2]},
			"", false, false,
			`<div class="cv-row">` + icon("flow") + `<span>is &lt;</span>` + push + `</div>`,
		},
		{
			"flow by its name",
			graph.Row{Kind: graph.FlowRow, Icon: "flow", Flow: "af_1", Words: words},
			"Sign <up>", false, false,
			`<div class="cv-row">` + icon("flow") + `<span>Sign &lt;up&gt;</span>` + push + `</div>`,
		},
		{
			"flow that warns",
			graph.Row{Kind: graph.FlowRow, Icon: "flow", Warn: true},
			"", false, false,
			`<div class="cv-row cv-warn">` + icon("flow") + `<span></span>` + icon("warn") + push + `</div>`,
		},
	} {
		if got := string(appendRow(nil, &tt.row, tt.flow, "", map[bool]rowMark{true: wrong}[tt.bad], tt.on, 0)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	if got, want := string(appendRow(nil, &graph.Row{Icon: "mail"}, "", "", doubtful, false, 0)), `<div class="cv-row cv-doubt" data-component="">`+icon("mail")+`<span></span>`+icon("warn")+push+`</div>`; got != want {
		t.Errorf("with a warning:\n got %s\nwant %s", got, want)
	}
}

// The head of a card contains its name, but not its id beside that, and the number of its problems if there are any.
func TestCardHead(t *testing.T) {
	s := scene(t, source)
	head := func(id string, l look) string {
		html := card(s, id, l, false)
		from := strings.Index(html, `<div class="cv-head`)
		return html[from : from+strings.Index(html[from:], `</div>`)]
	}
	for _, id := range []string{"a", "r", "f", model.StartID, model.EndingID} {
		for n, want := range map[int]string{
			0: "", 1: `<span class="cv-badge">` + icon("warn") + `1</span>`,
			12: `<span class="cv-badge">` + icon("warn") + `12</span>`,
		} {
			got := head(id, look{row: -1, trouble: trouble{count: n}})
			if id == "a" && strings.Contains(got, ">a<") {
				t.Errorf("an id is there: %s", got)
			}
			if strings.Contains(got, "cv-badge") != (n > 0) || !strings.Contains(got, want) {
				t.Errorf("%s, %d problems: got %s", id, n, got)
			}
		}
	}
	if got := card(s, "f", look{row: -1, flow: "Welcome"}, false); !strings.Contains(got, "<span>Welcome</span>") {
		t.Errorf("the name of the flow is not shown: %s", got)
	}
}

func TestEdgeGlows(t *testing.T) {
	s := scene(t, source)
	e := s.Edge("r", "rule:two")
	for g, want := range map[glow]string{
		plain: "cv-edge cv-dangling", stream: "cv-edge cv-dangling cv-stream",
		hot: "cv-edge cv-dangling cv-hot",
	} {
		if got := elements(t, string(appendEdge(nil, e, e.Curve, nil, g)))[0].attr["class"]; got != want || edgeClass(e, g) != want {
			t.Errorf("glow %d: got %q, want %q", g, got, want)
		}
	}
}

// A label is in the middle of its edge, whatever the direction, and its size depends
// on its characters, not its bytes.
func TestLabelPlace(t *testing.T) {
	s := scene(t, source)
	rule := s.Edge("r", "rule:one")
	for _, to := range []graph.Vec{{X: 400, Y: 90}, {Y: 198}, {Y: -198}} {
		curve := graph.To(graph.Vec{X: 7}, to.Add(graph.Vec{X: 7}))
		at := curve.At(.5)
		got := elements(t, string(appendLabel(nil, rule, curve, 0, 1)))
		if len(got) != 1 || got[0].attr["style"] != string(appendPlace(nil, at)) || got[0].attr["class"] != "cv-label" {
			t.Errorf("to %v: got %v, want it at %v", to, got, at)
		}
	}
	s = scene(t, `{"nodes":[{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","alias":"日本語","condition":1,"next_node":"r"}]}}]}`)
	const room = 3*labelChar + labelRoom
	for to, want := range map[float64]int{room: 1, room - 1: 0} {
		if got := elements(t, string(appendLabel(nil, s.Edge("r", "rule:x"), graph.To(graph.Vec{}, graph.Vec{X: to}), 0, 1))); len(got) != want {
			t.Errorf("three characters on %v: got %v", to, got)
		}
	}
	// Zoomed out it keeps its size on the screen, and needs a longer edge.
	unit := labelUnit(.5)
	if got := string(appendLabel(nil, s.Edge("r", "rule:x"), graph.To(graph.Vec{}, graph.Vec{X: 2 * room}), 0, unit)); !strings.Contains(got, "scale:2") {
		t.Errorf("at 50 %%: %s", got)
	}
	if got := appendLabel(nil, s.Edge("r", "rule:x"), graph.To(graph.Vec{}, graph.Vec{X: 2*room - 2}), 0, unit); len(got) > 0 || labelUnit(2) != 1 {
		t.Errorf("at 50 %% on a short edge: %s", got)
	}
	gap := elements(t, "<x>"+string(appendGuide(nil, graph.GuideLine{
		From: graph.Vec{X: 5, Y: 10}, To: graph.Vec{X: 5, Y: 61},
		Gap: 51,
	}))+"</x>")
	if len(gap) != 3 || gap[2].attr["x"] != "5" || gap[2].attr["y"] != "35.50" || gap[2].text != "51" {
		t.Errorf("an upright gap: got %+v", gap)
	}
}

func TestNumbers(t *testing.T) {
	for f, want := range map[float64]string{
		0: "0", -3: "-3", 2.5: "2.50", -1000.25: "-1000.25", 1000.5: "1000.50", 1e6: "1000000",
		1.0 / 3: "0.33",
	} {
		if got := string(appendNumber(nil, f)); got != want {
			t.Errorf("%v: got %s, want %s", f, got, want)
		}
	}
}

func TestTroublesAtTheBounds(t *testing.T) {
	s := scene(t, source)
	if got := troublesOf(nil, onTime, s); got != nil {
		t.Errorf("no problems: got %v", got)
	}
	paths := func(texts ...string) (ps schema.Problems) {
		for _, text := range texts {
			p, err := schema.ParsePath(text)
			if err != nil {
				t.Fatal(err)
			}
			ps = append(ps, schema.Problem{Path: p})
		}
		return ps
	}
	for name, tt := range map[string]struct {
		paths []string
		want  map[string]trouble
	}{
		"a node as a whole": {[]string{"nodes[1]"}, map[string]trouble{"r": {count: 1, rows: 0}}},
		"the last node":     {[]string{"nodes[2].id"}, map[string]trouble{"f": {count: 1, rows: 0}}},
		"one after it":      {[]string{"nodes[3].id"}, nil},
		"two rows": {
			[]string{"nodes[0].config.components[0].label", "nodes[0].config.components[1]"},
			map[string]trouble{"a": {count: 2, rows: 0b11}},
		},
		"a list of the same name":  {[]string{"nodes[0].other.components[0].label"}, map[string]trouble{"a": {count: 1, rows: 0}}},
		"the list of components":   {[]string{"nodes[0].config.components"}, map[string]trouble{"a": {count: 1, rows: 0}}},
		"a list of the step alone": {[]string{"nodes[0].config.actions[0].x"}, map[string]trouble{"a": {count: 1, rows: 0}}},
	} {
		got := troublesOf(paths(tt.paths...), onTime, s)
		if len(got) != len(tt.want) {
			t.Errorf("%s: got %v", name, got)
		}
		for id, want := range tt.want {
			if got[id] != want {
				t.Errorf("%s: got %v, want %v", name, got, tt.want)
			}
		}
	}
	bad := trouble{rows: 1<<31 | 1, doubts: 3}
	for row, want := range map[int]rowMark{0: wrong, 1: doubtful, 2: unmarked, 31: wrong, 32: unmarked, 63: unmarked} {
		if bad.at(row) != want {
			t.Errorf("row %d: got %v", row, bad.at(row))
		}
	}
}

// A rule with a name shows its condition below, cut and with a tooltip if it is long.
func TestRuleShowsItsConditionBelowItsName(t *testing.T) {
	rule := func(alias, value string) string {
		return `{"id":"` + alias + `","alias":"` + alias + `","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.code}}","` +
			value + `"]}]}}`
	}
	s := scene(t, `{"name":"x","nodes":[{"id":"r","type":"ROUTER","config":{"rules":[`+rule("Short", "1<2")+`,`+
		rule("Long", strings.Repeat("x", 30))+`,{"id":"none","alias":"None"}]}}]}`)
	html := card(s, "r", look{row: -1}, false)
	for _, want := range []string{
		`<div class="cv-row cv-rule cv-two"><em>1</em><span>Short<small><b>fields.code</b> equals <b>1&lt;2</b></small></span>`,
		`<div class="cv-row cv-rule cv-two cv-long" title="Long – fields.code equals `,
		`<span>None<small>No condition</small></span>`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is not in %s", want, html)
		}
	}
}

// A row is announced by its name, its kind and what is wrong with it; a folded one by its own name.
func TestNamesOfRows(t *testing.T) {
	s := scene(t, `{"name":"x","nodes":[{"id":"a","type":"STEP","config":{"components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Your mail","required":true},{"id":"bare","category":"FIELD","type":"EMAIL"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"one","alias":"First","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","x"]}]}},
		{"id":"two","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","y"]}]}}]}}]}`)
	for _, tt := range []struct {
		node string
		row  int
		look look
		want string
	}{
		{"a", 0, look{}, "Your mail, Email, required"},
		{"a", 0, look{trouble: trouble{rows: 1}, talk: talk{rows: [14]uint8{2}}}, "Your mail, Email, required, has a problem, 2 comments"},
		{"a", 1, look{trouble: trouble{doubts: 2}}, "Email, has a warning"},
		{"a", 1, look{folded: "Street"}, "Street, Email"},
		{"r", 0, look{}, "First, Your mail equals x, rule 1"},
		{"r", 1, look{}, "Your mail equals y, rule 2"},
	} {
		tt.look.content = s.Card(tt.node).Content
		if got := nameOfRow(tt.look, tt.row); got != tt.want {
			t.Errorf("row %d of %s is announced as %q, want %q", tt.row, tt.node, got, tt.want)
		}
	}
}
