//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/sizetest"
)

// every returns n, the distance of what a test uses of a list, or 1 if it uses all: hostile texts, real forms.
func every(n int) int { return sizetest.Of(0, n, 1) }

// nightly leaves a test to make nightly. A comment says which tests of the gate look at the same, or what is looked at only here: run such a
// test after a change of that.
func nightly(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("part of make nightly")
	}
}

// sample returns every n-th element of a list, or all.
func sample[T any](n int, list []T) []T {
	var out []T
	for i := 0; i < len(list); i += every(n) {
		out = append(out, list[i])
	}
	return out
}

// hostileTexts returns texts that run a script, load a resource or cover the page if they are interpreted as markup, an attribute, an
// address or a style. Each script sets window.hit.
func hostileTexts() []string {
	inner := []string{
		`<script>window.hit=1</script>`, `<img src=x onerror=window.hit=1>`, `<svg onload=window.hit=1>`, `<svg><script>window.hit=1</script></svg>`,
		`<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`, `<iframe src=javascript:parent.hit=1></iframe>`,
		`<body onload=window.hit=1>`, `<details open ontoggle=window.hit=1>`, `<video><source onerror=window.hit=1></video>`,
		`<input autofocus onfocus=window.hit=1>`, `<a href=javascript:window.hit=1>x</a>`, `<form action=javascript:window.hit=1><button>x</button></form>`,
		`<math><mtext><img src=x onerror=window.hit=1></mtext></math>`, `<object data=javascript:window.hit=1>`, `<embed src=javascript:window.hit=1>`,
		`<link rel=stylesheet href=https://tracker.example/a.css>`, `<base href=https://tracker.example/>`, `<meta http-equiv=refresh content=0;url=https://tracker.example/>`,
		`<style>@import url(https://tracker.example/b.css);*{display:none}</style>`, `<img src=https://tracker.example/c.png>`,
	}
	var out []string
	for _, x := range inner {
		out = append(out, x, `"'>`+x, `</title></textarea></style></script></svg>`+x)
	}
	return append(out, `javascript:window.hit=1`, `data:text/html,<script>window.hit=1</script>`, `{{constructor.constructor('window.hit=1')()}}`,
		`${window.hit=1}`, "`;window.hit=1;`", `'-(window.hit=1)-'`, `__proto__`, "\u202e\u2066window.hit=1", `" onmouseover="window.hit=1`)
}

// hostileForm returns a form whose texts are hostile and whose secrets contain a mark.
func hostileForm(t *testing.T, mark string) string {
	t.Helper()
	texts := hostileTexts()
	n := 0
	text := func(limit int) string {
		n++
		x := []rune(texts[n%len(texts)])
		return string(x[:min(len(x), limit)])
	}
	type object = map[string]any
	var nodes []any
	for i := range 2 {
		var parts []any
		add := func(category, kind string, more object) {
			part := object{"id": fmt.Sprintf("c%d_%d", i, len(parts)), "category": category, "type": kind}
			maps.Copy(part, more)
			parts = append(parts, part)
		}
		for range 4 {
			add("BLOCK", "HTML", object{"config": object{"content": text(1000)}})
			add("BLOCK", "RICH_TEXT", object{"config": object{"content": text(1000)}})
			add("BLOCK", "IMAGE", object{"config": object{"src": text(500)}})
			add("FIELD", "TEXT", object{"label": text(250), "hint": text(250), "config": object{"placeholder": text(250)}})
			add("FIELD", "LEGAL", object{"label": text(250), "config": object{"text": text(250)}})
			add("FIELD", "DROPDOWN", object{"label": text(250), "config": object{
				"options": []any{object{"value": text(250), "label": text(250)}},
			}})
		}
		add("FIELD", "CUSTOM", object{"label": text(250), "config": object{
			"schema": object{"type": "string"}, "code": "window.hit=1; (() => { window.hit = 1; fetch('https://tracker.example/custom'); })()",
		}})
		add("WIDGET", "RECAPTCHA", object{"config": object{"site_key": text(50), "secret_key": mark}})
		add("BLOCK", "NEXT_BUTTON", object{"config": object{"text": text(150)}})
		nodes = append(nodes, object{
			"id": fmt.Sprintf("step_%d", i), "type": "STEP", "alias": text(150), "coordinates": object{"x": 200 + 500*i, "y": 0},
			"config": object{"components": parts, "next_node": "$ending"},
		})
	}
	form := object{
		"name": texts[1], "languages": object{"primary": "en", "default": "en"}, "nodes": nodes,
		"messages":     object{"custom": object{"greeting": texts[2], texts[0]: texts[1]}},
		"translations": object{"de": object{"components": object{"c0_3": object{"label": texts[1]}}, "messages": object{"custom": object{"greeting": texts[4]}}}},
		"style": object{"css": texts[0] + `</style><script>window.hit=1</script>@import url(https://tracker.example/d.css);` +
			`* { position: fixed; inset: 0; background: url(https://tracker.example/e.png) }`},
		"start":  object{"next_node": "step_0", "coordinates": object{"x": 0, "y": 0}},
		"ending": object{"redirection": object{"target": "javascript:window.hit=1"}, "coordinates": object{"x": 2300, "y": 0}},
	}
	src, err := json.Marshal(form)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

// TestHostileTexts opens a form full of hostile texts in every part of the editor. All of them are shown as text: nothing runs, nothing is
// loaded, the content security policy blocks nothing, and no secret is shown or stored.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	const mark = "mark-of-a-secret"
	s := start(t, filepath.Join(t.TempDir(), "data"), "--log-level", "debug")
	id := s.create(hostileForm(t, mark))
	p := browse(t)
	p.before(`window.stopped = []; addEventListener("securitypolicyviolation", e => stopped.push(e.effectiveDirective + " " + e.blockedURI))`)
	judge := func(where string) {
		t.Helper()
		if eval[bool](p, `"hit" in window || document.querySelector("iframe, object, embed, base, body > style") !== null`) {
			t.Errorf("%s: a text became markup or ran", where)
		}
		if stopped := eval[string](p, `stopped.join("; ")`); stopped != "" {
			t.Errorf("%s: the policy blocked %s", where, stopped)
		}
		if eval[bool](p, `document.body.innerText.includes(`+js(mark)+`) || location.href.includes(`+js(mark)+`)`) {
			t.Errorf("%s: a secret is shown", where)
		}
	}
	p.editor(s, id)
	judge("canvas")
	for i := range 2 {
		p.choose(fmt.Sprintf("step_%d", i))
		for c := i % every(4); c < 27; c += every(4) {
			row := fmt.Sprintf(`[data-testid=inspector] [data-component="c%d_%d"]`, i, c)
			p.wait(sel(row))
			p.click(row)
			p.wait(sel("[data-testid=inspector] [data-path]") + " && !" + sel(row))
			judge(fmt.Sprintf("component %d of step %d", c, i))
			p.choose(fmt.Sprintf("step_%d", i))
		}
		judge(fmt.Sprintf("inspector of step %d", i))
	}
	p.fitView() // it is under the inspector
	p.choose("$ending")
	judge("inspector of the ending")
	texts := hostileTexts()
	for half := range 2 {
		said := js(strings.Join(texts[half*len(texts)/2:(half+1)*len(texts)/2], "\n"))
		if got := evalAsync[int](p, `fetch("/bff/api/forms/`+id+`/comments", {method: "POST", headers: {"X-CSRF": "1", "Content-Type": "application/json"},
			body: JSON.stringify({node: "step_0", text: `+said+`.replace(/[\u202e\u2066]/g, "") + "@<b>x"})}).then(r => r.status)`); got != 201 {
			t.Fatalf("a comment: %d", got)
		}
	}
	p.press("button", "Comments")
	p.wait(`document.querySelectorAll(".cm-said").length === 2 && document.querySelector(".cv-talk")`)
	judge("comments")
	p.press("button", "Edit your comment")
	p.wait(`document.activeElement.value?.includes("<script>")`)
	judge("edited comment")
	p.press("button", "Close the comments")
	for _, tab := range []string{"Outline", "Problems", "History", "Components"} {
		p.press("tab", tab)
		p.still()
		judge(tab)
	}
	for view, ready := range map[string]string{"Languages": "#desk .dk-text", "Messages": "#desk .ms-row", "Style": "#desk iframe[sandbox]"} {
		p.press("tab", view)
		p.wait(sel(ready))
		p.still()
		if view == "Style" {
			eval[any](p, `document.querySelector("#desk iframe").remove()`) // a frame of ours, which the next check does not expect
		}
		judge(view)
	}
	p.press("tab", "Graph")
	p.saveState("saved")
	if sent := p.patches(); len(sent) > 0 {
		t.Errorf("looking at the form changed it: %s", sent[0])
	}
	p.open(s.Ready.Editor + "/forms")
	p.wait(`document.querySelectorAll("tr[data-form]").length === 4`)
	if !eval[bool](p, `[...document.querySelectorAll("tr[data-form] a")].some(a => a.textContent === `+js(hostileTexts()[1])+`)`) {
		t.Error("the list does not show the name unchanged")
	}
	judge("list")
	p.mu.Lock()
	for _, r := range p.requests {
		if strings.Contains(r.url, "tracker.example") || strings.HasPrefix(r.url, "javascript:") {
			t.Errorf("the page loads %s", r.url)
		}
	}
	p.mu.Unlock()
	stored := evalAsync[string](p, `(async () => {
	  const out = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie];
	  for (const d of await indexedDB.databases()) {
	    const db = await new Promise((ok, no) => { const r = indexedDB.open(d.name); r.onsuccess = () => ok(r.result); r.onerror = no; });
	    for (const name of db.objectStoreNames) out.push(await new Promise(ok => {
	      const r = db.transaction(name).objectStore(name).getAll(); r.onsuccess = () => ok(JSON.stringify(r.result, (k, v) => v instanceof ArrayBuffer ?
	        new TextDecoder("latin1").decode(v) : ArrayBuffer.isView(v) ? new TextDecoder("latin1").decode(v) : v)); }));
	    db.close();
	  }
	  return out.join("\n");
	})()`)
	if strings.Contains(stored, mark) {
		t.Error("a secret is in the browser's storage")
	}
	if strings.Contains(s.log.String(), mark) {
		t.Error("a secret is in the log")
	}
}
