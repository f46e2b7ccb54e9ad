// Package dpop checks proofs of possession: RFC 9449. It is what the tenant's endpoints and the guard of
// protected APIs share, and knows neither tokens nor HTTP.
package dpop

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/model/schema"
)

// Algorithm is the one signature algorithm of proofs: what the clients of the spec use, and a key that is
// small in every header.
const Algorithm = jose.ES256

// Bounds of a proof. Ours are below 600 bytes.
const (
	proofType = "dpop+jwt"
	maxProof  = 4 << 10
	maxID     = 256 // bytes of jti
)

// The window in which a proof counts as new, by its iat. Spec, section Protected sample API.
const (
	DefaultPast   = 300 * time.Second
	DefaultFuture = 30 * time.Second
)

var (
	// ErrProof is returned for a proof that must not be accepted, whatever is wrong with it.
	ErrProof = errors.New("invalid DPoP proof")
	// ErrBusy is returned for a good proof while no more can be remembered.
	ErrBusy = errors.New("too many DPoP proofs at this time")
)

// Seen remembers which proofs were used.
type Seen interface {
	// Use notes the first use of a proof at now, which nobody accepts after the end. It returns an error
	// that wraps ErrProof for a further use, and ErrBusy or an error of its own when it cannot remember:
	// then the proof must not be accepted. It is safe for concurrent use.
	Use(id [sha256.Size]byte, now, end time.Time) error
}

// Checker checks proofs. It is safe for concurrent use as long as nobody changes it.
type Checker struct {
	Now  func() time.Time
	Seen Seen
	// Past and Future bound how far iat may lie before and after now, in whole seconds.
	Past, Future time.Duration
	// Nonce judges the nonce of a proof, "" for none; nil wants none. Its errors are Check's.
	Nonce func(nonce string) error
}

// claims is the body of a proof. RFC 9449, section 4.2.
type claims struct {
	id, method, address, hash, nonce string
	issued                           int64
}

// Check checks a proof for one request and returns the RFC 7638 thumbprint of its key. The address is
// compared without query and fragment; token is the access token that is sent along, or "" at the token
// endpoint. Each proof is accepted once. Errors are ErrProof, wrapped with the cause, ErrBusy, and those of
// Seen and Nonce. RFC 9449, section 4.3.
func (k *Checker) Check(proof, method, address, token string) (key string, err error) {
	c, key, err := open(proof)
	if err != nil {
		return "", err
	}
	now := k.Now()
	want := Address(address)
	switch {
	case c.id == "" || len(c.id) > maxID:
		return "", fmt.Errorf("jti is empty or long: %w", ErrProof)
	case c.method != method:
		return "", fmt.Errorf("htm is another: %w", ErrProof)
	case want == "" || Address(c.address) != want:
		return "", fmt.Errorf("htu is another: %w", ErrProof)
	case c.issued < now.Unix()-int64(k.Past/time.Second) || c.issued > now.Unix()+int64(k.Future/time.Second):
		return "", fmt.Errorf("iat is too old or in the future: %w", ErrProof)
	}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		ath := base64.RawURLEncoding.EncodeToString(sum[:])
		if subtle.ConstantTimeCompare([]byte(ath), []byte(c.hash)) != 1 {
			return "", fmt.Errorf("ath is missing or another: %w", ErrProof)
		}
	}
	if k.Nonce != nil {
		if err := k.Nonce(c.nonce); err != nil {
			return "", err
		}
	}
	// Last, so that only proofs that are good take memory. The thumbprint has a fixed length, so no two
	// pairs make the same text.
	end := time.Unix(c.issued, 0).Add(k.Past + time.Second)
	return key, k.Seen.Use(sha256.Sum256([]byte(key+c.id)), now, end)
}

// open checks header and signature and returns the claims with the thumbprint of the key.
func open(proof string) (claims, string, error) {
	if len(proof) > maxProof {
		return claims{}, "", fmt.Errorf("longer than %d bytes: %w", maxProof, ErrProof)
	}
	jws, err := jose.ParseSignedCompact(proof, []jose.SignatureAlgorithm{Algorithm})
	if err != nil || len(jws.Signatures) != 1 {
		return claims{}, "", fmt.Errorf("not an ES256 signature in compact form: %w", ErrProof)
	}
	h := jws.Signatures[0].Protected
	if typ, _ := h.ExtraHeaders[jose.HeaderType].(string); typ != proofType {
		return claims{}, "", fmt.Errorf("typ is not %s: %w", proofType, ErrProof)
	}
	if h.JSONWebKey == nil || !h.JSONWebKey.IsPublic() {
		return claims{}, "", fmt.Errorf("jwk is missing or private: %w", ErrProof)
	}
	k, ok := h.JSONWebKey.Key.(*ecdsa.PublicKey)
	if !ok || k.Curve != elliptic.P256() {
		return claims{}, "", fmt.Errorf("jwk is not of P-256: %w", ErrProof)
	}
	body, err := jws.Verify(k)
	if err != nil {
		return claims{}, "", fmt.Errorf("signature does not match: %w", ErrProof)
	}
	sum, err := h.JSONWebKey.Thumbprint(crypto.SHA256)
	if err != nil {
		return claims{}, "", fmt.Errorf("jwk has no thumbprint: %w", ErrProof)
	}
	c, err := read(body)
	return c, base64.RawURLEncoding.EncodeToString(sum), err
}

// read reads the claims. encoding/json alone would take "HTU" for "htu" and the last of two.
func read(body []byte) (claims, error) {
	tree, problems := schema.Decode(body)
	o, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		return claims{}, fmt.Errorf("body is not a JSON object: %w", ErrProof)
	}
	var c claims
	issued := false
	for _, m := range o.Members() {
		var into *string
		switch m.Key {
		case "jti":
			into = &c.id
		case "htm":
			into = &c.method
		case "htu":
			into = &c.address
		case "ath":
			into = &c.hash
		case "nonce":
			into = &c.nonce
		case "iat":
			n, isNumber := m.Value.(schema.Number)
			f, err := strconv.ParseFloat(string(n), 64)
			// Beyond 2^53 a float has no seconds any more; such a time is out of every window.
			if !isNumber || err != nil || f < 0 || f > 1<<53 {
				return claims{}, fmt.Errorf("iat is not a time: %w", ErrProof)
			}
			c.issued, issued = int64(f), true
			continue
		default:
			continue
		}
		if *into, ok = m.Value.(string); !ok {
			return claims{}, fmt.Errorf("%s is not a string: %w", m.Key, ErrProof)
		}
	}
	if !issued {
		return claims{}, fmt.Errorf("iat is missing: %w", ErrProof)
	}
	return c, nil
}
