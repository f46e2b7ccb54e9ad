package guard_test

import (
	"crypto/elliptic"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// The answer to each kind of request in every mode, with its challenges.
func TestModes(t *testing.T) {
	const (
		noBearer = `Bearer realm="api"`
		noDPoP   = `DPoP algs="ES256"`
		noBoth   = noBearer + ", " + noDPoP
		badB     = `Bearer realm="api", error="invalid_token"`
		badD     = `DPoP error="invalid_token", algs="ES256"`
		badP     = `DPoP error="invalid_dpop_proof", algs="ES256"`
	)
	type want struct {
		status    int
		challenge string
	}
	ok := want{200, ""}
	bearer := func(token string) []string { return []string{"Authorization", "Bearer " + token} }
	for _, row := range []struct {
		name                        string
		headers                     func(f *fixture) []string
		disabled, allowed, required want
	}{
		{"nothing", func(*fixture) []string { return nil }, want{401, noBearer}, want{401, noBoth}, want{401, noDPoP}},
		{
			"another scheme", func(*fixture) []string { return []string{"Authorization", "Basic YTpi"} },
			want{401, noBearer},
			want{401, noBoth},
			want{401, noDPoP},
		},
		{
			"no token", func(*fixture) []string { return []string{"Authorization", "Bearer "} },
			want{401, noBearer},
			want{401, noBoth},
			want{401, noDPoP},
		},
		{
			"two tokens in one header", func(f *fixture) []string { return bearer(f.bearer(nil) + ", " + f.bearer(nil)) },
			want{401, noBearer},
			want{401, noBoth},
			want{401, noDPoP},
		},
		{"no JWT", func(*fixture) []string { return bearer("abc") }, want{401, badB}, want{401, badB}, want{401, noDPoP}},
		{"Bearer", func(f *fixture) []string { return bearer(f.bearer(nil)) }, ok, ok, want{401, noDPoP}},
		{"bEARER", func(f *fixture) []string { return []string{"Authorization", "bEARER  " + f.bearer(nil)} }, ok, ok, want{401, noDPoP}},
		{
			"a tab before the token", func(f *fixture) []string { return bearer("\t" + f.bearer(nil)) },
			want{401, badB},
			want{401, badB},
			want{401, noDPoP},
		},
		{"Bearer beside a proof", func(f *fixture) []string {
			token := f.bearer(nil)
			return append(bearer(token), "DPoP", f.proof(token, "/x", nil, nil))
		}, ok, want{400, noBoth}, want{401, noDPoP}},
		{"Bearer with a bound token", func(f *fixture) []string { return bearer(f.bound(nil)) }, ok, want{401, badB}, want{401, noDPoP}},
		{"DPoP", func(f *fixture) []string {
			token := f.bound(nil)
			return []string{"Authorization", "DPoP " + token, "DPoP", f.proof(token, "/x", nil, nil)}
		}, want{401, noBearer}, ok, ok},
		{
			"DPoP without a proof", func(f *fixture) []string { return []string{"Authorization", "DPoP " + f.bound(nil)} },
			want{401, noBearer},
			want{401, badP},
			want{401, badP},
		},
		{"DPoP with two proofs", func(f *fixture) []string {
			token := f.bound(nil)
			return []string{"Authorization", "DPoP " + token, "DPoP", f.proof(token, "/x", nil, nil), "DPoP", f.proof(token, "/x", nil, nil)}
		}, want{401, noBearer}, want{401, badP}, want{401, badP}},
		{"DPoP with two proofs in one header", func(f *fixture) []string {
			token := f.bound(nil)
			return []string{"Authorization", "DPoP " + token, "DPoP", f.proof(token, "/x", nil, nil) + ", " + f.proof(token, "/x", nil, nil)}
		}, want{401, noBearer}, want{401, badP}, want{401, badP}},
		{"DPoP with a token that is not bound", func(f *fixture) []string {
			token := f.bearer(nil)
			return []string{"Authorization", "DPoP " + token, "DPoP", f.proof(token, "/x", nil, nil)}
		}, want{401, noBearer}, want{401, badD}, want{401, badD}},
		{"DPoP by another key", func(f *fixture) []string {
			token := f.bound(nil)
			f.key = newEC(elliptic.P256())
			return []string{"Authorization", "DPoP " + token, "DPoP", f.proof(token, "/x", nil, nil)}
		}, want{401, noBearer}, want{401, badD}, want{401, badD}},
		{
			"another audience", func(f *fixture) []string { return bearer(f.bearer(object{"aud": "https://other.example"})) },
			want{401, badB},
			want{401, badB},
			want{401, noDPoP},
		},
		{
			"two Authorization headers", func(f *fixture) []string { return append(bearer(f.bearer(nil)), bearer(f.bearer(nil))...) },
			want{400, noBearer},
			want{400, noBoth},
			want{400, noDPoP},
		},
	} {
		for mode, w := range map[guard.Mode]want{guard.Disabled: row.disabled, guard.Allowed: row.allowed, guard.Required: row.required} {
			f := newFixture(t, mode)
			a := f.send("/x", row.headers(f)...)
			if a.status != w.status || a.challenge != w.challenge {
				t.Errorf("%s, %s: %d %q, want %d %q", row.name, mode, a.status, a.challenge, w.status, w.challenge)
			}
			if w.status == 200 && a.body != "ana SCOPE_read:users,SCOPE_openid" {
				t.Errorf("%s, %s: %s", row.name, mode, a.body)
			}
		}
	}
}

// A protected path accepts any one of its authorities, and names the missing ones.
func TestScopes(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	gate := f.Require(echo(), "SCOPE_read:users", "SCOPE_write:users")
	for scope, want := range map[string]int{
		"read:users": 200, "a write:users": 200, "read:usersX": 403, "xread:users": 403, "": 403, "READ:USERS": 403,
	} {
		if a := f.sendTo(gate, "/api/users", "Authorization", "Bearer "+f.bearer(object{"scope": scope})); a.status != want {
			t.Errorf("scope %q: %d, want %d", scope, a.status, want)
		}
	}
	token := f.bound(object{"scope": "other"})
	a := f.sendTo(gate, "/api/users", "Authorization", "DPoP "+token, "DPoP", f.proof(token, "/api/users", nil, nil))
	if a.status != http.StatusForbidden || a.code != "insufficient_scope" ||
		a.challenge != `DPoP error="insufficient_scope", scope="read:users write:users", algs="ES256"` {
		t.Errorf("%+v", a)
	}
}

func TestConfig(t *testing.T) {
	good := guard.Config{Domain: domain, Audience: audience, PublicURL: publicURL}
	for name, change := range map[string]func(*guard.Config){
		"no domain":            func(c *guard.Config) { c.Domain = "" },
		"domain with a scheme": func(c *guard.Config) { c.Domain = "https://tenant.example" },
		"domain with a path":   func(c *guard.Config) { c.Domain = "tenant.example/x" },
		"domain with a user":   func(c *guard.Config) { c.Domain = "a@tenant.example" },
		"no audience":          func(c *guard.Config) { c.Audience = "" },
		"no address":           func(c *guard.Config) { c.PublicURL = "" },
		"address with a path":  func(c *guard.Config) { c.PublicURL = "https://api.example/v1" },
		"address of a mail":    func(c *guard.Config) { c.PublicURL = "mailto:a@api.example" },
		"another mode":         func(c *guard.Config) { c.Mode = "allowed" },
		"negative window":      func(c *guard.Config) { c.Past = -time.Second },
	} {
		c := good
		change(&c)
		if _, err := guard.New(c); err == nil || !strings.HasPrefix(err.Error(), "make guard: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for d, want := range map[string]string{
		"Tenant.Example": "https://tenant.example", "localhost:8081": "http://localhost:8081",
		"127.0.0.1:1": "http://127.0.0.1:1", "[::1]:1": "http://[::1]:1", "a.localhost": "http://a.localhost",
		"localhost.example": "https://localhost.example",
	} {
		if got, err := guard.Issuer(d, false); err != nil || got != want {
			t.Errorf("%s is at %s, %v, want %s", d, got, err, want)
		}
	}
	if got, _ := guard.Issuer("localhost:8081", true); got != "https://localhost:8081" {
		t.Errorf("secure: %s", got)
	}
}

// A full memory refuses: a proof that cannot be remembered is not accepted.
func TestMemoryFull(t *testing.T) {
	f := newFixture(t, guard.Allowed, func(c *guard.Config) { c.Seen = &dpop.Memory{Limit: 2} })
	token := f.bound(nil)
	for i, want := range []int{200, 200, 503, 503} {
		a := f.send("/x", "Authorization", "DPoP "+token, "DPoP", f.proof(token, "/x", nil, nil))
		if a.status != want {
			t.Errorf("proof %d: %d, want %d", i, a.status, want)
		}
		if want == 503 && (a.header.Get("Retry-After") != "1" || a.code != "temporarily_unavailable") {
			t.Errorf("proof %d: %+v", i, a)
		}
	}
}
