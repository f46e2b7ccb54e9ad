//go:build e2e && !js

package e2e

import (
	"math"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

const zoomOf = `Number(document.querySelector("[data-testid=canvas]").dataset.zoom)`

// Dropping a connection on empty canvas offers a node there. The new node becomes
// the target, and a single undo removes both.
func TestDropOnCanvas(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.choose("step_b")
	p.wait(`document.querySelector(".editor").dataset.right === "open"`) // nothing moves the view after this
	p.still()
	p.wait(sel(`[data-handle="step_b:next"]`))
	x, y := p.middle(sel(`[data-handle="step_b:next"]`))
	p.drag(x, y, x+60, y-140)
	p.wait(find("menuitem", "Step"))
	p.shoot("drop-menu")
	p.press("menuitem", "Flow")
	p.wait(`document.querySelectorAll("[data-kind=FLOW]").length === 1`)
	flow := eval[string](p, `document.querySelector("[data-kind=FLOW]").dataset.node`)
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === ` + js(flow))
	at := eval[[]float64](p, `(() => { const r = `+sel(`[data-kind=FLOW]`)+`.getBoundingClientRect(); return [r.left, r.top]; })()`)
	if dx, dy := at[0]-(x+60), at[1]-(y-140); dx < -20 || dx > 20 || dy < -30 || dy > 20 {
		t.Errorf("the node is %v, %v away from where the connection was dropped", dx, dy)
	}
	p.press("button", "Undo")
	p.wait(`!document.querySelector("[data-kind=FLOW]")`)
	p.saveState("saved")

	p.drag(x, y, x+60, y-140)
	p.wait(find("menuitem", "Step"))
	p.do(chromedp.KeyEvent("\x1b"))
	p.wait(`!document.querySelector("[role=menu]")`)
	p.saveState("saved")
}

// wheel turns the mouse wheel by a number of pixels.
func (p *page) wheel(x, y, dy float64) {
	p.t.Helper()
	p.do(call(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: wheelStill, DeltaY: dy}))
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// The last view of a form is restored, and a button returns to a form that is out of
// view.
func TestViewIsRemembered(t *testing.T) {
	nightly(t) // only here: the view of a form in localStorage, the way back to a lost form; a change in workspace/viewport.go needs it
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	before := eval[float64](p, zoomOf)
	p.press("button", "Zoom in")
	p.press("button", "Zoom in")
	p.wait(zoomOf + ` > ` + number(1.5*before)) // twice by 1.25
	p.still()
	p.wait(`localStorage.getItem("formgraph.view.` + id + `")?.endsWith(" " + ` + zoomOf + `)`)
	zoom := eval[float64](p, zoomOf)
	p.asItOpens(s, id)
	if got := eval[float64](p, zoomOf); got < zoom-0.001 || got > zoom+0.001 {
		t.Errorf("the zoom is %v, was %v", got, zoom)
	}
	for range 40 {
		p.wheel(600, 400, 400)
	}
	p.press("button", "Back to the form")
	p.wait(`!` + find("button", "Back to the form"))
	p.wait(sel(node("step_a")))
}

// The preference for the mouse wheel survives a reload.
func TestWheelZooms(t *testing.T) {
	nightly(t) // app/gesture tests the wheel (TestWheelZooms); only here: the choice in localStorage; a change in app/ui/topbar/menus.go needs it
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	before := eval[float64](p, zoomOf)
	p.press("button", "Account")
	p.press("menuitemradio", "Zooms")
	p.wait(`!` + menuOpen)
	p.wheel(600, 400, -100)
	p.wait(zoomOf + ` > ` + number(before))
	p.editor(s, id)
	p.press("button", "Fit view")
	p.wait(zoomOf + ` <= ` + number(before+0.001))
	p.wheel(600, 400, -100)
	p.wait(zoomOf + ` > ` + number(before+0.001))
	p.press("button", "Account")
	p.wait(find("menuitemradio", "Zooms") + `?.getAttribute("aria-checked") === "true"`)
}

// The content stays in place when the left panel closes and opens, and its middle
// stays in the middle when the window is resized.
func TestViewStays(t *testing.T) {
	nightly(t) // app/ui/canvas tests where the view goes (TestKeepInView); only here: what resize measures (listen_js.go), and the window's middle
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.still()
	place := `(() => { const r = ` + sel(node("step_b")) + `.getBoundingClientRect(); return [r.x, r.y]; })()`
	middle := `(() => { const r = ` + sel(node("step_b")) + `.getBoundingClientRect(), c = ` + sel("[data-testid=canvas]") + `.getBoundingClientRect();
		return [r.x - c.x - c.width / 2, r.y - c.y - c.height / 2]; })()`
	shown := sel("[data-testid=palette]") + `?.offsetParent`
	for _, tt := range []struct {
		name, what string
		do         func()
	}{
		{"the panel closes", place, func() { p.press("button", "Components and outline"); p.wait(`!` + shown) }},
		{"the panel opens", place, func() { p.press("button", "Components and outline"); p.wait(shown) }},
		{"the window grows", middle, func() { p.do(chromedp.EmulateViewport(1700, 900)); p.wait(`innerWidth === 1700`) }},
	} {
		was := eval[[]float64](p, tt.what)
		tt.do()
		p.still()
		if now := eval[[]float64](p, tt.what); math.Hypot(now[0]-was[0], now[1]-was[1]) > 1 {
			t.Errorf("%s: a node that was at %v is at %v", tt.name, was, now)
		}
	}
}
