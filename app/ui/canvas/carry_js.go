package canvas

import (
	"syscall/js"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// carryLayer shows what is being dragged to a place: a ghost at the pointer, and a line at the place to which it goes. The ghost is a
// popover, since it begins outside the host, which cuts off its content.
type carryLayer struct {
	of          *stage
	ghost, line js.Value
	row         js.Value // the dimmed row on the card from which it comes
	shown       bool
	lineShown   bool
}

// ghostAt is the distance of the ghost from the pointer, and reasonBelow that of a reason below it, in pixels.
const (
	ghostAt     = 12
	reasonBelow = 34
)

// draw draws what is dragged; nodes are the cards in the document.
func (l *carryLayer) draw(nodes map[*graph.Card]*nodeElement) {
	c := l.of.chart.Shown().Carry()
	ok := c != nil
	if ok != l.shown {
		l.dim(nodes, c)
	}
	if ok != l.shown {
		l.shown = ok
		if ok {
			setHTML(l.ghost, string(appendGhost(nil, c)))
			l.ghost.Call("showPopover")
		} else {
			l.ghost.Call("hidePopover")
		}
	}
	if on := ok && c.Card != nil && c.Reason == ""; on != l.lineShown {
		l.lineShown = on
		l.line.Set("hidden", !on)
	}
	if ok {
		at := l.of.chart.Pointer().Add(l.of.origin)
		l.ghost.Get("style").Set("transform", string(appendTranslate(nil, at.X+ghostAt, at.Y+ghostAt)))
	}
	if l.lineShown {
		l.line.Get("style").Set("transform", string(appendTranslate(nil, c.Line.X, c.Line.Y)))
	}
}

// dim dims the row from which something is dragged, and no longer when the drag has ended. A card that comes into the document meanwhile is not
// dimmed.
func (l *carryLayer) dim(nodes map[*graph.Card]*nodeElement, c *gesture.Carry) {
	if c != nil {
		l.row = js.Undefined()
		if n := nodes[c.From]; n != nil {
			l.row = n.el.Call("querySelectorAll", ".cv-row").Index(c.Row)
		}
	}
	if l.row.Truthy() {
		l.row.Get("classList").Call("toggle", "cv-carried", c != nil)
	}
}

// listenBring passes on the pointer that was pressed on a control outside the host, marked with the attribute data-bring, until a drag captures
// it. The value of the attribute is the type of the components or nodes that the control adds.
func (s *Island) listenBring() {
	doc := js.Global().Get("document")
	s.on(doc, "pointerdown", func(e js.Value) {
		control := near(e, "[data-bring]:enabled")
		if !control.Truthy() || s.Busy() {
			return
		}
		s.bringing = true
		s.resize()
		ev := s.pointerEvent(gesture.Down, e)
		ev.Brought = gesture.BroughtBy(control.Get("dataset").Get("bring").String())
		s.apply(s.chart.Handle(ev))
	})
	for name, t := range map[string]gesture.Type{"pointermove": gesture.Move, "pointerup": gesture.Up, "pointercancel": gesture.Cancel} {
		s.on(doc, name, func(e js.Value) { s.bring(t, e) })
	}
}

// bring passes on an event of a pointer that was pressed on a control.
func (s *Island) bring(t gesture.Type, e js.Value) {
	if !s.bringing {
		return
	}
	if !s.host.Call("contains", near(e, "*")).Bool() {
		s.onPointer(t, e)
	}
	carries := s.chart.Shown().Carry() != nil
	if s.bringing = t == gesture.Move && !carries; carries && t == gesture.Move {
		// The pointer is captured now, and the host gets its events. It also needs the keys.
		s.host.Call("focus")
		if s.opts.OnBring != nil {
			s.opts.OnBring()
		}
	}
}
