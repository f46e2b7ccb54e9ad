package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// appendLabel appends the label of the edge under the pointer.
func appendLabel(b []byte, e *graph.Edge, c graph.Curve, up, unit float64) []byte {
	l := labels{scene: graph.New(&model.Form{})}
	return l.append(b, e, c, up, unit, true)
}

// A label lies on no card and on no other label. Only the edge under the pointer has one without room.
func TestLabelsHaveRoom(t *testing.T) {
	s := scene(t, source)
	e, r := s.Edge("r", "rule:one"), s.Card("r").Rect
	l := labels{scene: s}
	at := func(y float64) graph.Curve {
		return graph.To(graph.Vec{X: r.X - 200, Y: y}, graph.Vec{X: r.Right() + 200, Y: y})
	}
	place := func(c graph.Curve, pointed bool) string {
		for _, el := range elements(t, "<x>"+string(l.append(nil, e, c, 0, 1, pointed))+"</x>")[1:] {
			return el.attr["style"]
		}
		return ""
	}
	free := at(r.Y - 50)
	first, second := place(free, false), place(free, false)
	if first != string(appendPlace(nil, free.At(.5))) || second == first || second == "" {
		t.Errorf("two labels at the same edge: at %q and %q", first, second)
	}
	over := at(r.Y + 20)
	if got := place(over, false); got == string(appendPlace(nil, over.At(.5))) {
		t.Errorf("a label is on a card: %q", got)
	}
	inside := graph.To(graph.Vec{X: r.X + 10, Y: r.Y + 20}, graph.Vec{X: r.Right() - 10, Y: r.Y + 20})
	if got := place(inside, false); got != "" {
		t.Errorf("without room: %q", got)
	}
	if got := place(inside, true); got != string(appendPlace(nil, inside.At(.5))) {
		t.Errorf("without room, under the pointer: %q", got)
	}
}

// A label ends 12 pixels before the handles. On a short edge the name in its condition is shortened, but a condition never loses its value.
func TestLabelsClearOfHandles(t *testing.T) {
	s := scene(t, `{"nodes":[
		{"id":"a","type":"STEP","config":{"components":[{"id":"why","category":"FIELD","type":"TEXT","label":"What brings you here today?"}]}},
		{"id":"r","type":"ROUTER","config":{"rules":[{"id":"x","condition":{"operator":"EQ","operands":["{{fields.why}}","yes"]},"next_node":"a"},
			{"id":"y","alias":"Only grown up people","next_node":"a"},{"id":"z","alias":"Go on…","next_node":"a"}]}}]}`)
	for _, tt := range []struct {
		port model.Port
		gap  float64
		want string
	}{
		{"rule:x", 400, "What brings… equals yes"},
		{"rule:x", 192, "What brings… equals yes"},
		{"rule:x", 191, "What brings… equals yes"},
		{"rule:x", 160, "What b… equals yes"},
		{"rule:x", 149, ""},
		{"rule:x", 30, ""},
		{"rule:y", 168, "Only grown up people"},
		{"rule:y", 160, ""},
		{"rule:z", 100, "Go on…"},
	} {
		curve := graph.To(graph.Vec{}, graph.Vec{X: tt.gap})
		got := ""
		for _, el := range elements(t, "<x>"+string(appendLabel(nil, s.Edge("r", tt.port), curve, 0, 1))+"</x>")[1:] {
			got = el.text
		}
		if got != tt.want {
			t.Errorf("%s over %v: %q, want %q", tt.port, tt.gap, got, tt.want)
		}
	}
}
