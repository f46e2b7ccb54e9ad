//go:build e2e && !js

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// The generated form is a grid of steps with an edge from each to the next, and
// some jumps across the grid.
const (
	gridX     = 360 // form units from node to node
	gridY     = 260
	jumpEvery = 5
)

// slimFrom is the number of nodes from which a step has one component instead of
// three: the document must not exceed 200,000 values.
const slimFrom = 5000

// benchRuns is the number of measurements of each gesture. The median is
// reported, because a single run on a busy machine says little.
const benchRuns = 3

// gridForm returns a form of n nodes as JSON: a square with 1.2 edges per node,
// like the peer's.
func gridForm(n int) string {
	wide := int(math.Ceil(math.Sqrt(float64(n))))
	id := func(i int) string {
		if i >= n {
			return "$ending"
		}
		return fmt.Sprint("n", i)
	}
	nodes := make([]any, n)
	for i := range nodes {
		components := []any{
			map[string]any{"id": fmt.Sprint("t", i), "category": "FIELD", "type": "TEXT", "label": fmt.Sprint("Answer ", i), "required": true},
			map[string]any{"id": fmt.Sprint("r", i), "category": "BLOCK", "type": "RICH_TEXT", "config": map[string]any{"content": fmt.Sprintf("<h2>Step %d</h2><p>Some words to read.</p>", i)}},
			map[string]any{"id": fmt.Sprint("b", i), "category": "BLOCK", "type": "NEXT_BUTTON", "config": map[string]any{"text": "Continue"}},
		}
		if i%jumpEvery == 0 {
			components = append(components, map[string]any{"id": fmt.Sprint("j", i), "category": "BLOCK", "type": "JUMP_BUTTON", "config": map[string]any{"text": "Skip", "next_node": id(i + wide)}})
		}
		if n >= slimFrom {
			components = components[2:]
		}
		nodes[i] = map[string]any{
			"id": id(i), "type": "STEP", "alias": fmt.Sprint("Step ", i),
			"coordinates": map[string]any{"x": i % wide * gridX, "y": i / wide * gridY},
			"config":      map[string]any{"components": components, "next_node": id(i + 1)},
		}
	}
	b, err := json.Marshal(map[string]any{
		"name": "A grid", "nodes": nodes,
		"start":  map[string]any{"next_node": "n0", "coordinates": map[string]any{"x": -gridX, "y": 0}},
		"ending": map[string]any{"resume_flow": true, "coordinates": map[string]any{"x": wide * gridX, "y": n / wide * gridY}},
	})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// figures is the cost of one run of a gesture.
type figures struct {
	task          float64 // main-thread time per step, in milliseconds
	p50, p95, top float64 // time between frames, in milliseconds
	frames        int
}

// bench is a page with an open form, and its measurements.
type bench struct {
	*page
	names   []string
	results map[string][]figures
}

// BenchmarkEditor1000 measures the editor with 1,000 nodes, using real input
// events in a real browser: the time until a form can be edited, and the
// main-thread time per step.
func BenchmarkEditor1000(b *testing.B) {
	s := start(b, filepath.Join(b.TempDir(), "data"))
	const gridNodes = 1000
	id := s.create(gridForm(gridNodes))
	p := &bench{page: browseIn(b, b.TempDir()), results: map[string][]figures{}}
	p.editor(s, id)
	p.do(call(performance.Enable, performance.EnableParams{}))

	cold := p.ready(s.Ready.Editor+"/forms/"+id, true)
	warm := p.ready(s.Ready.Editor+"/forms/"+id, false)
	for b.Loop() {
		for range benchRuns {
			p.zoomToOne()
			p.dragNode()
			p.typeAlias()
			p.pan()
			p.zoom()
			p.fit()
		}
	}
	if len(p.console) > 0 {
		b.Errorf("the console is not empty:\n%s", strings.Join(p.console, "\n"))
	}

	var table strings.Builder
	// Package testing prints only ten lines of a benchmark's log.
	fmt.Fprintf(&table, "%d nodes, milliseconds, medians of %d runs; ready for editing after %.0f, with the browser's cache %.0f\n", gridNodes, benchRuns, cold, warm)
	fmt.Fprintf(&table, "%-10s %10s %10s %10s %10s %8s", "", "task/step", "frame p50", "frame p95", "longest", "frames")
	for _, name := range p.names {
		f := medians(p.results[name])
		fmt.Fprintf(&table, "\n%-10s %10.2f %10.1f %10.1f %10.1f %8d", name, f.task, f.p50, f.p95, f.top, f.frames)
		b.ReportMetric(f.task, unit(name)+"-task-ms/step")
		b.ReportMetric(f.p95, unit(name)+"-p95-ms")
		b.ReportMetric(f.top, unit(name)+"-longest-ms")
	}
	b.ReportMetric(cold, "ready-cold-ms")
	b.ReportMetric(warm, "ready-warm-ms")
	b.ReportMetric(0, "ns/op") // the total of all runs means nothing
	b.Log("\n" + strings.TrimSuffix(table.String(), "\n"))
}

func unit(name string) string { return strings.ReplaceAll(name, " ", "-") }

func medians(runs []figures) figures {
	return figures{
		task: median(runs, func(f figures) float64 { return f.task }),
		p50:  median(runs, func(f figures) float64 { return f.p50 }),
		p95:  median(runs, func(f figures) float64 { return f.p95 }),
		top:  median(runs, func(f figures) float64 { return f.top }),

		frames: int(median(runs, func(f figures) float64 { return float64(f.frames) })),
	}
}

func median[T any](list []T, of func(T) float64) float64 {
	values := make([]float64, len(list))
	for i, v := range list {
		values[i] = of(v)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// call sends a command of the browser's protocol and ignores the answer.
func call[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// noteReady records, in the page, when the form was drawn and editable, relative
// to the start of the navigation.
const noteReady = `(() => {
	const look = () => {
		if (document.querySelector("[data-testid=canvas][data-ready=true]")) { window.benchReady = performance.now(); return; }
		requestAnimationFrame(look);
	};
	look();
})()`

// ready returns the median time from the navigation until the form can be edited.
func (p *bench) ready(address string, cold bool) float64 {
	p.t.Helper()
	after := p.before(noteReady)
	p.do(call(network.SetCacheDisabled, network.SetCacheDisabledParams{CacheDisabled: cold}))
	times := make([]float64, benchRuns)
	for i := range times {
		p.open("about:blank") // the new page must not be confused with the old one
		p.open(address)
		p.wait(`window.benchReady && !document.getElementById("app-wasm-loader")`)
		times[i] = eval[float64](p.page, "window.benchReady")
	}
	p.do(call(network.SetCacheDisabled, network.SetCacheDisabledParams{}))
	after()
	return median(times, func(f float64) float64 { return f })
}

// tasks returns the main-thread time so far, in milliseconds.
func (p *bench) tasks() float64 {
	p.t.Helper()
	res, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (performance.GetMetricsResult, error) {
		return cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
	})
	if err != nil {
		p.t.Fatal(err)
	}
	for _, m := range res.Metrics {
		if m.Name == "TaskDuration" {
			return m.Value * 1000
		}
	}
	p.t.Fatal("the browser reports no TaskDuration")
	return 0
}

// record starts recording frame times.
const record = `(() => {
	const times = window.benchFrames = [];
	const next = (t) => { if (window.benchFrames === times) { times.push(t); requestAnimationFrame(next); } };
	requestAnimationFrame(next);
})()`

// settled waits until the screen shows all changes.
const settled = `new Promise((done, fail) => {
	setTimeout(() => fail(new Error("no frame in 20 s, the page is " + document.visibilityState)), 20000);
	requestAnimationFrame(() => requestAnimationFrame(() => done(true)));
})`

// measure runs steps and records their cost under a name.
func (p *bench) measure(name string, steps int, gesture func()) {
	p.t.Helper()
	evalAsync[bool](p.page, settled)
	eval[any](p.page, record)
	before := p.tasks()
	gesture()
	evalAsync[bool](p.page, settled)
	after := p.tasks()
	times := eval[[]float64](p.page, `(() => { const t = window.benchFrames; window.benchFrames = null; return t; })()`)
	if len(times) < 3 {
		p.t.Fatalf("%s: only %d frames were drawn", name, len(times))
	}
	gaps := make([]float64, len(times)-1)
	for i := range gaps {
		gaps[i] = times[i+1] - times[i]
	}
	slices.Sort(gaps)
	if !slices.Contains(p.names, name) {
		p.names = append(p.names, name)
	}
	p.results[name] = append(p.results[name], figures{
		task: (after - before) / float64(steps), frames: len(times),
		p50: quantile(gaps, 0.5), p95: quantile(gaps, 0.95), top: gaps[len(gaps)-1],
	})
}

// quantile returns a quantile of a sorted list by the nearest-rank method.
func quantile(sorted []float64, q float64) float64 {
	return sorted[max(0, int(math.Ceil(q*float64(len(sorted))))-1)]
}

// centre returns the middle of the canvas, in window coordinates.
func (p *bench) centre() (x, y float64) {
	p.t.Helper()
	return p.middle(sel("[data-testid=canvas]"))
}

func (p *bench) zoomLevel() float64 {
	p.t.Helper()
	return eval[float64](p.page, `Number(`+sel("[data-testid=canvas]")+`.dataset.zoom)`)
}

// wheelStill represents no movement on an axis: the protocol requires both axes,
// and its Go binding omits zeros.
const wheelStill = 1e-6

// wheel turns the wheel at a position. With Ctrl it zooms, without it pans.
func (p *bench) wheel(x, y, dx, dy float64, control bool) {
	p.t.Helper()
	var mods []chromedp.Modifier
	if control {
		mods = append(mods, chromedp.ModifierCtrl)
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseWheel, x, y, chromedp.ButtonModifiers(mods...), func(e *input.DispatchMouseEventParams) {
		e.DeltaX, e.DeltaY = cmp.Or(dx, wheelStill), cmp.Or(dy, wheelStill)
	}))
}

// wheelOctave is the number of wheel pixels that double the zoom, and wheelNotch
// the maximum effect of an event. Both only shorten the way to a zoom.
const (
	wheelOctave = 100
	wheelNotch  = 24
)

// zoomToOne sets the zoom to 1 with the wheel and Ctrl.
func (p *bench) zoomToOne() {
	p.t.Helper()
	x, y := p.centre()
	for range 100 {
		z := p.zoomLevel()
		if math.Abs(z-1) < 0.01 {
			evalAsync[bool](p.page, settled)
			return
		}
		p.wheel(x, y, 0, max(-wheelNotch, min(wheelNotch, wheelOctave*math.Log2(z))), true)
		evalAsync[bool](p.page, settled)
	}
	p.t.Fatalf("the zoom is %v, want 1", p.zoomLevel())
}

// dragNode drags the node nearest the middle in a circle, with 120 moves. Picking
// it up and dropping it are not steps and are measured separately.
func (p *bench) dragNode() {
	p.t.Helper()
	const moves, radius = 120, 120
	cx, cy := p.centre()
	id := eval[string](p.page, fmt.Sprintf(`(() => {
		const far = e => { const r = e.getBoundingClientRect(); return Math.hypot(r.x + r.width / 2 - %g, r.y + r.height / 2 - %g); };
		return [...document.querySelectorAll("[data-node][data-kind=STEP]")].sort((a, b) => far(a) - far(b))[0].dataset.node;
	})()`, cx, cy))
	x, y := p.grip(id)
	place := sel(node(id)) + `.getBoundingClientRect().x`
	was := eval[float64](p.page, place)
	mouse := func(typ input.DispatchMouseEventType, x, y float64) {
		p.do(chromedp.MouseEvent(typ, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1), func(e *input.DispatchMouseEventParams) { e.Buttons = 1 }))
	}
	at := func(i int) (float64, float64) {
		a := 2 * math.Pi * float64(i) / moves
		return x + radius*math.Sin(a), y + radius*(1-math.Cos(a))/2
	}
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.measure("pick up", 1, func() {
		mouse(input.DispatchMouseEventTypeMousePressed, x, y)
		tx, ty := at(1)
		mouse(input.DispatchMouseEventTypeMouseMoved, tx, ty)
	})
	p.measure("drag", moves, func() {
		for i := range moves {
			tx, ty := at(2 + i)
			mouse(input.DispatchMouseEventTypeMouseMoved, tx, ty)
			if i == moves/4 && math.Abs(eval[float64](p.page, place)-was) < radius/2 {
				p.t.Fatalf("the node %s does not follow the pointer", id)
			}
		}
	})
	p.measure("put down", 1, func() {
		tx, ty := at(moves / 4)
		mouse(input.DispatchMouseEventTypeMouseMoved, tx, ty)
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, tx, ty, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	})
	if moved := eval[float64](p.page, place) - was; moved < radius/2 {
		p.t.Fatalf("the node %s moved by %v pixels, want about %d", id, moved, radius)
	}
	p.press("button", "Undo") // every run begins with the same form
}

// typeAlias types into the alias of a node, in the inspector's busiest panel: it
// also contains the choice of the next node, with every node in it.
func (p *bench) typeAlias() {
	p.t.Helper()
	evalAsync[bool](p.page, settled)
	id := eval[string](p.page, `[...document.querySelectorAll("[data-kind=STEP]")].find(e => { const r = e.getBoundingClientRect(); return r.x > 300 && r.y > 100 && r.right < 1000 && r.bottom < 650; }).dataset.node`)
	p.choose(id)
	path := `[data-path="nodes[` + strings.TrimPrefix(id, "n") + `].alias"]`
	p.click(path)
	const letters = 20
	p.measure("type", letters, func() {
		for range letters {
			p.do(chromedp.KeyEvent("x"))
		}
		p.wait(sel(path) + `.value.endsWith("` + strings.Repeat("x", letters) + `")`)
	})
	p.press("button", "Undo") // every run begins with the same form
	p.do(chromedp.Focus(chromedp.CSS("[data-testid=canvas]")))
}

// pan turns the wheel 120 times, out and back, always over new nodes.
func (p *bench) pan() {
	p.t.Helper()
	x, y := p.centre()
	p.measure("pan", 120, func() {
		for i := range 120 {
			d := 60.0
			if i >= 60 {
				d = -d
			}
			p.wheel(x, y, d, d/2, false)
		}
	})
}

// zoom zooms in 30 steps and out 30 steps.
func (p *bench) zoom() {
	p.t.Helper()
	x, y := p.centre()
	p.measure("zoom", 60, func() {
		for i := range 60 {
			d := -4.0
			if i >= 30 {
				d = 4
			}
			p.wheel(x, y, 0, d, true)
			if i == 29 && p.zoomLevel() < 1.5 {
				p.t.Fatalf("the zoom is %v after 30 steps in", p.zoomLevel())
			}
		}
	})
	if z := p.zoomLevel(); math.Abs(z-1) > 0.05 {
		p.t.Fatalf("the zoom is %v after 30 steps in and out, want 1", z)
	}
}

// fit shows the whole form with the button.
func (p *bench) fit() {
	p.t.Helper()
	x, y := p.middle(find("button", "Fit view"))
	p.measure("fit view", 1, func() {
		p.do(chromedp.MouseClickXY(x, y))
		last := -1.0
		for z := p.zoomLevel(); z != last || z > 0.5; z = p.zoomLevel() {
			last = z
			evalAsync[bool](p.page, settled)
		}
	})
}
