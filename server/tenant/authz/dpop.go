package authz

import (
	"errors"
	"net/http"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// proofKey checks the DPoP proof of a request to an endpoint that clients call, and returns the
// thumbprint of its key, or "" when there is no proof. It comes before the grant looks at a code or a
// token, so that a proof which only lacks a nonce uses nothing up. RFC 9449, section 5.
func (h *Handler) proofKey(w http.ResponseWriter, r *http.Request) (string, *oauth.Error) {
	if n := h.Tokens.Nonce(); n != "" {
		w.Header().Set("DPoP-Nonce", n)
	}
	proofs := r.Header.Values("DPoP")
	if len(proofs) == 0 {
		return "", nil
	}
	if len(proofs) > 1 {
		return "", oauth.InvalidProof("the request has two proofs")
	}
	key, err := h.Tokens.VerifyProof(r.Context(), proofs[0], r.Method, h.Issuer+r.URL.EscapedPath(), "")
	switch {
	case errors.Is(err, tokens.ErrNonce):
		return "", oauth.NewError(http.StatusBadRequest, "use_dpop_nonce", "the proof needs a nonce of this server")
	case errors.Is(err, dpop.ErrBusy):
		return "", oauth.NewError(http.StatusServiceUnavailable, "temporarily_unavailable",
			"the proof cannot be remembered now, try again with a new one")
	case err != nil:
		return "", oauth.InvalidProof("the proof is not accepted")
	}
	return key, nil
}

// checkKey reports whether a request proven with key, "" for none, may have what a grant found.
//
// A refresh token of a public client is bound to the key of its first request: the key is all that
// tells the client from a thief. So it cannot begin with proofs later either: whoever holds a bearer
// refresh token could then bind it to a key of theirs. A client with a secret may change its keys.
func checkKey(c store.Client, pr *proof, key string) *oauth.Error {
	if pr.key != "" && pr.key != key {
		return oauth.InvalidProof("the proof is missing or of another key")
	}
	if pr.refreshed && c.Public && pr.key == "" && key != "" {
		return oauth.InvalidProof("the refresh token is not bound to a key")
	}
	return nil
}
