//go:build e2e && !js

package e2e

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/foreigntest"
)

var editsEach = flag.Int("edits", 60, "how many edits each browser of TestTwoBrowsersLoseNothing makes")

// steps is the number of steps in the form of TestTwoBrowsersLoseNothing.
const raceSteps = 4

// raceForm returns a form with steps that each have an alias.
func raceForm() string {
	var nodes []string
	for i := range raceSteps {
		nodes = append(nodes, fmt.Sprintf(`{"id":"step_%d","type":"STEP","alias":"Begin %d","coordinates":{"x":%d,"y":0},"config":{"components":[
			{"id":"next_%d","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Go on"}}],"next_node":"$ending"}}`, i, i, i*340, i))
	}
	return `{"name":"Race","languages":{"primary":"en"},"nodes":[` + strings.Join(nodes, ",") + `],
		"start":{"next_node":"step_0","coordinates":{"x":-300,"y":0}},"ending":{"resume_flow":true,"coordinates":{"x":1500,"y":0}}}`
}

// rename is one edit: the alias of a step, and the text that it replaced.
type rename struct{ was, now string }

// racer is a browser that edits.
type racer struct {
	*page
	name    string
	edits   int
	pending []rename        // not acknowledged yet
	acked   []rename        // acknowledged by a save
	shown   strings.Builder // texts of conflicts that were shown
}

// edit renames a random step.
func (r *racer) edit(rng *rand.Rand) {
	r.t.Helper()
	i := rng.IntN(raceSteps)
	id := fmt.Sprintf("step_%d", i)
	r.click("[data-act=fit]") // a look at a conflict moves the view
	r.still()
	r.choose(id)
	path := fmt.Sprintf("nodes[%d].alias", i)
	r.wait(sel(`[data-path="` + path + `"]`))
	r.notes()
	was := eval[string](r.page, sel(`[data-path="`+path+`"]`)+`.value`)
	r.edits++
	now := fmt.Sprintf("%s%d", r.name, r.edits)
	r.fill(path, now)
	r.wait(sel(node(id)) + `.textContent.includes(` + js(now) + `)`)
	r.pending = append(r.pending, rename{was, now})
	r.notes()
}

// notes reads what the page says of conflicts beside its controls.
func (r *racer) notes() {
	r.t.Helper()
	r.shown.WriteString(eval[string](r.page, `[...document.querySelectorAll(".fork, .note-text, .flaw, .toast")].map((e) => e.textContent).join(" ")`) + "\n")
}

// decide settles a conflict of people who edit together, if there is one, and remembers its texts. It returns the command.
func (r *racer) decide(rng *rand.Rand) (act string) {
	r.t.Helper()
	r.notes() // they disappear when the conflict is selected
	eval[any](r.page, `document.querySelector(".fork-count")?.click(); 0`)
	evalAsync[bool](r.page, settled) // people decide about what they see
	r.notes()
	act = map[int]string{0: "take-fork", 1: "keep-fork"}[rng.IntN(2)]
	r.shown.WriteString(eval[string](r.page, `(() => {
		const fork = document.querySelector(".fork"), text = fork?.textContent ?? "";
		fork?.querySelector("[data-act=`+act+`]").click();
		return text;
	})()`) + "\n")
	evalAsync[bool](r.page, settled)
	r.notes()
	return act
}

// save saves until the tenant has accepted everything. It settles each conflict with a random side.
func (r *racer) save(rng *rand.Rand) {
	r.t.Helper()
	const asked, forked = `!!document.querySelector("dialog[open]")`, `!!document.querySelector(".fork-count")`
	for range 20 {
		until(time.Minute, func() bool {
			if !eval[bool](r.page, forked) {
				return true
			}
			r.decide(rng)
			return false
		}, func() { r.t.Fatalf("%s: conflicts are left", r.name) })
		if !eval[bool](r.page, asked) {
			r.press("button", "Save")
		}
		r.waitFor(time.Minute, asked+` || `+forked+` || ["saved", "error"].includes(document.querySelector("[data-save-state]").dataset.saveState)`)
		if eval[bool](r.page, forked) {
			continue
		}
		if !eval[bool](r.page, asked) {
			if eval[string](r.page, `document.querySelector("[data-save-state]").dataset.saveState`) == "error" {
				r.t.Fatalf("%s: not saved: %s", r.name, eval[string](r.page, `document.querySelector(".banner")?.textContent ?? ""`))
			}
			r.acked, r.pending = append(r.acked, r.pending...), nil
			return
		}
		r.shown.WriteString(eval[string](r.page, `document.querySelector("dialog[open]").textContent`) + "\n")
		for i := range eval[int](r.page, `document.querySelectorAll("dialog[open] .clash").length`) {
			if rng.IntN(2) == 0 {
				r.click(fmt.Sprintf(`[data-arg="%d theirs"]`, i))
			}
		}
		// If the other browser saves meanwhile, the next question follows at once.
		eval[any](r.page, `window.answered = false; document.querySelector("dialog[open]").addEventListener("close", () => window.answered = true); 0`)
		r.press("button", "Apply and save")
		r.wait(`window.answered`)
	}
	r.t.Fatalf("%s: still not saved after twenty tries", r.name)
}

// At a tenant without ETags two browsers edit one form. Every acknowledged edit is in the form at the end, was replaced by a person who saw
// it, or was shown as a conflict.
func TestTwoBrowsersLoseNothing(t *testing.T) {
	nightly(t) // server/remote tests it (TestNoAcknowledgedEditIsLost), server/bff tenants without ETags; TestConflict shows what both changed
	t.Parallel()
	s, tenant := abroad(t, foreigntest.Traits{Extra: true}, true)
	id := tenant.Add(raceForm())
	rng := rand.New(rand.NewPCG(1, 2))
	var racers []*racer
	for _, name := range []string{"A", "B"} {
		r := &racer{page: browse(t), name: name}
		r.enterAbroad(s, "/forms/"+id)
		r.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
		r.press("button", "Fit view")
		r.still()
		racers = append(racers, r)
	}
	for racers[0].edits < *editsEach || racers[1].edits < *editsEach {
		r := racers[rng.IntN(2)]
		if r.edits < *editsEach {
			r.edit(rng)
		}
		if rng.IntN(3) == 0 {
			r.save(rng)
		}
	}
	for _, r := range racers {
		r.save(rng)
	}
	seen := map[string]bool{} // replaced by somebody who saw it, or at the end
	conflicts := racers[0].shown.String() + racers[1].shown.String()
	for i := range raceSteps {
		alias, _ := at(tenant.Form(id), "nodes", i, "alias").(string)
		seen[alias] = true
	}
	for _, r := range racers {
		for _, e := range r.acked {
			seen[e.was] = true
		}
	}
	acked := 0
	for _, r := range racers {
		for _, e := range r.acked {
			acked++
			if !seen[e.now] && !strings.Contains(conflicts, e.now) {
				t.Errorf("%s, which replaced %s, was acknowledged and is lost", e.now, e.was)
			}
		}
	}
	if acked != 2**editsEach {
		t.Errorf("%d edits were acknowledged, want %d", acked, 2**editsEach)
	}
	t.Logf("%d edits, %d bytes of conflicts", acked, len(conflicts))
}
