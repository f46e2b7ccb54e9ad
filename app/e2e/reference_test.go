//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The reference form has twelve nodes with two routers, a loop and a jump. An edge
// is a source, a way and a target.
var reference = []struct{ from, way, to string }{
	{"$start", "next", "Mail"},
	{"Mail", "next", "Send"},
	{"Send", "next", "Code"},
	{"Code", "next", "Check"},
	{"Check", "next", "Right?"},
	{"Right?", "rule", "About"},
	{"Right?", "fallback", "Wrong"},
	{"Wrong", "next", "Code"}, // the loop
	{"About", "next", "Save"},
	{"Save", "next", "Ok?"},
	{"Ok?", "rule", "Terms"},
	{"Ok?", "fallback", "Sorry"},
	{"Sorry", "next", "$ending"},
	{"Terms", "jump", "Mail"}, // the jump
	{"Terms", "next", "Thanks"},
	{"Thanks", "next", "$ending"},
}

// referenceNodes are the kinds of its nodes, in order of creation; a new form
// contains the first.
var referenceNodes = []struct{ name, kind string }{
	{"Mail", "Step"},
	{"Send", "Flow"},
	{"Code", "Step"},
	{"Check", "Flow"},
	{"Right?", "Router"},
	{"Wrong", "Step"},
	{"About", "Step"},
	{"Save", "Flow"},
	{"Ok?", "Router"},
	{"Sorry", "Step"},
	{"Terms", "Step"},
	{"Thanks", "Step"},
}

// wantReference compares the edges of a stored form; name maps node ids to the
// names used here.
func (p *page) wantReference(form map[string]any, name func(id string) string) {
	p.t.Helper()
	var got, want []string
	edge := func(from, way string, to any) {
		if id, ok := to.(string); ok {
			got = append(got, from+" "+way+" "+name(id))
		}
	}
	edge("$start", "next", at(form, "start", "next_node"))
	for _, n := range form["nodes"].([]any) {
		from, config := name(at(n, "id").(string)), at(n, "config").(map[string]any)
		edge(from, "next", config["next_node"])
		edge(from, "fallback", config["fallback"])
		rules, _ := config["rules"].([]any)
		for _, r := range rules {
			edge(from, "rule", r.(map[string]any)["next_node"])
		}
		components, _ := config["components"].([]any)
		for _, c := range components {
			if at(c, "type") == "JUMP_BUTTON" {
				edge(from, "jump", at(c, "config", "next_node"))
			}
		}
	}
	for _, e := range reference {
		want = append(want, e.from+" "+e.way+" "+e.to)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		p.t.Errorf("the edges are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// newForm creates a form in the list and returns the ids of the form and its step.
func (p *page) newForm(s *server) (id, step string) {
	p.t.Helper()
	p.open(s.Ready.Editor + "/forms")
	p.press("button", "Sign in")
	p.signIn(s)
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	p.press("button", "New form")
	p.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
	p.key("Reference\r")
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true] [data-kind=STEP]")`)
	return strings.TrimPrefix(eval[string](p, `location.pathname`), "/forms/"), eval[string](p, `document.querySelector("[data-kind=STEP]").dataset.node`)
}

// The reference form can be built without a pointer.
func TestReferenceByKeyboard(t *testing.T) {
	nightly(t) // TestKeyboard does each of its kinds of steps once
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	id, step := p.newForm(s)
	names := map[string]string{"$start": "$start", "$ending": "$ending"}
	search := func(key, text string) {
		t.Helper()
		p.key(key, chromedp.ModifierCtrl)
		p.wait(`document.activeElement?.id === "search-text"`)
		p.key(text)
		p.wait(`document.querySelector(".result[aria-selected=true]")`)
		p.key("\r")
		p.wait(`!document.querySelector("dialog")`)
	}
	home := func() { // from an inspector row to the canvas
		t.Helper()
		p.wait(`document.activeElement?.dataset.path`)
		p.key("\x1b")
		p.wait(`document.activeElement.id === "canvas"`)
	}
	call := func(name string) {
		t.Helper()
		p.wait(`document.activeElement?.matches("#canvas, .cv-field")`)
		if eval[bool](p, `document.activeElement.matches(".cv-field")`) { // a new node is named on its card
			p.key("\x1b")
		}
		p.wait(`document.activeElement?.id === "canvas"`)
		p.key("e")
		p.wait(`document.activeElement?.dataset.path?.endsWith(".alias")`)
		p.key(name)
		home()
	}
	p.do(chromedp.Focus(chromedp.CSS("#canvas")))
	for i, n := range referenceNodes {
		if i == 0 {
			search("f", "id:"+step)
			names[step] = n.name
			call(n.name)
			continue
		}
		const selected = `(document.querySelector("[data-node][aria-selected=true]")?.dataset.node ?? "")`
		before := eval[string](p, selected)
		search("k", "add node "+n.kind)
		p.wait(selected + ` && ` + selected + ` !== ` + js(before))
		names[eval[string](p, selected)] = n.name
		call(n.name)
	}
	ids := map[string]string{}
	for id, name := range names {
		ids[name] = id
	}
	for _, e := range reference[1:] {
		search("f", "id:"+ids[e.from])
		switch e.way {
		case "rule":
			search("k", "add rule")
			p.wait(sel("[data-rule] > .condition"))
		case "jump":
			search("k", "jump button")
			p.wait(`document.querySelector("[data-testid=inspector] .who-is small").textContent === "Jump button"`)
		}
		p.wait(`document.activeElement?.id === "canvas"`)
		p.key("c")
		p.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
		p.key(ids[e.to])
		// Another id may begin with the same letters: Enter takes the first.
		p.wait(`document.querySelector("dialog [data-act=connect]")?.dataset.arg === ` + js(ids[e.to]))
		p.key("\r")
		p.wait(`!document.querySelector("dialog")`)
	}
	p.key("s", chromedp.ModifierCtrl)
	p.saveState("saved")
	p.shoot("reference-keyboard")
	p.wantReference(s.form(id), func(id string) string { return names[id] })
}

// The reference form can be built without a keyboard.
func TestReferenceByPointer(t *testing.T) {
	nightly(t) // TestJobs builds a form by mouse, TestMainJob drags a connection
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	id, step := p.newForm(s)
	names := map[string]string{"$start": "$start", "$ending": "$ending", step: "Mail"}
	ids := map[string]string{"$start": "$start", "$ending": "$ending", "Mail": step}
	for _, n := range referenceNodes[1:] {
		// On empty canvas, so that nothing is connected automatically.
		p.leave()
		p.press("button", "Add node")
		p.press("menuitem", n.kind)
		p.wait(`document.querySelector("[data-node][aria-selected=true]")`)
		fresh := eval[string](p, `document.querySelector("[data-node][aria-selected=true]").dataset.node`)
		names[fresh], ids[n.name] = n.name, fresh
		switch n.name {
		case "Right?", "Ok?":
			p.press("button", "Add rule")
			p.wait(sel(`[data-node="`+fresh+`"] [data-handle*=":rule:"]`) + ` !== null`)
		case "Terms":
			p.press("button", "Jump button")
			p.wait(sel(`[data-node="`+fresh+`"] [data-handle*=":jump:"]`) + ` !== null`)
		}
	}
	p.press("button", "Tidy up")
	for _, e := range reference[1:] {
		p.leave()
		p.press("button", "Fit view")
		p.still()
		handle := `[data-handle="` + ids[e.from] + ":" + e.way + `"]`
		if e.way == "rule" || e.way == "jump" {
			handle = `[data-handle^="` + ids[e.from] + ":" + e.way + `:"]`
		}
		x, y := p.middle(sel(handle))
		tx, ty := p.middle(sel(node(ids[e.to])))
		p.drag(x, y, tx, ty)
		p.wait(`[...document.querySelectorAll("[data-edge]")].some(e => e.dataset.edge.startsWith(` + js(ids[e.from]+":"+e.way) + `) && e.dataset.target === ` + js(ids[e.to]) + `)`)
	}
	p.press("button", "Tidy up")
	p.press("button", "Save")
	p.saveState("saved")
	p.still()
	p.shoot("reference-pointer")
	p.wantReference(s.form(id), func(id string) string { return names[id] })
}

// leave clicks on empty canvas, which clears the selection.
func (p *page) leave() {
	p.t.Helper()
	p.still()
	at := eval[[]float64](p, `(() => {
		const r = `+sel("[data-testid=canvas]")+`.getBoundingClientRect();
		for (let y = r.top + 20; y < r.bottom; y += 20)
			for (let x = r.left + 20; x < r.right; x += 20)
				if ([[0, 0], [-12, 0], [12, 0], [0, -12], [0, 12]].every(([dx, dy]) => {
					const e = document.elementFromPoint(x + dx, y + dy);
					return e?.closest("[data-testid=canvas]") && !e.closest("[data-node], [data-handle], [data-edge], button, [data-testid=minimap]");
				})) return [x, y];
		return [];
	})()`)
	if len(at) == 0 {
		p.t.Fatal("no empty canvas is in view")
	}
	p.do(chromedp.MouseClickXY(at[0], at[1]))
	p.wait(`!document.querySelector("[aria-selected=true][data-node]")`)
}

// still waits until the view and the cards are at rest.
func (p *page) still() {
	p.t.Helper()
	p.wait(`!document.querySelector(".cv-moving, .cv-gliding, .cv-awaiting")`)
	last := ""
	for range 50 {
		now := eval[string](p, `[...document.querySelectorAll("[data-node]")].map(e => e.getBoundingClientRect().x.toFixed(1)).join()`)
		if now == last {
			return
		}
		last = now
		evalAsync[bool](p, settled)
	}
	p.t.Fatal("the canvas does not come to rest")
}
