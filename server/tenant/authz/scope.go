package authz

import (
	"context"
	"errors"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// Scopes that speak of the user and not of an API. OpenID Connect Core, sections 5.4 and 11.
const (
	scopeOpenID  = access.OpenID
	scopeProfile = access.Profile
	scopeEmail   = access.Email
	scopeOffline = access.Offline
)

func identityScopes() []string {
	return []string{scopeOpenID, scopeProfile, scopeEmail, scopeOffline}
}

// userInfoAudience is the audience of a token that was asked for no API.
func (h *Handler) userInfoAudience() string { return access.UserInfoAudience(h.Issuer) }

// audience resolves the aliases of an audience; an empty one is that of user info.
func (h *Handler) audience(asked string) string {
	if asked == "" {
		return h.userInfoAudience()
	}
	if full, ok := h.Aliases[asked]; ok {
		return full
	}
	return asked
}

// granted returns which of the wanted scopes a client would get for an audience, by package access, if the
// person agrees; userID is empty when the client asks for itself. Every way to a code or a token goes
// through it or through grantedTo, so that nobody who is blocked gets one by any of them.
func (h *Handler) granted(ctx context.Context, c store.Client, userID, audience string, wanted []string) ([]string, *oauth.Error) {
	f, e := h.facts(ctx, c, userID, audience, wanted)
	if e != nil {
		return nil, e
	}
	return judge(f)
}

// facts reads what decides, all but consent.
func (h *Handler) facts(ctx context.Context, c store.Client, userID, audience string, wanted []string) (access.Facts, *oauth.Error) {
	subject := store.SubjectClient
	if userID != "" {
		subject = store.SubjectUser
		if e := h.welcome(ctx, userID); e != nil {
			return access.Facts{}, e
		}
	}
	f, e := h.policy(ctx, c, subject, audience, wanted)
	if e != nil || f.API == nil || userID == "" {
		return f, e
	}
	var err error
	if f.Held, err = h.Store.Held(ctx, userID, f.API.ID); err != nil {
		return f, h.journal.Unavailable(ctx, "read permissions", err)
	}
	return f, nil
}

// policy reads what decides whoever the person is: the API and the client's grant.
func (h *Handler) policy(ctx context.Context, c store.Client, subject store.SubjectType, audience string, wanted []string) (access.Facts, *oauth.Error) {
	f := access.Facts{Subject: subject, CanRefresh: slices.Contains(c.GrantTypes, "refresh_token"), Wanted: wanted}
	if audience == h.userInfoAudience() {
		return f, nil
	}
	api, err := h.Store.API(ctx, audience)
	if errors.Is(err, store.ErrNotFound) {
		return f, oauth.InvalidTarget()
	}
	if err != nil {
		return f, h.journal.Unavailable(ctx, "read API", err)
	}
	f.API = &api
	f.Grant, err = h.Store.ClientGrant(ctx, c.ID, api.ID, f.Subject)
	if f.HasGrant = err == nil; err != nil && !errors.Is(err, store.ErrNotFound) {
		return f, h.journal.Unavailable(ctx, "read client grant", err)
	}
	return f, nil
}

// errBlocked is told to the application of a person who is blocked.
const errBlocked = "the account is blocked"

// welcome refuses a person who is blocked, or gone since the sign-in.
func (h *Handler) welcome(ctx context.Context, userID string) *oauth.Error {
	u, err := h.Store.User(ctx, userID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return oauth.AccessDenied("the user does not exist any more")
	case err != nil:
		return h.journal.Unavailable(ctx, "read user", err)
	case u.Blocked:
		return oauth.AccessDenied(errBlocked)
	}
	return nil
}

// judge asks package access and puts its refusals into the words of OAuth.
func judge(f access.Facts) ([]string, *oauth.Error) {
	scope, why := access.Granted(f)
	switch why {
	case access.Allowed:
		return scope, nil
	case access.NoAPI:
		return nil, oauth.InvalidRequest("audience is missing")
	case access.NoGrant:
		return nil, oauth.AccessDenied("the client has no grant for this audience")
	case access.Inactive:
		return nil, oauth.AccessDenied("the audience is not activated")
	case access.NotByUser:
		return nil, oauth.AccessDenied("the audience is for people only: client credentials are refused")
	case access.Forbidden:
	}
	return nil, oauth.AccessDenied("the audience refuses this kind of request")
}
