package permit

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/token"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Lifetimes of what the endpoint issues.
const (
	codeLife = time.Minute // RFC 6749, section 4.1.2 recommends at most ten
	// onlineLife is how long an authorization without refresh tokens is remembered, so that a replay of its code differs
	// from an unknown code.
	onlineLife = 24 * time.Hour
)

// newCode stores a new authorization and returns its code.
func (h *Handler) newCode(ctx context.Context, q *request.Request, s store.SignIn, scope []string) (string, *oauth.Error) {
	code, family := tokens.NewSecret(), newFamily(q, s, scope, h.Now())
	err := h.Store.CreateCode(ctx, family, store.Code{
		Hash: tokens.Hash(code), FamilyID: family.ID, RedirectURI: q.Redirect, Challenge: q.Bound.Challenge,
		Nonce: q.Bound.Nonce, Key: q.Bound.Key, Expires: h.Now().Add(codeLife),
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.LoginRequired(errSignedOut)
	}
	if err != nil {
		return "", h.Journal.Unavailable(ctx, "create code", err)
	}
	return code, nil
}

// newIDToken returns an ID token for the signed-in person. It stores the authorization, so that the application is notified when the person
// signs out.
func (h *Handler) newIDToken(ctx context.Context, q *request.Request, s store.SignIn, scope []string) (string, *oauth.Error) {
	f := newFamily(q, s, scope, h.Now())
	err := h.Store.CreateFamily(ctx, f)
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.LoginRequired(errSignedOut)
	}
	if err != nil {
		return "", h.Journal.Unavailable(ctx, "create family", err)
	}
	return h.IDs.Issue(ctx, q.Client, f, q.Bound.Nonce, scope, "")
}

// newFamily returns the authorization of a request by a signed-in person.
func newFamily(q *request.Request, s store.SignIn, scope []string, now time.Time) store.Family {
	life := onlineLife
	if slices.Contains(scope, access.Offline) {
		life = token.FamilyLife
	}
	return store.Family{
		ID: tokens.NewSecret(), ClientID: q.Client.ID, UserID: s.UserID, SignInID: s.ID, AuthTime: s.AuthTime, ACR: q.Met(s), AMR: s.AMR,
		Audience: q.Audience, Scope: scope, Expires: now.Add(life), Device: s.Device, Basis: store.Basis{SignInID: s.ID, AMR: s.AMR},
	}
}
