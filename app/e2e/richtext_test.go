//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const richForm = `{"name":"Rich","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"$ending","components":[
		{"id":"intro","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h2>Check your inbox</h2>\n<p>We sent a <B>code</B> to {{fields.mail}}.</p>\n<ul><li>One</li><li>Ask <a href=\"https://a.example/\">us</a></li><li>No {{fields.gone}}</li></ul>"}},
		{"id":"odd","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<table class=x><tr><td>a</table>"}},
		{"id":"terms","category":"FIELD","type":"LEGAL","label":"Terms","config":{"text":"I accept"}},
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail"},
		{"id":"own","category":"FIELD","type":"CUSTOM","label":"Own","config":{"schema":{"type":"string"},"code":"function customField() {\n}","css":"a { b: c }"}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`

// back goes from a component to its step.
func (p *page) back() {
	p.t.Helper()
	p.click(`.link.back`)
	p.wait(sel(`.parts`))
}

// Rich text is edited as it looks, and stays as it is until then.
func TestRichTextIsEdited(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(richForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	const content = "nodes[0].config.components[0].config.content"
	const html = `document.querySelector('[data-path="` + content + `"]').value`
	const area = `.rich-area[contenteditable=true]`
	// Opening and leaving changes nothing.
	p.component("intro")
	p.wait(sel(area + " h2"))
	p.click(area + " p")
	p.back()
	p.component("odd")
	p.wait(`document.querySelector(".lost")?.textContent === "The visual editor cannot show the attribute class, <table>, <tr>."`)
	if eval[bool](p, `!!document.querySelector("fg-rich")`) {
		t.Error("the visual editor shows a table")
	}
	p.back()
	p.saveState("saved")
	// Marks, a heading, a link, a variable and undo.
	p.component("intro")
	p.wait(sel(area + " h2"))
	// A variable has the icon and the name of its field. One that the form lacks is marked.
	p.wait(`[...document.querySelectorAll(".rich-chip")].map(c => c.textContent + c.querySelector("use")?.getAttribute("href") + c.classList.contains("unknown")).join() === "E-mail#i-mailfalse,fields.gone#i-warntrue"`)
	p.shots("rich")
	// On the clipboard, the variable is what it is in the HTML. Nothing is changed by a copy.
	p.click(area + " p")
	const clip = `(type, select) => {
		const range = document.createRange(), d = new DataTransfer();
		range.selectNodeContents(document.querySelector(select));
		getSelection().removeAllRanges();
		getSelection().addRange(range);
		document.activeElement.dispatchEvent(new ClipboardEvent(type, {clipboardData: d, bubbles: true, cancelable: true}));
		return d.getData("text/html") + " | " + d.getData("text/plain");
	}`
	for selector, want := range map[string]string{
		" p":             "We sent a <b>code</b> to {{fields.mail}}. | We sent a code to {{fields.mail}}.",
		" b":             "<b>code</b> | code",
		" ul":            "<ul><li>One</li><li>Ask <a href=\"https://a.example/\">us</a></li><li>No {{fields.gone}}</li></ul> | One\nAsk us\nNo {{fields.gone}}",
		" li:last-child": "No {{fields.gone}} | No {{fields.gone}}",
		"": "<h2>Check your inbox</h2>\n<p>We sent a <b>code</b> to {{fields.mail}}.</p>\n<ul><li>One</li><li>Ask <a href=\"https://a.example/\">us</a></li><li>No {{fields.gone}}</li></ul> | " +
			"Check your inbox\n\nWe sent a code to {{fields.mail}}.\n\nOne\nAsk us\nNo {{fields.gone}}",
	} {
		if got := eval[string](p, `(`+clip+`)("copy", `+js(area+selector)+`)`); got != want {
			t.Errorf("%q is copied as\n%q, want\n%q", selector, got, want)
		}
	}
	p.saveState("saved")
	eval[string](p, `(`+clip+`)("cut", `+js(area+" p")+`)`)
	p.wait(`!` + html + `.includes("We sent")`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(html + `.includes("We sent")`)
	p.click(area + " h2")
	p.key(kb.End)
	p.key(" now")
	p.wait(html + `.startsWith("<h2>Check your inbox now</h2>")`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(html + `.startsWith("<h2>Check your inbox</h2>\n<p>We sent a <B>")`)
	p.wait(sel(area+" h2") + `.textContent === "Check your inbox"`)
	select_ := func(text string) {
		t.Helper()
		eval[any](p, `(() => { const w = document.createTreeWalker(document.querySelector("`+area+`"), NodeFilter.SHOW_TEXT);
			while (w.nextNode()) { const i = w.currentNode.data.indexOf(`+js(text)+`); if (i >= 0) { document.querySelector("`+area+`").focus(); getSelection().setBaseAndExtent(w.currentNode, i, w.currentNode, i + `+js(text)+`.length); break; } } return 0; })()`)
	}
	select_("sent")
	p.key("i", chromedp.ModifierCtrl)
	p.wait(html + `.includes("We <i>sent</i> a <b>code</b> to {{fields.mail}}.")`)
	select_("inbox")
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.getAttribute("aria-label") === "Address of the link"`)
	p.key("javascript:alert(1)\r")
	p.wait(`document.querySelector(".rich-link [role=alert]")?.hidden === false`)
	if on := eval[string](p, `(b => [...document.querySelectorAll(".right :is(.rich-area, .hint-text)")].filter(e => { const c = e.getBoundingClientRect();
		return c.height > 0 && c.bottom > b.top + 1 && c.top < b.bottom - 1 }).map(e => e.textContent).join())(document.querySelector(".rich-link").getBoundingClientRect())`); on != "" {
		t.Errorf("the address of a link is asked for over %s", on)
	}
	if room := eval[float64](p, `(e => { const s = getComputedStyle(e), c = document.createElement("canvas").getContext("2d"); c.font = s.font;
		return e.clientWidth - parseFloat(s.paddingLeft) - parseFloat(s.paddingRight) - c.measureText("Heading 2").width })(document.querySelector(".rich-kind"))`); room < 0 {
		t.Errorf("the kind of text lacks %.1f px", -room)
	}
	p.shots("rich-link")
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.key("example.org/a?b=1\r")
	p.wait(html + `.includes('Check your <a href="https://example.org/a?b=1">inbox</a>')`)
	select_("One")
	eval[any](p, `getSelection().collapseToEnd()`)
	p.key(" {{context.user.na")
	p.wait(`document.querySelectorAll("[role=option].variable").length > 0`)
	p.shots("rich-variable")
	p.key("\r")
	p.wait(html + `.includes("<li>One {{context.user.name}}</li>")`)
	p.key("!")
	p.wait(html + `.includes("<li>One {{context.user.name}}!</li>")`)
	// Pasting keeps the marks that there are, and nothing else.
	eval[any](p, `(() => { const d = new DataTransfer(); d.setData("text/html", '<p style="color:red" onclick="x()">P <strong>s</strong><script>x()</scr' + 'ipt><img src=x> <a href="javascript:x()">j</a></p>'); document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true})); return 0 })()`)
	p.wait(html + `.includes("P <strong>s</strong> j") && !` + html + `.includes("script")`)
	// The source has a view of its own, and back.
	p.press("button", "Show the HTML")
	p.wait(`!document.querySelector("fg-rich")`)
	p.press("button", "Visual")
	p.wait(sel(area + " h2"))
	p.back()
	p.component("terms")
	p.wait(sel(area) + `?.textContent === "I accept"`)
	p.click(area)
	p.key(kb.End)
	p.key(" it")
	p.wait(sel(`[data-path="nodes[0].config.components[2].config.text"]`) + `.value === "I accept it"`)
	p.press("button", "Save")
	p.saveState("saved")
	saved := at(s.form(id)["nodes"].([]any)[0], "config", "components")
	if got := at(saved, 1, "config", "content"); got != `<table class=x><tr><td>a</table>` {
		t.Errorf("the table became %v", got)
	}
	if got := at(saved, 2, "config", "text"); got != `I accept it` {
		t.Errorf("the terms are %v", got)
	}
}

// In a narrow window, the button that applies the address of a link is in view when the address is asked for.
func TestLinkInANarrowWindow(t *testing.T) {
	nightly(t) // only here: the button of a link is in view in a narrow window; a change in inspect.css or richtext.js needs it
	t.Parallel()
	s := shared(t)
	id := s.create(richForm)
	p := s.tab()
	p.do(chromedp.EmulateViewport(390, 844))
	p.editor(s, id)
	p.choose("ask")
	p.component("intro")
	p.wait(sel(".rich-area h2"))
	p.click(".rich-area h2")
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.getAttribute("aria-label") === "Address of the link"`)
	p.wait(`(e => { const b = e.getBoundingClientRect(); return document.elementFromPoint(b.x + b.width / 2, b.bottom - 2) === e })(` + sel(".rich-link .primary") + `)`)
	p.shots("rich-link-390")
}

// Code is colored, indented, and says where it is wrong.
func TestCodeIsEdited(t *testing.T) {
	nightly(t) // web/jscheck tests it (code.js: colors, lines, keys), app/inspector the mistakes (TestMistakesInCode)
	t.Parallel()
	s := shared(t)
	id := s.create(richForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.component("own")
	const c = "nodes[0].config.components[4].config."
	value := func(name string) string { return sel(`[data-path="`+c+name+`"]`) + `.value` }
	p.wait(`document.querySelector(".code-word")?.textContent === "function"`)
	p.shots("code")
	p.click(`[data-path="` + c + `code"]`)
	eval[any](p, `document.activeElement.setSelectionRange(24, 24)`)
	p.key("\rif (a) {\rb\r}")
	p.wait(value("code") + ` === "function customField() {\n  if (a) {\n    b\n  }\n}"`)
	p.key("\t")
	p.wait(value("code") + `.endsWith("  }  \n}")`)
	for range 5 { // what is typed slowly is several steps
		p.key("z", chromedp.ModifierCtrl)
		if evalAsync[bool](p, settled) && eval[bool](p, value("code")+` === "function customField() {\n}"`) {
			break
		}
	}
	p.wait(value("code") + ` === "function customField() {\n}"`)
	p.key(kb.Escape)
	p.key("\t")
	p.wait(`document.activeElement?.dataset.path !== "` + c + `code"`)
	p.fill(c+"css", "a {")
	p.wait(`document.querySelector(".hint-text")?.textContent === "Line 1: there is no } for this {."`)
	p.press("button", "Show large: CSS")
	p.wait(`document.querySelector(".f.large textarea") && document.activeElement?.getAttribute("aria-label") === "Close the large view: CSS"`)
	p.shots("code-large")
	p.key(kb.Escape)
	p.wait(`!document.querySelector(".f.large")`)
	p.fill(c+"schema", "{")
	p.wait(`[...document.querySelectorAll("[role=alert]")].some(e => e.textContent.includes("line 1, column 2"))`)
	p.shots("code-wrong")
}
