package canvas

import (
	"strconv"
	"syscall/js"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// overlay is what is shown above the cards: lines, texts and frames during a gesture, and the button of an edge.
type overlay struct {
	*stage
	line, reason, marquee, plus, guides js.Value
	compared                            *Compared // that the ghosts show
	lineDrawn                           string
	reasonShown                         string
	marqueeShown                        bool
	guideText                           string // markup in guides
	spots                               spotLayer
	carry                               carryLayer
	pointers                            pointerLayer
	plusEdge                            *graph.Edge
	plusAt                              graph.Vec // position of the button of plusEdge, on the screen
}

// drawOver draws the elements that are shown only during a gesture; nodes are the cards in the document.
func (s *overlay) drawOver(nodes map[*graph.Card]*nodeElement) {
	d, reason := "", ""
	if l, ok := s.chart.Shown().Line(); ok {
		curve := graph.To(l.Card.OutAt(l.Out), l.End)
		switch {
		case l.Back:
			curve = graph.To(l.End, l.Edge.Target().InAt())
		case l.Target != nil && l.Reason == "":
			curve = l.Card.CurveTo(l.Out, l.Target)
		}
		d, reason = string(curve.AppendPath(nil, nil)), l.Reason
		class := "cv-line"
		if reason != "" {
			class += " cv-refused"
		}
		s.line.Call("setAttribute", "class", class)
		s.placeNote(s.chart.Viewport().ToScreen(l.End), noteAt)
	}
	s.carry.draw(nodes)
	if c := s.chart.Shown().Carry(); c != nil && c.Reason != "" {
		reason = c.Reason
		s.placeNote(s.chart.Pointer(), ghostAt+reasonBelow)
	}
	// Unchanged values are not written: the browser would lay them out again.
	if d != s.lineDrawn {
		s.lineDrawn = d
		s.line.Call("setAttribute", "d", d)
	}
	if reason != s.reasonShown {
		s.reasonShown = reason
		s.reason.Set("hidden", reason == "")
		s.reason.Set("textContent", reason)
	}
	var b []byte
	for _, g := range s.chart.Shown().Guides() {
		b = appendGuide(b, g)
	}
	if text := string(b); text != s.guideText {
		s.guideText = text
		setHTML(s.guides, text)
	}
	r, ok := s.chart.Shown().Marquee()
	if ok != s.marqueeShown {
		s.marqueeShown = ok
		s.marquee.Set("hidden", !ok)
	}
	if ok {
		v := s.chart.Viewport()
		at := v.ToScreen(r.Origin())
		style := s.marquee.Get("style")
		style.Set("transform", string(appendTranslate(nil, at.X, at.Y)))
		style.Set("width", strconv.FormatFloat(r.W*v.Zoom, 'f', 1, 64)+"px")
		style.Set("height", strconv.FormatFloat(r.H*v.Zoom, 'f', 1, 64)+"px")
	}
}

func (s *overlay) placeNote(pointer graph.Vec, below float64) {
	s.reason.Get("style").Set("transform", string(appendNote(nil, pointer, below, s.chart.Size().X)))
}

// spots are the controls of the card and the row under the pointer. There is one set of them, which moves. They are pictures: package graph
// has their places, package gesture their effects, and each has a key.
const spots = `<div class="cv-spots" aria-hidden="true"><i class="cv-spot cv-menu" title="More (Shift F10)"><i class="ci ci-more"></i></i>` +
	`<div class="cv-row-spots cv-none">` +
	`<i class="cv-spot cv-grip" title="Drag to move"><i class="ci ci-grip"></i></i>` +
	`<i class="cv-spot cv-copy" title="Duplicate (Ctrl D)"><i class="ci ci-copy"></i></i>` +
	`<i class="cv-spot cv-trash" title="Delete (Del)"><i class="ci ci-trash"></i></i></div></div>`

// boxStyle returns the style that gives an element a place and a size.
func boxStyle(r graph.Rect) string {
	b := append(appendPlace(nil, r.Origin()), `;width:`...)
	b = append(appendNumber(b, r.W), `px;height:`...)
	return string(append(appendNumber(b, r.H), `px`...))
}

// spotLayer is the controls of a card and a row.
type spotLayer struct {
	el, row js.Value
	card    *graph.Card // nil while hidden
	content *graph.Content
	index   int // of the row, -1 for none
}

// drawSpots moves the controls into the element of the card that has them, and to its row. fresh reports that the content of that element
// may have been replaced.
func (s *overlay) drawSpots(p *picture, fresh bool) {
	l := &s.spots
	card, index := s.chart.Shown().Spots()
	n := p.nodes[card]
	if n == nil || p.afar {
		if l.card != nil {
			l.card = nil
			l.el.Call("remove")
		}
		return
	}
	if card != l.card || fresh && !l.el.Get("parentNode").Equal(n.el) {
		l.card = card
		n.el.Call("append", l.el)
	}
	if index == l.index && card.Content == l.content {
		return
	}
	l.index, l.content = index, card.Content
	class, style := "cv-row-spots cv-none", ""
	if index >= 0 {
		r := &card.Rows[index]
		class, style = "cv-row-spots", boxStyle(graph.Rect{Y: r.Top, W: graph.CardWidth, H: r.Height})
	}
	l.row.Call("setAttribute", "class", class)
	l.row.Call("setAttribute", "style", style)
}

// drawPlus moves the button to the middle of its edge. There is none if the far layer draws the edges.
func (s *overlay) drawPlus(afar bool) {
	e, at := s.chart.Shown().Plus()
	if afar {
		e = nil
	}
	if shown := s.plusEdge != nil; shown != (e != nil) {
		s.plus.Set("hidden", e == nil)
	}
	if e != nil && (at != s.plusAt || s.plusEdge == nil) {
		s.plusAt = at
		s.plus.Get("style").Set("transform", string(appendTranslate(nil, at.X-gesture.PlusSize/2, at.Y-gesture.PlusSize/2)))
	}
	s.plusEdge = e
}
