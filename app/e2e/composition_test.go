//go:build e2e && !js

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// written is an expression for the controls that take a text with an input method and can be seen, in the open dialog if there is one, by name.
const written = `(() => {
	const within = [...document.querySelectorAll("dialog[open], [role=dialog]")].at(-1) ?? document, names = {};
	for (const e of within.querySelectorAll("input:not([type]), input[type=text], input[type=search], input[type=url], input[type=email], input[type=tel], textarea, [contenteditable=true]")) {
		const style = getComputedStyle(e), box = e.getBoundingClientRect();
		if (e.disabled || e.readOnly || !e.checkVisibility() || style.visibility !== "visible" || style.pointerEvents === "none" || box.width < 5 || e.closest("[inert]")) continue;
		const name = e.dataset.path || e.dataset.arg || e.id || e.getAttribute("aria-label") || e.name || e.placeholder;
		names[name] ??= e;
	}
	return names;
})()`

// around is an expression for what a key may change beside a text: the page and what is open. made is one for what can be made or sent: a search
// may show less of it.
const (
	around = `location.href + " " + document.querySelectorAll("dialog[open], [role=dialog], .popup").length`
	made   = `document.querySelectorAll("[data-node], [data-component], tr[data-form], tr [data-row], .cm-thread, [data-testid=versions] li, .sc-item, .rule").length`
)

// compose composes 日本 in a control of the page (see composeBy).
func (p *page) compose(where, name string) {
	p.t.Helper()
	p.composeBy(func(expression string) string { return eval[string](p, expression) }, where, name)
}

// composeBy composes 日本 in a control, in place of its text, as input methods do: with the keys that choose and leave, and with the Enter that ends
// it, which some browsers report only after the end. The text is there once, and nothing else has happened. The function evaluates an expression
// for a text where the control is: in the page or in the frame of its preview.
func (p *page) composeBy(ask func(expression string) string, where, name string) {
	p.t.Helper()
	one := written + `[` + js(name) + `]`
	if ask(`String(!!`+one+`)`) != "true" {
		p.t.Errorf("%s: %s is gone", where, name)
		return
	}
	ask(one + `.scrollIntoView({block: "nearest"}), ""`)
	ask(`(e => { e.focus(); if (e.select) e.select(); else getSelection().selectAllChildren(e); return ""; })(` + one + `)`)
	p.drawn()
	if ask(`String(!!(e => e?.dir === "auto" || e?.isContentEditable || e?.closest(".coded") || e?.dataset.code || ["email", "url", "tel"].includes(e?.type) || e && getComputedStyle(e).unicodeBidi === "plaintext")(`+one+`))`) != "true" {
		p.t.Errorf("%s: %s does not follow the direction of its text", where, name)
	}
	before := ask(around)
	least, _ := strconv.Atoi(ask(`String(` + made + `)`))
	key := func(kind input.DispatchKeyEventType, key string) {
		p.do(call(input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, Code: key, WindowsVirtualKeyCode: 229, NativeVirtualKeyCode: 229}))
	}
	for _, text := range []string{"n", "に", "にほん", "日本"} {
		key(input.DispatchKeyEventTypeRawKeyDown, "Process")
		n := int64(len([]rune(text)))
		p.do(call(input.ImeSetComposition, input.ImeSetCompositionParams{Text: text, SelectionStart: n, SelectionEnd: n}))
		for _, k := range []string{"ArrowDown", "ArrowUp", "Tab", "Backspace", "Escape", "/", "Enter"} {
			key(input.DispatchKeyEventTypeRawKeyDown, k)
		}
		p.drawn()
	}
	p.insert("日本") // ends the composition
	key(input.DispatchKeyEventTypeRawKeyDown, "Enter")
	key(input.DispatchKeyEventTypeKeyUp, "Enter")
	p.drawn()
	text := ask(`(e => e?.value ?? e?.textContent ?? "gone")(` + one + `)`)
	after := ask(around)
	most, _ := strconv.Atoi(ask(`String(` + made + `)`))
	if strings.TrimSpace(text) != "日本" || before != after || most > least || ask(`String(`+one+`=== document.activeElement)`) != "true" {
		p.t.Errorf("%s: %s holds %q; before %s, after %s; the focus is on %s", where, name, text, before, after,
			ask(`document.activeElement.outerHTML.slice(0, 200)`))
	}
}

// drawn waits until the page has shown what it makes of events.
func (p *page) drawn() {
	p.t.Helper()
	evalAsync[bool](p, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))`)
}

// composeAll composes in every control that can be seen, of which there are at least some, and returns how many there were.
func (p *page) composeAll(where string, least int) int {
	p.t.Helper()
	p.wait(fmt.Sprintf(`Object.keys(%s).length >= %d`, written, least))
	names := eval[[]string](p, `Object.keys(`+written+`)`)
	p.t.Logf("%s: %s", where, strings.Join(names, ", "))
	for _, name := range names {
		p.compose(where, name)
		if eval[bool](p, `document.activeElement.type === "search"`) { // what is shown again is composed in, too
			p.key("a", chromedp.ModifierCtrl)
			p.key(kb.Backspace)
			p.wait(fmt.Sprintf(`Object.keys(%s).length >= %d`, written, len(names)))
		}
	}
	return len(names)
}

// composeForm has what makes the inspector show controls of each sort.
const composeForm = `{"name":"Composed","languages":{"primary":"en"},"translations":{"de":{"components":{"mail":{"label":"E-Mail"}}}},
	"start":{"next_node":"ask","hidden_fields":[{"key":"ref","value":"x"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"r","components":[
		{"id":"intro","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Hello</p>"}},
		{"id":"terms","category":"FIELD","type":"LEGAL","label":"Terms","config":{"text":"I accept"}},
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
		{"id":"pick","category":"FIELD","type":"DROPDOWN","label":"Pick","config":{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}},
		{"id":"own","category":"FIELD","type":"CUSTOM","label":"Own","config":{"schema":{"type":"string"},"code":"function f() {\n}","css":"a { b: c }"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"r","type":"ROUTER","alias":"Which?","coordinates":{"x":600,"y":100},"config":{"rules":[
		{"id":"x","alias":"A rule","condition":{"operator":"EQ","operands":["{{fields.pick}}","a"]},"next_node":"$ending"}],"fallback":"$ending"}}]}`

// answeredForm has a control of each kind that people fill in with an input method, and a flow whose result is given by hand.
const answeredForm = `{"name":"Answered","start":{"next_node":"ask","hidden_fields":[{"key":"ref","value":"x"}]},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"f","components":[
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name"},
		{"id":"story","category":"FIELD","type":"TEXT","label":"Story","config":{"multiline":true}},
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
		{"id":"phone","category":"FIELD","type":"TEL","label":"Phone","config":{"country_picker":true}},
		{"id":"site","category":"FIELD","type":"URL","label":"Site"},
		{"id":"pick","category":"FIELD","type":"DROPDOWN","label":"Pick","config":{"options":[{"value":"a","label":"A"},{"value":"b","label":"B"}]}},
		{"id":"other","category":"FIELD","type":"CHOICE","label":"Other","config":{"options":[{"value":"a","label":"A"}],"allow_other":{"enabled":true,"label":"Other"}}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"f","type":"FLOW","alias":"Send","coordinates":{"x":600,"y":100},"config":{"flow_id":"af_flow_1","next_node":"$ending"}}]}`

// A word of Japanese is composed, and ended with Enter, in some controls that act on Enter: nothing but the word comes of it.
func TestComposition(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(composeForm)
	p := s.tab()
	p.open(s.Ready.Editor + "/forms")
	p.press("button", "New form")
	p.wait(`document.activeElement?.id === "form-name"`)
	p.compose("new form", "form-name")
	p.editor(s, id)
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.composeAll("commands", 1)
	p.key(kb.Escape)
	p.choose("ask")
	p.wait(sel(`[data-path="nodes[0].alias"]`))
	p.compose("step", "nodes[0].alias")
	p.languages()
	p.compose("languages", "translations.de.components.mail.label")
	p.saveState("dirty")
}

// A word of Japanese is composed in every text of every page.
func TestCompositionEverywhere(t *testing.T) {
	nightly(t) // TestComposition does the same in a few controls, web/jscheck for each key; a change of boot.js or of how keys are handled needs it
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data")) // its administrator gets a passkey
	s.furnish(1)
	id := s.create(composeForm)
	p := browse(t)
	p.device()
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	count := 0
	all := func(where string, least int) {
		t.Helper()
		count += p.composeAll(where, least)
	}

	p.press("button", "Add a passkey") // the sign-in is recent enough for it
	p.wait(`document.activeElement?.id === "method-name"`)
	all("passkey", 1)
	p.key(kb.Escape)
	p.open(s.Ready.Editor + "/forms")
	p.wait(sel("tr[data-form]"))
	p.press("button", "New form")
	p.wait(`document.activeElement?.id === "form-name"`)
	all("new form", 1)
	p.key(kb.Escape)
	p.wait(`!` + sel("dialog"))
	all("list", 1)
	p.open(s.Ready.Editor + "/forms")

	p.editor(s, id)
	all("editor", 2) // the search of components, and the form
	p.choose("ask")
	all("step", 1)
	for _, c := range []string{"intro", "terms", "mail", "pick", "own", "go"} {
		p.choose("ask")
		p.component(c)
		eval[any](p, `document.querySelectorAll(".fold[aria-expanded=false]").forEach(e => e.click()); 0`)
		all("component "+c, 1)
		p.back()
	}
	p.choose("r")
	eval[any](p, `document.querySelectorAll(".fold[aria-expanded=false]").forEach(e => e.click()); 0`)
	all("router", 2)
	p.runCommand("Form settings")
	eval[any](p, `document.querySelectorAll(".fold[aria-expanded=false]").forEach(e => e.click()); 0`)
	all("form", 2)
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	all("commands", 1)
	p.key(kb.Escape)

	p.fitView()
	x, y := p.middle(sel(part("mail")))
	p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	p.wait(sel(".cv-field") + ` === document.activeElement`)
	p.compose("name on the canvas", eval[string](p, sel(".cv-field")+`.getAttribute("aria-label")`))
	p.key(kb.Escape)

	p.languages()
	all("languages", 2)
	p.click("#desk [data-do=open][data-arg=add]")
	p.wait(sel("[role=dialog] input"))
	all("new language", 1)
	p.key(kb.Escape)
	p.press("tab", "Messages")
	p.wait(sel("#desk .ms-row"))
	all("messages", 2)
	p.press("tab", "Style")
	p.wait(sel("#desk iframe[sandbox]") + ` && ` + sel(`[data-path="style.css"]`))
	all("style", 2)
	p.press("tab", "Graph")
	if now := s.form(id)["name"]; now != "Composed" {
		t.Errorf("the form was saved as %v", now)
	}

	p.editor(s, s.create(threeNodes))
	p.saveAlias("Second")
	p.choose("step_a")
	p.key("M", chromedp.ModifierShift)
	p.wait(`document.activeElement?.id === "cm-new"`)
	all("comments", 1)
	p.press("tab", "History")
	p.wait(sel("[data-act=version-edit]"))
	p.clickOn(sel("[data-act=version-edit]"))
	p.wait(`document.activeElement?.id === "version-name"`)
	all("version", 2)

	p.fitView()
	p.rightClick(part("mail"))
	p.press("menuitem", "Move to another step…")
	p.wait(`document.activeElement?.id === "connect-filter"`)
	all("another step", 1)
	p.key(kb.Escape)
	p.press("button", "More")
	p.press("menuitem", "Share a link…")
	p.wait(sel(`[data-in=label]`))
	all("links", 1)
	p.key(kb.Escape)
	p.editor(s, id)
	p.key("?")
	p.wait(sel("dialog[open] input"))
	all("help", 1)
	p.key(kb.Escape)

	p.editor(s, s.create(answeredForm))
	p.runCommand("Test with scenarios")
	p.press("button", "Generate")
	p.press("button", "Rename “To the ending”")
	p.wait(`document.activeElement?.id === "scenario-name"`)
	p.compose("scenario", "scenario-name")
	p.key(kb.Escape)
	p.press("button", "Preview")
	p.at("ask", "asking")
	p.press("button", "Values and settings")
	all("values of the preview", 2)
	p.inPreview(`document.querySelectorAll("details").forEach(e => { e.open = true; }), ""`)
	for name := range strings.FieldsSeq(p.inPreview(`Object.keys(` + written + `).join(" ")`)) {
		p.composeBy(p.inPreview, "preview", name)
		count++
	}
	p.at("ask", "asking")

	p.open(s.Ready.Editor + "/forms")
	p.wait(sel("tr[data-form]"))
	file := filepath.Join(t.TempDir(), "export.json")
	if err := os.WriteFile(file, []byte(`{"version":"4.0.0","form":{"name":"Mailed","start":{"next_node":"ask"},"nodes":[{"id":"ask","type":"STEP","config":{"next_node":"$ending","components":[
		{"id":"c","category":"FIELD","type":"CUSTOM","label":"C","config":{"schema":{},"code":"x","params":{"connection_id":"#CONN-1#"}}}]}}]},
		"flows":{},"connections":{"#CONN-1#":{"name":"Mailer"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	eval[any](p, sel("#import-file")+`.dataset.dropped = "yes"; 0`) // as when a file is dropped, of which people are asked
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#import-file"), []string{file}))
	p.wait(sel("dialog input[data-flow]"))
	all("connections of a file", 1)

	for _, x := range places {
		p.admin(s, x.place)
		p.wait(x.ready)
		all(x.name, 0)
	}
	if count < 90 {
		t.Errorf("only %d controls were found", count)
	}
}
