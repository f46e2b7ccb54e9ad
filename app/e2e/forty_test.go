//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// fortyNodes is a form of eight parts without coordinates. Each part has a step,
// a router with two rules, two steps and a flow.
func fortyNodes() string {
	const parts = 8
	var nodes []any
	for i := range parts {
		id := func(name string) string { return fmt.Sprint(name, i) }
		next := fmt.Sprint("ask", i+1)
		if i == parts-1 {
			next = "$ending"
		}
		rule := func(n, to, value string) any {
			return map[string]any{"id": id(n), "condition": map[string]any{
				"operator": "AND", "operands": []any{map[string]any{"operator": "EQ", "operands": []any{"{{fields." + id("answer") + "}}", value}}},
			}, "next_node": to}
		}
		step := func(name, alias, to string, fields ...any) any {
			fields = append(fields, map[string]any{"id": id(name + "_next"), "category": "BLOCK", "type": "NEXT_BUTTON", "config": map[string]any{"text": "Continue"}})
			return map[string]any{"id": id(name), "type": "STEP", "alias": fmt.Sprint(alias, " ", i+1), "config": map[string]any{"components": fields, "next_node": to}}
		}
		field := func(name, typ, label string) any {
			return map[string]any{"id": id(name), "category": "FIELD", "type": typ, "label": label, "required": true}
		}
		nodes = append(nodes,
			step("ask", "Question", id("route"), field("answer", "TEXT", "What brings you here today, in your own words?"), field("mail", "EMAIL", "Work e-mail")),
			map[string]any{"id": id("route"), "type": "ROUTER", "alias": fmt.Sprint("Which way? ", i+1), "config": map[string]any{
				"rules": []any{rule("yes", id("more"), "yes"), rule("no", id("less"), "no")}, "fallback": next,
			}},
			step("more", "More about you", id("run"), field("phone", "TEL", "Phone")),
			step("less", "A short one", next),
			map[string]any{"id": id("run"), "type": "FLOW", "alias": fmt.Sprint("Look it up ", i+1), "config": map[string]any{"flow_id": "af_1a2b3c", "next_node": next}},
		)
	}
	b, err := json.Marshal(map[string]any{"name": "Forty", "nodes": nodes, "start": map[string]any{"next_node": "ask0"}, "ending": map[string]any{"resume_flow": true}})
	if err != nil {
		panic(err)
	}
	return string(b)
}

// A form of forty nodes in typical use: fitted, at 100 % and at 20 %, with a
// connection, a refused one, a marquee and guides in progress. The test checks
// the screen; FORMGRAPH_SHOTS saves screenshots for inspection.
func TestForty(t *testing.T) {
	nightly(t) // TestMainJob and TestTouch draw the same parts, app/ui/canvas tests names and labels; only here: how forty cards look, in pictures
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(fortyNodes())
	for _, theme := range pictured() {
		p := browse(t)
		p.scheme(theme)
		p.editor(s, id)
		p.press("button", "Tidy up")
		p.saveState("dirty")
		p.wait(`!document.querySelector(".cv-gliding")`)
		p.press("button", "Fit view")
		p.still()
		p.wait(`document.querySelector(".cv-cards.cv-named")`)
		p.shoot("forty-fit-" + theme)

		p.goTo("Which way? 3", "route2")
		p.zoomTo(1)
		p.wait(`!document.querySelector(".cv-named, .cv-tiny")`)
		p.shoot("forty-100-" + theme)

		p.gesturesOfForty(theme)

		p.zoomTo(0.2)
		p.wait(`document.querySelector(".cv-cards.cv-named")`)
		p.shoot("forty-20-" + theme)
		for _, line := range p.console {
			t.Errorf("%s: console: %s", theme, line)
		}
	}
}

// goTo selects a node by name, using the search.
func (p *page) goTo(name, id string) {
	p.t.Helper()
	p.key("f", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.key(name)
	p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes(` + js(name) + `)`)
	p.key("\r")
	p.wait(sel(node(id)) + `?.getAttribute("aria-selected") === "true"`)
	p.still()
}

// zoomTo zooms about the middle of the canvas with the wheel and Ctrl.
func (p *page) zoomTo(want float64) {
	p.t.Helper()
	b := &bench{page: p}
	x, y := b.centre()
	for range 100 {
		z := b.zoomLevel()
		if math.Abs(z/want-1) < 0.01 {
			p.still()
			return
		}
		b.wheel(x, y, 0, max(-wheelNotch, min(wheelNotch, wheelOctave*math.Log2(z/want))), true)
		evalAsync[bool](p, settled)
	}
	p.t.Fatalf("the zoom is %v, want %v", b.zoomLevel(), want)
}

// gesturesOfForty starts gestures around the third router and cancels each with
// Escape.
func (p *page) gesturesOfForty(theme string) {
	p.t.Helper()
	hold := func(x, y, toX, toY float64) {
		p.do(
			chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y),
			chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		)
		const steps = 10
		for i := 1; i <= steps; i++ {
			f := float64(i) / steps
			p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x+(toX-x)*f, y+(toY-y)*f, chromedp.ButtonLeft))
		}
		evalAsync[bool](p, settled)
	}
	leave := func(x, y float64) {
		p.key("\x1b")
		p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)))
		p.wait(`!document.querySelector(".cv-line").getAttribute("d") && document.querySelector(".cv-marquee").hidden && !document.querySelector(".cv-guide")`)
	}
	// Away from the border, where a gesture would move the view.
	b := &bench{page: p}
	midX, midY := b.centre()
	b.wheel(midX, midY, 240, 0, false)
	p.still()
	x, y := p.middle(sel(`[data-handle="route2:rule:no2"]`))

	toX, toY := p.grip("less2")
	hold(x, y, toX, toY+30)
	p.wait(sel(node("less2")) + `.classList.contains("cv-target")`)
	p.shoot("forty-connect-" + theme)
	leave(toX, toY)

	free := eval[[]float64](p, `(() => {
		for (let y = 120; y < 700; y += 10) for (let x = 300; x < 700; x += 10)
			if ([[0, 0], [15, 0], [0, 15]].every(([a, b]) => !document.elementFromPoint(x + a, y + b).closest(".cv-card, .cv-mini, button, .panel"))) return [x, y];
	})()`)
	hold(free[0], free[1], free[0]+420, free[1]+300)
	p.wait(`!document.querySelector(".cv-marquee").hidden`)
	p.shoot("forty-marquee-" + theme)
	leave(free[0], free[1])

	// A few pixels from the line of another node, to which it snaps.
	aX, aY := p.grip("more2")
	bX, _ := p.grip("less2")
	hold(aX, aY, bX+3, aY-37)
	p.wait(`document.querySelector(".cv-guide")`)
	p.shoot("forty-guides-" + theme)
	leave(aX, aY)

	// Nothing can lead to the start.
	p.goTo("Question 1", "ask0")
	p.press("button", "Zoom out")
	p.press("button", "Zoom out")
	p.press("button", "Zoom out")
	p.still()
	x, y = p.middle(sel(`[data-handle="ask0:next"]`))
	toX, toY = p.grip("$start")
	hold(x, y, toX, toY)
	p.wait(`!document.querySelector(".cv-reason").hidden && document.querySelector(".cv-reason").textContent !== ""`)
	p.shoot("forty-refused-" + theme)
	leave(toX, toY)
}
