package servicetoken

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Key is a client's private key, with which it proves its identity instead of a secret.
type Key struct{ signer jose.SigningKey }

// minRSA is the least length of an RSA key in bits; RFC 7518, section 3.3.
const minRSA = 2048

// ParseKey reads a private key in PEM: PKCS #8, PKCS #1 or SEC 1. An RSA key signs with RS256, an elliptic one, which must be of P-256,
// with ES256. Errors do not quote the text.
func ParseKey(text []byte) (*Key, error) {
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return nil, errors.New("must be a PEM file with a private key")
		}
		switch block.Type {
		case "PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY":
			return newKey(block)
		case "ENCRYPTED PRIVATE KEY":
			return nil, errors.New("must hold a private key that is not encrypted")
		}
		// Parameters and certificates may precede the key.
	}
}

func newKey(block *pem.Block) (*Key, error) {
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, errors.New("must hold a private key in PKCS #8, PKCS #1 or SEC 1")
	}
	switch key := key.(type) {
	case *rsa.PrivateKey:
		if bits := key.N.BitLen(); bits < minRSA {
			return nil, fmt.Errorf("must hold an RSA key of at least %d bits, has %d", minRSA, bits)
		}
		return &Key{jose.SigningKey{Algorithm: jose.RS256, Key: key}}, nil
	case *ecdsa.PrivateKey:
		if key.Curve == elliptic.P256() {
			return &Key{jose.SigningKey{Algorithm: jose.ES256, Key: key}}, nil
		}
	}
	return nil, errors.New("must hold an RSA key or an elliptic key of P-256")
}

// assertionLife is how long an assertion is valid. It is used at once and only once.
const assertionLife = time.Minute

// assertion returns a proof of identity for one token request (RFC 7523, section 3). Its audience is the issuer alone: draft-ietf-oauth-
// rfc7523bis requires that, since a proof for the address of an endpoint could be obtained by another server, and the vendor documents the
// same. It names no key: the ID under which a tenant knows the key is the tenant's own.
func (k *Key) assertion(client, issuer string, now time.Time) (string, error) {
	signer, err := jose.NewSigner(k.signer, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", fmt.Errorf("sign client assertion: %w", err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // it never fails
	claims, err := json.Marshal(map[string]any{
		"iss": client, "sub": client, "aud": issuer, "jti": base64.RawURLEncoding.EncodeToString(id),
		"iat": now.Unix(), "exp": now.Add(assertionLife).Unix(),
	})
	if err != nil {
		return "", fmt.Errorf("write client assertion: %w", err)
	}
	signed, err := signer.Sign(claims)
	if err != nil {
		return "", fmt.Errorf("sign client assertion: %w", err)
	}
	return signed.CompactSerialize()
}
