//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A window with little room opens without the inspector. The first selection shows it, but only once the mouse button is up, and what was
// selected stays in view. What the person then does with the inspector stays.
func TestInspectorComesWithTheSelection(t *testing.T) {
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.do(chromedp.EmulateViewport(1024, 768))
	const (
		width = `document.querySelector("[data-testid=canvas]").clientWidth`
		right = `document.querySelector(".editor").dataset.right`
	)
	open := func() (x, y float64) {
		id := s.create(`{"name":"Room","start":{"next_node":"a","coordinates":{"x":0,"y":0}},"nodes":[
			{"id":"a","type":"STEP","alias":"Address","coordinates":{"x":330,"y":0},"config":{"components":[
				{"id":"city","category":"FIELD","type":"TEXT","label":"City"}],"next_node":"$ending"}}],"ending":{"coordinates":{"x":900,"y":0}}}`)
		p.asItOpens(s, id)
		p.opensAtStart("awaits")
		if at := eval[string](p, right); at != "closed" {
			t.Errorf("the inspector is %s with nothing selected", at)
		}
		return p.middle(sel(node("a") + " b"))
	}
	x, y := open()
	before := eval[int](p, width)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+20, y+60, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+20, y+90, chromedp.ButtonLeft))
	p.wait(sel(node("a") + `[aria-selected=true]`))
	const drawn = `(async () => { for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame); return ` + width + `; })()`
	if now := evalAsync[int](p, drawn); now != before {
		t.Errorf("while a card is dragged, the canvas goes from %d to %d pixels", before, now)
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x+20, y+90, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	p.wait(right + ` === "open"`)
	p.still()
	p.shots("awaits-met")
	inView := `(() => { const c = document.querySelector("[data-testid=canvas]").getBoundingClientRect(), r = ` + sel(node("a")) + `.getBoundingClientRect();
		return r.left >= c.left && r.right <= c.right; })()`
	if !eval[bool](p, inView) {
		t.Error("the inspector covers the card that it is about")
	}
	p.press("button", "Inspector")
	p.wait(right + ` === "closed"`)
	p.do(chromedp.MouseClickXY(500, 560)) // nothing is there
	p.wait(`!` + sel(node("a")+`[aria-selected=true]`))
	p.click(node("a") + " b")
	p.wait(sel(node("a") + `[aria-selected=true]`))
	p.still()
	if at := eval[string](p, right); at != "closed" {
		t.Error("an inspector closed by hand opens again")
	}
	p.press("button", "Save")
	p.saveState("saved")

	x, y = open()
	p.do(chromedp.MouseClickXY(x, y))
	p.wait(right + ` === "open"`)
	p.still()
	if !eval[bool](p, inView) {
		t.Error("the inspector covers the card that was clicked")
	}
}
