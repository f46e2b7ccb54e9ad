package oracletests

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode/utf8"
)

// signed is the content of a token or a proof, exactly as in the text. Only the owner of the signature is judged.
type signed struct {
	form       error  // why it is not a JWS in compact form with JSON objects in it
	lax        bool   // its only fault of form is that of JSON texts: a name twice or a bad character
	respelled  bool   // the signature has the padding of common base64, or bits behind its end
	size       int    // of the text
	head, body object // numbers are json.Number
	by         string // the tenant's key whose RS256 signature it bears; of a proof "own", "" for none
	alg        string
	thumbprint string // of the key in jwk, RFC 7638
	address    string // of htu, as RFC 3986, section 6.2.2 has it; "" for none
}

func (s *signed) text(name string) string {
	v, _ := s.body[name].(string)
	return v
}

// split takes a compact JWS apart. RFC 7515, section 7.1.
func split(text string) (s *signed, input string, signature []byte) {
	s = &signed{size: len(text)}
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		s.form = errors.New("not three parts")
		return s, "", nil
	}
	var raw [3][]byte
	if bare := strings.TrimRight(parts[2], "="); bare != parts[2] && len(parts[2])%4 == 0 {
		s.respelled, parts[2] = true, bare
	}
	if _, err := base64.RawURLEncoding.Strict().DecodeString(parts[2]); err != nil {
		s.respelled = true // or no base64 at all, which is reported below
	}
	for i, p := range parts {
		var err error
		if raw[i], err = base64.RawURLEncoding.DecodeString(p); err != nil {
			s.form = err
			return s, "", nil
		}
	}
	var headErr, bodyErr error
	s.head, headErr = decode(raw[0])
	s.body, bodyErr = decode(raw[1])
	s.form = errors.Join(headErr, bodyErr)
	s.lax = s.form != nil && s.head != nil && s.body != nil
	s.alg, _ = s.head["alg"].(string)
	return s, parts[0] + "." + parts[1], raw[2]
}

// decode reads one JSON object without duplicate names and invalid characters: RFC 7519, section 4 lets a parser refuse duplicates, and RFC
// 8725, section 2.4 gives the reason. With an error it still returns what other readers see: the last of the duplicates.
func decode(text []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var o object
	if err := d.Decode(&o); err != nil || o == nil {
		return nil, errors.New("no object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one value")
	}
	if !utf8.Valid(text) {
		return o, errors.New("bad characters")
	}
	return o, twice(json.NewDecoder(bytes.NewReader(text)))
}

// twice reports whether an object contains a duplicate name, at any depth.
func twice(d *json.Decoder) error {
	open, err := d.Token()
	if err != nil {
		return err
	}
	kind, ok := open.(json.Delim)
	if !ok {
		return nil
	}
	names := map[any]bool{}
	for d.More() {
		if kind == '{' {
			name, err := d.Token()
			if err != nil {
				return err
			}
			if names[name] {
				return errors.New("a name twice")
			}
			names[name] = true
		}
		if err := twice(d); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}

// readToken reads an access token.
func readToken(text string) *signed {
	s, input, signature := split(text)
	if s.alg != "RS256" {
		return s
	}
	sum := sha256.Sum256([]byte(input))
	for kid, k := range keys().rsa {
		if rsa.VerifyPKCS1v15(&k.PublicKey, crypto.SHA256, sum[:], signature) == nil {
			s.by = kid
		}
	}
	return s
}

// readProof reads a proof and verifies its signature with the key that it contains.
func readProof(text string) *signed {
	s, input, signature := split(text)
	if s.head == nil {
		return s
	}
	jwk, _ := s.head["jwk"].(object)
	s.address = address(s.text("htu"))
	member := func(name string) []byte {
		v, _ := jwk[name].(string)
		b, _ := base64.RawURLEncoding.DecodeString(v)
		return b
	}
	good := false
	switch jwk["kty"] {
	case "EC":
		curve, coordinate := elliptic.P256(), 32
		if jwk["crv"] == "P-384" {
			curve, coordinate = elliptic.P384(), 48
		} else if jwk["crv"] != "P-256" {
			return s
		}
		point := append(append([]byte{4}, member("x")...), member("y")...)
		k, err := ecdsa.ParseUncompressedPublicKey(curve, point)
		if err != nil || len(signature) != 2*coordinate {
			return s
		}
		sum := digest(s.alg, input)
		good = strings.HasPrefix(s.alg, "ES") &&
			ecdsa.Verify(k, sum, new(big.Int).SetBytes(signature[:coordinate]), new(big.Int).SetBytes(signature[coordinate:]))
		s.thumbprint = thumbprint(`{"crv":%q,"kty":"EC","x":%q,"y":%q}`, jwk["crv"], jwk["x"], jwk["y"])
	case "RSA":
		k := &rsa.PublicKey{N: new(big.Int).SetBytes(member("n")), E: 65537}
		switch s.alg {
		case "RS256":
			good = rsa.VerifyPKCS1v15(k, crypto.SHA256, digest(s.alg, input), signature) == nil
		case "PS256":
			good = rsa.VerifyPSS(k, crypto.SHA256, digest(s.alg, input), signature, nil) == nil
		}
		s.thumbprint = thumbprint(`{"e":%q,"kty":"RSA","n":%q}`, jwk["e"], jwk["n"])
	case "OKP":
		good = s.alg == "EdDSA" && len(member("x")) == ed25519.PublicKeySize && ed25519.Verify(member("x"), []byte(input), signature)
		s.thumbprint = thumbprint(`{"crv":%q,"kty":"OKP","x":%q}`, jwk["crv"], jwk["x"])
	}
	if good {
		s.by = "own"
	}
	return s
}

func digest(alg, input string) []byte {
	if strings.HasSuffix(alg, "384") {
		sum := sha512.Sum384([]byte(input))
		return sum[:]
	}
	sum := sha256.Sum256([]byte(input))
	return sum[:]
}

func thumbprint(form string, members ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, form, members...))
	return encode(sum[:])
}
