package guard_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/sample/guard"
)

const (
	domain    = "localhost:8081"
	issuer    = "http://localhost:8081"
	audience  = "https://api.example"
	publicURL = "https://API.example:443"
)

// rsaKey and otherKey are generated once, since that is slow.
var (
	rsaKey   = sync.OnceValue(func() *rsa.PrivateKey { return newRSA(2048) })
	otherKey = sync.OnceValue(func() *rsa.PrivateKey { return newRSA(2048) })
)

func newRSA(bits int) *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		panic(err)
	}
	return k
}

func newEC(c elliptic.Curve) *ecdsa.PrivateKey {
	k, err := ecdsa.GenerateKey(c, rand.Reader)
	if err != nil {
		panic(err)
	}
	return k
}

// tenant stands in for a real one, counts its calls, and can be down.
type tenant struct {
	mu      sync.Mutex
	keys    []jose.JSONWebKey
	issuer  string
	jwks    string
	down    bool
	answer  func(path string) (*http.Response, error) // nil answers as a tenant does
	status  int                                       // 0 means 200
	tail    string                                    // of every answer
	fetched int                                       // of keys
	hold    chan struct{}                             // nil holds nothing back
}

func (t *tenant) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	hold := t.hold
	t.mu.Unlock()
	if hold != nil {
		<-hold
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.down {
		return nil, fmt.Errorf("down")
	}
	if t.answer != nil {
		return t.answer(r.URL.Path)
	}
	var v any
	switch r.URL.String() {
	case issuer + "/.well-known/openid-configuration":
		v = map[string]string{"issuer": t.issuer, "jwks_uri": t.jwks}
	case t.jwks:
		t.fetched++
		v = jose.JSONWebKeySet{Keys: t.keys}
	default:
		return nil, fmt.Errorf("asked for %s", r.URL)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	w := httptest.NewRecorder()
	if t.status != 0 {
		w.WriteHeader(t.status)
	}
	_, _ = w.WriteString(string(b) + t.tail)
	return w.Result(), nil
}

func (t *tenant) change(f func(t *tenant)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t)
}

func (t *tenant) count() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.fetched
}

func public(kid string, k *rsa.PrivateKey) jose.JSONWebKey {
	return jose.JSONWebKey{Key: &k.PublicKey, KeyID: kid, Use: "sig", Algorithm: "RS256"}
}

// fixture is a guard with a tenant and a clock that does not move unless it is set.
type fixture struct {
	*guard.Guard

	t      testing.TB
	tenant *tenant
	mu     sync.Mutex
	now    time.Time
	key    *ecdsa.PrivateKey // of the sender
	count  int               // of proofs made
}

// newTenant returns a fixture without a guard.
func newTenant() *fixture {
	return &fixture{
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), key: newEC(elliptic.P256()),
		tenant: &tenant{keys: []jose.JSONWebKey{public("k1", rsaKey())}, issuer: issuer, jwks: issuer + "/.well-known/jwks.json"},
	}
}

func newFixture(tb testing.TB, mode guard.Mode, change ...func(*guard.Config)) *fixture {
	tb.Helper()
	f := newTenant()
	f.t = tb
	c := guard.Config{Domain: domain, Audience: audience, PublicURL: publicURL, Mode: mode, Transport: f.tenant, Now: f.clock}
	for _, f := range change {
		f(&c)
	}
	var err error
	if f.Guard, err = guard.New(c); err != nil {
		tb.Fatal(err)
	}
	return f
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) wait(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

type object = map[string]any

func with(o, more object) object {
	if o == nil {
		o = object{}
	}
	out := maps.Clone(o)
	for k, v := range more {
		if v == nil {
			delete(out, k)
			continue
		}
		out[k] = v
	}
	return out
}

// sign makes a compact JWS of any header and payload with a key, whatever they contain.
func sign(key any, header, payload any) string {
	h, p := encode(header), encode(payload)
	text := h + "." + p
	sum := sha256.Sum256([]byte(text))
	var sig []byte
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		sig, err = rsa.SignPKCS1v15(rand.Reader, k, crypto.SHA256, sum[:])
	case *ecdsa.PrivateKey:
		r, s, e := ecdsa.Sign(rand.Reader, k, sum[:])
		size := (k.Params().BitSize + 7) / 8
		sig, err = append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...), e
	}
	if err != nil {
		panic(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(sig)
}

func encode(v any) string {
	if s, ok := v.(string); ok {
		return base64.RawURLEncoding.EncodeToString([]byte(s))
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func header() object { return object{"alg": "RS256", "typ": "at+jwt", "kid": "k1"} }

func (f *fixture) claims() object {
	now := f.clock().Unix()
	return object{
		"iss": issuer, "aud": audience, "sub": "ana", "iat": now, "exp": now + 600,
		"scope": "read:users openid", "email": "ana@example.com",
	}
}

// bearer returns a valid unbound token, changed by more.
func (f *fixture) bearer(more object) string {
	return sign(rsaKey(), header(), with(f.claims(), more))
}

// bound returns a valid token bound to the sender's key, changed by more.
func (f *fixture) bound(more object) string {
	return f.bearer(with(object{"cnf": object{"jkt": thumbprint(f.key)}}, more))
}

// thumbprint computes RFC 7638, section 3, by hand.
func thumbprint(k *ecdsa.PrivateKey) string {
	j := jwk(&k.PublicKey)
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":%q,"kty":"EC","x":%q,"y":%q}`, j["crv"], j["x"], j["y"]))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func jwk(k *ecdsa.PublicKey) object {
	b, err := k.Bytes()
	if err != nil {
		panic(err)
	}
	half := (len(b) - 1) / 2
	return object{
		"kty": "EC", "crv": k.Params().Name,
		"x": base64.RawURLEncoding.EncodeToString(b[1 : 1+half]), "y": base64.RawURLEncoding.EncodeToString(b[1+half:]),
	}
}

// proof returns a valid proof for a GET of a path, changed by more; every one has its own jti.
func (f *fixture) proof(token, path string, head, more object) string {
	f.count++
	sum := sha256.Sum256([]byte(token))
	claims := object{
		"jti": fmt.Sprint("proof ", f.count), "htm": "GET", "htu": "https://api.example" + path, "iat": f.clock().Unix(),
		"ath": base64.RawURLEncoding.EncodeToString(sum[:]),
	}
	return sign(f.key, with(object{"alg": "ES256", "typ": "dpop+jwt", "jwk": jwk(&f.key.PublicKey)}, head), with(claims, more))
}

// answer is the answer to a request.
type answer struct {
	status    int
	challenge string // without error_description
	why       string // error_description
	code      string
	body      string
	header    http.Header
}

// send sends a GET with headers, pairs of names and values, through Require.
func (f *fixture) send(path string, headers ...string) answer {
	f.t.Helper()
	return f.sendTo(f.Require(echo()), path, headers...)
}

func (f *fixture) sendTo(h http.Handler, path string, headers ...string) answer {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	var said struct{ Error string }
	_ = json.Unmarshal(w.Body.Bytes(), &said)
	challenge, why := parted(w.Header().Get("WWW-Authenticate"))
	return answer{w.Code, challenge, why, said.Error, strings.TrimSpace(w.Body.String()), w.Header()}
}

// parted takes error_description out of a challenge.
func parted(challenge string) (rest, why string) {
	before, after, _ := strings.Cut(challenge, `, error_description="`)
	why, after, _ = strings.Cut(after, `"`)
	return before + after, why
}

// echo answers with the principal of the request.
func echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p := guard.FromContext(r.Context())
		_, _ = io.WriteString(w, p.Name+" "+strings.Join(p.Authorities, ","))
	})
}
