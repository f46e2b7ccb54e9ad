//go:build e2e && !js

package e2e

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// reader makes a person who may only read forms, and opens a form as that person.
func (s *server) reader(id string) *page {
	s.t.Helper()
	const email, password = "reader@example.com", "long enough 1"
	user := s.api("POST", "/users", map[string]any{"email": email, "name": "Rea", "password": password}, http.StatusCreated)
	person, _ := user["user_id"].(string)
	s.send("POST", s.Ready.Tenant+"/api/v2/users/"+person+"/permissions", "application/json", s.token(),
		`{"permissions":[{"permission_name":"read:forms","resource_server_identifier":`+js(s.Ready.Tenant+"/api/v2/")+`}]}`, http.StatusCreated)
	p := browse(s.t)
	p.arrive(s, "/forms/"+id, `document.querySelector("[data-testid=canvas][data-ready=true]")`, email, password)
	p.fitView()
	return p
}

// Somebody who may only read forms sees everything and changes nothing: each way of editing is off or absent.
func TestReadersChangeNothing(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir()+"/data")
	id := s.create(spoken)
	before := s.form(id)
	p := s.reader(id)
	nodes := eval[int](p, `document.querySelectorAll("#canvas [data-kind=STEP]").length`)
	unchanged := func(after string) {
		t.Helper()
		evalAsync[bool](p, settled)
		if state := eval[string](p, `document.querySelector("[data-save-state]").dataset.saveState`); state != "saved" {
			t.Errorf("after %s the form is %s", after, state)
		}
		if n := eval[int](p, `document.querySelectorAll("#canvas [data-kind=STEP]").length`); n != nodes {
			t.Errorf("after %s there are %d steps, not %d", after, n, nodes)
		}
	}
	off := func(what, expression string) {
		t.Helper()
		if !eval[bool](p, expression) {
			t.Errorf("%s can be used", what)
		}
	}
	p.wait(`document.querySelector("[data-save-state]").innerText.includes("Read-only")`)
	p.shots("reader")
	p.judge(axeScript(t), "axe-reader")
	off("Save", `!`+find("button", "Save"))
	off("Undo", `!`+find("button", "Undo"))
	off("Add node", `!`+find("button", "Add node"))
	off("Tidy up", `!`+find("button", "Tidy up"))
	off("Import", `!`+find("button", "Import"))
	off("the name", `document.querySelector("[data-path=name]").readOnly`)
	if title := eval[string](p, `document.querySelector("[data-save-state]").title`); title != "Your account may not change forms." {
		t.Errorf("the bar explains %q", title)
	}
	off("the form's name without room", `(e => e.scrollWidth > e.clientWidth)(document.querySelector("[data-path=name]")) === false`)
	p.wait(`document.querySelector("[data-testid=outline]")`)
	p.press("tab", "Components")
	p.wait(`document.querySelector("[data-testid=palette]")`)
	off("the palette", `(all => all.length > 20 && all.every(e => e.disabled))([...document.querySelectorAll("[data-testid=palette] button[data-bring]")])`)
	off("the palette without a word why", `document.querySelector("[data-testid=palette]").innerText.includes("may not change it")`)

	// The canvas and its keys.
	step := eval[string](p, `document.querySelector("#canvas [data-kind=STEP]").dataset.node`)
	place := eval[string](p, placeOf(step))
	x, y := p.grip(step)
	p.drag(x, y, x+120, y+80)
	unchanged("a drag of a card")
	if now := eval[string](p, placeOf(step)); now != place {
		t.Errorf("the card is at %s, was at %s", now, place)
	}
	p.choose(step)
	for _, key := range []string{kb.Delete, "n", "c", "e", kb.F2, "m"} {
		p.key(key)
		unchanged("the key " + key)
		p.key(kb.Escape)
	}
	for _, key := range []string{"d", "x", "z", "s"} {
		p.key(key, chromedp.ModifierCtrl)
		unchanged("Ctrl and the key " + key)
	}
	p.key(kb.ArrowRight, chromedp.ModifierCtrl)
	unchanged("Ctrl and an arrow")
	p.mayPaste(s)
	eval[bool](p, `(document.querySelector("#canvas").dispatchEvent(new ClipboardEvent("paste", {bubbles: true, cancelable: true,
		clipboardData: (d => { d.setData("text/plain", `+js(spoken)+`); return d; })(new DataTransfer())})), true)`)
	unchanged("a paste")

	// The inspector.
	p.choose(step)
	p.wait(sel("[data-testid=inspector] [data-path]"))
	off("a control of the inspector", `(all => all.length > 0 && all.every(e => e.disabled || e.readOnly))([...document.querySelectorAll("[data-testid=inspector] :is(input, select, textarea)[data-path]")])`)
	p.wait(sel("[data-testid=inspector] [data-component]"))
	p.click("[data-testid=inspector] [data-component] button")
	p.wait(sel("[data-testid=inspector] [data-path]"))
	off("a control of a component", `(all => all.length > 0 && all.every(e => e.disabled || e.readOnly))([...document.querySelectorAll("[data-testid=inspector] :is(input, select, textarea)[data-path]")])`)
	eval[bool](p, `(e => { if (e) { e.readOnly = e.disabled = false; e.value = "forced"; for (const n of ["input", "change", "focusout"]) e.dispatchEvent(new Event(n, {bubbles: true})); } return true; })(
		document.querySelector("[data-testid=inspector] :is(input, textarea)[data-path]"))`)
	unchanged("an event of a control that is off")

	// Menus and commands.
	p.rightClick(node(step))
	p.wait(`document.querySelector("[role=menu]")`)
	names := eval[string](p, `[...document.querySelectorAll("[role=menuitem]")].map(e => e.innerText).join("|")`)
	for _, word := range []string{"Delete", "Cut", "Paste", "Duplicate", "Edit", "Move", "Change", "Connect"} {
		for name := range strings.SplitSeq(names, "|") {
			if strings.HasPrefix(name, word) && !strings.HasPrefix(name, "Changed ") {
				t.Errorf("the menu of a step offers %q", name)
			}
		}
	}
	p.shots("reader-menu")
	p.key(kb.Escape)
	p.press("button", "More")
	p.wait(`document.querySelector("[role=menu]")`)
	off("how the form is saved", `!document.querySelector("[data-act=choose-saving]")`)
	off("the line Import", `![...document.querySelectorAll("[role=menuitem]")].some(e => e.innerText.trim() === "Import")`)
	p.key(kb.Escape)
	p.upload("#import-file", "other.json", otherForm)
	p.wait(`document.querySelector("dialog[open]")`)
	off("a file in place of the form", `!`+find("button", "Replace this form's content")+` && !`+find("button", "Compare and take node by node"))
	p.press("button", "Cancel")
	unchanged("a chosen file")

	// The pages.
	for _, page := range []string{"Languages", "Messages", "Style"} {
		p.press("tab", page)
		p.wait(`document.querySelector("#desk [data-in], #desk [data-path]")`)
		off("a control of "+page, `(all => all.length > 0 && all.every(e => e.disabled || e.readOnly))([...document.querySelectorAll("#desk :is(input:not([type=search]):not([type=checkbox]), textarea)[data-path]")])`)
		if page == "Languages" {
			off("a table without texts", `getComputedStyle(document.querySelector("#desk .dk-text")).backgroundColor === "rgba(0, 0, 0, 0)"`)
		}
		p.shots("reader-" + strings.ToLower(page))
	}
	p.press("tab", "Graph")

	// What readers may do.
	p.press("tab", "History")
	p.wait(versionRows + `.length === 1`)
	off("Restore", `!document.querySelector("[data-act=version-restore], [data-act=version-edit]")`)
	p.clickOn(`document.querySelector("[data-testid=versions] li button")`)
	p.wait(sel(`[data-testid="compare"]`) + `?.textContent.includes("Nothing differs")`)
	off("Restore all", `!`+find("button", "Restore all"))
	p.key(kb.Escape)
	p.key("f", chromedp.ModifierCtrl)
	p.wait(sel("#search-text"))
	p.key(kb.Escape)
	p.press("button", "Preview")
	p.wait(sel(`[data-testid="preview"]`))
	p.fitView() // every step has an element
	unchanged("everything")
	if after := s.form(id); !reflect.DeepEqual(before, after) {
		t.Errorf("the form is %v, was %v", after, before)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.requests {
		if r.method != http.MethodGet && strings.Contains(r.url, "/bff/api/") {
			t.Errorf("%s %s was sent", r.method, r.url)
		}
	}
}
