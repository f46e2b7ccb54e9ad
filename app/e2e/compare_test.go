//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// compared is a form, of which otherForm is another version.
const compared = `{"name":"Compared","start":{"next_node":"ask","coordinates":{"x":0,"y":40}},"ending":{"coordinates":{"x":1200,"y":40}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":40},"config":{"next_node":"more","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"more","type":"STEP","alias":"Your company","coordinates":{"x":600,"y":40},"config":{"next_node":"$ending","components":[
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Finish"}}]}}]}`

const otherForm = `{"name":"Compared","start":{"next_node":"ask","coordinates":{"x":0,"y":40}},"ending":{"coordinates":{"x":1200,"y":40}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":40},"config":{"next_node":"profile","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail address"},{"id":"phone","category":"FIELD","type":"TEL","label":"Phone"},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"more","type":"STEP","alias":"Your company","coordinates":{"x":600,"y":240},"config":{"next_node":"$ending","components":[
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Finish"}}]}},
	{"id":"profile","type":"STEP","alias":"Your profile","coordinates":{"x":600,"y":440},"config":{"next_node":"$ending","components":[
		{"id":"end2","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}]}}]}`

// upload gives a file to a chooser, as if a person had chosen it.
func (p *page) upload(selector, name, text string) {
	p.t.Helper()
	eval[bool](p, `(() => { const el = `+sel(selector)+`, d = new DataTransfer(); d.items.add(new File([`+js(text)+`], `+js(name)+`));
		el.files = d.files; el.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
}

func differs(node, kind string) string {
	return sel(`#canvas [data-node="`+node+`"]`) + `?.dataset.compare === ` + js(kind)
}

// The saved version is compared with as the form changes, and what is not wanted goes back.
func TestCompareWithTheSavedVersion(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(compared)
	p := s.tab()
	p.editor(s, id)
	p.press("tab", "History")
	p.press("button", "Compare…")
	p.wait(sel(`[data-testid="compare"]`) + `?.textContent.includes("Nothing is unsaved.")`)
	p.choose("more")
	p.key(kb.Delete, chromedp.ModifierCtrl)
	p.wait(differs("more", "removed"))
	p.wait(differs("ask", "changed"))
	if ghost := eval[bool](p, `!`+sel(`[data-node="more"]`)+`.closest("[aria-hidden=true]")`); ghost {
		t.Error("the ghost is not hidden from screen readers")
	}
	p.click(`#desk [data-do="take"][aria-label^="Restore Your company"]`)
	p.wait(`!` + sel(`#canvas .cv-ghosts [data-node="more"]`) + ` && ` + sel(`#canvas .cv-cards [data-node="more"]`))
	p.wait(`document.activeElement.closest("#desk")`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(differs("more", "removed"))
	p.press("button", "Restore all")
	p.wait(sel(`[data-testid="compare"]`) + `?.textContent.includes("Nothing is unsaved.")`)
	p.key(kb.Escape)
	p.wait(`!` + sel(`[data-testid="compare"]`))
	p.wait(`document.activeElement.id === "canvas"`)
	// A key opens it too, with the focus inside; the preview needs its place.
	p.key("D", chromedp.ModifierShift)
	p.wait(`document.activeElement.id === "cmp-with"`)
	p.press("button", "Preview")
	p.wait(sel(`[data-testid="preview"]`) + ` && !` + sel(`[data-testid="compare"]`))
}

// A file is compared with, as what comes after the form: cards, rows, ghosts and places are marked, and the places can be hidden.
func TestCompareWithAFile(t *testing.T) {
	nightly(t) // app/desk/compare tests it (TestFilesAreRead, TestOtherFormsAreAskedFor), app/ui/canvas the marks; TestCompareWithTheSavedVersion shows some
	t.Parallel()
	s := shared(t)
	id := s.create(compared)
	other := s.create(strings.Replace(otherForm, `"Compared"`, `"Another form"`, 1))
	p := s.tab()
	p.editor(s, id)
	p.press("button", "More")
	p.press("menuitem", "Compare…")
	p.wait(sel(`#desk [type=file]`))
	p.upload(`#desk [type=file]`, "other.json", otherForm)
	p.wait(differs("ask", "changed") + `&&` + differs("more", "moved") + `&&` + differs("profile", "added"))
	p.wait(sel(`#canvas [data-component="mail"]`) + `.dataset.sign === "~"`)
	p.shots("compare")
	p.judge(axeScript(t), "axe-compare")
	// The tag of a ghost keeps its size, and what is added lies above the cards.
	p.zoomTo(0.6)
	ghost := sel(`#canvas .cv-ghosts [data-node="profile"]`)
	if size := eval[float64](p, `parseFloat(getComputedStyle(`+ghost+`, "::before").fontSize) * 0.6`); size < 9.9 {
		t.Errorf("the tag of a ghost has letters of %v pixels", size)
	}
	if !eval[bool](p, `getComputedStyle(`+ghost+`).zIndex === "200000"`) {
		t.Error("what is added lies below the cards")
	}
	p.click(`#desk [data-do="go"][data-arg$="-profile"]`)
	p.wait(sel(`#canvas .cv-ghosts [data-node="profile"]`) + `.dataset.front === "true"`)
	p.click(`#desk [data-do="go"][data-arg$="-more"]`)
	p.wait(sel(`#canvas .cv-ghosts [data-node="profile"]`) + `.dataset.front === "false"`)
	p.wait(sel(`#canvas [data-node="more"]`) + `.getAttribute("aria-selected") === "true"`)
	p.click(`#desk [data-in="layout"]`)
	p.wait(`!` + sel(`#canvas [data-node="more"]`) + `.dataset.compare`)
	p.wait(`!` + sel(`#desk [data-do="go"][data-arg$="-more"]`))
	// Another form of the tenant.
	p.wait(sel(`#cmp-with option[value="form ` + other + `"]`))
	eval[bool](p, `(() => { const el = `+sel("#cmp-with")+`; el.value = "form `+other+`"; el.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`)
	p.wait(sel(`#desk .cmp-list`) + `.textContent.includes("Another form")`)
	eval[bool](p, `(`+sel("#cmp-with")+`.focus(), true)`)
	p.key(kb.Escape)
	p.wait(`!` + sel(`[data-testid="compare"]`) + ` && !` + sel(`[data-compare]`))
}
