//go:build e2e && !js

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/server/porttest"
)

// The first stop of the Tab key leads past the bars and panels to the graph.
func TestKeysReachTheGraph(t *testing.T) {
	nightly(t) // app/ui tests that the way is the first control (TestFirstControlLeadsToTheGraph); only here: that it shows and moves the focus
	t.Parallel()
	s := shared(t)
	p := s.tab()
	p.asItOpens(s, s.create(threeNodes))
	p.key(kb.Tab)
	p.wait(`document.activeElement.textContent === "Skip to the graph" && document.activeElement.getBoundingClientRect().width > 50`)
	p.shots("skip")
	p.key(kb.Enter)
	p.wait(`document.activeElement.id === "canvas"`)
}

// Nodes can be added, connected, moved and deleted without a pointer.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	p := browse(t)
	p.editor(s, id)
	key := func(keys string, mods ...chromedp.Modifier) {
		t.Helper()
		p.key(keys, mods...)
	}
	selected := func(id string) {
		t.Helper()
		p.wait(sel(node(id)) + `.getAttribute("aria-selected") === "true"`)
	}
	p.choose("step_a")
	key(right)
	selected("router_a")
	key(left)
	selected("step_a")

	// Connect by the target's name.
	p.choose("step_b")
	key("c")
	p.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
	key("endi")
	p.wait(`document.querySelectorAll("dialog [data-act=connect]").length === 1`)
	key("\r")
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === "$ending"`)

	// Add a node after the selected one, chosen by typing.
	p.choose("step_a")
	p.wait(`!document.querySelector("dialog")`)
	key("n")
	p.wait(`document.activeElement?.getAttribute("role") === "menuitem"`)
	key("f")
	p.wait(`document.querySelectorAll("[data-kind=FLOW]").length === 1`)
	fresh := eval[string](p, `document.querySelector("[data-kind=FLOW]").dataset.node`)
	selected(fresh)

	// Move by the grid, and back.
	was := eval[string](p, placeOf(fresh))
	key(right, chromedp.ModifierCtrl)
	p.wait(placeOf(fresh) + ` !== ` + js(was))
	key("z", chromedp.ModifierCtrl)
	p.wait(placeOf(fresh) + ` === ` + js(was))

	key("\u007f")
	p.wait(`document.querySelectorAll("[data-kind=FLOW]").length === 0`)
	key("s", chromedp.ModifierCtrl)
	p.saveState("saved")
	if to := at(s.form(id), "nodes", 2, "config", "next_node"); to != "$ending" {
		t.Errorf("step_b is saved as leading to %v", to)
	}
	key("?")
	p.wait(`document.querySelector("dialog[open]")`)
	key("\u001b")
	p.wait(`!document.querySelector("dialog")`)
}

const (
	left  = "\u0302"
	right = "\u0303"
)

// A file with a form becomes a new form; for any other file the page gives the reason.
func TestImport(t *testing.T) {
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	p := browse(t)
	p.open(s.Ready.Editor + "/forms")
	p.press("button", "Sign in")
	p.signIn(s)
	p.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#import-file"), []string{write("bad.json", `{"name":"","nodes":[{"id":"a","type":"LOOP"}]}`)}))
	p.wait(`document.querySelector("dialog[open] [role=alert]")?.textContent.includes("name Must not be empty.")`)
	p.wait(`document.querySelector("dialog[open]").textContent.includes("Line 1, column 9")`)
	p.press("button", "Close")
	p.wait(`!document.querySelector("dialog")`)
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#import-file"), []string{write("good.json", `{"version":"4.0.0","form":`+threeNodes+`,"flows":{},"connections":{}}`)}))
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.wait(sel(node("router_a")))
	id := strings.TrimPrefix(eval[string](p, `location.pathname`), "/forms/")
	if name := s.form(id)["name"]; name != "Contact" {
		t.Errorf("the imported form is called %v", name)
	}

	// An export names its flows: flows with the same names in this tenant replace them.
	p.open(s.Ready.Editor + "/forms")
	p.wait(`document.querySelectorAll("tr[data-form]").length === 4`)
	p.do(chromedp.SetUploadFiles(chromedp.CSS("#import-file"), []string{write("flows.json", `{"version":"4.0.0","form":{"name":"Promoted","start":{"next_node":"f"},"nodes":[
		{"id":"f","type":"FLOW","config":{"flow_id":"#FLOW-1#","next_node":"g"}},{"id":"g","type":"FLOW","config":{"flow_id":"#FLOW-2#","next_node":"$ending"}}]},
		"flows":{"#FLOW-1#":{"name":"Save account","actions":[]},"#FLOW-2#":{"name":"Not here","actions":[]}},"connections":{}}`)}))
	// The editor asks about missing flows; a placeholder may stay.
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.press("button", "Choose flows")
	p.wait(`document.querySelector("dialog[open] select[data-flow='#FLOW-2#']")?.value === "keep"`)
	p.press("button", "Cancel")
	form := s.form(strings.TrimPrefix(eval[string](p, `location.pathname`), "/forms/"))
	flows := s.send(http.MethodGet, s.Ready.Tenant+"/api/v2/flows?include_totals=true", "", s.token(), "", http.StatusOK)
	var want any
	for _, f := range flows["flows"].([]any) {
		if at(f, "name") == "Save account" {
			want = at(f, "id")
		}
	}
	if got := at(form, "nodes", 0, "config", "flow_id"); want == nil || got != want {
		t.Errorf("the flow is %v, want %v", got, want)
	}
	if got := at(form, "nodes", 1, "config", "flow_id"); got != "#FLOW-2#" {
		t.Errorf("a flow that is not here became %v", got)
	}
}

// The tenant is on another site: the editor's cookie is Strict and must not be needed
// on the way back from it, unlike the cookie of the sign-in.
func TestSignInAcrossSites(t *testing.T) {
	t.Parallel()
	address := porttest.Address(t)
	s := start(t, filepath.Join(t.TempDir(), "data"), "--tenant-listen", address, "--tenant-url", "http://"+address)
	id := s.create(threeNodes)
	p := fresh(t)
	p.editor(s, id)
	p.wait(sel(node("step_a")))
	if !strings.HasPrefix(s.Ready.Tenant, "http://127.0.0.1:") || !strings.HasPrefix(s.Ready.Editor, "http://localhost:") {
		t.Errorf("editor %s and tenant %s are one site", s.Ready.Editor, s.Ready.Tenant)
	}
}

// The canvas's keys work wherever an action leaves the focus, even on the page itself.
func TestKeysWorkAfterEveryAction(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	works := func(after string) {
		t.Helper()
		zoom := sel("[data-testid=canvas]") + `.dataset.zoom`
		p.key("0")
		p.wait(zoom + ` === "1"`)
		p.key("+")
		p.wait(zoom + ` !== "1"`)
		p.key("n")
		p.wait(`document.querySelector(".menu[role=menu]")`)
		p.key("\u001b")
		p.wait(`!document.querySelector(".menu[role=menu]")`)
		p.key("?", chromedp.ModifierShift)
		p.wait(`document.querySelector("dialog.help[open]")`)
		p.press("button", "Close")
		p.wait(`!document.querySelector("dialog")`)
		if t.Failed() {
			t.Fatalf("after %s", after)
		}
	}
	works("loading")
	p.press("button", "Add node")
	p.press("menuitem", "Router")
	p.wait(`document.activeElement?.matches(".cv-field")`)
	p.key("\r") // the name stays
	works("adding a node by mouse")
	p.press("button", "Add rule")
	works("adding a rule")
	p.press("button", "Add condition")
	works("adding a condition")
	p.press("button", "Remove condition 1")
	works("removing a condition")
	p.click("[data-rule] .rule-name[aria-expanded=true]")
	works("closing a rule")
	p.press("button", "Undo")
	works("undoing")
	blur := func() { _ = eval[bool](p, `(document.activeElement.blur(), true)`) }
	blur()
	works("losing the focus")
	// A menu takes keys before it has the focus.
	p.key("n")
	p.wait(`document.activeElement.matches(".menu [role=menuitem]")`)
	blur()
	p.key("\u001b")
	p.wait(`!document.querySelector(".menu[role=menu]")`)
}
