package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/upstream"
)

// TestSignOutEverywhere signs out through the real tenant: the person's session in another browser ends within the process,
// while another person's continues, and the account's own token is used.
func TestSignOutEverywhere(t *testing.T) {
	r := start(t, newData(t))
	f := r.first()
	here, there, third := r.person(), r.person(), r.person()
	for _, p := range []*person{here, there, third} {
		p.signIn(f.Admin.Email, f.Admin.Password)
	}
	var list struct {
		Sessions []struct {
			ID      string
			Current bool
			Clients []string
		}
	}
	status, _, body := here.app("GET", "/bff/api/me/sessions", "")
	if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 || len(list.Sessions) != 3 {
		t.Fatalf("sessions: %d %s %v", status, body, err)
	}
	status, _, body = there.app("GET", "/bff/api/me/sessions", "")
	var theirs struct {
		Sessions []struct {
			ID      string
			Current bool
		}
	}
	if err := json.Unmarshal([]byte(body), &theirs); err != nil || status != 200 {
		t.Fatalf("sessions of the other: %d %s %v", status, body, err)
	}
	// End one of them by its ID: that browser is signed out, the two others are not.
	for _, s := range theirs.Sessions {
		if !s.Current {
			continue
		}
		if status, _, body := here.app("DELETE", "/bff/api/me/sessions/"+s.ID, ""); status != 204 {
			t.Fatalf("end one: %d %s", status, body)
		}
	}
	there.out("one ended")
	if status, _, body := third.app("GET", "/bff/user", ""); status != 200 {
		t.Errorf("the third browser: %d %s, want it signed in", status, body)
	}
	if status, _, body := here.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("forms beside the account: %d %s", status, body)
	}
	if status, _, body := here.app("DELETE", "/bff/api/me/sessions", ""); status != 204 {
		t.Fatalf("sign out everywhere: %d %s", status, body)
	}
	here.out("everywhere, here")
	third.out("everywhere, the third")
	if strings.Contains(r.log.String(), "eyJhbGciOi") || strings.Contains(here.answers.String(), "eyJhbGciOi") {
		t.Error("a token stands in the log or in an answer")
	}
	if !strings.Contains(r.log.String(), `"event":"signed_out_by_tenant"`) {
		t.Error("no audit of the sign-out")
	}
}

// A person's new password ends their sessions in other browsers, at the editor too, unless they say otherwise. The one that changes it stays.
func TestNewPasswordSignsOutElsewhere(t *testing.T) {
	r := start(t, newData(t))
	f := r.first()
	here, there := r.person(), r.person()
	for _, p := range []*person{here, there} {
		p.signIn(f.Admin.Email, f.Admin.Password)
	}
	change := func(password, more string) {
		t.Helper()
		status, _, body := here.app("POST", "/bff/api/me/authentication-methods", `{"type":"password"}`)
		var begun struct {
			Session string `json:"auth_session"`
		}
		if err := json.Unmarshal([]byte(body), &begun); err != nil || status != 202 {
			t.Fatalf("begin: %d %s %v", status, body, err)
		}
		status, _, body = here.app("POST", "/bff/api/me/authentication-methods/password%7Cnew/verify",
			`{"auth_session":"`+begun.Session+`","new_password":"`+password+`"`+more+`}`)
		if status != 201 {
			t.Fatalf("change: %d %s", status, body)
		}
	}
	change("the second password", `,"end_other_sessions":false`)
	if status, _, body := there.app("GET", "/bff/user", ""); status != 200 {
		t.Errorf("there, kept: %d %s", status, body)
	}
	change("the third password", "")
	there.out("a new password")
	if status, _, body := here.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("here: %d %s", status, body)
	}
}

// out waits until a person is signed out, which the tenant reports a moment later.
func (p *person) out(when string) {
	p.r.t.Helper()
	waittest.Until(p.r.t, "the person is signed out: "+when, func() bool {
		status, _, body := p.app("GET", "/bff/user", "")
		return status == 401 && strings.Contains(body, "session_expired")
	})
}

// Enrolling a new method starts right after a sign-in and leaves no older sign-in behind.
func TestFreshSignIn(t *testing.T) {
	r := start(t, newData(t))
	f := r.first()
	p := r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	if status, _, body := p.app("POST", "/bff/api/me/authentication-methods", `{"type":"password"}`); status != 202 ||
		!strings.Contains(body, `"auth_session"`) {
		t.Fatalf("enrol: %d %s", status, body)
	}
	// The browser is signed in at the tenant, and is asked nevertheless.
	status, _, page := p.send("GET", r.at.Editor+"/bff/login?return_to=/account&fresh=1", "", "Accept", "text/html")
	if status != 200 || !asksToSignIn(page) {
		t.Errorf("fresh: %d %.200s, want the sign-in page", status, page)
	}
	p.signInBy("/bff/login?return_to=/account&fresh=1", f.Admin.Email, f.Admin.Password)
	status, _, body := p.app("GET", "/bff/api/me/sessions", "")
	if status != 200 || strings.Count(body, `"id"`) != 1 || !strings.Contains(body, `"current":true`) {
		t.Errorf("sessions: %d %s, want the new one alone", status, body)
	}
	if status, _, body := p.app("GET", "/bff/api/me/authentication-methods/password%7Cown", ""); status != 200 ||
		!strings.Contains(body, `"password|own"`) {
		t.Errorf("one method: %d %s", status, body)
	}
}

func TestBackchannelTransport(t *testing.T) {
	var editor handover
	var others int
	way := backchannel{
		editor: upstream.InProcess{Origin: "http://editor.example", Handler: &editor},
		others: roundTrip(func(*http.Request) (*http.Response, error) {
			others++
			return httptest.NewRecorder().Result(), nil
		}),
	}
	call := func(address string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		res, err := way.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := call("http://editor.example/bff/backchannel"); got != http.StatusServiceUnavailable {
		t.Errorf("before the editor is made: %d, want 503", got)
	}
	editor.set(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	if got := call("http://editor.example/bff/backchannel"); got != http.StatusTeapot || others != 0 {
		t.Errorf("editor: %d, %d calls of others", got, others)
	}
	for _, address := range []string{"https://editor.example/x", "http://editor.example:81/x", "http://other.example/x"} {
		call(address)
	}
	if others != 3 {
		t.Errorf("%d calls of others, want 3", others)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
