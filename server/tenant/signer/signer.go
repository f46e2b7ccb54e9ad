// Package signer signs the tenant's tokens with RS256 and publishes the keys that check them.
// It knows nothing of claims, clients or HTTP.
package signer

import (
	"fmt"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/formgraph/formgraph/server/keys"
)

// Algorithm is the one signature algorithm of the tenant. Spec, section Protected sample API.
const Algorithm = jose.RS256

// Signer signs with the newest key. It is safe for concurrent use.
type Signer struct {
	keys []keys.Signing // newest first, never empty
}

// New returns a signer for the signing keys of a set, newest first.
func New(set *keys.Set) (*Signer, error) {
	if len(set.Signing) == 0 {
		return nil, fmt.Errorf("make signer: no signing key")
	}
	return &Signer{keys: set.Signing}, nil
}

// Sign returns the compact form of a token whose header has the given typ and whose body is claims,
// encoded as JSON.
func (s *Signer) Sign(typ string, claims any) (string, error) {
	k := s.keys[0]
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
	for _, k := range s.keys {
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: &k.Key.PublicKey, KeyID: k.ID, Algorithm: string(Algorithm), Use: "sig"})
	}
	return set
}

// Verify decodes the claims of a token into claims when it is an RS256 signature, in compact form, by
// the key its kid names, and returns the typ of its header. A token that brings a key of its own, or
// the address of one, is refused. The claims are not judged.
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
	for _, k := range s.keys {
		if k.ID != h.KeyID {
			continue
		}
		if err := t.Claims(&k.Key.PublicKey, claims); err != nil {
			return "", fmt.Errorf("check token: %w", err)
		}
		typ, _ = h.ExtraHeaders[jose.HeaderType].(string)
		return typ, nil
	}
	return "", fmt.Errorf("check token: its kid names none of our keys")
}
