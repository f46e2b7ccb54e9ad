package gesture

import (
	"errors"

	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

// Line is a connection that is being drawn.
type Line struct {
	Card   *graph.Card // the card where it begins; nil if there is none
	Out    int         // in Card.Outs
	Edge   *graph.Edge // the edge that is being reconnected, nil for a new one
	Back   bool        // the pointer holds the beginning of Edge
	End    graph.Vec   // the position of the pointer, or the target's input, or with Back the source's output
	Target *graph.Card // the card to which a release now would connect, or with Back from which; nil over empty canvas
	Port   model.Port  // of Target, with Back
	Reason string      // why a release now would be refused, "" if it would not
}

// way returns the way out that a release over Target would connect: that of the line or, with Back, the one of Target at which the edge
// would begin.
func (l Line) way() editor.EdgeRef {
	if l.Back && l.Target != nil {
		return editor.EdgeRef{From: l.Target.Key, Port: l.Port}
	}
	return editor.EdgeRef{From: l.Card.Key, Port: l.Card.Outs[l.Out].Port}
}

// connect connects an edge, new or not, to another card.
type connect struct {
	*canvas
	Line
}

func (*connect) phase() Phase  { return Connecting }
func (*connect) shows() Redraw { return RedrawLine }

func (g *connect) follow() Effect { return Effect{Redraw: RedrawLine, Cursor: g.lead()} }

// release connects the edge. Over empty canvas it asks for a new node.
func (g *connect) release(eff *Effect) {
	g.lead()
	switch {
	case g.Target == nil && !g.Back && g.scene.TargetAt(g.End, g.view.Zoom, nil) == nil:
		eff.Drop = &Drop{From: g.way(), At: g.End}
	case g.Reason != "":
		eff.Err = errors.New(g.Reason)
	case g.Target != nil:
		eff.Replaced, eff.Err = g.connect()
	}
}

// graspRadius is the distance from its end, in screen pixels, within which an edge can be grabbed. Elsewhere it must be selected first,
// since a marquee may begin on a line.
const graspRadius = 32

func (g *press) graspable(e *graph.Edge) bool {
	if g.ed.ReadOnly() {
		return false
	}
	ref := g.ed.State().Selection.Edge
	if ref != nil && ref.From == e.Source().Key && ref.Port == e.Port {
		return true
	}
	begin, end := g.fromEnds(e)
	return min(begin, end) < graspRadius/g.view.Zoom
}

// fromEnds returns the distances of the press from the beginning and the end of an edge.
func (g *press) fromEnds(e *graph.Edge) (begin, end float64) {
	return g.began.Sub(e.Curve.At(0)).Len(), g.began.Sub(e.Curve.At(1)).Len()
}

// grasp grabs the nearer end of an edge.
func (g *press) grasp(e *graph.Edge) gesture {
	begin, end := g.fromEnds(e)
	l := Line{Card: e.Source(), Out: e.Source().Out(e.Port), Edge: e, Back: begin < end && e.Target() != nil}
	return &connect{canvas: g.canvas, Line: l}
}

// lead moves the line to the pointer and asks the editor whether it may end there. The editor is asked once per target, not at every move.
func (g *connect) lead() Cursor {
	g.End = g.here()
	if g.Back {
		return g.leadBack()
	}
	t := g.scene.TargetAt(g.End, g.view.Zoom, nil)
	// Back on its own card, a connection is not refused but abandoned.
	if t == g.Card {
		t = nil
	}
	if g.Target != t {
		g.Target, g.Reason = t, ""
		if t != nil {
			g.Reason = g.refusal()
		}
	}
	switch {
	case t == nil:
		return CrosshairCursor
	case g.Reason != "":
		return NotAllowedCursor
	}
	g.End = t.InAt()
	return CopyCursor
}

// leadBack is lead for an edge that is held by its beginning: it may begin at any way out under the pointer, or on a card at that of the
// row, else at the first without a target.
func (g *connect) leadBack() Cursor {
	h := g.scene.Hit(g.End, g.view.Zoom, nil)
	g.Target, g.Port, g.Reason = h.Card, "", ""
	if h.Card == nil {
		return CrosshairCursor
	}
	i := wayOut(h)
	if i < 0 {
		g.Reason = "there is no way out from here"
		return NotAllowedCursor
	}
	g.Port = h.Card.Outs[i].Port
	if h.Card == g.Edge.Source() && g.Port == g.Edge.Port {
		g.Target = nil // back where it was
		return CrosshairCursor
	}
	if g.Reason = g.refusal(); g.Reason != "" {
		return NotAllowedCursor
	}
	g.End = h.Card.OutAt(i)
	return CopyCursor
}

// wayOut returns the way out of the card that was hit, or -1.
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

// refusal returns the reason why the line cannot end at its target, "" if it can.
func (g *connect) refusal() string {
	if err := g.ed.Can(g.command()); err != nil {
		return err.Error()
	}
	return ""
}

// command returns the command that a release over the target would run.
func (g *connect) command() editor.Command {
	way := g.way()
	if g.Back {
		return editor.Reconnect{Edge: refOf(g.Edge), Source: &way}
	}
	return editor.Connect{From: way.From, Port: way.Port, To: model.Pointer(g.Target.Key)}
}

// connect connects the way out to its target, and returns the connection that it replaced, or nil.
func (g *connect) connect() (*Replaced, error) {
	way := g.way()
	was, old := g.ed.State().Form, g.scene.Edge(way.From, way.Port)
	lost := old != nil && !old.Dangling()
	if err := g.ed.Run(g.command()); err != nil || !lost || g.ed.State().Form == was {
		return nil, err
	}
	return &Replaced{Was: was, Way: way}, nil
}
