package canvas

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
)

// A component or rule that is selected although its card folds it is named in the row for the folded ones.
func TestFoldedSelectionIsNamed(t *testing.T) {
	var components, rules []string
	for i := range graph.FoldAfter + 3 {
		components = append(components, fmt.Sprintf(`{"id":"c%d","category":"FIELD","type":"TEXT","label":"Question %d"}`, i, i))
		rules = append(rules, fmt.Sprintf(`{"id":"r%d","alias":"Case %d"}`, i, i))
	}
	f := formtest.Parse(t, `{"id":"f","name":"F","nodes":[{"id":"s","type":"STEP","config":{"components":[`+strings.Join(components, ",")+`]}},
		{"id":"r","type":"ROUTER","config":{"rules":[`+strings.Join(rules, ",")+`]}}]}`)
	scene := graph.New(f)
	for _, test := range []struct {
		sel  editor.Selection
		row  int
		want string
	}{
		{editor.Selection{Nodes: []string{"s"}, Component: "c1"}, 1, "Question 1"},
		{editor.Selection{Nodes: []string{"s"}, Component: "c14"}, graph.FoldAfter, "+3 more · Question 14"},
		{editor.Selection{Nodes: []string{"r"}, Rule: "r13"}, graph.FoldAfter, "+3 more · Case 13"},
		{editor.SelectNodes("s"), -1, ""},
	} {
		c := scene.Card(test.sel.Only())
		l := look{content: c.Content, id: c.ID, row: pick(test.sel).row(c)}
		if l.row != test.row {
			t.Errorf("%+v is in row %d, want %d", test.sel, l.row, test.row)
		}
		l.folded = foldedPart(f, test.sel, c, l.row)
		html := string(appendInner(nil, l))
		if i := strings.Index(html, "cv-on"); test.row >= 0 && (i < 0 || !strings.Contains(strings.ReplaceAll(html[i:], "</span><span>", " "), test.want)) || test.row < 0 && i >= 0 {
			t.Errorf("%+v is drawn as %s", test.sel, html)
		}
	}
}

// The rows of components that are selected together are marked, on their card only.
func TestSelectedComponentsAreMarked(t *testing.T) {
	f := formtest.Parse(t, `{"id":"f","name":"F","nodes":[{"id":"s","type":"STEP","config":{"components":[
		{"id":"a","category":"FIELD","type":"TEXT","label":"A"},{"id":"ab","category":"FIELD","type":"TEXT","label":"AB"},
		{"id":"b","category":"FIELD","type":"TEXT","label":"B"}]}},{"id":"o","type":"STEP","config":{"components":[{"id":"c","category":"FIELD","type":"TEXT"}]}}]}`)
	scene := graph.New(f)
	at := pick(editor.Selection{Nodes: []string{"s"}, Parts: []string{"b", "ab"}})
	for key, want := range map[string]string{"s": "ab b", "o": ""} {
		c := scene.Card(key)
		l := look{content: c.Content, id: c.ID, row: at.row(c), parts: at.parts(c)}
		var marked []string
		for i := range c.Rows {
			if l.chosen(&c.Rows[i]) {
				marked = append(marked, c.Rows[i].ID)
			}
		}
		if got := strings.Join(marked, " "); got != want || strings.Count(string(appendInner(nil, l)), "cv-on") != len(marked) {
			t.Errorf("%s: %q are marked, want %q", key, got, want)
		}
	}
}

// The path through what is under the pointer is lit, else that through what is selected, if that is one node or edge.
func TestWhatIsLit(t *testing.T) {
	s := graph.New(formtest.Parse(t, `{"id":"f","name":"F","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","config":{"next_node":"b"}},{"id":"b","type":"STEP","config":{"next_node":"$ending"}}]}`))
	a, b := s.Card("a"), s.Card("b")
	edge := s.Edge("a", model.NextPort)
	ofEdge := editor.Selection{Edge: &editor.EdgeRef{From: "a", Port: model.NextPort}}
	for name, tt := range map[string]struct {
		selected editor.Selection
		hover    graph.Hit
		want     streamed
	}{
		"nothing":                {},
		"a node":                 {selected: editor.SelectNodes("a"), want: streamed{cards: []*graph.Card{a}}},
		"two nodes":              {selected: editor.SelectNodes("a", "b")},
		"an edge":                {selected: ofEdge, want: streamed{edges: []*graph.Edge{edge}}},
		"an edge that is gone":   {selected: editor.Selection{Edge: &editor.EdgeRef{From: "x", Port: model.NextPort}}},
		"the pointer on a card":  {selected: ofEdge, hover: graph.Hit{Card: b}, want: streamed{cards: []*graph.Card{b}}},
		"the pointer on an edge": {selected: editor.SelectNodes("b"), hover: graph.Hit{Edge: edge}, want: streamed{edges: []*graph.Edge{edge}}},
	} {
		if got := pick(tt.selected).streamed(s, tt.hover); !got.same(tt.want) {
			t.Errorf("%s: got %d cards and %d edges", name, len(got.cards), len(got.edges))
		}
	}
}
