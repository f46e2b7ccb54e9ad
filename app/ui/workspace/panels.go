package workspace

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/graph"
	"github.com/formgraph/formgraph/app/ui/kit"
)

// Tabs of the left panel.
const (
	Components = "components"
	Outline    = "outline"
	Problems   = "problems"
	History    = "history"
)

// Graph is the view of the canvas, beside the pages of the desk that message names.
const Graph = "graph"

// What the dock below the canvas shows.
const (
	Journey = "journey" // only the journey of the preview
	Test    = "test"    // also the impact of changes, and the scenarios
)

// Panels is the state of the panels. In a narrow window they are sheets over the canvas, one at a time.
type Panels struct {
	Left, Right bool
	awaits      bool   // the right panel opens when something is selected
	Tab         string // open tab of the left panel
	Dock        string // what the dock below the canvas shows, "" while it is closed
	Sheet       Sheet  // height of the panel, or of a page beside the canvas, in a narrow window
}

// wideWindow is the minimum width, in CSS pixels, at which the panels are beside the canvas.
const wideWindow = 900

// roomyWindow is the minimum width, in CSS pixels, of a window that opens with both panels. In a smaller one the right panel, which shows
// little until something is selected, would leave no room for a card.
const roomyWindow = 1180

// Wide reports whether the window has room for the panels beside the canvas.
func Wide() bool { return windowWidth() >= wideWindow }

func windowWidth() int { return app.Window().Get("innerWidth").Int() }

// lowWindow is the height, in CSS pixels, below which the tabs above the canvas have no room; the style sheet has the same number.
const lowWindow = 300

// Low reports whether the window is too low for the tabs above the canvas.
func Low() bool { return app.Window().Get("innerHeight").Int() < lowWindow }

// Begin opens the panels that have room in a window of a width, in CSS pixels.
func (p *Panels) Begin(width int) {
	p.Left, p.Right = width >= wideWindow, width >= roomyWindow
	p.awaits = p.Left && !p.Right
}

// Resize follows the window from one width to another: it closes the panels when the window becomes too narrow to show them beside the
// canvas, which they would cover, and opens what has room again.
func (p *Panels) Resize(from, to int) {
	switch {
	case (from >= wideWindow) != (to >= wideWindow):
		p.Begin(to)
	case to >= roomyWindow && p.awaits:
		p.Right, p.awaits = true, false
	}
}

// Meet opens the right panel if it awaits the first selection.
func (p *Panels) Meet() { p.Right, p.awaits = p.Right || p.awaits, false }

// ToggleLeft opens or closes the left panel.
func (p *Panels) ToggleLeft() {
	p.Left = !p.Left
	p.Right, p.Sheet = p.Right && (Wide() || !p.Left), HalfSheet
}

// ToggleRight opens or closes the right panel.
func (p *Panels) ToggleRight() {
	p.Right, p.awaits = !p.Right, false
	p.Left, p.Sheet = p.Left && (Wide() || !p.Right), HalfSheet
}

// ShowTab shows a tab of the left panel.
func (p *Panels) ShowTab(name string) {
	p.Tab, p.Left, p.Sheet = name, true, HalfSheet
	p.Right = p.Right && Wide()
}

// ShowRight opens the right panel.
func (p *Panels) ShowRight() {
	if !p.Right {
		p.ToggleRight()
	}
}

// Cover reports whether a panel covers a part of the canvas.
func (p *Panels) Cover() bool { return !Wide() && (p.Left || p.Right) }

// Covered returns the part of the canvas that the tabs above it cover, and how many pixels the open sheet of a narrow window covers.
func (p *Panels) Covered() (tabs graph.Rect, sheet float64) {
	document := app.Window().Get("document")
	if e := document.Call("querySelector", ".views"); e.Truthy() {
		at := func(property string) float64 { return e.Get(property).Float() } // all 0 while they are hidden
		tabs = graph.Rect{X: at("offsetLeft"), Y: at("offsetTop"), W: at("offsetWidth"), H: at("offsetHeight")}
	}
	if Wide() {
		return tabs, 0
	}
	if p.Cover() || document.Call("querySelector", ".desk.beside").Truthy() {
		sheet = p.Sheet.Height(document.Call("querySelector", ".work").Get("clientHeight").Float())
	}
	return tabs, sheet
}

// Listen follows the size of the window.
func (p *Panels) Listen(ctx app.Context) (stop func()) {
	was := windowWidth()
	return kit.Listen("resize", func(app.Value) {
		from, to := was, windowWidth()
		was = to
		if from != to {
			ctx.Dispatch(func(app.Context) { p.Resize(from, to) })
		}
	})
}

// CloseButton is the button that closes a panel that covers the canvas in a narrow window.
func CloseButton(act string) app.UI {
	return kit.El("button.icon.panel-close type=button aria-label=% title=% data-act=%", "Close the panel", "Close the panel",
		act).Body(kit.Icon("close"))
}
