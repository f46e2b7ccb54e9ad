//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A note is added by a command, written, moved and deleted with the keyboard, dragged with the mouse, and seen by whoever has the form open.
func TestNotes(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p, other := s.tab(), s.tab()
	p.editor(s, id)
	other.editor(s, id)
	const first = `document.querySelector(".cv-note")`
	p.runCommand("Add note")
	p.wait(`document.activeElement?.className === "cv-note-text"`)
	p.key("Ask legal about this step")
	p.key(kb.Escape)
	p.wait(`document.activeElement === ` + first + ` && ` + first + `.ariaLabel === "Note: Ask legal about this step"`)
	other.wait(first + `?.textContent === "Ask legal about this step"`)
	place := first + `.style.transform`
	was := eval[string](p, place)
	p.key(kb.ArrowDown)
	p.wait(place + ` !== ` + js(was))
	was = eval[string](p, place)
	other.wait(place + ` === ` + js(was))
	p.judge(axeScript(t), "axe-notes")
	p.shots("notes")

	x, y := other.middle(first)
	other.drag(x, y, x+80, y+60)
	other.wait(place + ` !== ` + js(was))
	was = eval[string](other, place)
	p.wait(place + ` === ` + js(was))
	p.saveState("saved") // the form is the same

	p.click(".cv-note")
	p.key(kb.Delete)
	other.wait(`!` + first)
	p.click("[data-act=undo-note]")
	other.wait(place + ` === ` + js(was))
	p.asItOpens(s, id)
	p.wait(first + `?.textContent === "Ask legal about this step"`)
}
