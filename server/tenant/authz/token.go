package authz

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// grant is one way to earn a token. It proves that the request is good and says what is asked; the
// handler has authenticated the client and found that it may use the grant, and afterwards applies
// policy and scopes, issues the tokens and keeps them.
type grant interface {
	prove(ctx context.Context, c store.Client, p oauth.Params, from caller) (*proof, *oauth.Error)
}

// proof is what a grant found out.
type proof struct {
	userID   string // empty when the client asks for itself
	audience string // as asked or stored; empty for none
	scope    []string
	family   *store.Family // nil without a user
	nonce    string
	// key is the thumbprint of the DPoP key that must have proven the request; empty for any or none.
	key       string
	refreshed bool // it came of a refresh token
	// keep keeps the next refresh token; nil when the grant leads to none. ErrConflict when somebody
	// else was faster, which revokes the family.
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

// token is POST /oauth/token.
func (h *Handler) token(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	c, p, ok := h.clients.Request(w, r)
	if !ok {
		return
	}
	key, e := h.clients.ProofKey(w, r)
	var a *answer
	if e == nil {
		a, e = h.exchange(r.Context(), c, p, callerOf(r), key)
	}
	h.recordExchange(r, c, p["grant_type"], a, e)
	attrs := []slog.Attr{slog.String("client", c.ID), slog.String("address", clientip.Of(r))}
	if e != nil {
		h.journal.Warn(r.Context(), "token refused", append(attrs, slog.String("error", e.Code), slog.String("why", e.Description))...)
		oauth.WriteError(w, e)
		return
	}
	h.journal.Info(r.Context(), "token issued", append(attrs, slog.String("grant", p["grant_type"]), slog.String("scope", a.Scope))...)
	oauth.WriteJSON(w, http.StatusOK, a)
}

// exchange earns the tokens of a request that was proven with key, "" for a request without a proof.
func (h *Handler) exchange(ctx context.Context, c store.Client, p oauth.Params, from caller, key string) (*answer, *oauth.Error) {
	name := p["grant_type"]
	g, ok := h.grants[name]
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
	audience, e := oauth.Target(p, h.policy.Audience)
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
	audience = h.policy.Audience(pr.audience)
	scope, e := h.policy.GrantedTo(ctx, c, pr.userID, audience, pr.scope)
	if e != nil {
		return nil, e
	}
	return h.issue(ctx, c, pr, audience, scope, key)
}

// issue signs the tokens, bound to key when there is one, and keeps the refresh token before anything
// is answered.
func (h *Handler) issue(ctx context.Context, c store.Client, pr *proof, audience string, scope []string, key string) (*answer, *oauth.Error) {
	subject := pr.userID
	if subject == "" {
		subject = c.ID + "@clients"
	}
	claims := tokens.Access{Subject: subject, ClientID: c.ID, Audience: audience, Scope: scope, Key: key}
	if pr.family != nil {
		claims.AuthTime, claims.SignInID, claims.GrantID = pr.family.AuthTime, pr.family.SignInID, pr.family.ID
	}
	signed, life, err := h.Tokens.IssueAccess(claims)
	if err != nil {
		return nil, h.journal.Unavailable(ctx, "sign token", err)
	}
	a := &answer{AccessToken: signed, TokenType: "Bearer", ExpiresIn: int(life.Seconds()), Scope: strings.Join(scope, " "), userID: pr.userID, audience: audience}
	if key != "" {
		a.TokenType = "DPoP"
	}
	if pr.family != nil && slices.Contains(scope, access.OpenID) {
		var e *oauth.Error
		if a.IDToken, e = h.idToken(ctx, c, pr, scope, signed); e != nil {
			return nil, e
		}
	}
	if pr.keep == nil {
		return a, nil
	}
	a.RefreshToken = tokens.NewSecret()
	expires := h.Now().Add(idleLife)
	if expires.After(pr.family.Expires) {
		expires = pr.family.Expires
	}
	next := store.Refresh{Hash: tokens.Hash(a.RefreshToken), FamilyID: pr.family.ID, Expires: expires}
	if c.Public {
		next.Key = key
	}
	err = pr.keep(ctx, next)
	if errors.Is(err, store.ErrConflict) {
		return nil, h.reused(ctx, pr.family.ID)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, oauth.InvalidGrant("the account changed while the request was answered")
	}
	if err != nil {
		return nil, h.journal.Unavailable(ctx, "keep refresh token", err)
	}
	return a, nil
}

func (h *Handler) idToken(ctx context.Context, c store.Client, pr *proof, scope []string, signed string) (string, *oauth.Error) {
	u, err := h.Store.User(ctx, pr.userID)
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.InvalidGrant("the user does not exist any more")
	}
	if err != nil {
		return "", h.journal.Unavailable(ctx, "read user", err)
	}
	id := tokens.ID{
		Subject: u.ID, ClientID: c.ID, Nonce: pr.nonce, AuthTime: pr.family.AuthTime, ACR: pr.family.ACR, AMR: pr.family.AMR, SignInID: pr.family.SignInID, AccessToken: signed,
	}
	if slices.Contains(scope, access.Profile) {
		id.Name = u.Name
	}
	if slices.Contains(scope, access.Email) {
		id.Email, id.Unverified = u.Email, u.Unverified
	}
	t, err := h.Tokens.IssueID(id)
	if err != nil {
		return "", h.journal.Unavailable(ctx, "sign token", err)
	}
	return t, nil
}

// reused ends a family whose code or refresh token was presented twice: one of the two has stolen it.
// RFC 9700, section 4.14.2.
func (h *Handler) reused(ctx context.Context, familyID string) *oauth.Error {
	// The client that goes away must not keep the family alive.
	if err := h.Store.RevokeFamily(context.WithoutCancel(ctx), familyID); err != nil {
		return h.journal.Unavailable(ctx, "revoke family", err)
	}
	h.journal.Warn(ctx, "reuse detected, family revoked")
	return oauth.InvalidGrant("it was used before, so the authorization that it belongs to is revoked")
}
