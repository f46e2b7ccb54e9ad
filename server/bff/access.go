package bff

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/gorilla/sessions"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

// access decides what signed-in people may do, and supplies the tokens for it. There are two kinds: userAccess forwards the token of the
// person, serviceAccess uses that of the server for people whom a rule fits.
type access interface {
	// asks returns what a sign-in requests: scopes, and the audience of the access token, "" for none.
	asks() (scopes []string, audience string)
	// keep returns what the session of a new sign-in keeps, or why the sign-in fails. key is the one that the token request proved; nil for
	// none.
	keep(ctx context.Context, p *provider, t *oauth2.Token, key *dpop.Key, who claims) (kept, *httpx.Problem)
	// admit returns the problem to answer with if the person of a session may use nothing here, and otherwise nil.
	admit(ss *sessions.Session) *httpx.Problem
	// scopes returns what the person may do.
	scopes(ss *sessions.Session) []string
	// edits reports whether the person may change forms as far as the editor decides.
	edits(ss *sessions.Session) bool
	// tokens returns the token source of a call, or why the person may not make it.
	tokens(ss *sessions.Session, c call) (upstream.TokenSource, *httpx.Problem)
	// own returns the tokens with which the server may ask the API about forms on its own behalf; nil if it has none.
	own() upstream.TokenSource
	// answered learns from an answer of the API. It returns the problem to answer with if the API's own words would mislead the person, and
	// otherwise nil.
	answered(ctx context.Context, ss *sessions.Session, c call, res *upstream.Response) *httpx.Problem
	// failed returns the problem for an error of the token source that only this kind of access has, and nil for any other.
	failed(ctx context.Context, ss *sessions.Session, c call, err error) *httpx.Problem
}

// kept is the part of a session that a sign-in fills.
type kept struct {
	grant session.Grant
	// name and email are shown to the person.
	name, email string
	// values are the session's other values.
	values map[string]string
}

// personScopes are what is asked about a person.
func personScopes() []string { return []string{oidc.ScopeOpenID, "profile", "email"} }

// signInScopes returns the scopes that a sign-in requests when people's own tokens are forwarded. At a remote tenant it asks for nothing
// that is not used, since some tenants refuse a request with an unknown scope. At the embedded one, people get only what they hold, so the
// administration's scopes make no difference to others. Scopes for the person's own account are requested again with its token, which is
// for another audience.
func signInScopes(remote, account bool) []string {
	routes := formRoutes()
	if !remote {
		routes = append(routes, adminRoutes()...)
	}
	if account {
		routes = append(routes, accountRoutes()...)
	}
	return slices.Concat(personScopes(), []string{oidc.ScopeOfflineAccess}, scopesOf(routes))
}

// RemoteRequest returns what a sign-in at a remote tenant requests: scopes, and the audience, "" for none. service means that the server
// calls the management API with a token of its own, and account that the tenant has an account API.
func RemoteRequest(audience string, service, account bool) (scopes []string, forAudience string) {
	if service {
		return personScopes(), ""
	}
	return signInScopes(true, account), audience
}

// Scopes returns the scopes that a sign-in at the embedded tenant requests.
func Scopes() []string { return signInScopes(false, true) }

// refusesScope reports whether an answer means that the token lacks the scope of its call. Some tenants answer 403 for other reasons, such
// as a limit of their plan, and name them.
func refusesScope(res *upstream.Response) bool {
	if res.Status != http.StatusForbidden {
		return false
	}
	code := errorCode(res.Body)
	return code == "" || code == "insufficient_scope"
}

// errorCode returns the error code of an answer's body, or "".
func errorCode(body []byte) string {
	var said struct {
		Code string `json:"errorCode"`
	}
	if json.Unmarshal(body, &said) != nil {
		return ""
	}
	return said.Code
}

func success(res *upstream.Response) bool { return res.Status >= 200 && res.Status < 300 }
