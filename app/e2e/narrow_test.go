//go:build e2e && !js

package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/app/graph"
)

// narrow opens a form in a tab with a touch screen of the given size.
func narrow(t *testing.T, width, height int64) *page {
	t.Helper()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.do(chromedp.EmulateViewport(width, height))
	p.do(call(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}))
	p.editor(s, id)
	p.wait(sel(node("step_a")))
	p.still()
	return p
}

// In a narrow window, a tap on a card opens the inspector below it. The canvas stays usable: another tap shows another card, and one beside
// all cards closes the inspector.
func TestTapOpensTheInspector(t *testing.T) {
	t.Parallel()
	p := narrow(t, 390, 844)
	open := `document.querySelector(".editor").dataset.right === "open"`
	title := sel("[data-testid=inspector]") + `.textContent`
	for _, c := range []struct{ id, want string }{{"step_a", "Step with 2 components"}, {"router_a", "Router with 1 rule"}} {
		p.tap(p.header(c.id))
		p.wait(open + ` && ` + title + `.includes(` + js(c.want) + `)`)
		p.wait(above(c.id, ".right"))
		p.still()
	}
	p.shots("narrow-tapped")
	p.do(chromedp.EmulateViewport(390, 560)) // the rules do not fit the panel
	p.wait(`(r => r.scrollHeight > r.clientHeight + 100)(document.querySelector(".right"))`)
	// What scrolls in the panel stays below its grip.
	p.wait(`(r => { r.scrollTop = 1000; return document.elementFromPoint(innerWidth / 2 + 60, r.getBoundingClientRect().top + 12) === r; })(document.querySelector(".right"))`)
	// Its head stays, and covers no field that comes into view.
	p.wait(inside(`document.querySelector(".right .panel-close")`))
	p.shots("narrow-scrolled")
	p.wait(`(e => (e.scrollIntoView({ block: "nearest" }), true))(document.querySelector(".right [data-path]")) && ` + inside(`document.querySelector(".right [data-path]")`))
	p.tap(graph.Vec{X: 200, Y: 160})
	p.wait(`!(` + open + `)`)
}

// The bar at the bottom leads out of the preview, which covers the panels in a narrow window.
func TestBottomBarLeavesThePreview(t *testing.T) {
	nightly(t) // app/ui tests it (TestTabLeavesThePreview); TestSmallWindow presses the bar at the bottom
	t.Parallel()
	p := narrow(t, 390, 844)
	p.click("[data-act=preview]")
	p.wait(`!document.querySelector(".pv").hidden`)
	eval[any](p, `[...document.querySelectorAll("nav.bottom button")].find(e => e.textContent.trim() === "Outline").click(); 0`)
	p.wait(inside(`document.querySelector(".left [data-testid=outline] li")`))
	p.wait(clearOf(".left"))
	p.shots("narrow-from-preview")
}

// The graph moves out from under a page beside the canvas, which in a narrow window is below it.
func TestNarrowCommentsLeaveTheGraphInView(t *testing.T) {
	nightly(t) // app/ui tests that the graph moves (TestOpenedPanelLeavesTheGraphInView); only here: that it is then above the comments
	t.Parallel()
	p := narrow(t, 390, 844)
	p.press("button", "More")
	p.press("menuitem", "Comments")
	p.wait(find("button", "Close the comments"))
	p.wait(clearOf(".desk.beside"))
	p.shots("narrow-comments")
	// The hint names no key.
	p.wait(`document.querySelector(".cm-state").innerText.includes("choose Comment in its menu") && !document.querySelector(".cm-state").innerText.includes("Shift M")`)
	// Its grip makes it larger and smaller, as it does the panels, and closes it.
	p.wait(inside(`document.querySelector(".sheet-grip")`))
	height := `document.querySelector(".desk.beside").offsetHeight`
	half := eval[int](p, height)
	p.click(".sheet-grip")
	p.wait(height + ` > ` + strconv.Itoa(half))
	p.wait(inside(`document.querySelector(".sheet-grip")`))
	p.shots("narrow-comments-full")
	p.click(".sheet-grip")
	p.wait(height + ` < ` + strconv.Itoa(half))
	p.shots("narrow-comments-low")
	x, y := p.middle(`document.querySelector(".sheet-grip")`)
	p.drag(x, y, x, y+60)
	p.wait(`!document.querySelector(".desk.beside")`)
}

// above is whether a card is in view above a panel.
func above(id, panel string) string {
	return `(() => { const c = ` + sel(node(id)) + `.getBoundingClientRect(), s = document.querySelector(` + js(panel) + `).getBoundingClientRect(); return c.bottom <= s.top && c.top >= 0; })()`
}

// clearOf is whether all cards are in view above a panel.
func clearOf(panel string) string {
	return `[...document.querySelectorAll("[data-node]")].every(e => { const r = e.getBoundingClientRect();
		return r.bottom <= document.querySelector(` + js(panel) + `)?.getBoundingClientRect().top && r.top >= document.querySelector(".views").getBoundingClientRect().bottom; })`
}

// inside is whether the whole element that an expression returns is in the window with nothing in front of it.
func inside(el string) string {
	return `(e => { if (!e) return false; const r = e.getBoundingClientRect();
		const top = document.elementFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2);
		return r.width > 0 && r.top >= 0 && r.left >= 0 && r.bottom <= innerHeight && r.right <= innerWidth + 1 && (e.contains(top) || !!top?.contains(e)); })(` + el + `)`
}

// A window of 360 by 225 pixels is one of 1440 by 900 at 400 % zoom: every part can be reached, and nothing covers it.
func TestSmallWindow(t *testing.T) {
	t.Parallel()
	p := narrow(t, 360, 225)
	below := func(name string) {
		eval[any](p, `[...document.querySelectorAll("nav.bottom button")].find(e => e.textContent.trim() === `+js(name)+`).click(); 0`)
	}
	for name, part := range map[string]string{"Components": ".pal-item", "Outline": "[data-testid=outline] li", "Problems": "[data-testid=problems] button"} {
		below(name)
		p.wait(inside(`document.querySelector(` + js(".left "+part) + `)`))
		p.shots("small-" + name)
		p.click(".left .panel-close")
	}
	// There is no room for the tabs, so the menu More has the views.
	view := func(name string) {
		p.press("button", "More")
		p.wait(inside(find("menuitemradio", name)))
		p.press("menuitemradio", name)
	}
	_, y := p.middle(sel(node("step_a") + ` [data-component="mail"]`))
	p.tap(graph.Vec{X: 290, Y: y}) // the card is wider than the window
	p.wait(inside(`document.querySelector(".right [data-path='nodes[0].config.components[0].label']")`))
	p.shots("small-inspector")
	p.click(".right .panel-close")
	for name, part := range map[string]string{"Languages": ".dk-edit", "Messages": ".ms-row textarea", "Style": "[data-in=theme]"} {
		view(name)
		p.wait(`document.querySelector(` + js(part) + `)`)
		p.wait(`(e => (e.scrollIntoView({ block: "center" }), true))(document.querySelector(` + js(part) + `)) && ` + inside(`document.querySelector(`+js(part)+`)`))
		p.shots("small-" + name)
	}
	view("Graph")
	p.press("button", "Preview")
	p.wait(inside(find("button", "Close the preview")))
	p.press("button", "Close the preview")
	p.press("button", "More")
	p.wait(menuOpen)
	if n := eval[int](p, `document.querySelectorAll(".popup [role=menuitem]").length`); n > 13 {
		t.Errorf("the menu More has %d lines", n)
	}
}
