package guard_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rsa"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/sample/guard"
)

// ask is a request of the table below: a valid one with a bound token, unless a row changes it.
type ask struct {
	token, head, proof object // members beside the good ones; nil takes one away
	auth               string // "" means the good one; the text TOKEN in it is replaced
	proofs             []string
	set                bool   // proofs are those, none included
	path, method       string // /x and GET
	header             http.Header
	key                *ecdsa.PrivateKey // signs the proof in place of the one the token is bound to
	sign               *rsa.PrivateKey   // signs the token in place of the tenant's
	free               bool              // the token is not bound, the scheme is Bearer, there is no proof
	rewrite            func(proof string) string
}

// Reasons that several rows share.
const (
	whySpec  = "the answer is 401 wherever there is no valid token"
	whyOne   = "the challenge is that of the scheme that was used; the other scheme would not help"
	whyES256 = "ES256 alone, which the challenge says"
	whyHost  = "the address is configured: what proxies add is the sender's word as well"
)

// The cases of the vendor's own tests that apply to our guard, by their file: the answer of the vendor's library, ours, and the reason
// where they differ. Those of its loggers, getters and options have no row; nor do claims that its Java library can compare, which is left
// to the API here. Each row is a request of our own; the Go library itself is called in oracletests.
func TestVendorsCases(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).Unix() // the fixture's
	minute := func(c *guard.Config) { c.Past, c.Future = time.Minute, time.Minute }
	behind := func(name, value string) http.Header { return http.Header{name: {value}} }
	const (
		D, A, R = guard.Disabled, guard.Allowed, guard.Required

		noBearer = `Bearer realm="api"`
		noDPoP   = `DPoP algs="ES256"`
	)
	for _, file := range []struct {
		name string
		rows []vendorRow
	}{
		{"DPoPProofValidatorTest.java", []vendorRow{
			{name: "a good proof", mode: A, change: minute, vendors: 200, ours: 200},
			{name: "the proof is no JWT", mode: A, ask: ask{proofs: []string{"this is none"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "another typ", mode: A, ask: ask{head: object{"typ": "other"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "the token has no cnf", mode: A, ask: ask{token: object{"cnf": nil}}, vendors: 401, ours: 401},
			{name: "the proof is signed by another key", mode: A, ask: ask{key: newEC(elliptic.P256())}, vendors: 400, ours: 401, why: whySpec},
			{name: "no ath", mode: A, ask: ask{proof: object{"ath": nil}}, vendors: 400, ours: 401, why: whySpec},
			{name: "another method", mode: A, ask: ask{proof: object{"htm": "POST"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "another address", mode: A, ask: ask{proof: object{"htu": "https://other.example/x"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "too old", mode: A, change: minute, ask: ask{proof: object{"iat": now - 400}}, vendors: 400, ours: 401, why: whySpec},
			{name: "in the future", mode: A, change: minute, ask: ask{proof: object{"iat": now + 4000}}, vendors: 400, ours: 401, why: whySpec},
			{
				name: "method in other letters", mode: A, ask: ask{proof: object{"htm": "get"}},
				vendors: 200, ours: 401, why: "RFC 9110, section 9.1: methods are told apart by case",
			},
		}},
		{"AllowedDPoPAuthenticationTest.java", []vendorRow{
			{name: "Bearer", mode: A, ask: ask{free: true}, vendors: 200, ours: 200},
			{name: "DPoP", mode: A, vendors: 200, ours: 200},
			{name: "another scheme", mode: A, ask: ask{auth: "Basic YTpi"}, vendors: 400, ours: 401, why: whySpec},
			{
				name: "a refusal has a challenge", mode: A, ask: ask{auth: "Bearer bad", set: true},
				vendors: 401, ours: 401, challenge: `Bearer realm="api", error="invalid_token"`,
			},
			{name: "Bearer beside a proof", mode: A, ask: ask{token: object{"cnf": nil}, auth: "Bearer TOKEN"}, vendors: 400, ours: 400},
			{name: "Bearer with a bound token", mode: A, ask: ask{auth: "Bearer TOKEN", set: true}, vendors: 401, ours: 401},
			{name: "no scheme", mode: A, ask: ask{auth: " "}, vendors: 400, ours: 401, challenge: noBearer + ", " + noDPoP, why: whySpec},
		}},
		{"DisabledDPoPAuthenticationTest.java", []vendorRow{
			{name: "Bearer", mode: D, ask: ask{free: true}, vendors: 200, ours: 200},
			{
				name: "a refusal has a challenge", mode: D, ask: ask{auth: "Bearer bad"},
				vendors: 401, ours: 401, challenge: `Bearer realm="api", error="invalid_token"`,
			},
			{name: "nothing", mode: D, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, challenge: noBearer, why: whySpec},
		}},
		{"RequiredDPoPAuthenticationTest.java", []vendorRow{
			{name: "DPoP", mode: R, ask: ask{method: "POST", proof: object{"htm": "POST"}}, vendors: 200, ours: 200},
			{
				name: "a refusal has a challenge", mode: R, ask: ask{auth: "DPoP bad"},
				vendors: 401, ours: 401, challenge: `DPoP error="invalid_token", algs="ES256"`,
			},
			{
				name: "no proof", mode: R, ask: ask{set: true},
				vendors: 400, ours: 401, challenge: `DPoP error="invalid_dpop_proof", algs="ES256"`, why: whySpec,
			},
			{name: "nothing", mode: R, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, challenge: noDPoP, why: whySpec},
		}},
		{"JWTValidatorTest.java", []vendorRow{
			{name: "good", mode: A, ask: ask{free: true}, vendors: 200, ours: 200},
			{name: "no token", mode: A, ask: ask{auth: "Bearer ", set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "a signature by another key", mode: A, ask: ask{free: true, sign: otherKey()}, vendors: 401, ours: 401},
			{
				name: "one scope, had", mode: A, gate: []string{"SCOPE_read"}, ask: ask{free: true, token: object{"scope": "read write"}},
				vendors: 200, ours: 200,
			},
			{
				name: "one scope, missing", mode: A, gate: []string{"SCOPE_admin"}, ask: ask{free: true, token: object{"scope": "read"}},
				vendors: 403, ours: 403,
			},
			{
				name: "any scope, had", mode: A, gate: []string{"SCOPE_admin", "SCOPE_write"},
				ask:     ask{free: true, token: object{"scope": "read write"}},
				vendors: 200, ours: 200,
			},
			{
				name: "any scope, missing", mode: A, gate: []string{"SCOPE_admin", "SCOPE_write"},
				ask:     ask{free: true, token: object{"scope": "read"}},
				vendors: 403, ours: 403,
			},
			{name: "two parts of three", mode: A, ask: ask{auth: "Bearer not.whole", set: true}, vendors: 401, ours: 401},
			{
				name: "HS256", mode: A,
				ask:     ask{auth: "Bearer " + encode(object{"alg": "HS256", "kid": "k1"}) + "." + encode(object{"iss": issuer}) + ".AA", set: true},
				vendors: 401, ours: 401,
			},
		}},
		{"TokenExtractorTest.java", []vendorRow{
			{name: "a scheme in any letters", mode: A, ask: ask{free: true, auth: "bEArer TOKEN"}, vendors: 200, ours: 200},
			{name: "nothing", mode: A, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "Bearer", mode: D, ask: ask{free: true}, vendors: 200, ours: 200},
			{name: "DPoP where Bearer is wanted", mode: D, vendors: 400, ours: 401, why: whySpec},
			{name: "DPoP", mode: R, vendors: 200, ours: 200},
			{name: "Bearer where DPoP is wanted", mode: R, ask: ask{auth: "Bearer TOKEN"}, vendors: 400, ours: 401, why: whySpec},
			{name: "two proofs in one header", mode: R, ask: ask{proofs: []string{"one,two"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "no proof", mode: R, ask: ask{set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "an empty header", mode: D, ask: ask{auth: " ", set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "a scheme alone", mode: D, ask: ask{auth: "Bearer", set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "a token with a space in it", mode: D, ask: ask{auth: "Bearer one two", set: true}, vendors: 400, ours: 401, why: whySpec},
		}},
		{"WWWAuthenticateBuilderTest.java", []vendorRow{
			{
				name: "Bearer alone when disabled", mode: D, ask: ask{free: true, token: object{"aud": "x"}},
				vendors: 401, ours: 401, challenge: `Bearer realm="api", error="invalid_token"`,
			},
			{name: "bare when disabled", mode: D, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, challenge: noBearer, why: whySpec},
			{
				name: "DPoP alone when required", mode: R, ask: ask{token: object{"aud": "x"}},
				vendors: 401, ours: 401, challenge: `DPoP error="invalid_token", algs="ES256"`,
			},
			{name: "bare when required", mode: R, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, challenge: noDPoP, why: whySpec},
			{
				name: "the error at Bearer", mode: A, ask: ask{free: true, token: object{"aud": "x"}},
				vendors: 401, ours: 401, challenge: `Bearer realm="api", error="invalid_token"`, why: whyOne,
			},
			{
				name: "the error at DPoP", mode: A, ask: ask{token: object{"aud": "x"}},
				vendors: 401, ours: 401, challenge: `DPoP error="invalid_token", algs="ES256"`, why: whyOne,
			},
			{
				name: "both bare", mode: A, ask: ask{auth: "unknown x", set: true},
				vendors: 400, ours: 401, challenge: noBearer + ", " + noDPoP, why: whySpec,
			},
			{
				name: "quotes", mode: A, ask: ask{proof: object{"htm": `a\b"c`}},
				vendors: 400, ours: 401, challenge: `DPoP error="invalid_dpop_proof", algs="ES256"`,
				why: "nothing that was sent is repeated, so nothing need be escaped; 401: " + whySpec,
			},
		}},
		{"core/dpop_test.go", []vendorRow{
			{name: "Bearer", mode: A, ask: ask{free: true}, vendors: 200, ours: 200},
			{name: "Bearer with a bound token", mode: A, ask: ask{auth: "Bearer TOKEN", set: true}, vendors: 401, ours: 401},
			{name: "Bearer where DPoP is required", mode: R, ask: ask{free: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "nothing", mode: A, ask: ask{auth: "-", set: true}, vendors: 401, ours: 401},
			{name: "nothing where DPoP is required", mode: R, ask: ask{auth: "-", set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "a proof alone", mode: A, ask: ask{auth: "-"}, vendors: 400, ours: 401, why: whySpec},
			{name: "DPoP", mode: A, vendors: 200, ours: 200},
			{name: "DPoP, no cnf", mode: A, ask: ask{token: object{"cnf": nil}}, vendors: 401, ours: 401},
			{name: "DPoP, no cnf, required", mode: R, ask: ask{token: object{"cnf": nil}}, vendors: 401, ours: 401},
			{name: "another thumbprint", mode: A, ask: ask{key: newEC(elliptic.P256())}, vendors: 401, ours: 401},
			{name: "htm", mode: A, ask: ask{proof: object{"htm": "PUT"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "htu", mode: A, ask: ask{proof: object{"htu": "https://api.example/y"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "iat too old", mode: A, ask: ask{proof: object{"iat": now - 600}}, vendors: 400, ours: 401, why: whySpec},
			{name: "iat too new", mode: A, ask: ask{proof: object{"iat": now + 60}}, vendors: 400, ours: 401, why: whySpec},
			{
				name: "a proof that nobody reads", mode: D,
				ask:     ask{token: object{"cnf": nil}, auth: "Bearer TOKEN", proofs: []string{"anything"}, set: true},
				vendors: 200, ours: 200,
			},
			{name: "DPoP where it is disabled", mode: D, vendors: 400, ours: 401, why: whySpec},
			{name: "Bearer with a bound token where DPoP is disabled", mode: D, ask: ask{auth: "Bearer TOKEN", set: true}, vendors: 200, ours: 200},
			{name: "a bad token", mode: A, ask: ask{auth: "DPoP bad"}, vendors: 401, ours: 401},
			{name: "a bad proof", mode: A, ask: ask{proofs: []string{"bad"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "cnf with an empty jkt, DPoP", mode: A, ask: ask{token: object{"cnf": object{"jkt": ""}}}, vendors: 401, ours: 401},
			{
				name: "cnf with an empty jkt, Bearer", mode: A, ask: ask{free: true, token: object{"cnf": object{"jkt": ""}}},
				vendors: 200, ours: 401, why: "a cnf that names no key must not pass for none",
			},
			{name: "no proof", mode: A, ask: ask{set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "ath", mode: A, ask: ask{proof: object{"ath": strings.Repeat("A", 43)}}, vendors: 400, ours: 401, why: whySpec},
			{name: "an empty ath", mode: A, ask: ask{proof: object{"ath": ""}}, vendors: 400, ours: 401, why: whySpec},
			{name: "Bearer beside a proof, not bound", mode: A, ask: ask{token: object{"cnf": nil}, auth: "Bearer TOKEN"}, vendors: 400, ours: 400},
			{
				name: "Bearer beside a proof, bound", mode: A, ask: ask{auth: "Bearer TOKEN"},
				vendors: 401, ours: 400, why: "the request is malformed whatever the token says; RFC 9449, section 7.2",
			},
			{
				name: "Bearer beside a proof, not bound, required", mode: R, ask: ask{token: object{"cnf": nil}, auth: "Bearer TOKEN"},
				vendors: 400, ours: 401, why: whySpec,
			},
			{name: "Bearer beside a proof, bound, required", mode: R, ask: ask{auth: "Bearer TOKEN"}, vendors: 400, ours: 401, why: whySpec},
		}},
		{"validator/dpop_test.go", []vendorRow{
			{name: "good", mode: A, vendors: 200, ours: 200},
			{name: "a nonce that nobody asked for", mode: A, ask: ask{proof: object{"nonce": "n"}}, vendors: 200, ours: 200},
			{name: "an empty proof", mode: A, ask: ask{proofs: []string{""}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "one part", mode: A, ask: ask{proofs: []string{"abc"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "two parts", mode: A, ask: ask{proofs: []string{"abc.def"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{name: "a header that is not base64", mode: A, ask: ask{proofs: []string{"*.e30.AA"}, set: true}, vendors: 400, ours: 401, why: whySpec},
			{
				name: "a header that is no JSON", mode: A, ask: ask{proofs: []string{encode("no") + ".e30.AA"}, set: true},
				vendors: 400, ours: 401, why: whySpec,
			},
			{name: "claims that are no base64", mode: A, ask: ask{rewrite: part(1, "*")}, vendors: 400, ours: 401, why: whySpec},
			{name: "claims that are no JSON", mode: A, ask: ask{rewrite: part(1, encode("no"))}, vendors: 400, ours: 401, why: whySpec},
			{name: "typ of a token", mode: A, ask: ask{head: object{"typ": "JWT"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "no jwk", mode: A, ask: ask{head: object{"jwk": nil}}, vendors: 400, ours: 401, why: whySpec},
			{name: "a jwk that is none", mode: A, ask: ask{head: object{"jwk": object{"kty": "none"}}}, vendors: 400, ours: 401, why: whySpec},
			{name: "no jti", mode: A, ask: ask{proof: object{"jti": nil}}, vendors: 400, ours: 401, why: whySpec},
			{name: "no htm", mode: A, ask: ask{proof: object{"htm": nil}}, vendors: 400, ours: 401, why: whySpec},
			{name: "no htu", mode: A, ask: ask{proof: object{"htu": nil}}, vendors: 400, ours: 401, why: whySpec},
			{name: "no iat", mode: A, ask: ask{proof: object{"iat": nil}}, vendors: 400, ours: 401, why: whySpec},
			{
				name: "a signature by another key than jwk", mode: A, ask: ask{head: object{"jwk": jwk(&newEC(elliptic.P256()).PublicKey)}},
				vendors: 400, ours: 401, why: whySpec,
			},
			{name: "HS256", mode: A, ask: ask{head: object{"alg": "HS256"}}, vendors: 400, ours: 401, why: whySpec},
			{name: "ES384", mode: A, ask: ask{key: newEC(elliptic.P384()), head: object{"alg": "ES384"}}, vendors: 200, ours: 401, why: whyES256},
		}},
		{"error_handler_test.go", []vendorRow{
			{name: "expired", mode: A, ask: ask{free: true, token: object{"exp": now - 10}}, vendors: 401, ours: 401},
			{name: "not yet valid", mode: A, ask: ask{free: true, token: object{"nbf": now + 10}}, vendors: 401, ours: 401},
			{name: "a wrong signature", mode: A, ask: ask{free: true, sign: otherKey()}, vendors: 401, ours: 401},
			{name: "malformed", mode: A, ask: ask{auth: "Bearer a.b", set: true}, vendors: 401, ours: 401},
			{name: "issuer", mode: A, ask: ask{free: true, token: object{"iss": "https://other.example/"}}, vendors: 401, ours: 401},
			{name: "audience", mode: A, ask: ask{free: true, token: object{"aud": "https://other.example/"}}, vendors: 401, ours: 401},
			{name: "the keys are not available", mode: A, down: true, ask: ask{free: true}, vendors: 401, ours: 503, why: "the token may be good"},
			{
				name: "a bare challenge for two headers", mode: A, ask: ask{free: true, header: behind("Authorization", "Bearer x")},
				vendors: 400, ours: 400, challenge: noBearer + ", " + noDPoP,
			},
			{
				name: "the challenge for Bearer", mode: A, ask: ask{free: true, token: object{"aud": "x"}},
				vendors: 401, ours: 401, challenge: `Bearer realm="api", error="invalid_token"`, why: whyOne,
			},
		}},
		{"proxy_test.go", []vendorRow{
			{name: "no proxy is trusted", mode: A, ask: ask{header: behind("X-Forwarded-Host", "evil.example")}, vendors: 200, ours: 200},
			{
				name: "X-Forwarded-Proto", mode: A,
				ask:     ask{header: behind("X-Forwarded-Proto", "http"), proof: object{"htu": "http://api.example/x"}},
				vendors: 200, ours: 401, why: whyHost,
			},
			{
				name: "X-Forwarded-Host", mode: A,
				ask:     ask{header: behind("X-Forwarded-Host", "public.example"), proof: object{"htu": "https://public.example/x"}},
				vendors: 200, ours: 401, why: whyHost,
			},
			{
				name: "X-Forwarded-Prefix", mode: A,
				ask:     ask{header: behind("X-Forwarded-Prefix", "/v1"), proof: object{"htu": "https://api.example/v1/x"}},
				vendors: 200, ours: 401, why: whyHost,
			},
			{
				name: "several proxies", mode: A,
				ask:     ask{header: behind("X-Forwarded-Host", "first.example, second.example"), proof: object{"htu": "https://first.example/x"}},
				vendors: 200, ours: 401, why: whyHost,
			},
			{
				name: "Forwarded", mode: A,
				ask:     ask{header: behind("Forwarded", "proto=https;host=public.example"), proof: object{"htu": "https://public.example/x"}},
				vendors: 200, ours: 401, why: whyHost,
			},
			{
				name: "what clients call is configured", mode: A, change: at("https://public.example"),
				ask:     ask{header: behind("X-Forwarded-Host", "other.example"), proof: object{"htu": "https://public.example/x"}},
				vendors: 200, ours: 200,
			},
			{
				name: "a query, htu with it", mode: A, ask: ask{path: "/x?a=1", proof: object{"htu": "https://api.example/x?a=1"}},
				vendors: 200, ours: 200,
			},
			{
				name: "a query, htu without it", mode: A, ask: ask{path: "/x?a=1"},
				vendors: 400, ours: 200, why: "RFC 9449, section 4.3: htu has no query",
			},
			{
				name: "http and its port", mode: A, change: at("http://api.example:80"), ask: ask{proof: object{"htu": "http://api.example/x"}},
				vendors: 200, ours: 200,
			},
			{name: "https and its port", mode: A, change: at("https://api.example:443"), vendors: 200, ours: 200},
			{
				name: "another port", mode: A, change: at("https://api.example:8443"), ask: ask{proof: object{"htu": "https://api.example:8443/x"}},
				vendors: 200, ours: 200,
			},
			{name: "another port, left out", mode: A, change: at("https://api.example:8443"), vendors: 400, ours: 401, why: whySpec},
			{
				name: "IPv6 and its port", mode: A, change: at("http://[::1]:80"), ask: ask{proof: object{"htu": "http://[::1]/x"}},
				vendors: 200, ours: 200,
			},
			{
				name: "IPv6 and another port", mode: A, change: at("http://[2001:db8::1]:8080"),
				ask:     ask{proof: object{"htu": "http://[2001:db8::1]:8080/x"}},
				vendors: 200, ours: 200,
			},
			{
				name: "IPv6 without its bracket", mode: A, change: at("http://[::1]"), ask: ask{proof: object{"htu": "http://[::1/x"}},
				vendors: 400, ours: 401, why: whySpec,
			},
		}},
	} {
		for _, row := range file.rows {
			t.Run(file.name+"/"+row.name+"/"+string(row.mode), func(t *testing.T) {
				a := row.send(t)
				if a.status != row.ours || row.challenge != "" && a.challenge != row.challenge {
					t.Errorf("%d %s, want %d %s", a.status, a.challenge, row.ours, row.challenge)
				}
				if row.ours != row.vendors && row.why == "" {
					t.Errorf("the vendor answers %d, we %d: say why", row.vendors, row.ours)
				}
				if (a.status == http.StatusUnauthorized || a.status == http.StatusBadRequest) && a.challenge == "" {
					t.Error("no challenge")
				}
			})
		}
	}
}

// vendorRow is one of the vendor's cases.
type vendorRow struct {
	name          string
	mode          guard.Mode
	change        func(*guard.Config)
	gate          []string // scopes, of which one is wanted
	down          bool     // the tenant
	ask           ask
	vendors, ours int
	challenge     string // ours; "" means that it is not looked at
	why           string // why ours differs
}

func at(address string) func(*guard.Config) {
	return func(c *guard.Config) { c.PublicURL = address }
}

// part replaces one of the three parts of a proof.
func part(i int, with string) func(string) string {
	return func(s string) string {
		parts := strings.Split(s, ".")
		parts[i] = with
		return strings.Join(parts, ".")
	}
}

func (row *vendorRow) send(t *testing.T) answer {
	t.Helper()
	var change []func(*guard.Config)
	if row.change != nil {
		change = append(change, row.change)
	}
	f := newFixture(t, row.mode, change...)
	f.tenant.change(func(t *tenant) { t.down = row.down })
	a := row.ask
	key := rsaKey()
	if a.sign != nil {
		key = a.sign
	}
	claims := f.claims()
	if !a.free {
		sender := f.key
		if a.key != nil && a.key.Curve == elliptic.P384() {
			sender = a.key // the token is made for it, so that the algorithm alone is the fault
		}
		claims["cnf"] = object{"jkt": thumbprint(sender)}
	}
	token := sign(key, header(), with(claims, a.token))
	path := a.path
	if path == "" {
		path = "/x"
	}
	if a.key != nil {
		f.key = a.key
	}
	proof := f.proof(token, strings.SplitN(path, "?", 2)[0], a.head, a.proof)
	if a.rewrite != nil {
		proof = a.rewrite(proof)
	}
	auth, proofs := "DPoP "+token, []string{proof}
	if a.free {
		auth, proofs = "Bearer "+token, nil
	}
	if a.set {
		proofs = a.proofs
	}
	if a.auth != "" {
		auth = strings.Replace(a.auth, "TOKEN", token, 1)
	}
	method := a.method
	if method == "" {
		method = http.MethodGet
	}
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	for name, values := range a.header {
		r.Header[name] = slices.Clone(values)
	}
	if auth != "-" {
		r.Header.Add("Authorization", auth)
	}
	for _, p := range proofs {
		r.Header.Add("DPoP", p)
	}
	w := httptest.NewRecorder()
	f.Require(echo(), row.gate...).ServeHTTP(w, r)
	challenge, why := parted(w.Header().Get("WWW-Authenticate"))
	return answer{status: w.Code, challenge: challenge, why: why, body: w.Body.String()}
}
