package oracletests

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"fmt"
	random "math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// draft is a token or a proof before it is signed.
type draft struct {
	r          *random.Rand
	head, body object
	key        any // signs whatever head says
	reshape    func(json string) string
	rewrite    func(jws string) string
	evil       bool // the proof is for another host, which the request names
}

// fault changes a draft; some are none.
type fault func(d *draft)

// put returns a fault that sets a member to one of several values; nil removes it.
func put(in func(d *draft) object, name string, values ...any) fault {
	return func(d *draft) {
		switch v := values[d.r.IntN(len(values))].(type) {
		case nil:
			delete(in(d), name)
		case func() any:
			in(d)[name] = v()
		default:
			in(d)[name] = v
		}
	}
}

func head(d *draft) object { return d.head }
func body(d *draft) object { return d.body }

// by returns a fault that uses another key, with its algorithm and its jwk.
func by(alg string, key func() any) fault {
	return func(d *draft) { d.head["alg"], d.key, d.head["jwk"] = alg, key(), public(key()) }
}

// null is JSON's.
var null = json.RawMessage("null")

// within returns a time so many seconds before now that the clock passes a limit of acceptance during a run.
func within(from, to int64) fault {
	return func(d *draft) { d.body["iat"] = time.Now().Unix() - from - d.r.Int64N(to-from) }
}

// ago returns a time so many seconds before now.
func ago(seconds int64) func() any { return func() any { return time.Now().Unix() - seconds } }

func reshape(old, with string) fault {
	return func(d *draft) { d.reshape = func(s string) string { return strings.Replace(s, old, with, 1) } }
}

// anyFaults are the faults that any JWS may have.
var anyFaults = []fault{
	put(head, "crit", []string{"x"}, []string{}, []string{"b64"}, "x", null), put(head, "b64", false),
	put(head, "jku", "https://evil.example/keys"), put(head, "x5u", "https://evil.example/x"), put(head, "zip", "DEF"),
	func(d *draft) { d.rewrite = func(s string) string { return s + "." } },
	func(d *draft) { d.rewrite = func(s string) string { return s + strings.Repeat("=", 1+d.r.IntN(2)) } },
	func(d *draft) { d.rewrite = func(s string) string { return s[:strings.LastIndex(s, ".")] } },
	func(d *draft) { d.rewrite = func(s string) string { return s[:strings.LastIndex(s, ".")+1] } },
	func(d *draft) { d.rewrite = lastBit },
	func(d *draft) { // one letter is another
		at := d.r.Float64()
		d.rewrite = func(s string) string {
			i := int(at * float64(len(s)))
			c := byte('A')
			if s[i] == 'A' {
				c = 'B'
			}
			return s[:i] + string(c) + s[i+1:]
		}
	},
	put(body, "pad", strings.Repeat("a", 3000), strings.Repeat("a", 6500)),
	func(d *draft) { d.reshape = func(s string) string { return "[" + s + "]" } },
	func(d *draft) { d.reshape = func(s string) string { return s + "x" } },
	func(d *draft) { d.reshape = func(string) string { return "" } },
	reshape(`{`, `{"q":"`+"\xff"+`",`),
	reshape(`{`, `{"a":1,"a":2,`), reshape(`{`, `{"deep":{"a":1,"a":2},`),
}

var tokenFaults = append([]fault{
	put(head, "alg", "none", "None", "HS256", "RS384", "RS512", "PS256", "ES256", "rs256", nil, 1),
	put(head, "kid", "k1", "k2", "k3", nil, "", "k9", "../../k1", 1, null),
	put(head, "typ", nil, "JWT", "jwt", "at+jwt", "AT+JWT", "application/at+jwt", "logout+jwt", "dpop+jwt", "", 1),
	func(d *draft) { d.key = keys().foreign },
	func(d *draft) { d.key = keys().small },
	put(body, "iss", nil, strings.TrimSuffix(issuer, "/"), strings.ToUpper(issuer), "http://tenant.example/", "https://evil.example/",
		issuer+"x", []string{issuer}, 1, null, ""),
	put(body, "aud", nil, []string{audience}, []string{"https://other.example", audience}, []string{"https://other.example"},
		[]any{audience, 7}, audience[:12],
		audience+"/", strings.ToUpper(audience), "", []string{}, 7, null, object{audience: 1}),
	put(body, "exp", nil, ago(4), ago(5), ago(6), ago(0), "9999999999", 1e300, -1, 0, null, true,
		json.RawMessage("946685999.75"), ago(-1<<40)),
	func(d *draft) { d.body["exp"] = time.Now().Unix() + d.r.Int64N(150) - 5 },
	func(d *draft) { d.body["nbf"] = time.Now().Unix() + d.r.Int64N(150) },
	put(body, "nbf", ago(-5), ago(-6), ago(-7), ago(100), "1", null, -1, 0, json.RawMessage("946684790.5")),
	put(body, "iat", nil, ago(-5), ago(-6), ago(-7), "1", null, -1, json.RawMessage("946684790.5")),
	put(body, "sub", nil, "", 7, null, "eve"),
	put(body, "scope", nil, "", []string{"a"}, 7, null, strings.Repeat("a ", 1000)),
	put(body, "cnf", nil, null, "x", 7, []string{}, object{}, object{"jkt": ""}, object{"jkt": 7}, object{"jkt": "abc"},
		object{"jkt": null}, object{"x5t#S256": "x"},
		object{"jkt": strings.Repeat("A", 43)}, object{"jkt": strings.Repeat("A", 43) + "="}),
	// These repeat the faults that alone show an exception, so that a short run has each.
	put(head, "typ", "logout+jwt", "dpop+jwt"), put(body, "nbf", "1"), put(body, "sub", nil, ""),
	put(body, "scope", []string{"a"}, 7), put(body, "exp", nil),
	put(body, "cnf", object{"x5t#S256": "x"}, "x"), put(head, "crit", []string{"x"}),
	reshape(`{`, `{"aud":"https://other.example",`), reshape(`"aud"`, `"AUD"`), reshape(`"exp"`, `"Exp"`),
	func(d *draft) { d.rewrite = jsonForm },
}, anyFaults...)

var proofFaults = append([]fault{
	put(head, "typ", nil, "dpop+jwt", "DPoP+JWT", "application/dpop+jwt", "jwt", "at+jwt", 1),
	by("ES384", func() any { return keys().p384 }),
	by("RS256", func() any { return keys().small }),
	by("RS256", func() any { return keys().foreign }),
	by("PS256", func() any { return keys().foreign }),
	by("EdDSA", func() any { return keys().ed }),
	put(head, "alg", "none", "HS256", "ES384", "RS256", "es256", nil),
	put(head, "jwk", nil, null, "x", object{}, object{"kty": "oct", "k": "YWJj"}, object{"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}),
	func(d *draft) { d.head["jwk"] = ecJWK(&keys().senders[d.r.IntN(3)].PublicKey) },
	func(d *draft) { // a private one
		if k, ok := d.key.(*ecdsa.PrivateKey); ok {
			d.jwk()["d"] = encode(must(k.Bytes()))
		}
	},
	func(d *draft) { d.jwk()["use"], d.jwk()["kid"] = "sig", "x" },
	put(head, "kid", "k1", "x"),
	put(body, "htm", nil, "GET", "POST", "get", "", 7, null),
	put(body, "iat", nil, ago(300), ago(301), ago(299), ago(-30), ago(-31), ago(-29), ago(310), ago(290), "1", null, -1, 1e300, 0),
	put(body, "iat", json.RawMessage("946684801.5")),
	put(body, "exp", ago(-1), ago(29), ago(30), ago(31), "9999999999", 1e300, -1, 0, null, 1<<53),
	put(body, "nbf", ago(1), ago(-29), ago(-30), ago(-31), "1", null, -1, 0, json.RawMessage("946684790.5")),
	within(160, 305), within(160, 305), within(-180, -25),
	put(body, "jti", nil, "", "shared", strings.Repeat("a", 256), strings.Repeat("b", 257), 7, null, " "),
	put(body, "ath", nil, "", strings.Repeat("A", 43), 7, null),
	func(d *draft) { d.body["ath"] = fmt.Sprint(d.body["ath"], "=") },
	put(body, "nonce", "n", "", 7, null),
	func(d *draft) {
		d.body["htu"], d.evil = strings.Replace(fmt.Sprint(d.body["htu"]), host, "evil.example", 1), true
	},
	put(body, "htu", nil, "", "/x", "http:x", "http://"+host, "https://"+host+"/x", "http://"+host+":8080/x",
		"http://a@"+host+"/x", "http://"+host+"/other", 7, null,
		"http://"+host+"/%zz", "http://"+host+"/x y", `http://`+host+`/x"y`, "http://"+host+":/x"),
	reshape(`{`, `{"htm":"DELETE",`), reshape(`"htu"`, `"htu":"http://evil.example/","htu"`),
}, anyFaults...)

func (d *draft) jwk() object {
	o, ok := d.head["jwk"].(object)
	if !ok {
		o = object{}
	}
	return o
}

// jsonForm writes a compact JWS in the JSON form. RFC 7515, section 7.2.2.
func jsonForm(s string) string {
	p := strings.Split(s, ".")
	return fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, p[1], p[0], p[2])
}

// sign signs as the header says, or in the key's own way if that is impossible.
func (d *draft) sign() string {
	text := string(must(json.Marshal(d.body)))
	if d.reshape != nil {
		text = d.reshape(text)
	}
	input := encode(must(json.Marshal(d.head))) + "." + encode([]byte(text))
	sum := sha256.Sum256([]byte(input))
	var signature []byte
	switch k := d.key.(type) {
	case *rsa.PrivateKey:
		switch d.head["alg"] {
		case "HS256": // with the public key for a secret
			mac := hmac.New(sha256.New, x509.MarshalPKCS1PublicKey(&k.PublicKey))
			mac.Write([]byte(input))
			signature = mac.Sum(nil)
		case "PS256":
			signature = must(rsa.SignPSS(rand.Reader, k, crypto.SHA256, sum[:], nil))
		case "none", "None":
		default:
			signature = must(rsa.SignPKCS1v15(nil, k, crypto.SHA256, sum[:]))
		}
	case *ecdsa.PrivateKey:
		hash := sum[:]
		if d.head["alg"] == "ES384" {
			hash = digest("ES384", input)
		}
		r, s, err := ecdsa.Sign(rand.Reader, k, hash)
		must(r, err)
		half := (k.Params().BitSize + 7) / 8
		signature = append(r.FillBytes(make([]byte, half)), s.FillBytes(make([]byte, half))...)
	case ed25519.PrivateKey:
		signature = ed25519.Sign(k, []byte(input))
	}
	out := input + "." + encode(signature)
	if d.rewrite != nil {
		out = d.rewrite(out)
	}
	return out
}

// pooled is a token with proofs made for it.
type pooled struct {
	text   string
	bound  bool
	proofs []pooledProof
}

type pooledProof struct {
	text   string
	method string
	target *url.URL
	evil   bool
}

// pool is the material for the requests of a run: signing each one would take longer than judging it.
type pool struct {
	r     *random.Rand
	cases []pooled
	last  *request
}

// The sizes of a pool: a token is used about eighty times, a proof about ten times.
const (
	poolTokens = 250
	poolProofs = 10
)

func newPool(r *random.Rand) *pool {
	p := &pool{r: r}
	for range poolTokens {
		p.cases = append(p.cases, p.token())
	}
	return p
}

// some returns the number of faults of a draft: mostly none or one.
func (p *pool) some() int {
	switch n := p.r.IntN(20); {
	case n < 12:
		return 0
	case n < 18:
		return 1
	case n < 19:
		return 2
	}
	return 3
}

func (p *pool) apply(d *draft, faults []fault) string {
	for range p.some() {
		faults[p.r.IntN(len(faults))](d)
	}
	return d.sign()
}

// public returns the jwk of a key.
func public(key any) object {
	switch k := key.(type) {
	case *ecdsa.PrivateKey:
		return ecJWK(&k.PublicKey)
	case *rsa.PrivateKey:
		return rsaJWK(&k.PublicKey)
	case ed25519.PrivateKey:
		return object{"kty": "OKP", "crv": "Ed25519", "x": encode(k.Public().(ed25519.PublicKey))}
	}
	return object{}
}

func goodToken(kid string) *draft {
	now := time.Now().Unix()
	return &draft{
		head: object{"alg": "RS256", "typ": "at+jwt", "kid": kid}, key: keys().rsa[kid],
		body: object{"iss": issuer, "aud": audience, "sub": "ana", "iat": now, "exp": now + 600, "scope": "read:users"},
	}
}

func (p *pool) token() pooled {
	d := goodToken([]string{"k1", "k1", "k2", "k3"}[p.r.IntN(4)])
	d.r = p.r
	var sender any
	sender = keys().senders[p.r.IntN(3)]
	switch p.r.IntN(30) { // a token for a key that the guard takes no proofs of
	case 0:
		sender = keys().small
	case 1:
		sender = keys().p384
	case 2:
		sender = keys().ed
	}
	c := pooled{bound: p.r.IntN(4) > 0}
	if c.bound {
		d.body["cnf"] = object{"jkt": thumbprintOf(sender)}
	}
	c.text = p.apply(d, tokenFaults)
	for range poolProofs {
		c.proofs = append(c.proofs, p.proof(c.text, sender))
	}
	return c
}

// thumbprintOf computes RFC 7638 by hand.
func thumbprintOf(key any) string {
	j := public(key)
	switch j["kty"] {
	case "EC":
		return thumbprint(`{"crv":%q,"kty":"EC","x":%q,"y":%q}`, j["crv"], j["x"], j["y"])
	case "RSA":
		return thumbprint(`{"e":%q,"kty":"RSA","n":%q}`, j["e"], j["n"])
	}
	return thumbprint(`{"crv":%q,"kty":"OKP","x":%q}`, j["crv"], j["x"])
}

// targets are the targets of requests, as in the request line.
var targets = []string{
	"/x", "/x", "/x?a=1", "/x?a=b/../c&d", "/forms/a%20b", "/forms/a%2Fb", "/forms/a%2fb", "/forms/a/b",
	"/a//b", "/", "/%7Eana", "/~ana", "/caf%C3%A9", "/x/", "/a/../x", "/%2e%2e/x", "/a|b", "/x%3Fa=1",
}

func goodProof(token, method, htu string, key any, jti string) *draft {
	sum := sha256.Sum256([]byte(token))
	alg := map[string]string{"EC": "ES256", "RSA": "RS256", "OKP": "EdDSA"}[fmt.Sprint(public(key)["kty"])]
	if key == any(keys().p384) {
		alg = "ES384"
	}
	return &draft{
		head: object{"alg": alg, "typ": "dpop+jwt", "jwk": public(key)}, key: key,
		body: object{"jti": jti, "htm": method, "htu": htu, "iat": time.Now().Unix(), "ath": encode(sum[:])},
	}
}

func (p *pool) proof(token string, sender any) pooledProof {
	q := pooledProof{
		method: []string{"GET", "GET", "POST", "DELETE"}[p.r.IntN(4)],
		target: must(url.ParseRequestURI(targets[p.r.IntN(len(targets))])),
	}
	at := "http://" + host + q.target.EscapedPath()
	switch p.r.IntN(14) {
	case 0, 1: // as the vendor sees it
		at = "http://" + host + q.target.Path
		if q.target.RawQuery != "" {
			at += "?" + q.target.RawQuery
		}
	case 2:
		at = "HTTP://" + strings.ToUpper(host) + ":80" + q.target.EscapedPath()
	case 3:
		at += "?q#f"
	case 4:
		at = "http://" + host + "/z/.././" + strings.TrimPrefix(q.target.EscapedPath(), "/")
	case 5:
		at = "http://" + host + q.target.Path
	case 6:
		at = strings.Replace(strings.ToLower(at), "x", "%78", 1)
	}
	d := goodProof(token, q.method, at, sender, fmt.Sprint("proof ", p.r.Uint64()))
	d.r = p.r
	d.body["iat"] = time.Now().Unix() - p.r.Int64N(20)
	q.text = p.apply(d, proofFaults)
	q.evil = d.evil
	return q
}

// request generates a request.
func (p *pool) request() *request {
	if p.last != nil && p.r.IntN(25) == 0 {
		return p.last // once more
	}
	c := p.cases[p.r.IntN(len(p.cases))]
	made := c.proofs[p.r.IntN(len(c.proofs))]
	q := &request{
		mode:   []mode{allowed, allowed, allowed, required, disabled}[p.r.IntN(5)],
		method: made.method, target: made.target, host: host,
	}
	one := func(n int) bool { return p.r.IntN(n) == 0 }
	scheme := []string{"DPoP", "DPoP", "DPoP", "dpop", "DPOP"}[p.r.IntN(5)]
	if c.bound == one(8) {
		scheme = []string{"Bearer", "Bearer", "Bearer", "bearer", "BEARER"}[p.r.IntN(5)]
	}
	if one(40) {
		scheme = []string{"Basic", "", "Bearer,", "JWT", "DPoP:", "Bearer DPoP"}[p.r.IntN(6)]
	}
	space := " "
	if one(40) {
		space = []string{"  ", "\t", " \t", "", ", "}[p.r.IntN(5)]
	}
	q.auth = []string{scheme + space + c.text}
	switch p.r.IntN(80) {
	case 0:
		q.auth = nil
	case 1:
		q.auth = append(q.auth, q.auth[0])
	case 2:
		q.auth = append(q.auth, "Bearer "+p.cases[p.r.IntN(len(p.cases))].text)
	case 3:
		q.auth = []string{scheme}
	case 4:
		q.auth = []string{q.auth[0] + ", " + q.auth[0]}
	}
	if !strings.EqualFold(scheme, "bearer") != one(12) {
		q.proofs = []string{made.text}
	}
	if one(12) {
		other := p.cases[p.r.IntN(len(p.cases))].proofs[0].text
		q.proofs = [][]string{
			nil,
			{},
			{""},
			{made.text, made.text},
			{made.text, other},
			{made.text + ", " + other},
			{other},
			{made.text + "," + made.text},
		}[p.r.IntN(8)]
	}
	if one(15) {
		q.method = []string{"GET", "POST", "OPTIONS", "HEAD"}[p.r.IntN(4)]
	}
	if one(15) {
		q.target = must(url.ParseRequestURI(targets[p.r.IntN(len(targets))]))
	}
	switch {
	case made.evil:
		q.host = "evil.example"
	case one(20):
		q.host = []string{host + ":80", strings.ToUpper(host)}[p.r.IntN(2)]
	}
	p.last = q
	return q
}

// good returns a valid request, with one of the tenant's keys.
func (p *pool) good(kid string, m mode) *request {
	sender := keys().senders[0]
	d := goodToken(kid)
	d.body["cnf"] = object{"jkt": thumbprintOf(sender)}
	token, target := d.sign(), must(url.ParseRequestURI("/x"))
	q := &request{mode: m, method: "GET", host: host, target: target, auth: []string{"Bearer " + token}}
	if m == disabled {
		return q
	}
	proof := goodProof(token, "GET", "http://"+host+"/x", sender, fmt.Sprint("good ", p.r.Uint64()))
	q.auth, q.proofs = []string{"DPoP " + token}, []string{proof.sign()}
	return q
}
