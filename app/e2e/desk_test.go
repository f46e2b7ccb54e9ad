//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// spoken has texts in three languages: some missing, one too long.
const spoken = `{"name":"Spoken","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":100},"config":{"next_node":"more","components":[
		{"id":"title","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h1>Tell us about you</h1>"}},
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"We send a code to {{fields.mail}}"},
		{"id":"country","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"placeholder":"Choose a country","options":[
			{"value":"DE","label":"Germany"},{"value":"FR","label":"France"}]}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"more","type":"STEP","alias":"Your company","coordinates":{"x":600,"y":100},"config":{"next_node":"$ending","components":[
		{"id":"company","category":"FIELD","type":"TEXT","label":"Company name"},
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Create account"}}]}}],
	"translations":{"de":{"components":{"title":{"config":{"content":"<h1>Erzählen Sie von sich</h1>"}},"mail":{"label":"E-Mail"},
		"go":{"config":{"text":"Weiter"}},"end":{"config":{"text":"Benutzerkonto jetzt verbindlich anlegen"}}}},
		"fr":{"components":{"mail":{"label":"E-mail"}}}}}`

// cell returns a selector of the control of a path.
func cell(path string) string { return `#desk [data-path=` + js(path) + `]` }

// languages opens the page of languages.
func (p *page) languages() {
	p.t.Helper()
	p.press("tab", "Languages")
	p.wait(sel(`#desk .dk-text`))
}

// Translations are edited in a table with the keys of a spreadsheet; each edit can be undone and is saved.
func TestTranslationsAreEdited(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	p.languages()
	p.shots("languages")
	const label, hint = "translations.de.components.country.label", "translations.de.components.mail.hint"
	p.click(cell(label))
	p.key("Land")
	p.wait(sel("[data-save-state]") + `.dataset.saveState === "dirty"`)
	p.key(kb.Enter) // the cell below
	p.wait(`document.activeElement.dataset.path === "translations.de.components.country.config.options[0].label"`)
	p.key("Deutschland")
	p.key(kb.Tab)
	p.wait(`document.activeElement.dataset.path === "translations.fr.components.country.config.options[0].label"`)
	// Escape takes back what was typed.
	p.key("Nein")
	p.wait(`document.activeElement.value === "Nein"`)
	p.key(kb.Escape)
	p.wait(`document.activeElement.value === ""`)
	// What differs from the source is told.
	p.click(cell(hint))
	p.key("Wir senden einen Code")
	p.wait(sel(".dk-note") + `?.textContent.includes("variables differ")`)
	p.shots("languages-variables")
	p.key("a", chromedp.ModifierCtrl)
	p.key("Wir senden einen Code an {{fields.mail}}")
	p.wait(`!` + sel(".dk-note"))
	p.press("button", "Save")
	p.saveState("saved")
	de := at(s.form(id)["translations"], "de", "components").(map[string]any)
	for path, want := range map[string]string{"country.label": "Land", "mail.hint": "Wir senden einen Code an {{fields.mail}}", "mail.label": "E-Mail"} {
		var keys []any
		for _, k := range strings.Split(path, ".") {
			keys = append(keys, k)
		}
		if got := at(de, keys...); got != want {
			t.Errorf("%s is %v, want %q", path, got, want)
		}
	}
	if fr := at(s.form(id)["translations"], "fr", "components").(map[string]any); len(fr) != 1 {
		t.Errorf("French is %v", fr)
	}
	// Undo reaches the page.
	p.key("z", chromedp.ModifierCtrl)
	p.wait(sel(cell(hint)) + `.value !== "Wir senden einen Code an {{fields.mail}}"`)
	p.press("tab", "Graph")
	p.wait(sel("#desk") + `.hidden`)
}

// A block is copied, pasted and cleared as in a spreadsheet.
func TestTranslationsArePasted(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	p.languages()
	const below, german = "components.country.config.options[0].label", "components.country.label"
	p.click(cell("translations.de." + german))
	paste := func(text string) {
		p.t.Helper()
		eval[bool](p, `(() => { const d = new DataTransfer(); d.setData("text/plain", `+js(text)+`);
			return document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true})); })()`)
	}
	paste("Land\tPays\nDeutschland\tAllemagne\n")
	p.wait(sel(cell("translations.fr."+below)) + `.value === "Allemagne"`)
	p.key(kb.ArrowDown, chromedp.ModifierShift)
	p.key(kb.ArrowRight, chromedp.ModifierShift)
	p.wait(`document.querySelectorAll("#desk .dk-cell.sel").length === 4`)
	p.shots("languages-block")
	copied := eval[string](p, `(() => { const d = new DataTransfer();
		document.activeElement.dispatchEvent(new ClipboardEvent("copy", {clipboardData: d, bubbles: true, cancelable: true})); return d.getData("text/plain"); })()`)
	if want := "Land\tPays\nDeutschland\tAllemagne\n"; copied != want {
		t.Errorf("copied %q, want %q", copied, want)
	}
	p.key(kb.Delete)
	p.wait(sel(cell("translations.fr."+below)) + `.value === ""`)
	p.wait(sel(cell("translations.de."+german)) + `.value === ""`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(sel(cell("translations.fr."+below)) + `.value === "Allemagne"`)
}

// Languages are added, filtered by what is missing, exported and imported.
func TestLanguagesAreManaged(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	p.languages()
	p.press("button", "Language")
	p.wait(`document.activeElement.id === "dk-tag"`)
	p.key("de")
	p.key(kb.Enter)
	p.wait(sel(`#desk [role=alert]`) + `?.textContent.includes("has the language already")`)
	p.shots("languages-add")
	p.key("a", chromedp.ModifierCtrl)
	p.key("pt-BR")
	p.key(kb.Enter)
	p.wait(sel(cell(`translations["pt-BR"].components.mail.label`)))
	p.press("button", "Import, export")
	p.wait(sel(`#desk [role=menu]`))
	p.shots("languages-menu")
	p.key(kb.Escape)
	p.wait(`!` + sel(`#desk [role=menu]`))
	p.wait(`document.activeElement.dataset.arg === "file"`)
}
