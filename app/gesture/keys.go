package gesture

import (
	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// shiftSteps is how many grid steps an arrow key moves with Shift held.
const shiftSteps = 5

// arrows are the keys that walk, and move with Control held.
var arrows = map[string]struct {
	d  graph.Direction
	by model.Point
}{
	"ArrowLeft":  {graph.Left, model.Point{X: -graph.Grid}},
	"ArrowRight": {graph.Right, model.Point{X: graph.Grid}},
	"ArrowUp":    {graph.Up, model.Point{Y: -graph.Grid}},
	"ArrowDown":  {graph.Down, model.Point{Y: graph.Grid}},
}

// Nudge returns how far a key moves what is selected while Control is held, with Shift
// five times as far; ok is false for other keys.
func Nudge(key string, far bool) (by model.Point, ok bool) {
	a, ok := arrows[key]
	if far {
		a.by = model.Point{X: a.by.X * shiftSteps, Y: a.by.Y * shiftSteps}
	}
	return a.by, ok
}

// keyDown takes a key pressed while the canvas has the focus. With Shift held a
// layout makes another character of a digit: Event.Key is then the digit.
func (c *Chart) keyDown(e Event) Effect {
	if e.Key == "Escape" {
		return c.escape()
	}
	c.mods = e.Mods
	if c.phase != Idle {
		return c.heldKey(e)
	}
	id := command.For(e.Key, e.Mods.command(), command.OnCanvas)
	if a, ok := arrows[e.Key]; ok && !e.Mods.Alt && id == command.None {
		if e.Mods.Control {
			by, _ := Nudge(e.Key, e.Mods.Shift)
			return c.nudge(by)
		}
		return c.walk(a.d)
	}
	switch {
	case e.Key == " ":
		c.space = true
		return Effect{Taken: true, Cursor: c.idleCursor()}
	case id == command.SelectAll:
		return c.selectAll()
	case id == command.SelectUpstream:
		return c.spread(editor.Upstream)
	case id == command.SelectDownstream:
		return c.spread(editor.Downstream)
	case id == command.None || e.Mods.Control: // Control with a key belongs to the page or the browser
		return Effect{}
	}
	return Effect{Action: id, Taken: true}
}

// heldKey takes a key during a gesture: a modifier changes how it snaps.
func (c *Chart) heldKey(e Event) Effect {
	eff := c.drag()
	// Everything else would act on a form that the gesture is about to change.
	isCommand := command.For(e.Key, 0, command.OnCanvas) != command.None
	_, isArrow := arrows[e.Key]
	eff.Taken = isCommand || isArrow || e.Key == " "
	return eff
}

func (c *Chart) keyUp(e Event) Effect {
	c.mods = e.Mods
	space := e.Key == " "
	if space {
		c.space = false
	}
	switch {
	case c.phase != Idle:
		eff := c.drag()
		eff.Taken = space
		return eff
	case space:
		return Effect{Cursor: c.idleCursor(), Taken: true}
	}
	return Effect{}
}

// escape ends the gesture; when there is none, the selection.
func (c *Chart) escape() Effect {
	if c.phase != Idle {
		eff := c.cancel()
		eff.Taken = true
		return eff
	}
	if c.ed.State().Selection.Empty() {
		return Effect{}
	}
	c.ed.Select(editor.Selection{})
	return Effect{Redraw: RedrawSelection, Taken: true}
}

// nudge moves what is selected by the grid. Presses that follow each other are
// one undo step.
func (c *Chart) nudge(by model.Point) Effect {
	sel := c.ed.State().Selection
	eff := Effect{Taken: true, Err: c.moveBy(sel.Nodes, by, true)}
	if n := len(sel.Nodes); n > 0 {
		eff.Reveal = sel.Nodes[n-1]
	}
	return eff
}

// walk selects the card that an arrow key leads to; the start when nothing is
// selected.
func (c *Chart) walk(d graph.Direction) Effect {
	sel := c.ed.State().Selection
	id := model.StartID
	if n := len(sel.Nodes); n > 0 {
		id = sel.Nodes[n-1]
	} else if sel.Edge != nil {
		id = sel.Edge.From
	}
	card := c.scene.Card(id)
	if sel.Empty() || card == nil {
		c.ed.Select(editor.SelectNodes(model.StartID))
		return Effect{Redraw: RedrawSelection, Taken: true, Reveal: model.StartID}
	}
	next := c.scene.Step(card, d, c.came[id])
	if next == nil || next.Broken() {
		return Effect{Taken: true}
	}
	if d == graph.Right {
		c.came[next.Key] = id
	} else if from, ok := c.came[id]; ok && d != graph.Left {
		c.came[next.Key] = from // a sibling has the same parent
	}
	c.ed.Select(editor.SelectNodes(next.Key))
	return Effect{Redraw: RedrawSelection, Taken: true, Reveal: next.Key}
}

func (c *Chart) selectAll() Effect {
	c.ed.Select(editor.SelectAll(c.ed.State()))
	return Effect{Redraw: RedrawSelection, Taken: true}
}

// spread selects what leads to the selection, or what follows it, too.
func (c *Chart) spread(of func(editor.State, []string) editor.Selection) Effect {
	s := c.ed.State()
	c.ed.Select(of(s, s.Selection.Nodes))
	return Effect{Redraw: RedrawSelection, Taken: true}
}
