package gesture

import (
	"errors"
	"math"
	"slices"

	"github.com/formgraph/formgraph/app/command"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model"
)

func (c *Chart) down(e Event) Effect {
	if e.Device == Touch && c.touched(e) && len(c.fingers) == 2 {
		eff := c.cancel()
		c.phase = Pinching
		eff.Capture, eff.Taken = true, true
		return eff
	}
	if c.phase != Idle {
		// A finger that joins no gesture is followed too, until it is lifted: one
		// that is not would pinch with the next.
		return Effect{Taken: true, Capture: e.Device == Touch}
	}
	c.pointer, c.device, c.mods = e.Pointer, e.Device, e.Mods
	c.from, c.at, c.began = e.At, e.At, c.view.ToForm(e.At)
	c.hit = c.hitAt(e.At)
	if edge, ok := c.onPlus(e.At); ok && e.Button == MainButton {
		c.hit = graph.Hit{Edge: edge, Out: -1, Row: -1}
		c.plus = edge
	}
	switch {
	case e.Button == MiddleButton, e.Button == MainButton && c.space:
		c.phase = Panning
		return Effect{Capture: true, Taken: true, Cursor: GrabbingCursor}
	case e.Button != MainButton:
		return Effect{}
	}
	c.phase = Pressing
	return Effect{Capture: true, Redraw: c.unhover()}
}

func (c *Chart) hitAt(at graph.Vec) graph.Hit {
	return c.scene.Hit(c.view.ToForm(at), c.view.Zoom, c.Selection().Has)
}

func (c *Chart) move(e Event) Effect {
	if c.phase == Pinching {
		return c.pinch(e)
	}
	// Also of a finger that no gesture follows: another may join it to pinch.
	if i := c.fingerOf(e.Pointer); i >= 0 {
		c.fingers[i].at = e.At
	}
	if c.phase == Idle {
		return c.hovered(e)
	}
	if e.Pointer != c.pointer {
		return Effect{}
	}
	was := c.at
	c.at, c.mods = e.At, e.Mods
	switch c.phase {
	case Pressing:
		threshold := float64(mouseThreshold)
		if c.device == Touch {
			threshold = touchThreshold
		}
		if c.at.Sub(c.from).Len() < threshold {
			return Effect{}
		}
		return c.begin()
	case Panning:
		c.view = c.view.Panned(c.at.Sub(was))
		return Effect{Redraw: RedrawViewport, Cursor: GrabbingCursor}
	default:
		return c.drag()
	}
}

// begin leaves Pressing: what was pressed decides what the drag is. A card
// that no command can name counts as canvas.
func (c *Chart) begin() Effect {
	if e := c.hit.Edge; e != nil && c.graspable(e) {
		return c.grasp(e)
	}
	if card := c.hit.Card; card != nil && !card.Broken() && !c.ed.ReadOnly() {
		if c.hit.Out >= 0 {
			c.phase = Connecting
			c.line = Line{Card: card, Out: c.hit.Out, Edge: card.Edges()[c.hit.Out]}
			return c.drag()
		}
		sel := c.ed.State().Selection
		switch {
		case sel.Has(card.Key):
		case c.mods.Shift:
			sel = sel.Toggle(card.Key)
		default:
			sel = editor.SelectNodes(card.Key)
		}
		c.preview, c.phase = &sel, Dragging
		eff := c.drag()
		eff.Redraw |= RedrawSelection
		return eff
	}
	if c.device == Touch || c.ed.ReadOnly() {
		c.phase = Panning
		c.view = c.view.Panned(c.at.Sub(c.from))
		return Effect{Redraw: RedrawViewport, Cursor: GrabbingCursor}
	}
	c.phase = Selecting
	c.selected = nil
	if c.mods.Shift || c.mods.Control {
		c.selected = c.ed.State().Selection.Nodes
	}
	return c.drag()
}

// drag brings the running gesture to where the pointer is. It also runs with
// each Tick, since the form moves below a pointer that is still.
func (c *Chart) drag() Effect {
	var eff Effect
	switch c.phase {
	case Dragging:
		c.by = c.offset()
		c.findSplice()
		eff.Redraw, eff.Cursor = RedrawMoved, GrabbingCursor
		if c.mods.Alt {
			eff.Cursor = CopyCursor
		}
	case Connecting:
		eff.Cursor = c.lead()
		eff.Redraw = RedrawLine
	case Selecting:
		eff.Redraw, eff.Cursor = RedrawMarquee|c.enclose(), DefaultCursor
	case Idle, Pressing, Panning, Pinching:
	}
	return eff
}

// offset returns how far the dragged cards are from their places. The card under the
// pointer snaps to the grid and the others go along, so that distances between them
// stay. The left side or the handles of a card that is off the grid catch it
// before. Control lets go of both. No card leaves the bounds of coordinates.
func (c *Chart) offset() graph.Vec {
	by := c.view.ToForm(c.at).Sub(c.began)
	anchor := c.hit.Card.Rect.Origin()
	c.lines = nil
	if c.mods.Control {
		by = graph.Vec{X: math.Round(by.X), Y: math.Round(by.Y)}
	} else {
		caught, grid := c.snapper().Snap(by, c.view.Zoom), anchor.Add(by).Snapped().Sub(anchor)
		by = grid
		left, top := anchor.X+caught.By.X, anchor.Y+caught.By.Y
		for _, l := range caught.Lines {
			switch {
			case l.Gap != 0:
			case caught.OnX && l.From.X == left && l.To.X == left:
				by.X = math.Round(caught.By.X)
			case caught.OnY && l.From.Y == l.To.Y && (l.From.Y == top || l.From.Y == top+graph.HeaderHeight/2):
				by.Y = math.Round(caught.By.Y)
			}
		}
		c.lines = c.guides.Snap(by, onLine).Lines
	}
	lo, hi := graph.Vec{X: math.Inf(-1), Y: math.Inf(-1)}, graph.Vec{X: math.Inf(1), Y: math.Inf(1)}
	for _, id := range c.Selection().Nodes {
		if card := c.scene.Card(id); card != nil {
			lo.X, lo.Y = max(lo.X, -model.MaxCoordinate-card.Rect.X), max(lo.Y, -model.MaxCoordinate-card.Rect.Y)
			hi.X, hi.Y = min(hi.X, model.MaxCoordinate-card.Rect.X), min(hi.Y, model.MaxCoordinate-card.Rect.Y)
		}
	}
	return graph.Vec{X: max(lo.X, min(hi.X, by.X)), Y: max(lo.Y, min(hi.Y, by.Y))}
}

// onLine is a zoom at which only what lies on a line is caught by it.
const onLine = 100

// snapper returns what catches the dragged cards: the lines of those in view.
func (c *Chart) snapper() *graph.Guides {
	if c.guides == nil {
		moving := map[string]bool{}
		for _, id := range c.Selection().Nodes {
			moving[id] = true
		}
		c.guides = graph.NewGuides(c.scene, moving, c.view.Visible(c.size))
	}
	return c.guides
}

// insertReach is how near to an edge the pointer must be for the card to go
// between its ends, in screen pixels.
const insertReach = 14

// findInsertEdge looks for an edge under the pointer while one card is dragged that
// nothing is connected to yet.
func (c *Chart) findSplice() {
	c.insertEdge = nil
	card := c.hit.Card
	if c.mods.Alt || c.Selection().Only() != card.Key || len(card.Ins()) > 0 || card.Kind == graph.StartKind || card.Kind == graph.EndingKind {
		return
	}
	for _, e := range card.Edges() {
		if e != nil {
			return
		}
	}
	at, reach := c.view.ToForm(c.at), insertReach/c.view.Zoom
	for _, e := range c.scene.EdgesIn(graph.Rect{X: at.X, Y: at.Y}.Grown(reach), nil) {
		if d := e.Curve.Distance(at); d < reach && c.ed.Can(insertOn(e, card.Key)) == nil {
			c.insertEdge, reach = e, d
		}
	}
}

func insertOn(e *graph.Edge, id string) editor.Command {
	return editor.InsertOnEdge{Edge: refOf(e), Node: id}
}

func refOf(e *graph.Edge) editor.EdgeRef { return editor.EdgeRef{From: e.Source().Key, Port: e.Port} }

// folded reports whether what was hit is the row that stands for those folded away.
func folded(h graph.Hit) bool {
	return h.Card != nil && h.Row >= 0 && h.Card.Rows[h.Row].Kind == graph.MoreRow
}

// enclose previews what the marquee selects: every card it touches.
func (c *Chart) enclose() Redraw {
	r, _ := c.Marquee()
	cards := c.scene.CardsIn(r, nil)
	slices.SortFunc(cards, func(a, b *graph.Card) int { return a.Place - b.Place })
	ids := slices.Clone(c.selected)
	for _, card := range cards {
		if !card.Broken() && !slices.Contains(c.selected, card.Key) {
			ids = append(ids, card.Key)
		}
	}
	sel := editor.SelectNodes(ids...)
	if c.preview != nil && c.preview.Equal(sel) {
		return 0
	}
	c.preview = &sel
	return RedrawSelection
}

func (c *Chart) up(e Event) Effect {
	c.fingers = slices.DeleteFunc(c.fingers, func(f finger) bool { return f.id == e.Pointer })
	if c.phase == Pinching {
		return c.unpinch()
	}
	if c.phase == Idle || e.Pointer != c.pointer {
		return Effect{}
	}
	c.at, c.mods = e.At, e.Mods
	// The gesture is over before the editor changes: an observer of the editor sees
	// the chart at rest.
	switch c.phase {
	case Pressing:
		h, plus := c.hit, c.plus
		eff := c.end()
		c.click(h)
		if folded(h) && !c.mods.Shift && !c.mods.Control {
			eff.Action = command.Parts
		}
		if plus != nil {
			eff.Drop = &Drop{From: refOf(plus), At: plus.Curve.At(.5), Middle: true}
		}
		return eff
	case Dragging:
		return c.putDown()
	case Connecting:
		return c.finishConnecting()
	case Selecting:
		c.enclose()
		sel := *c.preview
		eff := c.end()
		c.ed.Select(sel)
		return eff
	case Idle, Panning, Pinching:
	}
	return c.end()
}

// putDown ends a drag: the cards move, are copied, or one goes between the ends of an edge.
func (c *Chart) putDown() Effect {
	c.drag()
	sel, by, insertEdge, copies, card := *c.preview, c.by.Point(), c.insertEdge, c.mods.Alt, c.hit.Card
	if copies {
		// Of a card with a selected row the row would be copied.
		sel = editor.SelectNodes(sel.Nodes...)
	}
	eff := c.end()
	c.ed.Select(sel)
	switch {
	case copies:
		d := c.ed.Make().Duplicate()
		d.By = by
		eff.Err = c.ed.Run(d)
	case insertEdge != nil:
		eff.Err = c.ed.Run(editor.InsertAt(insertEdge, card, card.Rect.Moved(graph.At(by)), c.scene))
	default:
		eff.Err = c.moveBy(sel.Nodes, by, false)
	}
	return eff
}

// finishConnecting ends a drag from a handle.
func (c *Chart) finishConnecting() Effect {
	c.lead()
	line, reason := c.line, c.line.Reason
	cmd, ok := c.connection()
	onCanvas := line.Target == nil && c.scene.TargetAt(line.End, c.view.Zoom, nil) == nil
	eff := c.end()
	switch {
	case onCanvas && !line.Back:
		eff.Drop = &Drop{From: line.way(), At: line.End}
	case reason != "":
		eff.Err = errors.New(reason)
	case ok:
		eff.Replaced, eff.Err = c.connect(cmd, line.way())
	}
	return eff
}

// end returns to Idle and has everything drawn that a gesture may have shown.
func (c *Chart) end() Effect {
	var eff Effect
	switch c.phase {
	case Dragging:
		eff.Redraw = RedrawMoved | RedrawSelection
	case Connecting:
		eff.Redraw = RedrawLine
	case Selecting:
		eff.Redraw = RedrawMarquee | RedrawSelection
	case Idle, Pressing, Panning, Pinching:
	}
	c.phase, c.preview, c.line, c.by = Idle, nil, Line{}, graph.Vec{}
	c.guides, c.lines, c.insertEdge, c.plus = nil, nil, nil, nil
	c.hit, c.selected = graph.Hit{Out: -1, Row: -1}, nil
	eff.Cursor = c.idleCursor()
	return eff
}

// cancel ends the gesture with nothing changed. The view stays where it is: it
// is not part of the form, and a jump would only confuse.
func (c *Chart) cancel() Effect {
	if c.phase == Idle {
		return Effect{}
	}
	return c.end()
}

func (c *Chart) lost(e Event) Effect {
	c.fingers = slices.DeleteFunc(c.fingers, func(f finger) bool { return f.id == e.Pointer })
	if c.phase == Pinching {
		return c.unpinch()
	}
	if e.Pointer != c.pointer {
		return Effect{}
	}
	return c.cancel()
}

// click is a press and release in place: it selects.
func (c *Chart) click(h graph.Hit) {
	old := c.ed.State().Selection
	switch {
	case h.Card != nil && h.Card.Broken():
		// No command could do anything with it; the problems panel leads to it.
	case h.Card != nil && (c.mods.Shift || c.mods.Control):
		c.ed.Select(old.Toggle(h.Card.Key))
	case h.Card != nil:
		c.ed.Select(selectionOf(h))
	case h.Edge != nil:
		ref := refOf(h.Edge)
		c.ed.Select(editor.Selection{Edge: &ref})
	case !c.mods.Shift && !c.mods.Control:
		c.ed.Select(editor.Selection{})
	}
}

func selectionOf(h graph.Hit) editor.Selection {
	sel := editor.SelectNodes(h.Card.Key)
	row := h.Row
	if h.Out >= 0 {
		row = h.Card.Outs[h.Out].Row
	}
	if row < 0 {
		return sel
	}
	switch r := h.Card.Rows[row]; r.Kind {
	case graph.ComponentRow:
		sel.Component = r.ID
	case graph.RuleRow:
		sel.Rule = r.ID
	case graph.FallbackRow, graph.FlowRow, graph.MoreRow, graph.EmptyRow:
	}
	return sel
}

// moveBy moves nodes with one command. Those that the form does not place are
// moved from where they are drawn.
func (c *Chart) moveBy(ids []string, by model.Point, burst bool) error {
	if by == (model.Point{}) || len(ids) == 0 {
		return nil
	}
	return c.ed.Run(c.moving(ids, by, burst))
}

func (c *Chart) moving(ids []string, by model.Point, burst bool) editor.Command {
	var from map[string]model.Point
	for _, id := range ids {
		if card := c.scene.Card(id); card != nil && card.Auto {
			if from == nil {
				from = map[string]model.Point{}
			}
			from[id] = card.Rect.Origin().Point()
		}
	}
	return editor.MoveNodes{IDs: ids, By: by, From: from, Burst: burst}
}
