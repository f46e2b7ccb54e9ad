package guard_test

import (
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/sample/guard"
)

// Access tokens that must not be accepted, each alone, as Bearer.
func TestTokenFaults(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	now := f.clock().Unix()
	claims := func(more object) string { return f.bearer(more) }
	head := func(more object) string { return sign(rsaKey(), with(header(), more), f.claims()) }
	unsigned := encode(with(header(), object{"alg": "none"})) + "." + encode(f.claims()) + "."
	// HS256 with the public key as the secret.
	text := encode(with(header(), object{"alg": "HS256"})) + "." + encode(f.claims())
	mac := hmac.New(sha256.New, x509.MarshalPKCS1PublicKey(&rsaKey().PublicKey))
	mac.Write([]byte(text))
	symmetric := text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	good := claims(nil)
	parts := strings.Split(good, ".")
	for name, token := range map[string]string{
		"75 none": unsigned,
		"75 None": strings.Replace(unsigned, encode(with(header(), object{"alg": "none"})),
			encode(with(header(), object{"alg": "None"})), 1),
		"75 HS256":               symmetric,
		"75 RS384":               head(object{"alg": "RS384"}),
		"75 ES256":               sign(newEC(elliptic.P256()), with(header(), object{"alg": "ES256"}), f.claims()),
		"75 JSON":                `{"payload":"` + parts[1] + `","protected":"` + parts[0] + `","signature":"` + parts[2] + `"}`,
		"75 JWE":                 encode(object{"alg": "RSA-OAEP", "enc": "A128GCM"}) + ".a.b.c.d",
		"75 two signatures":      good + "." + parts[2],
		"75 no signature":        parts[0] + "." + parts[1] + ".",
		"75 changed":             parts[0] + "." + encode(with(f.claims(), object{"sub": "eve"})) + "." + parts[2],
		"75 another's signature": sign(otherKey(), header(), f.claims()),
		"75 padded":              good + "=",
		"76 no kid":              head(object{"kid": nil}),
		"76 empty kid":           head(object{"kid": ""}),
		"76 unknown kid":         head(object{"kid": "k2"}),
		"76 path as kid":         head(object{"kid": "../../k1"}),
		"76 kid is a number":     head(object{"kid": 1}),
		"76 crit":                head(object{"crit": []string{"x"}, "x": 1}),
		"type logout":            head(object{"typ": "logout+jwt"}),
		"type number":            head(object{"typ": 1}),
		"77 iss with slash":      claims(object{"iss": issuer + "/"}),
		"77 iss other case":      claims(object{"iss": strings.ToUpper(issuer)}),
		"77 other tenant":        claims(object{"iss": "https://evil.example"}),
		"77 no iss":              claims(object{"iss": nil}),
		"77 aud prefix":          claims(object{"aud": audience[:10]}),
		"77 aud longer":          claims(object{"aud": audience + "/"}),
		"77 aud empty":           claims(object{"aud": ""}),
		"77 aud none":            claims(object{"aud": nil}),
		"77 aud number":          claims(object{"aud": 7}),
		"77 aud mixed":           claims(object{"aud": []any{audience, 7}}),
		"77 aud object":          claims(object{"aud": object{audience: 1}}),
		"78 exp past":            claims(object{"exp": now - 5}),
		"78 no exp":              claims(object{"exp": nil}),
		"78 exp text":            claims(object{"exp": "9999999999"}),
		"78 exp far":             claims(object{"exp": 1e300}),
		"78 exp negative":        claims(object{"exp": -1}),
		"78 nbf future":          claims(object{"nbf": now + 6}),
		"78 nbf text":            claims(object{"nbf": "1"}),
		"78 iat future":          claims(object{"iat": now + 6}),
		"no sub":                 claims(object{"sub": nil}),
		"scope is a list":        claims(object{"scope": []string{"a"}}),
		"cnf null":               sign(rsaKey(), header(), strings.Replace(jsonOf(f.claims()), "{", `{"cnf":null,`, 1)),
		"cnf text":               claims(object{"cnf": "x"}),
		"cnf of a certificate":   claims(object{"cnf": object{"x5t#S256": "x"}}),
		"cnf short":              claims(object{"cnf": object{"jkt": "abc"}}),
		"aud twice":              sign(rsaKey(), header(), strings.Replace(jsonOf(f.claims()), "{", `{"aud":"https://other.example",`, 1)),
		"AUD":                    sign(rsaKey(), header(), strings.Replace(jsonOf(f.claims()), `"aud"`, `"AUD"`, 1)),
		"no object":              sign(rsaKey(), header(), "[1]"),
		"huge":                   claims(object{"x": strings.Repeat("a", 9000)}),
	} {
		a := f.send("/x", "Authorization", "Bearer "+token)
		if a.status != 401 || a.code != "invalid_token" && name != "75 JSON" || strings.Contains(a.body+a.challenge, "evil") {
			t.Errorf("%s: %d %s %s", name, a.status, a.challenge, a.body)
		}
	}
	for name, token := range map[string]string{
		"good": good, "aud among others": claims(object{"aud": []string{"https://other.example", audience}}),
		"vendor's type": head(object{"typ": "JWT"}), "no type": head(object{"typ": nil}),
		"exp within the skew": claims(object{"exp": now - 4}), "nbf within the skew": claims(object{"nbf": now + 5}),
		"exp with a fraction":  claims(object{"exp": float64(now) + 10.5}),
		"no scope":             claims(object{"scope": nil}),
		"keys it brings along": head(object{"jku": "https://evil.example/keys", "x5u": "https://evil.example/x"}),
	} {
		if a := f.send("/x", "Authorization", "Bearer "+token); a.status != 200 {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
	}
	f.wait(604 * time.Second)
	if a := f.send("/x", "Authorization", "Bearer "+good); a.status != 200 {
		t.Errorf("4 s after its end: %d", a.status)
	}
	f.wait(time.Second)
	if a := f.send("/x", "Authorization", "Bearer "+good); a.status != 401 {
		t.Errorf("5 s after its end: %d", a.status)
	}
	if n := f.tenant.count(); n > 21 { // 605 s: one a 30 s at most
		t.Errorf("%d fetches", n)
	}
}
