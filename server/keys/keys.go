// Package keys holds the secrets that must not be in the database: the keys that sign tokens, and the master secrets of all other keys.
// They are stored in one JSON file that only its owner may read. The package knows nothing of tokens or sessions.
package keys

import (
	"crypto/hkdf"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// SecretBytes is the length of a master secret.
const SecretBytes = 32

// signingBits is the minimum that RFC 7518, section 3.3 allows for RS256; larger keys would make every token slower and add nothing in the
// years for which a key is used.
const signingBits = 2048

// maxBytes bounds the file. It suffices for some hundred keys, and keeps a wrong file from being read whole.
const maxBytes = 1 << 20

// Set holds all keys, newest first: the first of each list signs or encrypts, and all of them verify or decrypt. It does not change after
// it is made, so it is safe for concurrent use.
type Set struct {
	Signing []Signing
	Master  []Master
}

// Signing is an RS256 key.
type Signing struct {
	ID      string // claim kid: the RFC 7638 thumbprint of the public key
	Key     *rsa.PrivateKey
	Created time.Time
	From    time.Time // when it begins to sign; zero means at Created
}

// Master is a secret from which others are derived.
type Master struct {
	ID     byte   // not 0; unique in a Set
	Secret []byte // SecretBytes long
}

// Derive returns n bytes for one purpose, which cannot be derived from those for another purpose. n is at most 8160, the limit of RFC 5869.
func (m Master) Derive(purpose string, n int) []byte {
	b, err := hkdf.Key(sha256.New, m.Secret, nil, "formgraph "+purpose, n)
	if err != nil {
		panic("keys: derive: " + err.Error()) // only for a length that is wrong in the program
	}
	return b
}

// New returns a set of one signing key and one master secret.
func New(now time.Time) (*Set, error) {
	k, err := newSigning(now)
	if err != nil {
		return nil, err
	}
	secret := make([]byte, SecretBytes)
	rand.Read(secret) // never fails
	return &Set{Signing: []Signing{k}, Master: []Master{{ID: 1, Secret: secret}}}, nil
}

func newSigning(now time.Time) (Signing, error) {
	k, err := rsa.GenerateKey(rand.Reader, signingBits)
	if err != nil {
		return Signing{}, fmt.Errorf("make signing key: %w", err)
	}
	return Signing{ID: Thumbprint(&k.PublicKey), Key: k, Created: now.UTC().Truncate(time.Second)}, nil
}

// Thumbprint returns the RFC 7638 thumbprint of a public key, which identifies it by its content.
func Thumbprint(k *rsa.PublicKey) string {
	b64 := base64.RawURLEncoding
	text := fmt.Sprintf(`{"e":%q,"kty":"RSA","n":%q}`, b64.EncodeToString(big.NewInt(int64(k.E)).Bytes()), b64.EncodeToString(k.N.Bytes()))
	sum := sha256.Sum256([]byte(text))
	return b64.EncodeToString(sum[:])
}

// file is the format of a Set on disk.
type file struct {
	Version int           `json:"version"`
	Signing []fileSigning `json:"signing"`
	Master  []fileMaster  `json:"master"`
}

type fileSigning struct {
	ID      string    `json:"kid"`
	PEM     string    `json:"pem"` // PKCS #8
	Created time.Time `json:"created"`
	From    time.Time `json:"from,omitzero"`
}

type fileMaster struct {
	ID     byte   `json:"id"`
	Secret []byte `json:"secret"` // base64
}

// fileVersion is the version of the file's layout; there has been only one.
const fileVersion = 1

// Encode returns the text of the keys file.
func (s *Set) Encode() ([]byte, error) {
	f := file{Version: fileVersion}
	for _, k := range s.Signing {
		der, err := x509.MarshalPKCS8PrivateKey(k.Key)
		if err != nil {
			return nil, fmt.Errorf("encode signing key %s: %w", k.ID, err)
		}
		text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
		f.Signing = append(f.Signing, fileSigning{ID: k.ID, PEM: string(text), Created: k.Created, From: k.From})
	}
	for _, m := range s.Master {
		f.Master = append(f.Master, fileMaster(m))
	}
	b, err := json.MarshalIndent(f, "", "  ")
	return append(b, '\n'), err
}

// Decode parses the text of a keys file. Its errors name the wrong entry and never quote a secret.
func Decode(src []byte) (*Set, error) {
	var f file
	if err := json.Unmarshal(src, &f); err != nil {
		return nil, errors.New("keys file is not the JSON that this program writes")
	}
	if f.Version != fileVersion {
		return nil, fmt.Errorf("keys file has version %d, want %d", f.Version, fileVersion)
	}
	if len(f.Signing) == 0 || len(f.Master) == 0 {
		return nil, errors.New("keys file must hold a signing key and a master secret")
	}
	s := &Set{}
	for i, e := range f.Signing {
		k, err := signing(e)
		if err != nil {
			return nil, fmt.Errorf("keys file: signing[%d] %w", i, err)
		}
		s.Signing = append(s.Signing, k)
	}
	seen := map[byte]bool{}
	for i, e := range f.Master {
		if e.ID == 0 || seen[e.ID] || len(e.Secret) != SecretBytes {
			return nil, fmt.Errorf("keys file: master[%d] must have an id of its own from 1 to 255 and a secret of %d bytes", i, SecretBytes)
		}
		seen[e.ID] = true
		s.Master = append(s.Master, Master(e))
	}
	return s, nil
}

func signing(e fileSigning) (Signing, error) {
	block, rest := pem.Decode([]byte(e.PEM))
	if block == nil || len(rest) > 0 {
		return Signing{}, errors.New("must hold one PEM block")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return Signing{}, errors.New("must hold a PKCS #8 key")
	}
	k, ok := parsed.(*rsa.PrivateKey)
	if !ok || k.N.BitLen() < signingBits {
		return Signing{}, fmt.Errorf("must hold an RSA key of at least %d bits", signingBits)
	}
	// The ID is computed, not read: a token must never be verified with a key other than the one it names.
	if want := Thumbprint(&k.PublicKey); e.ID != want {
		return Signing{}, fmt.Errorf("must have the kid %s of its key", want)
	}
	return Signing{ID: e.ID, Key: k, Created: e.Created, From: e.From}, nil
}
