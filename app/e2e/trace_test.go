//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/model/waittest"
)

// traceEvent is an event of a trace, see https://chromium.googlesource.com/catapult/+/HEAD/tracing/README.md. Times are in microseconds.
type traceEvent struct {
	Name string
	Ph   string
	Pid  int
	Tid  int
	Dur  float64
	TDur float64 // of the processor
	Args struct{ Name string }
}

// traceTasks records the tasks of the main threads of the page's browser until stop is called, which returns the processor time of each in
// milliseconds, the longest first.
func (p *page) traceTasks() (stop func() []float64) {
	p.t.Helper()
	var mu sync.Mutex
	var events []traceEvent
	var ended bool // what follows is of another trace
	done := make(chan struct{})
	err := chromedp.Listen(p.ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		if ended {
			return
		}
		switch ev := ev.(type) {
		case *tracing.EventDataCollected:
			for _, v := range ev.Value {
				var e traceEvent
				if json.Unmarshal(v, &e) == nil {
					events = append(events, e)
				}
			}
		case *tracing.EventTracingComplete:
			ended = true
			close(done)
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	p.do(call(tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: []string{"disabled-by-default-devtools.timeline", "__metadata"}, ExcludedCategories: []string{"*"},
	}}))
	return func() []float64 {
		p.t.Helper()
		p.do(call(tracing.End, cdp.Empty{}))
		select {
		case <-done:
		case <-time.After(waittest.Limit(time.Minute)):
			p.t.Fatal("the trace does not end")
		}
		mu.Lock()
		defer mu.Unlock()
		main := map[[2]int]bool{}
		for _, e := range events {
			if e.Ph == "M" && e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
				main[[2]int{e.Pid, e.Tid}] = true
			}
		}
		var out []float64
		for _, e := range events {
			if e.Name == "RunTask" && main[[2]int{e.Pid, e.Tid}] {
				out = append(out, e.TDur/1000)
			}
		}
		slices.Sort(out)
		slices.Reverse(out)
		return out
	}
}
