//go:build e2e && !js

package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// The palette runs commands, the search goes to a match, the history jumps to a
// step, and tidying up is one step.
func TestCommands(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	open := func(key, text, results string) {
		t.Helper()
		p.key(key, chromedp.ModifierCtrl)
		p.wait(`document.activeElement?.id === "search-text"`)
		p.key(text)
		p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes(` + js(results) + `)`)
	}
	p.choose("step_b")
	// A pointer that rests where the list opens chooses nothing, and one that moves does.
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 720, 330))
	open("k", "node", "Add node: Step")
	p.wait(`document.querySelector(".result:hover")?.ariaSelected === "false"`)
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 722, 332))
	p.wait(`document.querySelector(".result:hover")?.ariaSelected === "true" && document.querySelectorAll(".result[aria-selected=true]").length === 1`)
	p.key("\u001b")
	p.wait(`!document.querySelector("dialog")`)
	open("k", "anro", "Add node: Router")
	p.shoot("palette")
	p.key("\r")
	p.wait(`!document.querySelector("dialog") && document.querySelectorAll("[data-kind=ROUTER]").length === 2`)

	open("f", "you", "Thank you")
	p.shoot("find")
	p.key("\r")
	p.wait(sel(`[data-path="nodes[2].config.components[0].config.content"]`))
	p.wait(`document.activeElement?.closest("fg-rich")?.parentElement.querySelector("[data-path]")?.dataset.path === "nodes[2].config.components[0].config.content"`)

	p.press("button", "Tidy up")
	p.press("tab", "History")
	p.wait(`[...document.querySelectorAll(".history [data-act=jump]")].map(e => e.querySelector(".grow").firstChild.textContent.split(/[:“]/)[0].trim()).join() === "Tidied up,Added router,Opened"`)
	p.shoot("history")
	p.clickOn(`[...document.querySelectorAll(".history [data-act=jump]")].at(-1)`)
	p.saveState("saved")
	p.wait(`document.querySelectorAll("[data-kind=ROUTER]").length === 1`)
	p.clickOn(`document.querySelector(".history [data-act=jump]")`)
	p.saveState("dirty")
	p.press("button", "Save")
	p.saveState("saved")
	form := s.form(id)
	place := func(i int) (x, y float64) {
		return at(form, "nodes", i, "coordinates", "x").(float64), at(form, "nodes", i, "coordinates", "y").(float64)
	}
	stepX, stepY := place(0)
	if x, y := place(1); x <= stepX && y <= stepY {
		t.Errorf("tidied up, the router is at %v, %v, neither right of the step before it at %v, %v nor in a line below", x, y, stepX, stepY)
	}
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// Nodes are copied as text through the system clipboard, into another form too,
// and a selection in a text field is copied as usual.
func TestClipboard(t *testing.T) {
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.mayPaste(s)
	p.choose("step_a")
	p.copyKey("c")
	p.wait(`document.querySelector(".toast")?.textContent.startsWith("Copied")`)
	text := evalAsync[string](p, `navigator.clipboard.readText()`)
	if !strings.Contains(text, `"Work e-mail"`) || !strings.Contains(text, `"step_a"`) {
		t.Errorf("the clipboard contains %s", text)
	}
	p.copyKey("v")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.copyKey("v")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 4`)
	p.press("button", "Undo")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.key("d", chromedp.ModifierCtrl)
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 4`)
	p.copyKey("x")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.press("button", "Save")
	p.saveState("saved")

	other := s.create(`{"name":"Other"}`)
	p.editor(s, other)
	p.click(".empty-hint p")
	p.copyKey("v")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 1`)
	p.press("button", "Save")
	p.saveState("saved")
	if label := at(s.form(other), "nodes", 0, "config", "components", 0, "label"); label != "Work e-mail" {
		t.Errorf("the pasted component is called %v", label)
	}
	s.send(http.MethodGet, s.Ready.Tenant+"/api/v2/forms/"+other, "", s.token(), "", http.StatusOK)
}

// mayPaste permits the editor's pages to read the clipboard without a prompt.
func (p *page) mayPaste(s *server) {
	p.t.Helper()
	p.do(call(browser.SetPermission, browser.SetPermissionParams{
		Permission: &browser.PermissionDescriptor{Name: "clipboard-read"}, Setting: browser.PermissionSettingGranted,
		Origin: s.Ready.Editor, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	}))
}

// copyKey presses Ctrl with c, x or v as the browser's own editing command.
func (p *page) copyKey(key string) {
	p.t.Helper()
	command := map[string]string{"c": "copy", "x": "cut", "v": "paste"}[key]
	p.do(chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl), func(k *input.DispatchKeyEventParams) { k.Commands = []string{command} }))
}
