//go:build e2e && !js

package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// noteKinds makes a page note the kinds of events to which its scripts and its program listen.
const noteKinds = `window.kinds = new Set();
	const add = EventTarget.prototype.addEventListener;
	EventTarget.prototype.addEventListener = function (kind, ...rest) { kinds.add(kind); return add.call(this, kind, ...rest); }`

// sendAll is an expression that sends an event of each of those kinds and of some others to the window, the document, its element and the texts in
// it, whole and bare, and returns how many it sent.
const sendAll = `(() => {
	const classes = {
		PointerEvent: "pointerdown pointermove pointerup pointercancel pointerenter pointerleave pointerover gotpointercapture lostpointercapture click auxclick contextmenu",
		MouseEvent: "mousedown mousemove mouseup mouseover dblclick", WheelEvent: "wheel", KeyboardEvent: "keydown keyup keypress",
		FocusEvent: "focus blur focusin focusout", ClipboardEvent: "copy cut paste", InputEvent: "beforeinput input",
		CompositionEvent: "compositionupdate compositionstart compositionend", DragEvent: "dragstart drag dragenter dragover dragleave drop dragend",
		TouchEvent: "touchstart touchmove touchend touchcancel", SubmitEvent: "submit", Event: "change scroll resize selectionchange cancel close",
	};
	const of = Object.fromEntries(Object.entries(classes).flatMap(([name, kinds]) => kinds.split(" ").map(kind => [kind, name])));
	const page = /^(message|messageerror|error|load|beforeunload|pagehide|pageshow|popstate|online|offline|visibilitychange|storage|DOMContentLoaded)$/;
	const targets = [window, document, document.documentElement];
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, t => t.parentElement.closest("button, a, [role^=menuitem]") ? 2 : 1);
	while (texts.nextNode() && targets.length < 40) targets.push(texts.currentNode);
	let sent = 0;
	for (const kind of new Set([...Object.keys(of), ...[...window.kinds ?? []].filter(kind => !page.test(kind))]))
		for (const target of targets)
			for (const Class of [window[of[kind]] ?? Event, Event]) {
				const init = {bubbles: true, cancelable: true, composed: true, clientX: 9, clientY: 9};
				target.dispatchEvent(new Class(kind, kind.startsWith("key") ? {...init, key: "ArrowDown"} : init));
				sent++;
			}
	return sent;
})()`

// standsAll sends all events in a state of a page, which must show ready before and after, and log no error.
func (p *page) standsAll(state, ready string) {
	p.t.Helper()
	p.wait(ready)
	p.mu.Lock()
	p.console = nil
	p.mu.Unlock()
	if sent := eval[int](p, sendAll); sent < 1000 {
		p.t.Errorf("%s: only %d events", state, sent)
	}
	evalAsync[bool](p, settled)
	p.wait(`!document.getElementById("app-wasm-loader") && !document.querySelector(".toast")?.textContent.includes("went wrong")`)
	p.mu.Lock()
	defer p.mu.Unlock()
	if all := strings.Join(p.console, "\n"); all != "" {
		p.t.Errorf("%s: %s", state, all)
	}
}

// Browsers, extensions and assistive tools send events to the document, the window and to texts, which are no elements. Whatever is sent, the editor
// goes on.
func TestEventsOfAnyTarget(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(composeForm)
	p := s.tab()
	p.before(noteKinds)
	p.editor(s, id)
	canvas := sel("[data-testid=canvas][data-ready=true]")
	p.standsAll("canvas", canvas)
	p.choose("ask")
	p.standsAll("inspector", sel(`[data-path="nodes[0].alias"]`))
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.standsAll("commands", canvas)
	p.open(s.Ready.Editor + "/forms/" + id)
	p.wait(canvas)
	p.languages()
	p.standsAll("languages", canvas)
	if testing.Short() {
		return
	}
	p.open(s.Ready.Editor + "/forms/" + id)
	p.wait(canvas)
	p.press("button", "Preview")
	p.standsAll("preview", sel("#preview-frame"))
	p.key(kb.Escape)
	for path, ready := range map[string]string{"/forms": sel("tr[data-form]"), "/account": sel("main"), "/admin": sel("main")} {
		p.open(s.Ready.Editor + path)
		p.standsAll(path, `!document.getElementById("app-wasm-loader") && `+ready)
	}
}
