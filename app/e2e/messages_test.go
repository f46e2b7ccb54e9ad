//go:build e2e && !js

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A message with a button lies on no control, stays while the mouse is on it, lets presses through, and goes when its button would undo
// something else.
func TestMessagesKeepOutOfTheWay(t *testing.T) {
	nightly(t) // app/ui/kit and app/ui/workspace test its time and its button; only here: where a message lies; a change in app.css needs it
	t.Parallel()
	s := shared(t)
	id := s.create(severalForm)
	p := s.tab()
	p.editor(s, id)
	for _, width := range []int64{1440, 1000, 768, 390} {
		p.do(chromedp.EmulateViewport(width, 800))
		if closer := `.right .panel-close`; eval[bool](p, `!!`+sel(closer)+`?.offsetParent`) { // the panel would cover the button below
			p.click(closer)
		}
		p.fitView()
		p.choose("more")
		p.do(chromedp.Focus("#canvas"))
		p.key(kb.Delete, chromedp.ModifierCtrl) // it breaks something, unlike one that reconnects
		p.wait(`document.querySelector(".toast [data-act=undo-toast]")`)
		p.shots(map[int64]string{1440: "message-1440", 1000: "message-1000", 768: "message-768", 390: "message-390"}[width])
		for _, on := range eval[[]string](p, `(() => {
			const t = document.querySelector(".toast").getBoundingClientRect();
			return [...document.querySelectorAll(".views, .stage :is(.add, .zoom, .cv-mini), .left, .right, .bottom")].filter(e => e.offsetParent).filter(e => {
				const r = e.getBoundingClientRect();
				return Math.min(r.right, t.right) > Math.max(r.left, t.left) && Math.min(r.bottom, t.bottom) > Math.max(r.top, t.top);
			}).map(e => e.className);
		})()`) {
			t.Errorf("%d px: the message lies on %s", width, on)
		}
		if width == 1440 {
			at := eval[[]float64](p, `(r => [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)])(`+sel(".toast span")+`.getBoundingClientRect())`)
			p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
			p.waitFor(20*time.Second, `performance.now() - (window.held ??= performance.now()) > 12000 || !document.querySelector(".toast")`)
			if !eval[bool](p, fmt.Sprintf(`!!document.querySelector(".toast") && !document.elementFromPoint(%v, %v).closest(".toast")`, at[0], at[1])) {
				t.Error("the message went from under the mouse, or takes its presses")
			}
		}
		p.press("button", "Undo")
		p.wait(`!document.querySelector(".toast") || !document.querySelector(".toast").textContent.includes("Deleted")`)
		p.wait(sel(node("more")))
	}
}

// A dialog hides a message. When it closes, there is time to press the button of the message.
func TestDialogHidesAMessage(t *testing.T) {
	nightly(t) // app/ui/kit tests how long it stays (toast_test.go); only here: a dialog over it; a change in kit/toast.go or app.css needs it
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.editor(s, s.create(severalForm))
	p.choose("more")
	p.do(chromedp.Focus("#canvas"))
	p.key(kb.Delete, chromedp.ModifierCtrl)
	p.wait(`document.querySelector(".toast [data-act=undo-toast]")`)
	p.key("?")
	p.wait(`document.querySelector("dialog[open]")`)
	p.shots("message-dialog")
	shown := `document.querySelector(".toast").checkVisibility({visibilityProperty: true})`
	if eval[bool](p, shown) {
		t.Error("the message is under the scrim of the dialog")
	}
	p.waitFor(20*time.Second, `performance.now() - (window.hidden ??= performance.now()) > 12000`)
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog[open]")`)
	if !eval[bool](p, shown) {
		t.Error("the message is hidden without a dialog")
	}
	p.press("button", "Undo")
	p.wait(sel(node("more")))
}

// In the narrowest window the head of the preview is one row, and a menu has what it has no room for. The name of the form stays legible.
func TestNarrowHeads(t *testing.T) {
	nightly(t) // only here: the head of the preview and the name of the form in narrow windows; a change in app.css needs it
	t.Parallel()
	s := shared(t)
	id := s.create(severalForm)
	p := s.tab()
	p.editor(s, id)
	p.fill("name", "Registration of participants")
	for _, width := range []int64{700, 768} {
		p.do(chromedp.EmulateViewport(width, 800))
		p.shots(map[int64]string{700: "name-700", 768: "name-768"}[width])
		if w := eval[float64](p, sel(".form-name")+`.clientWidth`); w < 160 {
			t.Errorf("%d px: the name has %g px", width, w)
		}
	}
	p.do(chromedp.EmulateViewport(390, 844))
	p.press("button", "Preview")
	p.wait(sel(".pv-head"))
	p.shots("preview-head-390")
	if h := eval[float64](p, sel(".pv-head")+`.offsetHeight`); h > 56 {
		t.Errorf("the head is %g px high", h)
	}
	if !eval[bool](p, `[...document.querySelectorAll(".pv-head > *")].filter(e => e.offsetParent).every(e => e.getBoundingClientRect().right <= innerWidth && e.getBoundingClientRect().left >= 0)`) {
		t.Error("the head is cut off")
	}
	p.press("button", "View")
	p.wait(menuOpen)
	p.shots("preview-menu-390")
	p.press("menuitemradio", "Dark")
	p.wait(`document.querySelector("[data-act=pv-theme][data-arg=dark]").ariaPressed === "true"`)
}

// A problem of what a page shows leads to its control there.
func TestProblemLeadsToItsPage(t *testing.T) {
	nightly(t) // app/ui tests it (TestProblemOpensItsPage), app/desk/messages the focus (TestGoToAMessage), web/jscheck a page that is late
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(threeNodes, `"nodes":[`, `"messages":{"custom":{"hi":"Hello"}},"nodes":[`, 1))
	p := s.tab()
	p.editor(s, id)
	p.press("tab", "Messages")
	p.wait(sel(cell("messages.custom.hi")))
	p.clickInto(cell("messages.custom.hi"))
	p.key("a", chromedp.ModifierCtrl)
	p.key(kb.Delete)
	p.saveState("dirty")
	p.press("tab", "Graph")
	p.press("tab", "Problems")
	p.wait(sel(`[data-problem-path="messages.custom.hi"]`))
	// On a slow machine the content of the page comes before the editor shows it.
	eval[int](p, `window.setTimeout = (set => (act, ms, ...args) => set(act, (ms || 0) + 400, ...args))(window.setTimeout); 0`)
	p.click(`[data-problem-path="messages.custom.hi"]`)
	p.wait(`document.activeElement?.closest("#desk") && ` + active + ` === "messages.custom.hi"`)
}
