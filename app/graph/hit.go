package graph

// Sizes of hit zones, in screen pixels: a handle is drawn 12 wide and hit in a zone of 32, an edge in one of 20.
const (
	handleZone = 16
	edgeZone   = 10
)

// innerZone bounds, in form units, how far the zone of a handle extends into its own card. Without it the zone would cover the whole card
// when zoomed out, and the card could not be dragged.
const innerZone = 20

// Hit is the element under a point. The zero Hit is empty canvas.
type Hit struct {
	Card *Card // nil if neither a card nor a handle is hit
	Out  int   // index in Card.Outs if a handle is hit, else -1
	Row  int   // index in Card.Rows if a row is hit, else -1
	Spot Spot  // of the card or the row
	Edge *Edge // set only if no card is hit
}

// Spot is a small control on a card that shows under the pointer.
type Spot uint8

// The spots.
const (
	NoSpot        Spot = iota
	MoreSpot           // in the header: opens the menu of the card
	DuplicateSpot      // at the right of a component or rule
	DeleteSpot
	GripSpot // at the left of a component or rule: drags it
)

// SpotSize is the width of a spot, and spotRight the distance of the last one from the right side of its card: the zone of a handle is
// there. The style sheet of the canvas has the same numbers.
const (
	SpotSize  = 24
	spotRight = 20
)

// SpotZoom is the minimum zoom at which cards have spots. Further out they would be too small to press.
const SpotZoom = 0.6

// NameZoom is the zoom below which a card shows only its name: the text of its rows would be too small to read.
const NameZoom = 0.45

// RowZoom is the minimum zoom at which a point of a card is on one of its rows. Further out nobody can tell the rows apart.
const RowZoom = 0.3

// spotAt returns the spot at a point of the card; row is the row there, or -1.
func (c *Card) spotAt(at Vec, row int) Spot {
	right := c.Rect.Right() - spotRight - at.X
	if row < 0 {
		if y := at.Y - c.Rect.Y - HeaderHeight/2; c.Width == CardWidth && y >= -SpotSize/2 && y < SpotSize/2 && right >= 0 && right < SpotSize {
			return MoreSpot
		}
		return NoSpot
	}
	k := c.Rows[row].Kind
	switch {
	case k != ComponentRow && k != RuleRow:
	case at.X < c.Rect.X+SpotSize:
		return GripSpot
	case right >= 0 && right < SpotSize:
		return DeleteSpot
	case right >= SpotSize && right < 2*SpotSize:
		return DuplicateSpot
	}
	return NoSpot
}

// Hit returns the element under a point of the form at a zoom: a handle first, then the topmost card, then the nearest edge. front reports,
// by key, which cards are drawn above the others; nil means none.
func (s *Scene) Hit(at Vec, zoom float64, front func(key string) bool) Hit {
	zone := handleZone / zoom
	var top, holder *Card
	out, nearest := -1, zone
	for _, i := range s.cardAt.query(Rect{at.X, at.Y, 0, 0}.Grown(zone)) {
		c := s.cards[i]
		inside := c.Rect.Contains(at)
		if inside && (top == nil || above(c, top, front)) {
			top = c
		}
		reach := zone
		if inside {
			reach = min(zone, innerZone)
		}
		for j := range c.Outs {
			d := at.Sub(c.OutAt(j)).Len()
			if d <= reach && d < nearest {
				holder, out, nearest = c, j, d
			}
		}
	}
	// The topmost card hides the handle of a card below it, unless the pointer is
	// on the part of the circle that sticks out.
	if holder != nil && (top == nil || top == holder || nearest <= HandleRadius && above(holder, top, front)) {
		return Hit{Card: holder, Out: out, Row: -1}
	}
	if top != nil {
		h := Hit{Card: top, Out: -1, Row: top.RowAt(at.Y)}
		if zoom < RowZoom {
			h.Row = -1
		}
		if zoom >= SpotZoom {
			h.Spot = top.spotAt(at, h.Row)
		}
		return h
	}
	return Hit{Edge: s.edges.near(at, edgeZone/zoom), Out: -1, Row: -1}
}

func above(c, d *Card, front func(string) bool) bool {
	if front != nil {
		if a, b := front(c.Key), front(d.Key); a != b {
			return a
		}
	}
	return c.slot > d.slot
}

// TargetAt returns the target card of a connection dropped at a point: the card under the point, else the one whose input is nearest within
// the snap radius of 24 screen pixels, else nil.
func (s *Scene) TargetAt(at Vec, zoom float64, front func(key string) bool) *Card {
	const snap = 24
	var top, near *Card
	nearest := snap / zoom
	for _, i := range s.cardAt.query(Rect{at.X, at.Y, 0, 0}.Grown(nearest)) {
		c := s.cards[i]
		if c.Rect.Contains(at) && (top == nil || above(c, top, front)) {
			top = c
		}
		if d := at.Sub(c.InAt()).Len(); c.HasIn && d < nearest {
			near, nearest = c, d
		}
	}
	if top != nil {
		return top
	}
	return near
}
