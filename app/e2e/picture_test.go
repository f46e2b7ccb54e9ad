//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// The example forms open, fit, and have no problems. The first provides
// README's picture if FORMGRAPH_SHOTS is set.
func TestExamples(t *testing.T) {
	nightly(t) // server/templates, model/run/explore and app/graph/tidy test them; TestList lists them
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.do(chromedp.EmulateViewport(1720, 900))
	p.open(s.Ready.Editor + "/forms")
	p.press("button", "Sign in")
	p.signIn(s)
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	for i, id := range eval[[]string](p, `[...document.querySelectorAll("tr[data-form]")].map(e => e.dataset.form)`) {
		p.editor(s, id)
		if bad := eval[int](p, `[...document.querySelectorAll("[data-node]")].filter(e => e.dataset.problems !== "0").length`); bad > 0 {
			t.Errorf("example %d: %d nodes have problems", i, bad)
		}
		if router := eval[string](p, `document.querySelector("[data-kind=ROUTER]")?.dataset.node ?? ""`); router != "" {
			p.choose(router)
		}
		p.shoot("example-" + string(rune('1'+i)))
		if !eval[bool](p, `document.title.startsWith("Sign-up")`) {
			continue
		}
		p.press("tab", "Outline")
		p.wait(row("Is the code right?"))
		p.clickOn(row("Is the code right?") + ".firstChild")
		p.wait(sel("[data-testid=canvas]") + `.dataset.zoom > 0.6`)
		p.press("tab", "Components")
		p.wait(sel("[data-testid=palette]"))
		p.still()
		p.shoot("readme")
	}
}
