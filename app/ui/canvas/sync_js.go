package canvas

import (
	"cmp"
	"slices"
	"strconv"
	"syscall/js"

	"github.com/formgraph/formgraph/app/gesture"
	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/model/schema"
)

func (s *picture) lookOf(c *graph.Card) look {
	l := look{content: c.Content, id: c.ID, trouble: s.troubles[c.Key], row: s.picked.row(c), parts: s.picked.parts(c), differs: s.picked.marks.difference(c), talk: s.picked.marks.comments(c)}
	l.trouble.warnings = 0 // attributes of the card say them
	if c.Kind == graph.FlowKind && len(c.Rows) > 0 {
		l.flow = s.flows[c.Rows[0].Flow]
	}
	l.folded = foldedPart(s.ed.State().Form, s.picked.selection, c, l.row)
	return l
}

// alike reports whether two problems look the same on a card.
func alike(p, q schema.Problem) bool { return p.Detail == q.Detail && p.Path.Equal(q.Path) }

// sync updates the elements that differ from the last values written.
func (s *picture) sync() {
	_, by := s.chart.Shown().Dragged()
	line, connecting := s.chart.Shown().Line()
	e := s.ends()
	for c, n := range s.nodes {
		s.syncNode(c, n, by, e)
	}
	s.findStream()
	s.labelled = s.labelled[:0]
	for e, p := range s.edges {
		curve, gaps := e.Curve, e.Gaps()
		if s.dragged != nil && (s.dragged[e.Source()] || s.dragged[e.Target()]) {
			curve, gaps = s.movedCurve(e, by), nil
		}
		if curve = s.inSight(e, curve); curve != p.curve || !slices.Equal(gaps, p.gaps) {
			p.curve, p.gaps = curve, gaps
			p.el.Call("setAttribute", "d", string(curve.AppendPath(nil, gaps)))
		}
		glow := s.glow(e)
		if glow == hot {
			s.labelled = append(s.labelled, e)
		}
		class := edgeClass(e, glow)
		switch {
		case connecting && line.Edge == e:
			class += " cv-away"
		case s.chart.Shown().InsertEdge() == e:
			class += " cv-splice"
		}
		if class != p.class {
			p.class = class
			p.el.Call("setAttribute", "class", class)
			if glow == hot {
				s.paths.Call("append", p.el) // above the edges that it shares a line with
			}
		}
		if on := s.picked.marks.edge(e); on != p.visited {
			p.visited = on
			mark(p.el, "data-visited", on)
		}
		if n := s.picked.marks.times(e); n != p.times {
			p.times = n
			count(p.el, "data-taken", n)
		}
		if p.target != string(e.To) {
			p.target = string(e.To)
			p.el.Call("setAttribute", "data-target", p.target)
		}
	}
	s.drawLabels()
	s.nameActive()
	s.showTitle()
}

// showTitle shows the title of the card under the pointer in a tooltip, at zooms where the card may have no room for all of it.
func (s *picture) showTitle() {
	title := ""
	if c := s.chart.Shown().Hover().Card; c != nil && s.chart.Viewport().Zoom < smallZoom {
		title = c.Title
	}
	if title != s.titled {
		s.titled = title
		s.host.Set("title", title)
	}
}

// drawLabels draws the rules on emphasized edges, at a constant size on the screen. While the view zooms, they grow and shrink with it.
func (s *picture) drawLabels() {
	slices.SortFunc(s.labelled, func(a, b *graph.Edge) int {
		return cmp.Or(cmp.Compare(a.Source().Order(), b.Source().Order()), cmp.Compare(a.Port, b.Port))
	})
	b, zoom := s.buf[:0], s.chart.Viewport().Zoom
	l := labels{scene: s.scene}
	for _, e := range s.labelled {
		if zoom < graph.NameZoom {
			break // only the names of the cards are shown
		}
		up := 0.0
		if plus, _ := s.chart.Shown().Plus(); plus == e {
			up = gesture.PlusSize / zoom // above the button
		}
		b = l.append(b, e, s.edges[e].curve, up, labelUnit(zoom), s.chart.Shown().Hover().Edge == e)
	}
	s.buf = b
	if text := string(b); text != s.labelText {
		s.labelText = text
		setHTML(s.labels, text)
	}
}

// findStream finds the journeys through what is under the pointer, or else through what is selected.
func (s *picture) findStream() {
	var of streamed
	if !s.afar && s.chart.Phase() == gesture.Idle {
		of = s.picked.streamed(s.scene, s.chart.Shown().Hover())
	}
	if rev := s.scene.Rev(); !of.same(s.streamOf) || rev != s.streamRev {
		s.streamOf, s.streamRev, s.stream = of, rev, nil
		if len(of.cards)+len(of.edges) > 0 {
			s.stream = s.scene.Stream(of.cards, of.edges)
		}
	}
}

func (s *picture) glow(e *graph.Edge) glow {
	switch {
	case s.picked.hot(e, s.chart.Shown().Hover()):
		return hot
	case s.stream[e]:
		return stream
	}
	return plain
}

// inSight cuts long edges. To the browser each dash is a line of its own, so
// dashed edges are cut close to the view; other edges keep so much that they
// seldom have to be cut again.
func (s *picture) inSight(e *graph.Edge, c graph.Curve) graph.Curve {
	if e.Dashed() {
		return c.Within(s.culled, cullMargin/s.chart.Viewport().Zoom)
	}
	return c.Within(s.culled, max(s.culled.W, s.culled.H))
}

func (s *picture) movedCurve(e *graph.Edge, by graph.Vec) graph.Curve {
	var source, target graph.Vec
	if s.dragged[e.Source()] {
		source = by
	}
	if s.dragged[e.Target()] {
		target = by
	}
	if s.sketched && source != target && e.Target() != nil {
		return graph.To(e.Curve.At(0).Add(source), e.Curve.At(1).Add(target))
	}
	return e.Moved(source, target)
}

// mostAround is how many edges may run around cards while they move: more would take too much of a frame.
const mostAround = 60

// ends are the cards at the ends of what is being dragged, a connection or a component; nil for none.
type ends struct {
	source, target *graph.Card
	refused        bool // by the target
}

func (s *picture) ends() ends {
	if c := s.chart.Shown().Carry(); c != nil {
		return ends{target: c.Card, refused: c.Reason != ""}
	}
	l, _ := s.chart.Shown().Line()
	return ends{l.Card, l.Target, l.Reason != ""}
}

func (s *picture) syncNode(c *graph.Card, n *nodeElement, by graph.Vec, e ends) {
	l := s.lookOf(c)
	redrawn := l != n.look
	if redrawn {
		s.syncLook(c, n, l)
	}
	if w := s.picked.marks.warned(c, s.troubles[c.Key]).warnings; w != n.warnings || redrawn {
		n.warnings = w
		mark(n.el, "data-warned", w > 0)
		n.el.Get("firstElementChild").Call("setAttribute", "aria-label", nameOf(l, w))
	}
	if selected := s.picked.has(c.Key); selected != n.selected {
		n.selected = selected
		n.el.Call("setAttribute", "aria-selected", strconv.FormatBool(selected))
	}
	if t := s.picked.marks.node(c); t != n.trace {
		n.trace = t
		mark(n.el, "data-visited", t != untouched)
		mark(n.el, "data-current", t == current)
	}
	if v := s.picked.marks.visitors(c); v != n.visitors || redrawn && v.Part != "" {
		n.visitors = v
		nameVisitors(n.el, v)
		if row := n.el.Call("querySelector", ".cv-row[data-people]"); row.Truthy() {
			nameVisitors(row, Visitors{})
		}
		if row := n.el.Call("querySelector", `[data-component=`+strconv.Quote(v.Part)+`]`); row.Truthy() {
			nameVisitors(row, v)
		}
	}
	state := ""
	moved := graph.Vec{}
	switch {
	case s.dragged[c]:
		moved = by
		state = " cv-dragged"
	case e.target == c && e.refused:
		state = " cv-refused"
	case e.target == c:
		state = " cv-target"
	case e.source == c:
		state = " cv-source"
	}
	if at := c.Rect.Origin(); at != n.at {
		n.at = at
		n.style.Set("left", pixels(at.X))
		n.style.Set("top", pixels(at.Y))
	}
	if moved != n.by {
		n.by = moved
		s.buf = s.buf[:0]
		if moved != (graph.Vec{}) {
			s.buf = appendTranslate(s.buf, moved.X, moved.Y)
		}
		n.style.Set("transform", string(s.buf))
	}
	if n.height != c.Rect.H {
		n.height = c.Rect.H
		n.style.Set("height", pixels(n.height))
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

// nameVisitors names the people at an element, or nobody.
func nameVisitors(el js.Value, v Visitors) {
	if v.Names == "" {
		el.Call("removeAttribute", "data-people")
		return
	}
	el.Call("setAttribute", "data-people", v.Names)
	el.Call("setAttribute", "data-hue", strconv.Itoa(v.Hue))
}

func (s *picture) syncLook(c *graph.Card, n *nodeElement, l look) {
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
	if d := l.differs; d != n.look.differs {
		for _, name := range []string{"data-compare", "data-tag"} {
			n.el.Call("removeAttribute", name)
		}
		if d != nil {
			set("data-compare", d.Kind)
			set("data-tag", d.Tag)
		}
	}
	n.look = l
	s.buf = appendInner(s.buf[:0], l)
	setHTML(n.el, string(s.buf))
}

// nameActive exposes the card or row with the keyboard focus to assistive technology. An element of its own stands for a row, because the
// content of a card is hidden from it.
func (s *picture) nameActive() {
	c := s.scene.Card(s.picked.active())
	if c == nil || s.nodes[c] == nil {
		s.at.Set("hidden", true)
		s.host.Call("removeAttribute", "aria-activedescendant")
		return
	}
	id, row := "node:"+c.Key, s.picked.row(c)
	s.at.Set("hidden", row < 0)
	if row >= 0 {
		option := s.at.Get("firstElementChild")
		id = "row:" + strconv.Itoa(row) + ":" + c.Key
		if l := s.nodes[c].look; l.folded != "" {
			id += ":" + l.folded
		}
		option.Set("id", id)
		option.Call("setAttribute", "aria-label", nameOfRow(s.nodes[c].look, row))
		option.Call("setAttribute", "style", boxStyle(s.picked.place(c)))
	}
	s.host.Call("setAttribute", "aria-activedescendant", id)
}

// mark sets or removes an attribute.
func mark(el js.Value, name string, on bool) {
	if on {
		el.Call("setAttribute", name, "true")
		return
	}
	el.Call("removeAttribute", name)
}

// count writes a number, or removes it if it is uncounted.
func count(el js.Value, name string, n int) {
	if n == uncounted {
		el.Call("removeAttribute", name)
		return
	}
	el.Call("setAttribute", name, strconv.Itoa(n))
}

func pixels(f float64) string { return string(append(appendNumber(nil, f), "px"...)) }

// place returns where a card, or its selected row, is in the form.
func (p picked) place(c *graph.Card) graph.Rect {
	r := c.Rect
	if row := p.row(c); row >= 0 {
		r.Y, r.H = r.Y+c.Rows[row].Top, c.Rows[row].Height
	}
	return r
}
