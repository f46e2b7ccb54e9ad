// Package token is the token endpoint with one file for each grant, the revocation endpoint, and user info. A grant determines who requests
// what; the endpoint applies policy, issues the tokens and stores them.
package token

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/clientauth"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const (
	// FamilyLife is how long an authorization with refresh tokens lives, however often the tokens are rotated.
	FamilyLife = 90 * 24 * time.Hour
	idleLife   = 30 * 24 * time.Hour // of an unused refresh token
)

// Config configures the token endpoint of one address. All fields are required.
type Config struct {
	Store     store.Grants
	Clients   *clientauth.Authenticator
	Tokens    *tokens.Tokens
	IDs       *IDTokens
	Policy    *policy.Policy
	Passwords *signin.Passwords
	Factors   *signin.Factors
	Passkeys  *passkey.Passkeys
	Journal   *journal.Journal
	Now       func() time.Time
}

// Endpoint serves POST /oauth/token and POST /oauth/revoke. It is safe for concurrent use.
type Endpoint struct {
	families
	clients *clientauth.Authenticator
	tokens  *tokens.Tokens
	ids     *IDTokens
	policy  *policy.Policy
	grants  map[string]grant
}

// New returns the token endpoint. It has the passkey grant unless passkeys are off.
func New(c Config) *Endpoint {
	fs := families{store: c.Store, journal: c.Journal, now: c.Now}
	e := &Endpoint{families: fs, clients: c.Clients, tokens: c.Tokens, ids: c.IDs, policy: c.Policy, grants: map[string]grant{
		"authorization_code": codeGrant{fs, c.Policy},
		"refresh_token":      refreshGrant{fs, c.Policy},
		"client_credentials": clientGrant{},
		"password":           passwordGrant{fs, c.Policy, c.Passwords, c.Factors},
	}}
	if c.Passkeys.Party != nil {
		for _, name := range c.Passkeys.Grants {
			e.grants[name] = passkeyGrant{fs, c.Policy, c.Passkeys}
		}
	}
	return e
}

// GrantTypes returns the names of the supported grants, sorted.
func (t *Endpoint) GrantTypes() []string { return slices.Sorted(maps.Keys(t.grants)) }

// grant is one way to obtain a token. prove checks the request and returns what it asks for. The endpoint has already authenticated the
// client and checked that it may use the grant. Afterwards it applies policy and scopes, issues the tokens and stores them.
type grant interface {
	prove(ctx context.Context, c store.Client, p oauth.Params, from caller) (*proof, *oauth.Error)
}

// caller identifies where a token request comes from.
type caller struct {
	device  store.Device
	network string // the unit by which limits count
}

// proof is what a grant has proven.
type proof struct {
	userID   string // "" if the client acts for itself
	audience string // as asked or stored; "" for none
	scope    []string
	family   *store.Family // nil without a user
	nonce    string
	// key is the thumbprint of the DPoP key that must prove the request; "" if there is none.
	key       string
	refreshed bool // by a refresh token
	// keep stores the next refresh token; nil if the grant issues none. ErrConflict means that another request was faster, which revokes
	// the family.
	keep func(ctx context.Context, next store.Refresh) error
}

// answer is the body of a successful token request. RFC 6749, section 5.1.
type answer struct {
	AccessToken  string `json:"access_token"`
	TokenType    string `json:"token_type"`
	ExpiresIn    int    `json:"expires_in"` // seconds
	Scope        string `json:"scope"`
	RefreshToken string `json:"refresh_token,omitempty"`
	IDToken      string `json:"id_token,omitempty"`

	userID, audience string // for the sign-in log
}

// ServeHTTP is POST /oauth/token.
func (t *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := t.clients.Request(w, r)
	if !ok {
		t.count(r.Context(), "", "client_refused")
		return
	}
	key, e := t.clients.ProofKey(w, r)
	var a *answer
	if e == nil {
		a, e = t.exchange(r.Context(), c, p, caller{device: browser.Device(r), network: clientip.Network(r)}, key)
	}
	t.record(r, c, p["grant_type"], a, e)
	client, address := slog.String("client", c.ID), slog.String("address", clientip.Of(r))
	if e != nil {
		t.count(r.Context(), p["grant_type"], e.Code)
		t.journal.Warn(r.Context(), "token refused", client, address, slog.String("error", e.Code), slog.String("why", e.Description))
		oauth.WriteError(w, e)
		return
	}
	t.count(r.Context(), p["grant_type"], "issued")
	t.journal.Info(r.Context(), "token issued", client, address, slog.String("grant", p["grant_type"]), slog.String("scope", a.Scope))
	oauth.WriteJSON(w, http.StatusOK, a)
}

// count reports a token request.
func (t *Endpoint) count(ctx context.Context, grantType, outcome string) {
	if _, known := t.grants[grantType]; !known {
		grantType = "other"
	}
	t.journal.Observe.Count(ctx, observe.Token, grantType, outcome)
}

// exchange returns the tokens for a request that was proven with key, "" for a request without a proof.
func (t *Endpoint) exchange(ctx context.Context, c store.Client, p oauth.Params, from caller, key string) (*answer, *oauth.Error) {
	name := p["grant_type"]
	g, ok := t.grants[name]
	switch {
	case name == "":
		return nil, oauth.InvalidRequest("grant_type is missing")
	case !ok:
		return nil, oauth.NewError(http.StatusBadRequest, "unsupported_grant_type", "the grant type is not supported")
	case !slices.Contains(c.GrantTypes, name):
		return nil, oauth.NewError(http.StatusBadRequest, "unauthorized_client", "the client may not use this grant type")
	}
	if c.RequireDPoP && key == "" {
		return nil, oauth.InvalidProof("the client must send a proof")
	}
	audience, e := oauth.Target(p, t.policy.Audience)
	if e != nil {
		return nil, e
	}
	p["audience"] = audience
	pr, e := g.prove(ctx, c, p, from)
	if e != nil {
		return nil, e
	}
	if e := checkKey(c, pr, key); e != nil {
		return nil, e
	}
	audience = t.policy.Audience(pr.audience)
	scope, e := t.policy.GrantedTo(ctx, c, pr.userID, audience, pr.scope)
	if e != nil {
		return nil, e
	}
	return t.issue(ctx, c, pr, audience, scope, key)
}

// issue signs the tokens, bound to key if there is one, and stores the refresh token before anything is answered.
func (t *Endpoint) issue(
	ctx context.Context, c store.Client, pr *proof, audience string, scope []string, key string,
) (*answer, *oauth.Error) {
	subject := pr.userID
	if subject == "" {
		subject = c.ID + "@clients"
	}
	claims := tokens.Access{Subject: subject, ClientID: c.ID, Audience: audience, Scope: scope, Key: key}
	if pr.family != nil {
		claims.AuthTime, claims.SignInID, claims.GrantID = pr.family.AuthTime, pr.family.SignInID, pr.family.ID
	}
	signed, life, err := t.tokens.IssueAccess(claims)
	if err != nil {
		return nil, t.journal.Unavailable(ctx, "sign token", err)
	}
	a := &answer{
		AccessToken: signed, TokenType: "Bearer", ExpiresIn: int(life.Seconds()), Scope: strings.Join(scope, " "),
		userID: pr.userID, audience: audience,
	}
	if key != "" {
		a.TokenType = "DPoP"
	}
	if pr.family != nil && slices.Contains(scope, access.OpenID) {
		var e *oauth.Error
		if a.IDToken, e = t.ids.Issue(ctx, c, *pr.family, pr.nonce, scope, signed); e != nil {
			return nil, e
		}
	}
	if pr.keep == nil {
		return a, nil
	}
	a.RefreshToken = tokens.NewSecret()
	expires := t.now().Add(idleLife)
	if expires.After(pr.family.Expires) {
		expires = pr.family.Expires
	}
	next := store.Refresh{Hash: tokens.Hash(a.RefreshToken), FamilyID: pr.family.ID, Expires: expires}
	if c.Public {
		next.Key = key
	}
	err = pr.keep(ctx, next)
	switch {
	case errors.Is(err, store.ErrConflict):
		return nil, t.reused(ctx, pr.family.ID)
	case err != nil:
		return nil, t.failed(ctx, "keep refresh token", err, "the account changed while the request was answered")
	}
	return a, nil
}

// record adds a token request of an authenticated client to the sign-in log, but not a failure of this server.
func (t *Endpoint) record(r *http.Request, c store.Client, grant string, a *answer, e *oauth.Error) {
	success, failure := events(grant)
	switch {
	case e == nil:
		t.journal.Record(r, store.Event{
			Type: success, UserID: a.userID, ClientID: c.ID, Audience: a.audience, Scope: strings.Fields(a.Scope),
		})
	case e.Status != http.StatusServiceUnavailable:
		t.journal.Record(r, store.Event{Type: failure, ClientID: c.ID, Description: e.Code + ": " + e.Description})
	}
}

// events returns the event types for a token request of a grant, as in the vendor's public log. Other grants get a pair of our own.
func events(grant string) (success, failure string) {
	switch grant {
	case "authorization_code":
		return "seacft", "feacft"
	case "refresh_token":
		return "sertft", "fertft"
	case "client_credentials":
		return "seccft", "feccft"
	case "password":
		return "sepft", "fepft"
	}
	return "seoft", "feoft"
}
