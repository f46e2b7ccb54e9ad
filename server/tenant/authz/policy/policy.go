// Package policy decides which scopes of an audience a client gets for itself or for a person. It reads the facts and lets package access
// decide.
package policy

import (
	"context"
	"errors"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// Store holds the facts.
type Store interface {
	store.Clients
	store.APIs
	store.Users
	store.Roles
	store.Consents
}

// A Policy decides at one address of the tenant. All fields but Aliases are required. It is safe for concurrent use.
type Policy struct {
	Issuer  string
	Aliases map[string]string // short names of audiences
	Store   Store
	Journal *journal.Journal
}

// AskedScope returns the scopes that a request names. Clients may also send offline_access as a parameter, which means the scope of that
// name.
func AskedScope(p oauth.Params) ([]string, *oauth.Error) {
	scope, e := oauth.SplitScope(p["scope"])
	if e == nil && p["offline_access"] == "true" && !slices.Contains(scope, access.Offline) {
		scope = append(scope, access.Offline)
	}
	return scope, e
}

// UserInfoAudience returns the audience of a token for no API.
func (p *Policy) UserInfoAudience() string { return access.UserInfoAudience(p.Issuer) }

// Audience resolves the aliases of an audience. An empty one is that of user info.
func (p *Policy) Audience(asked string) string {
	if asked == "" {
		return p.UserInfoAudience()
	}
	if full, ok := p.Aliases[asked]; ok {
		return full
	}
	return asked
}

// Granted returns which of the wanted scopes a client would get for an audience if the person agrees. userID is empty if the client acts
// for itself. Every code and token depends on Granted or GrantedTo, so that nobody who is blocked gets one.
func (p *Policy) Granted(ctx context.Context, c store.Client, userID, audience string, wanted []string) ([]string, *oauth.Error) {
	f, e := p.facts(ctx, c, userID, audience, wanted)
	if e != nil {
		return nil, e
	}
	return decide(f)
}

// GrantedTo is Granted limited to what the person has agreed to: the scopes that a token may have. First-party clients belong to the tenant
// and need no consent.
func (p *Policy) GrantedTo(ctx context.Context, c store.Client, userID, audience string, wanted []string) ([]string, *oauth.Error) {
	f, e := p.facts(ctx, c, userID, audience, wanted)
	if e != nil {
		return nil, e
	}
	if userID != "" && !c.FirstParty {
		given, ok, e := p.Consent(ctx, userID, c.ID, audience)
		if e != nil {
			return nil, e
		}
		if !ok {
			return nil, oauth.InvalidGrant("the person has not agreed, or has revoked the consent")
		}
		f.Consent = access.Consent{Asked: true, Scopes: given.Scope}
	}
	return decide(f)
}

// Open returns the reason why a client gets no token for an audience for anybody, or nil.
func (p *Policy) Open(ctx context.Context, c store.Client, audience string, wanted []string) *oauth.Error {
	f, e := p.client(ctx, c, store.SubjectUser, audience, wanted)
	if e == nil {
		_, e = decide(f)
	}
	return e
}

// Consent returns what a person allows a client to request for an audience, and false if nothing.
func (p *Policy) Consent(ctx context.Context, userID, clientID, audience string) (store.Consent, bool, *oauth.Error) {
	c, err := p.Store.Consent(ctx, userID, clientID, audience)
	if errors.Is(err, store.ErrNotFound) {
		return store.Consent{}, false, nil
	}
	if err != nil {
		return store.Consent{}, false, p.Journal.Unavailable(ctx, "read consent", err)
	}
	return c, true, nil
}

// facts reads all facts but consent.
func (p *Policy) facts(ctx context.Context, c store.Client, userID, audience string, wanted []string) (access.Facts, *oauth.Error) {
	subject := store.SubjectClient
	if userID != "" {
		subject = store.SubjectUser
		if e := p.welcome(ctx, userID); e != nil {
			return access.Facts{}, e
		}
	}
	f, e := p.client(ctx, c, subject, audience, wanted)
	if e != nil || f.API == nil || userID == "" {
		return f, e
	}
	var err error
	if f.Held, err = p.Store.Held(ctx, userID, f.API.ID); err != nil {
		return f, p.Journal.Unavailable(ctx, "read permissions", err)
	}
	return f, nil
}

// client reads the facts that do not depend on the person: the API and the client's grant.
func (p *Policy) client(
	ctx context.Context, c store.Client, subject store.SubjectType, audience string, wanted []string,
) (access.Facts, *oauth.Error) {
	f := access.Facts{Subject: subject, CanRefresh: slices.Contains(c.GrantTypes, "refresh_token"), Wanted: wanted}
	if audience == p.UserInfoAudience() {
		return f, nil
	}
	api, err := p.Store.API(ctx, audience)
	if errors.Is(err, store.ErrNotFound) {
		return f, oauth.InvalidTarget()
	}
	if err != nil {
		return f, p.Journal.Unavailable(ctx, "read API", err)
	}
	f.API = &api
	f.Grant, err = p.Store.ClientGrant(ctx, c.ID, api.ID, f.Subject)
	if f.HasGrant = err == nil; err != nil && !errors.Is(err, store.ErrNotFound) {
		return f, p.Journal.Unavailable(ctx, "read client grant", err)
	}
	return f, nil
}

// Blocked is the text for a person who is blocked.
const Blocked = "the account is blocked"

// welcome refuses a person who has been blocked or deleted since the sign-in.
func (p *Policy) welcome(ctx context.Context, userID string) *oauth.Error {
	u, err := p.Store.User(ctx, userID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return oauth.AccessDenied("the user no longer exists")
	case err != nil:
		return p.Journal.Unavailable(ctx, "read user", err)
	case u.Blocked:
		return oauth.AccessDenied(Blocked)
	}
	return nil
}

// decide asks package access and translates its refusals to OAuth errors.
func decide(f access.Facts) ([]string, *oauth.Error) {
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
