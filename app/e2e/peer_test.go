//go:build e2e && !js

package e2e

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// peerSizes are the numbers of nodes at which the canvas is compared with its peer, a page of React Flow
// in its fastest mode, which draws only visible nodes.
var peerSizes = []int{100, 1000, 5000, 10000}

// contestant is a page with a graph, driven with real input events.
type contestant struct {
	*bench
	load func(n int)       // opens the document and records the time
	card string            // selector for the nodes
	pan  input.MouseButton // the button that pans the view
	held int64             // the same button as a mask
	step float64           // wheel delta for a factor of 0.97
	ours bool              // opens with the whole form in view, and zooms with Ctrl and the wheel
	fit  func()
}

// BenchmarkPeer prints the figures of the canvas at several sizes for both pages in one run: each case in
// its own browser, interleaved, medians. Only the ratios apply to other machines. FORMGRAPH_PEER is the
// folder of the peer's built page; make bench-browser builds it.
func BenchmarkPeer(b *testing.B) {
	dist := os.Getenv("FORMGRAPH_PEER")
	if dist == "" {
		b.Skip("FORMGRAPH_PEER names no built peer; make bench-browser builds it")
	}
	files := httptest.NewServer(http.FileServer(http.Dir(dist)))
	defer files.Close()
	s := start(b, filepath.Join(b.TempDir(), "data"))
	for b.Loop() {
		for _, n := range peerSizes {
			id := s.create(gridForm(n))
			ours, theirs := map[string][]figures{}, map[string][]figures{}
			for range benchRuns {
				b.Run(fmt.Sprint("formgraph-", n), func(b *testing.B) { contest(ourPage(b, s, id), n, ours) })
				b.Run(fmt.Sprint("peer-", n), func(b *testing.B) { contest(peerPage(b, files.URL), n, theirs) })
			}
			fmt.Print(report(n, ours, theirs)) //nolint:forbidigo // the table is what the run is for; testing keeps ten lines of a log
		}
	}
	b.ReportMetric(0, "ns/op")
}

// ourPage opens the editor and signs in.
func ourPage(b *testing.B, s *server, id string) contestant {
	b.Helper()
	p := &bench{page: browseIn(b, b.TempDir()), results: map[string][]figures{}}
	p.editor(s, id)
	address := s.Ready.Editor + "/forms/" + id
	// handed opens the form from the list, as people do, and returns the time since the server's answer.
	// view is the last view of the form, "" for none.
	handed := func(view string) float64 {
		p.open(s.Ready.Editor + "/forms")
		p.wait(`document.querySelector('a[href="/forms/` + id + `"]')`)
		evalAsync[bool](p.page, rested)
		eval[any](p.page, `(() => {
			const view = `+js(view)+`, key = "formgraph.view.`+id+`";
			if (view) localStorage.setItem(key, view); else localStorage.removeItem(key);
			`+seen(`document.querySelector("[data-testid=canvas][data-ready=true]")`)+`
			document.querySelector('a[href="/forms/`+id+`"]').click();
		})()`)
		p.waitFor(time.Minute, `window.benchSeen`)
		return eval[float64](p.page, `window.benchSeen - performance.getEntriesByType("resource").find(e => e.name.endsWith("/bff/api/forms/`+id+`")).responseEnd`)
	}
	return contestant{
		bench: p, card: "[data-node][data-kind=STEP]", pan: input.MouseButtonMiddle, held: 4, step: 4, ours: true,
		load: func(int) {
			ready, paint := p.watch(address, `document.querySelector("[data-testid=canvas][data-ready=true]")`)
			p.note("first paint", paint)
			p.note("open, cold", ready)
			p.note("init", handed("0 0 1"))
			p.note("init, whole form", handed(""))
		},
		fit: func() { p.press("button", "Fit view") },
	}
}

// peerPage opens the peer with no nodes.
func peerPage(b *testing.B, address string) contestant {
	b.Helper()
	p := &bench{page: browseIn(b, b.TempDir()), results: map[string][]figures{}}
	return contestant{
		bench: p, card: ".react-flow__node", pan: input.MouseButtonLeft, held: 1, step: 20,
		load: func(n int) {
			drawn := `(() => { const e = document.querySelector(".react-flow__node"); return e && getComputedStyle(e).visibility === "visible"; })()`
			// Its page creates the document before it paints, so the first paint is that of an empty
			// page.
			_, paint := p.watch(address+"/?vis=1", `window.__mounted`)
			p.note("first paint", paint)
			ready, _ := p.watch(fmt.Sprint(address, "/?vis=1&n=", n), drawn)
			p.note("open, cold", ready)
			p.open("about:blank")
			p.open(address + "/?vis=1")
			p.wait(`window.__load && window.__mounted`)
			evalAsync[bool](p.page, rested)
			eval[any](p.page, fmt.Sprintf(`(() => { window.benchFrom = performance.now(); window.__load(%d); %s })()`, n, seen(drawn)))
			p.waitFor(2*time.Minute, `window.benchSeen`)
			ms := eval[float64](p.page, `window.benchSeen - window.benchFrom`)
			p.note("init", ms)
			p.note("init, whole form", ms) // it cannot open with the whole form in view
		},
		// Its page has no button for this: the wheel zooms out as far as possible.
		fit: func() {
			for range 12 {
				p.wheel(700, 400, 0, 400, false)
			}
		},
	}
}

// rested waits until a loaded page is idle.
const rested = `new Promise(done => setTimeout(() => requestIdleCallback(() => requestIdleCallback(() => done(true))), 500))`

// seen is a script that records, in the page, the time two frames after something appears.
func seen(there string) string {
	return `{
		window.benchSeen = 0;
		const look = () => {
			if (` + there + `) { requestAnimationFrame(() => requestAnimationFrame(() => { window.benchSeen = performance.now(); })); return; }
			requestAnimationFrame(look);
		};
		requestAnimationFrame(look);
	}`
}

// watch opens a page without its cache and returns the time from the navigation to two frames after the
// awaited element appears, and the time to the first paint.
func (p *bench) watch(address, there string) (ready, paint float64) {
	p.t.Helper()
	p.open("about:blank")
	p.do(call(network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: true}))
	after := p.before(seen(there))
	p.open(address)
	p.waitFor(2*time.Minute, `window.benchSeen`)
	p.wait(`performance.getEntriesByName("first-paint").length > 0`)
	paint = eval[float64](p.page, `performance.getEntriesByName("first-paint")[0].startTime`)
	ready = eval[float64](p.page, `window.benchSeen`)
	p.do(call(network.SetCacheDisabled, network.SetCacheDisabledParams{}))
	after()
	return ready, paint
}

// note records a time as a result.
func (p *bench) note(name string, ms float64) {
	p.results[name] = append(p.results[name], figures{task: ms})
}

// contest runs all gestures once on a page and adds their costs.
func contest(c contestant, n int, results map[string][]figures) {
	c.t.Helper()
	c.load(n)
	c.do(call(performance.Enable, performance.EnableParams{}))
	if c.ours {
		c.zoomToOne()
	}
	c.gesture("drag", input.MouseButtonLeft, 1, eval[[]float64](c.page, `(() => {
		const r = [...document.querySelectorAll(`+js(c.card)+`)].map(e => e.getBoundingClientRect()).find(r => r.x > 300 && r.y > 150 && r.right < 1000 && r.bottom < 700);
		return [r.x + r.width / 2, r.y + 14];
	})()`))
	empty := `(() => {
		for (let y = 200; y < 600; y += 7) for (let x = 400; x < 900; x += 7)
			if (!document.elementFromPoint(x, y).closest(` + js(c.card) + `)) return [x, y];
	})()`
	c.gesture("pan", c.pan, c.held, eval[[]float64](c.page, empty))
	c.measure("zoom", 60, func() {
		for i := range 60 {
			d := c.step // zooms out to 0.43 and back
			if i >= 30 {
				d = -d
			}
			c.wheel(700, 400, 0, d, c.ours)
		}
	})
	c.measure("fit all", 1, func() {
		c.fit()
		for range 20 {
			evalAsync[bool](c.page, settled)
		}
	})
	c.gesture("pan at fit all", c.pan, c.held, []float64{700, 250})
	for name, f := range c.results {
		results[name] = append(results[name], f...)
	}
	c.t.(*testing.B).ReportMetric(0, "ns/op")
}

// gesture presses a button at a position and measures 120 moves out and back.
func (c contestant) gesture(name string, button input.MouseButton, held int64, at []float64) {
	c.t.Helper()
	const moves = 120
	mouse := func(typ input.DispatchMouseEventType, x, y float64) {
		c.do(chromedp.MouseEvent(typ, x, y, func(e *input.DispatchMouseEventParams) { e.Button, e.Buttons, e.ClickCount = button, held, 1 }))
	}
	x, y := at[0], at[1]
	c.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	mouse(input.DispatchMouseEventTypeMouseMoved, x+12, y+8)
	c.measure(name, moves, func() {
		for i := range moves {
			d := 100 * math.Sin(math.Pi*float64(i+1)/moves)
			mouse(input.DispatchMouseEventTypeMouseMoved, x+12+1.5*d, y+8+d)
		}
	})
	mouse(input.DispatchMouseEventTypeMouseReleased, x+12, y+8)
}

// report returns the table of one size.
func report(n int, ours, theirs map[string][]figures) string {
	var t strings.Builder
	fmt.Fprintf(&t, "\n%d nodes, milliseconds, medians of %d; ours, React Flow with visible nodes only, ratio\n", n, benchRuns)
	fmt.Fprintf(&t, "%-16s %26s   %23s   %s\n", "", "task a step", "95 % of frames", "longest frame")
	for _, name := range []string{"first paint", "open, cold", "init", "init, whole form", "drag", "pan", "zoom", "fit all", "pan at fit all"} {
		a, z := medians(ours[name]), medians(theirs[name])
		fmt.Fprintf(&t, "%-16s %9.2f %9.2f %6.2f", name, a.task, z.task, a.task/z.task)
		if a.frames > 0 {
			fmt.Fprintf(&t, "   %11.1f %11.1f   %9.1f %9.1f", a.p95, z.p95, a.top, z.top)
		}
		t.WriteByte('\n')
	}
	return t.String()
}
