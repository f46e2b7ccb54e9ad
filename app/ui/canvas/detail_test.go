package canvas

import (
	"testing"

	"github.com/formgraph/formgraph/app/graph"
)

func TestDetail(t *testing.T) {
	for _, c := range []struct {
		zoom          float64
		cards, ghosts string
	}{
		{1, "", ""},
		{smallZoom, "", ""},
		{.84, "cv-small", "cv-small"},
		{slimZoom, "cv-small", "cv-small"},
		{.46, "cv-small cv-slim", "cv-small cv-slim"},
		{graph.NameZoom, "cv-small cv-slim", "cv-small cv-slim"},
		{.44, "cv-named", "cv-small cv-slim cv-bare"},
		{tinyZoom, "cv-named", "cv-small cv-slim cv-bare"},
		{.1, "cv-tiny", "cv-tiny"},
	} {
		if cards, ghosts := detailOf(c.zoom), ghostDetailOf(c.zoom); cards != c.cards || ghosts != c.ghosts {
			t.Errorf("at %v cards have %q and ghosts %q, want %q and %q", c.zoom, cards, ghosts, c.cards, c.ghosts)
		}
	}
	// The style sheet gives a line of a name of 11 pixels a height of 1.1.
	if lines := graph.HeaderHeight * slimZoom / (11 * 1.1); lines < 2 || lines > 2.2 {
		t.Errorf("%v lines have room in a head at %v", lines, slimZoom)
	}
}
