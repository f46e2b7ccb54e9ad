//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// active is the path of the control with the focus.
const active = `document.activeElement.dataset.path`

// In a narrow window each text is a block: its source, and below it the translation into one language, which the head chooses.
func TestLanguagesInANarrowWindow(t *testing.T) {
	nightly(t) // app/desk/languages tests its texts and keys (TestStack); only here: where they are; a change in desk.css needs it
	t.Parallel()
	s, p, id := inLanguages(t, spoken, chromedp.EmulateViewport(390, 844))
	const source, de, fr = "nodes[0].config.components[2].label", "translations.de.components.country.label", "translations.fr.components.country.label"
	p.wait(`(e => (e?.scrollIntoView({ block: "center" }), e))(` + sel(cell(de)) + `) && ` + inside(sel(cell(source))) + ` && ` + inside(sel(cell(de))))
	p.wait(`(a => b => a.bottom <= b.top && a.left < b.right && b.left < a.right)(` + sel(cell(source)) + `.getBoundingClientRect())(` + sel(cell(de)) + `.getBoundingClientRect())`)
	if eval[bool](p, `!!`+sel(cell(fr))) {
		t.Error("two languages are shown")
	}
	p.click(cell(de))
	p.key("Land")
	p.wait(sel("[data-save-state]") + `.dataset.saveState === "dirty"`)
	p.shots("languages-narrow")
	p.key(kb.Enter)
	p.wait(active + ` === "translations.de.components.country.config.options[0].label"`)
	p.key(kb.ArrowUp)
	p.key(kb.ArrowLeft)
	p.wait(active + ` === ` + js(source))
	p.key(kb.Tab)
	p.wait(active + ` === ` + js(de))
	// The note about a text does not push it out of view, not even for the lowest block.
	low := cell("translations.de.components.go.config.text")
	p.wait(`(e => (e?.scrollIntoView({ block: "end" }), e))(` + sel(low) + `)`)
	p.click(low)
	p.key("Weiter, und immer weiter, bis es gut ist")
	p.wait(sel(".dk-note") + ` && ` + inside("document.activeElement"))
	p.shots("languages-narrow-note")
	eval[bool](p, `(e => { e.value = "fr"; return e.dispatchEvent(new Event("change", { bubbles: true })); })(`+sel(`#desk [aria-label="Language"]`)+`)`)
	p.wait(sel(cell(fr)) + ` && !` + sel(cell(de)))
	p.click(cell(fr))
	p.key("Pays")
	p.wait(sel(cell(fr)) + `.dataset.value === "Pays"`) // the editor has all of it
	p.press("button", "Save")
	p.saveState("saved")
	for language, want := range map[string]string{"de": "Land", "fr": "Pays"} {
		if got := at(s.form(id)["translations"], language, "components", "country", "label"); got != want {
			t.Errorf("the label in %s is %v, want %s", language, got, want)
		}
	}
}

// The table and the stack of a narrow window violate no axe-core rule.
func TestAxeOfLanguages(t *testing.T) {
	nightly(t) // only here: axe on a page of the desk; a change in app/desk/languages or desk.css needs it
	t.Parallel()
	script := axeScript(t)
	_, p, _ := inLanguages(t, spoken)
	p.click(cell("translations.de.components.mail.label"))
	p.judge(script, "axe-languages")
	p.do(chromedp.EmulateViewport(390, 844))
	p.wait(sel("#desk .dk-stack") + ` && ` + active + ` === "translations.de.components.mail.label"`)
	p.judge(script, "axe-languages-narrow")
}
