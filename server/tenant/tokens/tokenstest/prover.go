// Package tokenstest makes DPoP proofs for tests.
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

// Prover holds a key that tokens are bound to.
type Prover struct {
	tb  testing.TB
	key *ecdsa.PrivateKey
}

// New returns a prover with a new key.
func New(tb testing.TB) *Prover {
	tb.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return &Prover{tb, k}
}

// Thumbprint is the claim cnf.jkt of a token that is bound to the key. RFC 7638.
func (p *Prover) Thumbprint() string {
	p.tb.Helper()
	sum, err := (&jose.JSONWebKey{Key: &p.key.PublicKey}).Thumbprint(crypto.SHA256)
	if err != nil {
		p.tb.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(sum)
}

// Proof returns a good proof for one request; token is empty at the token endpoint. RFC 9449, section 4.2.
func (p *Prover) Proof(method, address, token string, now time.Time) string {
	p.tb.Helper()
	claims := map[string]any{"jti": rand.Text(), "htm": method, "htu": address, "iat": now.Unix()}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	b, err := json.Marshal(claims)
	if err != nil {
		p.tb.Fatal(err)
	}
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: p.key}, &jose.SignerOptions{
		ExtraHeaders: map[jose.HeaderKey]any{"typ": "dpop+jwt", "jwk": jose.JSONWebKey{Key: &p.key.PublicKey}},
	})
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
