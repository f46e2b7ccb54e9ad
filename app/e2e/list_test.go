//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// A search without a result offers to clear it, and a list without forms to make one, from a template or a file.
func TestListWithoutForms(t *testing.T) {
	nightly(t) // app/ui/forms tests it (TestListStates); only here: that three templates are in view
	t.Parallel()
	s := start(t, t.TempDir())
	p := browse(t)
	p.arrive(s, "/forms", `document.querySelector("tr[data-form]")`, s.First.Admin.Email, s.First.Admin.Password)
	p.do(chromedp.Focus(chromedp.CSS("#search")))
	p.key("nothing has this name")
	p.wait(`!` + sel("tr[data-form]") + ` && ` + find("button", "Clear the search"))
	p.shots("list-none")
	p.press("button", "Clear the search")
	p.wait(sel("tr[data-form]"))
	p.clickOn(sel(`[aria-label="Select all"]`))
	p.wait(sel(".chosen .delete-chosen"))
	p.clickOn(sel(".chosen .delete-chosen"))
	p.click("dialog .danger")
	p.wait(`!` + sel("tr[data-form]") + ` && ` + find("button", "New form") + ` && ` + find("button", "Import"))
	p.wait(`[...document.querySelectorAll(".templates.first .template")].filter(e => e.getBoundingClientRect().bottom <= innerHeight).length === 3`)
	p.shots("list-empty")
}

// The list shows what is in each form, several forms are deleted at once, and a form begins with a template and its scenarios.
func TestListOfForms(t *testing.T) {
	nightly(t) // app/ui/forms tests it (TestDeletionIsUndone, TestSomeFormsAreChosen, TestTemplateBeginsAForm); only here: how boxes look
	t.Parallel()
	s := start(t, t.TempDir())
	a, b := s.create(`{"name":"First of two"}`), s.create(`{"name":"Second of two"}`)
	p := browse(t)
	p.arrive(s, "/forms", `document.querySelector("tr[data-form]")`, s.First.Admin.Email, s.First.Admin.Password)
	p.wait(`document.querySelectorAll("svg.thumb path.step").length >= 3`)
	p.wait(`document.querySelector('tr[data-form="` + a + `"] .col-extra')?.textContent.includes("None")`)
	p.shots("list")
	all := sel(`[aria-label="Select all"]`)
	p.clickOn(all)
	p.wait(`[...document.querySelectorAll("tbody [data-choose]")].every(e => e.checked) && ` + all + `.checked`)
	p.clickOn(all)
	p.wait(`!` + sel(".chosen"))
	p.click(`tr[data-form="` + a + `"] .col-pick input`)
	p.wait(all + `.indeterminate && !` + all + `.checked`)
	p.click(`tr[data-form="` + b + `"] .col-pick input`)
	p.wait(sel(".chosen") + `?.textContent.includes("2 selected")`)
	p.shots("list-chosen")
	p.do(chromedp.EmulateViewport(390, 844))
	for range 2 { // the boxes work in a narrow list, too
		p.click(`tr[data-form="` + b + `"] .col-pick input`)
	}
	p.wait(sel(".chosen") + `?.textContent.includes("2 selected")`)
	if !eval[bool](p, `[...document.querySelectorAll(".chosen > *")].every(e => e.getBoundingClientRect().left >= 0 && e.getBoundingClientRect().right <= innerWidth)`) {
		t.Error("the bar of the selected forms is cut off in a narrow window")
	}
	p.shots("list-chosen-narrow")
	p.do(chromedp.EmulateViewport(1440, 900))
	if !eval[bool](p, `getComputedStyle(document.querySelector(".col-pick input")).accentColor === getComputedStyle(document.querySelector(".primary")).backgroundColor`) {
		t.Error("a checkbox has not the color of the main button")
	}
	p.clickOn(sel(".chosen .delete-chosen"))
	p.wait(`[...document.querySelectorAll("dialog .picked li")].map(e => e.textContent).sort().join() === "First of two,Second of two"`)
	p.shots("list-delete")
	p.click("dialog .danger")
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	p.press("button", "Account")
	p.wait(find("menuitem", "Sign out") + ` && document.querySelector("#popup").textContent.includes(` + js(s.First.Admin.Email) + `)`)
	p.press("menuitemradio", "Dark")
	p.wait(`document.documentElement.dataset.theme === "dark"`)
	p.press("button", "Account")
	p.shoot("list-account")
	p.press("menuitemradio", "System")
	p.wait(`!` + sel("#popup"))
	p.press("button", "New form")
	p.wait(`document.querySelectorAll("dialog .template").length === 9`)
	p.shots("list-new")
	p.click(`[data-template="leaving"]`)
	p.do(chromedp.Focus(chromedp.CSS("#form-name")))
	p.key("Goodbye")
	p.press("button", "Create")
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]") && document.querySelector("[data-node=route_why]")`)
	id := eval[string](p, `location.pathname.split("/").pop()`)
	if name := s.form(id)["name"]; name != "Goodbye" {
		t.Errorf("the form is called %v", name)
	}
	p.wait(`fetch("/bff/api/forms/` + id + `/overview", {headers: {"X-CSRF": "1"}}).then((r) => r.json()).then((o) => { window.covered = o.coverage }), window.covered === 100`)
}
