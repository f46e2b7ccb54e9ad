package tokens

import (
	"context"
	"errors"

	"github.com/formgraph/formgraph/server/dpop"
)

// ErrNonce is the error for a proof that only lacks a current nonce of the server. The caller responds with Nonce.
var ErrNonce = errors.New("DPoP proof needs a nonce of the server")

// VerifyProof checks a DPoP proof for one request and returns the RFC 7638 thumbprint of its key. token is the access token of the request,
// or "" at the token endpoint. All Tokens that share Seen together accept each proof once. Errors are those of dpop.Checker, and ErrNonce.
// RFC 9449, section 4.3.
func (t *Tokens) VerifyProof(ctx context.Context, proof, method, address, token string) (key string, err error) {
	c := dpop.Checker{Now: t.Now, Seen: t.proofs(), Past: dpop.DefaultPast, Future: dpop.DefaultFuture, Nonce: t.checkNonce}
	return c.Check(ctx, proof, method, address, token)
}
