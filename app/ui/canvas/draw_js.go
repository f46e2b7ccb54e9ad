package canvas

import (
	"math"
	"strconv"
	"time"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// flush draws the dirty parts; t is the time of the frame in milliseconds.
func (s *Island) flush(t float64) {
	dt := t - s.lastFrame
	// After a pause the first frame counts as one frame: movement at the border starts from rest.
	if dt < 0 || dt > 50 {
		dt = 16
	}
	s.lastFrame = t
	s.tick(time.Duration(dt * float64(time.Millisecond)))
	s.advance(t)
	d := s.dirty
	s.dirty = 0
	marks := s.picked.marks
	s.picked = pick(s.chart.Selection())
	s.picked.marks = marks
	s.findDragged()
	if f := s.ed.State().Form; f != s.form {
		s.form, s.troubles = f, troublesOf(s.ed.Problems(), s.scene)
	}
	if d&dirtyView != 0 {
		s.drawView()
	}
	if s.cull(d&dirtyScene != 0) || d&(dirtyScene|dirtyState) != 0 {
		s.sync()
	}
	if d&dirtyOver != 0 {
		s.drawOver()
	}
	s.drawPlus()
	if s.afar {
		s.far.draw(s, d&(dirtyScene|dirtyState) != 0)
	}
	s.names.draw(s, d&(dirtyScene|dirtyState) != 0)
	s.mini.draw(s, d&dirtyScene != 0)
	if s.motion.running || s.chart.Ticking() {
		s.redraw(0)
	}
}

func (s *Island) findDragged() {
	ids, _ := s.chart.Dragged()
	if ids == nil {
		s.dragged = nil
		return
	}
	if s.dragged != nil {
		return
	}
	s.dragged = make(map[*graph.Card]bool, len(ids))
	for _, id := range ids {
		if c := s.scene.Card(id); c != nil {
			s.dragged[c] = true
		}
	}
}

// dotCell is the minimum distance between the grid's dots on the screen, in pixels. When zoomed out, every second dot
// is left out, repeatedly if necessary.
const dotCell = 14

// gridMargin is how far the dots extend beyond the canvas: the largest cell.
const gridMargin = graph.Grid * graph.MaxZoom

func (s *Island) drawView() {
	v := s.chart.Viewport()
	if v == s.drawn {
		return
	}
	zoomed := v.Zoom != s.drawn.Zoom
	s.drawn = v
	b := appendTranslate(s.buf[:0], v.X, v.Y)
	b = append(b, " scale("...)
	b = strconv.AppendFloat(b, v.Zoom, 'f', 5, 64)
	b = append(b, ')')
	s.world.Get("style").Set("transform", string(b))
	cell := gridCell(v.Zoom)
	if zoomed {
		s.host.Call("setAttribute", "data-zoom", strconv.FormatFloat(math.Round(v.Zoom*1e4)/1e4, 'f', -1, 64))
		s.coarsen(v.Zoom)
	}
	moving := !s.restTimer.IsUndefined()
	s.viewMoved()
	s.drawGrid(cell, moving)
}

// gridStretch is how far the picture of the dots may be scaled while the view moves before it is repainted. The style
// sheet makes the picture extend beyond the canvas by as much.
const gridStretch = 1.3

// drawGrid draws the dots at a distance of cell pixels. While the view moves, their picture is scaled like that of
// the cards: repainting would make the browser examine all layers.
func (s *Island) drawGrid(cell float64, moving bool) {
	style := s.grid.Get("style")
	scale := cell / s.cell
	if !moving || scale < 1/gridStretch || scale > gridStretch {
		s.cell, scale = cell, 1
		b := appendNumber(s.buf[:0], cell)
		b = append(b, "px "...)
		b = appendNumber(b, cell)
		style.Set("backgroundSize", string(append(b, "px"...)))
	}
	// The dot is in the middle of its cell, on a crossing of the grid.
	v := s.drawn
	b := appendTranslate(s.buf[:0], wrap(v.X+gridMargin-cell/2, cell), wrap(v.Y+gridMargin-cell/2, cell))
	b = append(b, " scale("...)
	b = strconv.AppendFloat(b, scale, 'f', 5, 64)
	style.Set("transform", string(append(b, ')')))
	s.buf = b
}

// gridCell is the distance between the dots at a zoom, in pixels.
func gridCell(zoom float64) float64 {
	cell := graph.Grid * zoom
	for cell < dotCell {
		cell *= 2
	}
	return cell
}

// coarsen selects the style of cards for their size on the screen.
func (s *Island) coarsen(zoom float64) {
	class := ""
	switch {
	case zoom < tinyZoom:
		class = "cv-tiny"
	case zoom < namedZoom:
		class = "cv-named"
	}
	if class == s.detail {
		return
	}
	classes := s.cards.Get("classList")
	if s.detail != "" {
		classes.Call("remove", s.detail)
	}
	if class != "" {
		classes.Call("add", class)
	}
	s.detail = class
	s.enlarge()
}

// enlarge sets the size of card names on the screen. It restyles every card, so while the view moves it runs only
// when names begin to be shown; in between, names grow and shrink with the cards.
func (s *Island) enlarge() {
	if s.detail != "cv-named" {
		return
	}
	if unit := math.Round(100/s.chart.Viewport().Zoom) / 100; unit != s.unit {
		s.unit = unit
		s.cards.Get("style").Call("setProperty", "--cv-px", strconv.FormatFloat(unit, 'f', 2, 64)+"px")
	}
}

func wrap(x, m float64) float64 { return x - m*math.Floor(x/m) }

// drawOver draws the elements that are shown only during a gesture.
func (s *Island) drawOver() {
	d, reason := "", ""
	if l, ok := s.chart.Line(); ok {
		curve := graph.To(l.Card.OutAt(l.Out), l.End)
		switch {
		case l.Back:
			curve = graph.To(l.End, l.Edge.Target().InAt())
		case l.Target != nil && l.Reason == "":
			curve = l.Card.CurveTo(l.Out, l.Target)
		}
		d, reason = string(curve.AppendPath(nil)), l.Reason
		class := "cv-line"
		if reason != "" {
			class += " cv-refused"
		}
		s.line.Call("setAttribute", "class", class)
		at := s.chart.Viewport().ToScreen(l.End)
		s.reason.Get("style").Set("transform", string(appendTranslate(nil, at.X+14, at.Y+14)))
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
	b := s.buf[:0]
	for _, g := range s.chart.Guides() {
		b = appendGuide(b, g)
	}
	s.buf = b
	if text := string(b); text != s.guideText {
		s.guideText = text
		setHTML(s.guides, text)
	}
	r, ok := s.chart.Marquee()
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

// drawPlus moves the button to the middle of its edge.
func (s *Island) drawPlus() {
	e, at := s.chart.Plus()
	if s.afar {
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

func appendTranslate(b []byte, x, y float64) []byte {
	b = append(b, `translate(`...)
	b = appendNumber(b, x)
	b = append(b, `px,`...)
	b = appendNumber(b, y)
	return append(b, `px)`...)
}
