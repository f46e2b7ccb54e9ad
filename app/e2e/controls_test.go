//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const controlForm = `{"name":"Controls","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"$ending","components":[
		{"id":"pic","category":"BLOCK","type":"IMAGE","config":{"src":"https://example.org/a.png"}},
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name {{fields.nobody}}"},
		{"id":"skip","category":"BLOCK","type":"JUMP_BUTTON","config":{"text":"Skip","next_node":"$ending","style":{"background_color":"#1f7a4d"}}}]}}]}`

// Numbers follow the arrow keys within their bounds, a color says its contrast, and each message of a control is named by it.
func TestControlsSayWhatTheyTake(t *testing.T) {
	nightly(t) // app/inspector and app/ui/inspect test hints and steps; only here: arrow keys in a number, and which message describes a control
	t.Parallel()
	script := axeScript(t)
	s := shared(t)
	id := s.create(controlForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.component("pic")
	const height = "nodes[0].config.components[0].config.height"
	input := func(path string) string { return sel(`[data-path="` + path + `"]`) }
	p.wait(input(height) + `.placeholder === "1 to 500" && ` + input(height) + `.ariaValueMax === "500" && ` + input(height) + `.role === "spinbutton"`)
	p.judge(script, "numbers")
	p.do(chromedp.Focus(`[data-path="` + height + `"]`))
	p.key(kb.ArrowUp)
	p.wait(input(height) + `.value === "1"`)
	p.key(kb.ArrowUp, chromedp.ModifierShift)
	p.wait(input(height) + `.value === "11"`)
	p.key(kb.ArrowDown)
	p.wait(input(height) + `.value === "10" && ` + input(height) + `.ariaValueNow === "10" && document.activeElement === ` + input(height))
	p.fill(height, "501")
	described := func(path, role, text string) {
		t.Helper()
		p.wait(`(` + input(path) + `.getAttribute("aria-describedby") || "").split(" ").map((id) => document.getElementById(id)).some((m) => m?.role === ` + js(role) + ` && m.querySelector("svg") && m.textContent.includes(` + js(text) + `))`)
	}
	described(height, "alert", "500, is 501")
	p.press("button", "Reset Height")
	p.wait(input(height) + `.value === "" && ` + input(height) + `.getAttribute("aria-invalid") !== "true"`)
	p.back()
	p.component("name")
	described("nodes[0].config.components[1].label", "note", "No step asks for nobody.")
	p.back()
	p.component("skip")
	const color = "nodes[0].config.components[2].config.style.background_color"
	described(color, "note", "5.3:1 with white, 3.9:1 with black")
	p.judge(script, "controls")
	p.press("button", "Reset Background color")
	p.wait(input(color) + `.value === ""`)
}
