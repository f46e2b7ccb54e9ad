//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// nameless returns the number of cards without a name: one that is announced, and, unless they are only patches of color, one that is shown.
const nameless = `[...document.querySelectorAll("[data-node]")].filter(e =>
	!e.querySelector(".cv-head").ariaLabel || !e.querySelector("b").checkVisibility() && !document.querySelector(".cv-tiny")).length`

// opensReadable checks the view of a form that was just opened.
func (p *page) opensReadable(name string) {
	p.t.Helper()
	p.wait(sel(node("$start")))
	canvas, start := sel("[data-testid=canvas]")+`.getBoundingClientRect()`, sel(node("$start"))+`.getBoundingClientRect()`
	at := eval[[]float64](p, `(() => { const c = `+canvas+`, r = `+start+`; return [r.left - c.left, (r.top + r.bottom) / 2 - c.top, c.height]; })()`)
	whole := eval[bool](p, `(() => { const c = `+canvas+`, all = [...document.querySelectorAll("[data-node]")].map(e => e.getBoundingClientRect());
		return !!`+sel(node("$ending"))+` && all.every(r => r.left >= c.left && r.right <= c.right && r.top >= c.top && r.bottom <= c.bottom); })()`)
	z := eval[float64](p, zoomOf)
	if whole && (z > 1 || z < .45) || !whole && (z != .6 || at[0] < 18 || at[0] > 22 || at[1] < 20 || at[1] > at[2]-20) {
		p.t.Errorf("%s: opens at %v, Start at %v, whole: %t", name, z, at, whole)
	}
	// The name of the node after Start is in view if the window is wide enough.
	const cut = `(() => {
		const e = document.querySelector('[data-node="' + CSS.escape(document.querySelector('[data-edge="$start:next"]')?.dataset.target ?? "$start") + '"] b');
		const c = document.querySelector("[data-testid=canvas]").getBoundingClientRect(), r = e?.getBoundingClientRect();
		const out = !!r && r.left < c.right && (r.top < c.top || r.bottom > c.bottom);
		return out ? JSON.stringify({name: r, card: e.closest("[data-node]").getBoundingClientRect(), canvas: c}) : "";
	})()`
	if where := eval[string](p, cut); where != "" {
		p.t.Errorf("%s: the first node's name is out of view: %s", name, where)
	}
	// No card in view is above the lower side of the tabs.
	const covered = `(() => {
		const c = document.querySelector("[data-testid=canvas]").getBoundingClientRect(), least = document.querySelector(".views").getBoundingClientRect().bottom + 16;
		return [...document.querySelectorAll("[data-node]")].filter(e => {
			const r = e.getBoundingClientRect();
			return r.left < c.right && r.right > c.left && r.bottom > c.top && r.top < least;
		}).map(e => e.dataset.node).join(" ");
	})()`
	if ids := eval[string](p, covered); ids != "" {
		p.t.Errorf("%s: the tabs cover %s", name, ids)
	}
	if n := eval[int](p, nameless); n > 0 {
		p.t.Errorf("%s: %d cards have no name", name, n)
	}
	p.shots(name)
}

// A form opens as a whole if its cards then show more than their names, and else at its start, at 60 %, with Start 20 pixels from the left in the
// upper third. So it does after tidying up, and at every zoom each card has its name.
func TestFormsOpenReadable(t *testing.T) {
	nightly(t) // app/graph tests the view (TestBeginAndFitReadable), app/ui/canvas the names; TestInspectorComesWithTheSelection opens a whole form
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.open(s.Ready.Editor + "/forms")
	p.press("button", "Sign in")
	p.signIn(s)
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	ids := eval[[]string](p, `[...document.querySelectorAll("tr[data-form]")].map(e => e.dataset.form)`)
	p.before(`localStorage.clear()`) // no stored view
	for i, id := range ids {
		for _, size := range [][2]int{{1440, 900}, {1024, 768}, {390, 844}} {
			name := fmt.Sprintf("open-%d-%d", i+1, size[0])
			p.do(chromedp.EmulateViewport(int64(size[0]), int64(size[1])))
			p.asItOpens(s, id)
			p.opensReadable(name)
			if size[0] < 1000 {
				continue
			}
			p.press("button", "Tidy up")
			p.still()
			if z := eval[float64](p, zoomOf); z < .45 {
				t.Errorf("%s: tidied it is shown at %v", name, z)
			}
			p.shots(name + "-tidy")
			p.press("button", "Fit view")
			p.still()
			p.shots(name + "-fit")
			if z := eval[float64](p, zoomOf); size[0] == 1440 && i == 0 && z < .4 {
				t.Errorf("%s: all of it is shown at %v", name, z)
			}
			for range 6 {
				p.press("button", "Zoom out")
				p.still()
				if n := eval[int](p, nameless); n > 0 {
					t.Errorf("%s: %d cards have no name", name, n)
				}
			}
			p.shots(name + "-far")
			p.press("button", "Undo")
			p.saveState("saved") // the page asks before it is left with unsaved changes
			if i > 0 {
				break
			}
		}
	}
}

// A banner that appears after the form moves the form down: the first node's name stays in view.
func TestLateBannerHidesNoName(t *testing.T) {
	nightly(t) // only here: a banner that comes after the form; a change of resize in app/ui/canvas/listen_js.go needs it
	t.Parallel()
	s := shared(t)
	id := s.create(`{"name":"High","start":{"next_node":"f","coordinates":{"x":0,"y":0}},
		"nodes":[{"id":"f","type":"FLOW","coordinates":{"x":300,"y":-400},"config":{"flow_id":"#FLOW-1#","next_node":"$ending"}}],
		"ending":{"coordinates":{"x":700,"y":0}}}`)
	p := s.tab()
	p.before(`
		const fetch = window.fetch, held = new Promise(done => window.answerFlows = done);
		window.fetch = async (...args) => {
			if (String(args[0]?.url ?? args[0]).includes("/api/flows")) await held;
			return fetch(...args);
		};`)
	p.asItOpens(s, id)
	p.opensReadable("before-banner")
	eval[bool](p, `(window.answerFlows(), true)`)
	p.wait(find("button", "Choose flows"))
	p.still()
	p.opensReadable("after-banner")
}

// A form opens without the inspector. A selection shows it, but only once the mouse button is up and no double click can follow, and what was
// selected stays in view. With nothing selected, the view is as before. What the person does with the inspector stays.
func TestInspectorComesWithTheSelection(t *testing.T) {
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.do(chromedp.EmulateViewport(940, 768))
	const (
		width = `document.querySelector("[data-testid=canvas]").clientWidth`
		right = `document.querySelector(".editor").dataset.right`
	)
	open := func() (x, y float64) {
		id := s.create(`{"name":"Room","start":{"next_node":"a","coordinates":{"x":0,"y":0}},"nodes":[
			{"id":"a","type":"STEP","alias":"Address","coordinates":{"x":330,"y":0},"config":{"components":[
				{"id":"city","category":"FIELD","type":"TEXT","label":"City"}],"next_node":"$ending"}}],"ending":{"coordinates":{"x":900,"y":0}}}`)
		p.asItOpens(s, id)
		p.opensReadable("awaits")
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
	inView := `(() => { const c = document.querySelector("[data-testid=canvas]").getBoundingClientRect(), r = ` + sel(node("a")) + `.getBoundingClientRect();
		return r.left >= c.left && r.right <= c.right; })()`
	p.wait(inView) // the inspector does not cover the card that it is about
	p.still()
	p.shots("awaits-met")
	const shown = `(() => { const r = document.querySelector('[data-node="$start"]').getBoundingClientRect(); return [r.x, r.y, r.width].map(n => n.toFixed(2)).join(); })()`
	p.key(kb.Escape)
	p.wait(right + ` === "closed"`)
	p.still()
	free := eval[string](p, shown)
	x, y = eval[float64](p, sel(node("a"))+`.getBoundingClientRect().right`)-45, eval[float64](p, sel(node("a"))+`.getBoundingClientRect().top`)+10 // where the inspector will be
	p.do(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	p.wait(`document.activeElement?.className === "cv-field" && document.activeElement.value === "Address"`)
	p.wait(right + ` === "open"`)
	p.key(kb.Escape) // the field
	p.wait(`document.activeElement?.id === "canvas"`)
	p.key(kb.Escape)
	p.wait(right + ` === "closed"`)
	p.still()
	if now := eval[string](p, shown); now != free {
		t.Errorf("after the inspector Start is at %s, before at %s", now, free)
	}

	eval[bool](p, `(addEventListener("pointerdown", e => window.pressedAt = e.timeStamp, {once: true, capture: true}), true)`)
	p.do(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)))
	// How long after the press the inspector was there, in milliseconds, or else how long it was looked for.
	const since = `(async () => { let t = 0; do t = await new Promise(requestAnimationFrame); while (` + right + ` !== "open" && t < window.pressedAt + 300); return t - window.pressedAt; })()`
	if after := evalAsync[float64](p, since); after < 300 {
		t.Errorf("the inspector opens %g ms after a press where it will be", after)
	}
	p.wait(right + ` === "open"`)
	p.press("button", "Inspector")
	p.wait(right + ` === "closed"`)
	p.do(chromedp.MouseClickXY(500, 560)) // nothing is there
	p.wait(`!` + sel(node("a")+`[aria-selected=true]`))
	p.still()
	p.click(node("a") + " b")
	p.wait(sel(node("a") + `[aria-selected=true]`))
	p.still()
	if at := eval[string](p, right); at != "closed" {
		t.Error("an inspector closed by hand opens again")
	}
	p.press("button", "Save")
	p.saveState("saved")

	open()
	p.click(node("a") + " b")
	p.wait(sel(node("a") + `[aria-selected=true]`))
	p.still()
	if at := eval[string](p, right); at != "closed" {
		t.Error("an inspector closed by hand opens in another form")
	}
	p.press("button", "Inspector")
	p.wait(right + ` === "open"`)
	p.wait(inView) // the inspector does not cover the card
}
