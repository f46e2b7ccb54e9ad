//go:build e2e && !js

package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	pagecdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/formgraph/formgraph/app/preview/atlas"
	"github.com/formgraph/formgraph/app/preview/previewtest"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// writeAtlas writes the atlas of a form, in all its languages or in some, into a file of a folder.
func writeAtlas(t *testing.T, folder, name string, f *model.Form, languages ...string) {
	t.Helper()
	css, err := os.ReadFile("../../web/static/preview.css")
	if err != nil {
		t.Fatal(err)
	}
	page, err := atlas.Write(t.Context(), f, atlas.Options{Style: string(css), Languages: languages})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), page, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tree returns the tree of a Go value.
func tree(t *testing.T, v any) *schema.Object {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return previewtest.Tree(string(text)).(*schema.Object)
}

// formOfPayload returns a form with a text in every text of every kind, in its names, its refusals, a translation and its CSS.
func formOfPayload(t *testing.T, text, u string) *model.Form {
	t.Helper()
	var components []any
	for _, s := range previewtest.Samples() {
		if s.Name == "telephone with a country" {
			continue // the names of 240 countries are not the author's
		}
		components = append(components, previewtest.WithTexts(s.Item.Component, text).Tree())
	}
	for i, address := range []string{u, "javascript:" + marker, "data:text/html,<script>" + marker + "</script>"} {
		components = append(components, map[string]any{
			"id": "image_" + strconv.Itoa(i), "category": "BLOCK", "type": "IMAGE", "config": map[string]any{"src": address},
		})
	}
	errs := map[string]any{"ERR_REQUIRED_PROPERTY": text, "ERR_TOO_SHORT_STRING": text, "ERR_INVALID_INPUT": text}
	return model.FromTree(tree(t, map[string]any{
		"name": text, "languages": map[string]any{"primary": text}, "messages": map[string]any{"errors": errs},
		"translations": map[string]any{"de": map[string]any{"components": map[string]any{"text": map[string]any{"label": text}}}},
		"style":        map[string]any{"css": hostileCSS(text, u)},
		"start":        map[string]any{"next_node": "step"},
		"ending":       map[string]any{"redirection": map[string]any{"target": text}},
		"nodes": []any{
			map[string]any{"id": "step", "type": "STEP", "alias": text, "config": map[string]any{"components": components, "next_node": "router"}},
			map[string]any{"id": "router", "type": "ROUTER", "alias": text, "config": map[string]any{
				"rules": []any{map[string]any{"id": "rule", "alias": text, "next_node": text}}, "fallback": text,
			}},
			map[string]any{"id": text, "type": "STEP", "config": map[string]any{"components": components[:2]}},
		},
	}))
}

// pressAll presses everything that the author wrote, and returns what must not be there.
const pressAll = `(() => {
	const roots = [document, ...[...document.querySelectorAll("*")].flatMap(e => e.shadowRoot ?? [])];
	for (const e of roots.flatMap(r => [...r.querySelectorAll("[data-html] :is(a, area, button, input, select, summary, label, p, [href], [tabindex], [onclick])")])) {
		for (const type of ["pointerenter", "pointerdown", "pointerup", "focus"]) e.dispatchEvent(new Event(type, { bubbles: true }));
		if (e.click) e.click(); else e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
		e.focus?.();
	}
	const bad = roots.flatMap(r => [...r.querySelectorAll("script, iframe, object, embed, link, base, form, frame, template, meta:not([content], [charset]), a[href]:not([href^='#'])")]);
	return [window.hit, window.stays, roots.length, bad.map(e => e.outerHTML)].join();
})()`

// TestAtlasHostile opens files that contain payloads in every text, from a disk in the language in which the form is written, and from a
// server in the other one, and presses what they draw: nothing runs, nothing is requested, and the page stays.
func TestAtlasHostile(t *testing.T) {
	nightly(t) // app/preview/atlas tests it (TestFileIsInert, FuzzClean, FuzzSheet); TestPreviewHostile presses payloads in a browser
	t.Parallel()
	c := newCatcher(t)
	hostile := payloadsFor(c.url)
	if len(hostile) < 60 {
		t.Fatalf("only %d payloads", len(hostile))
	}
	disk, folder := t.TempDir(), t.TempDir()
	server := httptest.NewServer(http.FileServer(http.Dir(folder)))
	t.Cleanup(server.Close)
	p := browse(t)
	w := watchTraffic(p)
	var own []string
	opens := func(at, text string) {
		t.Helper()
		p.open(at)
		eval[any](p, `window.stays = true`)
		got := eval[string](p, pressAll)
		p.fence()
		if got += " " + eval[string](p, `[window.hit, window.stays, location.href].join()`); got != ",true,3, ,true,"+at {
			t.Fatalf("%s: %.300s", text, got)
		}
	}
	for i, text := range hostile {
		name, f := "/"+strconv.Itoa(i)+".html", formOfPayload(t, text, c.url)
		writeAtlas(t, disk, name, f, text)
		writeAtlas(t, folder, name, f, "de")
		opens("file://"+disk+name, text)
		if i%8 == 0 { // the page has the same policy wherever it is
			opens(server.URL+name, text)
			own = append(own, server.URL+name)
		}
	}
	w.nothingLeft(t, c, own...)
}

// styledForm has styles that would change the whole page if it had no shadow root.
const styledForm = `{"name":"Styled","start":{"next_node":"a"},"languages":{"primary":"en"},
	"translations":{"ar":{"components":{"name":{"label":"الاسم"}}}},
	"style":{"css":":root { --primary-color: rgb(1, 2, 3) } body { min-height: 100vh; border: 7px solid } h2, p, section { color: rgb(4, 5, 6) !important } ` +
	`.badge { position: fixed; top: 0; left: 0; width: 9999px; height: 20px } @media (max-width: 700px) { .badge { height: 30px } }"},
	"nodes":[{"id":"a","type":"STEP","alias":"First","config":{"next_node":"$ending","components":[
		{"id":"html","category":"BLOCK","type":"HTML","config":{"content":"<h2>Hello</h2><div class=badge>x</div><style>* { letter-spacing: 1px }</style>"}},
		{"id":"name","category":"FIELD","type":"TEXT","label":"Name","required":true},
		{"id":"go","category":"BLOCK","type":"NEXT_BUTTON","config":{"text":"Continue"}}]}}]}`

// TestAtlasPage checks that a form's CSS styles its screens as it styles a document, and nothing else; and that the page violates no
// axe-core rule and fits windows of every width.
func TestAtlasPage(t *testing.T) {
	t.Parallel()
	script := axeScript(t)
	folder := t.TempDir()
	writeAtlas(t, folder, "styled.html", model.FromTree(previewtest.Tree(styledForm).(*schema.Object)))
	p := browse(t)
	p.open("file://" + folder + "/styled.html")
	const in = `document.querySelector(".host").shadowRoot.querySelector`
	for expression, want := range map[string]string{
		`getComputedStyle(` + in + `(".af-nextButton")).backgroundColor`:                                                                   "rgb(1, 2, 3)",
		`getComputedStyle(` + in + `("fg-body")).minHeight`:                                                                                "640px",
		`getComputedStyle(` + in + `("h2")).color`:                                                                                         "rgb(4, 5, 6)",
		`getComputedStyle(` + in + `("h2")).letterSpacing`:                                                                                 "1px",
		`getComputedStyle(` + in + `(".badge")).height`:                                                                                    "30px", // the screen is narrow, not the window
		`getComputedStyle(` + in + `All("fg-html")[1]).direction`:                                                                          "rtl",
		`getComputedStyle(document.body).borderTopWidth`:                                                                                   "0px",
		`String(getComputedStyle(document.querySelector("h2")).color === "rgb(4, 5, 6)")`:                                                  "false",
		`getComputedStyle(document.querySelector("h2")).letterSpacing !== "1px" ? "" : "changed"`:                                          "",
		`getComputedStyle(document.querySelector(".caption")).letterSpacing`:                                                               "normal",
		`(r => String(r.top > document.querySelector("h1").getBoundingClientRect().bottom))(` + in + `(".badge").getBoundingClientRect())`: "true",
	} {
		if got := eval[string](p, expression); got != want {
			t.Errorf("%s is %s, want %s", expression, got, want)
		}
	}
	// A language and a state can be hidden.
	const shown = `[...document.querySelector(".host").shadowRoot.querySelectorAll(".fg-cell")].filter(e => e.getClientRects().length > 0).length`
	for _, x := range []struct {
		box  string
		want int
	}{{"", 4}, {"show-lang-1", 2}, {"show-state-1", 1}, {"show-lang-1", 2}} {
		if x.box != "" {
			eval[any](p, `document.getElementById(`+js(x.box)+`).click()`)
		}
		if got := eval[int](p, shown); got != x.want {
			t.Errorf("after a click on %q %d screens are shown, want %d", x.box, got, x.want)
		}
	}
	// The colours of the form are its author's matter.
	writeAtlas(t, folder, "plain.html", model.FromTree(previewtest.Tree(styledForm).(*schema.Object).Without("style")))
	p.open("file://" + folder + "/plain.html")
	// The colors of a button change gradually, and the document does not list the animations of its shadow roots.
	eval[any](p, `for (const { shadowRoot } of document.querySelectorAll(".host")) {
		shadowRoot.append(Object.assign(document.createElement("style"), { textContent: "* { transition: none !important }" }));
	}`)
	for _, width := range []int{375, 1280} {
		p.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: int64(width), Height: 800, DeviceScaleFactor: 1}))
		p.judge(script, "atlas-"+strconv.Itoa(width))
	}
}

// openedAt waits for a tab at an address, and returns it.
func (p *page) openedAt(address string) *page {
	p.t.Helper()
	var id target.ID
	until(30*time.Second, func() bool {
		list, err := chromedp.Targets(p.ctx)
		if err != nil {
			p.t.Fatal(err)
		}
		for _, i := range list {
			if i.URL == address {
				id = i.TargetID
			}
		}
		return id != ""
	}, func() { p.t.Fatalf("no tab is at %s", address) })
	ctx, cancel := chromedp.NewContext(p.ctx, chromedp.WithTargetID(id))
	p.t.Cleanup(cancel)
	return &page{t: p.t, ctx: ctx}
}

// TestAtlasInTheEditor opens the atlas of a form with unsaved changes and a problem from the editor, reads and prints it, and downloads it in
// one language.
func TestAtlasInTheEditor(t *testing.T) {
	t.Parallel()
	s := shared(t)
	id := s.create(styledForm)
	p := s.tab()
	p.editor(s, id)
	p.choose("a")
	p.fill("nodes[0].alias", "Unsaved")
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.querySelector("#search-text")`)
	p.insert("all screens")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.wait(`document.querySelector("dialog.atlas[open]")`)
	p.shots("atlas-dialog")
	p.press("button", "Open")
	p.wait(`!document.querySelector("dialog[open]")`)
	address := s.Ready.Editor + "/bff/atlas"
	tab := p.openedAt(address)
	tab.wait(`document.querySelector("#ending")`)
	if got := eval[string](tab, `[origin, opener, document.querySelector("#title-1").textContent, document.querySelectorAll("fieldset")[0].textContent.trim()].join()`); !strings.HasPrefix(got, "null,,Unsaved,Languages") {
		t.Errorf("the tab shows %q", got)
	}
	if got := eval[int](tab, `[...document.querySelector(".host").shadowRoot.querySelectorAll(".fg-cell")].filter(e => e.getClientRects().length > 0).length`); got != 4 {
		t.Errorf("%d screens are shown, want 4", got)
	}
	// Nothing runs in the sandbox, not even a promise of the test.
	eval[any](tab, `document.querySelector('a[href="#ending"]').click()`)
	tab.wait(`location.hash === "#ending"`)
	tab.shoot("atlas-tab")
	pdf, err := chromedp.Run(tab.ctx, func(ctx context.Context, c *chromedp.Target) ([]byte, error) {
		got, err := cdp.Call(ctx, c, pagecdp.PrintToPDF, pagecdp.PrintToPDFParams{PrintBackground: new(true)})
		return got.Data, err
	})
	if err != nil || len(pdf) < 20_000 {
		t.Errorf("printed %d bytes: %v", len(pdf), err)
	}

	folder := p.downloads(id)
	p.key("k", chromedp.ModifierCtrl)
	p.wait(`document.activeElement?.id === "search-text"`)
	p.insert("All screens")
	p.wait(`document.querySelector(".result[aria-selected=true]")?.textContent.includes("All screens")`)
	p.key(kb.Enter)
	p.wait(`(a => a.length > 1 && a.every(e => e.checked))([...document.querySelectorAll("dialog.atlas[open] input")])`)
	p.press("button", "Cancel")
	p.press("button", "Preview")
	p.at("a", "asking")
	p.press("button", "Values and settings")
	p.press("button", "All screens")
	p.wait(`document.querySelector("dialog.atlas[open]")`)
	p.clickOn(`document.querySelector('dialog [data-arg="ar"]')`)
	p.press("button", "Download")
	var text []byte
	until(30*time.Second, func() bool {
		text, err = os.ReadFile(filepath.Join(folder, "styled.atlas.html"))
		return err == nil && strings.Contains(string(text), "</html>")
	}, func() { t.Fatalf("no file was downloaded: %v", err) })
	if !strings.Contains(string(text), "<bdi>English</bdi>") || strings.Contains(string(text), "<bdi>Arabic</bdi>") || !strings.Contains(string(text), "Unsaved") {
		t.Errorf("got %.300s", text)
	}
}

// TestServedAtlasHostile opens the atlas of forms that contain payloads as the server answers it: nothing runs, nothing is requested, and it
// stays in a sandbox.
func TestServedAtlasHostile(t *testing.T) {
	nightly(t) // app/preview/atlas tests the file (TestFileIsInert), server/bff its policy and sandbox (TestAtlas)
	t.Parallel()
	s := start(t, filepath.Join(t.TempDir(), "data")) // another test looks for a tab at the address of its own atlas
	c := newCatcher(t)
	hostile := payloadsFor(c.url)
	p := browse(t)
	p.editor(s, s.create(styledForm)) // signs in
	w := watchTraffic(p)
	for i := range hostile {
		p.open(s.Ready.Editor + "/web/theme.js") // of our origin, and requests nothing
		submit := `(() => { const f = Object.assign(document.createElement("form"), { method: "post", action: "/bff/atlas" });
			f.append(Object.assign(document.createElement("input"), { name: "form", value: ` + js(string(schema.Encode(formOfPayload(t, hostile[i], c.url).Tree()))) + ` }));
			document.body.append(f); f.submit(); })()`
		eval[any](p, submit)
		p.wait(`document.querySelector("#ending")`)
		eval[any](p, `window.stays = true`)
		got := eval[string](p, pressAll)
		p.do(call(pagecdp.CaptureScreenshot, pagecdp.CaptureScreenshotParams{})) // a frame later
		if got += " " + eval[string](p, `[window.hit, window.stays, origin].join()`); got != ",true,3, ,true,null" {
			t.Fatalf("%s: %.300s", hostile[i], got)
		}
	}
	w.nothingLeft(t, c, s.Ready.Editor+"/bff/atlas", s.Ready.Editor+"/web/theme.js")
}
