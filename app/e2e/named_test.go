//go:build e2e && !js

package e2e

import "testing"

// A rule shows its field by the label, on the card and in the inspector, and follows the label while it is typed.
func TestRulesNameTheirFields(t *testing.T) {
	nightly(t) // app/graph and app/inspector test it (TestCardsFollowTheNamesOfFields, TestOperandsHaveNames); only here: the room of the title
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.wait(sel(node("router_a")) + `.textContent.includes("Work e-mail equals")`)
	p.choose("step_a")
	p.click(`[data-testid=inspector] [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "Office mail")
	p.wait(sel(node("router_a")) + `.textContent.includes("Office mail equals")`)
	p.choose("router_a")
	p.wait(`document.querySelector("[data-testid=inspector] .rule").textContent.includes("Office mail equals")`)
	p.press("button", "Undo")
	p.wait(sel(node("router_a")) + `.textContent.includes("Work e-mail equals")`)
	p.choose("step_a")
	p.click(`[data-testid=inspector] [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "The address of your mail in the office")
	p.choose("router_a")
	p.wait(`document.querySelector("[data-testid=inspector] .rule-name").textContent.endsWith("… equals a@b.c")`)
	p.wait(whole(".rule-name .grow"))
	p.shots("rule-title")

	// Zoomed out, the row of the selected rule has no buttons, and its text the whole room.
	p.click(".rule-name")
	p.wait(sel(node("router_a") + " .cv-rule.cv-on"))
	p.wait(zoomOf + ` < 0.6 && getComputedStyle(` + sel(node("router_a")+" .cv-rule.cv-on") + `).paddingRight === "14px"`)
	p.shots("rule-row")
}
