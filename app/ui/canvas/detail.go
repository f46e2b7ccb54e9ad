package canvas

import "github.com/formgraph/formgraph/app/graph"

// The zooms below which cards show less, besides graph.NameZoom.
const (
	smallZoom = 0.85 // names, and at a smaller zoom rows, do not shrink with the cards
	slimZoom  = 0.62 // a head is too low for a second line of its name; a bar in the color of the kind replaces the icon
	tinyZoom  = 0.17 // a card is only a patch of color
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

// ghostDetailOf is detailOf for ghosts, whose names names.go does not draw: they show them at every zoom.
func ghostDetailOf(zoom float64) string {
	if zoom >= tinyZoom && zoom < graph.NameZoom {
		return "cv-small cv-slim cv-bare"
	}
	return detailOf(zoom)
}
