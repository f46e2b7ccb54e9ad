package gesture_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/graph"
)

// A press on the row that stands for the rest selects the card and asks to show the rest.
func TestFoldedRowShowsTheRest(t *testing.T) {
	var components []string
	for i := range graph.FoldAfter + 4 {
		components = append(components, fmt.Sprintf(`{"id":"c%d","category":"FIELD","type":"TEXT"}`, i))
	}
	c := newCanvas(
		t,
		`{"name":"x","nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[`+strings.Join(components, ",")+`]}}]}`,
	)
	row := func(i int) float64 { return graph.HeaderHeight + graph.ListPadding + (float64(i)+.5)*graph.RowHeight }
	c.click(100, row(graph.FoldAfter)).wantSelected("a").wantUndo("")
	if c.last.Action != command.Parts {
		t.Errorf("the folded row asks for %q", c.last.Action)
	}
	if c.click(100, row(0)).wantSelected("a/c0"); c.last.Action != command.None {
		t.Errorf("a component asks for %q", c.last.Action)
	}
	if c.with(shift).click(100, row(graph.FoldAfter)); c.last.Action != command.None {
		t.Errorf("with Shift the folded row asks for %q", c.last.Action)
	}
}
