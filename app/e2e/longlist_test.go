//go:build e2e && !js

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/model/formtest"
	"github.com/formgraph/formgraph/model/schema"
)

// In a large form, a pointer finds its node in a dialog. A person who cancels it sees what is chosen, as before.
func TestNodeIsFoundForAPointer(t *testing.T) {
	nightly(t) // app/ui/inspect and app/ui/connect test the rest; only here: what the button shows meanwhile
	s := shared(t)
	id := s.create(string(schema.Encode(formtest.Worst("types", 300).Tree())))
	p := s.tab()
	p.editor(s, id)
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.key("n0")
	p.wait(`document.querySelectorAll(".result").length === 1`)
	p.key("\r")
	const pointer = `document.querySelector('.right button[data-path="nodes[0].config.next_node"]')`
	p.wait(`!!` + pointer)
	find := func() {
		eval[any](p, pointer+`.focus()`)
		p.key("\r")
		p.wait(`document.activeElement?.id === "connect-filter"`)
	}
	find()
	p.wait(pointer + `.value === "n1"`)
	p.key("\x1b")
	p.wait(`!document.querySelector("dialog[open]")`)
	if got := eval[string](p, pointer+`.value`); got != "n1" {
		t.Errorf("after the dialog was canceled, the control shows %q", got)
	}
	find()
	p.key("n299")
	p.wait(`document.querySelectorAll(".targets li").length === 1`)
	p.key("\r")
	p.wait(pointer + `.value === "n299"`)
	p.press("button", "Save")
	p.saveState("saved")
	if got := at(s.form(id), "nodes", 0, "config", "next_node"); got != "n299" {
		t.Errorf("%v is saved", got)
	}
}
