//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// noOverlap is an expression that is true if no card covers another.
const noOverlap = `(() => {
	const cards = [...document.querySelectorAll("[data-node]")].map(e => e.getBoundingClientRect());
	return cards.every((a, i) => cards.every((b, j) => i === j || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top));
})()`

func (p *page) toast(want string) {
	p.t.Helper()
	p.wait(sel(".toast > span") + `?.textContent === ` + js(want))
}

// An empty form offers its first step, connected on both sides. A node added after it is spliced in, and so is one added
// with the button of an edge, or with N while the edge is selected. Each is one undo step, and no card covers another.
func TestAddingIsConnected(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(`{"name":"Empty","languages":{"primary":"en"},"start":{"coordinates":{"x":0,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":300,"y":0}}}`)
	p := s.tab()
	p.asItOpens(s, id)
	p.wait(find("button", "Add the first step"))
	p.shoot("empty-form")
	p.press("button", "Add the first step")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 1`)
	step := eval[string](p, sel("[data-kind=STEP]")+`.dataset.node`)
	edge := func(from, to string) {
		t.Helper()
		p.wait(sel(`[data-edge="`+from+`"]`) + `?.dataset.target === ` + js(to))
	}
	edge("$start:next", step)
	edge(step+":next", "$ending")
	p.wait(noOverlap)
	p.toast("Added “Step 1” between Start and Ending.")
	p.wait(sel(".cv-field") + `?.value === "Step 1" && document.activeElement === ` + sel(".cv-field"))
	p.key("Contact")
	p.key("\r")
	p.wait(`document.activeElement.id === "canvas"`)
	p.shoot("first-step")

	p.press("button", "Add node")
	p.press("menuitem", "Router")
	p.wait(sel("[data-kind=ROUTER]"))
	router := eval[string](p, sel("[data-kind=ROUTER]")+`.dataset.node`)
	edge(step+":next", router)
	edge(router+":fallback", "$ending")
	p.still()
	p.wait(noOverlap)

	// The button in the middle of the edge from Start.
	p.press("button", "Fit view")
	p.still()
	at := eval[[]float64](p, `(() => { const a = `+sel(`[data-handle="$start:next"]`)+`.getBoundingClientRect(), b = `+sel(`[data-handle="`+step+`:in"]`)+`.getBoundingClientRect(); return [(a.left + b.right) / 2, (a.top + b.bottom) / 2]; })()`)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	p.wait(`!` + sel(".cv-plus") + `.hidden`)
	p.shoot("edge-plus")
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.wait(find("menuitem", "Flow"))
	p.shoot("edge-plus-menu")
	p.press("menuitem", "Flow")
	p.wait(sel("[data-kind=FLOW]"))
	flow := eval[string](p, sel("[data-kind=FLOW]")+`.dataset.node`)
	edge("$start:next", flow)
	edge(flow+":next", step)
	p.still()
	p.wait(noOverlap)
	p.shoot("spliced")
	p.press("button", "Undo")
	edge("$start:next", step)
	p.wait(`!` + sel("[data-kind=FLOW]"))

	// The same with N after a click beside the middle selects the edge. Delete then reports the removed connection.
	p.press("button", "Fit view")
	p.still()
	at = eval[[]float64](p, `(() => { const r = `+sel(`[data-handle="`+step+`:in"]`)+`.getBoundingClientRect(), a = `+sel(`[data-handle="$start:next"]`)+`.getBoundingClientRect(); return [(a.left + r.right) / 2, (r.top + r.bottom) / 2]; })()`)
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.wait(find("menuitem", "Flow"))
	p.do(chromedp.KeyEvent(kb.Escape))
	p.wait(`!document.querySelector("[role=menu]")`)
	edge("$start:next", step)
	p.wait(`document.activeElement.id === "canvas"`)
	p.key("n")
	p.wait(find("menuitem", "Flow"))
	p.key("f")
	p.wait(sel("[data-kind=FLOW]"))
	p.toast("Added “Flow 1” between Start and “Contact”.")
	p.wait(noOverlap)
}

// A connection with a target is not lost when it is dropped on empty canvas: the menu offers a node to insert, and
// Escape restores everything. Deleting a connection is reported with a button to undo it.
func TestDroppedConnectionIsKept(t *testing.T) {
	nightly(t) // app/gesture tests it (TestDrop, TestReplacedConnectionIsAnnounced), app/ui/describe the message; TestDropOnCanvas drops one
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	x, y := p.middle(sel(`[data-handle="step_a:next"]`))
	p.drag(x, y, x+40, y+240)
	p.wait(find("menuitem", "Step"))
	p.wait(sel(`[data-edge="step_a:next"]`) + `?.dataset.target === "router_a"`)
	p.key(kb.Escape)
	p.wait(`!document.querySelector("[role=menu]")`)
	p.saveState("saved")

	// Dropped on another node, it has that node as its target, and a message names the previous one.
	tx, ty := p.middle(sel(node("step_b")))
	p.drag(x, y, tx, ty)
	p.toast("Connected “Details” to “Thanks” instead of “Which way?”.")
	p.press("button", "Undo")
	p.wait(sel(`[data-edge="step_a:next"]`) + `?.dataset.target === "router_a"`)
	p.saveState("saved")

	p.drag(x, y, x+40, y+240)
	p.press("menuitem", "Flow")
	p.wait(sel("[data-kind=FLOW]"))
	flow := eval[string](p, sel("[data-kind=FLOW]")+`.dataset.node`)
	p.wait(sel(`[data-edge="step_a:next"]`) + `?.dataset.target === ` + js(flow))
	p.wait(sel(`[data-edge="`+flow+`:next"]`) + `?.dataset.target === "router_a"`)
	p.toast("Added “Flow 1” between “Details” and “Which way?”.")
	p.clickOn(sel("[data-act=undo-toast]"))
	p.saveState("saved")
}

// E on a button edits its text, not its id; a search places the caret after the match.
func TestEditingStartsAtTheText(t *testing.T) {
	nightly(t) // app/inspector tests where E leads, app/ui/search the rest (TestFoundPlaceIsSelectedAndShown, TestCaretIsAfterTheMatch)
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.click(node("step_a") + ` [data-component="next"]`)
	p.wait(sel(`[data-path="nodes[0].config.components[1].config.text"]`))
	p.key("e")
	p.wait(`document.activeElement?.dataset.path === "nodes[0].config.components[1].config.text"`)
	p.key("f", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.key("Work")
	p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes("Work e-mail")`)
	p.key("\r")
	p.wait(`document.activeElement?.dataset.path === "nodes[0].config.components[0].label"`)
	if at := eval[[]float64](p, `[document.activeElement.selectionStart, document.activeElement.selectionEnd]`); at[0] != 4 || at[1] != 4 {
		t.Errorf("the caret is at %v", at)
	}
	p.key("f", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.key("id:router_a\r")
	p.wait(sel(node("router_a")) + `.getAttribute("aria-selected") === "true"`)
	p.wait(`document.activeElement?.id === "canvas"`)
}
