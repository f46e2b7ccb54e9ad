package gesture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// grid returns a chart over 1,000 cards in rows of 40, each of which leads to the next.
func grid(b *testing.B) *gesture.Chart {
	b.Helper()
	var nodes []string
	for i := range 1000 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"FLOW","coordinates":{"x":%d,"y":%d},"config":{"next_node":"n%d"}}`,
			i, i%40*400, i/40*200, (i+1)%1000))
	}
	tree, problems := schema.Decode([]byte(`{"nodes":[` + strings.Join(nodes, ",") + `]}`))
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	ed := editor.New(model.FromTree(tree.(*schema.Object)), editor.Config{})
	chart := gesture.New(ed, graph.New(ed.State().Form), gesture.Options{})
	chart.Resize(graph.Vec{X: 2000, Y: 1000})
	return chart
}

// BenchmarkMove is one move of the pointer in each state that does something with it.
func BenchmarkMove(b *testing.B) {
	for _, bm := range []struct {
		name  string
		press graph.Vec
		down  bool
	}{
		{"hover", graph.Vec{}, false},
		{"drag", graph.Vec{X: 500, Y: 220}, true},
		{"marquee", graph.Vec{X: 350, Y: 150}, true},
		{"connect", graph.Vec{X: 680, Y: 220}, true},
	} {
		b.Run(bm.name, func(b *testing.B) {
			chart := grid(b)
			if bm.down {
				chart.Handle(gesture.Event{Type: gesture.Down, At: bm.press})
			}
			i := 0
			for b.Loop() {
				i++
				chart.Handle(gesture.Event{Type: gesture.Move, At: graph.Vec{X: float64(300 + i*7%1400), Y: float64(200 + i*3%600)}})
			}
		})
	}
}
