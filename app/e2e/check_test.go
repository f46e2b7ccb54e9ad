//go:build e2e && !js

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/server/foreigntest"
)

// A visitor of /check signs in and comes to the page, whose cookie no other site's page may send. The page and that of a failed sign-in fit
// a narrow window, and axe finds no violations in either theme.
func TestCheckPage(t *testing.T) {
	nightly(t) // server and server/bff test it (TestCheckPage); only here: axe and narrow windows of /check and of a failed sign-in
	t.Parallel()
	script := axeScript(t)
	judge := func(p *page, name string) {
		p.t.Helper()
		for _, width := range []int64{1280, 320} {
			p.do(chromedp.EmulateViewport(width, 900))
			p.judge(script, fmt.Sprintf("%s-%d", name, width))
		}
	}
	for name, tt := range map[string]struct {
		traits  foreigntest.Traits
		service bool
	}{
		"people":  {foreigntest.Traits{}, false},
		"service": {foreigntest.Traits{PeopleAreStrangers: true, Excess: []string{"read:logs"}, NoFlows: true}, true},
	} {
		s, _ := abroad(t, tt.traits, tt.service)
		p := browse(t)
		p.open(s.Ready.Editor + "/check")
		p.click(`button[name="person"]`)
		p.wait(`document.querySelector("h1")?.textContent === "Configuration check"`)
		p.click(`a[href="/check"]`)
		p.wait(`location.pathname + location.search === "/check" && document.querySelectorAll(".report li").length > 12`)
		judge(p, "check-"+name)
	}
	tenant := foreigntest.Start(t, foreigntest.Traits{KnownScopes: true})
	s := start(t, filepath.Join(t.TempDir(), "data"), append(tenant.Options(false), "--me-audience", tenant.URL+"/me/")...)
	p := browse(t)
	p.open(s.Ready.Editor + "/bff/login")
	p.wait(`document.querySelector(".shell-code")?.textContent === "login_scope"`)
	judge(p, "sign-in-fault")
}
