package dpop

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Key is a private key of P-256 to which tokens are bound. It makes the proofs that its holder has it. It is safe for concurrent use. Its
// text in a log is the thumbprint of the public key.
type Key struct {
	raw        []byte
	signer     jose.Signer
	thumbprint string
}

// NewKey returns a new random key.
func NewKey() (*Key, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make DPoP key: %w", err)
	}
	return newKey(private)
}

// ParseKey returns the key whose Bytes are given. Its errors do not quote them.
func ParseKey(raw []byte) (*Key, error) {
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
	if err != nil {
		return nil, errors.New("read DPoP key: must be a private key of P-256")
	}
	return newKey(private)
}

func newKey(private *ecdsa.PrivateKey) (*Key, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: Algorithm, Key: private},
		(&jose.SignerOptions{EmbedJWK: true}).WithType(proofType))
	if err != nil {
		return nil, fmt.Errorf("make DPoP key: %w", err)
	}
	raw, err := private.Bytes()
	if err != nil {
		return nil, fmt.Errorf("make DPoP key: %w", err)
	}
	point, err := private.PublicKey.Bytes()
	if err != nil {
		return nil, fmt.Errorf("make DPoP key: %w", err)
	}
	const coordinate = 32
	return &Key{raw, signer, thumbprint(point[1:1+coordinate], point[1+coordinate:])}, nil
}

// Bytes returns the secret of the key in 32 bytes, for ParseKey.
func (k *Key) Bytes() []byte { return bytes.Clone(k.raw) }

// Thumbprint returns the RFC 7638 thumbprint of the public key.
func (k *Key) Thumbprint() string { return k.thumbprint }

// String implements fmt.Stringer, so that the secret is never printed.
func (k *Key) String() string { return "DPoP key " + k.thumbprint }

// GoString implements fmt.GoStringer like String.
func (k *Key) GoString() string { return k.String() }

// Proof returns a new proof for one request. The address is that of the request; query and fragment are left out. token is the access token
// of the request, or "" at the token endpoint. nonce is the latest nonce of the server, or "" if it has sent none. RFC 9449, section 4.2.
func (k *Key) Proof(method, address, token, nonce string, now time.Time) (string, error) {
	to := Address(address)
	if to == "" {
		return "", errors.New("make DPoP proof: the address of the request must be http or https without a user")
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // it never fails
	c := struct {
		ID      string `json:"jti"`
		Method  string `json:"htm"`
		Address string `json:"htu"`
		Issued  int64  `json:"iat"`
		Hash    string `json:"ath,omitempty"`
		Nonce   string `json:"nonce,omitempty"`
	}{ID: base64.RawURLEncoding.EncodeToString(id), Method: method, Address: to, Issued: now.Unix(), Nonce: nonce}
	if token != "" {
		c.Hash = tokenHash(token)
	}
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("make DPoP proof: %w", err)
	}
	signed, err := k.signer.Sign(text)
	if err != nil {
		return "", fmt.Errorf("make DPoP proof: %w", err)
	}
	return signed.CompactSerialize()
}

// tokenHash returns the claim ath of a proof.
func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// thumbprint returns the RFC 7638 thumbprint of the public key with these coordinates. It encodes them again, so that a key has one
// thumbprint however it was written.
func thumbprint(x, y []byte) string {
	encode := base64.RawURLEncoding.EncodeToString
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + encode(x) + `","y":"` + encode(y) + `"}`))
	return encode(sum[:])
}
