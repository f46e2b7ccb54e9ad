//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// trialForm asks for an age and runs a flow; minors have a step of their own.
const trialForm = `{"name":"Trial","languages":{"primary":"en"},"start":{"next_node":"ask","coordinates":{"x":0,"y":100},"hidden_fields":[{"key":"plan","value":"free"}]},
	"ending":{"resume_flow":true,"coordinates":{"x":1500,"y":100}},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":150,"y":0},"config":{"components":[
		{"id":"hello","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h2>Welcome</h2><p>Your plan is {{fields.plan}}.</p>"}},
		{"id":"age","category":"FIELD","type":"NUMBER","label":"Your age","required":true},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"adult"}},
	{"id":"adult","type":"ROUTER","alias":"Of age?","coordinates":{"x":500,"y":0},"config":{"rules":[{"id":"yes","alias":"Adults","condition":{"operator":"AND","operands":[
		{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"check"}],"fallback":"minor"}},
	{"id":"check","type":"FLOW","alias":"Check","coordinates":{"x":850,"y":0},"config":{"flow_id":"af_1","next_node":"$ending"}},
	{"id":"minor","type":"STEP","alias":"Parents","coordinates":{"x":850,"y":250},"config":{"components":[
		{"id":"parent","category":"FIELD","type":"TEXT","label":"Name of a parent","required":true},
		{"id":"back","category":"BLOCK","type":"PREVIOUS_BUTTON","config":{"text":"Back"}},
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}]}`

// inPreview evaluates an expression in the frame of the preview.
func (p *page) inPreview(expression string) string {
	p.t.Helper()
	return p.inFrame(p.previewAddress(), expression)
}

// previewAddress returns the address of the frame of the preview.
func (p *page) previewAddress() string {
	return eval[string](p, `document.querySelector("#preview-frame").src`)
}

// at waits until the preview is at a node and its frame shows the step.
func (p *page) at(node, state string) {
	p.t.Helper()
	p.wait(`document.querySelector("[data-testid=preview]")?.dataset.node === ` + js(node) + ` && document.querySelector("[data-testid=preview]").dataset.state === ` + js(state))
	if state != "asking" {
		return
	}
	address := eval[string](p, `document.querySelector("#preview-frame").src`)
	for range 1000 { // the frame is loaded when the preview is first opened
		if shown, err := p.frame(address, `document.querySelector("[data-step]")?.dataset.step ?? ""`); err == nil && shown == node {
			return
		}
		p.fence()
	}
	p.t.Fatalf("the frame does not show the step %s", node)
}

// enterInPreview fills in a field of the preview by keyboard, and presses a button.
func (p *page) enterInPreview(field, text, button string) {
	p.t.Helper()
	p.inPreview(`(() => { const c = document.querySelector('[data-field="` + field + `"] input'); c.focus(); c.select(); return ""; })()`)
	p.insert(text)
	p.inPreview(`(document.querySelector('[data-button="` + button + `"]').focus(), "")`)
	p.key(kb.Enter)
}

// A person fills in the form beside the canvas: the journey is listed and lit, a moment can be returned to, and an edit is followed.
func TestTrial(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(trialForm)
	p := s.tab()
	p.editor(s, id)
	p.fitView()
	const view = `getComputedStyle(document.querySelector(".cv-world")).transform`
	was := eval[string](p, view)
	p.press("button", "Preview")
	p.at("ask", "asking")
	p.wait(`Number(document.querySelector("[data-testid=canvas]").dataset.zoom) >= 0.45 && document.querySelector(".dock.strip").clientHeight < 60`)
	p.wait(`(c => ["$start", "ask", "adult"].every(id => (e => e.left >= c.left && e.right <= c.right)(document.querySelector('[data-node="' + id + '"]').getBoundingClientRect())))(document.querySelector("#canvas").getBoundingClientRect())`)
	p.shots("trial-step")
	p.press("button", "Full window")
	p.wait(`document.querySelector(".pv").dataset.full === "true"`)
	p.key(kb.Escape)
	p.wait(`document.querySelector(".pv").dataset.full !== "true" && document.activeElement.dataset.act === "pv-full"`)
	p.press("button", "Close the preview")
	p.wait(view + ` === "` + was + `"`)
	p.press("button", "Preview")
	p.at("ask", "asking")
	if text := p.inPreview(`document.body.innerText`); !strings.Contains(text, "Your plan is free.") {
		t.Errorf("the step shows %q", text)
	}
	enter := p.enterInPreview
	enter("age", "old", "go")
	p.wait(`document.querySelector(".journey .lines")?.textContent.includes("refused: ")`)
	if got := p.inPreview(`document.querySelector("[role=alert]").innerText + "|" + document.activeElement.closest("[data-field]").dataset.field`); got != "Please enter a number.|age" {
		t.Errorf("the refusal and the focus are %q", got)
	}
	p.judge(axeScript(t), "trial-refused")

	enter("age", "17", "go")
	p.at("minor", "asking")
	p.wait(`document.querySelector('[data-node="minor"]').dataset.current === "true" && document.querySelector('[data-edge="adult:fallback"]').dataset.visited === "true"`)
	p.wait(`document.querySelector(".journey").innerText.includes("Your age, 17, is not at least 18")`)
	p.shots("trial-journey")
	const height = `document.querySelector(".dock").clientHeight`
	high := eval[int](p, height)

	p.clickOn(`[...document.querySelectorAll(".journey button")].find(b => b.textContent.includes("About you"))`)
	p.at("ask", "asking")
	enter("age", "30", "go")
	p.at("check", "flow")
	p.judge(axeScript(t), "trial-flow")
	p.press("button", "Success")
	p.at("$ending", "ended")
	p.shots("trial-ended")
	if now := eval[int](p, height); now != high {
		t.Errorf("the journey grew from %d to %d px", high, now)
	}
	p.wait(`(e => e.getBoundingClientRect().bottom <= document.querySelector(".dock").getBoundingClientRect().bottom)(document.querySelector('.journey [aria-current="true"]'))`)

	// A narrow window says where the run is, and its line opens the journey.
	p.do(chromedp.EmulateViewport(390, 844))
	p.wait(`document.querySelector(".pv-trail b").textContent === "Ending"`)
	p.click(".pv-trail")
	p.wait(sel(".pv-where .journey button"))
	p.judge(axeScript(t), "trial-narrow")
	p.clickOn(`[...document.querySelectorAll(".pv-where .journey button")].find(b => b.textContent.includes("About you"))`)
	p.at("ask", "asking")
	p.wait(`!document.querySelector(".pv-where .journey") && document.querySelector(".pv-trail b").textContent === "About you"`)

	p.press("button", "Close the preview")
	p.wait(`!document.querySelector("[data-testid=preview]") && !document.querySelector("[data-visited]")`)
}

// The card of a flow has a button for each value that the next router asks for, and a warning has the edit that led to it.
func TestFormKnowsTheAnswers(t *testing.T) {
	nightly(t) // app/trial and app/ui/problems test it (TestProposals, TestWarningNamesItsCause); only here: axe of the card and of the line
	t.Parallel()
	s := shared(t)
	step := func(id, x, y string) string {
		return `{"id":"` + id + `","type":"STEP","alias":"` + id + `","coordinates":{"x":` + x + `,"y":` + y + `},"config":{"components":[
			{"id":"go_` + id + `","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"$ending"}}`
	}
	rule := func(value string) string {
		return `{"id":"` + value + `","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{vars.code_result}}","` + value + `"]}]},"next_node":"` + value + `"}`
	}
	id := s.create(`{"name":"Code","start":{"next_node":"check"},"ending":{"coordinates":{"x":1100,"y":0}},"nodes":[
		{"id":"check","type":"FLOW","alias":"Check the code","coordinates":{"x":150,"y":0},"config":{"flow_id":"af_1","next_node":"what"}},
		{"id":"what","type":"ROUTER","alias":"Right?","coordinates":{"x":450,"y":0},"config":{"rules":[` + rule("right") + `,` + rule("locked") + `],"fallback":"again"}},` +
		step("right", "800", "0") + `,` + step("locked", "800", "200") + `,` + step("again", "800", "400") + `]}`)
	p := s.tab()
	p.editor(s, id)
	p.press("button", "Preview")
	p.at("check", "flow")
	p.judge(axeScript(t), "trial-proposals")
	p.press("button", "locked")
	p.at("locked", "asking")
	p.press("button", "Close the preview")

	p.fitView()
	p.choose("check")
	p.key("c")
	p.wait(`document.activeElement?.id === "connect-filter"`)
	p.insert("locked")
	p.key(kb.Enter)
	p.wait(`!document.querySelector("dialog")`)
	p.press("tab", "Problems")
	p.wait(`document.querySelector("[data-testid=problems]").innerText.includes("Since you connected “Check the code” to “locked”")`)
	p.judge(axeScript(t), "problems-cause")
	p.press("button", "Undo that")
	p.wait(`!document.querySelector("[data-testid=problems]").innerText.includes("Since you")`)
}
