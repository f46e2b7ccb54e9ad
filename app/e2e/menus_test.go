//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/app/graph"
)

// listenForMenus counts the context menus that the browser would show.
const listenForMenus = `window.browserMenus = 0; addEventListener("contextmenu", e => setTimeout(() => { if (!e.defaultPrevented) browserMenus++; })); 0`

// rowMenu waits for a menu whose first line has a name and the focus, and returns the names of all lines.
func (p *page) rowMenu(first string) (names []string) {
	p.t.Helper()
	p.wait(menuOpen + ` && document.activeElement?.closest(".popup") && document.activeElement.getAttribute("aria-label") === ` + js(first))
	return eval[[]string](p, `[...document.querySelectorAll(".popup [role=menuitem]")].map(e => e.getAttribute("aria-label"))`)
}

// noMenu waits until no menu is open and an element has the focus.
func (p *page) noMenu(focused string) {
	p.t.Helper()
	p.wait(`!` + menuOpen + ` && document.activeElement?.matches(` + js(focused) + `)`)
}

func (p *page) wantNoBrowserMenus() {
	p.t.Helper()
	if n := eval[int](p, `browserMenus`); n > 0 {
		p.t.Errorf("the browser shows %d menus", n)
	}
}

// A row of the outline has the menu of its node, component or rule: by the right button, which selects the row first, and by a key.
func TestMenusOfTheOutline(t *testing.T) {
	nightly(t) // app/ui/outline tests what is selected (TestRowOfAMenuIsSelected), web/jscheck menu.js; only here: that the menu opens
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	eval[int](p, listenForMenus)
	p.press("tab", "Outline")
	line := func(name string) string {
		return `[data-testid=outline] [role=treeitem][aria-label^="` + name + `"] > .out-row`
	}
	p.wait(sel(line("Second")))
	p.rightClick(line("Second"))
	p.rowMenu("Edit")
	p.wait(sel(node("two")) + `.getAttribute("aria-selected") === "true"`)
	p.wait(find("menuitem", "Delete without reconnecting"))
	p.shots("menu-outline")
	p.key(kb.Escape)
	p.noMenu(`[role=treeitem][aria-label^="Second"]`)

	// The part of a node that is not selected.
	p.key("*")
	p.wait(sel(line("Work e-mail")))
	p.rightClick(line("Work e-mail"))
	p.rowMenu("Edit")
	p.press("menuitem", "Move down")
	p.wait(rows("one") + ` === "name mail rich jump next"`)
	p.noMenu(`[role=treeitem][aria-label^="Work e-mail"]`)
	p.rightClick(line("Adults only"))
	p.rowMenu("Edit")
	p.wait(`!` + find("menuitem", "Move to another step…"))
	p.key(kb.Tab)
	p.noMenu(`[role=treeitem][aria-label^="Adults only"]`)
	p.key(kb.F10, chromedp.ModifierShift)
	p.rowMenu("Edit")
	p.key(kb.End)
	p.key("\r")
	p.wait(`!` + sel(line("Adults only")))
	p.wantNoBrowserMenus()
}

// A step of the history is undone to from its menu, and the focus returns to its row.
func TestMenusOfTheHistory(t *testing.T) {
	nightly(t) // app/ui and app/ui/history test it (TestMenusOfRows, TestJumpToAStep), web/jscheck menu.js; TestCommands jumps to a step
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	eval[int](p, listenForMenus)
	for range 2 {
		p.choose("two")
		p.key("d", chromedp.ModifierCtrl)
	}
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 4`)
	p.press("tab", "History")
	row := func(i string) string { return `.history li[data-of="` + i + `"] button` }
	p.wait(sel(row("0")))
	p.rightClick(row("0"))
	p.rowMenu("Undo to here")
	p.shots("menu-history")
	p.press("menuitem", "Undo to here")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 2`)
	p.noMenu(row("0"))
	eval[any](p, sel(row("2"))+`.focus(); 0`)
	p.key(kb.F10, chromedp.ModifierShift)
	p.rowMenu("Redo to here")
	p.key("\r")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 4`)
	p.noMenu(row("2"))
	p.rightClick(row("2"))
	p.rowMenu("Undo")
	p.do(chromedp.MouseClickXY(600, 500))
	p.wait(`!` + menuOpen)
	p.wantNoBrowserMenus()
}

// A problem is gone to, fixed and played from its menu.
func TestMenusOfProblems(t *testing.T) {
	nightly(t) // app/ui and app/ui/problems test it (TestMenusOfRows, TestMenuOfALine), web/jscheck menu.js; TestContextMenu opens a menu
	t.Parallel()
	s := shared(t)
	id := s.create(`{"name":"Loose end","languages":{"primary":"en"},"start":{"next_node":"one"},"nodes":[{"id":"one","type":"STEP","alias":"First","config":{"components":[
		{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}],"ending":{"resume_flow":true,"coordinates":{"x":900,"y":280}}}`)
	p := s.tab()
	p.editor(s, id)
	eval[int](p, listenForMenus)
	p.press("tab", "Problems")
	const row = "[data-testid=problems] li:has([data-act=problem-play]) .problem"
	p.wait(sel(row))
	p.rightClick(row)
	names := p.rowMenu("Go to it")
	if len(names) < 3 || names[len(names)-1] != "Play" {
		t.Fatalf("the menu has %q", names)
	}
	p.shots("menu-problems")
	p.key(kb.Escape)
	p.noMenu(row)
	p.key(kb.F10, chromedp.ModifierShift)
	p.rowMenu("Go to it")
	p.key(kb.ArrowDown)
	p.key("\r")
	p.wait(`!` + find("button", "Undo") + `.disabled`)
	p.wait(`document.querySelector(".toast")?.textContent.includes("Fixed: ") && document.activeElement !== document.body`)
	p.wantNoBrowserMenus()
}

// A row of the list of forms has the menu of its button: at the pointer, by a key, and where a finger rests.
func TestMenusOfForms(t *testing.T) {
	nightly(t) // app/ui/forms tests it (TestMenuOfAForm), web/jscheck menu.js with its long press; TestList uses the button
	t.Parallel()
	s := shared(t)
	id := s.create(twoSteps)
	p := s.tab()
	p.do(call(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 5}))
	row := `tr[data-form="` + id + `"]`
	p.arrive(s, "/forms", sel(row), s.First.Admin.Email, s.First.Admin.Password)
	eval[int](p, listenForMenus)
	p.rightClick(row + " time")
	if names := p.rowMenu("Open Two steps"); len(names) != 8 {
		t.Errorf("the menu has %q", names)
	}
	p.shots("menu-forms")
	p.key("r")
	p.wait(`document.activeElement.getAttribute("aria-label") === "Rename Two steps"`)
	p.key(kb.Escape)
	p.noMenu(row + " a")
	p.key(kb.F10, chromedp.ModifierShift)
	p.rowMenu("Open Two steps")
	p.key(kb.Tab)
	p.noMenu(row + " a")

	// The button opens the same menu, and closes it.
	more := row + ` [data-act="open-menu"]`
	p.click(more)
	p.rowMenu("Open Two steps")
	p.shots("menu-forms-button")
	p.click(more)
	p.noMenu(more)

	// A long press, after which the finger presses nothing.
	x, y := p.middle(sel(row + " time"))
	p.touch(graph.Vec{X: x, Y: y})
	p.rowMenu("Open Two steps")
	p.lift()
	p.press("menuitem", "Rename Two steps")
	p.wait(sel("dialog[open] #form-name"))
	p.wantNoBrowserMenus()
}

// A row that is dragged is dimmed on its card, and a screen reader hears where it went.
func TestDraggedRow(t *testing.T) {
	nightly(t) // app/gesture tests what is announced (TestRowIsCarried), app/ui/describe the words; only here: the dimmed row (carry_js.go)
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	from, to := p.side("rich", .5), p.side("mail", .2)
	p.glide(from)
	p.wait(sel(node("one") + " .cv-grip"))
	p.hold(from.X, from.Y, graph.Vec{X: from.X + 3, Y: from.Y - 5}, to)
	p.wait(ghost)
	p.wait(sel(part("rich") + ".cv-carried"))
	p.shots("drag-dimmed")
	p.letGo(to)
	p.wait(rows("one") + ` === "rich mail name jump next"`)
	p.wait(`!document.querySelector(".cv-carried") && document.querySelector(".toast").textContent.includes("Thank you moved to position 1 of 5 in First.")`)
}

// Play of a problem takes the whole journey that shows it: from the start, with answers for which the rules decide so, to where it ends.
func TestProblemIsPlayed(t *testing.T) {
	nightly(t) // app/ui tests it (TestProblemIsPlayed), app/trial the journey (TestTravel)
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.editor(s, s.create(threeNodes))
	p.press("tab", "Problems")
	p.press("button", "Play")
	p.wait(`[...document.querySelectorAll(".journey li b")].map(e => e.textContent).join() === "Details,Which way?,Thanks"`)
}
