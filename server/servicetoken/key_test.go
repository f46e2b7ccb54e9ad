package servicetoken_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/servicetoken"
)

func block(kind string, der []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func rsaKey(t *testing.T, bits int) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func ecKey(t *testing.T, curve elliptic.Curve) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestPrivateKeyProvesTheClient(t *testing.T) {
	r, e := rsaKey(t, 2048), ecKey(t, elliptic.P256())
	pkcs8 := func(key any) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		return block("PRIVATE KEY", der, err)
	}
	sec1, err := x509.MarshalECPrivateKey(e)
	for _, tt := range []struct {
		name   string
		text   []byte
		alg    jose.SignatureAlgorithm
		public crypto.PublicKey
	}{
		{"PKCS #8 RSA", pkcs8(r), jose.RS256, r.Public()},
		{"PKCS #1", block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(r), nil), jose.RS256, r.Public()},
		{"PKCS #8 elliptic", pkcs8(e), jose.ES256, e.Public()},
		{"SEC 1 after parameters", append(block("EC PARAMETERS", []byte{1}, nil), block("EC PRIVATE KEY", sec1, err)...), jose.ES256, e.Public()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			key, err := servicetoken.ParseKey(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			s := newTenant(t)
			src := s.source(func(c *servicetoken.Config) { c.Secret, c.Key = "", key })
			first := s.get(src, "")
			s.move(1 << 40)
			s.get(src, first)
			var ids []string
			for i, f := range s.forms {
				if f.Get("client_id") != clientID || f.Has("client_secret") || s.basic[i] != ":" ||
					f.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
					t.Errorf("request %v as %s", f, s.basic[i])
				}
				signed, err := jose.ParseSignedCompact(f.Get("client_assertion"), []jose.SignatureAlgorithm{tt.alg})
				if err != nil {
					t.Fatal(err)
				}
				payload, err := signed.Verify(tt.public)
				if err != nil {
					t.Fatal(err)
				}
				var c struct {
					Issuer   string `json:"iss"`
					Subject  string `json:"sub"`
					Audience string `json:"aud"`
					ID       string `json:"jti"`
					Issued   int64  `json:"iat"`
					Expiry   int64  `json:"exp"`
				}
				if err := json.Unmarshal(payload, &c); err != nil {
					t.Fatal(err)
				}
				if c.Issuer != clientID || c.Subject != clientID || c.Audience != s.url || len(c.ID) != 22 || c.Expiry != c.Issued+60 {
					t.Errorf("claims %s", payload)
				}
				ids = append(ids, c.ID)
			}
			if len(ids) != 2 || ids[0] == ids[1] {
				t.Errorf("jti %q", ids)
			}
		})
	}
}

func TestUnusableKeys(t *testing.T) {
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	edDER, err := x509.MarshalPKCS8PrivateKey(ed)
	if err != nil {
		t.Fatal(err)
	}
	p384, err := x509.MarshalECPrivateKey(ecKey(t, elliptic.P384()))
	for name, text := range map[string][]byte{
		"empty":       nil,
		"text":        []byte("MIIEv-very-secret"),
		"certificate": block("CERTIFICATE", []byte("very-secret"), nil),
		"broken":      block("PRIVATE KEY", []byte("very-secret"), nil),
		"encrypted":   block("ENCRYPTED PRIVATE KEY", []byte("very-secret"), nil),
		"Ed25519":     block("PRIVATE KEY", edDER, nil),
		"P-384":       block("EC PRIVATE KEY", p384, err),
		"short RSA":   block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(rsaKey(t, 1024)), nil),
	} {
		key, err := servicetoken.ParseKey(text)
		if key != nil || err == nil || !strings.HasPrefix(err.Error(), "must ") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
