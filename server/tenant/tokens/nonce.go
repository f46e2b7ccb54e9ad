package tokens

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
)

// nonceLife is how long a nonce is accepted: as long as a proof without one would be, so that clients rarely need a new nonce.
const nonceLife = dpop.DefaultPast

// Nonce returns a value for the header DPoP-Nonce, or "" if proofs need no nonce. It consists of the time and a MAC over it, so it needs no
// memory, and every replica with the same keys accepts it. RFC 9449, section 8.
func (t *Tokens) Nonce() string {
	if len(t.NonceKeys) == 0 {
		return ""
	}
	return nonce(t.NonceKeys[0], t.Now())
}

func nonce(key []byte, at time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(at.Unix())) //nolint:gosec // only compared
	m := hmac.New(sha256.New, key)
	m.Write(b)
	return base64.RawURLEncoding.EncodeToString(m.Sum(b))
}

// checkNonce returns ErrNonce for a nonce that is not ours or has expired. If proofs need no nonce it accepts any value, since the client
// may have it from another server.
func (t *Tokens) checkNonce(s string) error {
	if len(t.NonceKeys) == 0 {
		return nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) != 8+sha256.Size {
		return ErrNonce
	}
	at := time.Unix(int64(binary.BigEndian.Uint64(b)), 0) //nolint:gosec // a time out of range is refused below
	age := t.Now().Sub(at)
	for _, k := range t.NonceKeys {
		if hmac.Equal([]byte(s), []byte(nonce(k, at))) && age > -leeway && age < nonceLife {
			return nil
		}
	}
	return ErrNonce
}
