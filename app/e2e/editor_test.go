//go:build e2e && !js

package e2e

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/model/realforms"
)

const threeNodes = `{"name":"Contact","languages":{"primary":"en"},"nodes":[
 {"id":"step_a","type":"STEP","coordinates":{"x":200,"y":0},"alias":"Details","config":{"components":[
   {"id":"mail","category":"FIELD","type":"EMAIL","label":"Work e-mail","required":true},
   {"id":"next","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}],"next_node":"router_a"}},
 {"id":"router_a","type":"ROUTER","coordinates":{"x":600,"y":0},"alias":"Which way?","config":{"rules":[
   {"id":"rule_1","condition":{"operator":"AND","operands":[{"operator":"EQ","operands":["{{fields.mail}}","a@b.c"]}]},"next_node":"step_b"}],"fallback":"$ending"}},
 {"id":"step_b","type":"STEP","coordinates":{"x":1000,"y":-120},"alias":"Thanks","config":{"components":[
   {"id":"thanks","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<p>Thank you</p>"}},
   {"id":"done","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Done"}}]}}],
 "start":{"next_node":"step_a","coordinates":{"x":0,"y":20}},"ending":{"resume_flow":true,"coordinates":{"x":1400,"y":20}}}`

// The main job: sign in, see the graph, drag, edit, undo, connect, save, and find
// the changes again after the server was killed.
func TestMainJob(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	id := s.create(threeNodes)
	p := fresh(t)
	p.open(s.Ready.Editor + "/bff/login?return_to=/forms/" + id)
	p.signIn(s)
	p.signedIn = true
	p.wait(sel("[data-testid=canvas][data-ready=true]"))
	p.fitView()
	for _, n := range []string{"$start", "step_a", "router_a", "step_b", "$ending"} {
		p.wait(sel(node(n)))
	}
	for _, e := range []string{"$start:next", "step_a:next", "router_a:rule:rule_1", "router_a:fallback"} {
		p.wait(sel(`[data-edge="` + e + `"]`))
	}
	p.saveState("saved")

	// Dragging a node sends only the moved node.
	zoom := eval[string](p, sel("[data-testid=canvas]")+`.dataset.zoom`)
	var z float64
	if err := json.Unmarshal([]byte(zoom), &z); err != nil {
		t.Fatal(err)
	}
	x, y := p.grip("step_b")
	p.drag(x, y, x, y-120*z)
	p.saveState("dirty")
	p.press("button", "Save")
	p.saveState("saved")
	bodies := p.patches()
	if len(bodies) != 1 {
		t.Fatalf("%d PATCH requests, want 1", len(bodies))
	}
	var patch map[string]any
	if err := json.Unmarshal([]byte(bodies[0]), &patch); err != nil {
		t.Fatal(err)
	}
	if len(patch) != 1 || patch["nodes"] == nil {
		t.Fatalf("the PATCH contains %v, want only nodes", keys(patch))
	}
	var was map[string]any
	if err := json.Unmarshal([]byte(threeNodes), &was); err != nil {
		t.Fatal(err)
	}
	at(was, "nodes", 2, "coordinates").(map[string]any)["y"] = at(patch, "nodes", 2, "coordinates", "y")
	if !reflect.DeepEqual(was["nodes"], patch["nodes"]) {
		t.Errorf("more than the position of step_b changed:\n%v\n%v", was["nodes"], patch["nodes"])
	}
	if moved := at(patch, "nodes", 2, "coordinates", "y").(float64); math.Abs(moved+240) > 20 {
		t.Errorf("step_b is at y=%v, want about -240", moved)
	}

	// Dragging the start sends the start only.
	x, y = p.middle(sel(node("$start")))
	p.drag(x, y, x, y+100*z)
	p.saveState("dirty")
	p.press("button", "Save")
	p.saveState("saved")
	bodies = p.patches()
	if len(bodies) != 2 {
		t.Fatalf("%d PATCH requests, want 2", len(bodies))
	}
	var second map[string]any
	if err := json.Unmarshal([]byte(bodies[1]), &second); err != nil || len(second) != 1 || second["start"] == nil {
		t.Errorf("the PATCH contains %v, want only start (%v)", keys(second), err)
	}

	// A component is edited in place.
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "Private e-mail")
	p.wait(sel(node("step_a")) + `.textContent.includes("Private e-mail")`)
	p.press("button", "Undo")
	p.wait(sel(node("step_a")) + `.textContent.includes("Work e-mail")`)
	p.wait(sel(`[data-path="nodes[0].config.components[0].label"]`) + `.value === "Work e-mail"`)
	p.press("button", "Redo")
	p.wait(sel(node("step_a")) + `.textContent.includes("Private e-mail")`)

	// A problem shows in the row, on the card and in the list, and stops the save.
	p.fill("nodes[0].config.components[0].hint", "x")
	p.insert(strings.Repeat("x", 500))
	p.wait(sel(`[data-path="nodes[0].config.components[0].hint"]`) + `.closest(".f").querySelector("[role=alert]")`)
	if !eval[bool](p, `(() => { const e = `+sel(`[data-path="nodes[0].config.components[0].hint"]`)+`; return e.getAttribute("aria-describedby").split(" ").some(id => document.getElementById(id)?.getAttribute("role") === "alert"); })()`) {
		t.Error("the message is not named by aria-describedby")
	}
	p.wait(sel(node("step_a")) + `.dataset.problems === "1"`)
	p.press("button", "Save")
	p.wait(sel("[data-testid=problems]") + `.textContent.includes("Hint must be at most 500 characters")`)
	p.press("button", "Undo")
	p.wait(sel(node("step_a")) + `.dataset.problems === "0"`)

	// Connecting by dragging a handle.
	p.fitView() // the inspector covers the last nodes
	x, y = p.middle(sel(`[data-handle="step_b:next"]`))
	tx, ty := p.middle(sel(node("$ending")))
	p.drag(x, y, tx, ty)
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === "$ending"`)

	p.press("button", "Save")
	p.saveState("saved")
	if len(p.console) > 0 {
		t.Errorf("the console is not empty:\n%s", strings.Join(p.console, "\n"))
	}

	// After a power failure everything is still there.
	s.kill()
	s = start(t, data)
	got := s.form(id)
	if to := at(got, "nodes", 2, "config", "next_node"); to != "$ending" {
		t.Errorf("after the restart the target of step_b is %v", to)
	}
	if label := at(got, "nodes", 0, "config", "components", 0, "label"); label != "Private e-mail" {
		t.Errorf("after the restart the label is %v", label)
	}
	p = browse(t)
	p.editor(s, id)
	p.wait(sel(node("step_a")) + `.textContent.includes("Private e-mail")`)
	p.shoot("after-restart")
}

// New nodes and components are added with the menu and the palette, and can be
// deleted again.
func TestAddAndDelete(t *testing.T) {
	nightly(t) // TestAddingIsConnected adds nodes, TestKeyboard deletes one, TestJobs adds components and a rule; app/editor tests what undo restores
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.choose("step_b")
	p.press("button", "Add node")
	p.press("menuitem", "Router")
	p.wait(`document.querySelectorAll("[data-kind=ROUTER]").length === 2`)
	fresh := eval[string](p, `[...document.querySelectorAll("[data-kind=ROUTER]")].map(e => e.dataset.node).find(n => n !== "router_a")`)
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === ` + js(fresh))
	p.press("button", "Add rule")
	p.wait(`document.querySelectorAll('[data-handle^="` + fresh + `:rule:"]').length === 1`)
	p.wait(`document.querySelector('[data-path="nodes[3].config.rules[0].condition.operands[0].operands[0]"]')`)
	p.fill("nodes[3].config.rules[0].condition.operands[0].operands[0]", "{{fields.mail}}")
	p.wait(sel(node(fresh)) + `.textContent.includes("Work e-mail")`)

	p.fitView()
	p.choose("step_a")
	for _, kind := range []string{"Rich text", "Phone (Tel)", "Payment"} {
		p.press("button", kind)
	}
	p.wait(sel(node("step_a")) + `.querySelectorAll("[data-component]").length === 5`)
	p.wait(sel(node("step_a")) + `.dataset.problems === "2"`) // the keys of the payment

	p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.wait(sel(node("step_a")) + `.querySelectorAll("[data-component]").length === 4`)

	// Deleting a node leads past it; a single undo restores both.
	p.choose("router_a")
	p.do(chromedp.KeyEvent("\u007f"))
	p.wait(`!` + sel(node("router_a")))
	p.wait(sel(`[data-edge="step_a:next"]`) + `.dataset.target !== "router_a"`)
	p.press("button", "Undo")
	p.wait(sel(`[data-edge="step_a:next"]`) + `.dataset.target === "router_a"`)

	p.press("button", "Save")
	p.saveState("saved")
	if n := len(s.form(id)["nodes"].([]any)); n != 4 {
		t.Errorf("%d nodes are saved, want 4", n)
	}
}

// An unreachable tenant is reported clearly, and the work stays.
func TestServerGone(t *testing.T) {
	nightly(t) // app/ui/saver tests it (TestEachErrorHasItsOutcome, TestStateWordsAndBannerFollowTheOutcome), app/client the missing answer
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	id := s.create(threeNodes)
	p := browse(t)
	p.editor(s, id)
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "Kept")
	s.kill()
	p.press("button", "Save")
	p.saveState("offline")
	p.wait(`document.body.textContent.includes("Your work stays here")`)
	p.wait(sel(node("step_a")) + `.textContent.includes("Kept")`)
	p.shoot("server-gone")
}

// endSession deletes the editor's cookie. The person is still signed in at the tenant.
func (p *page) endSession(s *server) {
	p.t.Helper()
	for _, c := range p.cookies() {
		if strings.HasSuffix(c, "fg") { // with a prefix over TLS
			p.deleteCookie(c, s.Ready.Editor)
		}
	}
}

// signInAgain signs in in another window.
func (p *page) signInAgain() {
	p.t.Helper()
	p.press("button", "Sign in again")
	p.wait(`!` + find("button", "Sign in again"))
}

// An expired session is renewed in another window; the work stays and is saved.
func TestSignInAgain(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	p := fresh(t)
	p.editor(s, id)
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "Kept")
	p.endSession(s)
	p.press("button", "Save")
	p.wait(find("button", "Sign in again"))
	p.wait(sel(node("step_a")) + `.textContent.includes("Kept")`)
	p.shoot("session-ended")
	p.signInAgain()
	p.saveState("saved")
	if label := at(s.form(id), "nodes", 0, "config", "components", 0, "label"); label != "Kept" {
		t.Errorf("the label is saved as %v", label)
	}
}

// A save by somebody else in the meantime, of something different, is merged and saved with one press.
func TestDifferentChangesAreMerged(t *testing.T) {
	nightly(t) // app/ui/saver tests it (TestDifferentChangesAreMergedAndSaved), model/merge the merge; TestConflict saves over another save
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	s.patch(id, `{"name":"Theirs"}`)
	p.choose("step_b")
	p.fill("nodes[2].alias", "Mine")
	p.press("button", "Save")
	p.saveState("saved")
	if f := s.form(id); f["name"] != "Theirs" || at(f, "nodes", 2, "alias") != "Mine" {
		t.Errorf("the form is saved as %v", f)
	}
	p.wait(`document.querySelector(".toast")?.textContent.includes("Your changes and the saved ones are merged.")`)
	p.shoot("merged")
	p.press("button", "Show")
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("Theirs")`)
	p.judge(axeScript(t), "arrived")
	p.press("button", "Close")
	p.press("button", "Undo")
	p.saveState("dirty")
	p.wait(sel(node("step_b")) + `.textContent.includes("Thanks") && !` + sel(node("step_b")) + `.textContent.includes("Mine")`)
	if f := s.form(id); f["name"] != "Theirs" {
		t.Errorf("undo changed the form at the tenant: %v", f["name"])
	}
}

// What both changed is asked: nothing is saved before, both texts are shown, and the choice is applied and saved with one press.
func TestConflict(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	s.patch(id, `{"name":"Their name of the form"}`)
	p.wait(sel("[data-path=name]"))
	p.fill("name", "My name of the form")
	p.press("button", "Save")
	p.saveState("conflict")
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("Their name of the form")`)
	p.wait(`[...document.querySelectorAll("dialog mark")].map(m => m.textContent).join() === "My ,Their "`)
	p.judge(axeScript(t), "conflicts")
	if name := s.form(id)["name"]; name != "Their name of the form" {
		t.Errorf("the name is %v: the save overwrote somebody else's", name)
	}
	p.press("button", "Decide later")
	p.wait(`/“Name” was changed elsewhere at \d\d:\d\d, and by you[.]/.test(document.querySelector(".banner")?.textContent)`)
	p.press("button", "Save")
	p.wait(`document.querySelector("dialog[open]")`)
	p.press("button", "Apply and save")
	p.saveState("saved")
	p.wait(`!document.querySelector("dialog") && !document.querySelector(".banner")`)
	if name := s.form(id)["name"]; name != "My name of the form" {
		t.Errorf("the name is saved as %v", name)
	}

	s.patch(id, `{"name":"Theirs again"}`)
	p.fill("name", "Mine again")
	p.press("button", "Save")
	p.wait(`document.querySelector("dialog[open] input[type=radio]:checked")`)
	p.key(kb.ArrowDown) // from "Yours", which has the focus, to the other
	p.wait(`document.querySelector("dialog[open] input:checked").dataset.arg === "0 theirs"`)
	p.press("button", "Apply")
	p.saveState("saved")
	if got := eval[string](p, sel("[data-path=name]")+".value"); got != "Theirs again" {
		t.Errorf("the name is %s", got)
	}
	p.press("button", "Undo")
	p.saveState("dirty")
	if got := eval[string](p, sel("[data-path=name]")+".value"); got != "Mine again" {
		t.Errorf("undone, the name is %s", got)
	}
}

// The list creates, opens, renames, duplicates, sorts and deletes forms.
func TestList(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.open(s.Ready.Editor + "/")
	p.press("button", "Sign in")
	p.signIn(s)
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	p.shoot("list")
	p.press("button", "New form")
	p.wait(`document.querySelector("dialog[open] input")`)
	p.do(chromedp.KeyEvent("My first form\r"))
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.wait(`document.title.startsWith("My first form")`)
	p.press("button", "All forms")
	p.wait(`document.querySelectorAll("tr[data-form]").length === 4`)
	top := func(rows int, name string) {
		p.wait(fmt.Sprintf(`(rows => rows.length === %d && rows[0].querySelector("a").textContent === %s)(document.querySelectorAll("tr[data-form]"))`, rows, js(name)))
	}
	top(4, "My first form")
	p.press("button", "More for My first form")
	p.press("button", "Rename My first form")
	p.wait(`document.querySelector("dialog[open] input")`)
	p.do(chromedp.KeyEvent("Renamed\r"))
	top(4, "Renamed")
	p.press("button", "More for Renamed")
	p.press("button", "Duplicate Renamed")
	top(5, "Copy of Renamed")
	p.press("button", "Name")
	top(5, "Consent and preferences")
	p.press("button", "Updated")
	for i, name := range []string{"Copy of Renamed", "Renamed"} {
		top(5-i, name)
		p.press("button", "More for "+name)
		p.press("button", "Delete "+name)
		p.press("button", "Delete")
	}
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	p.signOut()
	p.wait(find("button", "Sign in"))
}

// Real forms open, draw all their nodes and have no problems.
func TestCorpus(t *testing.T) {
	nightly(t) // model, app/graph/tidy and app/translate test real forms; only here: real forms on a screen, each card readable
	t.Parallel()
	files := realforms.Files(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.before(`localStorage.clear()`) // no stored view
	for _, file := range files {
		var form map[string]any
		if err := json.Unmarshal(file.Text, &form); err != nil {
			t.Fatal(err)
		}
		if inner, ok := form["form"].(map[string]any); ok {
			form = inner
		}
		for _, own := range []string{"id", "created_at", "updated_at"} {
			delete(form, own)
		}
		body, err := json.Marshal(form)
		if err != nil {
			t.Fatal(err)
		}
		id := s.create(string(body))
		for _, size := range [][2]int64{{390, 844}, {1024, 768}, {1440, 900}} {
			p.do(chromedp.EmulateViewport(size[0], size[1]))
			p.asItOpens(s, id)
			p.opensReadable(fmt.Sprintf("real-%s-%d", strings.TrimSuffix(file.Name, ".json"), size[0]))
		}
		p.fitView()
		for _, n := range append(ids(form), "$start", "$ending") {
			p.wait(sel(node(n)))
		}
		if bad := eval[int](p, `[...document.querySelectorAll("[data-node]")].filter(e => e.dataset.problems !== "0").length`); bad > 0 {
			t.Errorf("%s: %d nodes have problems", file.Name, bad)
		}
		got := s.form(id)
		for k, v := range form {
			if !reflect.DeepEqual(got[k], v) && !empty(v) {
				t.Errorf("%s: %s is stored as another value", file.Name, k)
			}
		}
	}
}

func empty(v any) bool {
	b, err := json.Marshal(v)
	return err == nil && (string(b) == "{}" || string(b) == "[]")
}

func ids(form map[string]any) []string {
	var out []string
	nodes, _ := form["nodes"].([]any)
	for _, n := range nodes {
		out = append(out, n.(map[string]any)["id"].(string))
	}
	return out
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// at returns a value inside a JSON value by keys and indexes.
func at(v any, steps ...any) any {
	for _, s := range steps {
		switch s := s.(type) {
		case string:
			v = v.(map[string]any)[s]
		case int:
			v = v.([]any)[s]
		}
	}
	return v
}
