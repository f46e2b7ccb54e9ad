//go:build e2e && !js

package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// versionRows is the text of each line of the list of versions.
const versionRows = `[...document.querySelectorAll("[data-testid=versions] li")].map(e => e.innerText)`

// Each save is a version: the History tab lists them with who saved and what, also what was saved elsewhere. A version is compared with the form
// on the canvas, and brought back in one step.
func TestVersions(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.saveAlias("Second")
	p.press("tab", "History")
	p.wait(versionRows + `.length === 2`)
	p.wait(`(r => r[0].includes("Administrator") && r[0].includes("is now “Second”") && r[1].includes("As it was when Formgraph first opened it"))(` + versionRows + `)`)
	s.patch(id, `{"name":"Theirs"}`)
	p.saveAlias("Third")
	p.wait(`(r => r.length === 4 && r[0].includes("Administrator") && r[1].includes("Saved elsewhere") && r[1].includes("Theirs"))(` + versionRows + `)`)
	if tall := eval[string](p, `[...document.querySelectorAll("[data-testid=versions] li")].slice(1).filter(e => e.offsetHeight > e.firstElementChild.offsetHeight).map(e => e.innerText).join()`); tall != "" {
		t.Errorf("lines without actions keep room for them: %s", tall)
	}
	p.shots("versions")
	p.judge(axeScript(t), "axe-versions")

	p.clickOn(`document.querySelectorAll("[data-testid=versions] li .out-item")[3]`)
	p.wait(differs("step_b", "changed"))
	p.shots("version-compared")
	p.press("button", "Restore all")
	p.wait(sel(node("step_b")) + `.textContent.includes("Thanks") && !` + sel(node("step_b")) + `.textContent.includes("Third")`)
	p.saveState("dirty")
	p.press("button", "Undo")
	p.wait(sel(node("step_b")) + `.textContent.includes("Third")`)
	p.saveState("saved")
}

// A version is named and noted in the list, found by its name, and restored with one press, which one undo takes back. The menu of a
// node says who changed it last, here the step itself, and the head of the inspector does not: it was the reader.
func TestVersionsAreNamedAndRestored(t *testing.T) {
	nightly(t) // app/ui/versions tests it (TestNamesAreWrittenInPlace, TestRestore, TestBlameOfTheSelection); TestVersions lists and compares
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.saveAlias("Second")
	p.saveAlias("Third")
	p.choose("step_b")
	p.wait(`!document.querySelector("[data-testid=inspector] .blame")?.innerText`)
	p.press("tab", "History")
	p.wait(versionRows + `.length === 3 && ` + versionRows + `[0].includes("Last change of Third")`)
	p.clickOn(`document.querySelectorAll("[data-act=version-edit]")[1]`)
	p.wait(`document.activeElement?.id === "version-name"`)
	p.key("Launch")
	p.click("#version-note")
	p.insert("As shown to the shop")
	p.shots("version-named")
	p.judge(axeScript(t), "axe-version-named")
	p.press("button", "Keep")
	p.wait(versionRows + `[1].includes("Launch") && ` + versionRows + `[1].includes("As shown to the shop")`)
	p.press("button", "With a name")
	p.wait(versionRows + `.length === 1`)
	p.shots("versions-of-names")
	p.press("button", "With a name")
	p.wait(versionRows + `.length === 3`)

	p.press("button", "Restore Launch")
	p.wait(sel(node("step_b")) + `.textContent.includes("Second")`)
	p.wait(`document.querySelector(".toast")?.textContent.includes("Restored: Launch")`)
	p.saveState("dirty")
	p.shots("version-restored")
	p.clickOn(`[...document.querySelectorAll(".toast button")].find(e => e.textContent === "Undo")`)
	p.wait(sel(node("step_b")) + `.textContent.includes("Third")`)
	p.saveState("saved")

	p.rightClick(node("step_b") + " .cv-head")
	p.wait(`[...document.querySelectorAll("[role=menuitem]")].some(e => e.innerText.includes("Changed by Administrator, just now"))`)
	p.shots("blame-in-menu")
	p.clickOn(`[...document.querySelectorAll("[role=menuitem]")].find(e => e.innerText.includes("Changed by"))`)
	p.wait(`document.querySelector("[data-testid=compare]")`)
	p.wait(`document.querySelector("#cmp-now")?.dataset.value.startsWith("version ") && document.querySelector("#cmp-with").dataset.value.startsWith("version ")`)
	p.wait(`document.querySelector(".cmp-item")?.innerText.includes("Third") && !document.querySelector("[data-do=take]")`)
	p.editor(s, id)
	for _, size := range [][2]int64{{1280, 800}, {768, 1024}, {390, 844}} {
		width := strconv.FormatInt(size[0], 10)
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		if size[0] > 900 {
			p.press("tab", "History")
		} else {
			p.press("button", "More")
			p.press("menuitem", "Show history")
		}
		p.wait(versionRows + `.length === 3`)
		eval[bool](p, `(document.querySelector("[data-testid=versions] li").scrollIntoView({block: "center"}), true)`)
		p.judge(axeScript(t), "axe-versions-"+width)
		p.clickOn(`document.querySelectorAll("[data-act=version-edit]")[0]`)
		p.wait(`document.activeElement?.id === "version-name" && ` + inside(sel(".version-about")) + ` && ` + inside(sel("[data-act=version-keep]")))
		p.shots("version-fields-" + width)
		p.key(kb.Escape)
		p.wait(`!document.getElementById("version-name")`)
	}
	p.open(s.Ready.Editor + "/forms")
	p.wait(`document.querySelector("tr[data-form=` + id + `] .by")?.innerText === "by Administrator"`)
	if !eval[bool](p, `document.querySelector("tr[data-form=`+id+`] .avatar").dataset.hue === document.querySelector(".account-button .avatar").dataset.hue`) {
		t.Error("the person has another color than in the bar")
	}
	p.shots("list-with-people")
}

// A form that is saved as it is edited is saved after a pause, for everybody who has it open, and a sitting is one line of the list.
func TestSaveAsYouGo(t *testing.T) {
	nightly(t) // app/ui/saver tests it (TestEditsAreSavedAsYouGo, TestChosenSavingBegins), app/ui/versions a sitting (TestSittingsAreOneLine)
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	here, there := s.tab(), s.tab()
	here.editor(s, id)
	there.editor(s, id)
	here.alias("Before")
	here.saveState("dirty")
	here.press("button", "More")
	here.press("menuitem", "Form settings")
	here.shots("saving-chosen")
	here.click("[data-act=choose-saving]")
	here.saveState("saved")
	here.wait(`document.querySelector("[data-save-state]").innerText.includes("as you go")`)
	there.wait(sel(node("step_b")) + `.textContent.includes("Before")`)
	there.wait(`document.querySelector("[data-save-state]").innerText.includes("as you go")`)
	for i := range 3 {
		there.alias("Sitting " + strconv.Itoa(i))
		there.saveState("dirty")
		there.saveState("saved")
	}
	here.wait(sel(node("step_b")) + `.textContent.includes("Sitting 2")`)
	if f := s.form(id); at(f, "nodes", 2, "alias") != "Sitting 2" {
		t.Errorf("the form is saved as %v", f)
	}
	there.press("tab", "History")
	there.wait(versionRows + `.some(r => r.includes("4 saves while editing"))`)
	there.shots("sitting")
	there.clickOn(`document.querySelector("[data-act=version-unfold]")`)
	there.wait(`document.querySelectorAll("[data-testid=versions] li.inner").length === 4`)
	there.shots("sitting-unfolded")
	there.judge(axeScript(t), "axe-sitting")
	there.press("button", "Undo")
	there.saveState("saved")
	here.wait(sel(node("step_b")) + `.textContent.includes("Sitting 1")`)

	there.press("button", "More")
	there.press("menuitem", "Form settings")
	there.click("[data-act=choose-saving]")
	here.wait(`!document.querySelector("[data-save-state]").innerText.includes("as you go")`)
	here.alias("By hand")
	here.saveState("dirty")
	here.saveAlias("By hand, saved")
}
