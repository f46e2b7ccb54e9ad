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

// Panels is the state of the panels. In a narrow window they are sheets over the canvas, one at a time. In a wider one, this browser remembers
// which of them the person wants.
type Panels struct {
	Left, Right bool
	wide        bool   // they are beside the canvas
	selected    bool   // something is selected
	shut        bool   // the person has closed the left panel
	use         use    // of the right panel
	Tab         string // open tab of the left panel
	Dock        string // what the dock below the canvas shows, "" while it is closed
	Sheet       Sheet  // height of the panel, or of a page beside the canvas, in a narrow window
}

// wideWindow is the minimum width, in CSS pixels, at which the panels are beside the canvas.
const wideWindow = 900

// use is when the person wants the right panel beside the canvas.
type use string

const (
	forSelection use = "" // while something is selected
	never        use = "never"
	always       use = "always"
)

// RightWidth is the width of the right panel beside the canvas, in CSS pixels. The style sheet has the same number.
const RightWidth = 340

// Wide reports whether the window has room for the panels beside the canvas.
func Wide() bool { return windowWidth() >= wideWindow }

func windowWidth() int { return app.Window().Get("innerWidth").Int() }

// lowWindow is the height, in CSS pixels, below which the tabs above the canvas have no room; the style sheet has the same number.
const lowWindow = 300

// Low reports whether the window is too low for the tabs above the canvas.
func Low() bool { return app.Window().Get("innerHeight").Int() < lowWindow }

// Begin opens the panels that the person wants in a window of a width, in CSS pixels, where they have room.
func (p *Panels) Begin(width int) {
	p.wide = width >= wideWindow
	p.Left, p.Right = p.wide && !p.shut, p.wide && p.wanted()
}

// wanted reports whether the person wants to see the right panel now.
func (p *Panels) wanted() bool { return p.use == always || p.use != never && p.selected }

// Resize follows the window to a width: the panels begin anew when it becomes too narrow to show them beside the canvas, which they would cover, or
// wide enough.
func (p *Panels) Resize(to int) {
	if (to >= wideWindow) != p.wide {
		p.Begin(to)
	}
}

// Follow opens and closes the right panel as the person wants it while something is selected, or nothing is. Call it whenever the selection may have
// changed. What covers the canvas of a narrow window stays as it is.
func (p *Panels) Follow(selected bool) {
	if selected == p.selected {
		return
	}
	p.selected = selected
	if p.wide {
		p.Right = selected && p.Right || p.wanted()
	}
}

// The names of the preferences of a person.
const (
	leftPanel  = "left-panel"
	rightPanel = "right-panel"
	shut       = "shut"
)

// Recall reads which panels the person wants. Call it before Begin.
func (p *Panels) Recall() { p.shut, p.use = kit.Recall(leftPanel) == shut, use(kit.Recall(rightPanel)) }

// ToggleLeft opens or closes the left panel, and remembers that.
func (p *Panels) ToggleLeft() {
	p.Left = !p.Left
	p.Right, p.Sheet = p.Right && (p.wide || !p.Left), HalfSheet
	if p.wide {
		kept := ""
		if p.shut = !p.Left; p.shut {
			kept = shut
		}
		kit.Remember(leftPanel, kept)
	}
}

// ToggleRight opens or closes the right panel, and remembers that. Opened while nothing is selected, it stays open; closed while something is
// selected, it stays closed.
func (p *Panels) ToggleRight() {
	p.setRight(!p.Right)
	if !p.wide {
		return
	}
	switch {
	case p.Right && !p.selected:
		p.use = always
	case p.selected && !p.Right:
		p.use = never
	case p.selected || p.use == always:
		p.use = forSelection
	}
	kit.Remember(rightPanel, string(p.use))
}

func (p *Panels) setRight(open bool) {
	p.Right = open
	p.Left, p.Sheet = p.Left && (p.wide || !p.Right), HalfSheet
}

// ShowTab shows a tab of the left panel.
func (p *Panels) ShowTab(name string) {
	p.Tab, p.Left, p.Sheet = name, true, HalfSheet
	p.Right = p.Right && p.wide
}

// ShowRight opens the right panel, until the selection changes or the person closes it.
func (p *Panels) ShowRight() {
	if !p.Right {
		p.setRight(true)
	}
}

// Cover reports whether a panel covers a part of the canvas.
func (p *Panels) Cover() bool { return !p.wide && (p.Left || p.Right) }

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
	return kit.Listen("resize", func(app.Value) {
		if to := windowWidth(); (to >= wideWindow) != p.wide {
			ctx.Dispatch(func(app.Context) { p.Resize(to) })
		}
	})
}

// CloseButton is the button that closes a panel that covers the canvas in a narrow window.
func CloseButton(act string) app.UI {
	return kit.El("button.icon.panel-close type=button aria-label=% title=% data-act=%", "Close the panel", "Close the panel",
		act).Body(kit.Icon("close"))
}
