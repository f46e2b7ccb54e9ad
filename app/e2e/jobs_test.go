//go:build e2e && !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/app/graph"
)

// effort is what a person does for a job: presses, drags and keys. Typing a text counts each of its characters as a key.
type effort struct{ Clicks, Drags, Keys int }

func (e effort) String() string {
	return fmt.Sprintf("%d clicks, %d drags, %d keys", e.Clicks, e.Drags, e.Keys)
}

// countEffort counts presses, drags and keys in window.effort, except presses that missed their element, which the page ignores (see aim).
const countEffort = `(() => {
	const e = window.effort = {Clicks: 0, Drags: 0, Keys: 0};
	let from = null;
	addEventListener("pointerdown", (p) => { if (p.isTrusted) { from = p; e.Clicks++; } }, true);
	addEventListener("pointerup", (p) => {
		if (from && window.aim?.missed) e.Clicks--;
		else if (from && Math.hypot(p.clientX - from.clientX, p.clientY - from.clientY) > 8) { e.Clicks--; e.Drags++; }
		from = null;
	}, true);
	addEventListener("keydown", (k) => { if (k.isTrusted && !/^(Shift|Control|Alt|Meta)$/.test(k.key)) e.Keys++; }, true);
})()`

// job does a job and holds its effort to a bound. The bound is what the best other editor takes, so far as it can do the job at all.
func (p *page) job(name string, most effort, do func()) {
	p.t.Helper()
	eval[any](p, `effort.Clicks = effort.Drags = effort.Keys = 0`)
	do()
	got := eval[effort](p, `effort`)
	p.t.Logf("%s: %s", name, got)
	if got.Clicks > most.Clicks || got.Drags > most.Drags || got.Keys > most.Keys {
		p.t.Errorf("%s takes %s, at most %s", name, got, most)
	}
}

// TestJobs does what people open an editor of forms for, as they would, and counts.
func TestJobs(t *testing.T) {
	t.Parallel()
	s := shared(t)
	empty := `{"name":"Empty","languages":{"primary":"en"},"start":{"coordinates":{"x":0,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":300,"y":0}}}`
	id := s.create(empty)
	p := s.tab()
	p.before(countEffort)
	p.asItOpens(s, id)

	// Six steps with a field and a router with a rule, by mouse. Other editors take about 35 presses and three drags.
	labels := []string{"Name", "E-mail", "Age", "Country", "Street", "Code"}
	p.job("a form of six steps and a router, by mouse", effort{Clicks: 35, Drags: 5, Keys: 60}, func() {
		p.press("button", "Add the first step")
		for i, label := range labels {
			if i > 0 {
				p.press("button", "Add node")
				p.press("menuitem", "Step")
				p.wait(sel("[data-testid=inspector] .who-is small") + `.textContent.startsWith("Step with")`)
			}
			p.press("button", "Text")
			p.wait(`document.activeElement?.dataset.path?.endsWith(".label") && document.activeElement.value === "Untitled question"`)
			p.key(label)
		}
		p.press("button", "Add node")
		p.press("menuitem", "Router")
		p.press("button", "Add rule")
		p.wait(sel(`[data-path$="rules[0].condition.operands[0].operands[0]"]`))
		p.clickOn(sel(`[data-act=pick][data-arg$="condition.operands[0].operands[0]"]`))
		p.wait(`document.activeElement?.id === "variable-search"`)
		p.key("Age\r")
		p.clickOn(sel(`[data-path$="rules[0].condition.operands[0].operands[1]"]`))
		p.key("18")
	})
	p.shoot("job-a")
	p.press("button", "Save")
	p.saveState("saved")

	p.job("thirty steps back and forward", effort{Keys: 60}, func() {
		p.clickOn(sel("#canvas"))
		eval[any](p, `effort.Clicks = 0`) // it gives the canvas the focus
		for range 30 {
			p.key("z", chromedp.ModifierCtrl)
		}
		for range 30 {
			p.key("y", chromedp.ModifierCtrl)
		}
	})

	form := s.create(strings.Replace(threeNodes, `{"id":"next",`, `{"id":"tel","category":"FIELD","type":"TEL","label":"Phone"},{"id":"next",`, 1))
	p.open(s.Ready.Editor + "/forms/" + form)
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.job("change a label on the card", effort{Clicks: 2, Keys: 20}, func() {
		x, y := p.middle(sel(node("step_a") + ` [data-component="mail"]`))
		p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
		p.wait(`document.activeElement?.matches("input, textarea")`)
		p.key("a", chromedp.ModifierCtrl)
		p.key("Your mail\r")
		p.wait(sel(node("step_a")) + `.textContent.includes("Your mail")`)
	})

	p.job("change the order of components on the card", effort{Drags: 1}, func() {
		from, to := p.side("mail", .5), p.side("tel", .8)
		p.hold(from.X, from.Y, to.Add(graph.Vec{Y: 4}), to)
		p.letGo(to)
		p.wait(sel(node("step_a")+" [data-component]") + `.dataset.component === "tel"`)
	})
	p.press("button", "Undo")
	p.fitView()

	p.job("a condition with a group, its variable picked", effort{Clicks: 8, Keys: 16}, func() {
		p.choose("router_a")
		p.click(`.rule-name`)
		p.press("button", "Add group")
		left := `nodes[1].config.rules[0].condition.operands[1].operands[0].operands[0]`
		p.wait(sel(`[data-path="` + left + `"]`))
		p.click(`[data-act=pick][data-arg="` + left + `"]`)
		p.wait(`document.activeElement?.id === "variable-search"`)
		p.key("mail\r")
		p.wait(sel(`[data-path="`+left+`"]`) + `.value === "{{fields.mail}}"`)
	})

	p.job("three texts in German", effort{Clicks: 5, Keys: 40}, func() {
		p.press("tab", "Languages")
		p.press("button", "Language")
		p.wait(`document.activeElement?.id === "dk-tag"`)
		p.key("de\r")
		p.wait(sel(`#desk [data-path^="translations.de.components.mail.label"]`))
		p.click(`#desk [data-path^="translations.de.components.mail.label"]`)
		for _, text := range []string{"Deine Mail", "Weiter", "Danke"} {
			p.key(text)
			p.key(kb.Enter)
		}
		p.wait(sel("#desk .dk-rows") + `.innerText.includes("Weiter")`)
		p.press("tab", "Graph")
	})

	p.job("a style that shows", effort{Clicks: 3, Keys: 0}, func() {
		p.press("tab", "Style")
		p.press("tab", "Presets")
		p.wait(sel("#desk [data-do=preset]"))
		p.click("#desk [data-do=preset]")
		p.wait(sel(`[data-save-state]`) + `.dataset.saveState === "dirty"`)
	})
	p.press("tab", "Graph")

	p.job("try the form", effort{Clicks: 1}, func() {
		p.press("button", "Preview")
		p.wait(sel(`[data-testid=preview][data-state=asking]`))
	})
	p.press("button", "Close the preview")

	p.job("rename an id, and what refers to it", effort{Clicks: 3, Keys: 12}, func() {
		p.click(node("step_a") + ` [data-component="mail"]`)
		p.wait(sel(`[data-path="nodes[0].config.components[0].label"]`))
		if eval[bool](p, `!`+sel(`[data-path="nodes[0].config.components[0].id"]`)) { // the browser remembers what is folded
			p.press("button", "Advanced")
		}
		p.clickInto(`[data-path="nodes[0].config.components[0].id"]`)
		p.key("a", chromedp.ModifierCtrl)
		p.key("email\r")
		p.wait(sel(node("step_a") + ` [data-component="email"]`))
	})

	p.job("save what another person saved, too, elsewhere in the form", effort{Clicks: 1}, func() {
		s.patch(form, `{"name":"Theirs"}`)
		p.press("button", "Save")
		p.saveState("saved")
	})
	if f := s.form(form); f["name"] != "Theirs" || !strings.Contains(fmt.Sprint(at(f, "nodes", 1)), "{{fields.email}}") || !strings.Contains(fmt.Sprint(at(f, "translations", "de")), "Weiter") {
		t.Errorf("the form is saved as %v", f)
	}

	p.job("go to a problem and fix it", effort{Clicks: 2, Keys: 8}, func() {
		p.press("tab", "Problems")
		p.wait(`document.querySelector("[data-testid=problems] .problem")`)
		p.clickOn(`document.querySelector("[data-testid=problems] .problem")`)
		p.wait(`document.activeElement?.dataset.path`)
	})

	p.job("export", effort{Clicks: 1}, func() { p.press("button", "Export") })

	p.choose("step_b")
	p.fill("nodes[2].alias", "Later")
	p.draft("kept")
	p.job("close, and go on where one was", effort{}, func() {
		p.do(chromedp.Reload())
		p.draft("restored")
	})
}
