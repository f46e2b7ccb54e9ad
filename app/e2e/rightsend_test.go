//go:build e2e && !js

package e2e

import (
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// Somebody whose rights are taken away while they edit is told, and keeps the work that is not saved.
func TestRightsEndWhileADraftWaits(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir()+"/data")
	id := s.create(spoken)
	const email, password = "ben@example.com", "long enough 1"
	person, _ := s.api("POST", "/users", map[string]any{"email": email, "name": "Ben", "password": password}, http.StatusCreated)["user_id"].(string)
	api := js(s.Ready.Tenant + "/api/v2/")
	rights := `{"permissions":[{"permission_name":"read:forms","resource_server_identifier":` + api +
		`},{"permission_name":"update:forms","resource_server_identifier":` + api + `}]}`
	of := s.Ready.Tenant + "/api/v2/users/" + person + "/permissions"
	s.send("POST", of, "application/json", s.token(), rights, http.StatusCreated)
	p := browse(t)
	p.arrive(s, "/forms/"+id, `document.querySelector("[data-testid=canvas][data-ready=true]")`, email, password)
	p.clickOn(`document.querySelector("[data-path=name]")`)
	p.key("a", chromedp.ModifierCtrl)
	p.insert("Waiting work")
	p.wait(`document.querySelector("[data-draft=kept]")`)

	s.send("DELETE", of, "application/json", s.token(), rights, http.StatusNoContent)
	p.wait(`document.querySelector(".banner")?.textContent.includes("may no longer open this form")`) // its stream asks at its next heartbeat
	p.shots("rights-ended")
	p.judge(axeScript(t), "axe-rights-ended")
	p.key("s", chromedp.ModifierCtrl)
	p.saveState("error")
	if name := eval[string](p, `document.querySelector("[data-path=name]").value`); name != "Waiting work" {
		t.Errorf("the name is %q", name)
	}
	if s.form(id)["name"] == "Waiting work" {
		t.Error("the work was saved")
	}
	p.wait(`document.querySelector("[data-draft=kept]")`)
}
