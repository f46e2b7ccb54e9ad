package tokens_test

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const issuer, audience = "http://localhost:8081", "http://localhost:8081/api/v2/"

func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// mint is a tenant with the means to forge its tokens.
type mint struct {
	*tokens.Tokens

	set *keys.Set
	now time.Time
}

func newMint(t *testing.T) *mint { t.Helper(); return newMintOf(t) }

func newMintOf(tb testing.TB) *mint {
	tb.Helper()
	set, err := keys.New(noon())
	if err != nil {
		tb.Fatal(err)
	}
	s, err := signer.New(set)
	if err != nil {
		tb.Fatal(err)
	}
	m := &mint{set: set, now: noon()}
	m.Tokens = &tokens.Tokens{Issuer: issuer, Signer: s, Now: func() time.Time { return m.now }}
	return m
}

// publicKeys are the keys with which another library verifies.
func publicKeys(m *mint) []crypto.PublicKey {
	return []crypto.PublicKey{&m.set.Signing[0].Key.PublicKey}
}

// forge signs any header and body with the tenant's key.
func (m *mint) forge(t *testing.T, alg jose.SignatureAlgorithm, header map[jose.HeaderKey]any, body any) string {
	t.Helper()
	opts := &jose.SignerOptions{ExtraHeaders: header}
	js, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: m.set.Signing[0].Key}, opts)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	o, err := js.Sign(b)
	if err != nil {
		t.Fatal(err)
	}
	s, err := o.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func claims(change func(map[string]any)) map[string]any {
	c := map[string]any{
		"iss": issuer, "sub": "u", "aud": audience, "azp": "c", "client_id": "c", "jti": "j",
		"iat": noon().Unix(), "exp": noon().Add(10 * time.Minute).Unix(), "scope": "read:forms",
	}
	if change != nil {
		change(c)
	}
	return c
}

func TestAccessRoundTrip(t *testing.T) {
	m := newMint(t)
	raw, life, err := m.IssueAccess(tokens.Access{Subject: "u", ClientID: "c", Audience: audience, Scope: []string{"openid", "read:forms"}})
	if err != nil {
		t.Fatal(err)
	}
	if life != 10*time.Minute {
		t.Errorf("life = %v, want ten minutes", life)
	}
	a, err := m.VerifyAccess(raw, audience)
	if err != nil {
		t.Fatal(err)
	}
	if a.Subject != "u" || a.ClientID != "c" || a.Audience != audience || a.ID == "" ||
		!slices.Equal(a.Scope, []string{"openid", "read:forms"}) ||
		!a.Issued.Equal(noon()) || !a.Expires.Equal(noon().Add(life)) {
		t.Errorf("token says %+v", a)
	}
	for _, tt := range []struct {
		name string
		now  time.Time
		ok   bool
	}{
		{"at its end", noon().Add(life), true},
		{"within the leeway", noon().Add(life + 4*time.Second), true},
		{"past the leeway", noon().Add(life + 5*time.Second), false},
		{"clock behind within the leeway", noon().Add(-5 * time.Second), true},
		{"clock behind", noon().Add(-6 * time.Second), false},
	} {
		m.now = tt.now
		if _, err := m.VerifyAccess(raw, audience); (err == nil) != tt.ok {
			t.Errorf("%s: VerifyAccess = %v, want accepted %v", tt.name, err, tt.ok)
		}
	}
}

// Access tokens that a tenant must refuse.
func TestAccessRefused(t *testing.T) {
	m := newMint(t)
	kid := m.set.Signing[0].ID
	good := map[jose.HeaderKey]any{"typ": "at+jwt", "kid": kid}
	with := func(k jose.HeaderKey, v any) map[jose.HeaderKey]any {
		h := map[jose.HeaderKey]any{"typ": "at+jwt", "kid": kid}
		if h[k] = v; v == nil {
			delete(h, k)
		}
		return h
	}
	set := func(k string, v any) func(map[string]any) {
		return func(c map[string]any) {
			if c[k] = v; v == nil {
				delete(c, k)
			}
		}
	}
	b64 := base64.RawURLEncoding.EncodeToString
	body, err := json.Marshal(claims(nil))
	if err != nil {
		t.Fatal(err)
	}
	valid := m.forge(t, jose.RS256, good, claims(nil))
	parts := strings.Split(valid, ".")
	der := x509.MarshalPKCS1PublicKey(&m.set.Signing[0].Key.PublicKey)
	unsigned := b64([]byte(`{"alg":"HS256","typ":"at+jwt","kid":"`+kid+`"}`)) + "." + b64(body)
	mac := hmac.New(sha256.New, der)
	mac.Write([]byte(unsigned))
	other := newMint(t)
	for _, tt := range []struct {
		name, token string
		ok          bool
	}{
		{"good", valid, true},
		{"several audiences", m.forge(t, jose.RS256, good, claims(set("aud", []string{"x", audience}))), true},
		{"type with application", m.forge(t, jose.RS256, with("typ", "application/at+jwt"), claims(nil)), true},
		{"empty", "", false},
		{"none", b64([]byte(`{"alg":"none","typ":"at+jwt","kid":"`+kid+`"}`)) + "." + b64(body) + ".", false},
		{"HS256 with the public key", unsigned + "." + b64(mac.Sum(nil)), false},
		{"RS384", m.forge(t, jose.RS384, good, claims(nil)), false},
		{"PS256", m.forge(t, jose.PS256, good, claims(nil)), false},
		{"JSON serialization", fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, parts[1], parts[0], parts[2]), false},
		{"changed body", parts[0] + "." + b64([]byte(strings.Replace(string(body), `"u"`, `"v"`, 1))) + "." + parts[2], false},
		{"key of another tenant", other.forge(t, jose.RS256, good, claims(nil)), false},
		{"no kid", m.forge(t, jose.RS256, with("kid", nil), claims(nil)), false},
		{"unknown kid", m.forge(t, jose.RS256, with("kid", "other"), claims(nil)), false},
		{"kid like a path", m.forge(t, jose.RS256, with("kid", "../keys"), claims(nil)), false},
		{"jku", m.forge(t, jose.RS256, with("jku", "http://localhost/keys"), claims(nil)), false},
		{"x5u", m.forge(t, jose.RS256, with("x5u", "http://localhost/keys"), claims(nil)), false},
		{"jwk", m.forge(t, jose.RS256, with("jwk", jose.JSONWebKey{Key: &m.set.Signing[0].Key.PublicKey}), claims(nil)), false},
		{"no type", m.forge(t, jose.RS256, with("typ", nil), claims(nil)), false},
		{"type of an ID token", m.forge(t, jose.RS256, with("typ", "JWT"), claims(nil)), false},
		{"issuer with slash", m.forge(t, jose.RS256, good, claims(set("iss", issuer+"/"))), false},
		{"issuer in another case", m.forge(t, jose.RS256, good, claims(set("iss", "HTTP://localhost:8081"))), false},
		{"no issuer", m.forge(t, jose.RS256, good, claims(set("iss", nil))), false},
		{"audience prefix", m.forge(t, jose.RS256, good, claims(set("aud", "http://localhost:8081/api/v2"))), false},
		{"audience longer", m.forge(t, jose.RS256, good, claims(set("aud", audience+"x"))), false},
		{"no audience", m.forge(t, jose.RS256, good, claims(set("aud", nil))), false},
		{"empty audience", m.forge(t, jose.RS256, good, claims(set("aud", ""))), false},
		{"no audiences", m.forge(t, jose.RS256, good, claims(set("aud", []string{}))), false},
		{"audience a number", m.forge(t, jose.RS256, good, claims(set("aud", 1))), false},
		{"expired", m.forge(t, jose.RS256, good, claims(set("exp", noon().Add(-time.Minute).Unix()))), false},
		{"no end", m.forge(t, jose.RS256, good, claims(set("exp", nil))), false},
		{"end a string", m.forge(t, jose.RS256, good, claims(set("exp", "9999999999"))), false},
		{"not yet", m.forge(t, jose.RS256, good, claims(set("nbf", noon().Add(time.Minute).Unix()))), false},
		{"from the future", m.forge(t, jose.RS256, good, claims(set("iat", noon().Add(time.Minute).Unix()))), false},
		{"no time of issue", m.forge(t, jose.RS256, good, claims(set("iat", nil))), false},
		{"nobody", m.forge(t, jose.RS256, good, claims(set("sub", ""))), false},
		{"no client", m.forge(t, jose.RS256, good, claims(set("client_id", nil))), false},
		{"too long", m.forge(t, jose.RS256, good, claims(set("x", strings.Repeat("x", 8<<10)))), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := m.VerifyAccess(tt.token, audience)
			if tt.ok && err != nil || !tt.ok && !errors.Is(err, tokens.ErrInvalid) {
				t.Errorf("VerifyAccess = %v, want accepted %v", err, tt.ok)
			}
		})
	}
}

// Each word of a scope is one scope. A tab does not separate words.
func TestAccessScope(t *testing.T) {
	m := newMint(t)
	raw := m.forge(t, jose.RS256, map[jose.HeaderKey]any{"typ": "at+jwt", "kid": m.set.Signing[0].ID}, claims(func(c map[string]any) {
		c["scope"] = "update:formsX update:forms\tadmin"
	}))
	a, err := m.VerifyAccess(raw, audience)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(a.Scope, "update:forms") || slices.Contains(a.Scope, "admin") {
		t.Errorf("scope = %q, want no word that was not there", a.Scope)
	}
}

func TestIDToken(t *testing.T) {
	m := newMint(t)
	raw, err := m.IssueID(tokens.ID{
		Subject: "u", ClientID: "c", Nonce: "n", AuthTime: noon(), SignInID: "s", AccessToken: "at", Name: "Ana", Email: "ana@example.com",
	})
	if err != nil {
		t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		t.Fatal(err)
	}
	body, err := jws.Verify(&m.set.Signing[0].Key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatal(err)
	}
	sum := crypto.SHA256.New()
	sum.Write([]byte("at"))
	for k, want := range map[string]any{
		"iss": issuer, "sub": "u", "aud": "c", "azp": "c", "nonce": "n", "sid": "s", "name": "Ana", "email": "ana@example.com",
		"email_verified": true, "auth_time": float64(noon().Unix()), "at_hash": base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:16]),
	} {
		v := got[k]
		if l, ok := v.([]any); ok && len(l) == 1 {
			v = l[0]
		}
		if v != want {
			t.Errorf("claim %s = %v, want %v", k, got[k], want)
		}
	}

	m.now = noon().Add(30 * 24 * time.Hour) // a hint may be old
	client, sid, err := m.VerifyHint(raw)
	if err != nil || client != "c" || sid != "s" {
		t.Errorf("VerifyHint = %q, %q, %v, want c and s", client, sid, err)
	}
	m.now = noon()
	if _, err := m.VerifyAccess(raw, ""); !errors.Is(err, tokens.ErrInvalid) {
		t.Errorf("VerifyAccess of an ID token = %v, want ErrInvalid", err)
	}
	access, _, err := m.IssueAccess(tokens.Access{Subject: "u", ClientID: "c", Audience: audience})
	if err != nil {
		t.Fatal(err)
	}
	// An access token stays one, even with the claims of an ID token.
	like := m.forge(t, jose.RS256, map[jose.HeaderKey]any{"typ": "at+jwt", "kid": m.set.Signing[0].ID},
		claims(func(c map[string]any) { c["sid"] = "s" }))
	for name, hint := range map[string]string{
		"access token": access, "access token with sid": like,
		"another tenant's": mustIssueID(t, newMint(t)), "text": "x.y.z",
	} {
		if _, _, err := m.VerifyHint(hint); !errors.Is(err, tokens.ErrInvalid) {
			t.Errorf("VerifyHint of %s = %v, want ErrInvalid", name, err)
		}
	}
}

func mustIssueID(t *testing.T, m *mint) string {
	t.Helper()
	raw, err := m.IssueID(tokens.ID{Subject: "u", ClientID: "c", SignInID: "s", AuthTime: noon()})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestSecret(t *testing.T) {
	a, b := tokens.NewSecret(), tokens.NewSecret()
	if a == b || len(a) != 43 {
		t.Errorf("secrets %d and %d characters long, want 43 and different", len(a), len(b))
	}
	if len(tokens.Hash(a)) != sha256.Size || string(tokens.Hash(a)) == string(tokens.Hash(b)) {
		t.Error("hashes of two secrets are the same")
	}
}
