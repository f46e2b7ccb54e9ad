//go:build e2e && !js

package e2e

import (
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/session"
)

// awayTime is how long TestOfflineTogether stays offline between its edits. After an hour, the server has forgotten its messages, and the
// sessions have ended.
var awayTime = flag.Duration("together.away", 0, "how long TestOfflineTogether stays offline between its edits")

// A session ends while its page is offline. When the page is back online, it asks the person to sign in. After that, others see the edits, and
// nothing is saved yet.
func TestSessionEndsOffline(t *testing.T) {
	nightly(t) // TestOfflineTogether ends two sessions offline and signs in again
	t.Parallel()
	s := shared(t)
	id := s.create(raceForm())
	here, there := browse(t), browse(t)
	for _, p := range []*page{here, there} {
		p.editor(s, id)
	}
	here.wait(`!document.querySelector("[data-testid=presence]").hidden`)
	here.offline(true)
	here.wait(`document.querySelector("[data-save-state]").innerText.startsWith("Offline, ")`)
	here.fill("name", "Typed offline")
	here.endSession(s)
	here.offline(false)
	here.wait(find("button", "Sign in again"))
	here.wait(`document.querySelector("[data-save-state]").innerText === "1 change"`)
	here.shoot("session-ended-offline")
	here.signInAgain()
	there.wait(sel("[data-path=name]") + `.value === "Typed offline"`)
	there.fill("name", "Typed there")
	here.said("also changed “Name”. Yours stays until you decide.") // what was typed there arrives, and does not replace what was typed here
	here.saveState("dirty")
	if name := s.form(id)["name"]; name == "Typed offline" || name == "Typed there" {
		t.Errorf("the name is saved as %v", name)
	}
}

// Two browsers go offline until their sessions have ended, and edit the same form, in the same places and in different ones. When they are back
// online and signed in again, both have everything that was typed, either in the form or as a conflict at its place.
func TestOfflineTogether(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(raceForm())
	here, there := browse(t), browse(t)
	pages := []*page{here, there}
	for _, p := range pages {
		p.editor(s, id)
		p.fitView()
	}
	here.wait(`!document.querySelector("[data-testid=presence]").hidden`)
	here.fill("name", "Before") // both are in the room
	there.wait(sel("[data-path=name]") + `.value === "Before"`)
	for _, p := range pages {
		p.offline(true)
		p.wait(`document.querySelector("[data-testid=presence]").hidden`)
		p.wait(`document.querySelector("[data-save-state]").innerText.startsWith("Offline, ")`)
	}
	alias := func(p *page, step int, text string) {
		t.Helper()
		p.choose(fmt.Sprintf("step_%d", step))
		p.fill(fmt.Sprintf("nodes[%d].alias", step), text)
	}
	for i, p := range pages {
		name := string(rune('A' + i))
		alias(p, i, name+" alone")
		p.fitView() // the last steps are under the inspector
		alias(p, 2, name+" clashes")
		alias(p, 3, name+" clashes again")
		p.shoot("offline-" + name)
	}
	<-time.After(*awayTime) // being away is what the test is about
	for i, p := range pages {
		alias(p, i, string(rune('A'+i))+" at the end")
		if *awayTime < session.DefaultIdle {
			p.endSession(s)
		}
		p.offline(false)
	}
	for _, p := range pages {
		p.wait(`!document.querySelector("[data-save-state]").innerText.includes("Offline")`)
		p.signInAgain()
	}
	for _, p := range pages {
		p.card("step_0", "A at the end")
		p.card("step_1", "B at the end")
	}
	// The page that was late has both clashes, with both texts, and decides them differently.
	const forked = `!!document.querySelector(".fork-count")`
	until(20*time.Second, func() bool { return eval[bool](here, forked) || eval[bool](there, forked) }, func() { t.Fatal("no page has a conflict") })
	late, early, mine, theirs := here, there, "A", "B"
	if !eval[bool](here, forked) {
		late, early, mine, theirs = there, here, "B", "A"
	}
	for i, keep := range map[int]bool{2: true, 3: false} {
		late.choose(fmt.Sprintf("step_%d", i))
		late.wait(`!!document.querySelector(".fork")`)
		late.shoot(fmt.Sprint("offline-fork-", i))
		text := eval[string](late, `document.querySelector("aside.right").textContent`)
		if !strings.Contains(text, theirs+" clashes") {
			t.Errorf("the conflict does not show the text of %s: %s", theirs, text)
		}
		late.card(fmt.Sprintf("step_%d", i), mine+" clashes")
		button, want := "Take the other", theirs
		if keep {
			button, want = "Keep mine", mine
		}
		late.press("button", button)
		late.wait(`!document.querySelector(".fork")`)
		if keep { // nobody has saved what the other wrote, either
			early.choose(fmt.Sprintf("step_%d", i))
			early.wait(`!!document.querySelector(".fork")`)
			early.press("button", "Take the other")
			early.wait(`!document.querySelector(".fork")`)
		}
		for _, p := range pages {
			p.card(fmt.Sprintf("step_%d", i), want+" clashes")
		}
	}
	here.press("button", "Save")
	for _, p := range pages {
		p.saveState("saved")
	}
	t.Logf("offline for %v", *awayTime)
}
