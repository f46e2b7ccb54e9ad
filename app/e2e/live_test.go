//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// saveAlias gives step_b another alias and saves.
func (p *page) saveAlias(text string) {
	p.t.Helper()
	p.alias(text)
	p.press("button", "Save")
	p.saveState("saved")
}

// Whoever has a form open learns of a save in another browser, which saves what both have on their screens. A deletion is told, too.
func TestSavesAreToldToOtherBrowsers(t *testing.T) {
	nightly(t) // app/ui/saver tests it (TestTheirVersionIsTakenQuietly, TestTypingPauses, TestDeletionIsTold); TestTwoPagesEditTogether saves
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	here, there := s.tab(), s.tab()
	here.editor(s, id)
	there.editor(s, id)
	shows := func(p *page, alias string) {
		t.Helper()
		p.wait(sel(node("step_b")) + `.textContent.includes(` + js(alias) + `)`)
		p.saveState("saved")
	}

	there.saveAlias("Second")
	shows(here, "Second")
	here.wait(`document.querySelector(".toast")?.textContent.includes("You saved this form in another window.")`)
	here.shoot("taken-quietly")
	there.saveAlias("Third")
	shows(here, "Third")

	// A save saves what both have on their screens.
	here.fill("name", "Mine")
	there.wait(sel("[data-path=name]") + `.value === "Mine"`)
	there.saveAlias("Fourth")
	shows(here, "Fourth")
	here.shoot("saved-elsewhere")
	if f := s.form(id); f["name"] != "Mine" || at(f, "nodes", 2, "alias") != "Fourth" {
		t.Errorf("the form is saved as %v", f)
	}

	// Whoever leaves the focus in a field gets the version, too, and keeps the focus.
	here.choose("step_b")
	here.click(`[data-path="nodes[2].alias"]`)
	here.do(chromedp.KeyEvent("x"), chromedp.KeyEvent("\b"))
	here.saveState("saved")
	there.fill("name", "Fifth")
	there.press("button", "Save")
	there.saveState("saved")
	here.wait(`document.title.startsWith("Fifth")`)
	here.wait(`document.activeElement.dataset.path === "nodes[2].alias"`)

	evalAsync[int](there, `fetch("/bff/api/forms/`+id+`", {method: "DELETE", headers: {"X-CSRF": "1"}}).then(r => r.status)`)
	here.wait(`document.querySelector(".banner")?.textContent.includes("You deleted this form")`)
	here.wait(find("button", "Save as a new form"))
	if eval[bool](here, `!!document.querySelector(".toast")?.textContent.includes("You saved this form")`) {
		t.Error("the message of a save stands below that of the deletion")
	}
	here.shoot("deleted-elsewhere")
}
