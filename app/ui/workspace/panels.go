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

// Tabs of the dock below the canvas.
const (
	Journey   = "journey"
	Scenarios = "scenarios"
	Impact    = "impact"
)

// Panels is the state of the panels. In a narrow window they are sheets over the canvas, one at a time.
type Panels struct {
	Left, Right bool
	Tab         string // open tab of the left panel
	Dock        string // open tab of the dock below the canvas, "" while the dock is closed
	Sheet       Sheet  // height of the panel in a narrow window
}

// wideWindow is the minimum width, in CSS pixels, at which the panels are beside the canvas.
const wideWindow = 900

// Wide reports whether the window has room for the panels beside the canvas.
func Wide() bool { return app.Window().Get("innerWidth").Int() >= wideWindow }

// lowWindow is the height, in CSS pixels, below which the tabs above the canvas have no room; the style sheet has the same number.
const lowWindow = 300

// Low reports whether the window is too low for the tabs above the canvas.
func Low() bool { return app.Window().Get("innerHeight").Int() < lowWindow }

// ToggleLeft opens or closes the left panel.
func (p *Panels) ToggleLeft() {
	p.Left = !p.Left
	p.Right, p.Sheet = p.Right && (Wide() || !p.Left), HalfSheet
}

// ToggleRight opens or closes the right panel.
func (p *Panels) ToggleRight() {
	p.Right = !p.Right
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

// Covered returns the part of the canvas that the tabs above it cover, and how many pixels the open sheet of a narrow window covers.
func (p *Panels) Covered() (tabs graph.Rect, sheet float64) {
	document := app.Window().Get("document")
	if e := document.Call("querySelector", ".views"); e.Truthy() {
		at := func(property string) float64 { return e.Get(property).Float() } // all 0 while they are hidden
		tabs = graph.Rect{X: at("offsetLeft"), Y: at("offsetTop"), W: at("offsetWidth"), H: at("offsetHeight")}
	}
	if !Wide() && (p.Left || p.Right) {
		sheet = p.Sheet.Height(document.Call("querySelector", ".work").Get("clientHeight").Float())
	}
	return tabs, sheet
}

// Listen closes the panels when the window becomes too narrow to show them beside the canvas: they would cover
// it.
func (p *Panels) Listen(ctx app.Context) (stop func()) {
	was := Wide()
	return kit.Listen("resize", func(app.Value) {
		if is := Wide(); is != was {
			was = is
			ctx.Dispatch(func(app.Context) { p.Left, p.Right = is, is })
		}
	})
}

// CloseButton is the button that closes a panel that covers the canvas in a narrow window.
func CloseButton(act string) app.UI {
	return kit.El("button.icon.panel-close type=button aria-label=% title=% data-act=%", "Close the panel", "Close the panel",
		act).Body(kit.Icon("close"))
}
