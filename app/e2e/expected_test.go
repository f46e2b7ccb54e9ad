//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Texts are replaced by the keyboard, one by one or all at once, each time in one step that can be undone.
func TestReplace(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(strings.NewReplacer(`"alias":"Thanks"`, `"alias":"Details again"`, `"alias":"Which way?"`, `"alias":"Details or not"`).Replace(threeNodes))
	p := s.tab()
	p.editor(s, id)
	text := func(node, want string) {
		p.wait(sel(`[data-node="`+node+`"]`) + `.querySelector("b").textContent === ` + js(want))
	}
	const said = `document.querySelector(".replacing [role=status]").textContent`
	p.do(chromedp.KeyEvent("h", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.wait(`document.activeElement?.id === "search-text"`)
	p.key("details")
	p.wait(said + ` === "3 places in 3 texts"`)
	p.click("#replace-text")
	p.key("Facts")
	p.judge(axeScript(t), "axe-replace")
	p.shots("replace")
	p.key(kb.Enter)
	text("step_a", "Facts")
	text("step_b", "Details again")
	p.wait(said + ` === "2 places in 2 texts"`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	text("step_b", "Facts again")
	text("router_a", "Facts or not")
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog.search")`)
	p.press("button", "Undo")
	text("step_b", "Details again")
	text("router_a", "Details or not")
	text("step_a", "Facts")
	p.press("button", "Undo")
	text("step_a", "Details")
	p.saveState("saved")
}

// How a component looks and behaves is copied to another one by keys. What it says stays.
func TestCopyStyle(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(threeNodes, `"components":[`, `"components":[
		{"id":"town","category":"FIELD","type":"TEXT","label":"Town","config":{"max_length":9}},
		{"id":"street","category":"FIELD","type":"TEXT","label":"Street"},`, 1))
	p := s.tab()
	p.editor(s, id)
	p.choose("step_a")
	p.component("town")
	p.do(chromedp.KeyEvent("c", chromedp.KeyModifiers(chromedp.ModifierCtrl|chromedp.ModifierAlt)))
	p.said("Copied the style. Select components to paste it.")
	p.click(".link.back")
	p.component("street")
	p.do(chromedp.KeyEvent("v", chromedp.KeyModifiers(chromedp.ModifierCtrl|chromedp.ModifierAlt)))
	p.said("Pasted the style.")
	p.press("button", "Save")
	p.saveState("saved")
	got, err := json.Marshal(s.form(id))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(got), `"label":"Street"`) || strings.Count(string(got), `"max_length":9`) != 2 {
		t.Errorf("the style is not pasted: %s", got)
	}
}

// The list of forms has its keys and the preview of a form, and a form can be duplicated where it is edited.
func TestListKeysPreviewAndDuplicate(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(threeNodes, `"name":"Contact"`, `"name":"Contact to copy"`, 1))
	p := s.tab()
	p.arrive(s, "/forms", `document.querySelector("#search")`, s.First.Admin.Email, s.First.Admin.Password)
	p.key("?")
	p.wait(`document.querySelector("dialog.keys-here")?.textContent.includes("Search the forms")`)
	p.judge(axeScript(t), "axe-list-keys")
	p.shots("list-keys")
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog.keys-here")`)
	p.key("/")
	p.wait(`document.activeElement?.id === "search"`)
	p.press("button", "More for Contact to copy")
	p.press("menuitem", "Preview Contact to copy")
	p.wait(sel("[data-testid=preview]") + `?.dataset.state === "asking"`)
	p.wait(`location.pathname === ` + js("/forms/"+id) + ` && location.hash === ""`)
	p.press("button", "Close the preview")

	p.runCommand("Duplicate this form")
	p.said("“Copy of Contact to copy” was added.")
	p.press("button", "Open")
	p.wait(`location.pathname !== ` + js("/forms/"+id) + ` && document.title.startsWith("Copy of Contact to copy")`)

	// One page for what is not there, with the header of all pages.
	for _, path := range []string{"/forms/ap_none", "/nothing"} {
		p.open(s.Ready.Editor + path)
		p.wait(`/not found/i.test(document.body.innerText) && document.body.innerText.includes("All forms")`)
		p.shots("missing" + strings.ReplaceAll(path, "/", "-"))
	}
}
