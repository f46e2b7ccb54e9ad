package canvas

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/graph"
)

// flush draws the dirty parts; t is the time of the frame in milliseconds.
func (s *Island) flush(t float64) {
	dt := t - s.lastFrame
	opening := s.lastFrame == 0
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
	s.picked = pick(s.chart.Shown().Selection())
	s.picked.marks = marks
	s.findDragged()
	if f, asked := s.ed.State().Form, s.ed.Asked(); f != s.form || asked != s.asked {
		s.form, s.asked, s.troubles, s.warned = f, asked, troublesOf(s.ed.Found().Problems(), s.ed.Early, s.scene), false
	}
	switch {
	case s.warned || !s.restTimer.IsUndefined():
	case opening:
		s.redraw(0) // finding the warnings must not delay the first picture
	default:
		s.warned, s.troubles = true, warn(s.troubles, slices.Concat(s.ed.Found().Marked(s.flows), s.doubts), s.scene)
		s.far.pack, d = nil, d|dirtyState
	}
	if d&dirtyView != 0 {
		s.drawView()
		s.pointers.fit(s.chart.Viewport().Zoom)
	}
	if s.cull(d&dirtyScene != 0) || d&(dirtyScene|dirtyState) != 0 {
		s.sync()
	}
	if d&dirtyOver != 0 {
		s.drawOver(s.nodes)
	}
	s.drawPlus(s.afar)
	s.drawSpots(s.picture, d&(dirtyScene|dirtyState) != 0)
	if s.afar {
		s.far.draw(s, d&(dirtyScene|dirtyState) != 0)
	}
	s.mini.draw(s, d&dirtyScene != 0)
	if s.motion.running || s.chart.Ticking() {
		s.redraw(0)
	}
}

func (s *picture) findDragged() {
	ids, _ := s.chart.Shown().Dragged()
	if ids == nil {
		s.dragged = nil
		return
	}
	if s.dragged != nil {
		return
	}
	s.dragged = make(map[*graph.Card]bool, len(ids))
	edges := 0
	for _, id := range ids {
		if c := s.scene.Card(id); c != nil {
			s.dragged[c] = true
			edges += len(c.Edges()) + len(c.Ins())
		}
	}
	s.sketched = edges > mostAround
}

// ground is the moving layer below everything: the grid of dots, and what follows from the zoom.
type ground struct {
	*stage
	*picture
	grid      js.Value
	ghosts    js.Value // what only the form compared with has
	drawn     graph.Viewport
	cell      float64  // distance between the dots as painted, in pixels
	detail    string   // classes of the cards at this zoom
	unit      float64  // a pixel of titles, in form units
	stroke    float64  // width of edges, in form units
	rest      js.Func  // called when the view has come to rest
	restTimer js.Value // ends a movement of the view
}

// dotCell is the minimum distance between the grid's dots on the screen, in pixels. When zoomed out, every second dot
// is left out, repeatedly if necessary.
const dotCell = 14

// gridMargin is how far the dots extend beyond the canvas: the largest cell.
const gridMargin = graph.Grid * graph.MaxZoom

func (s *ground) drawView() {
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
		if f := v.Zoom * s.unit; v.Zoom < graph.NameZoom && (f > regrown || f < 1/regrown) {
			s.enlarge()
		}
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
func (s *ground) drawGrid(cell float64, moving bool) {
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
func (s *ground) coarsen(zoom float64) {
	class := detailOf(zoom)
	if class == s.detail {
		return
	}
	classes := s.cards.Get("classList")
	for c := range strings.FieldsSeq(s.detail) {
		classes.Call("remove", c)
	}
	for c := range strings.FieldsSeq(class) {
		classes.Call("add", c)
	}
	s.detail = class
	heads := "none" // a part of the paths
	if zoom < graph.NameZoom {
		heads = "url(#cv-head)"
	}
	s.paths.Get("style").Set("markerEnd", heads)
	s.ghosts.Set("className", "cv-ghosts "+class)
	s.enlarge()
}

// regrown is the factor by which titles may grow or shrink with their cards while the view moves, at zooms without rows.
const regrown = 1.25

// enlarge sets the size of what keeps its size on the screen. It restyles every card, so while the view moves it runs only when the style of the
// cards changes, or when titles have grown or shrunk by regrown; in between, all of it grows and shrinks with the cards.
func (s *ground) enlarge() {
	if s.detail == "" {
		return
	}
	if unit := math.Round(100/s.chart.Viewport().Zoom) / 100; unit != s.unit {
		s.unit = unit
		px := strconv.FormatFloat(unit, 'f', 2, 64) + "px"
		s.cards.Get("style").Call("setProperty", "--cv-px", px)
		s.ghosts.Get("style").Call("setProperty", "--cv-px", px)
	}
}

func wrap(x, m float64) float64 { return x - m*math.Floor(x/m) }
