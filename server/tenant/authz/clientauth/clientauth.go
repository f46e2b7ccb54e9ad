// Package clientauth authenticates the clients that call an endpoint, counts their requests, and checks their proofs of
// possession.
package clientauth

import (
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// An Authenticator receives the requests of clients at one address of the tenant. It is safe for concurrent use.
type Authenticator struct {
	Issuer  string
	Store   store.Clients
	Tokens  *tokens.Tokens
	Journal *journal.Journal
	// Requests limits requests by Key, and failed authentication by network.
	Requests *ratelimit.Limiter
	// Relays are the ids of clients in this process that send requests on behalf of browsers. Their requests carry the
	// address of the browser and are counted by it.
	Relays []string
}

// Request reads the body of a request, authenticates the client and counts the request. If one of these fails, it answers the request and
// returns false. No client can use up the requests of another: failed authentication is counted by network, everything else by Key.
func (a *Authenticator) Request(w http.ResponseWriter, r *http.Request) (store.Client, oauth.Params, bool) {
	p, e := oauth.ReadBody(w, r)
	if e != nil {
		oauth.WriteError(w, e)
		return store.Client{}, nil, false
	}
	c, e := a.Authenticate(r, p)
	cors.Allow(w.Header(), r, c)
	if e != nil {
		if e.Status == http.StatusUnauthorized && !oauth.Allow(w, a.Requests.Take(r.Context(), "network "+clientip.Network(r))) {
			return store.Client{}, nil, false
		}
		a.Journal.Warn(r.Context(), "client refused", slog.String("error", e.Code), slog.String("address", clientip.Of(r)))
		oauth.WriteError(w, e)
		return store.Client{}, nil, false
	}
	return c, p, oauth.Allow(w, a.Requests.Take(r.Context(), a.Key(r, c)))
}

// Key returns the key by which the requests of a client are counted. A client with a secret has proven its identity and
// is counted as a whole. A public client has only named itself, and a relay sends requests for the browsers of
// strangers: both are counted by network.
func (a *Authenticator) Key(r *http.Request, c store.Client) string {
	if c.Public || slices.Contains(a.Relays, c.ID) {
		return "client " + c.ID + " at " + clientip.Network(r)
	}
	return "client " + c.ID
}

// Authenticate returns the client that sends a request. It authenticates by HTTP Basic or by client_id and
// client_secret in the body, never both. A public client only names itself. If authentication fails, the client is the
// one that the request names, if there is one. RFC 6749, section 2.3.
func (a *Authenticator) Authenticate(r *http.Request, p oauth.Params) (store.Client, *oauth.Error) {
	id, secret := p["client_id"], p["client_secret"]
	if user, pass, ok := r.BasicAuth(); ok {
		if _, twice := p["client_secret"]; twice {
			return store.Client{}, oauth.InvalidRequest("the client must authenticate in only one way")
		}
		// The header carries both form-urlencoded. Our secrets have no character that encoding changes, so a client that does not encode
		// them works too.
		var err1, err2 error
		user, err1 = url.QueryUnescape(user)
		secret, err2 = url.QueryUnescape(pass)
		if err1 != nil || err2 != nil {
			return store.Client{}, oauth.InvalidClient()
		}
		if id != "" && id != user {
			return store.Client{}, oauth.InvalidRequest("client_id and the Authorization header name two clients")
		}
		id = user
	} else if r.Header.Get("Authorization") != "" {
		return store.Client{}, oauth.InvalidClient()
	}
	c, err := a.Store.Client(r.Context(), id)
	if errors.Is(err, store.ErrNotFound) {
		return store.Client{}, oauth.InvalidClient()
	}
	if err != nil {
		return store.Client{}, a.Journal.Unavailable(r.Context(), "read client", err)
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

// ProofKey checks the DPoP proof of a request and returns the thumbprint of its key, or "" if there is no proof. It comes
// before a grant looks at a code or a token, so a proof that only lacks a nonce uses nothing up. RFC 9449, section 5.
func (a *Authenticator) ProofKey(w http.ResponseWriter, r *http.Request) (string, *oauth.Error) {
	if n := a.Tokens.Nonce(); n != "" {
		w.Header().Set("DPoP-Nonce", n)
	}
	proofs := r.Header.Values("DPoP")
	if len(proofs) == 0 {
		return "", nil
	}
	if len(proofs) > 1 {
		return "", oauth.InvalidProof("the request has two proofs")
	}
	key, err := a.Tokens.VerifyProof(r.Context(), proofs[0], r.Method, a.Issuer+r.URL.EscapedPath(), "")
	switch {
	case errors.Is(err, tokens.ErrNonce):
		return "", oauth.NewError(http.StatusBadRequest, "use_dpop_nonce", "the proof needs a nonce of this server")
	case errors.Is(err, dpop.ErrBusy):
		return "", oauth.NewError(http.StatusServiceUnavailable, "temporarily_unavailable",
			"the proof cannot be remembered now, try again with a new one")
	case err != nil:
		return "", oauth.InvalidProof("the proof is not accepted: " + dpop.Reason(err))
	}
	return key, nil
}
