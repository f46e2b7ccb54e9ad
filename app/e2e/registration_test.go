//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The registration form has six steps and a router; only companies take its rule. A
// part is a component's kind and label; the steps are in order of creation.
var registration = []struct {
	name  string
	parts [][2]string
}{
	{"Account", [][2]string{{"Email", "Work e-mail"}, {"Password", "Password"}}},
	{"Profile", [][2]string{{"Text", "First name"}, {"Text", "Last name"}}},
	{"Kind of account", [][2]string{{"Yes/no (Boolean)", "I register for a company"}}},
	{"Company", [][2]string{{"Text", "Company name"}, {"URL", "Web site"}}},
	{"Contact", [][2]string{{"Phone (Tel)", "Phone"}}},
	{"Agreement", [][2]string{{"Terms (Legal)", "I accept the terms"}}},
}

// askStep is the step of registration before the router.
const askStep = 2

// hand counts a person's clicks and keys while building a form.
type hand struct {
	*page
	clicks, drags, presses, letters int
}

func (h *hand) press(role, name string) {
	h.t.Helper()
	h.clicks++
	h.page.press(role, name)
}

// hit presses a key once.
func (h *hand) hit(key string, mods ...chromedp.Modifier) {
	h.t.Helper()
	h.presses++
	h.key(key, mods...)
}

// write types a text into the row with a label, once it has the focus.
func (h *hand) write(label, text string) {
	h.t.Helper()
	h.wait(focused(label))
	h.letters += len(text)
	h.key(text)
}

// into clicks on the row with a label, which selects its text, and replaces it.
func (h *hand) into(label, text string) {
	h.t.Helper()
	// The last one, as in a list to which an element was added.
	row := `[...document.querySelectorAll("[data-testid=inspector] [data-path]")].findLast(e => e.checkVisibility() && (e.ariaLabel ?? e.labels[0].textContent).startsWith(` + js(label) + `))`
	h.wait(row)
	h.clicks++
	h.clickOn(row)
	h.wait(focused(label))
	h.hit("a", chromedp.ModifierCtrl)
	h.write(label, text)
}

// focused is a script that reports whether the focus is in an input with a label.
func focused(label string) string {
	return `!!document.activeElement?.dataset.path && (document.activeElement.ariaLabel ?? document.activeElement.labels[0].textContent).startsWith(` +
		js(label) + `)`
}

// begin creates the form and returns its id.
func (h *hand) begin(s *server) string {
	h.t.Helper()
	h.open(s.Ready.Editor + "/forms")
	h.page.press("button", "Sign in")
	h.signIn(s)
	h.wait(`document.querySelectorAll("tr[data-form]").length === 3`)
	h.press("button", "New form")
	h.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
	h.key("Registration")
	h.hit("\r")
	h.wait(`document.querySelector("[data-testid=canvas][data-ready=true] [data-kind=STEP]")`)
	return eval[string](h.page, `location.pathname.split("/").pop()`)
}

// wantRegistration compares a saved form with the registration form.
func (h *hand) wantRegistration(form map[string]any) {
	h.t.Helper()
	names := map[any]string{"$ending": "Ending"}
	for _, n := range form["nodes"].([]any) {
		names[at(n, "id")] = fmt.Sprint(at(n, "alias"))
		if at(n, "type") == "ROUTER" {
			names[at(n, "id")] = "Router"
		}
	}
	got := []string{"Start > " + names[at(form, "start", "next_node")]}
	for _, n := range form["nodes"].([]any) {
		name := names[at(n, "id")]
		if rules, ok := at(n, "config", "rules").([]any); ok {
			got = append(got, "rule > "+names[at(rules[0], "next_node")], "otherwise > "+names[at(n, "config", "fallback")])
			if c := at(rules[0], "condition", "operands", 0, "operands"); fmt.Sprint(c) != "[{{fields.company}} true]" {
				h.t.Errorf("the rule compares %v", c)
			}
			continue
		}
		got = append(got, name+" > "+names[at(n, "config", "next_node")])
		for _, c := range at(n, "config", "components").([]any) {
			if label := at(c, "label"); label != nil {
				got = append(got, name+": "+fmt.Sprint(label))
			}
		}
	}
	want := []string{
		"Start > Account", "Account > Profile", "Profile > Kind of account", "Kind of account > Router", "rule > Company", "otherwise > Contact",
		"Company > Contact", "Contact > Agreement", "Agreement > Ending",
	}
	for _, st := range registration {
		for _, p := range st.parts {
			want = append(want, st.name+": "+p[1])
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		h.t.Errorf("the form is\n%q\nwant\n%q", got, want)
	}
	if n := len(eval[[]string](h.page, `[...document.querySelectorAll("[data-node]")].filter(e => e.dataset.problems !== "0" || e.dataset.warnings > 0).map(e => e.dataset.node)`)); n > 0 {
		h.t.Errorf("%d nodes have problems", n)
	}
	h.t.Logf("%d clicks, %d drags, %d keys, %d letters", h.clicks, h.drags, h.presses, h.letters)
}

// Building the form by mouse takes at most 35 clicks, and no card covers another.
func TestRegistrationByMouse(t *testing.T) {
	nightly(t) // TestJobs counts the presses for such a form; TestAddingIsConnected sees that no card covers another
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	h := &hand{page: browse(t)}
	id := h.begin(s)
	h.clicks++
	h.click("[data-kind=STEP]")
	for i, st := range registration {
		if i > 0 {
			h.press("button", "Add node")
			h.press("menuitem", "Step")
		}
		h.into("Name", st.name)
		for _, part := range st.parts {
			h.press("button", part[0])
			h.write("Label", part[1])
		}
		if i == askStep {
			h.into("Id", "company")
			h.press("button", "Add node")
			h.press("menuitem", "Router")
			h.press("button", "Add rule")
			h.into("Value", "{{fields.company}}")
			h.into("Compared with", "true")
		}
	}
	h.press("button", "Fit view")
	h.still()
	h.wait(noOverlap)
	h.zoomTo(.5) // smaller cards have no handles
	h.drags++
	x, y := h.middle(sel(`[data-handle$=":fallback"]`))
	tx, ty := h.middle(`[...document.querySelectorAll("[data-node]")].find(e => e.textContent.includes("Phone"))`)
	h.drag(x, y, tx, ty)
	h.press("button", "Save")
	h.saveState("saved")
	h.shoot("registration-mouse")
	h.wantRegistration(s.form(id))
	if h.clicks > 35 {
		t.Errorf("it took %d clicks", h.clicks)
	}
}

// When the form is built by keyboard, each key is pressed once and has its effect.
func TestRegistrationByKeyboard(t *testing.T) {
	nightly(t) // TestKeyboard does each of its kinds of steps once
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	h := &hand{page: browse(t)}
	id := h.begin(s)
	const canvas = `document.activeElement?.id === "canvas"`
	item := find("menuitem", "Step")
	const selected = `(document.querySelector("[data-node][aria-selected=true]")?.dataset.node ?? "")`
	command := func(text string) {
		t.Helper()
		h.hit("k", chromedp.ModifierCtrl)
		h.wait(`document.activeElement?.id === "search-text"`)
		h.letters += len(text)
		h.key(text)
		h.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.toLowerCase().endsWith(` + js(text) + `)`)
		h.hit("\r")
		h.wait(`!document.querySelector("dialog")`)
	}
	add := func(key string) {
		t.Helper()
		was := eval[string](h.page, selected)
		h.hit("n")
		h.wait(item)
		h.hit(key)
		h.wait(selected + ` && ` + selected + ` !== ` + js(was))
	}
	find := func(text string) {
		t.Helper()
		h.hit("f", chromedp.ModifierCtrl)
		h.wait(`document.activeElement?.id === "search-text"`)
		h.letters += len(text)
		h.key(text)
		h.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes(` + js(text) + `)`)
		h.hit("\r")
		h.wait(`document.activeElement?.dataset.path`)
	}
	home := func() {
		t.Helper()
		h.hit(kb.Escape)
		h.wait(canvas)
	}
	connect := func(to string) {
		t.Helper()
		h.hit("c")
		h.wait(`document.querySelector("dialog[open] input") === document.activeElement`)
		h.letters += len(to)
		h.key(to)
		h.wait(`document.querySelectorAll("dialog [data-act=connect]").length === 1`)
		h.hit("\r")
		h.wait(`!document.querySelector("dialog")`)
	}
	tab := func(label, text string) {
		t.Helper()
		for range 16 {
			h.hit("\t")
			if eval[bool](h.page, focused(label)) {
				h.write(label, text)
				return
			}
		}
		t.Fatalf("Tab does not reach %s", label)
	}
	for !eval[bool](h.page, `document.querySelector("[data-kind=STEP]").getAttribute("aria-selected") === "true"`) {
		was := eval[string](h.page, selected)
		h.hit(kb.ArrowRight)
		h.wait(selected + ` !== ` + js(was))
	}
	for i, st := range registration {
		if i > 0 {
			add("s")
		}
		h.hit("e")
		h.write("Name", st.name)
		home()
		for _, part := range st.parts {
			kind, _, _ := strings.Cut(strings.ToLower(part[0]), " (")
			command(kind)
			h.hit("e")
			h.write("Label", part[1])
			if i == askStep {
				tab("Id", "company")
			}
			home()
		}
		if i == askStep {
			add("r")
			h.hit("e")
			h.write("Name", "A company?")
			home()
			command("add rule") // its condition is proposed: the answer to the choice before is its first option
			h.wait(`document.activeElement?.dataset.path?.includes(".condition.")`)
			home()
		}
	}
	find("A company?")
	home()
	connect("Contact")
	h.hit("s", chromedp.ModifierCtrl)
	h.saveState("saved")
	h.shoot("registration-keyboard")
	h.wantRegistration(s.form(id))
}
