package authz

import (
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// authenticate finds out which client sends a request to the token or revocation endpoint: by HTTP
// Basic or by client_id and client_secret in the body, never both; a public client names itself.
// RFC 6749, section 2.3. When that fails the client is the one that was named, if there is one.
func (h *Handler) authenticate(r *http.Request, p oauth.Params) (store.Client, *oauth.Error) {
	id, secret := p["client_id"], p["client_secret"]
	if user, pass, ok := r.BasicAuth(); ok {
		if _, twice := p["client_secret"]; twice {
			return store.Client{}, oauth.InvalidRequest("the client authenticates in two ways")
		}
		// The header carries both form-urlencoded. A secret of ours has no character that would
		// change by it, so a client that does not encode is understood too.
		var err1, err2 error
		user, err1 = url.QueryUnescape(user)
		secret, err2 = url.QueryUnescape(pass)
		if err1 != nil || err2 != nil {
			return store.Client{}, oauth.InvalidClient()
		}
		if id != "" && id != user {
			return store.Client{}, oauth.InvalidRequest("two clients are named")
		}
		id = user
	} else if r.Header.Get("Authorization") != "" {
		return store.Client{}, oauth.InvalidClient()
	}
	c, err := h.Store.Client(r.Context(), id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Client{}, oauth.InvalidClient()
	}
	if err != nil {
		return store.Client{}, h.journal.Unavailable(r.Context(), "read client", err)
	}
	if c.Public {
		if secret != "" {
			return c, oauth.InvalidClient()
		}
		return c, nil
	}
	if len(c.SecretHash) == 0 || subtle.ConstantTimeCompare(tokens.Hash(secret), c.SecretHash) != 1 {
		return c, oauth.InvalidClient()
	}
	return c, nil
}
