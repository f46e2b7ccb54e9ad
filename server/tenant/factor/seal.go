// Package factor implements authentication factors. It has passkeys by WebAuthn, one-time passwords by RFC 6238, recovery codes, and the
// encryption of secrets at rest. It makes challenges and verifies answers. It knows nothing of HTTP, or of where its results are stored.
package factor

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/server/keys"
)

// errSealed is the error for sealed data that cannot be opened: it was changed, belongs to another person, or needs a key that no longer
// exists.
var errSealed = errors.New("cannot open the sealed secret")

// Seal encrypts a secret for the database with the newest master secret. It can only be opened with the same userID, so a row copied to
// another person is useless.
func Seal(masters []keys.Master, userID string, secret []byte) ([]byte, error) {
	m := masters[0]
	aead, err := sealer(m)
	if err != nil {
		return nil, err
	}
	return aead.Seal([]byte{m.ID}, nil, secret, bound(m, userID)), nil //nolint:gosec // this mode generates its own nonce
}

// Open decrypts what Seal encrypted with any of the master secrets.
func Open(masters []keys.Master, userID string, sealed []byte) ([]byte, error) {
	for _, m := range masters {
		if len(sealed) == 0 || sealed[0] != m.ID {
			continue
		}
		aead, err := sealer(m)
		if err != nil {
			return nil, err
		}
		secret, err := aead.Open(nil, nil, sealed[1:], bound(m, userID))
		if err != nil {
			return nil, errSealed
		}
		return secret, nil
	}
	return nil, errSealed
}

func bound(m keys.Master, userID string) []byte { return append([]byte{m.ID}, userID...) }

func sealer(m keys.Master) (cipher.AEAD, error) {
	block, err := aes.NewCipher(m.Derive("secrets of people", 32))
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
