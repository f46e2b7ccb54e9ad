//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const severalForm = `{"name":"Several","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"more","components":[
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"For the receipt","required":true},
		{"id":"tel","category":"FIELD","type":"TEL","label":"Phone","config":{"placeholder":"+1","country_picker":true}},
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name"},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"more","type":"STEP","alias":"More","coordinates":{"x":600,"y":100},"config":{"next_node":"$ending","components":[]}}]}`

// Several components, and several nodes, are edited together: what differs is mixed, and an edit is one step.
func TestSeveralAreEditedTogether(t *testing.T) {
	nightly(t) // app/inspector tests it (TestEditOfSeveralComponents), app/ui/inspect what is shown (TestSelectedComponentsAreShownTogether)
	t.Parallel()
	script := axeScript(t)
	s := shared(t)
	id := s.create(severalForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.press("button", "Select several")
	p.wait(`document.querySelector(".right .quiet-text")?.textContent.startsWith("Select at least two")`)
	for _, part := range []string{"mail", "tel", "name"} {
		p.click(`.parts [data-component="` + part + `"] [role=checkbox]`)
		p.wait(sel(`.parts [data-component="`+part+`"] [role=checkbox]`) + `.ariaChecked === "true"`)
	}
	p.wait(`document.querySelector(".right h2").textContent === "3 components" && document.querySelector(".who-is small").textContent === "1 Email, 1 Phone, 1 Text"`)
	const first = "nodes[0].config.components[0]."
	control := func(path string) string { return sel(`[data-path="` + path + `"]`) }
	p.wait(control(first+"label") + `.placeholder === "Mixed" && ` + control(first+"label") + `.dataset.count === "3"`)
	p.wait(control(first+"required") + `.indeterminate && ` + control(first+"required") + `.closest(".f").textContent.includes("1 of 3")`)
	p.judge(script, "several")
	p.click(`[data-path="` + first + `required"]`)
	p.wait(`!` + control(first+"required") + `.indeterminate && ` + control(first+"required") + `.checked`)
	p.wait(`document.activeElement?.dataset.path === "` + first + `required"`)
	p.fill(first+"hint", "All of them")
	p.wait(`document.querySelector("[data-act=undo]").title.includes("Set hint of 3 components")`)
	// With the keyboard, one leaves the choice.
	p.do(chromedp.Focus(`.parts [data-component="name"] [role=checkbox]`))
	p.key(" ")
	p.wait(`document.querySelector(".right h2").textContent === "2 components"`)
	// All that are selected are copied and moved together, by a button or a key.
	p.click(`.right .arrange [data-act=duplicate]`)
	p.wait(`document.querySelectorAll('[data-node="ask"] .cv-row.cv-on').length === 2 && document.querySelectorAll('[data-node="ask"] .cv-row').length === 6`)
	p.do(chromedp.Focus("#canvas"))
	p.key("z", chromedp.ModifierCtrl)
	p.wait(`document.querySelector(".right h2").textContent === "2 components" && document.querySelectorAll('[data-node="ask"] .cv-row').length === 4`)
	p.key(kb.ArrowDown, chromedp.ModifierAlt)
	p.wait(`document.querySelector('[data-node="ask"] .cv-row').dataset.component === "name"`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(`document.querySelector('[data-node="ask"] .cv-row').dataset.component === "mail"`)
	p.fill(first+"label", "Contact")
	p.press("button", "Undo")
	p.wait(control(first+"label") + `.value === "" && ` + control(first+"label") + `.placeholder === "Mixed"`)
	p.press("button", "Done")
	p.wait(`document.querySelector(".right h2").textContent === "Ask"`)

	// Several nodes.
	x, y := p.grip("more")
	p.do(chromedp.MouseClickXY(x, y, chromedp.ButtonModifiers(chromedp.ModifierShift)))
	p.wait(`document.querySelector(".right h2").textContent === "2 nodes" && document.querySelector(".who-is small").textContent === "2 steps"`)
	p.wait(control("nodes[0].config.next_node") + `.textContent === "Mixed"`)
	p.judge(script, "several-nodes")
	p.do(chromedp.Focus(`[data-path="nodes[0].config.next_node"]`))
	p.key("\r")
	p.wait(`document.activeElement?.id === "connect-filter"`)
	p.key("Ending")
	p.key("\r")
	p.wait(sel(`[data-edge="ask:next"]`) + `?.dataset.target === "$ending"`)
	p.press("button", "Save")
	p.saveState("saved")
	for i, want := range []string{"E-mail true All of them", "Phone true All of them", "Name true All of them"} {
		c := at(s.form(id)["nodes"].([]any)[0], "config", "components", i).(map[string]any)
		if got := c["label"].(string) + " " + asJSON(t, c["required"]) + " " + c["hint"].(string); got != want {
			t.Errorf("component %d is saved as %s, want %s", i, got, want)
		}
	}
}

// The kind of a component is changed after it is said what would be lost.
func TestKindIsChanged(t *testing.T) {
	nightly(t) // app/inspector and app/ui/inspect test it (TestEveryKindBecomesEveryOther, TestKindIsChosen)
	t.Parallel()
	script := axeScript(t)
	s := shared(t)
	id := s.create(severalForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.component("tel")
	p.press("button", "Change kind…")
	p.wait(`document.activeElement?.id === "kind-to" && document.querySelector("#kind-to optgroup").label === "Fields"`)
	p.key("Text")
	p.wait(`document.querySelector("#kind-effect").textContent === "“Label”, “Placeholder” carry over; “Let people pick the country” would be lost."`)
	p.judge(script, "kinds")
	p.key(kb.Escape)
	p.wait(`!document.querySelector("#kind-to") && document.activeElement?.dataset.act === "change-kind"`)
	p.key("\r")
	p.wait(`document.activeElement?.id === "kind-to"`)
	p.key("Text")
	p.press("button", "Change")
	p.wait(`document.querySelector(".who-is small").textContent === "Text" && document.activeElement?.dataset.act === "change-kind"`)
	p.press("button", "Save")
	p.saveState("saved")
	if got := asJSON(t, at(s.form(id)["nodes"].([]any)[0], "config", "components", 1)); got != `{"category":"FIELD","config":{"placeholder":"+1"},"id":"tel","label":"Phone","type":"TEXT"}` {
		t.Errorf("saved as %s", got)
	}
	p.press("button", "Undo")
	p.wait(`document.querySelector(".who-is small").textContent === "Phone"`)
}
