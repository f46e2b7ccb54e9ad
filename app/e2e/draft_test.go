//go:build e2e && !js

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// draft waits until the draft has a state.
func (p *page) draft(want string) {
	p.t.Helper()
	p.wait(`document.querySelector("[data-save-state]")?.dataset.draft === ` + js(want))
}

// alias edits the alias of step_b, which is selected.
func (p *page) alias(text string) {
	p.t.Helper()
	p.choose("step_b")
	p.fill("nodes[2].alias", text)
	p.wait(sel(node("step_b")) + `.textContent.includes(` + js(text) + `)`)
}

// drafted opens a form with a draft in a new browser.
func drafted(t *testing.T) (s *server, p *page, id string) {
	t.Helper()
	s = start(t, filepath.Join(t.TempDir(), "data"))
	id = s.create(threeNodes)
	p = fresh(t)
	p.before(captureExport)
	p.editor(s, id)
	p.draft("none")
	p.alias("First")
	p.draft("kept")
	return s, p, id
}

// Unsaved work is restored, with an equal hash and its undo steps, however the page was
// left.
func TestUnsavedWorkIsRestored(t *testing.T) {
	t.Parallel()
	s, p, id := drafted(t)
	after := p.formHash()
	p.press("button", "Undo")
	before := p.formHash()
	p.press("button", "Redo")
	for _, way := range sample(4, []struct {
		name  string
		leave func()
	}{
		{"reload", func() { p.do(chromedp.Reload()) }},
		{"another tab", func() {
			p.open("about:blank")
			p.open(s.Ready.Editor + "/forms/" + id)
		}},
		{"Back", func() {
			p.press("button", "All forms")
			p.wait(`document.querySelector('tr[data-form="` + id + `"]').textContent.includes("unsaved change")`)
			p.shoot("draft-in-list")
			p.do(chromedp.NavigateBack())
		}},
		{"sign-out", func() {
			p.press("button", "Sign out")
			p.press("button", "Keep and sign out")
			p.wait(`!document.querySelector("[data-node]") && ` + find("button", "Sign in"))
			p.editor(s, id)
		}},
		{"end of the session", func() {
			for _, name := range p.cookies() {
				p.deleteCookie(name, s.Ready.Editor)
				p.deleteCookie(name, s.Ready.Tenant)
			}
			p.do(chromedp.Reload())
			p.editor(s, id)
		}},
	}) {
		p.draft("kept")
		way.leave()
		p.draft("restored")
		p.saveState("dirty")
		p.wait(`document.querySelector(".banner").textContent.includes("Your unsaved work is back")`)
		p.shoot("draft-restored")
		p.wantHash(way.name, after)
		p.press("button", "Close")
		p.press("button", "Undo")
		p.draft("none")
		p.wantHash(way.name+", undone", before)
		p.press("button", "Redo")
		p.wantHash(way.name+", redone", after)
	}
}

// A draft is merged with changes that were saved elsewhere in the meantime.
func TestDraftIsMergedWithLaterSaves(t *testing.T) {
	nightly(t) // app/ui/drafts tests it (TestDraftIsRestoredAndMerged); TestUnsavedWorkIsRestored restores one
	t.Parallel()
	s, p, id := drafted(t)
	s.patch(id, `{"name":"Theirs"}`)
	p.do(chromedp.Reload())
	p.draft("restored")
	p.wait(`document.querySelector(".banner").textContent.includes("both versions are merged")`)
	p.wait(sel("[data-path=name]") + `.value === "Theirs"`)
	p.wait(sel(node("step_b")) + `.textContent.includes("First")`)
	p.press("button", "Save")
	p.saveState("saved")
	p.draft("none")
	p.do(chromedp.Reload())
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.draft("none")
	if f := s.form(id); f["name"] != "Theirs" || at(f, "nodes", 2, "alias") != "First" {
		t.Errorf("saved is %v", f)
	}
}

// Discarded work is deleted from the browser, and undo restores it.
func TestDiscardedDraft(t *testing.T) {
	nightly(t) // app/ui tests it (TestDiscardedWorkComesBackByUndo), app/draft that stored work goes (TestKeeperDeletesSavedOrUndoneWork)
	t.Parallel()
	_, p, _ := drafted(t)
	p.do(chromedp.Reload())
	p.press("button", "Discard")
	p.saveState("saved")
	p.draft("none")
	p.press("button", "Undo")
	p.wait(sel(node("step_b")) + `.textContent.includes("First")`)
	p.draft("kept")
	p.press("button", "Redo")
	p.draft("none")
	until(10*time.Second, func() bool { return evalAsync[int](p, storedParts) == 0 }, func() {
		t.Errorf("%d parts are left in the browser", evalAsync[int](p, storedParts))
	})
}

// storedParts returns the number of parts in the browser's database.
const storedParts = `new Promise((done, fail) => {
	const open = indexedDB.open("formgraph");
	open.onerror = fail;
	open.onsuccess = () => {
		const count = open.result.transaction("parts").objectStore("parts").count();
		count.onsuccess = () => { open.result.close(); done(count.result); };
	};
})`

// Text that is not valid JSON is unsaved work like any other.
func TestInvalidTextIsKept(t *testing.T) {
	nightly(t) // app/draft tests it (TestDraftMatchesTheHistoryAfterEveryCommand), app/editor that it cannot be saved (TestPendingTextIsUnsavedAndAProblem)
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(threeNodes, `"nodes":[`, `"translations":{"de":{"note":{}}},"nodes":[`, 1))
	p := s.tab()
	p.editor(s, id)
	p.runCommand("Form settings")
	p.fill("translations.de.note", `{"de": `)
	p.saveState("dirty")
	p.draft("kept")
	p.do(chromedp.Reload())
	p.draft("restored")
	p.wait(sel(`[data-path="translations.de.note"]`) + `?.value.startsWith('{"de":')`)
	p.wait(sel(`[data-path="translations.de.note"]`) + `.closest(".f").querySelector("[role=alert]").textContent.includes("valid JSON")`)
	p.press("button", "Save")
	p.wait(sel("[data-testid=problems] [data-problem-path^=translations]"))
	p.saveState("dirty")
	p.runCommand("Form settings")
	p.fill("translations.de.note", `{"de": {}}`)
	p.press("button", "Save")
	p.saveState("saved")
}

// Other users of the browser cannot see the work, and its storage contains no text of the
// form.
func TestDraftsAreSealed(t *testing.T) {
	t.Parallel()
	_, p, _ := drafted(t)
	p.alias("Confidential")
	p.draft("kept")
	stored := evalAsync[string](p, `new Promise(done => {
		const open = indexedDB.open("formgraph");
		open.onsuccess = () => {
			const all = open.result.transaction("parts").objectStore("parts").getAll();
			all.onsuccess = () => {
				open.result.close();
				done(all.result.map(r => JSON.stringify(r) + new TextDecoder("latin1").decode(r.sealed)).join("\n"));
			};
		};
	})`)
	if stored == "" || strings.Contains(stored, "Confidential") || strings.Contains(stored, "step_b") {
		t.Errorf("the browser stores %q", stored)
	}
}

// Signing out asks about unsaved work and leaves nothing visible, not even through Back.
func TestSigningOutAsksAboutDrafts(t *testing.T) {
	t.Parallel()
	s, p, id := drafted(t)
	p.press("button", "Sign out")
	p.wait(`document.querySelector("dialog[open]").textContent.includes("unsaved work")`)
	p.shoot("sign-out-drafts")
	p.press("button", "Cancel")
	p.wait(`!document.querySelector("dialog")`)
	p.press("button", "Sign out")
	p.press("button", "Keep and sign out")
	p.wait(`!document.querySelector("[data-node]") && ` + find("button", "Sign in"))
	p.do(chromedp.NavigateBack())
	p.wait(`!document.querySelector("[data-node]") && ` + find("button", "Sign in"))

	p.editor(s, id)
	p.draft("restored")
	p.wait(sel(node("step_b")) + `.textContent.includes("First")`)
	p.press("button", "Sign out")
	p.press("button", "Discard and sign out")
	p.wait(`!document.querySelector("[data-node]") && ` + find("button", "Sign in"))
	p.editor(s, id)
	p.draft("none")
	p.wait(sel(node("step_b")) + `.textContent.includes("Thanks")`)
}

// A taken or malformed id is refused at its field, and nothing else moves.
func TestTakenIDIsRefusedAtItsField(t *testing.T) {
	nightly(t) // app/ui/inspect tests it (TestIDTakesEffectOnLeaving, TestRefusedIDStaysUntilTheSelectionChanges), app/inspector the reasons
	t.Parallel()
	s := shared(t)
	id := s.create(threeNodes)
	p := s.tab()
	p.editor(s, id)
	p.choose("step_b")
	row := sel(`[data-path="nodes[2].id"]`)
	for text, reason := range map[string]string{"step_a": "taken", "no spaces": "letters"} {
		p.fill("nodes[2].id", text)
		p.key("\t")
		p.wait(row + `.closest(".f").querySelector("[role=alert]")?.textContent.includes(` + js(reason) + `)`)
		p.wait(row + `.value === ` + js(text) + ` && ` + row + `.getAttribute("aria-invalid") === "true"`)
	}
	p.saveState("saved")
	p.wait(sel(node("step_b")) + `.getAttribute("aria-selected") === "true" && ` + sel(node("step_a")) + `.getAttribute("aria-selected") !== "true"`)
	p.alias("Still the third")
	p.wait(row + `.closest(".f").querySelector("[role=alert]")`) // it was not applied, and the page says so
	p.choose("step_a")
	p.choose("step_b")
	p.wait(row + `.value === "step_b" && !` + row + `.closest(".f").querySelector("[role=alert]")`)
}

// A page in the browser's back/forward cache shows nothing after its person has signed out
// in another tab, and is shown again while they are signed in.
func TestSleepingPageIsHiddenAfterSigningOut(t *testing.T) {
	nightly(t) // only here: a page in the back/forward cache, and signing out in another tab; a change in app/ui/signout needs it
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	p := fresh(t)
	const visible = `!!document.querySelector("[data-node]") && getComputedStyle(document.body).visibility === "visible"`
	// Once the test watches, each frame after the page is shown again is checked.
	p.before(`addEventListener("pageshow", e => {
		window.shown = e.persisted ? "from memory" : "anew";
		const frame = () => {
			if (` + visible + `) sessionStorage.setItem("seen", window.shown);
			requestAnimationFrame(frame);
		};
		if (sessionStorage.getItem("watched")) frame();
	})`)
	p.editor(s, id)
	away := func() {
		p.open(s.Ready.Tenant + "/.well-known/openid-configuration")
	}
	// A cached page does not load, so the driver's own way back would wait forever.
	back := func() { _ = eval[bool](p, `(setTimeout(() => history.back()), true)`) }
	away()
	back()
	p.wait(visible)
	t.Logf("the page came back %s", eval[string](p, "window.shown"))

	_ = eval[bool](p, `(sessionStorage.setItem("watched", "yes"), true)`)
	away()
	// Another tab signs out.
	other := p.tab(s.Ready.Editor + "/forms")
	other.signOut()
	other.wait(find("button", "Sign in"))
	back()
	p.wait(find("button", "Sign in"))
	if how := eval[string](p, `sessionStorage.getItem("seen") || ""`); how != "" {
		t.Errorf("the form was visible after signing out: the page came back %s", how)
	}
}

// A browser without storage, or without space, reports this at the first change.
func TestFailingStorageIsReported(t *testing.T) {
	nightly(t) // app/ui/drafts tests it (TestBrowserWithoutStorageSaysWhy); only here: the errors of IndexedDB, which app/ui/vault reads
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(threeNodes)
	for name, tc := range map[string]struct{ script, text string }{
		"full":    {`IDBObjectStore.prototype.put = () => { throw new DOMException("no room", "QuotaExceededError"); }`, "no room left"},
		"refused": {`IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError"); }`, "cannot keep your unsaved work"},
	} {
		t.Run(name, func(t *testing.T) {
			p := fresh(t)
			p.before(tc.script)
			p.editor(s, id)
			p.draft("none")
			p.alias("Not kept")
			p.draft("failed")
			p.wait(`document.querySelector(".banner")?.textContent.includes(` + js(tc.text) + `)`)
			p.shoot("draft-failed-" + name)
			// On a busy machine the keys are so far apart that typing is more than one step.
			for range len("Not kept") {
				p.press("button", "Undo")
				evalAsync[bool](p, settled)
				if eval[bool](p, `document.querySelector("[data-save-state]").dataset.saveState === "saved"`) {
					break
				}
			}
			p.saveState("saved")
			p.wait(`!document.querySelector(".banner")`)
		})
	}
}
