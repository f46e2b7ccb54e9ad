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

// A fault is why a proof is refused: a fixed text that repeats nothing from the proof.
type fault string

func (f fault) Error() string { return ErrProof.Error() + ": " + string(f) }

// Unwrap returns ErrProof.
func (fault) Unwrap() error { return ErrProof }

// Reason returns why a proof is refused, for its client and for logs: which claim or part is wrong, and how. It is plain ASCII without quotes
// and backslashes, as error_description must be, and repeats nothing from the proof. It returns "" for an error that is not about a proof.
// RFC 6750, section 3.
func Reason(err error) string {
	var f fault
	switch {
	case errors.As(err, &f):
		return string(f)
	case errors.Is(err, ErrProof):
		return string(replayed)
	}
	return ""
}

// replayed is the fault of a proof that was used before; a Seen may return only ErrProof for it.
const replayed fault = "jti was used before"

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
	// Past and Future bound how far iat may be before and after now, in whole seconds. Future is also the leeway of exp and nbf, which a
	// proof need not have.
	Past, Future time.Duration
	// Nonce checks the nonce of a proof, "" if it has none; if Nonce is nil, proofs need none. Check returns its errors.
	Nonce func(nonce string) error
}

// claims are the claims of a proof. RFC 9449, section 4.2.
type claims struct {
	id, method, address, hash, nonce string
	issued                           int64
	expires, starts                  int64 // exp and nbf; without them no proof ends or begins
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
		return "", fault("jti is empty or long")
	case c.method != method:
		return "", fault("htm does not match")
	case want == "" || Address(c.address) != want:
		return "", fault("htu does not match")
	}
	if err := k.timely(c, now.Unix()); err != nil {
		return "", err
	}
	if token != "" {
		if subtle.ConstantTimeCompare([]byte(tokenHash(token)), []byte(c.hash)) != 1 {
			return "", fault("ath is missing or wrong")
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

// timely checks the times of a proof at now, in Unix seconds. RFC 9449, section 11.1, bounds iat; RFC 7519, sections 4.1.4 and 4.1.5, say
// what exp and nbf mean in every JWT that has them.
func (k *Checker) timely(c claims, now int64) error {
	past, future := int64(k.Past/time.Second), int64(k.Future/time.Second)
	switch {
	case c.issued < now-past:
		return fault("iat is too old")
	case c.issued > now+future:
		return fault("iat is in the future")
	case now >= c.expires+future:
		return fault("exp is past")
	case c.starts > now+future:
		return fault("nbf is in the future")
	}
	return nil
}

// open checks header and signature and returns the claims with the thumbprint of the key.
func open(proof string) (claims, string, error) {
	if len(proof) > maxProof {
		return claims{}, "", fault("it is longer than " + strconv.Itoa(maxProof) + " bytes")
	}
	m, err := jws.Parse(proof)
	if err != nil {
		return claims{}, "", fault("it is " + err.Error())
	}
	if m.Header.Text("typ") != proofType {
		return claims{}, "", fault("typ is not " + proofType)
	}
	key, thumbprint, err := publicKey(m.Header.Object("jwk"))
	if err != nil {
		return claims{}, "", err
	}
	if !m.ES256(key) {
		return claims{}, "", fault("it has no ES256 signature by the key in jwk")
	}
	c, err := read(m.Body)
	return c, thumbprint, err
}

// publicKey reads a JWK that must be a public key of P-256, and returns it with its thumbprint. RFC 7518, section 6.2; RFC 7638, section 3.
func publicKey(jwk *schema.Object) (*ecdsa.PublicKey, string, error) {
	if jwk == nil || jwk.Has("d") {
		return nil, "", fault("jwk is missing or private")
	}
	const coordinate = 32
	x, errX := base64.RawURLEncoding.DecodeString(jwk.Text("x"))
	y, errY := base64.RawURLEncoding.DecodeString(jwk.Text("y"))
	if jwk.Text("kty") != "EC" || jwk.Text("crv") != "P-256" || errX != nil || errY != nil || len(x) != coordinate || len(y) != coordinate {
		return nil, "", fault("jwk is not of P-256")
	}
	point := make([]byte, 0, 1+2*coordinate)
	point = append(append(append(point, 4), x...), y...) // 4 says that both coordinates follow
	key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		return nil, "", fault("jwk is not a point of P-256")
	}
	return key, thumbprint(x, y), nil
}

// latest is the latest time of a claim: beyond 2^53 a float cannot represent every second.
const latest = 1 << 53

// read reads the claims.
func read(body *schema.Object) (claims, error) {
	c := claims{issued: -1, expires: latest}
	for _, m := range body.Members() {
		var text *string
		var at *int64
		switch m.Key {
		case "jti":
			text = &c.id
		case "htm":
			text = &c.method
		case "htu":
			text = &c.address
		case "ath":
			text = &c.hash
		case "nonce":
			text = &c.nonce
		case "iat":
			at = &c.issued
		case "exp":
			at = &c.expires
		case "nbf":
			at = &c.starts
		default:
			continue
		}
		var ok bool
		if text != nil {
			if *text, ok = m.Value.(string); !ok {
				return claims{}, fault(m.Key + " is not a string")
			}
		} else if *at, ok = instant(m.Value); !ok {
			return claims{}, fault(m.Key + " is not a time")
		}
	}
	if c.issued < 0 {
		return claims{}, fault("iat is missing")
	}
	return c, nil
}

// instant reads a time in seconds, without its fraction. RFC 7519, section 2.
func instant(v any) (int64, bool) {
	n, isNumber := v.(schema.Number)
	f, err := strconv.ParseFloat(string(n), 64)
	return int64(f), isNumber && err == nil && f >= 0 && f <= latest
}
