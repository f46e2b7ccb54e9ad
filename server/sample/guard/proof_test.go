package guard_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/sample/guard"
)

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// claimed are the claims that a proof may have.
var claimed = map[string]bool{"jti": true, "htm": true, "htu": true, "ath": true, "iat": true, "exp": true, "nbf": true, "typ": true}

// Proofs that must not be accepted. Each is for GET /a/b.
func TestProofFaults(t *testing.T) {
	f := newFixture(t, guard.Required)
	token := f.bound(nil)
	now := f.clock().Unix()
	proof := func(more object) string { return f.proof(token, "/a/b", nil, more) }
	head := func(more object) string { return f.proof(token, "/a/b", more, nil) }
	private := jwk(&f.key.PublicKey)
	d, err := f.key.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	private["d"] = base64.RawURLEncoding.EncodeToString(d)
	by := func(k *ecdsa.PrivateKey, alg string) string {
		was := f.key
		defer func() { f.key = was }()
		f.key = k
		return f.proof(token, "/a/b", object{"alg": alg}, nil)
	}
	small := newRSA(1024)
	n := base64.RawURLEncoding.EncodeToString(small.N.Bytes())
	for name, p := range map[string]string{
		"htm":               proof(object{"htm": "POST"}),
		"htm small":         proof(object{"htm": "get"}),
		"htu host":          proof(object{"htu": "https://evil.example/a/b"}),
		"htu port":          proof(object{"htu": "https://api.example:8443/a/b"}),
		"htu scheme":        proof(object{"htu": "http://api.example/a/b"}),
		"htu path":          proof(object{"htu": "https://api.example/a/c"}),
		"htu longer":        proof(object{"htu": "https://api.example/a/b/"}),
		"htu escaped slash": proof(object{"htu": "https://api.example/a%2Fb"}),
		"htu user":          proof(object{"htu": "https://a@api.example/a/b"}),
		"htu relative":      proof(object{"htu": "/a/b"}),
		"htu none":          proof(object{"htu": nil}),
		"ath none":          proof(object{"ath": nil}),
		"ath other":         proof(object{"ath": strings.Repeat("A", 43)}),
		"iat -301":          proof(object{"iat": now - 301}),
		"iat +31":           proof(object{"iat": now + 31}),
		"iat none":          proof(object{"iat": nil}),
		"exp -30":           proof(object{"exp": now - 30}),
		"exp 0":             proof(object{"exp": 0}),
		"exp text":          proof(object{"exp": "9999999999"}),
		"exp null":          proof(object{"exp": json.RawMessage("null")}),
		"exp huge":          proof(object{"exp": 1e300}),
		"nbf +31":           proof(object{"nbf": now + 31}),
		"nbf text":          proof(object{"nbf": "1"}),
		"iat text":          proof(object{"iat": "1"}),
		"jti none":          proof(object{"jti": nil}),
		"jti empty":         proof(object{"jti": ""}),
		"jti huge":          proof(object{"jti": strings.Repeat("a", 257)}),
		"jti number":        proof(object{"jti": 7}),
		"typ":               head(object{"typ": "jwt"}),
		"no typ":            head(object{"typ": nil}),
		"5 private jwk":     head(object{"jwk": private}),
		"no jwk":            head(object{"jwk": nil}),
		"another jwk":       head(object{"jwk": jwk(&newEC(elliptic.P256()).PublicKey)}),
		"jwk of no kind":    head(object{"jwk": with(jwk(&f.key.PublicKey), object{"kty": nil})}),
		"jwk of RSA":        head(object{"jwk": with(jwk(&f.key.PublicKey), object{"kty": "RSA"})}),
		"jwk of no curve":   head(object{"jwk": with(jwk(&f.key.PublicKey), object{"crv": nil})}),
		"jwk of P-384":      head(object{"jwk": with(jwk(&f.key.PublicKey), object{"crv": "P-384"})}),
		"jwk off the curve": head(object{"jwk": with(jwk(&f.key.PublicKey), object{"x": strings.Repeat("A", 43)})}),
		"jwk is short":      head(object{"jwk": with(jwk(&f.key.PublicKey), object{"x": strings.Repeat("A", 42)})}),
		"symmetric jwk":     head(object{"jwk": object{"kty": "oct", "k": "YWJj"}}),
		"6 RSA-1024": sign(small, object{
			"alg": "RS256", "typ": "dpop+jwt", "jwk": object{"kty": "RSA", "e": "AQAB", "n": n},
		}, object{"jti": "a"}),
		"P-384":          by(newEC(elliptic.P384()), "ES384"),
		"P-384 as ES256": by(newEC(elliptic.P384()), "ES256"),
		"none":           head(object{"alg": "none"}),
		"5 KiB":          proof(object{"x": strings.Repeat("a", 5000)}),
		"changed":        proof(nil) + "x",
		"no proof":       "abc",
		"empty":          "",
	} {
		a := f.send("/a/b", "Authorization", "DPoP "+token, "DPoP", p)
		if a.status != 401 || a.challenge != `DPoP error="invalid_dpop_proof", algs="ES256"` {
			t.Errorf("%s: %d %s", name, a.status, a.challenge)
		}
		// The names of these rows begin with the claim that is at fault.
		if claim, _, _ := strings.Cut(name, " "); claimed[claim] && !strings.HasPrefix(a.why, "The proof is not accepted: "+claim+" ") {
			t.Errorf("%s: the reason is %q", name, a.why)
		}
		if a.why == "" || strings.ContainsAny(a.why, `"\`) || !strings.Contains(a.body, a.why) {
			t.Errorf("%s: the reason is %q, in the body %s", name, a.why, a.body)
		}
	}
	for name, p := range map[string]string{
		"good": proof(nil), "1 query in htu": proof(object{"htu": "https://api.example/a/b?x=1#y"}),
		"3 case": proof(object{"htu": "HTTPS://Api.Example:443/a/b"}),
		"dots":   proof(object{"htu": "https://api.example/z/.././a/b"}), "escapes of letters": proof(object{"htu": "https://api.example/%61/b"}),
		"iat -300": proof(object{"iat": now - 300}), "iat +30": proof(object{"iat": now + 30}),
		"exp -29": proof(object{"exp": now - 29}), "exp 2^53": proof(object{"exp": 1 << 53}),
		"nbf +30": proof(object{"nbf": now + 30}), "nbf 0": proof(object{"nbf": 0}),
		"iat with a fraction":        proof(object{"iat": float64(now) + .5}),
		"jwk spelled in another way": head(object{"jwk": otherwise(jwk(&f.key.PublicKey))}),
		"more in jwk":                head(object{"jwk": with(jwk(&f.key.PublicKey), object{"use": "sig", "kid": "x"})}),
		"jti of 256":                 proof(object{"jti": strings.Repeat("a", 256)}),
	} {
		if a := f.send("/a/b", "Authorization", "DPoP "+token, "DPoP", p); a.status != 200 {
			t.Errorf("%s: %d %s", name, a.status, a.challenge)
		}
	}
}

// otherwise writes a key in a different but equivalent form: two bits of the last letter of x are insignificant. Its thumbprint is the
// same.
func otherwise(k object) object {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	x, _ := k["x"].(string)
	last := strings.IndexByte(letters, x[len(x)-1])
	return with(k, object{"x": x[:len(x)-1] + letters[last+1:last+2]})
}

// The path counts as it was sent, and the query does not. RFC 9449, section 4.3.
func TestProofPath(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	token := f.bound(nil)
	for _, tt := range []struct {
		path, htu string
		want      int
	}{
		{"/x?a=1", "/x", 200},
		{"/forms/a%20b", "/forms/a%20b", 200},
		{"/forms/a%2Fb", "/forms/a%2Fb", 200},
		{"/forms/a%2fb", "/forms/a%2Fb", 200},
		{"/forms/a%2Fb", "/forms/a/b", 401},
		{"/forms/a/b", "/forms/a%2Fb", 401},
		{"/a//b", "/a//b", 200},
		{"/a//b", "/a/b", 401},
		{"/", "", 200},
		{"/%7Eana", "/~ana", 200},
	} {
		if a := f.send(tt.path, "Authorization", "DPoP "+token, "DPoP", f.proof(token, tt.htu, nil, nil)); a.status != tt.want {
			t.Errorf("%s with a proof for %s: %d, want %d", tt.path, tt.htu, a.status, tt.want)
		}
	}
}

// A proof works once, here and on another path, whatever the time. RFC 9449, section 11.1.
func TestProofReplay(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	token := f.bound(nil)
	proof := f.proof(token, "/x", nil, object{"iat": f.clock().Unix() + 30})
	for i, want := range []int{200, 401, 401, 401, 401} {
		if a := f.send("/x", "Authorization", "DPoP "+token, "DPoP", proof); a.status != want {
			t.Errorf("use %d: %d, want %d", i+1, a.status, want)
		}
		if i > 0 {
			f.wait(110 * time.Second)
		}
	}
	// Another key may use the same jti.
	f.key = newEC(elliptic.P256())
	token = f.bound(nil)
	if a := f.send("/x", "Authorization", "DPoP "+token, "DPoP", f.proof(token, "/x", nil, object{"jti": "proof 1"})); a.status != 200 {
		t.Errorf("the same jti by another key: %d", a.status)
	}
}

// A client cannot choose the address with its headers.
func TestForgedHost(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	token := f.bound(nil)
	stolen := f.proof(token, "/x", nil, object{"htu": "https://evil.example/x"})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
	r.Host = "evil.example"
	for name, value := range map[string]string{
		"Authorization": "DPoP " + token, "DPoP": stolen,
		"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "host=evil.example;proto=https",
	} {
		r.Header.Set(name, value)
	}
	if _, refused := f.Check(r); refused == nil || refused.Status != 401 {
		t.Errorf("forged host: %v", refused)
	}
}
