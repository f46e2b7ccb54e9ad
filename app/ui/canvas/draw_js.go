package canvas

import (
	"math"
	"strconv"
	"syscall/js"
	"time"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
)

// nodeElement is a card in the DOM and what was last written to it.
type nodeElement struct {
	el, style js.Value
	look      look
	selected  bool
	at        graph.Vec
	height    float64
	order     int
	state     string // class beside cv-card
	round     int
}

// edgeElement is an edge in the DOM and what was last written to it.
type edgeElement struct {
	el     js.Value
	curve  graph.Curve
	class  string
	target string
	round  int
}

// flush draws what is dirty; t is the time of the frame in milliseconds.
func (s *Island) flush(t float64) {
	dt := t - s.lastFrame
	// After a pause the first frame counts as one: what is pressed at the border
	// moves from rest.
	if dt < 0 || dt > 50 {
		dt = 16
	}
	s.lastFrame = t
	s.tick(time.Duration(dt * float64(time.Millisecond)))
	s.advance(t)
	d := s.dirty
	s.dirty = 0
	s.picked = pick(s.chart.Selection())
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
	if s.afar {
		s.far.draw(s, d&(dirtyScene|dirtyState) != 0)
	}
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

// dotCell is the least distance of the grid's dots on the screen, in pixels; far
// out every second dot is left away, and again.
const dotCell = 14

// gridMargin is how far the dots reach over the canvas: the largest cell.
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
	cell := graph.Grid * v.Zoom
	for cell < dotCell {
		cell *= 2
	}
	style := s.grid.Get("style")
	if zoomed {
		b = appendNumber(b[:0], cell)
		b = append(b, "px "...)
		b = appendNumber(b, cell)
		style.Set("backgroundSize", string(append(b, "px"...)))
		s.host.Call("setAttribute", "data-zoom", strconv.FormatFloat(math.Round(v.Zoom*1e4)/1e4, 'f', -1, 64))
	}
	// The dot stands in the middle of its cell, on a crossing of the grid.
	b = appendTranslate(b[:0], wrap(v.X+gridMargin-cell/2, cell), wrap(v.Y+gridMargin-cell/2, cell))
	style.Set("transform", string(b))
	s.buf = b
	s.viewMoved()
}

func wrap(x, m float64) float64 { return x - m*math.Floor(x/m) }

// What may be in the DOM: past maxNodes cards the far layer draws instead, at a
// zoom at which text cannot be read, and past crowd at any. Of more edges than
// maxEdges only those of cards in sight are there.
const (
	maxNodes   = 150
	crowd      = 600
	maxEdges   = 600
	farZoom    = 0.45
	cullMargin = 200 // around the view, in pixels
)

// cull brings the elements in line with what is in sight, and tells whether it
// had to. changed tells that the scene is another.
func (s *Island) cull(changed bool) bool {
	v := s.chart.Viewport()
	sight := v.Visible(s.chart.Size())
	if !changed && !s.afar && s.dragged == nil && contains(s.culled, sight) {
		return false
	}
	region := sight.Grown(cullMargin / v.Zoom)
	s.findCards(region)
	if len(s.inCards) > maxNodes {
		region = sight
		s.findCards(region)
	}
	afar := len(s.inCards) > maxNodes && v.Zoom < farZoom || len(s.inCards) > crowd
	s.culled = region
	s.inEdges = s.inEdges[:0]
	if afar {
		s.inCards = s.inCards[:0]
	} else {
		s.findEdges(region)
	}
	// Who reads the screen stays at the active card wherever the view goes.
	if c := s.scene.Card(s.picked.active()); c != nil {
		s.inCards = append(s.inCards, c)
	}
	if afar != s.afar {
		s.afar = afar
		s.far.show(afar)
	}
	s.round++
	s.addNodes()
	s.addEdges()
	for c, n := range s.nodes {
		if n.round != s.round {
			n.el.Call("remove")
			delete(s.nodes, c)
		}
	}
	for e, p := range s.edges {
		if p.round != s.round {
			p.el.Call("remove")
			delete(s.edges, e)
		}
	}
	return true
}

func contains(r, in graph.Rect) bool {
	return r.Contains(in.Origin()) && r.Contains(graph.Vec{X: in.Right(), Y: in.Bottom()})
}

// findCards lists the cards that are drawn in a region; what is dragged is where
// the pointer has it.
func (s *Island) findCards(region graph.Rect) {
	s.inCards = s.scene.CardsIn(region, s.inCards[:0])
	if s.dragged == nil {
		return
	}
	_, by := s.chart.Dragged()
	n := 0
	for _, c := range s.inCards {
		if !s.dragged[c] {
			s.inCards[n] = c
			n++
		}
	}
	for _, c := range s.scene.CardsIn(region.Moved(by.Scale(-1)), nil) {
		if s.dragged[c] {
			s.inCards = append(s.inCards[:n], c)
			n++
		}
	}
	s.inCards = s.inCards[:n]
}

func (s *Island) findEdges(region graph.Rect) {
	s.inEdges = s.scene.EdgesIn(region, s.inEdges[:0])
	if len(s.inEdges) > maxEdges {
		s.inEdges = s.inEdges[:0]
		for _, c := range s.inCards {
			s.inEdges = appendEdges(s.inEdges, c)
		}
	}
	if s.dragged != nil {
		for _, c := range s.inCards {
			if s.dragged[c] {
				s.inEdges = appendEdges(s.inEdges, c)
			}
		}
	}
}

func appendEdges(list []*graph.Edge, c *graph.Card) []*graph.Edge {
	for _, e := range c.Edges() {
		if e != nil {
			list = append(list, e)
		}
	}
	return append(list, c.Ins()...)
}

// addNodes marks what is in sight and adds the elements that are not there yet,
// all of them with one piece of HTML.
func (s *Island) addNodes() {
	b := s.buf[:0]
	var fresh []*nodeElement
	for _, c := range s.inCards {
		if n := s.nodes[c]; n != nil {
			n.round = s.round
			continue
		}
		n := &nodeElement{
			look: s.lookOf(c), selected: s.picked.has(c.ID), at: c.Rect.Origin(), height: c.Rect.H,
			order: c.Order(), round: s.round,
		}
		s.nodes[c] = n
		fresh = append(fresh, n)
		b = appendCard(b, c, n.look, n.selected)
	}
	s.buf = b
	if len(fresh) == 0 {
		return
	}
	addHTML(s.cards, string(b))
	el := s.cards.Get("lastElementChild")
	for i := len(fresh) - 1; i >= 0; i-- {
		fresh[i].el, fresh[i].style = el, el.Get("style")
		el = el.Get("previousElementSibling")
	}
}

func (s *Island) addEdges() {
	b := s.buf[:0]
	var fresh []*edgeElement
	for _, e := range s.inEdges {
		if p := s.edges[e]; p != nil {
			p.round = s.round
			continue
		}
		hot := s.picked.hot(e, s.chart.Hover())
		p := &edgeElement{curve: s.inSight(e, e.Curve), class: edgeClass(e, hot), target: string(e.To), round: s.round}
		s.edges[e] = p
		fresh = append(fresh, p)
		b = appendEdge(b, e, p.curve, hot)
	}
	s.buf = b
	if len(fresh) == 0 {
		return
	}
	addHTML(s.paths, string(b))
	el := s.paths.Get("lastElementChild")
	for i := len(fresh) - 1; i >= 0; i-- {
		fresh[i].el = el
		el = el.Get("previousElementSibling")
	}
}

func (s *Island) lookOf(c *graph.Card) look {
	return look{content: c.Content, id: c.ID, trouble: s.troubles[c.Key], row: s.picked.row(c)}
}

// sync writes to the elements what differs from what was last written.
func (s *Island) sync() {
	_, by := s.chart.Dragged()
	line, connecting := s.chart.Line()
	for c, n := range s.nodes {
		s.syncNode(c, n, by, line)
	}
	hover := s.chart.Hover()
	for e, p := range s.edges {
		curve := e.Curve
		if s.dragged != nil && (s.dragged[e.Source()] || s.dragged[e.Target()]) {
			curve = s.movedCurve(e, by)
		}
		if curve = s.inSight(e, curve); curve != p.curve {
			p.curve = curve
			s.buf = curve.AppendPath(s.buf[:0])
			p.el.Call("setAttribute", "d", string(s.buf))
		}
		class := edgeClass(e, s.picked.hot(e, hover))
		if connecting && line.Edge == e {
			class += " cv-away"
		}
		if class != p.class {
			p.class = class
			p.el.Call("setAttribute", "class", class)
		}
		if p.target != string(e.To) {
			p.target = string(e.To)
			p.el.Call("setAttribute", "data-target", p.target)
		}
	}
	s.nameActive()
}

// inSight cuts long edges. A dash is a line of its own to the browser, so dashed
// edges are cut close; others keep so much that they are seldom cut anew.
func (s *Island) inSight(e *graph.Edge, c graph.Curve) graph.Curve {
	if e.Dashed() {
		return c.Within(s.culled, cullMargin/s.chart.Viewport().Zoom)
	}
	return c.Within(s.culled, max(s.culled.W, s.culled.H))
}

func (s *Island) movedCurve(e *graph.Edge, by graph.Vec) graph.Curve {
	var source, target graph.Vec
	if s.dragged[e.Source()] {
		source = by
	}
	if s.dragged[e.Target()] {
		target = by
	}
	return e.Moved(source, target)
}

func (s *Island) syncNode(c *graph.Card, n *nodeElement, by graph.Vec, line gesture.Line) {
	if l := s.lookOf(c); l != n.look {
		s.syncLook(c, n, l)
	}
	if selected := s.picked.has(c.ID); selected != n.selected {
		n.selected = selected
		n.el.Call("setAttribute", "aria-selected", strconv.FormatBool(selected))
	}
	at := c.Rect.Origin()
	state := ""
	switch {
	case s.dragged[c]:
		at = at.Add(by)
		state = " cv-dragged"
	case line.Target == c && line.Reason != "":
		state = " cv-refused"
	case line.Target == c:
		state = " cv-target"
	case line.Card == c:
		state = " cv-source"
	}
	if at != n.at {
		n.at = at
		s.buf = appendTranslate(s.buf[:0], at.X, at.Y)
		n.style.Set("transform", string(s.buf))
	}
	if n.height != c.Rect.H {
		n.height = c.Rect.H
		n.style.Set("height", strconv.FormatFloat(n.height, 'f', -1, 64)+"px")
	}
	if o := c.Order(); o != n.order {
		n.order = o
		n.style.Set("zIndex", strconv.Itoa(o))
	}
	if state != n.state {
		n.state = state
		n.el.Set("className", "cv-card"+state)
	}
}

func (s *Island) syncLook(c *graph.Card, n *nodeElement, l look) {
	set := func(name, value string) { n.el.Call("setAttribute", name, value) }
	if l.content.Kind != n.look.content.Kind {
		set("data-kind", string(l.content.Kind))
	}
	if l.id != n.look.id {
		set("data-node", l.id)
		set("id", "node:"+c.Key)
	}
	if l.trouble.count != n.look.trouble.count {
		set("data-problems", strconv.Itoa(l.trouble.count))
	}
	set("aria-label", label(l))
	n.look = l
	s.buf = appendInner(s.buf[:0], l)
	setHTML(n.el, string(s.buf))
}

// nameActive tells assistive technology which card the keyboard is at.
func (s *Island) nameActive() {
	c := s.scene.Card(s.picked.active())
	if c == nil || s.nodes[c] == nil {
		s.host.Call("removeAttribute", "aria-activedescendant")
		return
	}
	s.host.Call("setAttribute", "aria-activedescendant", s.nodes[c].el.Get("id"))
}

// drawOver draws what only a gesture shows.
func (s *Island) drawOver() {
	d, reason := "", ""
	if l, ok := s.chart.Line(); ok {
		curve := graph.To(l.Card.OutAt(l.Out), l.End)
		d, reason = string(curve.AppendPath(nil)), l.Reason
		class := "cv-line"
		if reason != "" {
			class += " cv-refused"
		}
		s.line.Call("setAttribute", "class", class)
		at := s.chart.Viewport().ToScreen(l.End)
		s.reason.Get("style").Set("transform", string(appendTranslate(nil, at.X+14, at.Y+14)))
	}
	s.line.Call("setAttribute", "d", d)
	s.reason.Set("hidden", reason == "")
	s.reason.Set("textContent", reason)
	r, ok := s.chart.Marquee()
	s.marquee.Set("hidden", !ok)
	if ok {
		v := s.chart.Viewport()
		at := v.ToScreen(r.Origin())
		style := s.marquee.Get("style")
		style.Set("transform", string(appendTranslate(nil, at.X, at.Y)))
		style.Set("width", strconv.FormatFloat(r.W*v.Zoom, 'f', 1, 64)+"px")
		style.Set("height", strconv.FormatFloat(r.H*v.Zoom, 'f', 1, 64)+"px")
	}
}
