package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Between the rows of a card are the places of its parts; the row of the folded ones has all of them.
func TestPlacesBetweenRows(t *testing.T) {
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprintf(`{"id":"c%d","category":"FIELD","type":"TEXT"}`, i))
	}
	v, problems := schema.Decode([]byte(`{"name":"x","nodes":[
		{"id":"few","type":"STEP","coordinates":{"x":100,"y":50},"config":{"components":[` + strings.Join(many[:2], ",") + `]}},
		{"id":"many","type":"STEP","coordinates":{"x":600,"y":0},"config":{"components":[` + strings.Join(many, ",") + `]}},
		{"id":"none","type":"STEP","coordinates":{"x":1100,"y":0}},
		{"id":"r","type":"ROUTER","coordinates":{"x":1600,"y":0},"config":{"rules":[{"id":"a"},{"id":"b","alias":"Named"}]}}]}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := graph.New(model.FromTree(v.(*schema.Object)))
	const top, row = graph.HeaderHeight + graph.ListPadding, graph.RowHeight
	for _, tt := range []struct {
		card   string
		y      float64 // below the card's upper side
		before int
		line   float64
	}{
		{"few", -10, 0, top},
		{"few", 5, 0, top},
		{"few", top + 13, 0, top},
		{"few", top + 15, 1, top + row},
		{"few", top + row + 15, 2, top + 2*row},
		{"few", 500, 2, top + 2*row},
		{"many", top + 12*row - 10, 12, top + 12*row},
		{"many", top + 12*row + 20, 20, top + 13*row},
		{"none", 60, 0, top},
		{"r", top + row + 10, 1, top + row},
		{"r", top + row + 30, 2, top + row + graph.RuleHeight},
		{"r", 500, 2, top + row + graph.RuleHeight},
	} {
		c := s.Card(tt.card)
		before, line := c.Between(c.Rect.Y + tt.y)
		if want := (graph.Vec{X: c.Rect.X, Y: c.Rect.Y + tt.line}); before != tt.before || line != want {
			t.Errorf("%s at %v: got %d, %v; want %d, %v", tt.card, tt.y, before, line, tt.before, want)
		}
	}
	if s.CardAt(graph.Vec{X: 120, Y: 60}, nil) != s.Card("few") || s.CardAt(graph.Vec{X: 90, Y: 60}, nil) != nil {
		t.Error("the card at a point is another one")
	}
	if h := s.Hit(graph.Vec{X: 110, Y: 50 + top + 10}, 1, nil); h.Spot != graph.GripSpot || h.Row != 0 {
		t.Errorf("at the left of a row: %+v", h)
	}
	if h := s.Hit(graph.Vec{X: 1110, Y: top + 10}, 1, nil); h.Spot != graph.NoSpot {
		t.Errorf("a row without a part has a grip: %+v", h)
	}
}
