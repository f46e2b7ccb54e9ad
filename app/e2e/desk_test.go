//go:build e2e && !js

package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// spoken has texts in three languages: some missing, one too long.
const spoken = `{"name":"Spoken","languages":{"primary":"en"},"start":{"next_node":"ask"},"nodes":[
	{"id":"ask","type":"STEP","alias":"About you","coordinates":{"x":200,"y":100},"config":{"next_node":"more","components":[
		{"id":"title","category":"BLOCK","type":"RICH_TEXT","config":{"content":"<h1>Tell us about you</h1>"}},
		{"id":"mail","category":"FIELD","type":"EMAIL","label":"E-mail","hint":"We send a code to {{fields.mail}}"},
		{"id":"country","category":"FIELD","type":"DROPDOWN","label":"Country","config":{"placeholder":"Choose a country","options":[
			{"value":"DE","label":"Germany"},{"value":"FR","label":"France"}]}},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}},
	{"id":"more","type":"STEP","alias":"Your company","coordinates":{"x":600,"y":100},"config":{"next_node":"$ending","components":[
		{"id":"company","category":"FIELD","type":"TEXT","label":"Company name"},
		{"id":"end","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Create account"}}]}}],
	"translations":{"de":{"components":{"title":{"config":{"content":"<h1>Erzählen Sie von sich</h1>"}},"mail":{"label":"E-Mail"},
		"go":{"config":{"text":"Weiter"}},"end":{"config":{"text":"Benutzerkonto jetzt verbindlich anlegen"}}}},
		"fr":{"components":{"mail":{"label":"E-mail"}}}}}`

// cell returns a selector of the control of a path.
func cell(path string) string { return `#desk [data-path=` + js(path) + `]` }

// languages opens the page of languages.
func (p *page) languages() {
	p.t.Helper()
	p.press("tab", "Languages")
	p.wait(sel(`#desk .dk-text`))
}

// inLanguages opens the page of languages of a new form, in a window of another size if view sets one.
func inLanguages(t *testing.T, form string, view ...chromedp.Action[chromedp.Void]) (s *server, p *page, id string) {
	t.Helper()
	s = shared(t)
	id, p = s.create(form), s.tab()
	for _, v := range view {
		p.do(v)
	}
	p.editor(s, id)
	p.languages()
	return s, p, id
}

// A save has what was typed at the same moment, which the page still has to pass on.
func TestSaveHasTheLastKey(t *testing.T) {
	t.Parallel()
	s, p, id := inLanguages(t, spoken)
	const label = "translations.de.components.country.label"
	p.click(cell(label))
	p.key("Lan")
	p.saveState("dirty")
	// The key and the command arrive in one task, and the graph may be shown between them.
	atOnce := func(key, before string) {
		t.Helper()
		eval[int](p, `(() => {
			const el = document.activeElement;
			el.value += "`+key+`";
			el.dispatchEvent(new InputEvent("input", {bubbles: true}));
			`+before+`
			document.querySelector("button[data-act=save]").click();
			return 0;
		})()`)
		p.saveState("saved")
	}
	atOnce("d", "")
	if got := at(s.form(id), "translations", "de", "components", "country", "label"); got != "Land" {
		t.Errorf("the label is saved as %v", got)
	}
	p.key("e")
	p.saveState("dirty")
	atOnce("r", `document.querySelector("#view-graph").click();`)
	if got := at(s.form(id), "translations", "de", "components", "country", "label"); got != "Lander" {
		t.Errorf("after the graph was shown, the label is saved as %v", got)
	}
}

// lateWorker delays what the page tells its workers, until inTime is called.
const lateWorker = `(() => {
	const post = Worker.prototype.postMessage;
	Worker.prototype.postMessage = function (m) { setTimeout(() => post.call(this, m), 150); };
	window.inTime = () => { Worker.prototype.postMessage = post; };
})()`

// What is typed before the worker has moved the focus is for the cell where it moves it, in order, up to a save.
func TestTypeAheadOfTheTable(t *testing.T) {
	nightly(t) // web/jscheck/desk.test.js tests it (what is typed ahead, a save, a press meanwhile); TestSaveHasTheLastKey saves at once
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.before(lateWorker)
	p.editor(s, id)
	p.languages()
	const label, below = "translations.de.components.country.label", "components.country.config.options[0].label"
	p.click(cell(label))
	p.key("Land\rDeux" + kb.Backspace + kb.Backspace + "utschland\tAllemagne\r")
	p.key("s", chromedp.ModifierCtrl)
	p.wait(sel(cell("translations.fr."+below)) + `.value === "Allemagne"`)
	p.saveState("saved")
	saved := fmt.Sprint(s.form(id)["translations"])
	for path, want := range map[string]string{label: "Land", "translations.de." + below: "Deutschland", "translations.fr." + below: "Allemagne"} {
		if got := eval[string](p, sel(cell(path))+`.value`); got != want || !strings.Contains(saved, ":"+want) {
			t.Errorf("%s is %q, want %q; saved is %s", path, got, want, saved)
		}
	}
	// Somebody who presses another cell meanwhile stays there.
	p.click(cell(label))
	p.key("\rBelgien")
	p.click(cell("translations.fr.components.country.label"))
	p.wait(sel(cell("translations.de."+below)) + `.value === "Belgien"`)
	p.wait(`document.activeElement.dataset.path === "translations.fr.components.country.label"`)
}

// Translations are edited in a table with the keys of a spreadsheet; each edit can be undone and is saved.
func TestTranslationsAreEdited(t *testing.T) {
	t.Parallel()
	s, p, id := inLanguages(t, spoken)
	p.shots("languages")
	const label, hint = "translations.de.components.country.label", "translations.de.components.mail.hint"
	p.click(cell(label))
	p.key("Land")
	p.wait(sel("[data-save-state]") + `.dataset.saveState === "dirty"`)
	p.key(kb.Enter) // the cell below
	p.wait(`document.activeElement.dataset.path === "translations.de.components.country.config.options[0].label"`)
	p.key("Deutschland")
	p.key(kb.Tab)
	p.wait(`document.activeElement.dataset.path === "translations.fr.components.country.config.options[0].label"`)
	// Escape takes back what was typed.
	p.key("Nein")
	p.wait(`document.activeElement.value === "Nein"`)
	p.key(kb.Escape)
	p.wait(`document.activeElement.value === ""`)
	// What differs from the source is told.
	p.click(cell(hint))
	p.key("Wir senden einen Code")
	p.wait(sel(".dk-note") + `?.textContent.includes("variables differ")`)
	p.shots("languages-variables")
	p.key("a", chromedp.ModifierCtrl)
	p.key("Wir senden einen Code an {{fields.mail}}")
	p.wait(`!` + sel(".dk-note"))
	p.press("button", "Save")
	p.saveState("saved")
	de := at(s.form(id)["translations"], "de", "components").(map[string]any)
	for path, want := range map[string]string{"country.label": "Land", "mail.hint": "Wir senden einen Code an {{fields.mail}}", "mail.label": "E-Mail"} {
		var keys []any
		for k := range strings.SplitSeq(path, ".") {
			keys = append(keys, k)
		}
		if got := at(de, keys...); got != want {
			t.Errorf("%s is %v, want %q", path, got, want)
		}
	}
	if fr := at(s.form(id)["translations"], "fr", "components").(map[string]any); len(fr) != 1 {
		t.Errorf("French is %v", fr)
	}
	// Undo reaches the page.
	p.key("z", chromedp.ModifierCtrl)
	p.wait(sel(cell(hint)) + `.value !== "Wir senden einen Code an {{fields.mail}}"`)
	p.press("tab", "Graph")
	p.wait(sel("#desk") + `.hidden`)
}

// A block is copied, pasted and cleared as in a spreadsheet.
func TestTranslationsArePasted(t *testing.T) {
	nightly(t) // app/desk/languages tests it (TestBlockIsPastedAndCut, TestCursorMoves), web/jscheck/desk.test.js the clipboard
	t.Parallel()
	_, p, _ := inLanguages(t, spoken)
	const below, german = "components.country.config.options[0].label", "components.country.label"
	p.click(cell("translations.de." + german))
	paste := func(text string) {
		p.t.Helper()
		eval[bool](p, `(() => { const d = new DataTransfer(); d.setData("text/plain", `+js(text)+`);
			return document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: d, bubbles: true, cancelable: true})); })()`)
	}
	paste("Land\tPays\nDeutschland\tAllemagne\n")
	p.wait(sel(cell("translations.fr."+below)) + `.value === "Allemagne"`)
	p.key(kb.ArrowDown, chromedp.ModifierShift)
	p.key(kb.ArrowRight, chromedp.ModifierShift)
	p.wait(`document.querySelectorAll("#desk .dk-cell.sel").length === 4`)
	p.shots("languages-block")
	copied := eval[string](p, `(() => { const d = new DataTransfer();
		document.activeElement.dispatchEvent(new ClipboardEvent("copy", {clipboardData: d, bubbles: true, cancelable: true})); return d.getData("text/plain"); })()`)
	if want := "Land\tPays\nDeutschland\tAllemagne\n"; copied != want {
		t.Errorf("copied %q, want %q", copied, want)
	}
	p.key(kb.Delete)
	p.wait(sel(cell("translations.fr."+below)) + `.value === ""`)
	p.wait(sel(cell("translations.de."+german)) + `.value === ""`)
	p.key("z", chromedp.ModifierCtrl)
	p.wait(sel(cell("translations.fr."+below)) + `.value === "Allemagne"`)
}

// Languages are added, filtered by what is missing, exported and imported.
func TestLanguagesAreManaged(t *testing.T) {
	nightly(t) // app/desk/languages tests it (TestLanguages, TestFocusFollowsAMenuAndBack); TestJobs adds a language
	t.Parallel()
	_, p, _ := inLanguages(t, spoken)
	p.press("button", "Language")
	p.wait(`document.activeElement.id === "dk-tag"`)
	p.key("de")
	p.key(kb.Enter)
	p.wait(sel(`#desk [role=alert]`) + `?.textContent.includes("The form already has German (de).")`)
	p.shots("languages-add")
	p.key("a", chromedp.ModifierCtrl)
	p.key("brazil")
	p.wait(`document.querySelectorAll("#desk .dk-offers button").length === 1`)
	if at := eval[string](p, `(([a, b]) => a.left === b.left && a.width === b.width ? "" : [a.left, a.width, b.left, b.width].join())(
		[`+sel("#desk .dk-offers button")+`, `+sel("#dk-tag")+`].map(e => e.getBoundingClientRect()))`); at != "" {
		t.Errorf("the only offer is not as wide as the field: %s", at)
	}
	p.shots("languages-offers")
	p.key(kb.Enter)
	p.wait(sel(cell(`translations["pt-BR"].components.mail.label`)))
	p.press("button", "Import, export")
	p.wait(sel(`#desk [role=menu]`))
	p.shots("languages-menu")
	p.key(kb.Escape)
	p.wait(`!` + sel(`#desk [role=menu]`))
	p.wait(`document.activeElement.dataset.arg === "file"`)
}

// Messages are edited beside their built-in texts, and an own one names the texts that use it.
func TestMessagesAreEdited(t *testing.T) {
	nightly(t) // app/desk/messages tests it (TestList, TestEdit, TestNoneYet); TestSmallWindow opens the page
	t.Parallel()
	s := shared(t)
	id := s.create(strings.Replace(spoken, `"label":"Company name"`, `"label":"{{ t('company') }}"`, 1))
	p := s.tab()
	p.editor(s, id)
	p.press("tab", "Messages")
	p.wait(sel(`#desk [data-do=define]`))
	p.shots("messages")
	p.press("button", "Add it")
	p.wait(sel(cell("messages.custom.company")))
	p.clickInto(cell("messages.custom.company"))
	p.key("a", chromedp.ModifierCtrl)
	p.key("Your company")
	p.click(cell("messages.errors.ERR_EMAIL_EXPECTED"))
	p.key(strings.Repeat("x", 260))
	p.wait(sel(`#desk [role=alert]`) + `?.textContent.includes("may have 255")`)
	p.wait(sel(cell("messages.errors.ERR_EMAIL_EXPECTED")) + `.getAttribute("aria-describedby") === ` + sel(`#desk [role=alert]`) + `.id`)
	p.key("a", chromedp.ModifierCtrl)
	p.key("Not an e-mail")
	p.wait(`!` + sel(`#desk [role=alert]`))
	p.wait(sel(cell("messages.errors.ERR_EMAIL_EXPECTED")) + `.dataset.value === "Not an e-mail"`) // the editor has all of it
	p.press("button", "Save")
	p.saveState("saved")
	m := s.form(id)["messages"]
	if got := at(m, "custom", "company"); got != "Your company" {
		t.Errorf("company is %v", got)
	}
	if got := at(m, "errors", "ERR_EMAIL_EXPECTED"); got != "Not an e-mail" {
		t.Errorf("the error is %v", got)
	}
	p.press("button", "Message")
	p.wait(`document.activeElement.id === "ms-key"`)
	p.key("company")
	p.key(kb.Enter)
	p.wait(sel(`#desk [role=alert]`) + `?.textContent.includes("already")`)
	p.key(kb.Escape)
	p.wait(`!` + sel(`#desk [role=dialog]`))
}

// The style shows at once on every kind of component, and mistakes and poor contrast are told.
func TestStyleIsEdited(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	p.press("tab", "Style")
	p.wait(sel(cell("style.css")))
	p.clickInto(cell("style.css"))
	p.insert(":root {\n  --primary-color: #ffe000;\n}\n.af-button { border-radius: 0 }\n")
	p.wait(sel(".st-warn") + `?.textContent.includes("Text on the accent")`)
	p.wait(sel(".st-ink .se"))
	p.shots("style")
	p.press("tab", "Variables")
	p.clickInto(`#desk [aria-label="Accent"]`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert("#123456")
	low := `[...document.querySelectorAll(".st-low:not([hidden])")].find((e) => e.textContent.includes("1.4:1 in the dark theme"))`
	p.wait(inside(low)) // that of the light theme is gone
	p.wait(`document.querySelector("#desk [aria-label='Text on the accent']").getAttribute("aria-describedby") === ` + low + `.id`)
	p.do(chromedp.EmulateViewport(390, 844))
	p.wait(inside(low) + ` && !` + inside(sel("#desk iframe")))
	row := `[...document.querySelectorAll(".st-bar :is(button, select, input)")].every((e) => e.checkVisibility() === false || e.getBoundingClientRect().right <= innerWidth)`
	p.wait(row)
	p.press("button", "Look")
	p.wait(inside(sel("#desk iframe")) + ` && ` + row + ` && ` + inside(sel("#desk [data-in=theme]")) + ` && !` + inside(low))
	p.press("button", "Edit")
	p.do(chromedp.EmulateViewport(1440, 900))
	p.wait(inside(low) + ` && ` + inside(sel("#desk iframe")))
	dark := `[...document.querySelectorAll("#desk input[aria-label=Text]")].some((e) => e.value === "#f0f0ec")`
	for _, theme := range []string{"light", "dark"} {
		eval[bool](p, `(() => { const e = document.querySelector("#desk [data-in=theme]"); e.value = "`+theme+`"; return e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
		p.wait(dark + ` === ` + strconv.FormatBool(theme == "dark"))
	}
	eval[bool](p, `(() => { const e = document.querySelector("#desk [data-in=theme]"); e.value = "system"; return e.dispatchEvent(new Event("change", { bubbles: true })); })()`)
	for _, theme := range []string{"dark", "light"} {
		p.scheme(theme)
		p.wait(dark + ` === ` + strconv.FormatBool(theme == "dark"))
	}
	p.shots("style-variables")
	p.press("tab", "Presets")
	p.shots("style-presets")
	p.press("tab", "CSS")
	p.wait(sel(cell("style.css")) + `?.value.includes("--primary-color: #123456;")`)
	p.clickInto(cell("style.css"))
	p.key("a", chromedp.ModifierCtrl)
	p.insert(".af-form { color: red")
	p.wait(sel(`#desk [role=alert]`) + `?.textContent.includes("never closed")`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert(".af-form { color: red }")
	p.wait(`!` + sel(`#desk [role=alert]`))
	p.press("button", "Save")
	p.saveState("saved")
	if got := at(s.form(id)["style"], "css"); got != ".af-form { color: red }" {
		t.Errorf("the style is %v", got)
	}
}

// A translation is stale once its source is saved with another text, for everybody, until somebody finds it right.
func TestStaleTranslations(t *testing.T) {
	nightly(t) // app/desk/languages and app/translate test it (TestStale), server/bff that sources are kept (teamfiles_test.go)
	t.Parallel()
	s := shared(t)
	id := s.create(spoken)
	p := s.tab()
	p.editor(s, id)
	p.choose("ask")
	p.click(`.parts [data-component=mail] .part`)
	p.fill("nodes[0].config.components[1].label", "Your e-mail")
	p.press("button", "Save")
	p.saveState("saved")
	stored := func(part string) {
		p.t.Helper()
		p.wait(`fetch("/bff/api/forms/` + id + `/sources", {headers: {"X-CSRF": "1"}}).then((r) => r.text()).then((s) => { window.sources = s }), (window.sources || "").includes(` + js(part) + `)`)
	}
	stored(`"E-mail"`)
	other := s.tab()
	other.editor(s, id)
	other.languages()
	other.click(cell("translations.de.components.mail.label"))
	other.wait(sel(".dk-note") + `?.textContent.includes("has changed since")`)
	other.shots("languages-stale")
	other.press("button", "Still right")
	other.wait(`!` + sel(".dk-cell.stale textarea[lang=de]"))
	other.open(s.Ready.Editor + "/forms/" + id)
	other.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	other.languages()
	other.click(cell("translations.de.components.mail.label"))
	other.wait(`!` + sel(".dk-note"))
}

// A scroll step of the table adds the lines and cells that come into view and removes those that leave. What stays is not touched: to move
// a line costs as much as to draw it.
func TestScrollKeepsWhatStays(t *testing.T) {
	nightly(t) // app/desk/languages tests what is drawn (motion_test.go), web/jscheck/desk.test.js that elements stay; only here: both together
	t.Parallel()
	_, p, _ := inLanguages(t, spokenBy(400, 12))
	for _, step := range []struct {
		by   string
		most int // elements added: a few lines, or one or two cells in each line
	}{{"scrollTop += 360", 15}, {"scrollTop += 108", 5}, {"scrollTop -= 252", 12}, {"scrollLeft += 1200", 300}, {"scrollLeft -= 1200", 300}} {
		got := evalAsync[[]int](p, `(async () => {
			const scroll = document.querySelector(".dk-scroll"), rows = document.querySelector("[data-region=rows]");
			const shown = () => rows.textContent.length + "/" + [...rows.children].map(e => e.dataset.key + e.childElementCount).join();
			const frames = async (n) => { while (n--) await new Promise(requestAnimationFrame); };
			let was = "", calm = 0;
			while (calm < 10) { const is = shown(); calm = is === was ? calm + 1 : 0; was = is; await frames(1); }
			const before = shown(), added = new Map(), removed = new Set();
			let again = 0;
			const seen = new MutationObserver((list) => { for (const m of list) {
				for (const n of m.addedNodes) { if (removed.has(n)) again++; added.set(n, true); }
				for (const n of m.removedNodes) removed.add(n);
			} });
			seen.observe(rows, { childList: true, subtree: true });
			scroll.`+step.by+`;
			while (shown() === before) await frames(1);
			await frames(5);
			seen.disconnect();
			return [[...added.keys()].filter(n => n.nodeType === 1 && (n.parentNode === rows || n.parentNode?.parentNode === rows)).length, again];
		})()`)
		if got[0] == 0 || got[0] > step.most || got[1] > 0 {
			t.Errorf("%s added %d elements, want 1 to %d, and moved %d", step.by, got[0], step.most, got[1])
		}
	}
}

// A cell that came into view while the table scrolled has no control yet. A press adds it, and all are added once the table has stopped.
func TestPressOnACellWithoutItsControl(t *testing.T) {
	nightly(t) // app/desk/languages tests it (TestControlsFollowWhenTheTableStops), web/jscheck/desk.test.js the press; only here: the two together
	t.Parallel()
	_, p, _ := inLanguages(t, spokenBy(400, 12))
	arg := evalAsync[string](p, `(async () => {
		const scroll = document.querySelector(".dk-scroll");
		for (;;) {
			scroll.scrollTop += 90;
			await new Promise(requestAnimationFrame);
			const view = scroll.getBoundingClientRect();
			const bare = [...document.querySelectorAll("#desk [data-bare]")].find((e) => e.getBoundingClientRect().top > view.top + 100 && e.getBoundingClientRect().bottom < view.bottom);
			if (!bare) continue;
			bare.firstElementChild.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true, button: 0 }));
			return bare.dataset.bare;
		}
	})()`)
	p.wait(`document.activeElement.dataset.arg === ` + js(arg))
	p.key("Typed")
	p.wait(`document.activeElement.dataset.value === "Typed"`)
	p.wait(`!` + sel("#desk [data-bare]"))
}

// Focusing a cell with a long text does not scroll the table sideways: the source stays beside its translation.
func TestFocusInALongTextKeepsTheColumns(t *testing.T) {
	nightly(t) // only here: the focus does not scroll the table sideways; a change of the focus in web/static/desk.js needs it
	t.Parallel()
	_, p, _ := inLanguages(t, spoken, chromedp.EmulateViewport(768, 1024))
	p.wait(inside(sel(cell("translations.de.components.mail.label"))))
	p.click(cell("translations.de.components.mail.label"))
	p.key(strings.Repeat("lang ", 30))
	p.key(kb.Enter)
	p.wait(`document.activeElement.dataset.path === "translations.de.components.mail.hint"`)
	p.key(kb.ArrowUp)
	p.wait(`document.activeElement.selectionEnd === 150 && document.activeElement.selectionStart === 0`)
	p.still()
	if left := eval[int](p, sel(".dk-scroll")+`.scrollLeft`); left != 0 {
		t.Errorf("the table scrolled by %d pixels", left)
	}
}
