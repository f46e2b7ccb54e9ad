package tokens

import (
	"crypto"
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
)

// ProofAlgorithm is the one signature algorithm of DPoP proofs: what the clients of the spec use, and
// a key that is small in every header.
const ProofAlgorithm = jose.ES256

// Bounds of a proof. Ours are below 600 bytes.
const (
	proofType  = "dpop+jwt"
	maxProof   = 4 << 10
	maxProofID = 256 // bytes of jti
)

// The window in which a proof counts as new, by its iat. Spec, section Protected sample API, has the
// same for its own.
const (
	proofPast   = 300 * time.Second
	proofFuture = 30 * time.Second
	proofLife   = proofPast + proofFuture // the longest time between a proof's first and last use
)

var (
	// ErrProof is returned for a DPoP proof that must not be accepted, whatever is wrong with it.
	ErrProof = errors.New("invalid DPoP proof")
	// ErrNonce is returned for a proof that is good but for a nonce of the server, which it lacks or
	// which is over. The caller answers with Nonce.
	ErrNonce = errors.New("DPoP proof needs a nonce of the server")
	// ErrBusy is returned for a good proof while no more can be remembered.
	ErrBusy = errors.New("too many DPoP proofs at this time")
)

// proofClaims is the body of a proof. RFC 9449, section 4.2.
type proofClaims struct {
	id, method, address, hash, nonce string
	issued                           int64
}

// VerifyProof checks a DPoP proof for one request and returns the RFC 7638 thumbprint of its key. The
// address is compared without query and fragment; token is the access token that is sent along, or
// "" at the token endpoint. Each proof is accepted once. Errors are ErrProof, wrapped with the cause,
// ErrNonce and ErrBusy. RFC 9449, section 4.3.
func (t *Tokens) VerifyProof(proof, method, address, token string) (key string, err error) {
	c, key, err := openProof(proof)
	if err != nil {
		return "", err
	}
	now := t.Now().Unix()
	want := normalAddress(address)
	switch {
	case c.id == "" || len(c.id) > maxProofID:
		return "", fmt.Errorf("jti is empty or long: %w", ErrProof)
	case c.method != method:
		return "", fmt.Errorf("htm is another: %w", ErrProof)
	case want == "" || normalAddress(c.address) != want:
		return "", fmt.Errorf("htu is another: %w", ErrProof)
	case c.issued < now-int64(proofPast/time.Second) || c.issued > now+int64(proofFuture/time.Second):
		return "", fmt.Errorf("iat is too old or in the future: %w", ErrProof)
	}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		ath := base64.RawURLEncoding.EncodeToString(sum[:])
		if subtle.ConstantTimeCompare([]byte(ath), []byte(c.hash)) != 1 {
			return "", fmt.Errorf("ath is missing or another: %w", ErrProof)
		}
	}
	if err := t.checkNonce(c.nonce); err != nil {
		return "", err
	}
	// Last, so that only proofs that are good take memory.
	if err := t.seen.use(key, c.id, t.Now()); err != nil {
		return "", err
	}
	return key, nil
}

// openProof checks header and signature and returns the claims with the thumbprint of the key.
func openProof(proof string) (proofClaims, string, error) {
	if len(proof) > maxProof {
		return proofClaims{}, "", fmt.Errorf("longer than %d bytes: %w", maxProof, ErrProof)
	}
	jws, err := jose.ParseSignedCompact(proof, []jose.SignatureAlgorithm{ProofAlgorithm})
	if err != nil || len(jws.Signatures) != 1 {
		return proofClaims{}, "", fmt.Errorf("not an ES256 signature in compact form: %w", ErrProof)
	}
	h := jws.Signatures[0].Protected
	if typ, _ := h.ExtraHeaders[jose.HeaderType].(string); typ != proofType {
		return proofClaims{}, "", fmt.Errorf("typ is not %s: %w", proofType, ErrProof)
	}
	if h.JSONWebKey == nil || !h.JSONWebKey.IsPublic() {
		return proofClaims{}, "", fmt.Errorf("jwk is missing or private: %w", ErrProof)
	}
	k, ok := h.JSONWebKey.Key.(*ecdsa.PublicKey)
	if !ok || k.Curve != elliptic.P256() {
		return proofClaims{}, "", fmt.Errorf("jwk is not of P-256: %w", ErrProof)
	}
	body, err := jws.Verify(k)
	if err != nil {
		return proofClaims{}, "", fmt.Errorf("signature does not match: %w", ErrProof)
	}
	sum, err := h.JSONWebKey.Thumbprint(crypto.SHA256)
	if err != nil {
		return proofClaims{}, "", fmt.Errorf("jwk has no thumbprint: %w", ErrProof)
	}
	c, err := readProof(body)
	return c, base64.RawURLEncoding.EncodeToString(sum), err
}

// readProof reads the claims. encoding/json alone would take "HTU" for "htu" and the last of two.
func readProof(body []byte) (proofClaims, error) {
	tree, problems := schema.Decode(body)
	o, ok := tree.(*schema.Object)
	if len(problems) > 0 || !ok {
		return proofClaims{}, fmt.Errorf("body is not a JSON object: %w", ErrProof)
	}
	var c proofClaims
	issued := false
	for _, m := range o.Members() {
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
			// Beyond 2^53 a float has no seconds any more; such a time is out of every window.
			if !isNumber || err != nil || f < 0 || f > 1<<53 {
				return proofClaims{}, fmt.Errorf("iat is not a time: %w", ErrProof)
			}
			c.issued, issued = int64(f), true
			continue
		default:
			continue
		}
		if *into, ok = m.Value.(string); !ok {
			return proofClaims{}, fmt.Errorf("%s is not a string: %w", m.Key, ErrProof)
		}
	}
	if !issued {
		return proofClaims{}, fmt.Errorf("iat is missing: %w", ErrProof)
	}
	return c, nil
}
