package foreigntest

import (
	"crypto"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// nonce is a nonce of one of the tenant's servers: the token endpoint, the API or the user info endpoint.
type nonce struct {
	server string
	uses   int
}

// nonceUses is how many proofs a nonce is good for. The answer to the last one has the next nonce.
const nonceUses = 30

// window is how far the date of a proof may be away.
const window = time.Minute

// proofClaims are the claims of a proof.
type proofClaims struct {
	ID     string `json:"jti"`
	Method string `json:"htm"`
	URL    string `json:"htu"`
	Issued int64  `json:"iat"`
	Token  string `json:"ath"`
	Nonce  string `json:"nonce"`
}

// proof checks the DPoP proof of a request to one of the tenant's servers and returns the thumbprint of its key, or the fault. access is
// the token of the request, "" at the token endpoint. RFC 9449, section 4.3.
func (a *authServer) proof(w http.ResponseWriter, r *http.Request, server, access string) (jkt, fault string) {
	const invalid = "invalid_dpop_proof"
	c, key := readProof(r.Header.Values("DPoP"))
	if key == nil || c.Method != r.Method || c.URL != a.URL+r.URL.EscapedPath() {
		return "", invalid
	}
	sum := sha256.Sum256([]byte(access))
	if access != "" && c.Token != base64.RawURLEncoding.EncodeToString(sum[:]) {
		return "", invalid
	}
	thumb, err := key.Thumbprint(crypto.SHA256)
	if age := time.Since(time.Unix(c.Issued, 0)); err != nil || age > window || age < -window {
		return "", invalid
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.ID == "" || a.proofs[c.ID] {
		return "", invalid
	}
	a.proofs[c.ID] = true
	n, known := a.nonces[c.Nonce]
	known = known && n.server == server && n.uses < nonceUses
	n.uses++
	if known {
		a.nonces[c.Nonce] = n
	}
	if !known || n.uses == nonceUses {
		next := random()
		a.nonces[next] = nonce{server: server}
		w.Header().Set("DPoP-Nonce", next)
	}
	if !known {
		return "", "use_dpop_nonce"
	}
	return base64.RawURLEncoding.EncodeToString(thumb), ""
}

// readProof returns the claims and the key of the only proof of a request, and nil if it is not a proof.
func readProof(given []string) (c proofClaims, key *jose.JSONWebKey) {
	if len(given) != 1 {
		return c, nil
	}
	parsed, err := jwt.ParseSigned(given[0], []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(parsed.Headers) != 1 || parsed.Headers[0].ExtraHeaders["typ"] != "dpop+jwt" {
		return c, nil
	}
	key = parsed.Headers[0].JSONWebKey
	if key == nil || !key.IsPublic() || parsed.Claims(key.Key, &c) != nil {
		return c, nil
	}
	return c, key
}
