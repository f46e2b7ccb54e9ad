//go:build e2e && !js

package e2e

import (
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/porttest"
)

// A person signs in at the tenant's custom domain in a browser. The code and the
// sign-in are valid only at that address: the canonical address asks again.
func TestCustomDomain(t *testing.T) {
	nightly(t) // server and server/tenant test it without a browser (TestCustomDomain)
	t.Parallel()
	listen := porttest.Address(t)
	_, port, _ := net.SplitHostPort(listen)
	custom := "http://login.localhost:" + port
	s := start(t, filepath.Join(t.TempDir(), "data"), "--tenant-listen", listen, "--custom-url", custom)
	back := s.Ready.Editor + "/healthz"
	made := s.api("POST", "/clients", map[string]any{
		"name": "Shop", "app_type": "regular_web", "callbacks": []any{back}, "grant_types": []any{"authorization_code"}, "token_endpoint_auth_method": "client_secret_post",
	}, http.StatusCreated)
	id, _ := made["client_id"].(string)
	secret, _ := made["client_secret"].(string)
	ask := func(at string) string {
		return at + "/authorize?" + url.Values{"response_type": {"code"}, "client_id": {id}, "redirect_uri": {back}, "scope": {"openid email"}, "state": {"s"}}.Encode()
	}
	p := browse(t)
	come := func() url.Values {
		t.Helper()
		p.wait(`location.pathname === "/healthz"`)
		q, err := url.ParseQuery(strings.TrimPrefix(eval[string](p, `location.search`), "?"))
		if err != nil || q.Get("code") == "" {
			t.Fatalf("came back with %v, %v", q, err)
		}
		return q
	}
	exchange := func(at, code string, want int) map[string]any {
		t.Helper()
		body := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {back}, "client_id": {id}, "client_secret": {secret}}.Encode()
		return s.post(at+"/oauth/token", "application/x-www-form-urlencoded", "", body, want)
	}

	p.open(ask(custom))
	p.wait(`location.hostname === "login.localhost"`)
	p.signInAs(s.First.Admin.Email, s.First.Admin.Password)
	q := come()
	if q.Get("iss") != custom {
		t.Errorf("iss is %s, want %s", q.Get("iss"), custom)
	}
	if got := exchange(s.Ready.Tenant, q.Get("code"), http.StatusBadRequest); got["error"] != "invalid_grant" {
		t.Errorf("the code at the canonical address: %v", got)
	}
	p.open(ask(custom)) // signed in there
	q = come()
	tokens := exchange(custom, q.Get("code"), http.StatusOK)
	if tokens["access_token"] == nil {
		t.Errorf("the code at its own address: %v", tokens)
	}
	p.open(ask(s.Ready.Tenant)) // not signed in here
	p.wait(`location.hostname === "localhost" && document.querySelector("input[type=password]")`)
	p.shoot("custom-signin")
}
