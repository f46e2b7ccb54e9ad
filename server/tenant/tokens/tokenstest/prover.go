// Package tokenstest makes DPoP proofs for tests, valid and invalid ones.
package tokenstest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Prover holds a key to which tokens are bound.
type Prover struct {
	Key *ecdsa.PrivateKey

	tb testing.TB
}

// New returns a prover with a new key.
func New(tb testing.TB) *Prover {
	tb.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return &Prover{Key: k, tb: tb}
}

// Thumbprint returns the claim cnf.jkt of a token that is bound to the key. RFC 7638.
func (p *Prover) Thumbprint() string {
	p.tb.Helper()
	sum, err := (&jose.JSONWebKey{Key: &p.Key.PublicKey}).Thumbprint(crypto.SHA256)
	if err != nil {
		p.tb.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(sum)
}

// Proof returns a valid proof for one request; token is empty at the token endpoint. RFC 9449, section 4.2.
func (p *Prover) Proof(method, address, token string, now time.Time) string {
	p.tb.Helper()
	claims := map[string]any{"jti": rand.Text(), "htm": method, "htu": address, "iat": now.Unix()}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return p.Sign(claims, nil)
}

// Sign signs claims, encoded as JSON unless they are bytes. The header is that of a proof, changed by the members of header; nil removes
// one. The result need not be a valid proof.
func (p *Prover) Sign(claims any, header map[jose.HeaderKey]any) string {
	p.tb.Helper()
	b, ok := claims.([]byte)
	if !ok {
		var err error
		if b, err = json.Marshal(claims); err != nil {
			p.tb.Fatal(err)
		}
	}
	h := map[jose.HeaderKey]any{"typ": "dpop+jwt", "jwk": jose.JSONWebKey{Key: &p.Key.PublicKey}}
	for k, v := range header {
		if h[k] = v; v == nil {
			delete(h, k)
		}
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: p.Key}, &jose.SignerOptions{ExtraHeaders: h})
	if err != nil {
		p.tb.Fatal(err)
	}
	o, err := s.Sign(b)
	if err != nil {
		p.tb.Fatal(err)
	}
	out, err := o.CompactSerialize()
	if err != nil {
		p.tb.Fatal(err)
	}
	return out
}
