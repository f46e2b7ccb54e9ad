package guard_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// FuzzCheck requires that no header makes the guard panic, answer anything but 400, 401 or 503, or let a request pass that has no
// credential of ours.
func FuzzCheck(f *testing.F) {
	fx := newFixture(f, guard.Allowed)
	token := fx.bound(nil)
	proof := fx.proof(token, "/x", nil, nil)
	f.Add("DPoP "+token, proof, "/x")
	f.Add("Bearer "+fx.bearer(nil), "", "/a%2Fb?x")
	f.Add("Bearer a.b.c", "a.b.c", "/")
	f.Add("DPoP "+strings.Replace(token, ".", "..", 1), proof+","+proof, "//")
	f.Fuzz(func(t *testing.T, authorization, proof, path string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
		r.Header["Authorization"], r.Header["Dpop"] = []string{authorization}, []string{proof}
		r.URL.Path, r.URL.RawPath = path, ""
		p, refused := fx.Check(r)
		if (p == nil) == (refused == nil) {
			t.Fatalf("%v and %v", p, refused)
		}
		if refused != nil && refused.Status != 400 && refused.Status != 401 && refused.Status != 503 {
			t.Errorf("status %d", refused.Status)
		}
		if p != nil && p.Name != "ana" {
			t.Errorf("%q passes", p.Name)
		}
	})
}

// FuzzToken signs any header and any claims with the tenant's key and requires that a token that passes is valid according to a plain
// reader of JSON.
func FuzzToken(f *testing.F) {
	fx := newFixture(f, guard.Allowed)
	f.Add(jsonOf(header()), jsonOf(fx.claims()))
	f.Add(jsonOf(header()), jsonOf(with(fx.claims(), object{"aud": []string{"x", audience}, "nbf": 1, "cnf": object{"jkt": "x"}})))
	f.Add(`{"alg":"RS256","kid":"k1","crit":["x"]}`, `{"iss":"http://localhost:8081","iss":"x","exp":1e99}`)
	f.Fuzz(func(t *testing.T, head, claims string) {
		token := sign(rsaKey(), head, claims)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		p, refused := fx.Check(r)
		if refused != nil {
			return
		}
		var h struct{ Alg, Kid string }
		var c struct {
			Iss, Sub string
			Aud      any
			Exp      float64
			Cnf      any
		}
		if json.Unmarshal([]byte(head), &h) != nil || json.Unmarshal([]byte(claims), &c) != nil {
			t.Fatalf("%q of %q passes, which is no JSON", claims, head)
		}
		list, _ := c.Aud.([]any)
		named := c.Aud == audience || slices.Contains(list, any(audience))
		now := float64(fx.clock().Unix())
		if h.Alg != "RS256" || h.Kid != "k1" || c.Iss != issuer || c.Sub == "" || p.Name != c.Sub || !named || c.Exp <= now-5 || c.Cnf != nil {
			t.Errorf("%q of %q passes as %q", claims, head, p.Name)
		}
	})
}

// FuzzProof signs any header and any claims with the key of a bound token and requires that a proof that passes is for this request.
func FuzzProof(f *testing.F) {
	fx := newFixture(f, guard.Required, func(c *guard.Config) { c.Seen = forgetful{} })
	token := fx.bound(nil)
	good := fx.proof(token, "/a/b", nil, nil)
	head, claims := decoded(f, good, 0), decoded(f, good, 1)
	f.Add(head, claims)
	f.Add(strings.Replace(head, "{", `{"crit":[],`, 1), strings.Replace(claims, "a/b", "a%2Fb", 1))
	f.Add(strings.Replace(head, `"jwk":{`, `"jwk":{"d":"AA",`, 1), strings.Replace(claims, "GET", "POST", 1))
	f.Fuzz(func(t *testing.T, head, claims string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/a/b", nil)
		r.Header.Set("Authorization", "DPoP "+token)
		r.Header.Set("DPoP", sign(fx.key, head, claims))
		if _, refused := fx.Check(r); refused != nil {
			if refused.Status != http.StatusUnauthorized {
				t.Errorf("status %d", refused.Status)
			}
			return
		}
		var h struct {
			Alg, Typ string
			Crit     any
			JWK      map[string]any `json:"jwk"`
		}
		var c struct {
			Htm, Htu, Jti, Ath string
			Iat                float64
		}
		if json.Unmarshal([]byte(head), &h) != nil || json.Unmarshal([]byte(claims), &c) != nil {
			t.Fatalf("%q of %q passes, which is no JSON", claims, head)
		}
		now := float64(fx.clock().Unix())
		if h.Alg != "ES256" || h.Typ != "dpop+jwt" || h.Crit != nil || h.JWK["d"] != nil || c.Htm != "GET" || c.Jti == "" || c.Ath == "" ||
			dpop.Address(c.Htu) != "https://api.example/a/b" || c.Iat < now-300 || c.Iat >= now+31 {
			t.Errorf("%q of %q passes", claims, head)
		}
	})
}

// forgetful remembers no proof, so that the same ones can be tried again and again.
type forgetful struct{}

func (forgetful) Use(context.Context, [32]byte, time.Time, time.Time) error { return nil }

// decoded is the JSON of a part of a token.
func decoded(tb testing.TB, token string, part int) string {
	tb.Helper()
	b, err := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[part])
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}
