//go:build e2e && !js

package e2e

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// An administrator sees a person's ways to prove their identity, removes one of them and then the rest; in
// both themes and in a narrow window.
func TestAdminFactors(t *testing.T) {
	nightly(t) // app/ui/admin tests it (TestOwnedAgainstTheTenant, TestRemovedWayLeavesTheList); only here: axe of this part, and the focus
	t.Parallel()
	script := axeScript(t)
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data)
	person, _ := s.api("POST", "/users", map[string]any{"email": "ana@example.com", "name": "Ana"}, http.StatusCreated)["user_id"].(string)
	other, _ := s.api("POST", "/users", map[string]any{"email": "bob@example.com"}, http.StatusCreated)["user_id"].(string)
	db, err := sqlite.Open(t.Context(), filepath.Join(data, "formgraph.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	for i, m := range []store.Method{
		{ID: "passkey|a", Type: store.MethodPasskey, Name: "Laptop at work, the old one", Data: []byte(`{"public_key":"AQ=="}`)},
		{ID: "totp|b", Type: store.MethodTOTP, Data: []byte{1}},
		{ID: "recovery-code|c", Type: store.MethodRecoveryCode, Data: []byte{1}},
	} {
		m.UserID, m.Key, m.Created = person, []byte{byte(i)}, time.Now().Add(-50*time.Hour)
		if err := db.CreateMethod(t.Context(), m, 9); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.UseMethod(t.Context(), "totp|b", 0, 1, nil, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	const rows = `document.querySelectorAll(".owned li").length`
	p := browse(t)
	p.admin(s, "#people/"+person)
	p.wait(rows + ` === 3`)
	p.judgePart(script, ".owned", "factors")
	p.press("button", "Remove Laptop at work, the old one")
	p.wait(`document.querySelector("dialog[open]")`)
	p.judge(script, "factors-question")
	p.confirm("“Laptop at work, the old one”", "Cancel")
	p.wait(`!document.querySelector("dialog")`)
	if told := eval[string](p, `document.querySelector(".owned").innerText`); !strings.Contains(told, "Passkey · Added 2 days ago · never used") || !strings.Contains(told, "Added 2 days ago · last used 1 hour ago") {
		t.Errorf("the card says %q", told)
	}
	p.press("button", "Remove Authenticator app")
	p.confirm("“Authenticator app”", "Remove")
	p.said("“Authenticator app” was removed.")
	p.wait(rows + ` === 2 && !document.querySelector("dialog") && document.activeElement.id === "owned-title"`)
	left, err := db.Methods(t.Context(), person)
	if err != nil || len(left) != 2 || left[0].ID != "passkey|a" || left[1].ID != "recovery-code|c" {
		t.Errorf("left = %+v, %v", left, err)
	}
	p.press("button", "Remove all")
	p.confirm("“Ana”", "Remove all")
	p.wait(`document.querySelector(".owned .none")?.textContent === "There are none."`)
	p.shoot("factors-none")
	if left, err := db.Methods(t.Context(), person); err != nil || len(left) != 0 {
		t.Errorf("left = %+v, %v", left, err)
	}
	p.admin(s, "#people/"+other)
	p.wait(`document.querySelector(".owned .none")`)
	p.admin(s, "#log")
	p.wait(`[...document.querySelectorAll(".admin-table td")].some(e => e.textContent === "Passkey or factor removed")`)
	for _, line := range p.console {
		t.Errorf("console: %s", line)
	}
}

// The advanced part of an application's form keeps its input, and marks an invalid second address.
func TestAdminAdvanced(t *testing.T) {
	nightly(t) // app/ui/admin tests it (TestFormsAgainstTheTenant, TestProblemsAgainstTheTenant)
	t.Parallel()
	script := axeScript(t)
	s := start(t, filepath.Join(t.TempDir(), "data"))
	id, _ := s.api("POST", "/clients", map[string]any{"name": "Shop"}, http.StatusCreated)["client_id"].(string)
	const channels = "oidc_logout.backchannel_logout_urls"
	p := browse(t)
	p.admin(s, "#clients/"+id)
	for i, address := range []string{"https://shop.example.com/bc", "https://two.example.com/bc"} {
		path := fmt.Sprint(channels, "[", i, "]")
		p.click(`[data-act=add][data-arg="` + channels + `"]`)
		p.wait(`document.activeElement?.dataset.path === ` + js(path)) // the focus brings it into view
		p.enter(path, address)
	}
	p.click(`[data-path="require_pushed_authorization_requests"]`)
	p.store("Save")
	p.wait(`document.querySelector('[data-path="` + channels + `[1]"]')?.getAttribute("aria-invalid") === "true" && document.querySelector(".entry .problem-text").textContent.includes("at most one")`)
	p.judgePart(script, ".part", "advanced")
	p.click(`[data-act=remove][data-arg="` + channels + `[1]"]`)
	p.store("Save")
	p.said("was saved")
	got := s.api("GET", "/clients/"+id, nil, http.StatusOK)
	if fmt.Sprint(got["oidc_logout"]) != "map[backchannel_logout_urls:[https://shop.example.com/bc]]" || got["require_pushed_authorization_requests"] != true || got["require_proof_of_possession"] != false {
		t.Errorf("kept = %v", got)
	}
}

// judgePart judges the page in a wide and in a narrow window, with the first element of a selector in view, and leaves a wide window.
func (p *page) judgePart(script, selector, name string) {
	p.t.Helper()
	for _, width := range []int64{360, 1440} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.wait(fmt.Sprintf("innerWidth === %d", width))
		eval[any](p, sel(selector)+`.scrollIntoView({block: "center"}); 0`)
		p.judge(script, fmt.Sprintf("%s-%d", name, width))
	}
}
