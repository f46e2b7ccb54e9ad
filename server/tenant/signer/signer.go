// Package signer signs the tenant's tokens with RS256, verifies them, and publishes the keys. It knows nothing of claims, clients or HTTP.
package signer

import (
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/formgraph/formgraph/server/keys"
)

// Algorithm is the only signature algorithm of the tenant.
const Algorithm = jose.RS256

// Signer signs with one of its keys and verifies with all of them. It is safe for concurrent use.
type Signer struct {
	// signs returns the key that currently signs, and checks the keys that verify, newest first.
	signs  func() keys.Signing
	checks func() []keys.Signing
}

// New returns a signer for a set of keys that does not change. The newest key signs and all of them verify, whatever the time. It returns
// an error if the set has no signing key.
func New(set *keys.Set) (*Signer, error) {
	if len(set.Signing) == 0 {
		return nil, fmt.Errorf("make signer: no signing key")
	}
	return &Signer{
		signs:  func() keys.Signing { return set.Signing[0] },
		checks: func() []keys.Signing { return set.Signing },
	}, nil
}

// Follow returns a signer for keys that change while it runs. It calls current at every use, which must return a set with at least one
// signing key. The times of the keys and now determine which of them sign and verify.
func Follow(current func() *keys.Set, now func() time.Time) *Signer {
	return &Signer{
		signs:  func() keys.Signing { return current().Signer(now()) },
		checks: func() []keys.Signing { return current().Published(now()) },
	}
}

// Sign returns a token in compact form with the header typ and with claims, encoded as JSON, as its body.
func (s *Signer) Sign(typ string, claims any) (string, error) {
	k := s.signs()
	opts := (&jose.SignerOptions{}).WithType(jose.ContentType(typ)).WithHeader("kid", k.ID)
	js, err := jose.NewSigner(jose.SigningKey{Algorithm: Algorithm, Key: k.Key}, opts)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	t, err := jwt.Signed(js).Claims(claims).Serialize()
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	return t, nil
}

// JWKS returns the public keys, newest first. RFC 7517, section 5. The caller may change the set.
func (s *Signer) JWKS() jose.JSONWebKeySet {
	var set jose.JSONWebKeySet
	for _, k := range s.checks() {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: &k.Key.PublicKey, KeyID: k.ID, Algorithm: string(Algorithm), Use: "sig"})
	}
	return set
}

// Verify verifies a token in compact form by RS256 and the key named by its kid. It decodes the body into claims, without checking them,
// and returns the typ of the header. It refuses a token that contains a key of its own, or the address of one.
func (s *Signer) Verify(token string, claims any) (typ string, err error) {
	t, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{Algorithm})
	if err != nil {
		return "", fmt.Errorf("read token: %w", err)
	}
	if len(t.Headers) != 1 {
		return "", fmt.Errorf("read token: has %d signatures, want 1", len(t.Headers))
	}
	h := t.Headers[0]
	for _, name := range []jose.HeaderKey{"jku", "x5u", "x5c", "crit"} {
		if _, ok := h.ExtraHeaders[name]; ok {
			return "", fmt.Errorf("read token: header %s is not accepted", name)
		}
	}
	if h.JSONWebKey != nil {
		return "", fmt.Errorf("read token: header jwk is not accepted")
	}
	for _, k := range s.checks() {
		if k.ID != h.KeyID {
			continue
		}
		if err := t.Claims(&k.Key.PublicKey, claims); err != nil {
			return "", fmt.Errorf("check token: %w", err)
		}
		typ, _ = h.ExtraHeaders[jose.HeaderType].(string)
		return typ, nil
	}
	return "", fmt.Errorf("check token: its kid is not one of our keys")
}
