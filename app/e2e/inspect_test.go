//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const inspected = `{"name":"Inspected","start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"Ask","coordinates":{"x":200,"y":100},"config":{"next_node":"$ending","components":[
		{"id":"heard","category":"FIELD","type":"CHOICE","label":"How did you hear of us?","config":{"options":[
			{"value":"friend","label":"A friend"},{"value":"web_search","label":"Web search"}]}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`

// component opens a component of the first step, which is selected.
func (p *page) component(id string) {
	p.t.Helper()
	p.click(`.parts [data-component="` + id + `"] .part`)
	p.wait(sel(`.link.back`))
}

// whole returns the expression for whether an element shows all of its text.
func whole(selector string) string {
	return `(e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight)(document.querySelector("` + selector + `"))`
}

// Options are made with the keyboard, follow their labels, are marked as the default, and are pasted.
func TestOptionsAreMade(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(inspected)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.component("heard")
	const list = "nodes[0].config.components[0].config.options"
	value := func(path string) string { return sel(`[data-path="`+path+`"]`) + `?.value` }
	p.click(`[data-path="` + list + `[1].label"]`)
	p.key("\r")
	p.wait(`document.activeElement?.dataset.path === "` + list + `[2].label"`)
	p.key("Über uns")
	p.wait(value(list+"[2].value") + ` === "uber_uns"`)
	p.key("\r")
	p.wait(`document.activeElement?.dataset.path === "` + list + `[3].label"`)
	p.key(kb.Backspace)
	p.wait(`document.activeElement?.dataset.path === "` + list + `[2].label" && ` + `!` + sel(`[data-path="`+list+`[3].label"]`))
	p.clickOn(`document.querySelectorAll(".default-mark")[2]`)
	p.wait(value("nodes[0].config.components[0].config.default_value") + ` === "uber_uns"`)
	p.wait(whole(".who-is h2"))
	p.shots("options")
	p.press("button", "Paste many")
	p.wait(`document.activeElement?.id === "paste-many" && document.activeElement.value === "A friend\tfriend\nWeb search\nÜber uns\n"`)
	p.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.insert("A friend\nRadio, fm\nRadio, fm\nÜber uns\n")
	p.wait(`document.querySelectorAll(".coming li").length === 3 && document.querySelector(".paste .hint-text")?.textContent === "Line 3 repeats “Radio”; it is left out."`)
	p.shots("options-paste")
	p.press("button", "Use these 3")
	p.wait(value(list+"[1].value") + ` === "fm"`)
	p.wait(`document.activeElement?.dataset.act === "paste-open"`)
	// Several lines that are pasted into a label open the same.
	p.click(`[data-path="` + list + `[0].label"]`)
	eval[any](p, `(() => { const d = new DataTransfer(); d.setData("text/plain", "One\nTwo"); document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true})); return 0 })()`)
	p.wait(`document.activeElement?.id === "paste-many" && document.activeElement.value === "A friend\tfriend\nOne\nTwo\nRadio\tfm\nÜber uns\n"`)
	p.key(kb.Escape)
	p.wait(`!document.querySelector("#paste-many") && document.activeElement?.dataset.act === "paste-open"`)
	p.press("button", "Save")
	p.saveState("saved")
	component := at(s.form(id)["nodes"].([]any)[0], "config", "components", 0)
	if got := at(component, "config", "default_value"); got != "uber_uns" {
		t.Errorf("the default is %v", got)
	}
	var values string
	for _, o := range at(component, "config", "options").([]any) {
		values += at(o, "value").(string) + " "
	}
	if values != "friend fm uber_uns " {
		t.Errorf("the values are %s", values)
	}
}
