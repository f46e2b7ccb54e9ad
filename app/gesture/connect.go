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
	Back   bool        // the beginning of Edge is what the pointer holds
	End    graph.Vec   // where the pointer is, or the target's input, or with Back the source's output
	Target *graph.Card // that a release now would lead to, with Back come from; nil over empty canvas
	Port   model.Port  // of Target, with Back
	Reason string      // why a release now would be refused, "" when it would not
}

// way returns the way out that a release over Target would lead there, or with Back
// the one of Target that the edge would begin at.
func (l Line) way() editor.EdgeRef {
	if l.Back && l.Target != nil {
		return editor.EdgeRef{From: l.Target.Key, Port: l.Port}
	}
	return editor.EdgeRef{From: l.Card.Key, Port: l.Card.Outs[l.Out].Port}
}

// Line returns the connection that is being drawn, and whether there is one.
func (c *Chart) Line() (Line, bool) { return c.line, c.phase == Connecting }

// graspRadius is how near to its end an edge is taken hold of, in screen pixels.
// Elsewhere it must be selected first: a marquee may begin on a line.
const graspRadius = 32

func (c *Chart) graspable(e *graph.Edge) bool {
	if c.ed.ReadOnly() {
		return false
	}
	ref := c.ed.State().Selection.Edge
	if ref != nil && ref.From == e.Source().Key && ref.Port == e.Port {
		return true
	}
	begin, end := c.fromEnds(e)
	return min(begin, end) < graspRadius/c.view.Zoom
}

// fromEnds returns how far the press was from where an edge begins and ends.
func (c *Chart) fromEnds(e *graph.Edge) (begin, end float64) {
	return c.began.Sub(e.Curve.At(0)).Len(), c.began.Sub(e.Curve.At(1)).Len()
}

// grasp takes hold of the end of an edge that is nearer.
func (c *Chart) grasp(e *graph.Edge) Effect {
	begin, end := c.fromEnds(e)
	c.phase = Connecting
	c.line = Line{Card: e.Source(), Out: e.Source().Out(e.Port), Edge: e, Back: begin < end && e.Target() != nil}
	return c.drag()
}

// lead brings the line to where the pointer is and asks the editor whether it
// may end there. The editor is asked once a target, not with every move.
func (c *Chart) lead() Cursor {
	l := &c.line
	l.End = c.view.ToForm(c.at)
	if l.Back {
		return c.leadBack()
	}
	t := c.scene.TargetAt(l.End, c.view.Zoom, nil)
	// Back on its own card a connection is not refused but thought better of.
	if t == l.Card {
		t = nil
	}
	if l.Target != t {
		l.Target, l.Reason = t, ""
		if t != nil {
			l.Reason = c.refusal()
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

// leadBack is lead for an edge that is held by its beginning: it may come from any
// way out that is under the pointer, or on a card from the one of that row, else
// the first that leads nowhere.
func (c *Chart) leadBack() Cursor {
	l := &c.line
	h := c.scene.Hit(l.End, c.view.Zoom, nil)
	l.Target, l.Port, l.Reason = h.Card, "", ""
	if h.Card == nil {
		return CrosshairCursor
	}
	i := wayOut(h)
	if i < 0 {
		l.Reason = "nothing leads on from here"
		return NotAllowedCursor
	}
	l.Port = h.Card.Outs[i].Port
	if h.Card == l.Edge.Source() && l.Port == l.Edge.Port {
		l.Target = nil // back where it was
		return CrosshairCursor
	}
	if l.Reason = c.refusal(); l.Reason != "" {
		return NotAllowedCursor
	}
	l.End = h.Card.OutAt(i)
	return CopyCursor
}

// wayOut returns the way out of the card that is hit, or -1.
func wayOut(h graph.Hit) int {
	if h.Out >= 0 {
		return h.Out
	}
	free := -1
	for i, o := range h.Card.Outs {
		switch {
		case h.Row >= 0 && o.Row == h.Row:
			return i
		case free < 0 && o.To == "":
			free = i
		}
	}
	if free < 0 && len(h.Card.Outs) == 1 {
		return 0
	}
	return free
}

// refusal returns why the line cannot end at its target, "" when it can.
func (c *Chart) refusal() string {
	cmd, _ := c.connection()
	if err := c.ed.Can(cmd); err != nil {
		return err.Error()
	}
	return ""
}

// connection returns the command that a release now would run, and false when it
// would run none: over empty canvas a node is offered instead.
func (c *Chart) connection() (editor.Command, bool) {
	l, way := c.line, c.line.way()
	switch {
	case l.Target == nil:
		return nil, false
	case l.Back:
		return editor.Reconnect{Edge: refOf(l.Edge), Source: &way}, true
	}
	return editor.Connect{From: way.From, Port: way.Port, To: model.Pointer(l.Target.Key)}, true
}

// connect runs the command that leads a way out to another card, and returns what
// the way was disconnected from, nil for nothing.
func (c *Chart) connect(cmd editor.Command, way editor.EdgeRef) (*Replaced, error) {
	was, old := c.ed.State().Form, c.scene.Edge(way.From, way.Port)
	lost := old != nil && !old.Dangling()
	if err := c.ed.Run(cmd); err != nil || !lost || c.ed.State().Form == was {
		return nil, err
	}
	return &Replaced{Was: was, Way: way}, nil
}
