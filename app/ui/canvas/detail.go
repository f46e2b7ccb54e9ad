package canvas

import "github.com/formgraph/formgraph/app/graph"

// The zooms below which cards show less, besides graph.NameZoom. The style sheet draws titles below smallZoom at a constant size on the screen,
// and cuts each to the width of its card.
const (
	smallZoom = 0.85 // titles, and at a smaller zoom rows, do not shrink with the cards
	slimZoom  = 0.62 // a bar in the color of the kind replaces the icon
	tinyZoom  = 0.17 // a card is only a patch of color, too narrow for a few letters of its title
)

// detailOf returns the classes that select the style of cards for their size on the screen.
func detailOf(zoom float64) string {
	switch {
	case zoom < tinyZoom:
		return "cv-tiny"
	case zoom < graph.NameZoom:
		return "cv-named"
	case zoom < slimZoom:
		return "cv-small cv-slim"
	case zoom < smallZoom:
		return "cv-small"
	}
	return ""
}
