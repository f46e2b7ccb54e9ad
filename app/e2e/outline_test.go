//go:build e2e && !js

package e2e

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// row returns a script that finds a row of the outline by the beginning of its name.
func row(name string) string {
	return `[...document.querySelectorAll("[data-testid=outline] [role=treeitem]")].find(e => e.getAttribute("aria-label").startsWith(` + js(name) + `))`
}

// atRow waits until the focus is on a row of the outline, which has the only tab stop.
func (p *page) atRow(name string) {
	p.t.Helper()
	p.wait(`(e => e && document.activeElement === e && [...document.querySelectorAll("[data-testid=outline] [tabindex='0']")].every(o => o === e))(` + row(name) + `)`)
}

// openOutline shows the outline and focuses it.
func (p *page) openOutline() {
	p.t.Helper()
	p.press("tab", "Outline")
	p.wait(row("Start"))
	eval[any](p, `document.querySelector("[data-testid=outline] [tabindex='0']").focus()`)
}

// picked waits until exactly these rows of the outline are selected.
func (p *page) picked(names ...string) {
	p.t.Helper()
	p.wait(`[...document.querySelectorAll("[data-testid=outline] [aria-selected=true]")].map(e => e.getAttribute("aria-label").split(",")[0]).join() === ` + js(strings.Join(names, ",")))
}

// The whole form can be edited in the outline by keyboard, without the canvas.
func TestOutline(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.mayPaste(s)
	p.openOutline()
	said := strings.Join(eval[[]string](p, `[...document.querySelectorAll("[role=treeitem]")].map(e => e.getAttribute("aria-level") + " " + e.getAttribute("aria-label"))`), "\n")
	if want := `1 Start, leads to Details
1 Details, Step, leads to Which way?
2 Work e-mail, Email
2 Continue, Next button
1 Which way?, Router, leads to Thanks, Ending
2 Work e-mail equals a@b.c, Rule, leads to Thanks
2 Otherwise, leads to Ending
1 Thanks, Step, leads nowhere, 1 warning
2 Thank you, Rich text
2 Done, Next button
1 Ending`; said != want {
		t.Errorf("the outline says\n%s\nwant\n%s", said, want)
	}

	// Move, close and open, and type a name.
	p.atRow("Start")
	p.key(kb.ArrowDown + kb.ArrowDown)
	p.atRow("Work e-mail")
	p.key(kb.ArrowLeft)
	p.atRow("Details")
	p.key(kb.ArrowLeft)
	p.wait(row("Details") + `.getAttribute("aria-expanded") === "false" && !` + row("Work e-mail, Email"))
	p.key(kb.ArrowDown)
	p.atRow("Which way?")
	p.key("*")
	p.wait(row("Work e-mail, Email"))
	p.key(kb.End)
	p.atRow("Ending")
	p.key(kb.Home)
	p.atRow("Start")
	p.key("thank y")
	p.atRow("Thank you")
	p.key(kb.ArrowUp)
	p.atRow("Thanks")
	p.key(kb.ArrowRight)
	p.atRow("Thank you")

	// Enter selects and shows; F2 opens the inspector on the text.
	p.key(kb.ArrowLeft + "\r")
	p.wait(sel(node("step_b")) + `.getAttribute("aria-selected") === "true"`)
	p.picked("Thanks")
	p.key(kb.F2)
	p.wait(`document.activeElement?.dataset.path === "nodes[2].alias"`)
	p.openOutline()
	p.atRow("Thanks")

	// Connect from the row, without using the canvas.
	p.key("c")
	p.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
	p.key("endi")
	p.wait(`document.querySelectorAll("dialog [data-act=connect]").length === 1`)
	p.key("\r")
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === "$ending"`)
	p.atRow("Thanks, Step, leads to Ending")

	// Connect a rule's way from the rule.
	p.key(kb.ArrowUp)
	p.atRow("Otherwise, leads to Ending")
	p.key(kb.ArrowUp)
	p.atRow("Work e-mail equals")
	p.key("c")
	p.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
	p.key("endi")
	p.wait(`document.querySelectorAll("dialog [data-act=connect]").length === 1`)
	p.key("\r")
	p.wait(sel(`[data-edge="router_a:rule:rule_1"]`) + `?.dataset.target === "$ending"`)
	p.atRow("Work e-mail equals a@b.c, Rule, leads to Ending")
	p.wait(row("Thanks, Step, leads to Ending, not reached from the start"))
	p.key("z", chromedp.ModifierCtrl)
	p.wait(row("Work e-mail equals a@b.c, Rule, leads to Thanks"))

	// Reorder, delete, and move to the row that takes the place.
	eval[any](p, row("Work e-mail, Email")+`.focus()`)
	p.key(kb.Home + kb.ArrowDown + kb.ArrowDown)
	p.atRow("Work e-mail")
	p.key(kb.ArrowDown, chromedp.ModifierAlt)
	p.wait(row("Work e-mail, Email") + `?.getAttribute("aria-posinset") === "2"`)
	p.atRow("Work e-mail")
	p.key(kb.ArrowUp, chromedp.ModifierAlt)
	p.wait(row("Work e-mail, Email") + `?.getAttribute("aria-posinset") === "1"`)
	p.key(kb.Delete)
	p.wait(`!` + row("Work e-mail, Email"))
	p.atRow("Continue")
	p.key("z", chromedp.ModifierCtrl)
	p.wait(row("Work e-mail, Email"))

	// Move on the canvas, by the grid.
	p.key(kb.Home + kb.ArrowDown)
	p.atRow("Details")
	was := eval[string](p, placeOf("step_a"))
	p.key(kb.ArrowRight, chromedp.ModifierCtrl)
	p.wait(placeOf("step_a") + ` !== ` + js(was))
	p.key("z", chromedp.ModifierCtrl)
	p.wait(placeOf("step_a") + ` === ` + js(was))
	p.atRow("Details")

	// Copy and paste several nodes, duplicate them, delete them.
	p.key(kb.ArrowDown, chromedp.ModifierShift)
	p.atRow("Which way?")
	p.picked("Details", "Which way?")
	p.key(kb.ArrowUp, chromedp.ModifierShift)
	p.picked("Details")
	p.key(kb.End)
	p.key(kb.ArrowUp + kb.ArrowUp + kb.ArrowUp)
	p.atRow("Thanks")
	p.key(" ", chromedp.ModifierCtrl)
	p.picked("Details", "Thanks")
	p.shoot("outline-several")
	p.key(" ", chromedp.ModifierCtrl)
	p.picked("Details")
	p.copyKey("c") // copies the focused row, which is not selected
	p.picked("Thanks")
	p.wait(`document.querySelector(".toast")?.textContent.startsWith("Copied")`)
	p.copyKey("v")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.wait(`document.activeElement?.getAttribute("aria-label") === "Thanks, Step, leads to Ending, not reached from the start, 1 warning" && document.activeElement.getAttribute("aria-selected") === "true"`)
	p.key("d", chromedp.ModifierCtrl)
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 4`)
	p.key(kb.Delete)
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.wait(`document.activeElement?.getAttribute("role") === "treeitem"`)
	p.key(kb.End + kb.ArrowUp + kb.ArrowUp + kb.ArrowUp)
	p.atRow("Thanks, Step, leads to Ending, not reached")
	p.copyKey("x")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 2`)
	p.atRow("Ending")

	// Add a node after the focused one, and rejoin the ends.
	p.openOutline()
	p.key(kb.Home + kb.ArrowDown)
	p.atRow("Details")
	p.key("n")
	p.wait(`document.activeElement?.getAttribute("role") === "menuitem"`)
	p.key("r")
	p.wait(`document.querySelectorAll("[data-kind=ROUTER]").length === 2`)
	p.wait(`document.activeElement?.getAttribute("aria-label")?.includes("Router, leads to Which way?")`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(`document.querySelectorAll("[data-kind=ROUTER]").length === 1`)
	p.key(kb.Home + kb.ArrowDown)
	p.atRow("Details")
	p.key(kb.Delete)
	p.wait(row("Start, leads to Which way?"))
	p.atRow("Which way?")
	p.key("z", chromedp.ModifierCtrl)
	p.wait(row("Start, leads to Details"))

	// A press shows the node, the arrow closes it, Ctrl with a press adds one to the
	// selection.
	p.clickOn(row("Thanks") + `.firstChild`)
	p.wait(sel(node("step_b")) + `.getAttribute("aria-selected") === "true"`)
	p.clickOn(row("Details") + `.querySelector(".twisty")`)
	p.wait(`!` + row("Work e-mail, Email"))
	p.picked("Thanks")
	p.key("s", chromedp.ModifierCtrl)
	p.wait(`["saved", "dirty"].includes(document.querySelector("[data-save-state]").dataset.saveState)`)
	p.wait(whole(".outline .nth + .grow"))
	p.shots("outline")
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// With a thousand nodes, a key in the outline redraws only the changes.
func TestOutlineOfThousandNodes(t *testing.T) {
	nightly(t) // app/ui/outline tests the places of rows (TestOutlineHeights); only here: how much of the page a key changes
	t.Parallel()
	s := shared(t)
	const gridNodes = 1000
	id := s.create(gridForm(gridNodes))
	p := s.tab()
	p.editor(s, id)
	p.openOutline()
	p.key("*")
	p.wait(row("Step 0, Step"))
	if n := eval[int](p, `document.querySelectorAll("[role=treeitem]").length`); n > 120 {
		t.Errorf("%d rows are in the document", n)
	}
	// However many rows there are, a press changes only the visible ones: the cost depends
	// on how much of the document it touches.
	touched := func(key, mods string, times int) int {
		return evalAsync[int](p, `(async () => { let most = 0;
			for (let i = 0; i < `+strconv.Itoa(times)+`; i++) {
				const seen = new MutationObserver(() => {});
				seen.observe(document.querySelector("[role=tree]"), {subtree: true, childList: true, attributes: true, characterData: true});
				document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: `+js(key)+`, bubbles: true, cancelable: true`+mods+`}));
				most = Math.max(most, seen.takeRecords().length);
				seen.disconnect();
				await new Promise(r => requestAnimationFrame(r));
			}
			return most; })()`)
	}
	for _, k := range []struct {
		name, key, mods string
		times           int
	}{
		{"down", "ArrowDown", "", 40},
		{"up", "ArrowUp", "", 40},
		{"end", "End", "", 1},
		{"home", "Home", "", 1},
		{"Shift and down", "ArrowDown", ", shiftKey: true", 20},
		{"Enter", "Enter", "", 10},
		{"a letter", "s", "", 10},
		{"open all", "*", "", 5},
	} {
		const most = 400 // about sixty rows are drawn, with a few changes each
		if n := touched(k.key, k.mods, k.times); n > most {
			t.Errorf("%s changes the document in %d places, want at most %d", k.name, n, most)
		}
	}
	p.key(kb.End)
	p.atRow("Ending")
	if !eval[bool](p, `(r => r.top >= 48 && r.bottom <= innerHeight)(document.activeElement.getBoundingClientRect())`) {
		t.Error("the last row has the focus but is not visible")
	}
	p.shoot("outline-thousand")
	eval[any](p, `document.querySelector(".tab-panel").scrollTop = 0`)
	p.wait(row("Start"))
	if !eval[bool](p, `document.activeElement === `+row("Ending")) {
		t.Error("a scroll takes the focus away")
	}
}

// A file imported in the editor replaces the form in one step; an invalid file is
// explained and changes nothing.
func TestImportHere(t *testing.T) {
	nightly(t) // app/ui/transfer tests it (TestFileIsShownOrImported, TestIncomingFlows); TestImport imports a file into the list
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(`{"name":"Before","nodes":[{"id":"old","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[{"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"$ending"}}],"start":{"next_node":"old"},"ending":{"resume_flow":true}}`)
	p := browse(t)
	p.editor(s, id)
	choose := func(name, text string) {
		t.Helper()
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.wait(find("button", "Import"))
		p.do(chromedp.SetUploadFiles(chromedp.CSS("#import-file"), []string{file}))
	}
	choose("bad.json", `{"name":"","nodes":[{"id":"a","type":"LOOP"}]}`)
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("bad.json") && document.querySelector("dialog").textContent.includes("ust not be empty")`)
	p.shots("bad-file")
	p.press("button", "Close")
	p.wait(`!document.querySelector("dialog")`)
	p.saveState("saved")
	p.wait(sel(node("old")))

	choose("good.json", `{"version":"4.0.0","form":`+threeNodes+`,"flows":{},"connections":{}}`)
	p.wait(sel(node("router_a")) + ` && !` + sel(node("old")))
	p.saveState("dirty")
	p.press("button", "Compare with before")
	p.wait(differs("router_a", "added"))
	p.key(kb.Escape)
	p.wait(`!` + sel("[data-compare]"))
	p.press("tab", "History")
	p.wait(`document.querySelector(".history [data-act=jump]")?.textContent.includes("Imported good.json")`)
	p.press("button", "Undo")
	p.wait(sel(node("old")) + ` && !` + sel(node("router_a")))
	p.saveState("saved")
	p.press("button", "Redo")
	p.wait(sel(node("router_a")))
	p.press("button", "Save")
	p.saveState("saved")
	form := s.form(id)
	if form["name"] != "Contact" || form["id"] != id {
		t.Errorf("saved is %v with the id %v, want Contact with %s", form["name"], form["id"], id)
	}
	choose("empty.json", "")
	p.wait(`document.querySelector(".toast")?.textContent.includes("empty.json is empty")`)

	// The same file, chosen again, has no changes.
	choose("good.json", threeNodes)
	p.wait(`document.querySelector(".toast")?.textContent.includes("same form")`)
	p.saveState("saved")

	// An export's flows get the ids of flows with the same name; the page reports the
	// others.
	choose("flows.json", `{"version":"4.0.0","form":{"name":"Promoted","start":{"next_node":"f"},"nodes":[
		{"id":"f","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"g"}},{"id":"g","type":"FLOW","config":{"flow_id":"#FLOW-2#","next_node":"$ending"}}]},
		"flows":{"#FLOW-1#":{"name":"Save account","actions":[]},"#FLOW-2#":{"name":"Not here","actions":[]}},"connections":{}}`)
	p.wait(`document.querySelector(".toast")?.textContent.includes("1 flow was not found")`)
	p.wait(`document.querySelector(".banner")?.textContent.includes("you do not have")`)
	p.key("s", chromedp.ModifierCtrl)
	p.saveState("saved")
	if flow := at(s.form(id), "nodes", 0, "config", "flow_id"); flow == "#FLOW-1#" || flow == nil {
		t.Errorf("the flow is %v", flow)
	}
	// The remaining placeholder is a warning, and the tenant lists no actions to export.
	p.press("tab", "Problems")
	p.wait(`document.querySelector("[data-testid=problems]").textContent.includes("#FLOW-2#")`)
	p.press("button", "More")
	p.press("menuitem", "Export with flows")
	p.wait(`document.querySelector(".toast")?.textContent.includes("does not list the actions of 2 flows")`)
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}
