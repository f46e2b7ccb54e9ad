package gesture_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// A dragged card snaps only by its left side, its upper side and its handles. The other guides of package graph
// would take it off the grid for little gain.
func TestWhatSnaps(t *testing.T) {
	flow := func(id string, x, y int) string {
		return fmt.Sprintf(`{"id":%q,"type":"FLOW","coordinates":{"x":%d,"y":%d}}`, id, x, y)
	}
	form := func(nodes ...string) string {
		list := ""
		for i, n := range nodes {
			if i > 0 {
				list += ","
			}
			list += n
		}
		return `{"start":{"coordinates":{"x":0,"y":-800}},"ending":{"coordinates":{"x":9000,"y":9000}},"nodes":[` + list + `]}`
	}
	const tall = `{"id":"t","type":"STEP","coordinates":{"x":1200,"y":377},"config":{"components":[{"id":"1","type":"TEXT"},
{"id":"2","type":"TEXT"},{"id":"3","type":"TEXT"}]}}`
	for _, tt := range []struct {
		name, form string
		from, to   graph.Vec // of the left upper corner
		x, y       int
	}{
		{"the upper side at a lower one", form(flow("a", 0, 0), flow("b", 407, 309)), graph.Vec{}, graph.Vec{X: 200, Y: 388}, 200, 385},
		{"the lower side at an upper one", form(flow("a", 0, 0), flow("b", 407, 309)), graph.Vec{}, graph.Vec{X: 200, Y: 231}, 200, 240},
		{"the right side at a left one", form(flow("a", 0, 0), flow("b", 407, 309)), graph.Vec{}, graph.Vec{X: 129, Y: 100}, 120, 100},
		{"the left side at a right one", form(flow("a", 0, 0), flow("b", 407, 309)), graph.Vec{}, graph.Vec{X: 689, Y: 100}, 687, 100},
		// The gap on the left occurs twice. Its line is level with the handles of
		// the card, whose height snaps to a middle.
		{
			"a gap at the height of the handles", form(flow("a", 0, 700), flow("l", 0, 369), flow("k", -400, 369), tall),
			graph.Vec{Y: 700},
			graph.Vec{X: 402, Y: 406},
			400, 400,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCanvas(t, tt.form)
			c.chart.SetViewport(graph.Viewport{X: 500, Y: 200, Zoom: 1})
			in := graph.Vec{X: 100, Y: 20}
			from, to := tt.from.Add(in), tt.to.Add(in)
			c.down(from.X, from.Y).move(to.X, to.Y)
			x, y := float64(tt.x), float64(tt.y)
			for _, l := range c.chart.Shown().Guides() {
				if l.Gap == 0 && l.From.X == l.To.X && l.From.X != x && l.From.X != x+280 && l.From.X != x+140 {
					t.Errorf("the upright line %v is not at the card", l)
				}
				if l.Gap == 0 && l.From.Y == l.To.Y && l.From.Y != y && l.From.Y != y+20 && l.From.Y != y+38 && l.From.Y != y+76 {
					t.Errorf("the level line %v is not at the card", l)
				}
			}
			c.up().wantPlace("a", tt.x, tt.y)
		})
	}
}

func TestGuidesFollow(t *testing.T) {
	const off = `{"start":{"coordinates":{"x":0,"y":-5000}},"ending":{"coordinates":{"x":0,"y":-4000}},"nodes":[
{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0}},{"id":"b","type":"FLOW","coordinates":{"x":407,"y":309}},
{"id":"far","type":"FLOW","coordinates":{"x":2003,"y":309}}]}`
	t.Run("control pressed on the way", func(t *testing.T) {
		c := newCanvas(t, off)
		if c.down(100, 20).move(505, 120); len(c.chart.Shown().Guides()) == 0 {
			t.Fatal("no lines before")
		}
		if c.with(control).key("Control"); len(c.chart.Shown().Guides()) != 0 {
			t.Errorf("got %v", c.chart.Shown().Guides())
		}
	})
	t.Run("out of view", func(t *testing.T) {
		c := newCanvas(t, off)
		c.chart.Resize(graph.Vec{X: 1500, Y: 1000})
		c.down(100, 20).move(100+1190, 20).move(100+2005, 20).up().wantPlace("a", 2000, 0)
	})
	t.Run("come into view", func(t *testing.T) {
		for name, pan := range map[string]func(*canvas){
			"wheel": func(c *canvas) { c.send(gesture.Event{Type: gesture.Wheel, Wheel: graph.Vec{X: 1200}}) },
			"tick": func(c *canvas) {
				c.at = graph.Vec{X: 1500, Y: 300}
				c.send(gesture.Event{Type: gesture.Move, At: c.at})
				for range 10 {
					c.send(gesture.Event{Type: gesture.Tick, Dt: 100 * time.Millisecond})
				}
			},
		} {
			c := newCanvas(t, off)
			c.chart.Resize(graph.Vec{X: 1500, Y: 1000})
			c.down(100, 20).move(300, 20)
			pan(c)
			c.move(100+2005, 20).up()
			if got := c.place("a"); got.X != 2003 {
				t.Errorf("%s: got %v, want it to snap to 2003", name, got)
			}
		}
	})
	t.Run("of the next drag", func(t *testing.T) {
		c := newCanvas(t, off)
		c.down(100, 20).move(505, 120).up().wantPlace("a", 407, 100)
		c.down(507, 329).move(512, 529).up().wantPlace("b", 407, 500)
	})
}

// A card snaps to the left side or the handles of one that is off the grid, and a line shows
// why. Control turns it off.
func TestGuides(t *testing.T) {
	const off = `{"nodes":[{"id":"a","type":"FLOW","coordinates":{"x":0,"y":0}},{"id":"b","type":"FLOW","coordinates":{"x":407,"y":309}}]}`
	c := newCanvas(t, off)
	c.down(100, 20).move(505, 120)
	if got := c.chart.Shown().Guides(); len(got) == 0 ||
		!slices.ContainsFunc(got, func(g graph.GuideLine) bool { return g.From.X == 407 && g.To.X == 407 }) {
		t.Errorf("the left side: got %v", got)
	}
	c.up().wantPlace("a", 407, 100)
	if len(c.chart.Shown().Guides()) != 0 {
		t.Error("the lines are left after the drag")
	}
	c = newCanvas(t, off)
	c.down(100, 20).move(105, 331).up().wantPlace("a", 0, 309)
	c = newCanvas(t, off)
	c.with(control).down(100, 20).move(505, 331).up().wantPlace("a", 405, 311)
	c = newCanvas(t, off)
	c.down(100, 20).move(305, 120).up().wantPlace("a", 200, 100)
}
