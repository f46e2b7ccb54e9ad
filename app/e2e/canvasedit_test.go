//go:build e2e && !js

package e2e

import (
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const twoSteps = `{"name":"Two steps","languages":{"primary":"en"},"nodes":[
 {"id":"one","type":"STEP","coordinates":{"x":160,"y":0},"alias":"First","config":{"components":[
   {"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail","required":true},
   {"id":"name","category":"FIELD","type":"TEXT","label":"Name"},
   {"id":"rich","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Thank you</p>"}},
   {"id":"jump","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"which"}},
   {"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"two"}},
 {"id":"two","type":"STEP","coordinates":{"x":560,"y":0},"alias":"Second","config":{"components":[
   {"id":"age","category":"FIELD","type":"NUMBER","label":"Age"},
   {"id":"done","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}],"next_node":"which"}},
 {"id":"which","type":"ROUTER","coordinates":{"x":560,"y":260},"alias":"Which way?","config":{"rules":[
   {"id":"rule_1","alias":"Adults only","condition":{"operator":"AND","operands":[{"operator":"GTE","operands":["{{fields.age}}",18]}]},"next_node":"two"}],"fallback":"$ending"}}],
 "start":{"next_node":"one","coordinates":{"x":0,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":900,"y":280}}}`

// onTwoSteps opens the form twoSteps at 100 %.
func onTwoSteps(t *testing.T) (s *server, p *page, id string) {
	t.Helper()
	s = shared(t)
	id = s.create(twoSteps)
	p = s.tab()
	p.asItOpens(s, id)
	p.wait(sel("[data-testid=canvas]") + `.dataset.zoom === "1"`)
	p.still()
	return s, p, id
}

func part(id string) string { return `[data-node] [data-component="` + id + `"]` }

// rightClick presses and releases the right button over an element.
func (p *page) rightClick(selector string) {
	p.t.Helper()
	x, y := p.middle(sel(selector))
	p.rightClickAt(x, y)
}

func (p *page) rightClickAt(x, y float64) {
	p.t.Helper()
	p.do(chromedp.MouseClickXY(x, y, chromedp.ButtonRight))
}

// rows is an expression for the ids of the components on a step's card, in order.
func rows(node string) string {
	return `[...document.querySelectorAll('[data-node="` + node + `"] [data-component]')].map(e => e.dataset.component).join(" ")`
}

// The right button, a key, and the button of a card open the menu of what they are on. Its commands act on that, and the focus returns.
func TestContextMenu(t *testing.T) {
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	focused := func(name string) {
		t.Helper()
		p.wait(`document.activeElement?.getAttribute("aria-label") === ` + js(name))
	}
	onCanvas := func() {
		t.Helper()
		p.wait(`!document.querySelector(".menu.popup") && document.activeElement.id === "canvas"`)
	}
	p.rightClick(part("name"))
	focused("Edit")
	p.shots("menu-component")
	p.key(kb.End)
	focused("Delete")
	p.key("m")
	focused("Move up")
	p.key("\r")
	onCanvas()
	p.wait(rows("one") + ` === "name mail rich jump next"`)

	p.key(kb.ArrowDown, chromedp.ModifierAlt)
	p.wait(rows("one") + ` === "mail name rich jump next"`)
	p.key(kb.F10, chromedp.ModifierShift)
	focused("Edit")
	p.key(kb.Escape)
	onCanvas()

	// A component goes to another step by its name.
	p.rightClick(part("jump"))
	p.press("menuitem", "Move to another step…")
	p.wait(`document.activeElement?.id === "connect-filter"`)
	p.shoot("move-to")
	p.key("sec")
	p.key("\r")
	p.wait(rows("two") + ` === "age done jump"`)
	p.wait(sel(`[data-edge="two:jump:jump"]`) + `?.dataset.target === "which"`)
	p.press("button", "Undo")
	p.wait(rows("one") + ` === "mail name rich jump next"`)

	// The button of a card, whose menu has other items.
	x, y := p.grip("two")
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
	p.wait(sel(node("two") + " .cv-menu"))
	p.click(node("two") + " .cv-menu")
	p.wait(find("menuitem", "Delete without reconnecting"))
	p.wait(sel(node("two")) + `.getAttribute("aria-selected") === "true"`)
	p.press("menuitem", "Duplicate")
	p.wait(`document.querySelectorAll("[data-kind=STEP]").length === 3`)
	p.press("button", "Undo")

	// Empty canvas: a node is added where the menu was opened.
	p.wait(`document.querySelector(".editor").dataset.right === "open"`)
	p.still()
	at := eval[[]float64](p, `(() => { const r = `+sel(node("one"))+`.getBoundingClientRect(); return [r.left + 20, r.bottom + 120]; })()`)
	p.do(chromedp.MouseClickXY(at[0], at[1], chromedp.ButtonRight))
	p.wait(find("menuitem", "Paste here"))
	p.shots("menu-empty")
	p.press("menuitem", "Add router here")
	p.wait(`document.querySelectorAll("[data-kind=ROUTER]").length === 2 && document.activeElement.matches(".cv-field")`)
	p.key("\r")
	onCanvas()
	near := eval[float64](p, `(() => { const r = `+sel(`[data-kind=ROUTER]:not([data-node="which"])`)+`.getBoundingClientRect(); return Math.hypot(r.left - `+num(at[0])+`, r.top - `+num(at[1])+`); })()`)
	if near > 30 {
		t.Errorf("the router is %v pixels from where it was asked for", near)
	}
	p.do(chromedp.MouseClickXY(at[0]-60, at[1]+60, chromedp.ButtonRight))
	p.wait(find("menuitem", "Tidy up"))
	p.do(chromedp.MouseClickXY(at[0]-80, at[1]+60))
	p.wait(`!document.querySelector(".menu.popup")`)
}

// A label is edited on its card: Enter keeps it, Escape does not, Tab goes on to the next row, and what is marked up opens the inspector.
func TestLabelsInPlace(t *testing.T) {
	t.Parallel()
	_, p, _ := onTwoSteps(t)
	field := sel(".cv-field")
	twice := func(selector string) {
		t.Helper()
		x, y := p.middle(sel(selector))
		p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	}
	twice(part("name"))
	p.wait(field + `.value === "Name" && document.activeElement === ` + field)
	p.shots("label")
	p.key("Full name")
	p.key("\r")
	p.wait(field + `.hidden && document.activeElement.id === "canvas"`)
	p.wait(sel(part("name")) + `.textContent === "Full name"`)

	p.key(kb.F2)
	p.wait(`!` + field + `.hidden`)
	p.key("Nothing")
	p.key(kb.Escape)
	p.wait(field + `.hidden && ` + sel(part("name")) + `.textContent === "Full name"`)

	// The keys of the page work in the field, and what was typed is kept.
	p.key(kb.F2)
	p.wait(`!` + field + `.hidden`)
	p.key("Whole name")
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text" && ` + field + `.hidden && ` + sel(part("name")) + `.textContent === "Whole name"`)
	p.key(kb.Escape)
	p.wait(`!document.querySelector("dialog")`)
	p.press("button", "Undo")
	p.wait(sel(part("name")) + `.textContent === "Full name"`)

	// From the header on to the first rows; the third has markup.
	x, y := p.grip("one")
	p.do(chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	p.wait(field + `.value === "First"`)
	p.key("Begin")
	p.key(kb.Tab)
	p.wait(field + `.value === "Work e-mail"`)
	p.wait(sel(node("one")+" .cv-head b") + `.textContent === "Begin"`)
	p.key("E-mail")
	p.clickOn(sel(node("two")))
	p.wait(field + `.hidden && ` + sel(part("mail")) + `.textContent === "E-mail"`)
	twice(part("rich"))
	p.wait(`document.activeElement?.closest("fg-rich")?.parentElement.querySelector("[data-path]")?.dataset.path === "nodes[0].config.components[2].config.content"`)
	if text := eval[string](p, `document.querySelector(".cv-edges").closest(".cv-host").querySelector(".cv-field").hidden ? "hidden" : "open"`); text != "hidden" {
		t.Errorf("the field is %s", text)
	}
}

func num(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }

// A press just after a panel has gone, before the next frame, hits what was seen there.
func TestPressAsAPanelGoes(t *testing.T) {
	nightly(t) // only here: a press between a change of the layout and the next frame; a change in app/ui/canvas/listen_js.go needs it
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.editor(s, s.create(threeNodes))
	moved := eval[float64](p, `(() => {
		const host = document.getElementById("canvas"), left = host.getBoundingClientRect().x;
		const row = document.querySelector('`+node("step_a")+` [data-component="mail"]').getBoundingClientRect();
		const at = {clientX: row.x + row.width / 2, clientY: row.y + row.height / 2, pointerId: 1, pointerType: "mouse", isPrimary: true, bubbles: true};
		document.querySelector(".editor").dataset.left = "closed";
		const by = host.getBoundingClientRect().x - left;
		host.dispatchEvent(new PointerEvent("pointerdown", {...at, buttons: 1}));
		host.dispatchEvent(new PointerEvent("pointerup", at));
		return by;
	})()`)
	if moved == 0 {
		t.Fatal("the canvas has not moved")
	}
	p.wait(sel(`[data-path="nodes[0].config.components[0].label"]`))
}
