// Package dpop makes and checks proofs of possession (RFC 9449). The tenant's endpoints and the guard of protected APIs check them; the
// editor's backend makes them for a remote tenant. The package knows neither tokens nor HTTP.
package dpop

import (
	"context"
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
	"github.com/formgraph/formgraph/server/dpop/jws"
)

// Algorithm is the only signature algorithm for proofs: its keys take little space in a header, and clients use it.
const Algorithm = jose.ES256

// Limits of a proof. Ours are below 600 bytes.
const (
	proofType = "dpop+jwt"
	maxProof  = 4 << 10
	maxID     = 256 // bytes of jti
)

// The window in which a proof counts as new, by its iat.
const (
	DefaultPast   = 300 * time.Second
	DefaultFuture = 30 * time.Second
)

var (
	// ErrProof is returned for a proof that must not be accepted, whatever the reason.
	ErrProof = errors.New("invalid DPoP proof")
	// ErrBusy is returned for a valid proof that cannot be remembered now; the client must make another.
	ErrBusy = errors.New("too many DPoP proofs at this time")
)

// Seen remembers the proofs that have been used.
type Seen interface {
	// Use records the first use of a proof at now; the proof is not accepted after end. It returns an error that wraps ErrProof for any
	// further use, and ErrBusy or an error of its own if it cannot remember the proof, which then must not be accepted. It is safe for
	// concurrent use.
	Use(ctx context.Context, id [sha256.Size]byte, now, end time.Time) error
}

// Checker checks proofs. It is safe for concurrent use as long as it does not change.
type Checker struct {
	Now  func() time.Time
	Seen Seen
	// Past and Future bound how far iat may be before and after now, in whole seconds.
	Past, Future time.Duration
	// Nonce checks the nonce of a proof, "" if it has none; if Nonce is nil, proofs need none. Check returns its errors.
	Nonce func(nonce string) error
}

// claims are the claims of a proof. RFC 9449, section 4.2.
type claims struct {
	id, method, address, hash, nonce string
	issued                           int64
}

// Check checks a proof for one request and returns the RFC 7638 thumbprint of its key. It compares the address without query and fragment.
// token is the access token of the request, or "" at the token endpoint. Each proof is accepted once. Errors are ErrProof, wrapped with the
// cause, ErrBusy, and those of Seen and Nonce. RFC 9449, section 4.3.
func (k *Checker) Check(ctx context.Context, proof, method, address, token string) (key string, err error) {
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
		return "", fmt.Errorf("htm does not match: %w", ErrProof)
	case want == "" || Address(c.address) != want:
		return "", fmt.Errorf("htu does not match: %w", ErrProof)
	case c.issued < now.Unix()-int64(k.Past/time.Second) || c.issued > now.Unix()+int64(k.Future/time.Second):
		return "", fmt.Errorf("iat is too old or in the future: %w", ErrProof)
	}
	if token != "" {
		if subtle.ConstantTimeCompare([]byte(tokenHash(token)), []byte(c.hash)) != 1 {
			return "", fmt.Errorf("ath is missing or wrong: %w", ErrProof)
		}
	}
	if k.Nonce != nil {
		if err := k.Nonce(c.nonce); err != nil {
			return "", err
		}
	}
	// This comes last, so that only valid proofs take memory. The thumbprint has a fixed length, so no two pairs make the same text.
	end := time.Unix(c.issued, 0).Add(k.Past + time.Second)
	return key, k.Seen.Use(ctx, sha256.Sum256([]byte(key+c.id)), now, end)
}

// open checks header and signature and returns the claims with the thumbprint of the key.
func open(proof string) (claims, string, error) {
	if len(proof) > maxProof {
		return claims{}, "", fmt.Errorf("longer than %d bytes: %w", maxProof, ErrProof)
	}
	m, err := jws.Parse(proof)
	if err != nil {
		return claims{}, "", fmt.Errorf("%w: %w", err, ErrProof)
	}
	if m.Header.Text("typ") != proofType {
		return claims{}, "", fmt.Errorf("typ is not %s: %w", proofType, ErrProof)
	}
	key, thumbprint, err := publicKey(m.Header.Object("jwk"))
	if err != nil {
		return claims{}, "", err
	}
	if !m.ES256(key) {
		return claims{}, "", fmt.Errorf("no ES256 signature by the key: %w", ErrProof)
	}
	c, err := read(m.Body)
	return c, thumbprint, err
}

// publicKey reads a JWK that must be a public key of P-256, and returns it with its thumbprint. RFC 7518, section 6.2; RFC 7638, section 3.
func publicKey(jwk *schema.Object) (*ecdsa.PublicKey, string, error) {
	if jwk == nil || jwk.Has("d") {
		return nil, "", fmt.Errorf("jwk is missing or private: %w", ErrProof)
	}
	const coordinate = 32
	x, errX := base64.RawURLEncoding.DecodeString(jwk.Text("x"))
	y, errY := base64.RawURLEncoding.DecodeString(jwk.Text("y"))
	if jwk.Text("kty") != "EC" || jwk.Text("crv") != "P-256" || errX != nil || errY != nil || len(x) != coordinate || len(y) != coordinate {
		return nil, "", fmt.Errorf("jwk is not of P-256: %w", ErrProof)
	}
	point := make([]byte, 0, 1+2*coordinate)
	point = append(append(append(point, 4), x...), y...) // 4 says that both coordinates follow
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, "", fmt.Errorf("jwk is not a point of P-256: %w", ErrProof)
	}
	return key, thumbprint(x, y), nil
}

// read reads the claims.
func read(body *schema.Object) (claims, error) {
	var c claims
	issued := false
	for _, m := range body.Members() {
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
			// Beyond 2^53 a float cannot represent every second; such a time is outside every window anyway.
			if !isNumber || err != nil || f < 0 || f > 1<<53 {
				return claims{}, fmt.Errorf("iat is not a time: %w", ErrProof)
			}
			c.issued, issued = int64(f), true
			continue
		default:
			continue
		}
		var ok bool
		if *into, ok = m.Value.(string); !ok {
			return claims{}, fmt.Errorf("%s is not a string: %w", m.Key, ErrProof)
		}
	}
	if !issued {
		return claims{}, fmt.Errorf("iat is missing: %w", ErrProof)
	}
	return c, nil
}
