//go:build e2e && !js

package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/model/waittest"
)

// window opens a form in another window of the same browser, which stays visible until close is called.
func (p *page) window(address string) (other *page, closed func()) {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	other = &page{t: p.t, ctx: ctx}
	other.do(call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	opening, end := context.WithTimeout(ctx, waittest.Limit(time.Minute)) // without a connection, it would wait for ever
	defer end()
	(&page{t: p.t, ctx: opening}).open(address)
	other.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	return other, cancel
}

// A browser opens six connections to a server with HTTP/1.1. All its windows together have one stream of events, so eight of them get theirs,
// and every one still reads and saves.
func TestEightWindowsHaveOneStream(t *testing.T) {
	t.Parallel()
	s := shared(t)
	ids := []string{s.create(threeNodes), s.create(threeNodes)}
	windows, closes := []*page{s.tab()}, []func(){nil}
	windows[0].editor(s, ids[0])
	for i := 1; i < 8; i++ {
		p, closed := windows[0].window(s.Ready.Editor + "/forms/" + ids[i%2])
		windows, closes = append(windows, p), append(closes, closed)
	}
	// Windows of one browser tell each other what they do. What another browser does, only the stream tells.
	others := []*page{s.tab(), s.tab()}
	for i, p := range others {
		p.editor(s, ids[i])
		p.wait(`document.querySelector("[data-testid=presence] button")?.title === "4 other windows are here"`)
	}
	if n := eval[string](windows[0], `performance.getEntriesByType("navigation")[0].nextHopProtocol`); n != "http/1.1" {
		t.Fatalf("the windows use %s", n)
	}
	for i, p := range others {
		p.choose("step_b")
		p.fill("nodes[2].alias", "From outside "+ids[i])
	}
	for i, p := range windows {
		if state := eval[string](p, "document.visibilityState"); state != "visible" {
			t.Errorf("window %d is %s", i, state)
		}
		p.card("step_b", "From outside "+ids[i%2])
		const reads = `fetch("/bff/user", { headers: { "X-CSRF": "1" }, signal: AbortSignal.timeout(20000) }).then(r => r.status, () => 0)`
		if status := evalAsync[int](p, reads); status != 200 {
			t.Errorf("window %d reads with status %d", i, status)
		}
	}
	windows[7].press("button", "Save")
	for i := 1; i < 8; i += 2 {
		windows[i].saveState("saved")
	}
	others[1].saveState("saved")

	for _, i := range []int{2, 4, 6, 3} {
		closes[i]()
	}
	others[0].wait(`document.querySelector("[data-testid=presence] button")?.title === "1 other window is here"`)
	others[1].wait(`document.querySelector("[data-testid=presence] button")?.title === "3 other windows are here"`)
	others[0].choose("step_b")
	others[0].fill("nodes[2].alias", "From outside, again")
	windows[0].card("step_b", "From outside, again")
}
