//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// runCommand runs a command by typing its title.
func (p *page) runCommand(title string) {
	p.t.Helper()
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.insert(title)
	p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes(` + js(title) + `)`)
	p.key(kb.Enter)
	p.wait(`!document.querySelector("dialog")`)
}

// A person generates scenarios, sees what they cover, breaks the form, and records a scenario of their own, which another person finds.
func TestScenarios(t *testing.T) {
	nightly(t) // app/ui/scenarios tests it (TestPanel, TestGenerated), app/trial the runs; only here: axe of the panel, and another person
	t.Parallel()
	s := shared(t)
	id := s.create(trialForm)
	p := s.tab()
	p.editor(s, id)
	p.runCommand("Test with scenarios")
	p.wait(`document.querySelector(".scenarios .sc-empty") !== null`)
	p.judge(axeScript(t), "scenarios-empty")
	p.press("button", "Generate")
	p.wait(`document.querySelectorAll(".sc-item[data-status=ok]").length >= 2 && document.querySelector(".scenarios").innerText.includes("100 %")`)
	p.clickOn(`document.querySelector("[data-act=sc-cover]")`)
	p.wait(`document.querySelectorAll("[data-edge][data-taken]").length === document.querySelectorAll("[data-edge]").length && document.querySelectorAll('[data-taken="0"]').length === 0`)
	p.judge(axeScript(t), "scenarios-covered")

	// Without the step for minors, a scenario takes another path.
	p.fitView()
	p.choose("minor")
	p.key(kb.Delete, chromedp.ModifierCtrl)
	p.wait(`document.querySelectorAll(".sc-item[data-status=differs]").length === 1`)
	p.judge(axeScript(t), "scenarios-differ")
	p.wait(`document.querySelector(".test small").dataset.says === "1 differs"`)
	p.press("button", "Undo")
	p.wait(`document.querySelectorAll(".sc-item[data-status=ok]").length === 2`)

	p.press("button", "Record")
	p.at("ask", "asking")
	p.enterInPreview("age", "16", "go")
	p.at("minor", "asking")
	p.wait(`document.querySelector(".pv-head").offsetHeight < 60`) // a single row, with "Close the preview" at its end
	p.shots("scenarios-recording")
	p.press("button", "Save scenario")
	p.wait(`document.activeElement?.id === "scenario-name"`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert("Sixteen")
	p.key(kb.Enter)
	p.wait(`[...document.querySelectorAll(".sc-item[data-status=ok] b")].some(b => b.textContent === "Sixteen")`)
	p.judge(axeScript(t), "scenarios-recorded")
	p.press("button", "Close the preview")

	// Another person finds it, and plays it.
	q := s.tab()
	q.editor(s, id)
	q.wait(`document.querySelector(".test small").dataset.says === "3 of 3"`) // before the panel is opened
	q.press("button", "Test")
	q.wait(`document.querySelectorAll(".sc-item[data-status=ok]").length === 3`)
	q.press("button", "Play “Sixteen”")
	q.at("minor", "asking")
	q.wait(`document.querySelector(".journey").innerText.includes("Your age: 16")`)
	q.press("button", "Delete “Sixteen”")
	q.wait(`document.querySelectorAll(".sc-item").length === 2`)

	// The first one, who does not know that, renames another.
	p.press("button", "Rename “Of age? Adults”")
	p.wait(`document.activeElement?.id === "scenario-name"`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert("Adults")
	p.key(kb.Enter)
	p.wait(`[...document.querySelectorAll(".sc-item b")].map(b => b.textContent).join() === "Adults,Of age? otherwise"`)
}

// A person sees what an edit does to people, tries it, and sees what somebody else has saved meanwhile.
func TestImpact(t *testing.T) {
	nightly(t) // app/ui/impact and model/run/explore test it (TestEditIsCompared, TestTheirs); only here: axe of the panel
	t.Parallel()
	s := shared(t)
	id := s.create(trialForm)
	p := s.tab()
	p.editor(s, id)
	p.runCommand("Impact of changes")
	p.wait(`document.querySelector(".impact").innerText.includes("You have no unsaved changes.")`)
	p.fitView()
	p.choose("minor")
	p.key(kb.Delete, chromedp.ModifierCtrl)
	p.wait(`document.querySelector(".impact").innerText.includes("Can no longer finish") && document.querySelector(".impact").textContent.includes("“Your age” 1")`)
	p.judge(axeScript(t), "impact")
	p.clickOn(`document.querySelector("[data-act=im-try]")`)
	p.at("adult", "stopped")
	p.press("button", "Close the preview")

	// Somebody saves without having the form open here, and a save meets it.
	f := s.form(id)
	nodes := slices.DeleteFunc(f["nodes"].([]any), func(n any) bool { return at(n, "id") == "check" })
	body, err := json.Marshal(map[string]any{"nodes": nodes})
	if err != nil {
		t.Fatal(err)
	}
	s.patch(id, strings.ReplaceAll(string(body), `"next_node":"check"`, `"next_node":"adult"`))
	p.press("button", "Save")
	p.wait(sel(".toasts [data-act=tenant-changes]"))
	p.clickOn(`document.querySelector(".toasts [data-act=tenant-changes]")`) // each difference has a button of that name
	p.press("button", "See the impact")
	p.wait(`document.querySelector("[data-act=im-side][data-arg=theirs]").getAttribute("aria-pressed") === "true"`)
	p.wait(`document.querySelector(".impact").innerText.includes("Can no longer finish")`)
	p.judge(axeScript(t), "impact-theirs")
}
