package gesture

import (
	"cmp"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// shiftSteps is how many grid steps an arrow key moves with Shift held.
const shiftSteps = 5

// arrows are the keys that walk, and with Control held move the selection.
var arrows = map[string]struct {
	d  graph.Direction
	by model.Point
}{
	"ArrowLeft":  {graph.Left, model.Point{X: -graph.Grid}},
	"ArrowRight": {graph.Right, model.Point{X: graph.Grid}},
	"ArrowUp":    {graph.Up, model.Point{Y: -graph.Grid}},
	"ArrowDown":  {graph.Down, model.Point{Y: graph.Grid}},
}

// Nudge returns how far a key moves the selection while Control is held, five times as far with Shift; ok is false for other keys.
func Nudge(key string, far bool) (by model.Point, ok bool) {
	a, ok := arrows[key]
	if far {
		a.by = model.Point{X: a.by.X * shiftSteps, Y: a.by.Y * shiftSteps}
	}
	return a.by, ok
}

// keyDown handles a key that is pressed while the canvas has the focus. With Shift held, a keyboard layout turns a digit into another
// character: Event.Key is then the digit.
func (c *Chart) keyDown(e Event) Effect {
	if e.Key == "Escape" {
		return c.escape()
	}
	c.canvas.mods = e.Mods
	if c.running != nil {
		// A modifier changes how the gesture snaps. Anything else would act on a form that the gesture is about to change.
		eff := c.running.follow()
		isCommand := command.For(e.Key, 0, command.OnCanvas) != command.None
		_, isArrow := arrows[e.Key]
		eff.Taken = isCommand || isArrow || e.Key == " "
		return eff
	}
	if e.Key == " " {
		c.rest.space = true
		return Effect{Taken: true, Cursor: c.rest.cursor()}
	}
	return c.keys.down(e)
}

func (c *Chart) keyUp(e Event) Effect {
	c.canvas.mods = e.Mods
	space := e.Key == " "
	if space {
		c.rest.space = false
	}
	var eff Effect
	if c.running != nil {
		eff = c.running.follow()
	} else if space {
		eff.Cursor = c.rest.cursor()
	}
	eff.Taken = space
	return eff
}

// escape cancels the gesture. If there is none, it selects the node of the selected component or rule, or clears the selection.
func (c *Chart) escape() Effect {
	if c.running != nil {
		eff := c.end()
		eff.Taken = true
		return eff
	}
	sel := c.canvas.ed.State().Selection
	switch {
	case sel.Empty():
		return Effect{}
	case sel.Within():
		sel = editor.SelectNodes(sel.Nodes...)
	default:
		sel = editor.Selection{}
	}
	c.canvas.ed.Select(sel)
	return Effect{Redraw: RedrawSelection, Taken: true}
}

// keys walks, moves and selects by keys while no gesture runs.
type keys struct {
	*canvas
	came map[string]string // by card: the card from which the arrow keys came to it
}

func (k *keys) down(e Event) Effect {
	id := command.For(e.Key, e.Mods.command(), command.OnCanvas)
	if a, ok := arrows[e.Key]; ok && !e.Mods.Alt && id == command.None {
		if e.Mods.Control {
			by, _ := Nudge(e.Key, e.Mods.Shift)
			return k.nudge(by)
		}
		return k.walk(a.d)
	}
	s := k.ed.State()
	switch {
	case id == command.SelectAll:
		return k.choose(editor.SelectAll(s), "")
	case id == command.SelectUpstream:
		return k.choose(editor.Upstream(s, s.Selection.Nodes), "")
	case id == command.SelectDownstream:
		return k.choose(editor.Downstream(s, s.Selection.Nodes), "")
	case id == command.None || e.Mods.Control: // Control with a key belongs to the page or the browser
		return Effect{}
	}
	return Effect{Action: id, Taken: true}
}

func (k *keys) choose(sel editor.Selection, reveal string) Effect {
	k.ed.Select(sel)
	return Effect{Redraw: RedrawSelection, Taken: true, Reveal: reveal}
}

// nudge moves the selection by the grid. Successive presses are one undo step.
func (k *keys) nudge(by model.Point) Effect {
	sel := k.ed.State().Selection
	eff := Effect{Taken: true, Err: k.moveBy(sel.Nodes, by, true)}
	if n := len(sel.Nodes); n > 0 {
		eff.Reveal = sel.Nodes[n-1]
	}
	return eff
}

// part returns the selection of the component or rule above or below the selected one. The node itself is above its first. It returns false if
// there is none, so that the arrow leads to another card.
func (k *keys) part(sel editor.Selection, d graph.Direction) (editor.Selection, bool) {
	f, by := k.ed.State().Form, 1
	if d == graph.Up {
		by = -1
	}
	if n := len(sel.Parts); n > 0 {
		sel.Component = sel.Parts[n-1]
	}
	at, _ := sel.Place(f)
	if at.Node < 0 {
		return sel, false
	}
	for i := at.Part() + by; i >= -1 && i < f.Nodes[at.Node].Parts(); i += by {
		at.Component, at.Rule = i, i
		if part := editor.SelectPlace(f, at); i < 0 || part.Within() { // one without an id cannot be selected
			return part, true
		}
	}
	return sel, false
}

// behind returns the card to which the selected rule or button of a card leads, nil for none.
func behind(card *graph.Card, sel editor.Selection) *graph.Card {
	out := -1
	switch {
	case sel.Rule != "":
		out = card.Out(model.RulePort(sel.Rule))
	case sel.Component != "":
		out = card.Out(model.JumpPort(sel.Component))
	}
	if out < 0 || card.Edges()[out] == nil {
		return nil
	}
	return card.Edges()[out].Target()
}

// walk selects the component, rule or card to which an arrow key leads, or the start if nothing is selected.
func (k *keys) walk(d graph.Direction) Effect {
	sel := k.ed.State().Selection
	id := model.StartID
	if n := len(sel.Nodes); n > 0 {
		id = sel.Nodes[n-1]
	} else if sel.Edge != nil {
		id = sel.Edge.From
	}
	card := k.scene.Card(id)
	if sel.Empty() || card == nil {
		return k.choose(editor.SelectNodes(model.StartID), model.StartID)
	}
	if d == graph.Up || d == graph.Down {
		if part, ok := k.part(sel, d); ok {
			return k.choose(part, id)
		}
	}
	next := k.scene.Step(card, d, k.came[id])
	if d == graph.Right {
		next = cmp.Or(behind(card, sel), next)
	}
	if next == nil || next.Broken() {
		return Effect{Taken: true}
	}
	if d == graph.Right {
		k.came[next.Key] = id
	} else if from, ok := k.came[id]; ok && d != graph.Left {
		k.came[next.Key] = from // a sibling has the same parent
	}
	return k.choose(editor.SelectNodes(next.Key), next.Key)
}
