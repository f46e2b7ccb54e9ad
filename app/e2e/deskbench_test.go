//go:build e2e && !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// spokenBy returns a form with many texts in many languages.
func spokenBy(texts, tongues int) string {
	var b strings.Builder
	b.WriteString(`{"name":"Large","start":{"next_node":"s0"},"nodes":[`)
	const each = 20
	comma := func(i int) string { return map[bool]string{true: ",", false: ""}[i > 0] }
	for i := range texts / each {
		fmt.Fprintf(&b, `%s{"id":"s%d","type":"STEP","coordinates":{"x":%d,"y":0},"config":{"next_node":"$ending","components":[`, comma(i), i, 400*(i+1))
		for j := range each {
			fmt.Fprintf(&b, `%s{"id":"c%d_%d","category":"FIELD","type":"TEXT","label":"Question %d of step %d"}`, comma(j), i, j, j, i)
		}
		b.WriteString(`]}}`)
	}
	b.WriteString(`],"translations":{`)
	for l := range tongues {
		fmt.Fprintf(&b, `%s"x%c%c":{"components":{`, comma(l), 'a'+l/26, 'a'+l%26)
		for k := range texts {
			fmt.Fprintf(&b, `%s"c%d_%d":{"label":"Text %d in %d"}`, comma(k), k/each, k%each, k, l)
		}
		b.WriteString(`}}`)
	}
	b.WriteString(`}}`)
	return b.String()
}

// BenchmarkEditorLanguages scrolls and types in a table of 2,000 texts in 40 languages.
func BenchmarkEditorLanguages(b *testing.B) {
	s := start(b, b.TempDir())
	id := s.create(spokenBy(2000, 40))
	p := browseIn(b, b.TempDir())
	for b.Loop() { // the figures are those below, and Loop clears those before
	}
	p.asItOpens(s, id)
	open := evalAsync[float64](p, `(async () => {
		const from = performance.now();
		document.getElementById("view-languages").click();
		while (!document.querySelector("#desk .dk-text")) await new Promise(requestAnimationFrame);
		return performance.now() - from;
	})()`)
	b.ReportMetric(open, "ms/open")
	frames := evalAsync[[]float64](p, `(async () => {
		const el = document.querySelector(".dk-scroll"), list = [];
		let last = await new Promise(requestAnimationFrame);
		for (let i = 0; i < 300; i++) {
			el.scrollTop += 90;
			if (i % 3 === 0) el.scrollLeft += 20;
			const now = await new Promise(requestAnimationFrame);
			list.push(now - last);
			last = now;
		}
		return list;
	})()`)
	slices.Sort(frames)
	b.ReportMetric(frames[len(frames)*95/100], "ms/frame-p95")
	b.ReportMetric(frames[len(frames)-1], "ms/frame-max")
	// The controls that scrolling left out follow once the table has stopped.
	rest := evalAsync[float64](p, `(async () => {
		let most = 0, last = await new Promise(requestAnimationFrame);
		for (let calm = 0; calm < 20; calm = document.querySelector("#desk [data-bare]") ? 0 : calm + 1) {
			const now = await new Promise(requestAnimationFrame);
			most = Math.max(most, now - last);
			last = now;
		}
		return most;
	})()`)
	b.ReportMetric(rest, "ms/rest-frame-max")
	blank := eval[int](p, `(() => { const r = document.querySelector(".dk-scroll").getBoundingClientRect();
		let n = 0; for (let y = r.top + 90; y < r.bottom; y += 40) if (!document.elementFromPoint(r.left + 20, y).closest(".dk-row")) n++; return n })()`)
	b.ReportMetric(float64(blank), "blank-lines")
	typed := evalAsync[[]float64](p, `(async () => {
		document.querySelector(".dk-scroll").scrollLeft = 0;
		let el;
		while (!(el = document.querySelector(".dk-rows textarea[lang=xaa]"))) await new Promise(requestAnimationFrame);
		const list = [];
		el.focus();
		for (let i = 0; i < 30; i++) {
			const from = performance.now();
			el.value += "x";
			el.dispatchEvent(new InputEvent("input", {bubbles: true}));
			const sent = el.value;
			while (el.dataset.value !== sent) await new Promise((done) => setTimeout(done, 1));
			list.push(performance.now() - from);
		}
		return list;
	})()`)
	slices.Sort(typed)
	b.ReportMetric(typed[len(typed)/2], "ms/edit-median")
	b.ReportMetric(typed[len(typed)-1], "ms/edit-max")
}
