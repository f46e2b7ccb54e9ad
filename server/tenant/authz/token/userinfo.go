package token

import (
	"errors"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// UserInfo serves GET and POST /userinfo at one address of the tenant. All fields are required.
type UserInfo struct {
	Store   UserStore
	Tokens  *tokens.Tokens
	Limit   *ratelimit.Limiter // by person and client
	Journal *journal.Journal
}

// UserStore holds people, and the clients whose pages may read about them.
type UserStore interface {
	store.Users
	store.Clients
}

// ServeHTTP accepts every live access token of ours with scope openid, whatever its audience: it was issued to learn about its user. OpenID
// Connect Core, section 5.3.
func (i *UserInfo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if n := i.Tokens.Nonce(); n != "" {
		w.Header().Set("DPoP-Nonce", n)
	}
	refuse := func(f *tokens.Refusal) {
		f.Log(r.Context(), i.Journal.Log)
		f.Write(w.Header())
		oauth.WriteJSON(w, f.Status, &oauth.Error{Code: f.Code, Description: f.Description})
	}
	if r.Method == http.MethodPost && r.Header.Get("Authorization") == "" {
		tokenOfBody(w, r)
	}
	var s ratelimit.State
	a, refused := i.Tokens.VerifyRequest(r, "", func(a tokens.Access) bool {
		s = i.Limit.Take(r.Context(), "user info of "+a.Subject+" for "+a.ClientID)
		return s.Allowed
	})
	if refused != nil {
		a.ClientID = refused.ClientID
	}
	i.share(w, r, a.ClientID)
	if refused != nil && refused.Status == http.StatusTooManyRequests {
		ratelimit.RetryAfter(w.Header(), s.Wait)
	}
	if refused != nil {
		refuse(refused)
		return
	}
	if !slices.Contains(a.Scope, access.OpenID) {
		refuse(tokens.Insufficient(a, access.OpenID))
		return
	}
	u, err := i.Store.User(r.Context(), a.Subject)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		oauth.WriteError(w, i.Journal.Unavailable(r.Context(), "read user", err))
		return
	}
	if err != nil || u.Blocked {
		refuse(tokens.Unaccepted(a))
		return
	}
	claims := map[string]any{"sub": u.ID}
	if slices.Contains(a.Scope, access.Profile) {
		claims["name"] = u.Name
	}
	if slices.Contains(a.Scope, access.Email) {
		claims["email"], claims["email_verified"] = u.Email, !u.Unverified
	}
	oauth.WriteJSON(w, http.StatusOK, claims)
}

// tokenOfBody moves the access token of a form into the header. It is a bearer token, since a bound one needs the scheme
// DPoP. RFC 6750, section 2.2.
func tokenOfBody(w http.ResponseWriter, r *http.Request) {
	if p, e := oauth.ReadPage(w, r); e == nil && p["access_token"] != "" {
		r.Header.Set("Authorization", "Bearer "+p["access_token"])
	}
}

// share is cors.Allow for the client of a token. It reads the client only if the request names an origin.
func (i *UserInfo) share(w http.ResponseWriter, r *http.Request, clientID string) {
	if r.Header.Get("Origin") == "" || clientID == "" {
		return
	}
	c, err := i.Store.Client(r.Context(), clientID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		i.Journal.Down(r.Context(), "read client", err)
	}
	cors.Allow(w.Header(), r, c)
}
