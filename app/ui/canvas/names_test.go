package canvas

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// grid returns a scene of n steps in a square.
func grid(t *testing.T, n int, alias func(i int) string) *graph.Scene {
	t.Helper()
	var nodes []string
	for i := range n {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","type":"STEP","alias":%q,"coordinates":{"x":%d,"y":%d},"config":{"components":[]}}`, i,
			alias(i), i%40*360, i/40*200))
	}
	return scene(t, `{"start":{"coordinates":{"x":-300,"y":0}},"ending":{"coordinates":{"x":-300,"y":400}},"nodes":[`+strings.Join(nodes,
		",")+`]}`)
}

// Names overlap at no zoom; those of the ends are always shown, and some name is shown at every zoom.
func TestNamesDoNotOverlap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"Your company", "Contact", "Terms of service and privacy", "Straße", "名前を入力してください", "x"}
	s := grid(t, 1200, func(int) string { return words[rnd.IntN(len(words))] })
	order := nameOrder(s.Cards())
	for _, zoom := range []float64{.05, .08, .12, .16, .17, .25, .44} {
		names := pickNames(order, s.Bounds(), zoom, nil)
		if len(names) < 20 || names[0].text != "Start" || names[1].text != "Ending" {
			t.Errorf("at %v there are %d names, the first %+v", zoom, len(names), names[0])
		}
		boxes := make([]graph.Rect, len(names))
		for i, n := range names {
			at := n.at.Scale(zoom).Add(n.by)
			w := nameWidth(n.text)
			boxes[i] = graph.Rect{X: at.X, Y: at.Y - nameHeight/2, W: w, H: nameHeight}
			if n.centered {
				boxes[i].X -= w / 2
			}
			for _, o := range boxes[:i] {
				if o.Overlaps(boxes[i]) {
					t.Fatalf("at %v %q at %v overlaps %v", zoom, n.text, boxes[i], o)
				}
			}
		}
	}
}

// Names stay inside their cards as long as some cards are large enough.
func TestNamesStayInTheirCards(t *testing.T) {
	s := grid(t, 6, func(i int) string { return strings.Repeat("Wide words ", i+1) })
	for _, zoom := range []float64{.17, .2, .3, .44} {
		for _, c := range s.Cards()[2:] {
			n, _ := nameOf(c, zoom)
			if right := n.by.X + nameWidth(n.text); n.text == "" || n.centered || right > c.Rect.W*zoom {
				t.Errorf("at %v %q ends at %v of %v", zoom, n.text, right, c.Rect.W*zoom)
			}
		}
	}
	if n, _ := nameOf(s.Card(model.StartID), .2); !n.centered || n.text != "Start" {
		t.Errorf("the start is named %+v", n)
	}
}
