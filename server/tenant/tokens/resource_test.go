package tokens_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// The answer of an endpoint that accepts bearer and bound tokens to each kind of request.
func TestVerifyRequest(t *testing.T) {
	m := newMint(t)
	p, thief := newProver(t), newProver(t)
	key, err := m.VerifyProof(t.Context(), p.Sign(p.claims(), nil), "POST", endpoint, "")
	if err != nil {
		t.Fatal(err)
	}
	issue := func(audience, key string) string {
		t.Helper()
		raw, _, err := m.IssueAccess(tokens.Access{Subject: "u", ClientID: "c", Audience: audience, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	bearer, bound := issue(audience, ""), issue(audience, key)
	foreign, foreignBound := issue("http://other/", ""), issue("http://other/", key)
	const path = "/api/v2/forms/a%2Fb"
	at := func(p *prover, token string, pairs ...any) string {
		return p.Sign(p.claims(append([]any{"htm", "GET", "htu", issuer + path, "ath", hashOf(token)}, pairs...)...), nil)
	}
	forged := func(cnf any) string {
		return m.forge(t, jose.RS256, map[jose.HeaderKey]any{"typ": "at+jwt", "kid": m.set.Signing[0].ID},
			claims(func(c map[string]any) { c["cnf"] = cnf }))
	}
	used := at(p, bound)
	const both = `Bearer realm="api", DPoP algs="ES256"`
	for _, tt := range []struct {
		name      string
		auth      []string
		proofs    []string
		status    int
		code      string
		challenge string
	}{
		{"none", nil, nil, 401, "invalid_token", both},
		{"other scheme", []string{"Basic " + bearer}, nil, 401, "invalid_token", both},
		{"scheme alone", []string{"Bearer"}, nil, 401, "invalid_token", both},
		{"scheme and spaces", []string{"DPoP   "}, nil, 401, "invalid_token", both},
		{"bearer", []string{"Bearer " + bearer}, nil, 200, "", ""},
		{"bearer in lower case", []string{"bearer " + bearer}, nil, 200, "", ""},
		{"bearer and proof", []string{"Bearer " + bearer}, []string{at(p, bearer)}, 400, "invalid_request", both},
		{"bearer, bound", []string{"Bearer " + bound}, nil, 401, "invalid_token", `Bearer realm="api", error="invalid_token"`},
		{"bearer, bound to nothing", []string{"Bearer " + forged(map[string]any{})}, nil, 401, "invalid_token", "Bearer "},
		{"bearer, bound to null", []string{"Bearer " + forged(nil)}, nil, 401, "invalid_token", "Bearer "},
		{"bearer, bound to a number", []string{"Bearer " + forged(map[string]any{"jkt": 1})}, nil, 401, "invalid_token", "Bearer "},
		{"bearer, bound by a text", []string{"Bearer " + forged("x")}, nil, 401, "invalid_token", "Bearer "},
		{"bearer, bound to a certificate", []string{"Bearer " + forged(map[string]any{"x5t#S256": "x"})}, nil, 401, "invalid_token", "Bearer "},
		{"bound", []string{"DPoP " + bound}, []string{used}, 200, "", ""},
		{"bound, scheme in lower case", []string{"dpop " + bound}, []string{at(p, bound)}, 200, "", ""},
		{"replay", []string{"DPoP " + bound}, []string{used}, 401, "invalid_dpop_proof", `DPoP error="invalid_dpop_proof", algs="ES256"`},
		{"no proof", []string{"DPoP " + bound}, nil, 401, "invalid_dpop_proof", "DPoP "},
		{"two proofs", []string{"DPoP " + bound}, []string{at(p, bound), at(p, bound)}, 401, "invalid_dpop_proof", "DPoP "},
		{"bad proof", []string{"DPoP " + bound}, []string{"x"}, 401, "invalid_dpop_proof", "DPoP "},
		{"other method", []string{"DPoP " + bound}, []string{at(p, bound, "htm", "PATCH")}, 401, "invalid_dpop_proof", "DPoP "},
		{
			"slash for an escaped one",
			[]string{"DPoP " + bound},
			[]string{at(p, bound, "htu", issuer+"/api/v2/forms/a/b")},
			401,
			"invalid_dpop_proof", "DPoP ",
		},
		{
			"host of the request (attack 82)",
			[]string{"DPoP " + bound},
			[]string{at(p, bound, "htu", "http://evil.test"+path)},
			401,
			"invalid_dpop_proof", "DPoP ",
		},
		{"proof of another token", []string{"DPoP " + bound}, []string{at(p, bearer)}, 401, "invalid_dpop_proof", "DPoP "},
		{"proof of no token", []string{"DPoP " + bound}, []string{at(p, bound, "ath", nil)}, 401, "invalid_dpop_proof", "DPoP "},
		{
			"key of another",
			[]string{"DPoP " + bound},
			[]string{at(thief, bound)},
			401, "invalid_token",
			`DPoP error="invalid_token", algs="ES256"`,
		},
		{"unbound", []string{"DPoP " + bearer}, []string{at(p, bearer)}, 401, "invalid_token", "DPoP "},
		{"other audience", []string{"Bearer " + foreign}, nil, 401, "invalid_token", "Bearer "},
		{"bound for another audience", []string{"DPoP " + foreignBound}, []string{at(p, foreignBound)}, 401, "invalid_token", "DPoP "},
		{"no token of ours", []string{"Bearer x"}, nil, 401, "invalid_token", "Bearer "},
		{"two tokens", []string{"Bearer " + bearer, "Bearer " + bearer}, nil, 400, "invalid_request", both},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://evil.test"+path+"?q=1", nil)
			r.Header["Authorization"], r.Header["Dpop"] = tt.auth, tt.proofs
			a, refused := m.VerifyRequest(r, audience, nil)
			if tt.status == http.StatusOK {
				if refused != nil || a.Subject != "u" {
					t.Errorf("VerifyRequest = %+v, %v, want u", a, refused)
				}
				return
			}
			if refused == nil || a.Subject != "" || refused.Status != tt.status || refused.Code != tt.code || refused.Description == "" {
				t.Fatalf("VerifyRequest = %+v, %+v, want %d %s", a, refused, tt.status, tt.code)
			}
			h := http.Header{}
			refused.Write(h)
			got := h.Get("WWW-Authenticate")
			said := `, error_description="` + refused.Description + `"`
			if without := strings.Replace(got, said, "", 1); !strings.HasPrefix(without, tt.challenge) || h.Get("DPoP-Nonce") != "" {
				t.Errorf("challenge = %q, want %q", got, tt.challenge)
			}
			if tt.status == http.StatusUnauthorized && tt.challenge != both && !strings.Contains(got, said) {
				t.Errorf("challenge = %q, which does not say why: %q", got, refused.Description)
			}
		})
	}
	// A bound token alone is never enough.
	if _, err := m.VerifyAccess(bound, audience); err == nil {
		t.Error("VerifyAccess of a bound token = nil, want ErrInvalid")
	}
	for name, tt := range map[string]struct {
		refusal *tokens.Refusal
		status  int
		want    string
	}{
		"scope": {
			tokens.Insufficient(tokens.Access{}, "openid"), 403,
			`Bearer realm="api", error="insufficient_scope", scope="openid"`,
		},
		"scope, bound": {
			tokens.Insufficient(tokens.Access{Key: key}, "openid"), 403,
			`DPoP error="insufficient_scope", scope="openid", algs="ES256"`,
		},
		"not any more": {
			tokens.Unaccepted(tokens.Access{}), 401, `Bearer realm="api", error="invalid_token", ` +
				`error_description="the token is not accepted: its subject or client has no access"`,
		},
		"not any more, bound": {
			tokens.Unaccepted(tokens.Access{Key: key}), 401, `DPoP error="invalid_token", ` +
				`error_description="the token is not accepted: its subject or client has no access", algs="ES256"`,
		},
	} {
		h := http.Header{}
		if tt.refusal.Write(h); tt.refusal.Status != tt.status || h.Get("WWW-Authenticate") != tt.want {
			t.Errorf("%s: %d %q, want %d %q", name, tt.refusal.Status, h.Get("WWW-Authenticate"), tt.status, tt.want)
		}
	}
}

func TestVerifyRequestNonceAndFull(t *testing.T) {
	m := newMint(t)
	p := newProver(t)
	key, err := m.VerifyProof(t.Context(), p.Sign(p.claims(), nil), "POST", endpoint, "")
	if err != nil {
		t.Fatal(err)
	}
	bound, _, err := m.IssueAccess(tokens.Access{Subject: "u", ClientID: "c", Audience: audience, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	m.NonceKeys = [][]byte{{1}}
	send := func(nonce any) *tokens.Refusal {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
		r.Header.Set("Authorization", "DPoP "+bound)
		r.Header.Set("DPoP", p.Sign(p.claims("htm", "GET", "htu", issuer+"/x", "ath", hashOf(bound), "nonce", nonce), nil))
		_, refused := m.VerifyRequest(r, audience, nil)
		return refused
	}
	refused := send(nil)
	if refused == nil || refused.Status != http.StatusUnauthorized || refused.Code != "use_dpop_nonce" {
		t.Fatalf("without a nonce = %+v, want use_dpop_nonce", refused)
	}
	h := http.Header{}
	refused.Write(h)
	if !strings.Contains(h.Get("WWW-Authenticate"), `error="use_dpop_nonce"`) {
		t.Errorf("challenge = %q", h.Get("WWW-Authenticate"))
	}
	if refused = send(h.Get("DPoP-Nonce")); refused != nil {
		t.Errorf("with the nonce = %v, want nil", refused)
	}
	m.LimitSeen(2)
	refused = send(m.Nonce())
	if refused == nil || refused.Status != http.StatusServiceUnavailable {
		t.Fatalf("with a full memory = %+v, want 503", refused)
	}
	if refused.Write(h); h.Get("Retry-After") == "" {
		t.Error("503 without Retry-After")
	}
}

// Another library accepts our logout token, and no other token of ours as one.
func TestLogoutToken(t *testing.T) {
	m := newMint(t)
	verifier := oidc.NewVerifier(issuer, &oidc.StaticKeySet{PublicKeys: publicKeys(m)}, &oidc.Config{ClientID: "c", Now: m.Now})
	for _, sid := range []string{"s", ""} {
		raw, err := m.IssueLogout("u", sid, "c")
		if err != nil {
			t.Fatal(err)
		}
		got, err := verifier.VerifyLogout(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		if got.Subject != "u" || got.SessionID != sid || got.TokenID == "" || got.Expiry.Sub(got.IssuedAt).Minutes() != 2 {
			t.Errorf("logout token says %+v, want u and %q", got, sid)
		}
		jws, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.RS256})
		if err != nil {
			t.Fatal(err)
		}
		if typ := jws.Signatures[0].Protected.ExtraHeaders["typ"]; typ != "logout+jwt" {
			t.Errorf("type = %v, want logout+jwt", typ)
		}
		if _, err := m.VerifyAccess(raw, ""); err == nil {
			t.Error("a logout token passes as access token")
		}
		if _, _, err := m.VerifyHint(raw); err == nil {
			t.Error("a logout token passes as ID token")
		}
	}
	if _, err := verifier.VerifyLogout(t.Context(), mustIssueID(t, m)); err == nil {
		t.Error("an ID token passes as logout token")
	}
}

// A request that is not admitted leaves its proof unused, so that no client fills the memory of proofs beyond its rate.
func TestProofIsAdmittedBeforeItIsRemembered(t *testing.T) {
	m, p := newMint(t), newProver(t)
	token, _, err := m.IssueAccess(tokens.Access{Subject: "ana", ClientID: "c", Audience: audience, Key: p.Thumbprint()})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
	r.Header.Set("Authorization", "DPoP "+token)
	r.Header.Set("DPoP", p.Sign(p.claims("htm", "GET", "htu", issuer+"/x", "ath", hashOf(token)), nil))
	_, refused := m.VerifyRequest(r, audience, func(a tokens.Access) bool { return a.Subject != "ana" })
	if refused == nil || refused.Status != http.StatusTooManyRequests {
		t.Fatalf("refused = %v, want 429", refused)
	}
	if _, refused := m.VerifyRequest(r, audience, nil); refused != nil {
		t.Errorf("the same proof later: %v, want accepted", refused)
	}
}
