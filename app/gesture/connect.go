package gesture

import (
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Line is a connection that is being drawn.
type Line struct {
	Card   *graph.Card // where it begins; nil when there is none
	Out    int         // in Card.Outs
	Edge   *graph.Edge // the edge that is led elsewhere, nil for a new one
	End    graph.Vec   // where the pointer is, or the target's input
	Target *graph.Card // that a release now would lead to, nil over empty canvas
	Reason string      // why a release now would be refused, "" when it would not
}

// Line returns the connection that is being drawn, and whether there is one.
func (c *Chart) Line() (Line, bool) { return c.line, c.phase == Connecting }

// graspRadius is how near to its end an edge is taken hold of, in screen pixels.
// Elsewhere it must be selected first: a marquee may begin on a line.
const graspRadius = 32

func (c *Chart) graspable(e *graph.Edge) bool {
	if e.Source().ID == "" || c.ed.ReadOnly() {
		return false
	}
	ref := c.ed.State().Selection.Edge
	if ref != nil && ref.From == e.Source().ID && ref.Port == e.Port {
		return true
	}
	return c.began.Sub(e.Curve.At(1)).Len() < graspRadius/c.view.Zoom
}

// grasp takes an edge off the card that it leads to.
func (c *Chart) grasp(e *graph.Edge) Effect {
	c.phase = Connecting
	c.line = Line{Card: e.Source(), Out: e.Source().Out(e.Port), Edge: e}
	return c.drag()
}

// lead brings the line to where the pointer is and asks the editor whether it
// may end there. The editor is asked once a target, not with every move.
func (c *Chart) lead() Cursor {
	l := &c.line
	l.End = c.view.ToForm(c.at)
	t := c.scene.TargetAt(l.End, c.view.Zoom, nil)
	// Back on its own card a connection is not refused but thought better of.
	if t == l.Card {
		t = nil
	}
	if l.Target != t {
		l.Target, l.Reason = t, ""
		if t != nil {
			l.Reason = c.refusal(t)
		}
	}
	if t != nil && l.Reason == "" {
		l.End = t.InAt()
	}
	switch {
	case l.Reason != "":
		return NotAllowedCursor
	case t != nil:
		return CopyCursor
	}
	return CrosshairCursor
}

// refusal returns why a card cannot be the target, "" when it can.
func (c *Chart) refusal(t *graph.Card) string {
	if t.ID == "" {
		return "give the node an id first"
	}
	cmd, _ := c.connection()
	if err := c.ed.Can(cmd); err != nil {
		return err.Error()
	}
	return ""
}

// connection returns the command that a release now would run, and false when it
// would run none: over empty canvas a new connection is dropped, and only one
// that was there before is taken away.
func (c *Chart) connection() (editor.Connect, bool) {
	l := c.line
	cmd := editor.Connect{From: l.Card.ID, Port: l.Card.Outs[l.Out].Port}
	if l.Target == nil {
		return cmd, l.Edge != nil && c.scene.TargetAt(l.End, c.view.Zoom, nil) == nil
	}
	cmd.To = model.Pointer(l.Target.ID)
	return cmd, true
}
