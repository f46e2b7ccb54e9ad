//go:build e2e && !js

package e2e

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Every screen, in both themes and in a narrow window: nothing may overflow the
// window or reach the console. FORMGRAPH_SHOTS saves screenshots for inspection.
func TestScreens(t *testing.T) {
	nightly(t) // TestAxe opens these screens, TestTwoPagesEditTogether sees that the bar fits each width; only here: the console on all of them
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	for _, theme := range pictured() {
		p := browse(t)
		p.scheme(theme)
		p.open(s.Ready.Editor + "/forms/" + id)
		p.wait(find("button", "Sign in"))
		p.shoot("signed-out-" + theme)
		p.press("button", "Sign in")
		p.wait(`document.querySelector("input[type=password]")`)
		p.shoot("sign-in-" + theme)
		p.signIn(s)
		p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
		p.shoot("form-" + theme)
		p.choose("router_a")
		p.wait(sel("[data-testid=inspector]") + `.textContent.includes("Router with 1 rule")`)
		p.shoot("router-" + theme)
		p.click(node("step_a") + ` [data-component="mail"]`)
		p.wait(sel(`[data-path="nodes[0].config.components[0].label"]`))
		p.fill("nodes[0].config.components[0].label", "")
		p.fill("nodes[0].config.components[0].hint", "A hint")
		p.shoot("component-" + theme)
		p.choose("step_a")
		p.press("button", "Payment")
		p.wait(sel(`[data-path="nodes[0].config.components[1].config.charge.type"]`))
		p.press("tab", "Problems")
		p.wait(sel("[data-testid=problems]"))
		p.shoot("problems-" + theme)
		p.press("tab", "Outline")
		p.wait(sel("[data-testid=outline]"))
		p.press("button", "More")
		p.press("menuitem", "Keyboard shortcuts")
		p.wait(`document.querySelector("dialog[open]")`)
		p.shoot("help-" + theme)
		p.press("button", "Close")
		p.wait(`!document.querySelector("dialog")`)
		p.press("tab", "History")
		p.shoot("history-" + theme)
		p.key("k", chromedp.ModifierCtrl)
		p.wait(`document.activeElement?.id === "search-text"`)
		p.key("tid")
		p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes("Tidy up")`)
		p.shoot("palette-" + theme)
		p.key("\x1b")
		p.wait(`!document.querySelector("dialog")`)
		p.press("button", "Add node")
		p.wait(find("menuitem", "Step"))
		p.shoot("add-" + theme)
		p.press("button", "Fit view")
		p.still()
		p.choose("$ending")
		p.wait(`!document.querySelector("[role=menu]")`) // a press elsewhere closes it
		p.shoot("ending-" + theme)
		for _, width := range []int64{1024, 700, 360} {
			p.do(chromedp.EmulateViewport(width, 800))
			p.wait(`innerWidth === ` + map[int64]string{1024: "1024", 700: "700", 360: "360"}[width])
			if over := eval[int](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s, %d wide: the page overflows by %d px", theme, width, over)
			}
			if !eval[bool](p, `[...document.querySelectorAll(".bar button, .bar input")].every(e => { const r = e.getBoundingClientRect(); return r.width === 0 || r.left >= 0 && r.right <= innerWidth; })`) {
				t.Errorf("%s, %d wide: a part of the top bar is cut off", theme, width)
			}
			p.shoot("narrow-" + map[int64]string{1024: "1024", 700: "700", 360: "360"}[width] + "-" + theme)
		}
		for _, line := range p.console {
			t.Errorf("%s: console: %s", theme, line)
		}
		p.open("about:blank") // the next page would share its unsaved changes
	}
}

// scheme makes the system prefer a colour scheme.
func (p *page) scheme(name string) {
	p.t.Helper()
	p.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}},
		})
		return err
	}))
}
