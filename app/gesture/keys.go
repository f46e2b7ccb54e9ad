package gesture

import (
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

// actions are the keys that the page answers. Control with one of them belongs
// to the page or the browser.
var actions = map[string]Action{
	"Delete": DeleteAction, "Backspace": DeleteAction,
	"c": ConnectAction, "C": ConnectAction,
	"n": AddAction, "N": AddAction,
	"e": EditAction, "E": EditAction, "Enter": EditAction,
	"+": ZoomInAction, "=": ZoomInAction, "-": ZoomOutAction, "_": ZoomOutAction, "0": ZoomResetAction,
	"?": HelpAction,
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
	if a, ok := arrows[e.Key]; ok && !e.Mods.Alt {
		switch {
		case e.Mods.Control:
			return c.nudge(a.by, e.Mods.Shift)
		case e.Mods.Shift && a.d == graph.Left:
			return c.spread(editor.Upstream)
		case e.Mods.Shift && a.d == graph.Right:
			return c.spread(editor.Downstream)
		}
		return c.walk(a.d)
	}
	switch {
	case e.Key == " ":
		c.space = true
		return Effect{Taken: true, Cursor: c.idleCursor()}
	case (e.Key == "a" || e.Key == "A") && e.Mods.Control && !e.Mods.Alt:
		return c.selectAll()
	case e.Key == "F8" && e.Mods.Shift:
		return Effect{Action: PreviousProblemAction, Taken: true}
	case e.Key == "F8":
		return Effect{Action: NextProblemAction, Taken: true}
	case e.Key == "1" && e.Mods.Shift:
		return Effect{Action: FitAction, Taken: true}
	case e.Key == "2" && e.Mods.Shift:
		return Effect{Action: FitSelectionAction, Taken: true}
	}
	if a, ok := actions[e.Key]; ok && !e.Mods.Control && !e.Mods.Alt {
		return Effect{Action: a, Taken: true}
	}
	return Effect{}
}

// heldKey takes a key during a gesture: a modifier changes how it snaps.
func (c *Chart) heldKey(e Event) Effect {
	eff := c.drag()
	// Everything else would act on a form that the gesture is about to change.
	_, isAction := actions[e.Key]
	_, isArrow := arrows[e.Key]
	eff.Taken = isAction || isArrow || e.Key == " "
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
func (c *Chart) nudge(by model.Point, far bool) Effect {
	if far {
		by = model.Point{X: by.X * shiftSteps, Y: by.Y * shiftSteps}
	}
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
