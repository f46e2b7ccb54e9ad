//go:build e2e && !js

package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

var (
	browsersFlag = flag.Int("together.browsers", 3, "browsers of TestManyEditTogether")
	editsOfEach  = flag.Int("together.edits", 80, "edits of each of them")
)

// badNetwork delays and loses the requests about the shared form, before or after the server has them.
const badNetwork = `(() => {
	const real = window.fetch;
	window.lossy = true;
	window.fetch = async (...args) => {
		if (!window.lossy || !/\/(live|presence)/.test(String(args[0]?.url ?? args[0]))) return real(...args);
		const pause = (ms) => new Promise((done) => setTimeout(done, ms));
		await pause(Math.random() * 200);
		if (Math.random() < 0.1) throw new TypeError("lost on the way there");
		const res = await real(...args);
		await pause(Math.random() * 200);
		if (Math.random() < 0.1) throw new TypeError("lost on the way back");
		return res;
	};
	return 0;
})()`

// partner is a browser that edits together with others.
type partner struct {
	*racer

	texts []string // all that it typed
	away  bool
	log   *[]string // what all did, in order
}

// note appends a line to the log.
func (r *partner) note(format string, args ...any) {
	*r.log = append(*r.log, r.name+" "+fmt.Sprintf(format, args...))
}

// edit sets the alias of a random step as typing does.
func (r *partner) edit(rng *rand.Rand) {
	r.t.Helper()
	r.notes() // what was typed over is told until something else is selected
	i := rng.IntN(raceSteps)
	// A message may cover a card, a banner may move it, and looking at a conflict moves the view. Changes by others may select another step.
	field := sel(fmt.Sprintf(`[data-path="nodes[%d].alias"]`, i))
	now := fmt.Sprintf("%s%d.", r.name, r.edits+1)
	var was *string
	until(time.Minute, func() bool {
		was = eval[*string](r.page, `(() => {
			const el = `+field+`;
			if (!el) return null;
			const was = el.value;
			el.focus();
			el.value = `+js(now)+`;
			el.dispatchEvent(new InputEvent("input", {bubbles: true}));
			return was;
		})()`)
		if was != nil {
			return true
		}
		if !eval[bool](r.page, sel(node(fmt.Sprintf("step_%d", i)))+`?.getAttribute("aria-selected") === "true"`) {
			r.click("[data-act=fit]")
			x, y := r.grip(fmt.Sprintf("step_%d", i))
			r.do(chromedp.MouseClickXY(x, y))
		}
		return false
	}, func() {
		r.shoot("cannot-select-" + r.name)
		r.t.Fatalf("%s: step_%d cannot be selected", r.name, i)
	})
	r.edits++
	r.note("step %d: %s -> %s", i, *was, now)
	r.acked = append(r.acked, rename{*was, now})
	r.texts = append(r.texts, now)
}

// decides settles a conflict, if there is one, and notes it in the log.
func (r *partner) decides(rng *rand.Rand) {
	r.t.Helper()
	before := r.shown.Len()
	act := r.decide(rng)
	r.note("decides: %s %q", act, r.shown.String()[before:])
}

// settled decides until no conflict is left.
func (r *partner) settled(rng *rand.Rand) {
	r.t.Helper()
	until(time.Minute, func() bool {
		if !eval[bool](r.page, `!!document.querySelector(".fork-count")`) {
			return true
		}
		r.decides(rng)
		return false
	}, func() { r.t.Fatalf("%s: conflicts are left", r.name) })
}

// again starts the server of a data folder at its addresses.
func again(tb testing.TB, s *server) *server {
	tb.Helper()
	host := func(address string) string {
		u, err := url.Parse(address)
		if err != nil {
			tb.Fatal(err)
		}
		return u.Host
	}
	return start(tb, s.data, "--listen", host(s.Ready.Editor), "--tenant-listen", host(s.Ready.Tenant))
}

// meet opens a form in n browsers, which see each other. Their network is bad. What they do is logged if the test fails.
func meet(t *testing.T, s *server, id string, n int) []*partner {
	t.Helper()
	log := new([]string)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(strings.Join(*log, "\n"))
		}
	})
	var all []*partner
	for i := range n {
		p := &partner{log: log, racer: &racer{page: browse(t), name: string(rune('A' + i))}}
		p.editor(s, id)
		p.press("button", "Fit view")
		p.still()
		eval[int](p.page, badNetwork)
		all = append(all, p)
	}
	for _, p := range all {
		p.wait(`!document.querySelector("[data-testid=presence]").hidden`)
	}
	return all
}

// Browsers edit one form at once, with a network that delays and loses requests and goes away, and a server that is restarted. In the end all
// have the same form. Each text that somebody typed is in it, was replaced by somebody who saw it, or was shown as a conflict.
func TestManyEditTogether(t *testing.T) {
	nightly(t) // app/together and model/live test it without a browser (TestPagesMeet, TestOrders); TestOfflineTogether does it with two
	t.Parallel()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3))
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(raceForm())
	browsers, edits := *browsersFlag, *editsOfEach
	all := meet(t, s, id, browsers)
	total := 0
	for total < browsers*edits {
		p := all[rng.IntN(len(all))]
		if p.edits < edits {
			p.edit(rng)
			total++
		}
		switch k := rng.IntN(40); {
		case k < 4:
			p.decides(rng)
		case k == 4:
			p.away = !p.away
			p.note("away: %v", p.away)
			p.do(call(network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: p.away, DownloadThroughput: -1, UploadThroughput: -1}))
		case k == 5 && rng.IntN(5) == 0:
			p.note("restarts the server")
			s.kill()
			s = again(t, s)
		}
	}
	for _, p := range all {
		p.do(call(network.OverrideNetworkState, network.OverrideNetworkStateParams{DownloadThroughput: -1, UploadThroughput: -1}))
		eval[int](p.page, `window.lossy = false; 0`)
	}
	finishTogether(t, all, rng)
	nothingLost(t, all, s.form(id))
	undoTogether(t, all)
}

// nothingLost compares all pages with the saved form. Each text that somebody typed is in it, was replaced by somebody who saw it, or was shown
// as a conflict.
func nothingLost(t *testing.T, all []*partner, saved map[string]any) {
	t.Helper()
	total := 0
	for _, p := range all {
		p.click("[data-act=fit]") // all cards are on the screen
	}
	seen, shown := map[string]bool{}, ""
	for i := range raceSteps {
		alias, _ := at(saved, "nodes", i, "alias").(string)
		seen[alias] = true
		for _, p := range all {
			p.wait(sel(node(fmt.Sprintf("step_%d", i))) + `.textContent.includes(` + js(alias) + `)`)
		}
	}
	for _, p := range all {
		shown += p.shown.String()
		for _, e := range p.acked {
			seen[e.was] = true
		}
	}
	lost := 0
	for _, p := range all {
		total += len(p.acked)
		for _, e := range p.acked {
			if !seen[e.now] && !strings.Contains(shown, e.now) {
				lost++
				t.Errorf("%s, which replaced %s, is lost", e.now, e.was)
			}
		}
	}
	t.Logf("%d edits of %d browsers, %d lost, %d bytes of conflicts", total, len(all), lost, len(shown))
}

// finishTogether settles all conflicts and saves, until every page has the saved form.
func finishTogether(t *testing.T, all []*partner, rng *rand.Rand) {
	t.Helper()
	quiet := 0 // rounds in which all had the saved form: what others did may still be on its way
	until(2*time.Minute, func() bool {
		quiet++
		for _, p := range all {
			p.settled(rng)
			// What others had not told yet may arrive after a save, so it is pressed again.
			p.shown.WriteString(eval[string](p.page, `(() => {
				const dialog = document.querySelector("dialog[open]"), state = document.querySelector("[data-save-state]").dataset.saveState;
				if (dialog) dialog.querySelector("[data-act=settle-save]")?.click();
				else if (state !== "saved" && state !== "saving") document.querySelector("button[data-act=save]:enabled")?.click();
				return dialog?.textContent ?? "";
			})()`) + "\n")
		}
		for _, p := range all {
			// A page whose stream is away has not heard of everything yet.
			alone := fmt.Sprintf(`!document.querySelector("[data-testid=presence] button")?.getAttribute("aria-label").startsWith("%d other")`, len(all)-1)
			if eval[bool](p.page, alone+` || !!document.querySelector(".fork-count") || document.querySelector("[data-save-state]").dataset.saveState !== "saved"`) {
				quiet = 0
			}
		}
		return quiet > 20
	}, func() {
		for _, p := range all {
			t.Logf("%s: %s", p.name, eval[string](p.page, `document.querySelector("header").textContent + " | " + document.querySelector(".banner, .toast")?.textContent`))
		}
		t.Fatal("the pages do not meet")
	})
}

// undoTogether lets each page undo. What disappears is what its person typed.
func undoTogether(t *testing.T, all []*partner) {
	t.Helper()
	const read = `[...document.querySelectorAll('[data-node^="step_"]')].sort((a, b) => a.dataset.node < b.dataset.node ? -1 : 1)
		.map((e) => e.querySelector(".cv-head b").textContent)`
	for _, p := range all {
		for range 3 {
			before := eval[[]string](p.page, read)
			p.key("\x1b")
			p.click(`[data-act=undo]`)
			evalAsync[bool](p.page, settled)
			after := eval[[]string](p.page, read)
			evalAsync[bool](p.page, settled) // the message follows the canvas
			said := eval[string](p.page, `document.querySelector(".toast")?.textContent ?? ""`)
			p.note("undoes, is told %q", said)
			if strings.Contains(said, "Undone: took what") {
				continue // the person's own decision for what somebody else wrote
			}
			for i, text := range after {
				if text != before[i] && !strings.HasPrefix(before[i], p.name) {
					t.Errorf("the undo of %s changes %q, which is not theirs, to %q", p.name, before[i], text)
				}
			}
		}
		for _, q := range all {
			q.wait(`JSON.stringify(` + read + `) === ` + js(eval[string](p.page, `JSON.stringify(`+read+`)`)))
		}
	}
}

// BenchmarkEditorTogether measures how soon an edit of one page is on the others, with five people and 1,000 nodes, and how long a page works for
// an edit of somebody else.
func BenchmarkEditorTogether(b *testing.B) {
	s := start(b, b.TempDir())
	id := s.create(gridForm(1000))
	const people, edits = 5, 120
	var all []*page
	for range people {
		p := browseIn(b, b.TempDir())
		p.asItOpens(s, id)
		all = append(all, p)
	}
	for b.Loop() { // the figures are those below, and Loop clears those before
	}
	for _, p := range all {
		p.wait(`!document.querySelector("[data-testid=presence]").hidden`)
		eval[int](p, `window.seen = {}; new MutationObserver(() => {
			const text = document.querySelector("[data-path=name]").dataset.held ?? "";
			if (!(text in window.seen)) window.seen[text] = Date.now();
		}).observe(document.querySelector(".bar"), {subtree: true, attributes: true, childList: true, characterData: true}); 0`)
	}
	watcher := &bench{page: all[1]}
	// The pages share the cores, so wall-clock time would include the work of the others.
	watcher.do(call(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
	typed := map[string]float64{}
	stop := all[1].traceTasks()
	before := watcher.tasks()
	for i := range edits {
		p := all[0]
		if i%2 == 1 {
			p = all[2]
		}
		text := fmt.Sprint("Edit ", i)
		typed[text] = eval[float64](p, `(() => {
			const el = document.querySelector("[data-path=name]");
			el.value = `+js(text)+`;
			el.dispatchEvent(new InputEvent("input", {bubbles: true}));
			return Date.now();
		})()`)
		for i, q := range all {
			if i != 1 { // polling would count as its work
				q.wait(`window.seen[` + js("="+text+"=") + `] > 0`)
			}
		}
		all[1].wait(`window.seen[` + js("="+text+"=") + `] > 0`)
	}
	work := watcher.tasks() - before
	longest := stop()
	if len(longest) < edits {
		b.Fatalf("the trace has %d tasks", len(longest))
	}
	var late []float64
	for _, q := range all {
		for text, at := range typed {
			late = append(late, eval[float64](q, `window.seen[`+js("="+text+"=")+`]`)-at)
		}
	}
	slices.Sort(late)
	b.ReportMetric(quantile(late, 0.5), "ms/latency-median")
	b.ReportMetric(quantile(late, 0.95), "ms/latency-p95")
	b.ReportMetric(work/edits, "ms/work-per-edit")
	// Each edit has a longest task.
	b.ReportMetric(longest[edits/2], "ms/task-median")
	b.ReportMetric(longest[edits/20], "ms/task-p95")
}
