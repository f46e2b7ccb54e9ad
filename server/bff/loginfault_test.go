package bff_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/admission"
)

// signInFaults are answers of the two endpoints, and what the page must name.
var signInFaults = []struct {
	name, at, code, words string
	status                int
	want                  string
	names                 []string
}{
	{"scope", "authorize", "invalid_scope", "x", 424, "login_scope", []string{"read:forms", "openid", "--management-auth client"}},
	{"audience", "authorize", "access_denied", "Service not found: x", 424, "login_audience", []string{audience, "--audience"}},
	{"target", "authorize", "invalid_target", "", 424, "login_audience", []string{audience}},
	{"callback", "authorize", "unauthorized_client", "Callback URL mismatch", 424, "login_callback", []string{"/bff/callback", "editor"}},
	{"client", "authorize", "invalid_request", "Unknown client: x", 424, "login_client", []string{"--client-id", "--client-secret"}},
	{"flow", "authorize", "unsupported_response_type", "", 424, "login_client", []string{"authorization_code"}},
	{"request", "authorize", "invalid_request", "", 424, "login_configuration", []string{"formgraph check"}},
	{"person", "authorize", "access_denied", "The user said no", 400, "login_denied", []string{"ended the sign-in"}},
	{"unknown", "authorize", "strange", "", 400, "login_denied", []string{"ended the sign-in"}},
	{"down", "authorize", "server_error", "", 424, "upstream_unavailable", nil},
	{"secret", "token", "invalid_client", "", 424, "login_client", []string{"--client-secret"}},
	{"secret, as some say it", "token", "access_denied", "Unauthorized", 424, "login_client", []string{"--client-secret"}},
	{"grant type", "token", "unauthorized_client", "", 424, "login_client", []string{"authorization_code"}},
	{"redirect", "token", "invalid_grant", "The redirect URI is wrong", 424, "login_callback", []string{"/bff/callback"}},
	{"code", "token", "invalid_grant", "Invalid code", 400, "login_code", []string{"Sign in again"}},
	{"scope", "token", "invalid_scope", "", 424, "login_scope", []string{"read:forms"}},
	{"target", "token", "invalid_target", "", 424, "login_audience", []string{audience}},
	{"strange", "token", "strange", "", 424, "upstream_unavailable", nil},
}

func TestSignInFaultsAreNamed(t *testing.T) {
	for _, x := range signInFaults {
		t.Run(x.at+": "+x.name, func(t *testing.T) {
			w := remoteWorld(t, false)
			b := w.browser()
			asked := b.begin("")
			words := x.words + " words-of-the-tenant"
			address := "/bff/callback?" + url.Values{
				"state": {asked.Get("state")}, "iss": {w.url}, "error": {x.code}, "error_description": {words},
			}.Encode()
			if x.at == "token" {
				address = w.consent(asked)
				w.token = func(rw http.ResponseWriter, _ *http.Request) {
					writeJSON(rw, 403, map[string]string{"error": x.code, "error_description": words})
				}
			}
			g := b.do("GET", address, "", "Accept", "text/html")
			if g.status != x.status || !strings.Contains(g.body, "|"+x.want+"|") || strings.Contains(g.body, "words-of-the-tenant") {
				t.Errorf("got %d %s, want %d %s", g.status, g.body, x.status, x.want)
			}
			for _, name := range x.names {
				if !strings.Contains(g.body, name) {
					t.Errorf("the page does not name %s: %s", name, g.body)
				}
			}
			if x.at == "authorize" && !strings.Contains(w.log.String(), "words-of-the-tenant") {
				t.Error("the log lacks the tenant's words")
			}
			if strings.Contains(g.body+w.log.String(), clientSecret) || b.signedIn() {
				t.Error("a secret is shown, or somebody is signed in")
			}
		})
	}
}

// A program gets the remedy as a member of the problem, and a browser that did not begin the sign-in gets none.
func TestSignInFaultForPrograms(t *testing.T) {
	w := remoteWorld(t, false)
	b := w.browser()
	q := url.Values{"state": {b.begin("").Get("state")}, "iss": {w.url}, "error": {"invalid_target"}}
	if g := w.browser().do("GET", "/bff/callback?"+q.Encode(), ""); g.code() != "login_state" || strings.Contains(g.body, audience) {
		t.Errorf("another browser: %d %s", g.status, g.body)
	}
	if g := b.do("GET", "/bff/callback?"+q.Encode(), ""); g.code() != "login_audience" || !strings.Contains(g.body, `"remedy":"The sign-in`) {
		t.Errorf("got %d %s", g.status, g.body)
	}
}

func TestSignInFaultsNameTheClientOfPeople(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	for code, want := range map[string]string{
		"invalid_client": "not the service client", "invalid_target": "no audience", "invalid_scope": "openid profile email.",
	} {
		b := w.browser()
		q := url.Values{"state": {b.begin("").Get("state")}, "iss": {w.url}, "error": {code}}
		if g := b.do("GET", "/bff/callback?"+q.Encode(), "", "Accept", "text/html"); !strings.Contains(g.body, want) ||
			strings.Contains(g.body, "--management-auth") {
			t.Errorf("%s: %d %s", code, g.status, g.body)
		}
	}
}

// If a remote tenant grants people no access to forms, by its token answers or by its API, the messages name the service client.
func TestMissingScopesNameTheServiceClient(t *testing.T) {
	const remedy = "--management-auth client"
	w := remoteWorld(t, false)
	w.bend(func(s *stub) { s.scope = "openid read:current_user" })
	b := w.browser()
	b.signIn()
	if !strings.Contains(w.log.String(), remedy) {
		t.Error("the log of the sign-in lacks the remedy")
	}
	for _, path := range []string{"/bff/api/forms", "/bff/api/flows"} {
		if g := b.app("GET", path, ""); g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, remedy) {
			t.Errorf("%s: %d %s", path, g.status, g.body)
		}
	}
	w = remoteWorld(t, false)
	b = w.browser()
	b.signIn()
	w.api = func(rw http.ResponseWriter, _ *http.Request) {
		writeJSON(rw, 403, map[string]any{"message": "Forbidden"})
	}
	for range 2 {
		if g := b.app("GET", "/bff/api/forms", ""); g.status != 403 || g.code() != "scope" || !strings.Contains(g.body, remedy) {
			t.Errorf("refused by the API: %d %s", g.status, g.body)
		}
	}
	if strings.Count(w.log.String(), remedy) != 1 {
		t.Errorf("the log names the remedy %d times", strings.Count(w.log.String(), remedy))
	}
	// Who may read forms lacks an ordinary permission.
	w = remoteWorld(t, false)
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	b = w.browser()
	b.signIn()
	if g := b.app("PATCH", "/bff/api/forms/ap_1", `{"name":"x"}`); g.code() != "scope" || strings.Contains(g.body, remedy) {
		t.Errorf("a reader: %d %s", g.status, g.body)
	}
	if strings.Contains(w.log.String(), remedy) {
		t.Error("the log names the remedy for a reader")
	}
	// The embedded tenant has its administration.
	w = newWorld(t)
	w.bend(func(s *stub) { s.scope = "openid" })
	b = w.browser()
	b.signIn()
	if g := b.app("GET", "/bff/api/forms", ""); g.code() != "scope" || strings.Contains(g.body, remedy) {
		t.Errorf("embedded: %d %s", g.status, g.body)
	}
}
