//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/model/waittest"
)

// journey is a person in a browser of some engine.
type journey struct {
	t testing.TB
	engine
	s     *server
	form  string
	other *page // another person, in Chromium
	label string
	shot  int
}

// engineForm is the form of a journey.
const engineForm = `{"name":"Journey","languages":{"primary":"en"},"translations":{"de":{"components":{"pass":{"label":"Kennwort"}}}},
	"start":{"next_node":"ask","coordinates":{"x":0,"y":20}},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":0},"config":{"next_node":"thanks","components":[
		{"id":"full","category":"FIELD","type":"TEXT","label":"Name","required":true},
		{"id":"pass","category":"FIELD","type":"PASSWORD","label":"Password","config":{"min_length":8,"complexity":true}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"thanks","type":"STEP","alias":"Thanks","coordinates":{"x":600,"y":0},"config":{"components":[
		{"id":"ok","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}]}}],
	"ending":{"resume_flow":true,"coordinates":{"x":1000,"y":20}}}`

// value evaluates an expression.
func value[T any](j *journey, expression string, inPreview bool) T {
	j.t.Helper()
	var v T
	b, err := j.eval(expression, inPreview)
	if err == nil && len(b) > 0 { // what is undefined has no value
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		j.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true in the page, or in the frame of the preview.
func (j *journey) wait(expression string, inPreview ...bool) {
	j.t.Helper()
	var got string
	until(30*time.Second, func() bool {
		b, err := j.eval("!!("+expression+")", len(inPreview) > 0)
		got = fmt.Sprintf("%s %v", b, err)
		return err == nil && string(b) == "true"
	}, func() {
		j.shoot("failed")
		at, _ := j.eval(`location.href + " " + document.activeElement?.outerHTML.slice(0, 200) + " " + document.body.innerText.slice(0, 1500)`, false)
		j.t.Fatalf("still not so after %v: %s (%s), at %s", waittest.Limit(30*time.Second), expression, got, at)
	})
}

func (j *journey) do(sources []source) {
	j.t.Helper()
	if err := j.act(sources); err != nil {
		j.t.Fatal(err)
	}
}

func (j *journey) goTo(path string) {
	j.t.Helper()
	if err := j.open(j.s.Ready.Editor + path); err != nil {
		j.t.Fatal(err)
	}
}

// spot returns a position on an element; see page.spot.
func (j *journey) spot(expression, at string) [2]float64 {
	j.t.Helper()
	j.wait(expression)
	found := value[reached](j, reachScript(expression, at, ""), false)
	if found.By != "" {
		j.shoot("failed")
		j.t.Fatalf("%s cannot be reached at %v: %s", expression, found.At, found.By)
	}
	return [2]float64{found.At[0], found.At[1]}
}

func (j *journey) clickOn(expression string) {
	j.t.Helper()
	j.do(mouse(j.spot(expression, middleOf)))
}

func (j *journey) press(role, name string) {
	j.t.Helper()
	j.clickOn(find(role, name))
}

// clickInPreview clicks an element in the frame of the preview.
func (j *journey) clickInPreview(selector string) {
	j.t.Helper()
	frame := j.spot(sel("#preview-frame"), `[r.x, r.y]`)
	scale := value[float64](j, sel("#preview-frame")+`.getBoundingClientRect().width`, false) / value[float64](j, `innerWidth`, true)
	in := value[[]float64](j, `(r => `+middleOf+`)(`+sel(selector)+`.getBoundingClientRect())`, true)
	j.do(mouse([2]float64{frame[0] + in[0]*scale, frame[1] + in[1]*scale}))
	j.wait(sel(selector)+` === document.activeElement`, true)
}

// fill replaces the text of a control by keys.
func (j *journey) fill(control, text string) {
	j.t.Helper()
	j.clickOn(control)
	j.wait(control + ` === document.activeElement`)
	j.do(typing(controlKey, "a"))
	j.do(typing("", text))
	j.wait(control + `.value === ` + js(text))
}

// grip is a position in the head of a node.
func (j *journey) grip(id string) [2]float64 {
	j.t.Helper()
	return j.spot(sel(node(id)), `[r.x + r.width / 2, r.y + 14 * Number(`+sel("[data-testid=canvas]")+`.dataset.zoom)]`)
}

// choose selects a node, and waits until the panel shows its name.
func (j *journey) choose(id, path string) {
	j.t.Helper()
	j.do(mouse(j.grip(id)))
	j.wait(sel(node(id)) + `.getAttribute("aria-selected") === "true" && ` + sel(`[data-path="`+path+`"]`))
}

// drag moves the pointer in steps with the left button pressed.
func (j *journey) drag(from, to [2]float64) {
	j.t.Helper()
	points := [][2]float64{from}
	const steps = 8
	for i := 1; i <= steps; i++ {
		f := float64(i) / steps
		points = append(points, [2]float64{from[0] + (to[0]-from[0])*f, from[1] + (to[1]-from[1])*f})
	}
	j.do(mouse(points...))
}

func (j *journey) saved(state string) {
	j.t.Helper()
	j.wait(sel("[data-save-state]") + `?.dataset.saveState === ` + js(state))
}

// shoot saves a picture of a step; see page.shoot.
func (j *journey) shoot(name string) {
	dir := os.Getenv(shotsFolder)
	if dir == "" {
		return
	}
	_, _ = j.eval(`new Promise(done => setTimeout(done, 300))`, false) // for people: what moves has come to rest
	b, err := j.picture()
	if err == nil {
		j.shot++
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("engine-%s-%02d-%s.png", j.label, j.shot, strings.ReplaceAll(name, " ", "-"))), b, 0o600)
	}
	if err != nil {
		j.t.Error(err)
	}
}

// alias is the control of the name of a step.
func alias(i int) string { return sel(fmt.Sprintf(`[data-path="nodes[%d].alias"]`, i)) }

// steps are the parts of a journey, in their order.
var steps = []struct {
	name string
	do   func(j *journey)
}{
	{"sign in", func(j *journey) {
		j.goTo("/bff/login?return_to=/forms")
		j.wait(sel("input[type=password]"))
		j.fill(sel("input[type=email]"), j.s.First.Admin.Email)
		j.fill(sel("input[type=password]"), j.s.First.Admin.Password)
		j.do(typing("", enterKey))
		j.wait(`location.pathname === "/forms" && !document.getElementById("app-wasm-loader")`)
	}},
	{"list", func(j *journey) { j.wait(sel("tr[data-form] a")) }},
	{"open", func(j *journey) {
		j.clickOn(sel(`tr[data-form="` + j.form + `"] a`))
		j.wait(sel("[data-testid=canvas][data-ready=true]"))
		j.wait(sel(node("ask")))
		j.press("button", "Fit view")
	}},
	{"drag", func(j *journey) {
		from := j.grip("thanks")
		j.drag(from, [2]float64{from[0] + 20, from[1] + 120})
		j.saved("dirty")
		to := j.grip("thanks")
		if to[1]-from[1] < 60 {
			j.t.Fatalf("the node went from %v to %v", from, to)
		}
	}},
	{"connect", func(j *journey) {
		j.drag(j.spot(sel(`[data-handle="thanks:next"]`), middleOf), j.spot(sel(node("$ending")), middleOf))
		j.wait(sel(`[data-edge="thanks:next"]`) + `?.dataset.target === "$ending"`)
	}},
	{"edit", func(j *journey) {
		j.choose("ask", "nodes[0].alias")
		j.fill(alias(0), "Who are you?")
		j.wait(sel(node("ask")) + `.textContent.includes("Who are you?")`)
		const wide = `(id => parseFloat(getComputedStyle(document.querySelector('[data-edge="' + id + '"]')).strokeWidth))`
		j.wait(wide + `("ask:next") > ` + wide + `("thanks:next")`) // that of what is selected
	}},
	{"undo", func(j *journey) {
		j.press("button", "Undo")
		j.wait(sel(node("ask")) + `.textContent.includes("Ask") || ` + alias(0) + `.value !== "Who are you?"`)
		j.press("button", "Redo")
		j.wait(sel(node("ask")) + `.textContent.includes("Who are you?")`)
	}},
	{"any target", func(j *journey) {
		if sent := value[int](j, sendAll, false); sent < 1000 {
			j.t.Fatalf("only %d events", sent)
		}
		value[bool](j, settled, false)
		j.wait(`!document.getElementById("app-wasm-loader") && !document.querySelector(".toast")?.textContent.includes("went wrong")`)
	}},
	{"preview", func(j *journey) {
		j.press("button", "Preview")
		j.wait(`document.querySelector("[data-step]")?.dataset.step === "ask"`, true)
		// No rule of the password is ticked before somebody types.
		const ticks = `[...document.querySelectorAll(".fg-password-rules li")].map(li => getComputedStyle(li.querySelector(".fg-icon")).display !== "none").join()`
		j.wait(ticks+` === "false,false,false,false,false"`, true)
		j.shoot("preview empty")
		j.clickInPreview(`[data-field="full"] input`)
		j.do(typing("", "Ada"))
		j.wait(`document.querySelector('[data-field="full"] input').value === "Ada"`, true)
		j.clickInPreview(`[data-field="pass"] input`)
		j.do(typing("", "Ab3!"))
		j.wait(ticks+` === "false,true,true,true,true"`, true)
		j.do(typing("", "long"))
		j.wait(ticks+` === "true,true,true,true,true"`, true)
		j.shoot("preview filled")
		j.do(typing("", enterKey))
		j.wait(`document.querySelector("[data-step]")?.dataset.step === "thanks"`, true)
		j.wait(sel(node("thanks")) + `.dataset.current === "true"`)
		j.press("button", "Close the preview")
	}},
	{"languages", func(j *journey) {
		j.press("tab", "Languages")
		cell := sel(`#desk [data-path="translations.de.components.full.label"]`)
		j.clickOn(cell)
		j.do(typing("", "Vorname"))
		j.wait(cell + `.value === "Vorname"`)
		j.do(typing("", enterKey))
		j.press("tab", "Graph")
	}},
	{"save", func(j *journey) {
		j.do(typing(controlKey, "s"))
		j.saved("saved")
		saved := j.s.form(j.form)
		if at(saved, "nodes", 0, "alias") != "Who are you?" || at(saved, "translations", "de", "components", "full", "label") != "Vorname" {
			j.t.Fatalf("saved: %v", saved)
		}
	}},
	{"conflict", func(j *journey) {
		j.s.patch(j.form, `{"name":"Their name"}`)
		j.do(typing("", escapeKey))
		j.wait(sel("[data-path=name]"))
		j.fill(sel("[data-path=name]"), "My name")
		j.press("button", "Save")
		j.wait(sel("dialog[open]") + `?.textContent.includes("Their name")`)
		j.shoot("conflict asked")
		j.press("button", "Apply and save")
		j.saved("saved")
		if name := j.s.form(j.form)["name"]; name != "My name" {
			j.t.Fatalf("saved as %v", name)
		}
	}},
	{"live", func(j *journey) {
		j.other.editor(j.s, j.form)
		j.other.choose("thanks")
		j.other.fill("nodes[1].alias", "Thank you")
		j.wait(sel(node("thanks")) + `.textContent.includes("Thank you")`)
		j.choose("ask", "nodes[0].alias")
		j.fill(alias(0), "And you?")
		j.other.wait(sel(node("ask")) + `.textContent.includes("And you?")`)
	}},
	{"versions", func(j *journey) {
		j.do(typing(controlKey, "s"))
		j.saved("saved")
		j.press("tab", "History")
		j.wait(versionRows + `.length >= 3`)
	}},
	{"touch and pen", func(j *journey) {
		for _, kind := range []string{"touch", "pen"} {
			before := j.grip("thanks")
			j.pointer(kind, before, [2]float64{before[0] + 10, before[1] + 60})
			j.wait(fmt.Sprintf(`Math.abs(%s.getBoundingClientRect().y - %v) > 20 || `+sel("[data-testid=canvas]")+`.dataset.zoom === "0"`, sel(node("thanks")), before[1]-14))
		}
	}},
	{"account", func(j *journey) {
		j.goTo("/account")
		j.wait(`!document.getElementById("app-wasm-loader") && document.querySelector(".card")`)
		j.shoot("account page")
		j.press("button", "Change password")
		j.wait(sel("dialog[open] input[type=password]"))
		j.shoot("account password")
		j.do(typing("", escapeKey))
		j.wait(`!` + sel("dialog"))
	}},
}

// pointer presses, moves and lifts a finger or a pen by events, since no two drivers have both.
func (j *journey) pointer(kind string, from, to [2]float64) {
	j.t.Helper()
	value[any](j, fmt.Sprintf(`(() => {
		const from = [%v, %v], to = [%v, %v], target = document.elementFromPoint(...from);
		const send = (type, [x, y], buttons) => (document.elementFromPoint(x, y) ?? target).dispatchEvent(new PointerEvent(type, {bubbles: true,
			cancelable: true, composed: true, isPrimary: true, pointerId: 7, pointerType: %q, button: type === "pointermove" ? -1 : 0, buttons, clientX: x, clientY: y}));
		send("pointerdown", from, 1);
		for (let i = 1; i <= 8; i++) send("pointermove", from.map((v, k) => v + (to[k] - v) * i / 8), 1);
		send("pointerup", to, 0);
	})()`, from[0], from[1], to[0], to[1], kind), false)
}

// The main journey in three engines, on plain http and with TLS. Each step needs the ones before.
func TestEngines(t *testing.T) {
	nightly(t) // the tests of the gate do all of it in Chromium; a change of cookies, policies, style sheets or scripts needs it
	type result struct{ label, done, failed string }
	var all []result
	for _, transport := range [][]string{nil, {"--tls-local"}} {
		label := "http"
		if transport != nil {
			label = "TLS"
		}
		for name, start := range map[string]func(testing.TB) engine{"Chromium": newChromium, "Firefox": newFirefox, "WebKit": newWebkit} {
			r := result{label: name + " " + label, failed: "all"}
			t.Run(name+"/"+label, func(t *testing.T) { r.done, r.failed = travel(t, start, transport...) })
			all = append(all, r)
		}
	}
	var table strings.Builder
	for _, r := range all {
		fmt.Fprintf(&table, "\n%-14s passed: %s; failed: %s", r.label, r.done, r.failed)
	}
	t.Log(table.String())
}

// travel makes a journey, and returns the names of its steps that passed, and of the one that did not.
func travel(t *testing.T, open func(testing.TB) engine, args ...string) (done, failed string) {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	j := &journey{t: t, engine: open(t), s: start(t, data, args...)}
	j.label = strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestEngines/"), "/", "-")
	ctx, cancel := launch(chromedp.Flag("ignore-certificate-errors", true))
	t.Cleanup(cancel)
	j.other = newPage(ctx, t)
	j.form = j.s.create(engineForm)
	var names []string
	for _, s := range steps {
		if !t.Run(s.name, func(t *testing.T) {
			j.t, j.s.t, j.other.t = t, t, t
			s.do(j)
			j.shoot(s.name)
		}) {
			return strings.Join(names, ", "), s.name
		}
		names = append(names, s.name)
	}
	return strings.Join(names, ", "), "none"
}
