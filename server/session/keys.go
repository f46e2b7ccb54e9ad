package session

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gorilla/securecookie"
)

// Key is a master secret. The first of several encrypts and all of them decrypt, so that a new key can be added while sessions continue.
type Key struct {
	// ID names the key in encrypted data; it is unique among the keys.
	ID byte
	// Secret is at least 32 random bytes.
	Secret []byte
}

const (
	secretBytes = 32 // the length of a cookie's secret, and of each derived key
	infoSeal    = "formgraph session seal 1"
	infoCookie  = "formgraph session cookie 1"
	infoLogin   = "formgraph login transaction 1"
	infoMark    = "formgraph session marks 1"
)

// errSealed means that sealed data cannot be decrypted: it was changed, moved to another row or rolled back. errKey means that its key is
// no longer in the keys file.
var (
	errSealed = errors.New("sealed data cannot be opened")
	errKey    = errors.New("sealed with an unknown key")
)

// ring holds the master keys and the keys derived from them.
type ring struct {
	keys   []Key
	codecs []securecookie.Codec
	marks  [][]byte // one for each key
}

func newRing(keys []Key) (*ring, error) {
	if len(keys) == 0 {
		return nil, errors.New("session keys: none given")
	}
	r := &ring{keys: keys}
	seen := map[byte]bool{}
	for _, k := range keys {
		if len(k.Secret) < secretBytes {
			return nil, fmt.Errorf("session keys: key %d is %d bytes, must be at least %d", k.ID, len(k.Secret), secretBytes)
		}
		if seen[k.ID] {
			return nil, fmt.Errorf("session keys: id %d is used twice", k.ID)
		}
		seen[k.ID] = true
		mac, err := hkdf.Key(sha256.New, k.Secret, nil, infoCookie, secretBytes)
		if err != nil {
			return nil, fmt.Errorf("derive cookie key: %w", err)
		}
		marks, err := hkdf.Key(sha256.New, k.Secret, nil, infoMark, secretBytes)
		if err != nil {
			return nil, fmt.Errorf("derive key of marks: %w", err)
		}
		r.marks = append(r.marks, marks)
		// The row determines the age, so the codec's own check is off.
		r.codecs = append(r.codecs, securecookie.New(mac, nil).MaxAge(0).SetSerializer(securecookie.NopEncoder{}))
	}
	return r, nil
}

// seal encrypts plain with the newest key. salt is the cookie's secret, so the database and the master key alone cannot decrypt the result.
// bound identifies the place to which the result belongs.
func (r *ring) seal(info string, salt, bound, plain []byte) ([]byte, error) {
	k := r.keys[0]
	aead, err := k.aead(info, salt)
	if err != nil {
		return nil, err
	}
	return aead.Seal([]byte{k.ID}, nil, plain, append([]byte{k.ID}, bound...)), nil //nolint:gosec // this mode makes its nonce itself
}

// SealedWith returns the ID of the key that encrypted the Data of a row; false if the data is none.
func SealedWith(data []byte) (id byte, ok bool) {
	if len(data) == 0 {
		return 0, false
	}
	return data[0], true
}

func (r *ring) open(info string, salt, bound, sealed []byte) ([]byte, error) {
	id, ok := SealedWith(sealed)
	if !ok {
		return nil, errSealed
	}
	for _, k := range r.keys {
		if k.ID != id {
			continue
		}
		aead, err := k.aead(info, salt)
		if err != nil {
			return nil, err
		}
		plain, err := aead.Open(nil, nil, sealed[1:], append([]byte{k.ID}, bound...))
		if err != nil {
			return nil, errSealed
		}
		return plain, nil
	}
	return nil, errKey
}

func (k Key) aead(info string, salt []byte) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, k.Secret, salt, info, secretBytes)
	if err != nil {
		return nil, fmt.Errorf("derive sealing key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make cipher: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// rowID returns the key of a session's row. It is a hash, so the database alone opens no session.
func rowID(secret []byte) []byte {
	h := sha256.Sum256(append([]byte("formgraph session "), secret...))
	return h[:]
}

// boundRow binds a record to its row and version: a record copied to another row or restored from an earlier version cannot be opened.
func boundRow(id []byte, version int64) []byte {
	return binary.BigEndian.AppendUint64(append([]byte(nil), id...), uint64(version)) //nolint:gosec // versions count up from 1
}
