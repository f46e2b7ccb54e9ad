//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// menuOpen is whether a menu of the frame is open.
const menuOpen = `!!document.querySelector(".popup[role=menu]")`

// inFocus is the name of the element with the focus.
const inFocus = `(e => (e.getAttribute("aria-label") || e.textContent).trim())(document.activeElement)`

// The actions that outside tests look for are buttons in sight, and none of their names occurs twice.
func TestActionsAreInSight(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	for _, tab := range []string{"Components", "Outline", "Problems", "History"} {
		p.press("tab", tab)
		p.wait(find("tab", tab) + `.getAttribute("aria-selected") === "true"`)
		for _, name := range []string{"Save", "Undo", "Redo", "Fit view", "Zoom in", "Zoom out", "Tidy up", "Preview", "Import", "Export", "Add node", "Sign out"} {
			n := eval[int](p, `[...document.querySelectorAll("button")].filter(e => !e.role && e.checkVisibility() && (e.getAttribute("aria-label") || e.textContent).trim() === `+js(name)+`).length`)
			if n != 1 {
				t.Errorf("with %s open there are %d buttons %s", tab, n, name)
			}
		}
		p.shots("frame-" + tab)
	}
}

// A menu of the bar is used by keys alone: the focus goes into it and returns, and the first letter of a name leads to its line.
func TestMenusOfTheBarByKeys(t *testing.T) {
	nightly(t) // app/ui tests who gets the keys (TestOpenMenuGetsTheKeys), app/ui/kit what they do; TestContextMenu presses them
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	eval[any](p, find("button", "More")+`.focus(); 0`)
	p.key("\r")
	p.wait(inFocus + ` === "Import"`)
	p.shots("frame-more")
	for _, step := range []struct{ key, want string }{
		{kb.ArrowDown, "Export as…"}, {kb.ArrowUp, "Import"}, {kb.ArrowUp, "Keyboard shortcuts"}, {kb.Home, "Import"}, {kb.End, "Keyboard shortcuts"}, {"f", "Form settings"}, {"e", "Export as…"},
	} {
		p.key(step.key)
		p.wait(inFocus + ` === ` + js(step.want))
	}
	p.key("\x1b")
	p.wait(`!` + menuOpen + ` && ` + inFocus + ` === "More"`)
	p.key("\r")
	p.wait(inFocus + ` === "Import"`)
	p.key("f")
	p.key("\r")
	p.wait(`!` + menuOpen + ` && ` + sel("[data-testid=inspector] h2") + `?.textContent !== ""`)

	p.press("button", "Account")
	p.wait(menuOpen)
	p.shots("frame-account")
	p.scheme("light")
	p.press("menuitemradio", "Dark")
	p.wait(`document.documentElement.dataset.theme === "dark"`)
	p.press("button", "Account")
	p.wait(find("menuitemradio", "Dark") + `?.getAttribute("aria-checked") === "true"`)
	p.press("menuitemradio", "System")
	p.wait(`document.documentElement.dataset.theme === "light"`)
	p.press("button", "Account")
	p.wait(menuOpen)
	p.do(chromedp.MouseClickXY(600, 300)) // a press elsewhere
	p.wait(`!` + menuOpen)
}

// The tabs are one stop of the Tab key, and arrows move between them.
func TestTabsByKeys(t *testing.T) {
	nightly(t) // app/ui/kit tests that a list is one stop (TestOpenTabIsTheStopOfItsList); only here: its arrow keys; a change of StepTab needs it
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	eval[any](p, find("tab", "Components")+`.focus(); 0`)
	for _, step := range []struct{ key, want string }{
		{kb.ArrowRight, "Outline"}, {kb.ArrowRight, "Problems"}, {kb.ArrowRight, "History"}, {kb.ArrowRight, "Components"}, {kb.ArrowLeft, "History"}, {kb.Home, "Components"}, {kb.End, "History"},
	} {
		p.key(step.key)
		p.wait(inFocus + ` === ` + js(step.want) + ` && document.activeElement.getAttribute("aria-selected") === "true"`)
		if n := eval[int](p, `document.querySelectorAll(".tab-list [tabindex='0']").length`); n != 1 {
			t.Fatalf("%d tabs are stops of the Tab key", n)
		}
	}
}
