//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"

	"github.com/formgraph/formgraph/app/graph"
)

// fingers sends the positions of all fingers that touch the screen from now on: a new
// finger is put down, a missing one is lifted.
func (p *page) fingers(typ input.DispatchTouchEventType, at ...graph.Vec) {
	p.t.Helper()
	points := []*input.TouchPoint{}
	for i, v := range at {
		id := float64(i)
		points = append(points, &input.TouchPoint{X: v.X, Y: v.Y, ID: &id})
	}
	p.do(call(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: typ, TouchPoints: points}))
}

func (p *page) touch(at ...graph.Vec) {
	p.t.Helper()
	p.fingers(input.DispatchTouchEventTypeTouchStart, at...)
}

func (p *page) swipe(at ...graph.Vec) {
	p.t.Helper()
	p.fingers(input.DispatchTouchEventTypeTouchMove, at...)
}
func (p *page) lift()            { p.t.Helper(); p.fingers(input.DispatchTouchEventTypeTouchEnd) }
func (p *page) tap(at graph.Vec) { p.t.Helper(); p.touch(at); p.lift() }
func (p *page) header(id string) graph.Vec {
	p.t.Helper()
	x, y := p.grip(id)
	return graph.Vec{X: math.Round(x), Y: math.Round(y)}
}

// view returns the viewport of the canvas, in window coordinates.
func (p *page) view() graph.Viewport {
	p.t.Helper()
	evalAsync[bool](p, settled)
	var v graph.Viewport
	if err := json.Unmarshal([]byte(eval[string](p, `(() => {
		const host = document.querySelector("[data-testid=canvas]"), r = host.getBoundingClientRect();
		const [x, y] = host.querySelector(".cv-world").style.transform.match(/-?[\d.]+(?=px)/g).map(Number);
		return JSON.stringify({x: r.left + x, y: r.top + y, zoom: Number(host.dataset.zoom)});
	})()`)), &v); err != nil {
		p.t.Fatal(err)
	}
	return v
}

// wantView waits until a point of the form is at a position in the window, at a zoom.
func (p *page) wantView(what string, form, window graph.Vec, zoom float64) {
	p.t.Helper()
	var v graph.Viewport
	for range 50 {
		v = p.view()
		if math.Abs(v.Zoom-zoom) < .01 && v.ToScreen(form).Sub(window).Len() < 2 {
			return
		}
	}
	p.t.Errorf("%s: %v is shown at %v, zoom %v; want %v, %v", what, form, v.ToScreen(form), v.Zoom, window, zoom)
}

// onTouch opens a form in a browser with a touch screen.
func onTouch(t *testing.T) (s *server, p *page, id string) {
	t.Helper()
	s = start(t, filepath.Join(t.TempDir(), "data"))
	id = s.create(threeNodes)
	p = browse(t)
	p.do(call(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}))
	p.editor(s, id)
	p.wait(sel(node("step_b")))
	p.still()
	return s, p, id
}

// emptyCanvas is a position in the window where nothing covers the canvas and there is
// no card and no edge.
func (p *page) emptyCanvas() graph.Vec {
	p.t.Helper()
	at := eval[[]float64](p, `(() => {
		const host = document.querySelector("[data-testid=canvas]"), r = host.getBoundingClientRect();
		for (const part of [.5, .4, .6, .3, .7]) for (let y = r.bottom - 150; y > r.top + 100; y -= 20) {
			const x = r.left + r.width * part, top = document.elementFromPoint(x, y);
			if (host.contains(top) && !top.closest("[data-node], .cv-mini")) return [x, y];
		}
	})()`)
	return graph.Vec{X: math.Round(at[0]), Y: math.Round(at[1])}
}

// One finger pans, taps and drags, and the page itself does not move.
func TestTouch(t *testing.T) {
	t.Parallel()
	s, p, id := onTouch(t)
	selected := `[...document.querySelectorAll("[data-node][aria-selected=true]")].map(e => e.dataset.node).join()`
	empty := p.emptyCanvas()

	p.tap(p.header("step_a"))
	p.wait(selected + ` === "step_a"`)
	p.tap(empty)
	p.wait(selected + ` === ""`)

	// One finger on empty canvas pans.
	v := p.view()
	under := v.ToForm(empty)
	p.touch(empty)
	for i := 1; i <= 4; i++ {
		p.swipe(empty.Add(graph.Vec{X: 30 * float64(i), Y: -20 * float64(i)}))
	}
	p.lift()
	p.wantView("one finger", under, empty.Add(graph.Vec{X: 120, Y: -80}), v.Zoom)
	p.saveState("saved")

	// A movement of less than six pixels is a tap, a longer one a drag.
	place := placeOf("step_b")
	was := eval[string](p, place)
	grip := p.header("step_b")
	p.touch(grip)
	p.swipe(grip.Add(graph.Vec{X: 5}))
	p.lift()
	p.wait(selected + ` === "step_b"`)
	if now := eval[string](p, place); now != was {
		t.Errorf("five pixels brought the node from %s to %s", was, now)
	}
	p.wait(`document.querySelector(".editor").dataset.right === "open"`)
	grip = p.header("step_b") // the inspector has moved it
	p.touch(grip)
	for i := 1; i <= 4; i++ {
		p.swipe(grip.Add(graph.Vec{Y: -30 * float64(i)}))
	}
	p.lift()
	p.saveState("dirty")
	p.wait(place + ` !== ` + js(was))
	p.press("button", "Undo")
	p.wait(place + ` === ` + js(was))
	p.saveState("saved")

	// A drag that the browser cancels changes nothing.
	p.touch(grip)
	p.swipe(grip.Add(graph.Vec{Y: -60}))
	p.swipe(grip.Add(graph.Vec{Y: -90}))
	p.fingers(input.DispatchTouchEventTypeTouchCancel)
	p.wait(place + ` === ` + js(was))
	p.saveState("saved")

	// A long press opens the menu. A browser that takes it for a tap all the same presses no line under the finger.
	p.touch(grip)
	p.wait(menuOpen)
	eval[bool](p, `document.querySelector(".popup [role=menuitem]").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1}))`)
	p.lift()
	evalAsync[bool](p, settled)
	if !eval[bool](p, menuOpen) {
		t.Error("the finger that opened the menu pressed one of its lines")
	}
	p.tap(empty)
	p.wait(selected + ` === "" && document.querySelector(".editor").dataset.right === "closed"`)
	p.still()
	p.saveState("saved")

	// A connection from a handle.
	x, y := p.middle(sel(`[data-handle="step_b:next"]`))
	from, to := graph.Vec{X: x, Y: y}, p.header("step_a")
	p.touch(from)
	for i := 1; i <= 4; i++ {
		p.swipe(from.Add(to.Sub(from).Scale(float64(i) / 4)))
	}
	p.lift()
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === "step_a"`)
	p.press("button", "Save")
	p.saveState("saved")
	if to := at(s.form(id), "nodes", 2, "config", "next_node"); to != "step_a" {
		t.Errorf("the target of step_b is %v", to)
	}
	p.wantStill()
}

// Two fingers zoom about their middle, in and out, and pan. When one is lifted, the
// other continues to pan, and the form does not change.
func TestPinch(t *testing.T) {
	nightly(t) // app/gesture tests it (TestPinch, TestPinchPansAndZoomsOut); only here: two fingers on a screen; a change in listen_js.go needs it
	t.Parallel()
	_, p, _ := onTouch(t)
	middle := p.emptyCanvas()
	apart := func(d float64) []graph.Vec {
		return []graph.Vec{middle.Add(graph.Vec{X: -d}), middle.Add(graph.Vec{X: d})}
	}
	v := p.view()
	under := v.ToForm(middle)
	p.touch(apart(60)[0])
	p.touch(apart(60)...)
	for d := 70.0; d <= 120; d += 10 {
		p.swipe(apart(d)...)
	}
	p.wantView("twice as far", under, middle, 2*v.Zoom)
	for d := 110.0; d >= 30; d -= 10 {
		p.swipe(apart(d)...)
	}
	p.wantView("half as far", under, middle, v.Zoom/2)
	by := graph.Vec{X: 40, Y: 25}
	p.swipe(apart(30)[0].Add(by), apart(30)[1].Add(by))
	p.wantView("as one", under, middle.Add(by), v.Zoom/2)

	// The second finger is lifted; the first pans.
	one, second := apart(30)[0].Add(by), 1.0
	two := apart(30)[1].Add(by)
	p.do(call(input.DispatchTouchEvent, input.DispatchTouchEventParams{
		Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{{X: two.X, Y: two.Y, ID: &second}},
	}))
	p.swipe(one.Add(graph.Vec{X: -50, Y: 30}))
	p.wantView("one finger left", under, middle.Add(by).Add(graph.Vec{X: -50, Y: 30}), v.Zoom/2)
	p.lift()

	// A drag becomes a pinch with the second finger, and no node moves.
	was := eval[string](p, placeOf("step_a"))
	at := p.header("step_a")
	p.touch(at)
	p.swipe(at.Add(graph.Vec{X: 10, Y: 10}))
	p.swipe(at.Add(graph.Vec{X: 40, Y: 40}))
	p.touch(at.Add(graph.Vec{X: 40, Y: 40}), at.Add(graph.Vec{X: 140, Y: 40}))
	p.swipe(at.Add(graph.Vec{X: 40, Y: 40}), at.Add(graph.Vec{X: 240, Y: 40}))
	p.lift()
	p.wantView("a pinch out of a drag", p.view().ToForm(middle), middle, v.Zoom)
	p.wait(placeOf("step_a") + ` === ` + js(was))
	p.saveState("saved")

	// Afterwards a tap with one finger works again.
	p.tap(p.header("router_a"))
	p.wait(sel(node("router_a")) + `.getAttribute("aria-selected") === "true"`)
	p.wantStill()
}

// wantStill checks that the browser neither scrolled nor zoomed the page, and that the
// console is empty.
func (p *page) wantStill() {
	p.t.Helper()
	if moved := eval[string](p, `[scrollX, scrollY, visualViewport.scale, visualViewport.offsetTop].join()`); moved != "0,0,1,0" {
		p.t.Errorf("the page itself was scrolled or zoomed: %s", moved)
	}
	if len(p.console) > 0 {
		p.t.Errorf("the console is not empty:\n%s", strings.Join(p.console, "\n"))
	}
}
