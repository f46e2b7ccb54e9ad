//go:build e2e && !js

package e2e

import "testing"

// The menu says what deleting a node would break, and after that a message does, with a button that undoes it.
func TestDeletingSaysWhatItBreaks(t *testing.T) {
	nightly(t) // app/ui tests it (TestDeletionSaysWhatItBreaks), app/editor what breaks (TestDamage)
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	p.choose("one")
	p.wait(`document.querySelector(".cv-edges g").lastElementChild.matches(".cv-hot")`) // its edges are above the others
	p.key("\x1b")
	x, y := p.grip("one")
	p.rightClickAt(x, y)
	p.wait(find("menuitem", "Delete without reconnecting") + `?.textContent.includes("become unreachable")`)
	p.shots("damage-menu")
	p.press("menuitem", "Delete without reconnecting")
	p.wait(`!` + sel(node("one")))
	p.wait(`document.querySelector(".toast")?.textContent.includes("Deleted “First”: 2 nodes become unreachable")`)
	p.wait(sel(node("$start")) + `.hasAttribute("data-warned")`) // at 100 %, too
	p.shots("damage-toast")
	p.clickOn(`document.querySelector(".toast button")`)
	p.wait(sel(node("one")))
}
