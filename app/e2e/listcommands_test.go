//go:build e2e && !js

package e2e

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Ctrl+K opens on the list of forms, with the commands of that page and the forms. A deleted form is brought back by Undo.
func TestListHasCommandsAndUndo(t *testing.T) {
	nightly(t) // app/ui/forms tests undo and key (TestDeletionIsUndone, TestKeyOfTheCommands), app/ui/search the rest (TestCommandsOfAPage)
	t.Parallel()
	script := axeScript(t)
	s := shared(t)
	s.create(`{"name":"Brought back","start":{"next_node":"a"},"nodes":[{"id":"a","type":"STEP","coordinates":{"x":0,"y":0},"config":{"components":[]}}]}`)
	p := s.tab()
	p.arrive(s, "/forms", `[...document.querySelectorAll(".form-link")].find(e => e.title === "Brought back")`, "", "")
	search := func(text, first string) {
		t.Helper()
		p.key("k", chromedp.ModifierCtrl)
		p.wait(`document.activeElement?.id === "search-text"`)
		p.key(text)
		p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes(` + js(first) + `)`)
	}
	search("new", "New form")
	p.judge(script, "list-commands")
	p.key("\r")
	p.wait(`document.activeElement?.id === "form-name"`)
	p.shots("new-form")
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog")`)

	row := `[...document.querySelectorAll("tr[data-form]")].find(r => r.textContent.includes("Brought back"))`
	was := eval[string](p, row+`.dataset.form`)
	p.clickOn(row + `.querySelector("[data-act=open-menu]")`)
	p.press("menuitem", "Delete Brought back")
	p.wait(sel("dialog"))
	p.shots("delete-form")
	p.clickOn(`document.querySelector("dialog [data-act=confirm]")`)
	p.wait(`!(` + row + `) && document.querySelector(".toast [data-act=undo-toast]")`)
	p.shots("deleted-form")
	p.press("button", "Undo")
	p.wait(row)
	now := eval[string](p, row+`.dataset.form`)
	if now == was {
		t.Errorf("the form is %s again, which the message denies", now)
	}
	if id := at(s.form(now), "nodes", 0, "id"); id != "a" {
		t.Errorf("the form came back with the node %v", id)
	}
	s.send(http.MethodGet, s.Ready.Tenant+"/api/v2/forms/"+was, "", s.token(), "", http.StatusNotFound)
	search("brought", "Brought back")
	p.key("\r")
	p.wait(sel(node("a")))
	p.do(chromedp.Focus("#canvas"))
	p.key("?", chromedp.ModifierShift)
	p.wait(`document.activeElement?.id === "help-filter"`)
	p.judge(script, "help")
	p.key("zoom")
	p.wait(`document.querySelectorAll("dialog .keys tr").length < 8`)
	p.shots("help-zoom")
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog")`)
	p.choose("$ending")
	p.shots("ending")
	p.choose("a")
	p.key(kb.F10, chromedp.ModifierShift)
	p.wait(menuOpen)
	p.shots("menu-node")
	p.press("menuitem", "Select and show")
	p.wait(find("menuitem", "Fit selection"))
	p.shots("menu-node-select")
	p.key(kb.Escape)
	p.wait(`!` + menuOpen)
}
