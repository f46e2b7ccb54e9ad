package workspace

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/ui/kit"
)

// Sheet is the height of a panel, or of a page beside the canvas, in a narrow window, where it is a sheet at the bottom.
type Sheet int

// The heights. Beside a low sheet the canvas can be used.
const (
	HalfSheet Sheet = iota
	FullSheet
	LowSheet
)

// sheets are the heights from low to full, with the names by which the style sheet knows them.
var sheets = []struct {
	Sheet
	name string
}{{LowSheet, "low"}, {HalfSheet, "half"}, {FullSheet, "full"}}

// String returns the name of the height.
func (s Sheet) String() string { return sheets[s.place()].name }

func (s Sheet) place() int {
	for i := range sheets {
		if sheets[i].Sheet == s {
			return i
		}
	}
	return 0
}

// Height returns the height of the sheet over a work area of the given height, in pixels; the style sheet has the same.
func (s Sheet) Height(work float64) float64 {
	switch s {
	case LowSheet:
		return min(72, work)
	case FullSheet:
		return max(work-24, 0)
	case HalfSheet:
	}
	return work / 2
}

// Larger returns the next larger height, and that of the low sheet after the full one.
func (s Sheet) Larger() Sheet { return sheets[(s.place()+1)%len(sheets)].Sheet }

// swipe is by how many pixels a finger moves at least to change the height.
const swipe = 24

// Dragged returns the height of a sheet after its top edge was dragged down by dy pixels in a window, and false if that closes it.
func (s Sheet) Dragged(dy, window float64) (Sheet, bool) {
	if dy > -swipe && dy < swipe {
		return s, true
	}
	to := s.place() + 1
	if dy > 0 {
		to = s.place() - 1
	}
	if dy < -window/2 {
		to = len(sheets) - 1
	}
	if dy > window/2 || to < 0 {
		return s, false
	}
	return sheets[min(to, len(sheets)-1)].Sheet, true
}

// SheetAct is the act of the grip of a sheet.
const SheetAct = "sheet"

// Grip draws the grip of the sheet, if one is open. A press makes the sheet larger, and the finger drags it.
func Grip(open bool) app.UI {
	return kit.El("button.sheet-grip type=button data-act=% aria-label=% hidden=%", SheetAct, "Height of the panel", kit.Yes(!open))
}

// Drag follows a finger that is down on the grip until it is lifted, and calls shut if that closes the sheet. A press without a movement is left
// to the click.
func (p *Panels) Drag(ctx app.Context, down app.Value, shut func(app.Context)) {
	if !kit.Near(down, ".sheet-grip").Truthy() {
		return
	}
	start := down.Get("clientY").Float()
	var stops []func()
	end := func() {
		for _, stop := range stops {
			stop()
		}
	}
	stops = append(stops,
		kit.Listen("pointerup", func(e app.Value) {
			end()
			to, stays := p.Sheet.Dragged(e.Get("clientY").Float()-start, app.Window().Get("innerHeight").Float())
			ctx.Dispatch(func(ctx app.Context) {
				if p.Sheet = to; !stays {
					shut(ctx)
				}
			})
		}),
		kit.Listen("pointercancel", func(app.Value) { end() }),
	)
}

// Close closes both panels. The next sheet has half the height.
func (p *Panels) Close() { p.Left, p.Right, p.Sheet = false, false, HalfSheet }
