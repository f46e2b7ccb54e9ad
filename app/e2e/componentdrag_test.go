//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/app/graph"
)

// hold presses the left button at a position and moves the pointer, without a release.
func (p *page) hold(x, y float64, to ...graph.Vec) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y), chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	p.glide(to...)
}

// glide moves the pointer with the left button pressed.
func (p *page) glide(to ...graph.Vec) {
	p.t.Helper()
	for _, at := range to {
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y, chromedp.ButtonLeft))
	}
}

// letGo releases the left button.
func (p *page) letGo(at graph.Vec) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, at.X, at.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// side returns a point of a row on a card: at its left, where its grip is, a fraction down.
func (p *page) side(id string, down float64) graph.Vec {
	p.t.Helper()
	at := eval[[]float64](p, `(() => { const r = `+sel(part(id))+`.getBoundingClientRect(); return [r.left + 10, r.top + r.height * `+num(down)+`]; })()`)
	return graph.Vec{X: at[0], Y: at[1]}
}

const ghost = `document.querySelector(".cv-ghost:popover-open")`

// A component is dragged from the palette: between two rows, over a node that takes none, onto empty canvas, and back.
func TestDragFromPalette(t *testing.T) {
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	x, y := p.middle(sel("[data-bring=NUMBER]"))
	at := p.side("name", .2)
	p.hold(x, y, graph.Vec{X: x + 2, Y: y}, graph.Vec{X: x + 40, Y: y}, at)
	p.wait(ghost + `?.textContent === "Number"`)
	p.wait(`!document.querySelector(".cv-place").hidden`)
	off := eval[float64](p, `document.querySelector(".cv-place").getBoundingClientRect().top + 1 - `+sel(part("name"))+`.getBoundingClientRect().top`)
	if off < -1 || off > 1 {
		t.Errorf("the line is %v pixels from its place", off)
	}
	p.shots("drag-palette")
	p.letGo(at)
	p.wait(`!` + ghost)
	p.wait(`/^mail number_\w+ name rich jump next$/.test(` + rows("one") + `)`)
	p.wait(`document.activeElement.classList.contains("cv-field")`)
	p.key("How many?\r")
	p.wait(`document.activeElement.id === "canvas" && ` + sel(node("one")) + `.textContent.includes("How many?")`)
	p.key("z", chromedp.ModifierCtrl)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(rows("one") + ` === "mail name rich jump next" && ` + find("button", "Undo") + `.disabled`)

	// In the field that was not typed in, undo takes the component back.
	x, y = p.middle(sel("[data-bring=NUMBER]"))
	p.hold(x, y, graph.Vec{X: x + 2, Y: y}, graph.Vec{X: x + 40, Y: y}, at)
	p.letGo(at)
	p.wait(`document.activeElement.classList.contains("cv-field")`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(rows("one") + ` === "mail name rich jump next" && document.activeElement.id === "canvas"`)

	// Over a router it is refused in words; Escape ends the drag.
	x, y = p.middle(sel("[data-bring=NUMBER]"))
	gx, gy := p.grip("which")
	p.hold(x, y, graph.Vec{X: x + 40, Y: y}, graph.Vec{X: gx, Y: gy})
	p.wait(`document.querySelector(".cv-reason").textContent.includes("only a step holds components")`)
	p.shots("drag-refused")
	p.key(kb.Escape)
	p.wait(`!` + ghost + ` && document.querySelector(".cv-reason").hidden && document.activeElement.id === "canvas"`)
	p.letGo(graph.Vec{X: gx, Y: gy})

	// Back over the palette, nothing happens.
	p.hold(x, y, graph.Vec{X: x + 40, Y: y}, graph.Vec{X: gx, Y: gy}, graph.Vec{X: x, Y: y})
	p.letGo(graph.Vec{X: x, Y: y})
	p.wait(`!` + ghost)
	if eval[bool](p, `!`+find("button", "Undo")+`.disabled`) {
		t.Error("a cancelled drag changed the form")
	}

	// On empty canvas it gets a step.
	at = graph.Vec{X: gx - 400, Y: gy + 100}
	p.hold(x, y, graph.Vec{X: x + 40, Y: y}, at)
	p.letGo(at)
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.wait(`document.activeElement.classList.contains("cv-field")`)
	p.key(kb.Escape)
	p.press("button", "Undo")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 2 && ` + find("button", "Undo") + `.disabled`)
}

// A component is dragged by its grip to another place of its step and to another step; a rule within its router. A card that is dragged
// elsewhere moves.
func TestDragByGrip(t *testing.T) {
	nightly(t) // app/gesture tests it (TestRowIsCarried); TestJobs drags a row to another place
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	from, to := p.side("rich", .5), p.side("mail", .2)
	p.glide(from)
	p.wait(sel(node("one") + " .cv-grip"))
	if w := eval[[]float64](p, `(() => { const r = `+sel(node("one")+" .cv-grip")+`.getBoundingClientRect(); return [r.width, r.height]; })()`); w[0] < 24 || w[1] < 24 {
		t.Errorf("the grip is %v", w)
	}
	p.shots("grip")
	p.hold(from.X, from.Y, graph.Vec{X: from.X + 3, Y: from.Y - 5}, to)
	p.wait(ghost + `?.textContent === "Thank you"`)
	p.letGo(to)
	p.wait(rows("one") + ` === "rich mail name jump next"`)
	p.wait(`document.activeElement.id === "canvas"`)

	from, to = p.side("name", .5), p.side("age", .9)
	p.hold(from.X, from.Y, graph.Vec{X: from.X + 30, Y: from.Y}, to)
	p.shots("drag-row")
	p.letGo(to)
	p.wait(rows("two") + ` === "age name done" && ` + rows("one") + ` === "rich mail jump next"`)
	p.key("z", chromedp.ModifierCtrl)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(rows("one") + ` === "mail name rich jump next" && ` + find("button", "Undo") + `.disabled`)

	// The keys for the same.
	p.click(part("name"))
	p.key(kb.ArrowUp, chromedp.ModifierAlt)
	p.wait(rows("one") + ` === "name mail rich jump next"`)

	// Elsewhere on the row, the card moves.
	x, y := p.middle(sel(part("rich")))
	p.drag(x, y, x, y+200)
	p.wait(sel(node("one")) + `.style.top !== "0px"`)
	p.wait(rows("one") + ` === "name mail rich jump next"`)
}

// A finger that rests on a row lifts it. If it does not move, it opens the menu.
func TestDragByFinger(t *testing.T) {
	nightly(t) // app/gesture tests it (carry by touch in scripts_test.go, TestRestingFingerOpensTheMenu); TestTouch drags a card by finger
	t.Parallel()
	_, p, _ := onTouch(t)
	p.key("0")
	p.wait(sel("[data-testid=canvas]") + `.dataset.zoom === "1"`)
	p.still()
	const step = "step_b"
	was := eval[string](p, rows(step))
	first, _, _ := strings.Cut(was, " ")
	at := p.side(first, .5)
	at.X += 60
	p.touch(at)
	p.wait(ghost)
	p.lift()
	p.wait(`!` + ghost + ` && document.querySelector(".menu [role=menuitem]")`)
	p.key(kb.Escape)
	p.wait(`!document.querySelector(".menu.popup") && document.activeElement.id === "canvas"`)
	p.wait(`document.querySelector(".editor").dataset.right === "open"`)
	p.still()
	at = p.side(first, .5)
	at.X += 60
	p.touch(at)
	p.wait(ghost)
	p.swipe(graph.Vec{X: at.X, Y: at.Y + 20})
	p.swipe(graph.Vec{X: at.X, Y: at.Y + 28*12})
	p.lift()
	p.wait(`!` + ghost)
	if now := eval[string](p, rows(step)); now == was {
		t.Errorf("the row is where it was: %s", now)
	}
}
