package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

func TestDetail(t *testing.T) {
	for zoom, want := range map[float64]string{
		1: "", smallZoom: "", .84: "cv-small", slimZoom: "cv-small", .61: "cv-small cv-slim", graph.NameZoom: "cv-small cv-slim",
		.44: "cv-named", tinyZoom: "cv-named", .1: "cv-tiny",
	} {
		if got := detailOf(zoom); got != want {
			t.Errorf("at %v cards have %q, want %q", zoom, got, want)
		}
	}
	// The style sheet gives a title 34 pixels or none, beside the bar and the margins, and a line of 12.
	if room := graph.CardWidth*tinyZoom - 12; room < 34 || room > 38 || graph.NewCardHeight*tinyZoom < 12 {
		t.Errorf("at %v a title has %v pixels", tinyZoom, room)
	}
}
