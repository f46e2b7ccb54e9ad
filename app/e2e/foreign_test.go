//go:build e2e && !js

package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/foreigntest"
)

// abroad starts the editor in front of a foreign tenant.
func abroad(t *testing.T, traits foreigntest.Traits, service bool) (*server, *foreigntest.Tenant) {
	t.Helper()
	tenant := foreigntest.Start(t, traits)
	args := tenant.Options(service)
	if service {
		args = append(args, "--allow-email-domain", "team.example")
	}
	return start(t, filepath.Join(t.TempDir(), "data"), args...), tenant
}

// enterAbroad signs in at a foreign tenant as its first person.
func (p *page) enterAbroad(s *server, path string) {
	p.t.Helper()
	p.open(s.Ready.Editor + "/bff/login?return_to=" + url.QueryEscape(path))
	p.click(`button[name="person"]`)
	p.signedIn = true
	p.wait(`!document.getElementById("app-wasm-loader") && location.pathname === ` + js(path))
}

// openAbroad opens a form of a foreign tenant in a new browser.
func openAbroad(t *testing.T, s *server, id string) *page {
	t.Helper()
	p := browse(t)
	p.enterAbroad(s, "/forms/"+url.PathEscape(id))
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.press("button", "Fit view")
	p.still()
	return p
}

// The main job succeeds at tenants with every trait, and nothing that the tenant keeps is lost.
func TestMainJobAtOtherTenants(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		traits  foreigntest.Traits
		service bool
	}{
		"plain":                {},
		"service":              {service: true},
		"strangers":            {foreigntest.Traits{PeopleAreStrangers: true, NoScope: true, KnownScopes: true}, true},
		"ETags":                {traits: foreigntest.Traits{ETags: true}},
		"extra":                {traits: foreigntest.Traits{Extra: true}},
		"drops":                {traits: foreigntest.Traits{Drops: true}},
		"strict":               {traits: foreigntest.Traits{Strict: true, KnownScopes: true}},
		"text":                 {traits: foreigntest.Traits{TextDelete: true, NoScope: true}},
		"short tokens":         {traits: foreigntest.Traits{TokenLife: 35 * time.Second}},
		"no refresh":           {traits: foreigntest.Traits{NoRefresh: true, ThinIDTokens: true}},
		"two a second":         {traits: foreigntest.Traits{PerSecond: 2}},
		"two a second, quiet":  {foreigntest.Traits{PerSecond: 2, Quiet: true}, true},
		"odd ids":              {traits: foreigntest.Traits{OddIDs: true}},
		"totals":               {traits: foreigntest.Traits{List: "totals"}},
		"whole forms":          {traits: foreigntest.Traits{List: "whole", IgnoresPages: true}},
		"lost answers":         {foreigntest.Traits{LosesAnswers: true}, true},
		"no flows":             {traits: foreigntest.Traits{NoFlows: true}},
		"proofs of possession": {traits: foreigntest.Traits{DPoP: true}},
		"everything": {foreigntest.Traits{
			Extra: true, Drops: true, Strict: true, TextDelete: true, NoScope: true, PeopleAreStrangers: true, KnownScopes: true, NoRefresh: true,
			PerSecond: 4, OddIDs: true, List: "whole", IgnoresPages: true, ThinIDTokens: true, NoFlows: true, LosesAnswers: true,
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "everything" { // it has most traits; each alone is tested natively, in server/remote, server/upstream and server/bff
				nightly(t)
			}
			t.Parallel()
			s, tenant := abroad(t, tt.traits, tt.service)
			label := `"label":"Work e-mail"`
			id := tenant.Add(strings.Replace(threeNodes, label, label+`,"hint":"Yours","x_from_later":{"a":[1]}`, 1))
			mainJobAbroad(t, s, tenant, id)
		})
	}
}

// mainJobAbroad opens a form from the list, drags, edits, saves, reloads, and deletes it.
func mainJobAbroad(t *testing.T, s *server, tenant *foreigntest.Tenant, id string) {
	t.Helper()
	p := browse(t)
	p.enterAbroad(s, "/forms")
	row := `[...document.querySelectorAll("tr[data-form]")].find(r => r.dataset.form === ` + js(id) + `)`
	p.wait(row)
	p.clickOn(row + `.querySelector("a")`)
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]")`)
	p.press("button", "Fit view")
	p.still()
	if eval[bool](p, `!!document.querySelector('a[href="/admin"], a[href="/account"]')`) {
		t.Error("the page links to pages that this tenant does not have")
	}

	x, y := p.grip("step_b")
	p.drag(x, y, x, y-120)
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "Private e-mail")
	p.wait(sel(node("step_a")) + `.textContent.includes("Private e-mail")`)
	p.press("button", "Save")
	p.savedAbroad(tenant, id, "Private e-mail")
	p.shoot("abroad-" + strings.ReplaceAll(t.Name()[len("TestMainJobAtOtherTenants/"):], " ", "-"))

	got := tenant.Form(id)
	if y, _ := at(got, "nodes", 2, "coordinates", "y").(float64); y > -130 {
		t.Errorf("step_b is at y=%v", y)
	}
	if kept := at(got, "nodes", 0, "config", "components", 0, "x_from_later"); fmt.Sprint(kept) != "map[a:[1]]" {
		t.Errorf("a property that the editor does not know is now %v", kept)
	}

	// A second save, and a connection by a handle.
	x, y = p.middle(sel(`[data-handle="step_b:next"]`))
	toX, toY := p.middle(sel(node("$ending")))
	p.drag(x, y, toX, toY)
	p.wait(sel(`[data-edge="step_b:next"]`) + `?.dataset.target === "$ending"`)
	p.press("button", "Save")
	p.waitFor(40*time.Second, `document.querySelector("[data-save-state]").dataset.saveState === "saved"`)
	if to := at(tenant.Form(id), "nodes", 2, "config", "next_node"); to != "$ending" {
		t.Errorf("step_b leads to %v", to)
	}

	p.open(s.Ready.Editor + "/forms/" + url.PathEscape(id))
	p.waitFor(40*time.Second, `document.querySelector("[data-testid=canvas][data-ready=true]") && `+
		sel(node("step_a"))+`?.textContent.includes("Private e-mail")`)
	if len(p.console) > 0 {
		t.Errorf("the console is not empty:\n%s", strings.Join(p.console, "\n"))
	}
	p.open(s.Ready.Editor + "/forms")
	p.waitFor(40*time.Second, row)
	p.press("button", "More for Contact")
	p.press("button", "Delete Contact")
	p.press("button", "Delete")
	p.waitFor(40*time.Second, `!(`+row+`)`)
	until(20*time.Second, func() bool { return tenant.Form(id) == nil }, func() { t.Error("the form is still there") })
}

// savedAbroad waits until a save has ended and the tenant has the label.
func (p *page) savedAbroad(tenant *foreigntest.Tenant, id, label string) {
	p.t.Helper()
	p.waitFor(60*time.Second, `document.querySelector("[data-save-state]").dataset.saveState === "saved"`)
	if got := at(tenant.Form(id), "nodes", 0, "config", "components", 0, "label"); got != label {
		p.t.Fatalf("saved, but the tenant has the label %v", got)
	}
}

// What the tenant changes in a save is told, once, and the form has it.
func TestOtherTenantChangesASave(t *testing.T) {
	nightly(t) // app/ui/saver tests it (TestTenantsChangesAreTakenAndTold), app/ui the act of Show (TestChangesFromOutsideAreShown)
	t.Parallel()
	s, tenant := abroad(t, foreigntest.Traits{Drops: true, Extra: true}, false)
	id := tenant.Add(threeNodes)
	p := openAbroad(t, s, id)
	hint := "nodes[0].config.components[0].hint"
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill(hint, "Only for receipts")
	p.saveState("dirty")
	p.press("button", "Save")
	p.saveState("saved")
	p.wait(`document.body.textContent.includes("The server changed 1 thing")`)
	p.wait(sel(`[data-path="`+hint+`"]`) + `.value === ""`)
	p.shots("abroad-changed")
	p.press("button", "Show")
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("What the server changed")`)
	p.shots("abroad-changes")
	p.press("button", "Close")
	p.fill("nodes[0].config.components[0].label", "E-mail")
	p.press("button", "Save")
	p.saveState("saved")
	if eval[bool](p, `document.body.textContent.includes("The server changed")`) {
		t.Error("a save that the tenant took as it is says otherwise")
	}
}

// A form that was deleted elsewhere is saved as a new one.
func TestFormDeletedAtOtherTenant(t *testing.T) {
	nightly(t) // app/ui tests it (TestDeletedFormIsSavedAsNew), app/ui/saver the offer
	t.Parallel()
	s, tenant := abroad(t, foreigntest.Traits{OddIDs: true}, true)
	id := tenant.Add(threeNodes)
	p := openAbroad(t, s, id)
	tenant.Remove(id)
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "My work")
	p.saveState("dirty")
	p.press("button", "Save")
	p.wait(find("button", "Save as a new form"))
	p.shots("abroad-gone")
	p.press("button", "Save as a new form")
	p.wait(`location.pathname !== ` + js("/forms/"+url.PathEscape(id)))
	p.wait(`document.querySelector("[data-testid=canvas][data-ready=true]") && ` + sel(node("step_a")) + `?.textContent.includes("My work")`)
	p.saveState("saved")
	ids := tenant.IDs()
	if len(ids) != 1 || at(tenant.Form(ids[0]), "nodes", 0, "config", "components", 0, "label") != "My work" {
		t.Errorf("the tenant has %v", ids)
	}
}

// A person whom no rule lets in learns why, and a person who may only look gets no tools.
func TestWhoMayUseTheEditor(t *testing.T) {
	nightly(t) // server/bff tests who (TestWhoMayUseTheEditor), app/ui and app/ui/forms what they are offered; TestReadersChangeNothing looks
	t.Parallel()
	tenant := foreigntest.Start(t, foreigntest.Traits{PeopleAreStrangers: true, NoFlows: true},
		foreigntest.Person{Subject: "auth0|eve", Email: "eve@other.example", Verified: true},
		foreigntest.Person{Subject: "auth0|vic", Email: "vic@team.example", Verified: true})
	id := tenant.Add(threeNodes)
	s := start(t, filepath.Join(t.TempDir(), "data"),
		append(tenant.Options(true), "--allow-subject", "auth0|ana", "--view-email-domain", "team.example")...)

	p := browse(t)
	p.open(s.Ready.Editor + "/bff/login?return_to=/forms")
	p.click(`button[name="person"][value="0"]`)
	p.wait(find("link", "Sign in with another account") + ` && document.body.textContent.includes("eve@other.example")`)
	p.shots("abroad-not-allowed")
	p.open(s.Ready.Editor + "/forms/" + id)
	p.wait(find("button", "Sign out") + ` && document.body.textContent.includes("eve@other.example")`)
	p.shots("abroad-not-allowed-page")
	if n := len(tenant.Calls()); n != 0 {
		t.Errorf("%d calls for a stranger", n)
	}

	p = browse(t)
	p.open(s.Ready.Editor + "/bff/login?return_to=/forms")
	p.click(`button[name="person"][value="1"]`)
	p.wait(`document.querySelector("tr[data-form]")`)
	for _, name := range []string{"New form", "Import"} {
		if eval[bool](p, "!!"+find("button", name)) {
			t.Errorf("a viewer is offered %s", name)
		}
	}
	p.shots("abroad-viewer-list")
	p.open(s.Ready.Editor + "/forms/" + id)
	p.wait(`document.querySelector("[data-testid=canvas]") && ` + sel(node("step_a")))
	p.wait(`document.body.textContent.includes("Read-only")`)
	for _, name := range []string{"Save", "Add node", "Tidy up"} {
		if eval[bool](p, "!!"+find("button", name)) {
			t.Errorf("a viewer is offered %s", name)
		}
	}
	p.shots("abroad-viewer")
	for _, c := range tenant.Calls() {
		if c.Method != http.MethodGet || strings.HasSuffix(c.Path, "/flows") {
			t.Errorf("called %s %s", c.Method, c.Path)
		}
	}
}

// A tenant that limits requests delays a save and a deletion. Both are then made without another click.
func TestOtherTenantAsksToWait(t *testing.T) {
	nightly(t) // app/ui/saver and app/ui/forms test it (TestSaveWaitsAsTheTenantAsks, TestChangesWaitAsTheTenantAsks), server/upstream the limits
	t.Parallel()
	s, tenant := abroad(t, foreigntest.Traits{}, true)
	id := tenant.Add(threeNodes)
	p := openAbroad(t, s, id)
	tenant.Hold(16 * time.Second)
	p.click(node("step_a") + ` [data-component="mail"]`)
	p.fill("nodes[0].config.components[0].label", "In the end")
	p.saveState("dirty")
	p.press("button", "Save")
	p.waitFor(20*time.Second, `document.body.textContent.includes("The server asks to wait: saving in")`)
	p.saveState("saving")
	p.shots("abroad-wait")
	p.savedAbroad(tenant, id, "In the end")

	p.open(s.Ready.Editor + "/forms")
	p.waitFor(40*time.Second, `document.querySelector("tr[data-form]")`)
	tenant.Hold(16 * time.Second)
	p.press("button", "More for Contact")
	p.press("button", "Delete Contact")
	p.press("button", "Delete")
	p.wait(`document.querySelector("dialog[open]")?.textContent.includes("The server asks to wait: deleting in")`)
	p.shots("abroad-wait-delete")
	p.waitFor(40*time.Second, `!document.querySelector("tr[data-form]")`)
	until(20*time.Second, func() bool { return tenant.Form(id) == nil }, func() { t.Error("the form is still there") })
}
