//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"
)

// typeAll enters each text into a control as a person would who pastes it, and returns the first text after which the page has run something,
// has an element that it should not have, or the control holds another text; "" for none. A control of one line drops line breaks.
func (p *page) typeAll(selector string, texts []string) string {
	p.t.Helper()
	return evalAsync[string](p, `(async () => {
		const frame = () => new Promise(requestAnimationFrame);
		for (const text of `+jsList(texts)+`) {
			const el = document.querySelector(`+js(selector)+`);
			if (!el) return "there is no control after " + text;
			el.focus();
			const fits = el.maxLength > 0 ? [...text].slice(0, el.maxLength).join("") : text;
			el.value = fits;
			const want = el.value;
			el.dispatchEvent(new InputEvent("input", {bubbles: true}));
			await frame();
			await frame();
			const now = document.querySelector(`+js(selector)+`);
			if ("hit" in window || document.querySelector("object, embed, base, body > style, .rich-area img, .rich-area script, .rich-area iframe, .rich-area svg:not(.rich-chip > .i)")) return text;
			if (now && now.value !== want) return text + " became " + now.value;
		}
		return "";
	})()`)
}

// TestHostileTextsAreTyped enters hostile texts into the controls that show what they hold in another way: rich text, code, colors, options,
// messages, translations, styles, searches. Nothing runs, and the tenant stores what was typed.
func TestHostileTextsAreTyped(t *testing.T) {
	nightly(t) // web/jscheck tests that texts stay texts in richtext.js, code.js and desk.js; TestHostileTexts shows them in every part
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(richForm, `"start":`, `"languages":{"primary":"en"},"translations":{"de":{"components":{"mail":{"label":"E-Mail"}}}},"start":`, 1))
	p := s.tab()
	p.before(`window.stopped = []; addEventListener("securitypolicyviolation", e => stopped.push(e.effectiveDirective + " " + e.blockedURI))`)
	p.editor(s, id)
	texts := hostileTexts()
	last := texts[1]
	texts = append(texts, last) // what is stored in the end
	judge := func(where, first string) {
		t.Helper()
		if first != "" {
			t.Errorf("%s: %s", where, first)
		}
		if stopped := eval[string](p, `stopped.splice(0).join("; ")`); stopped != "" {
			t.Errorf("%s: the policy blocked %s", where, stopped)
		}
	}
	const c = "nodes[0].config.components"
	input := func(path string) string { return `[data-path="` + path + `"]` }

	// The visual editor of rich text: as text and as markup from the clipboard.
	p.choose("ask")
	p.component("terms")
	p.wait(sel(`.rich-area[contenteditable=true]`))
	judge("rich text", evalAsync[string](p, `(async () => {
		const frame = () => new Promise(requestAnimationFrame);
		// A chip has an icon of ours.
		const icon = (e) => e.matches(".rich-chip > svg.i:first-child") ? e.getAttributeNames().join() === "class,aria-hidden" :
			e.matches(".rich-chip > svg.i > use:only-child") && e.getAttributeNames().join() === "href" && /^#i-[a-z]+$/.test(e.getAttribute("href"));
		const fine = (area) => ![...area.querySelectorAll("*")].some(e => !icon(e) && (
			!/^(P|H[1-6]|UL|OL|LI|STRONG|B|EM|I|A|CODE|BR|SPAN|DIV)$/.test(e.tagName) ||
			[...e.attributes].some(a => !/^(href|class|contenteditable|data-template)$/.test(a.name) && !(e.matches(".rich-chip") && /^(title|data-shown)$/.test(a.name))) ||
			/^\s*(javascript|data):/i.test(e.getAttribute("href") || "")));
		for (const text of `+jsList(texts)+`) {
			for (const kind of ["text/plain", "text/html"]) {
				let area = document.querySelector(".rich-area");
				area.focus();
				document.execCommand("selectAll");
				const data = new DataTransfer();
				data.setData(kind, text);
				if (!area.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}))) { await frame(); }
				await frame();
				area = document.querySelector(".rich-area");
				if (!area) return "after " + kind + " " + text + " no visual editor: " + document.querySelector('`+input(c+"[2].config.text")+`')?.value + " " + document.querySelector(".lost")?.textContent;
				if ("hit" in window || area && !fine(area)) return kind + " " + text + ": " + area.innerHTML;
			}
		}
		stopped = stopped.filter(x => x !== "script-src-attr inline"); // the browser judges handlers of markup that it only parses
		return "";
	})()`))
	p.press("button", "Show the HTML")
	judge("HTML of rich text", p.typeAll(input(c+"[2].config.text"), texts))
	p.back()

	p.component("own")
	for _, name := range []string{"code", "css", "schema"} {
		judge(name, p.typeAll(input(c+"[4].config."+name), texts))
	}
	p.fill(c+"[4].config.schema", `{"type":"string"}`)
	p.back()
	p.component("mail")
	for _, name := range []string{"label", "hint", "config.placeholder"} {
		judge(name, p.typeAll(input(c+"[3]."+name), texts))
	}
	p.back()

	// The name of the form is shown in the bar, the title and the list.
	p.runCommand("Form settings")
	p.wait(sel(input("name")))
	judge("name", p.typeAll(input("name"), texts))

	p.press("tab", "Languages")
	p.wait(sel("#desk .dk-text"))
	judge("translation", p.typeAll(`#desk [data-path="translations.de.components.mail.label"]`, texts))
	judge("search of texts", p.typeAll(`#desk input[type=search]`, texts))
	p.press("tab", "Messages")
	p.wait(sel("#desk .ms-row"))
	judge("message", p.typeAll(`#desk .ms-row textarea`, texts))
	p.press("tab", "Style")
	p.wait(sel("#desk iframe[sandbox]"))
	judge("CSS", p.typeAll(`#desk [data-path="style.css"]`, texts))
	p.press("tab", "Graph")

	judge("search of components", p.typeAll(`[data-testid=palette] input`, texts))
	p.key("k", 2)
	p.wait(sel("dialog[open] input"))
	judge("commands", p.typeAll(`dialog[open] input`, texts))
	p.key("\x1b")
	p.press("tab", "History")
	p.still()
	judge("history", "")

	p.press("button", "Save")
	p.saveState("saved")
	f := s.form(id)
	for path, want := range map[string]string{
		"text": at(f, "nodes", 0, "config", "components", 2, "config", "text").(string), "code": at(f, "nodes", 0, "config", "components", 4, "config", "code").(string),
		"css": at(f, "nodes", 0, "config", "components", 4, "config", "css").(string), "label": at(f, "nodes", 0, "config", "components", 3, "label").(string),
		"hint": at(f, "nodes", 0, "config", "components", 3, "hint").(string), "name": f["name"].(string), "style": at(f["style"], "css").(string),
		"translation": at(f["translations"], "de", "components", "mail", "label").(string),
	} {
		if want != last {
			t.Errorf("%s is stored as %q, want %q", path, want, last)
		}
	}
}

// jsList writes texts as a list in JavaScript.
func jsList(texts []string) string {
	list := make([]string, len(texts))
	for i, text := range texts {
		list[i] = js(text)
	}
	return "[" + strings.Join(list, ",") + "]"
}
