//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// At every width, each control of the bar is visible and covers no other, and
// controls that do not fit are in the menu "More".
func TestNothingIsHiddenInNarrowWindows(t *testing.T) {
	nightly(t) // TestTwoPagesEditTogether sees that the bar fits each width, app/ui/topbar tests the menu More; only here: a banner in each width
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	p := browse(t)
	p.editor(s, id)
	p.fill("name", "A")
	p.insert(" form with a name that is longer than any bar has room for, so that it gives way")
	s.kill()
	p.press("button", "Save")
	p.saveState("offline")
	for _, width := range []int64{1440, 1280, 1100, 1024, 960, 901, 800, 700, 600, 390} {
		p.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 800, DeviceScaleFactor: 1}))
		p.wait(fmt.Sprintf("innerWidth === %d", width))
		for _, theme := range []string{"light", "dark"} {
			_ = eval[bool](p, `(document.documentElement.dataset.theme = `+js(theme)+`, true)`)
			p.shoot(fmt.Sprintf("bar-%d-%s", width, theme))
		}
		p.barsFit()
		if !eval[bool](p, `(() => {
			const [banner, text, button] = [".banner", ".banner > span", ".banner > button"].map((s) => document.querySelector(s).getBoundingClientRect());
			return button.right > banner.right - 20 && button.left >= text.right && button.top < text.bottom && text.top < button.bottom;
		})()`) {
			t.Errorf("%d px: the button of the banner is not at its right, beside the sentence", width)
		}
		want := []string{"Import", "Export as…", "Form settings", "Keyboard shortcuts"}
		if width < 900 {
			want = []string{"Import", "Export as…", "Form settings", "Show history", "Keyboard shortcuts", "Undo", "Redo", "Find or run a command", "Inspector", "Account, theme, sign out"}
		}
		p.press("button", "More")
		p.wait(menuOpen)
		for _, name := range want {
			if !eval[bool](p, `!!`+find("menuitem", name)) {
				t.Errorf("%d px: %s is in no menu", width, name)
			}
		}
		p.shoot(fmt.Sprintf("bar-%d-more", width))
		if n := eval[int](p, `document.querySelectorAll(".popup [role=menuitem]").length`); n > 13 {
			t.Errorf("%d px: the menu More has %d lines, more than one takes in at a glance", width, n)
		}
		p.do(chromedp.KeyEvent("\u001b"))
		p.wait(`!` + menuOpen)
	}
}

// A panel that covers the canvas is closed by its button, by Escape and by a press
// outside it.
func TestDrawersClose(t *testing.T) {
	nightly(t) // TestSmallWindow closes one by its button; only here: Escape, the scrim, a pull at the grip, which a change of app/ui/workspace needs
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 700, Height: 800, DeviceScaleFactor: 1}))
	p.editor(s, id)
	open := `document.querySelector(".editor").dataset.right === "open"`
	for name, closing := range map[string]func(){
		"its button": func() { p.click(".right .panel-close") },
		"Escape":     func() { p.key("\u001b") },
		"the scrim":  func() { p.do(chromedp.MouseClickXY(40, 200)) },
		"the grip": func() {
			x, y := p.middle(sel(".sheet-grip"))
			p.drag(x, y, x, y+600)
		},
	} {
		p.click(".bar [data-act=right]")
		p.wait(open)
		p.shots("drawer")
		closing()
		p.wait("!(" + open + ")")
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// The tabs stand at one place above the canvas and above each page of the desk, so that they can be pressed one after the other, and cover nothing.
func TestTabsStay(t *testing.T) {
	nightly(t) // only here: the place of the tabs above the graph and each page; a change in app.css or desk.css needs it
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	for _, width := range []int64{1280, 960, 768, 390, 1279} {
		p.do(chromedp.EmulateViewport(width, 800))
		if width == 1279 { // without the left panel
			p.press("tab", "Graph")
			p.press("button", "Components and outline")
			p.wait(sel(`.editor[data-left="closed"]`))
		}
		first := ""
		for _, tab := range []string{"Graph", "Languages", "Messages", "Style"} {
			p.press("tab", tab)
			p.wait(sel(`.views [aria-selected="true"]`) + `?.textContent === ` + js(tab))
			if tab != "Graph" {
				p.wait(sel(`#desk .dk-bar button, #desk .dk-bar select`))
			}
			at := eval[string](p, `(() => { const b = document.querySelector(".views").getBoundingClientRect(); return [b.x, b.y, b.width, b.height].join() })()`)
			if first == "" {
				first = at
			}
			if at != first {
				t.Errorf("%d px: the tabs are at %s for the graph, and at %s for %s", width, first, at, tab)
			}
			covered := eval[string](p, `(() => { const b = document.querySelector(".views").getBoundingClientRect();
				return [...document.querySelectorAll("#desk:not([hidden]) .dk-bar :is(label, button, select)")].filter(e => { const c = e.getBoundingClientRect();
					return c.width > 0 && c.left < b.right + 8 && c.right > b.left - 8 && c.top < b.bottom && c.bottom > b.top }).map(e => e.textContent || e.className).join() })()`)
			if covered != "" {
				t.Errorf("%d px, %s: the tabs touch %s", width, tab, covered)
			}
			// A text is cut as soon as its box lacks a part of a pixel, which scrollWidth does not show.
			if cut := eval[string](p, `(r => [...document.querySelectorAll("#desk:not([hidden]) .dk-part")].filter(e => (r.selectNodeContents(e),
				r.getBoundingClientRect().width - e.getBoundingClientRect().width > .02)).map(e => e.parentElement.title).join())(document.createRange())`); cut != "" {
				t.Errorf("%d px: what kind of text it is, is cut off in %s", width, cut)
			}
			p.shots(fmt.Sprintf("tabs-%d-%s", width, tab))
		}
	}
}

// barsFit checks that no control of the bars and on the canvas lies on another or is cut off.
func (p *page) barsFit() {
	p.t.Helper()
	for _, b := range eval[[]string](p, `(() => {
		const shown = [...document.querySelectorAll(".bar :is(button, a, input), .bottom button, .stage :is(.add, .zoom, .cv-mini)")].filter(e => e.offsetParent && !e.closest("[popover]"));
		const boxes = shown.map(e => [e.getAttribute("aria-label") || e.textContent.trim() || e.className, e.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
		const bad = [];
		boxes.forEach(([n, r], i) => {
			if (r.left < 0 || r.right > innerWidth + .5) bad.push(n + " is cut off");
			boxes.slice(i + 1).forEach(([m, q]) => {
				if (Math.min(r.right, q.right) - Math.max(r.left, q.left) > 1 && Math.min(r.bottom, q.bottom) - Math.max(r.top, q.top) > 1) bad.push(n + " lies on " + m);
			});
		});
		return bad;
	})()`) {
		p.t.Errorf("%d px: %s", eval[int](p, `innerWidth`), b)
	}
}
