//go:build e2e && !js

package e2e

import "testing"

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
	rows := `[...document.querySelectorAll("[data-testid=versions] li")].map(e => e.innerText)`
	p.wait(rows + `.length === 2`)
	p.wait(`(r => r[0].includes("Administrator") && r[0].includes("alias") && r[1].includes("Saved elsewhere"))(` + rows + `)`)
	s.patch(id, `{"name":"Theirs"}`)
	p.saveAlias("Third")
	p.wait(`(r => r.length === 4 && r[0].includes("Administrator") && r[1].includes("Saved elsewhere") && r[1].includes("Theirs"))(` + rows + `)`)
	p.shots("versions")
	p.judge(axeScript(t), "axe-versions")

	p.clickOn(`document.querySelectorAll("[data-testid=versions] li button")[3]`)
	p.wait(differs("step_b", "changed"))
	p.shots("version-compared")
	p.press("button", "Take all")
	p.wait(sel(node("step_b")) + `.textContent.includes("step_b") && !` + sel(node("step_b")) + `.textContent.includes("Third")`)
	p.saveState("dirty")
	p.press("button", "Undo")
	p.wait(sel(node("step_b")) + `.textContent.includes("Third")`)
	p.saveState("saved")
}
