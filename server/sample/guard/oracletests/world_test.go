package oracletests

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	jwtmiddleware "github.com/auth0/go-jwt-middleware/v3"
	"github.com/auth0/go-jwt-middleware/v3/core"
	"github.com/auth0/go-jwt-middleware/v3/jwks"
	"github.com/auth0/go-jwt-middleware/v3/validator"

	"github.com/formgraph/formgraph/server/sample/guard"
)

// The common configuration of both sides. The vendor takes the address from the request, so the requests name this host.
const (
	domain   = "tenant.example"
	issuer   = "https://tenant.example/"
	audience = "https://api.example/v1"
	host     = "api.example"
	past     = 300
	future   = 30
	skew     = 5 // seconds between the clocks, fixed in the guard, an option of the vendor's library
)

// mode is one of three ways to treat bound tokens.
type mode int

const (
	allowed mode = iota // what both have for a default
	disabled
	required
	modes
)

// keyring holds all keys of the tests; generating them is slow.
type keyring struct {
	rsa     map[string]*rsa.PrivateKey // the tenant's by their kid: k1, k2, and k3 that is published later
	foreign *rsa.PrivateKey            // of nobody the guard knows
	small   *rsa.PrivateKey            // 1024 bits
	senders []*ecdsa.PrivateKey        // P-256
	p384    *ecdsa.PrivateKey
	ed      ed25519.PrivateKey
}

var keys = sync.OnceValue(func() *keyring {
	newRSA := func(bits int) *rsa.PrivateKey { return must(rsa.GenerateKey(rand.Reader, bits)) }
	newEC := func(c elliptic.Curve) *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(c, rand.Reader)) }
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	must(ed, err)
	return &keyring{
		rsa:     map[string]*rsa.PrivateKey{"k1": newRSA(2048), "k2": newRSA(2048), "k3": newRSA(2048)},
		foreign: newRSA(2048), small: newRSA(1024), p384: newEC(elliptic.P384()), ed: ed,
		senders: []*ecdsa.PrivateKey{newEC(elliptic.P256()), newEC(elliptic.P256()), newEC(elliptic.P256())},
	}
})

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// tenant stands in for a real one; nothing goes over a network.
type tenant struct {
	published []string // names of its keys
	down      bool
}

func (t *tenant) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.down {
		return nil, errors.New("down")
	}
	var v any = map[string]string{"issuer": issuer, "jwks_uri": issuer + "keys"}
	if r.URL.Path == "/keys" {
		var set []object
		for _, kid := range t.published {
			k := rsaJWK(&keys().rsa[kid].PublicKey)
			k["kid"], k["use"], k["alg"] = kid, "sig", "RS256"
			set = append(set, k)
		}
		v = map[string]any{"keys": set}
	}
	text := must(json.Marshal(v))
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(text)), Request: r}, nil
}

type object = map[string]any

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func rsaJWK(k *rsa.PublicKey) object {
	return object{"kty": "RSA", "n": encode(k.N.Bytes()), "e": encode(big.NewInt(int64(k.E)).Bytes())}
}

func ecJWK(k *ecdsa.PublicKey) object {
	b := must(k.Bytes())
	half := (len(b) - 1) / 2
	return object{"kty": "EC", "crv": k.Params().Name, "x": encode(b[1 : 1+half]), "y": encode(b[1+half:])}
}

// sides are the handlers of both sides for each mode, over one tenant.
type sides struct {
	ours, vendors [modes]http.Handler
}

func newSides(tb testing.TB, at *tenant) *sides {
	tb.Helper()
	passes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	s := &sides{}
	for m := range modes {
		g, err := guard.New(guard.Config{
			Domain: domain, Audience: audience, PublicURL: "http://" + host, Transport: at, Now: time.Now,
			Mode: map[mode]guard.Mode{disabled: guard.Disabled, allowed: guard.Allowed, required: guard.Required}[m],
			Past: past * time.Second, Future: future * time.Second,
		})
		if err != nil {
			tb.Fatal(err)
		}
		s.ours[m] = g.Require(passes)
		how := map[mode]core.DPoPMode{disabled: core.DPoPDisabled, allowed: core.DPoPAllowed, required: core.DPoPRequired}[m]
		s.vendors[m] = newVendor(tb, at, how).CheckJWT(passes)
	}
	return s
}

// newVendor makes the vendor's middleware as its documentation describes, with the recommended cache of keys.
func newVendor(tb testing.TB, at *tenant, m core.DPoPMode) *jwtmiddleware.JWTMiddleware {
	tb.Helper()
	address := must(url.Parse(issuer))
	provider, err := jwks.NewCachingProvider(jwks.WithIssuerURL(address), jwks.WithCustomClient(&http.Client{Transport: at}))
	if err != nil {
		tb.Fatal(err)
	}
	v, err := validator.New(
		validator.WithKeyFunc(provider.KeyFunc), validator.WithAlgorithm(validator.RS256), validator.WithIssuer(issuer),
		validator.WithAudience(audience), validator.WithAllowedClockSkew(skew*time.Second),
	)
	if err != nil {
		tb.Fatal(err)
	}
	w, err := jwtmiddleware.New(
		jwtmiddleware.WithValidator(v), jwtmiddleware.WithDPoPMode(m),
		jwtmiddleware.WithDPoPProofOffset(past*time.Second), jwtmiddleware.WithDPoPIATLeeway(future*time.Second),
	)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// request is the request that is sent to both sides.
type request struct {
	mode         mode
	method, host string
	target       *url.URL
	auth, proofs []string
}

// answer is the answer to a request.
type answer struct {
	header http.Header
	body   bytes.Buffer
	status int
}

func (a *answer) Header() http.Header { return a.header }
func (a *answer) WriteHeader(n int)   { a.status = n }
func (a *answer) Write(b []byte) (int, error) {
	return a.body.Write(b)
}

func (a *answer) passed() bool { return a.status == http.StatusOK }

func (q *request) send(h http.Handler) *answer {
	target := *q.target
	header := http.Header{}
	if q.auth != nil {
		header["Authorization"] = q.auth
	}
	if q.proofs != nil {
		header["Dpop"] = q.proofs
	}
	a := &answer{header: http.Header{}}
	h.ServeHTTP(a, &http.Request{
		Method: q.method, URL: &target, Host: q.host, Header: header, Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	})
	return a
}
