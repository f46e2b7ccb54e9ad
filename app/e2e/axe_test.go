//go:build e2e && !js

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// axeScript returns the source of axe, which finds violations of the accessibility rules on a page.
func axeScript(t *testing.T) string {
	t.Helper()
	script, err := os.ReadFile(os.Getenv("FORMGRAPH_AXE"))
	if err != nil {
		t.Fatal("FORMGRAPH_AXE names no script: run make e2e: ", err)
	}
	return string(script)
}

// No page violates an axe-core rule in either theme. FORMGRAPH_AXE is the path of the axe-core script, which make e2e installs.
func TestAxe(t *testing.T) {
	t.Parallel()
	script := axeScript(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	p := browse(t)
	check := func(name string) { t.Helper(); p.judge(script, "axe-"+strings.ReplaceAll(name, " ", "-")) }
	p.open(s.Ready.Editor + "/forms")
	p.wait(find("button", "Sign in"))
	check("signed out")
	p.press("button", "Sign in")
	p.wait(`document.querySelector("input[type=password]")`)
	check("sign-in")
	p.signIn(s)
	p.wait(`document.querySelector("[data-form]")`)
	check("list")
	p.press("button", "New form")
	p.wait(`document.querySelector("dialog[open]")`)
	check("new form")
	p.editor(s, id)
	check("editor")
	p.choose("router_a")
	p.wait(sel("[data-testid=inspector]") + `.textContent.includes("Router with 1 rule")`)
	p.press("tab", "Outline")
	check("router, outline")
	p.click(`[data-rule] .rule-name`)
	p.wait(sel("[data-rule] > .condition"))
	p.press("tab", "Problems")
	check("rule, warnings")
	p.press("tab", "Components")
	p.choose("step_a")
	p.press("button", "Payment")
	p.wait(sel(`[data-path="nodes[0].config.components[1].config.charge.type"]`))
	p.press("tab", "Problems")
	check("payment, problems")
	p.press("button", "More")
	p.press("menuitem", "Keyboard shortcuts")
	p.wait(`document.querySelector("dialog[open]")`)
	check("help")
	p.press("button", "Close")
	p.wait(`!document.querySelector("dialog")`)
	p.press("button", "Add node")
	p.wait(`document.querySelector("[role=menu]")`)
	check("add menu")
	p.key("\u001b")
	p.languages()
	check("languages")
	p.account(s, s.First.Admin.Email, s.First.Admin.Password)
	check("account")
	p.admin(s, "")
	check("administration")
}

// judge checks the page against the axe-core rules, checks that it does not overflow the window, and saves screenshots. Only colors depend on
// the theme: make nightly judges them in the dark theme too.
func (p *page) judge(script, name string) {
	p.t.Helper()
	themes := []string{"light", "dark"}
	if testing.Short() {
		themes = pictured()
	}
	p.inEach(themes, func(theme string) {
		rules := accessible
		if theme == "dark" {
			rules = contrast
		}
		for _, v := range p.axe(script, rules) {
			p.t.Errorf("%s, %s: %s", theme, name, v)
		}
		p.shoot(name + "-" + theme)
	})
	if over := eval[int](p, `Math.max(...[document.documentElement, document.querySelector("main")].map(e => e?.scrollWidth ?? 0)) - innerWidth`); over > 0 {
		p.t.Errorf("%s: the page is wider than the window by %d px", name, over)
	}
}

// The axe-core rules for WCAG 2.2 AA and best practices, and the rule about color contrast.
const (
	accessible = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	contrast   = `{type: "rule", values: ["color-contrast"]}`
)

// axe returns the page's violations of rules: one line for each rule, with the elements.
func (p *page) axe(script, rules string) []string {
	p.t.Helper()
	if !eval[bool](p, `!!window.axe`) {
		eval[any](p, script+";0")
	}
	// A control that fades from one color to another is briefly in neither.
	p.wait(`document.getAnimations().every(a => a.playState !== "running" || a.effect.getComputedTiming().iterations === Infinity)`)
	// Only violations are read, and no selectors.
	return evalAsync[[]string](p, `axe.run(document, {runOnly: `+rules+`, resultTypes: ["violations"], selectors: false}).then(r =>
		r.violations.map(v => v.id + ": " + v.help + "\n" + v.nodes.slice(0, 4).map(n => "    " + n.html.slice(0, 160) + "\n      " + (n.any.concat(n.all, n.none)[0] || {}).message).join("\n")))`)
}
