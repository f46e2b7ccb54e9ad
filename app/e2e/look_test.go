//go:build e2e && !js

package e2e

import (
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// Somebody who may change a form makes a link, with which somebody without an account looks at its graph and its screens, until the link is
// revoked.
func TestLinkToLook(t *testing.T) {
	t.Parallel()
	script := axeScript(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id := s.create(strings.Replace(threeNodes, `{"id":"thanks"`, `{"id":"bot","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"k","secret_key":"mark-of-a-secret"}},{"id":"thanks"`, 1))
	p := browse(t)
	p.before(`navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }`)
	p.editor(s, id)
	p.press("button", "More")
	p.press("menuitem", "Share a link…")
	p.wait(`document.activeElement?.id === "lk-life"`)
	p.clickOn(sel(`[data-in=label]`))
	p.insert("For the lawyers")
	p.shots("share")
	p.do(chromedp.EmulateViewport(390, 844))
	p.press("button", "Create link")
	p.wait(`document.activeElement?.dataset.do === "copy" && document.querySelector(".lk-url")?.value.includes("/look/")`)
	p.wait(inside(sel(".lk-link p:last-child")))
	p.do(chromedp.EmulateViewport(1440, 900))
	p.press("button", "Copy the link For the lawyers")
	p.wait(`window.copied === document.querySelector(".lk-url").value`)
	p.wait(find("button", "Copied the link For the lawyers"))
	p.shots("share-made")
	p.judge(script, "axe-share")
	link := eval[string](p, `window.copied`)

	// A browser without any cookie.
	look := browse(t)
	look.before(`window.stopped = []; addEventListener("securitypolicyviolation", e => stopped.push(e.effectiveDirective + " " + e.blockedURI))`)
	look.open(link)
	look.wait(`document.title === "Contact – Formgraph" && document.querySelector("#graph").dataset.zoom`)
	if !eval[bool](look, `document.querySelector(".lk-view").textContent.includes("Work e-mail") && document.querySelector(".lk-foot").textContent.includes("Read only.")`) {
		t.Error("the page lacks the graph or the footer")
	}
	look.shots("look")
	look.judge(script, "axe-look")
	zoom := eval[float64](look, `+document.querySelector("#graph").dataset.zoom`)
	look.do(chromedp.Focus("#graph"))
	look.key("+")
	look.wait(`+document.querySelector("#graph").dataset.zoom > ` + strconv.FormatFloat(zoom, 'g', -1, 64))
	was := eval[string](look, `document.querySelector(".lk-view").style.transform`)
	look.drag(700, 300, 800, 340)
	look.wait(`document.querySelector(".lk-view").style.transform !== ` + js(was))
	look.key("0")
	look.wait(`+document.querySelector("#graph").dataset.zoom === ` + strconv.FormatFloat(zoom, 'g', -1, 64))
	look.press("tab", "Screens")
	look.wait(`document.querySelector("iframe[sandbox]").offsetHeight > 200 && document.querySelector("#graph").hidden`)
	evalAsync[bool](look, `new Promise(done => { const f = document.querySelector("iframe"); f.addEventListener("load", () => done(true)); f.src = f.src; })`)
	look.shots("look-screens")
	if stopped := eval[string](look, `stopped.join("; ")`); stopped != "" {
		t.Errorf("the policy blocked %s", stopped)
	}
	for _, address := range []string{link, link + "/screens"} {
		if html := s.read(address); strings.Contains(html, "mark-of-a-secret") || !strings.Contains(html, "Thank you") {
			t.Errorf("%s has a secret, or lacks a text", address)
		}
	}
	if n := len(look.takeCookies()); n != 0 {
		t.Errorf("the page has %d cookies", n)
	}
	look.press("tab", "Graph")
	look.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	look.shoot("look-print")
	look.do(call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{}))
	for _, width := range sample(2, []int64{390, 768}) {
		look.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 844, DeviceScaleFactor: 1, Mobile: width < 600}))
		look.shots("look-" + map[int64]string{768: "768", 390: "390"}[width])
		p.do(call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 844, DeviceScaleFactor: 1, Mobile: width < 600}))
		p.asItOpens(s, id)
		p.press("button", "More")
		p.press("menuitem", "Share a link…")
		p.wait(`document.activeElement?.id === "lk-life" && document.querySelector(".lk-link")`)
		p.still()
		p.shots("share-" + map[int64]string{768: "768", 390: "390"}[width])
		if !eval[bool](p, `new Set(["#desk", ".right"].map(s => getComputedStyle(document.querySelector(s)).borderRadius)).size === 1`) {
			t.Errorf("%d px: the sheet has other corners than the panels", width)
		}
	}
	p.click(`[data-do=revoke]`)
	p.press("button", "Keep")
	p.wait(`!document.querySelector("[data-do=revoke-it]")`)
	p.click(`[data-do=revoke]`)
	p.click(`[data-do=revoke-it]`)
	p.wait(`document.querySelector("[data-testid=links]").innerText.includes("Nobody has a link to this form yet.")`)
	look.open(link)
	look.wait(`document.body.innerText.includes("This link does not work")`)
	look.shots("look-gone")
}

// read returns what is at an address, for somebody without a session.
func (s *server) read(address string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		s.t.Fatalf("%s: %d %v", address, res.StatusCode, err)
	}
	return string(text)
}
