package gesture_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

var (
	shift   = gesture.Mods{Shift: true}
	control = gesture.Mods{Control: true}
	alt     = gesture.Mods{Alt: true}
)

// source is the form of most tests. Headers: a 0,0; r 400,0; f 803,7; loose has
// no coordinates and is drawn at 0,220.
const source = `{"name":"x","start":{"next_node":"a","coordinates":{"x":-160,"y":0}},"ending":{"coordinates":{"x":1200,"y":0}},"nodes":[
{"id":"a","type":"STEP","alias":"Contact","coordinates":{"x":0,"y":0},"config":{"components":[
 {"id":"c1","category":"FIELD","type":"EMAIL","label":"Mail"},
 {"id":"c2","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"$ending"}}],"next_node":"r"}},
{"id":"r","type":"ROUTER","coordinates":{"x":400,"y":0},"config":{"rules":[{"id":"one","condition":1,"next_node":"f"},
{"id":"two","condition":2}],"fallback":"a"}},
{"id":"f","type":"FLOW","coordinates":{"x":803,"y":7},"config":{"flow_id":"af_1"}},
{"id":"loose","type":"STEP"}]}`

// firstView is what a new canvas shows.
var firstView = graph.Viewport{X: 300, Y: 200, Zoom: 1}

// canvas drives an editor with events, as the browser would.
type canvas struct {
	t     *testing.T
	ed    *editor.Editor
	scene *graph.Scene
	chart *gesture.Chart
	at    graph.Vec
	last  gesture.Effect
	mods  gesture.Mods
	touch bool
}

func newCanvas(t *testing.T, src string, opts ...func(*editor.Config, *gesture.Options)) *canvas {
	t.Helper()
	v, problems := schema.Decode([]byte(src))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var now time.Time
	config := editor.Config{Now: func() time.Time { return now }, Rand: func(int) int { return 0 }}
	var o gesture.Options
	for _, f := range opts {
		f(&config, &o)
	}
	ed := editor.New(model.FromTree(v.(*schema.Object)), config)
	scene := graph.New(ed.State().Form)
	c := &canvas{t: t, ed: ed, scene: scene, chart: gesture.New(ed, scene, o)}
	c.chart.Resize(graph.Vec{X: 2000, Y: 1000})
	c.chart.SetViewport(firstView)
	ed.Observe(func() {
		scene.Update(ed.State().Form)
		c.chart.Changed()
	})
	return c
}

func readOnly(c *editor.Config, _ *gesture.Options)   { c.ReadOnly = true }
func wheelZooms(_ *editor.Config, o *gesture.Options) { o.WheelZooms = true }

func (c *canvas) send(e gesture.Event) *canvas {
	e.Mods = c.mods
	if c.touch {
		e.Device = gesture.Touch
	}
	c.last = c.chart.Handle(e)
	return c
}

// down, move and up take points of the form.
func (c *canvas) down(x, y float64) *canvas {
	c.at = c.chart.Viewport().ToScreen(graph.Vec{X: x, Y: y})
	return c.send(gesture.Event{Type: gesture.Down, At: c.at})
}

func (c *canvas) move(x, y float64) *canvas {
	c.at = c.chart.Viewport().ToScreen(graph.Vec{X: x, Y: y})
	return c.send(gesture.Event{Type: gesture.Move, At: c.at})
}

func (c *canvas) up() *canvas { return c.send(gesture.Event{Type: gesture.Up, At: c.at}) }

func (c *canvas) click(x, y float64) *canvas { return c.down(x, y).up() }

func (c *canvas) menu(x, y float64) *canvas {
	return c.send(gesture.Event{Type: gesture.Menu, At: firstView.ToScreen(graph.Vec{X: x, Y: y})})
}

func (c *canvas) key(k string) *canvas { return c.send(gesture.Event{Type: gesture.KeyDown, Key: k}) }

func (c *canvas) with(m gesture.Mods) *canvas {
	c.mods = m
	return c
}

func (c *canvas) place(id string) model.Point {
	switch id {
	case model.StartID:
		return c.ed.State().Form.Start.At
	case model.EndingID:
		return c.ed.State().Form.Ending.At
	}
	n, _ := c.ed.State().Form.Node(id)
	return n.At
}

func (c *canvas) leads(id string, port model.Port) string {
	o, _ := c.ed.State().Form.OutOf(id, port)
	return string(o.To)
}

func selected(s editor.Selection) string {
	out := strings.Join(s.Nodes, ",")
	if s.Component != "" {
		out += "/" + s.Component
	}
	if s.Rule != "" {
		out += "/" + s.Rule
	}
	if s.Edge != nil {
		out += fmt.Sprintf("%s:%s", s.Edge.From, s.Edge.Port)
	}
	return out
}

func (c *canvas) wantSelected(want string) *canvas {
	c.t.Helper()
	if got := selected(c.ed.State().Selection); got != want {
		c.t.Errorf("selection: got %q, want %q", got, want)
	}
	return c
}

func (c *canvas) wantPlace(id string, x, y int) *canvas {
	c.t.Helper()
	if got, want := c.place(id), (model.Point{X: x, Y: y}); got != want {
		c.t.Errorf("%s: got %v, want %v", id, got, want)
	}
	return c
}

func (c *canvas) wantLeads(id string, port model.Port, want string) *canvas {
	c.t.Helper()
	if got := c.leads(id, port); got != want {
		c.t.Errorf("%s:%s leads to %q, want %q", id, port, got, want)
	}
	return c
}

func (c *canvas) wantUndo(label string) *canvas {
	c.t.Helper()
	if got := c.ed.UndoLabel(); got != label {
		c.t.Errorf("undo: got %q, want %q", got, label)
	}
	return c
}

func (c *canvas) wantPhase(want gesture.Phase) *canvas {
	c.t.Helper()
	if got := c.chart.Phase(); got != want {
		c.t.Errorf("phase: got %d, want %d", got, want)
	}
	return c
}

// sendAt sends an event of a type at a point of the screen.
func (c *canvas) sendAt(typ gesture.Type, x, y float64) *canvas {
	c.at = graph.Vec{X: x, Y: y}
	return c.send(gesture.Event{Type: typ, At: c.at})
}
