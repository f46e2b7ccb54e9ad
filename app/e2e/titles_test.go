//go:build e2e && !js

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// drawnTitles lists, for the titles that can be seen in their cards, the size of the letters on the screen; for one that leaves its card, its text.
const drawnTitles = `(() => {
	const zoom = ` + zoomOf + `, list = [];
	for (const b of document.querySelectorAll(".cv-cards .cv-head b")) {
		const r = b.getBoundingClientRect(), h = b.parentNode.getBoundingClientRect(), c = b.closest("[data-node]").getBoundingClientRect();
		if (r.width === 0 || r.height === 0 || r.top >= h.bottom - 1) continue;
		const out = r.left < c.left - 1 || r.right > c.right + 1 || r.top < c.top - 1 || r.bottom > c.bottom + 1;
		list.push(out ? b.textContent + " leaves its card" : String(Math.round(parseFloat(getComputedStyle(b).fontSize) * zoom * 10) / 10));
	}
	return list;
})()`

// A title stands in its card at every zoom, never below eleven pixels, and where a card has no room for a few letters there is none.
func TestTitlesInTheirCards(t *testing.T) {
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.editor(s, s.create(fortyNodes()))
	p.fitView()
	for _, zoom := range sample(3, []float64{.44, .2, .1, .3, .46, .6, .8, 1}) {
		p.zoomTo(zoom)
		titles := eval[[]string](p, drawnTitles)
		for _, got := range titles {
			var size float64
			if n, _ := fmt.Sscan(got, &size); n == 0 || size < 10.8 || size > max(11.2, 13*zoom+.1) {
				t.Errorf("at %v a title: %s", zoom, got)
			}
		}
		if few := zoom < .17; few != (len(titles) == 0) {
			t.Errorf("at %v there are %d titles", zoom, len(titles))
		}
		p.shots(fmt.Sprintf("titles-%02.0f", 100*zoom))
	}
	if testing.Short() {
		return
	}
	p.editor(s, s.create(gridForm(200)))
	for _, zoom := range []float64{.1, .2, .3, .44} {
		p.zoomTo(zoom)
		p.shots(fmt.Sprintf("titles-far-%02.0f", 100*zoom))
	}
}

// The arrow keys lead from a node to its components and rules, each of which is announced by its name, kind and problem, and the keys for
// parts act on it. Escape leads back to the node.
func TestKeysReachRows(t *testing.T) {
	t.Parallel()
	s := shared(t)
	p := s.tab()
	id := s.create(`{"name":"Rows","start":{"next_node":"a"},"nodes":[
		{"id":"a","type":"STEP","alias":"About you","config":{"components":[
			{"id":"mail","category":"FIELD","type":"EMAIL","label":"Your mail","required":true},
			{"id":"phone","category":"FIELD","type":"TEL","label":"Your phone"},
			{"id":"on","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"On"}}],"next_node":"r"}},
		{"id":"r","type":"ROUTER","alias":"Which?","config":{"rules":[{"id":"one","alias":"First","next_node":"b",
			"condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","x"]}]}}],"fallback":"$ending"}},
		{"id":"b","type":"STEP","alias":"More","config":{"components":[
			{"id":"done","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}],"next_node":"$ending"}}]}`)
	p.editor(s, id)
	announced := func(want string) {
		t.Helper()
		p.wait(`document.getElementById(document.getElementById("canvas").getAttribute("aria-activedescendant"))?.matches("[aria-label=" + ` + js(js(want)) + ` + "], :has(> [aria-label=" + ` + js(js(want)) + ` + "])")`)
	}
	p.choose("a")
	announced("About you, step")
	p.key(kb.ArrowDown)
	announced("Your mail, Email, required")
	p.key(kb.ArrowDown)
	announced("Your phone, Phone")
	p.shots("rows-by-keys")
	p.key(kb.ArrowUp, chromedp.ModifierAlt)
	p.wait(`document.querySelector('[data-node="a"] .cv-row').dataset.component === "phone"`)
	announced("Your phone, Phone")
	p.key("\u001b")
	announced("About you, step")
	p.key(right)
	announced("Which?, router")
	p.key(kb.ArrowDown)
	announced("First, Your mail equals x, rule 1")
	p.key(right)
	announced("More, step")
	if v := p.axe(axeScript(t), accessible); len(v) > 0 {
		t.Errorf("%s", strings.Join(v, "; "))
	}
	p.choose("a")
	p.key(kb.ArrowDown + "\u007f")
	p.wait(`document.querySelectorAll('[data-node="a"] [data-component]').length === 2`)
	announced("About you, step")
	p.key("\u001b")
	p.wait(`!document.querySelector(".cv-card[aria-selected=true]")`)
}
