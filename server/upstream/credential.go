package upstream

import (
	"context"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
)

// TokenSource supplies the credential for a call. refused is a token that the API has just refused, or "" at first; the source must not
// return it again.
type TokenSource interface {
	Token(ctx context.Context, refused string) (Credential, error)
}

// Credential is an access token and how to present it.
type Credential struct {
	Token string
	// Key is the key to which the token is bound (RFC 9449); nil for a bearer token.
	Key *dpop.Key
}

// Present adds the credential to a request, with a new proof if the token is bound. nonce is the latest of the server, or "".
func (c Credential) Present(r *http.Request, nonce string, now time.Time) error {
	if c.Key == nil {
		r.Header.Set("Authorization", "Bearer "+c.Token)
		return nil
	}
	proof, err := c.Key.Proof(r.Method, r.URL.String(), c.Token, nonce, now)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "DPoP "+c.Token)
	r.Header.Set("DPoP", proof)
	return nil
}

// ProofRefused reports whether an API refused the proof of a request, and not its token: the same request may succeed with the nonce of the
// answer, or with a new proof. RFC 9449, sections 7.1 and 9.
func ProofRefused(status int, h http.Header) bool {
	return status == http.StatusUnauthorized && (challenged(h, "use_dpop_nonce") || challenged(h, "invalid_dpop_proof"))
}
