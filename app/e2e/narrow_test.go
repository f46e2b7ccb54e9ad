//go:build e2e && !js

package e2e

import (
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
	clear := func(id string) string {
		return `(() => { const c = ` + sel(node(id)) + `.getBoundingClientRect(), s = document.querySelector(".right").getBoundingClientRect(); return c.bottom <= s.top && c.top >= 0; })()`
	}
	for _, c := range []struct{ id, want string }{{"step_a", "Step with 2 components"}, {"router_a", "Router with 1 rule"}} {
		p.tap(p.header(c.id))
		p.wait(open + ` && ` + title + `.includes(` + js(c.want) + `)`)
		p.wait(clear(c.id))
		p.still()
	}
	p.shots("narrow-tapped")
	p.tap(graph.Vec{X: 200, Y: 160})
	p.wait(`!(` + open + `)`)
}
