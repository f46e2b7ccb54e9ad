package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/graph/graphtest"
)

// scattered returns a scene of unconnected flow cards at these places. The two ends
// are far above and below.
func scattered(t *testing.T, places ...[2]int) *graph.Scene {
	t.Helper()
	var nodes []string
	for i, p := range places {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"FLOW","coordinates":{"x":%d,"y":%d}}`, i, p[0], p[1]))
	}
	return graph.New(
		graphtest.Form(
			t,
			`{"start":{"coordinates":{"x":0,"y":-99999}},"ending":{"coordinates":{"x":0,"y":99999}},"nodes":[`+strings.Join(nodes, ",")+`]}`,
		),
	)
}

func stepTo(s *graph.Scene, at string, d graph.Direction, from string) string {
	if c := s.Step(s.Card(at), d, from); c != nil {
		return c.ID
	}
	return ""
}

// Without an edge the nearest card is next: cards straight ahead before those aside, and
// none that is behind or far aside.
func TestStepToTheNearest(t *testing.T) {
	for _, tt := range []struct {
		name   string
		places [][2]int // the first is where the walk is
		d      graph.Direction
		want   string
	}{
		{"ahead before aside", [][2]int{{0, 0}, {400, 150}, {600, 0}}, graph.Right, "n2"},
		{"aside when ahead is far", [][2]int{{0, 0}, {400, 150}, {800, 0}}, graph.Right, "n1"},
		{"as far aside as may be", [][2]int{{0, 0}, {100, 400}}, graph.Right, "n1"},
		{"too far aside", [][2]int{{0, 0}, {100, 401}}, graph.Right, ""},
		{"behind", [][2]int{{0, 0}, {-400, 0}}, graph.Right, ""},
		{"upright is not a way ahead", [][2]int{{0, 0}, {0, 400}}, graph.Right, ""},
		{"one on the other", [][2]int{{0, 0}, {0, 0}}, graph.Right, ""},
		{"left", [][2]int{{0, 0}, {400, 0}, {-500, 0}}, graph.Left, "n2"},
		{"up", [][2]int{{0, 0}, {500, -290}, {0, -300}, {0, 200}}, graph.Up, "n2"},
		{"down", [][2]int{{0, 0}, {500, 290}, {0, 300}, {0, -200}}, graph.Down, "n2"},
		{"up to the end", [][2]int{{0, 0}, {0, 200}}, graph.Up, "$start"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := stepTo(scattered(t, tt.places...), "n0", tt.d, ""); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// The walk skips edges that lead back to the card itself, visits a card once that two
// edges lead to, and stays among the siblings of the card that it came from.
func TestStepAlongEdges(t *testing.T) {
	s := graph.New(graphtest.Form(t, `{"start":{"coordinates":{"x":9000,"y":9000}},"ending":{"coordinates":{"x":9000,"y":9200}},"nodes":[
		{"id":"p","type":"ROUTER","coordinates":{"x":0,"y":0},"config":{"rules":[{"id":"1","condition":1,"next_node":"p"},
{"id":"2","condition":1,"next_node":"c"},{"id":"3","condition":1,"next_node":"c"}],"fallback":"d"}},
		{"id":"q","type":"ROUTER","coordinates":{"x":0,"y":900},"config":{"rules":[{"id":"1","condition":1,"next_node":"c"}],"fallback":"e"}},
		{"id":"c","type":"FLOW","coordinates":{"x":600,"y":400}},
		{"id":"d","type":"FLOW","coordinates":{"x":600,"y":800},"config":{"next_node":"d"}},
		{"id":"e","type":"FLOW","coordinates":{"x":600,"y":1200}},
		{"id":"near","type":"FLOW","coordinates":{"x":600,"y":550}},
		{"id":"above","type":"FLOW","coordinates":{"x":600,"y":700}}]}`))
	for _, tt := range []struct {
		at, from string
		d        graph.Direction
		want     string
	}{
		{"p", "", graph.Right, "c"},
		{"c", "", graph.Down, "d"},
		{"c", "p", graph.Down, "d"},
		{"c", "q", graph.Down, "e"},
		{"d", "p", graph.Up, "c"},
		{"e", "q", graph.Up, "c"},
		{"d", "", graph.Left, "p"},
		{"c", "q", graph.Left, "q"},
		{"c", "", graph.Left, "p"},
	} {
		if got := stepTo(s, tt.at, tt.d, tt.from); got != tt.want {
			t.Errorf("%s in direction %d from %q: got %q, want %q", tt.at, tt.d, tt.from, got, tt.want)
		}
	}
	s = graph.New(
		graphtest.Form(t, `{"nodes":[{"id":"x","type":"FLOW","config":{"next_node":"x"}},{"id":"y","type":"FLOW","config":{"next_node":"x"}}]}`),
	)
	if got := stepTo(s, "x", graph.Left, ""); got != "y" {
		t.Errorf("left of a card that leads to itself: got %q", got)
	}
}
