//go:build e2e && !js

package e2e

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
)

const (
	// A task of a page should take no longer than shortTask, in milliseconds of the processor. Slow machines need longer; there, no task may be
	// most of the work.
	shortTask, mostOfWork = 200, 0.5
	// settleTime is how long a page is watched after it shows what is new.
	settleTime = 4 * time.Second
)

// largest returns forms of a shape, each with a name and with ids of its own: of 12,000 nodes, components or rules, or as many as make 1.8 MiB.
func largest(t *testing.T, shape string, names ...string) (forms []string) {
	t.Helper()
	text := func(f *model.Form) string { return string(schema.Encode(f.Tree())) }
	n := 12_000
	f := formtest.Worst(shape, n)
	for len(text(formtest.Renewed(f, "x_"))) > 1_900_000 {
		n -= n/10 + 1
		f = formtest.Worst(shape, n)
	}
	t.Logf("%s: %d nodes", shape, len(f.Nodes))
	for _, name := range names {
		forms = append(forms, text(model.FromTree(formtest.Renewed(f, name[:1]+"_").Tree().With("name", name))))
	}
	return forms
}

// A page opens the largest forms, takes them from others and imports them in short tasks, so that it stays usable. What its person does meanwhile
// is not lost.
func TestLargeFormsTakeShortTasks(t *testing.T) {
	nightly(t) // model/pause tests the pauses; only here: that they are where the work is
	s := start(t, t.TempDir())
	p, other := browseIn(t, t.TempDir()), browseIn(t, t.TempDir())
	for _, p := range []*page{p, other} {
		p.asItOpens(s, s.create(threeNodes)) // the browser compiles the program once
	}
	for _, shape := range []string{"types", "routers", "buttons", "step"} {
		forms := largest(t, shape, "opened", "saved", "merged", "live", "listed")
		id := s.create(forms[0])
		watchOn := func(p *page, title, name string, what func()) {
			t.Helper()
			stop := p.traceTasks()
			what()
			p.waitFor(2*time.Minute, `document.title.startsWith(`+js(title)+`)`)
			p.do(chromedp.Sleep(settleTime))
			tasks := stop()
			var work float64
			for _, ms := range tasks {
				work += ms
			}
			t.Logf("%s, %s: %.0f ms, the longest tasks %.0f", shape, name, work, tasks[:min(len(tasks), 5)])
			if tasks[0] > shortTask && tasks[0] > work*mostOfWork {
				t.Errorf("%s, %s: a task takes %.0f of %.0f ms", shape, name, tasks[0], work)
			}
		}
		watch := func(name string, what func()) { t.Helper(); watchOn(p, name, name, what) }
		save := func(form string) {
			t.Helper()
			if status := evalAsync[int](other, `fetch("/bff/api/forms/`+id+`", {method: "PATCH", headers: {"X-CSRF": "1", "Content-Type": "application/json"}, body: `+
				js(form)+`}).then(r => r.status)`); status != http.StatusOK {
				t.Fatalf("%s: saved with %d", shape, status)
			}
		}
		watch("opened", func() { p.asItOpens(s, id) })
		// The browser does not wait for what its person does.
		const zoom = `document.querySelector("[data-testid=canvas]").dataset.zoom`
		was := eval[string](p, zoom)
		eval[int](p, `window.busy = setInterval(() => {
			const canvas = document.querySelector("#canvas");
			canvas.dispatchEvent(new WheelEvent("wheel", {deltaY: 1, ctrlKey: true, bubbles: true, cancelable: true, clientX: 700, clientY: 400}));
			window.dispatchEvent(new Event("focus"));
		}, 20)`)
		watch("saved", func() { save(forms[1]) })
		if now := eval[string](p, zoom); now == was {
			t.Errorf("%s: the wheel was turned in vain: %s", shape, now)
		}
		p.press("tab", "Outline")
		p.press("button", "Add node")
		p.press("menuitem", "Step")
		p.saveState("dirty")
		eval[any](p, `document.querySelector("[data-testid=outline] [tabindex='0']").focus()`)
		watch("merged", func() { save(forms[2]) })
		eval[any](p, `clearInterval(window.busy)`)
		eval[any](p, `document.querySelector("[data-testid=outline] [tabindex='0']").focus()`)
		p.do(chromedp.KeyEvent(kb.End))
		p.atRow("Ending")
		if n := eval[int](p, `document.querySelectorAll("[data-testid=outline] li").length`); n > 100 {
			t.Errorf("%s: the outline draws %d rows", shape, n)
		}
		p.press("button", "Save")
		p.saveState("saved")

		other.asItOpens(s, id)
		watch("live", func() {
			watchOn(other, "live", "imported", func() {
				other.dropped("live.json", forms[3])
				other.press("button", "Replace this form's content")
			})
		})
		other.press("button", "Save")
		other.saveState("saved")
		p.open(s.Ready.Editor + "/forms")
		p.wait(`document.querySelector("tr[data-form]")`)
		watch("listed", func() {
			p.dropped("listed.json", forms[4])
			p.press("button", "Create form")
		})
		p.shoot("large-" + shape)
		p.open(s.Ready.Editor + "/forms")
	}
}

// On a slow machine, pages also pause with small forms. What people type then goes where they type it, and is not lost.
func TestTypingBetweenPauses(t *testing.T) {
	t.Parallel()
	s, p, id := onTwoSteps(t)
	slow := func(times float64) {
		p.do(call(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times}))
	}
	slow(6)
	defer slow(1)
	x, y := p.middle(sel(part("name")))
	p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	p.wait(`document.activeElement === ` + sel(".cv-field"))
	label := "Men come and men go on, men never end"[:sizetest.Of(0, 12, 37)] // most letters are commands of the canvas
	p.key(label)
	for i := range 3 { // what others save makes the page work meanwhile
		evalAsync[int](p, `fetch("/bff/api/forms/`+id+`", {method: "PATCH", headers: {"X-CSRF": "1", "Content-Type": "application/json"}, body: `+
			js(fmt.Sprintf(`{"name":"Form %d"}`, i))+`}).then(r => r.status)`)
		p.key(" men")
	}
	p.key("\r")
	p.wait(sel(part("name")) + `.textContent === ` + js(label+" men men men"))
	p.choose("two")
	p.click(`[data-path="nodes[1].alias"]`)
	p.key("a", chromedp.ModifierCtrl)
	p.key(label)
	p.wait(sel(node("two")) + `.textContent.includes(` + js(label) + `)`)
	if eval[bool](p, `!!document.querySelector("dialog[open]")`) {
		t.Error("a key was taken for a command")
	}
	p.press("button", "Save")
	p.saveState("saved")
	if f := s.form(id); at(f, "nodes", 1, "alias") != label || at(f, "nodes", 0, "config", "components", 1, "label") != label+" men men men" {
		t.Errorf("saved: %v", f)
	}
}

// On a slow machine, values that are set while a page works are kept, and a key does not do what the page prevents.
func TestControlsBetweenPauses(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(richForm)
	p := s.tab()
	p.editor(s, id)
	p.do(call(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 6}))
	defer p.do(call(emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 1}))
	p.choose("ask")
	// Each value is set, and its control left, while the page still draws what the value before has changed.
	if lost := evalAsync[[]string](p, fmt.Sprintf(`(async () => {
		const lost = [], control = () => document.querySelector('[data-path="nodes[0].alias"]');
		for (let i = 0; i < %d; i++) {
			const e = control(), value = "Ask " + i;
			e.focus();
			e.value = value;
			e.dispatchEvent(new InputEvent("input", {bubbles: true}));
			e.dispatchEvent(new Event("change", {bubbles: true}));
			e.blur();
			for (const end = performance.now() + %d; control().dataset.held !== "=" + value + "=";) {
				if (performance.now() > end) { lost.push(value); break; }
				await new Promise((done) => setTimeout(done, 2));
			}
		}
		return lost;
	})()`, sizetest.Of(0, 10, 40), waittest.Limit(5*time.Second).Milliseconds())); len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
	p.component("intro")
	p.wait(sel(`.rich-area[contenteditable=true] h2`))
	p.click(`.rich-area[contenteditable=true] li`)
	p.key(kb.End)
	const html = `document.querySelector('[data-path="nodes[0].config.components[0].config.content"]').value`
	want := "<li>One"
	for range sizetest.Of(0, 2, 4) {
		p.key("-{{context.user.na")
		p.wait(`document.querySelectorAll("[role=option].variable").length > 0`)
		p.key("\r")
		want += "-{{context.user.name}}"
		p.wait(html + `.includes(` + js(want+"</li>") + `)`)
	}
}
