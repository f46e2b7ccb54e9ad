package authz_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store/storetest"
)

func native(pairs ...string) []string {
	return append([]string{
		"grant_type", "password", "client_id", "native", "username", " Ana@Example.com", "password", password,
		"audience", "/api/v2/", "scope", "openid email read:forms update:forms",
	}, pairs...)
}

func TestPasswordGrant(t *testing.T) {
	f := newFlows(t)
	a := f.ask(native()...)
	// update:forms is beyond the client's grant.
	if a.StatusCode != http.StatusOK || a.text("scope") != "openid email read:forms" || a.text("refresh_token") != "" ||
		a.text("token_type") != "Bearer" {
		t.Fatalf("password = %d %s", a.StatusCode, a.body)
	}
	if c := claims(t, a.text("access_token")); c["sub"] != "ana" || c["client_id"] != "native" {
		t.Errorf("access token says %v", c)
	}
	id := claims(t, a.text("id_token"))
	if id["sub"] != "ana" || id["email"] != "ana@example.com" || id["sid"] == "" || id["auth_time"] != float64(f.clock().Unix()) {
		t.Errorf("ID token says %v", id)
	}
	for _, pairs := range [][]string{{"offline_access", "true"}, {"scope", "openid email read:forms offline_access"}} {
		a = f.ask(native(pairs...)...)
		f.wait(time.Minute)
		next := f.ask("grant_type", "refresh_token", "client_id", "native", "refresh_token", a.text("refresh_token"))
		if next.StatusCode != http.StatusOK || next.text("scope") != a.text("scope") ||
			claims(t, next.text("id_token"))["sid"] != claims(t, a.text("id_token"))["sid"] {
			t.Errorf("refresh after %v = %d %s, want the same again", pairs, next.StatusCode, next.body)
		}
		f.ask("grant_type", "refresh_token", "client_id", "native", "refresh_token", a.text("refresh_token")).want(t, "reuse",
			http.StatusBadRequest, "invalid_grant")
	}
	if log := f.log.String(); strings.Contains(log, password) || strings.Contains(strings.ToLower(log), "ana@") {
		t.Error("log holds what was typed")
	}
}

func TestPasswordGrantErrors(t *testing.T) {
	f := newFlows(t)
	c, err := f.store.Client(t.Context(), "third")
	if err != nil {
		t.Fatal(err)
	}
	c.GrantTypes = append(c.GrantTypes, "password")
	storetest.PutClient(t, f.store, c)
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string
	}{
		{"no name", []string{"username", " "}, "invalid_request"},
		{"no password", []string{"password", ""}, "invalid_request"},
		{"client that did not opt in", []string{"client_id", "spa"}, "unauthorized_client"},
		{"stranger's client", []string{"client_id", "third", "client_secret", "web-secret"}, "unauthorized_client"},
		{"unknown audience", []string{"audience", "http://nowhere/"}, "invalid_target"},
		{"scope", []string{"scope", `"`}, "invalid_scope"},
	} {
		f.ask(native(tt.pairs...)...).want(t, tt.name, http.StatusBadRequest, tt.want)
	}
}

// Unknown people get the same answer. The grant and the sign-in page share their limits.
func TestPasswordGrantGuesses(t *testing.T) {
	var bodies []string
	for _, email := range []string{"ana@example.com", "nobody@example.com"} {
		f := newFlows(t)
		for range 4 {
			a := f.ask(native("username", email, "password", "wrong")...)
			a.want(t, email, http.StatusBadRequest, "invalid_grant")
			bodies = append(bodies, a.body)
		}
		b := f.browser()
		shown := b.send(http.MethodGet, "/authorize?"+query(), "")
		b.submit(shown, email, "wrong") // the fifth
		f.wait(time.Minute)
		a := f.ask(native("username", email)...)
		a.want(t, email, http.StatusTooManyRequests, "too_many_attempts")
		if a.Header.Get("Retry-After") != "840" {
			t.Errorf("Retry-After = %s, want 840", a.Header.Get("Retry-After"))
		}
		if a := b.submit(shown, email, password); a.StatusCode != http.StatusTooManyRequests {
			t.Errorf("page = %d, want 429", a.StatusCode)
		}
	}
	for _, b := range bodies {
		if b != bodies[0] {
			t.Errorf("answers differ: %s and %s", b, bodies[0])
		}
	}
}
