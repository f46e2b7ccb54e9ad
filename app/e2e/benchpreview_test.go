//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// previewRuns is how often each time of the preview is measured.
const previewRuns = 5

// BenchmarkEditorPreview1000 measures, with 1,000 nodes: the time from a press on Preview until the first screen is in the frame, when the
// preview is opened for the first time, 200 ms after the pointer has reached the button, and when it was open before; the time from a press on a button until the next screen is in the frame;
// and the time to generate scenarios for 200 nodes.
func BenchmarkEditorPreview1000(b *testing.B) {
	s := start(b, filepath.Join(b.TempDir(), "data"))
	id, small := s.create(gridForm(1000)), s.create(gridForm(200))
	p := browseIn(b, b.TempDir())
	p.editor(s, id)
	var first, again, submit, generate []float64
	for b.Loop() {
		for range previewRuns {
			p.open(s.Ready.Editor + "/forms/" + id)
			p.wait(`document.querySelector("[data-ready=true]")`)

			p.fence()
			// A pointer takes a moment from the border of the button to the press.
			evalAsync[bool](p, `new Promise(done => { document.querySelector("[data-act=preview]").focus(); setTimeout(() => done(true), 200); })`)
			first = append(first, p.opening())
			p.press("button", "Close the preview")
			p.fence()
			again = append(again, p.opening())
			for range previewRuns {
				submit = append(submit, p.submitting())
			}
		}
		p.open(s.Ready.Editor + "/forms/" + small)
		p.wait(`document.querySelector("[data-ready=true]")`)
		p.runCommand("Test with scenarios")
		p.wait(`document.querySelector("[data-act=sc-generate]")?.disabled === false`)
		for range previewRuns {
			generate = append(generate, p.generating())
		}
	}
	for _, of := range []struct {
		name  string
		times []float64
	}{{"open-first-ms", first}, {"open-again-ms", again}, {"submit-ms", submit}, {"generate-200-ms", generate}} {
		slices.Sort(of.times)
		b.ReportMetric(of.times[len(of.times)/2], of.name)
		b.Logf("%s: %.0f", of.name, of.times)
	}
	b.ReportMetric(0, "ns/op")
}

// opening opens the preview and returns the time until its frame shows a screen, in milliseconds.
func (p *page) opening() float64 {
	p.t.Helper()
	return evalAsync[float64](p, `new Promise(done => {
		const from = performance.now();
		addEventListener("message", function heard(e) {
			if (typeof e.data !== "string" || !(JSON.parse(e.data).height > 100)) return; // the frame is empty at first
			removeEventListener("message", heard);
			done(performance.now() - from);
		});
		document.querySelector("[data-act=preview]").click();
	})`)
}

// submitting fills in the step and presses its button, and returns the time until the next step is shown, in milliseconds.
func (p *page) submitting() float64 {
	p.t.Helper()
	took, err := strconv.ParseFloat(p.inPreview(`new Promise(done => {
		const input = document.querySelector("[data-field] input");
		if (input) { input.value = "x"; input.dispatchEvent(new Event("input", { bubbles: true })); }
		const at = document.querySelector("[data-step]").dataset.step, from = performance.now();
		new MutationObserver((_, o) => {
			if (document.querySelector("[data-step]")?.dataset.step === at) return;
			o.disconnect();
			done(String(performance.now() - from));
		}).observe(document.body, { subtree: true, childList: true, attributes: true });
		document.querySelector("[data-button]").click();
	})`), 64)
	if err != nil {
		p.t.Fatal(err)
	}
	return took
}

// generating generates scenarios and deletes them, and returns the time that generating took, in milliseconds.
func (p *page) generating() float64 {
	p.t.Helper()
	took := evalAsync[float64](p, `new Promise(done => {
		const from = performance.now();
		new MutationObserver((_, o) => {
			if (!document.querySelector(".sc-item")) return;
			o.disconnect();
			done(performance.now() - from);
		}).observe(document.querySelector(".scenarios"), { subtree: true, childList: true });
		document.querySelector("[data-act=sc-generate]").click();
	})`)
	p.wait(`document.querySelector(".sc-said [data-act=sc-undo]")`)
	p.clickOn(`document.querySelector("[data-act=sc-undo]")`)
	p.wait(`!document.querySelector(".sc-item")`)
	return took
}
