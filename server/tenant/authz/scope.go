package authz

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/store"
)

// Scopes that speak of the user and not of an API. OpenID Connect Core, sections 5.4 and 11.
const (
	scopeOpenID  = "openid"
	scopeProfile = "profile"
	scopeEmail   = "email"
	scopeOffline = "offline_access"
)

func identityScopes() []string {
	return []string{scopeOpenID, scopeProfile, scopeEmail, scopeOffline}
}

// Bounds of a scope parameter; the longest one of our own is below 300 characters.
const (
	maxScopeBytes = 4 << 10
	maxScopeWords = 100
)

// splitScope returns the words of a scope parameter, each once. Words are separated by single spaces
// and nothing else: a tab belongs to its word, so that it cannot smuggle in a second one.
// RFC 6749, section 3.3.
func splitScope(s string) ([]string, *Error) {
	if len(s) > maxScopeBytes {
		return nil, invalidScope("the scope is too long")
	}
	var words []string
	for w := range strings.SplitSeq(s, " ") {
		if w == "" || slices.Contains(words, w) {
			continue
		}
		for i := range len(w) {
			if c := w[i]; c < 0x21 || c > 0x7e || c == '"' || c == '\\' {
				return nil, invalidScope("the scope holds a character that is not allowed")
			}
		}
		words = append(words, w)
	}
	if len(words) > maxScopeWords {
		return nil, invalidScope("the scope holds too many words")
	}
	return words, nil
}

// userInfoAudience is the audience of a token that was asked for no API.
func (h *Handler) userInfoAudience() string { return h.Issuer + "/userinfo" }

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

// granted returns which of the wanted scopes a client gets for an audience: what the API has, within
// its access policy and the client's grant, and within the user's permissions when there is a user.
// A client that asks for itself and names no scope gets all it may
// have. Spec, section Self-service account API, rules 4 to 6.
func (h *Handler) granted(ctx context.Context, c store.Client, userID, audience string, wanted []string) ([]string, *Error) {
	subject := store.SubjectUser
	if userID == "" {
		subject = store.SubjectClient
	}
	allowed, apiID, e := h.allowed(ctx, c, subject, audience)
	if e != nil {
		return nil, e
	}
	if subject == store.SubjectClient {
		if len(wanted) == 0 {
			return allowed, nil
		}
		return intersect(wanted, allowed), nil
	}
	var held []string
	if apiID != "" {
		var err error
		if held, err = h.Store.Permissions(ctx, userID, apiID); err != nil {
			h.down(ctx, "read permissions", err)
			return nil, unavailable()
		}
	}
	out := make([]string, 0, len(wanted))
	for _, s := range wanted {
		switch {
		case s == scopeOffline && !slices.Contains(c.GrantTypes, "refresh_token"):
			// a client that cannot use a refresh token gets none
		case slices.Contains(identityScopes(), s), slices.Contains(allowed, s) && slices.Contains(held, s):
			out = append(out, s)
		}
	}
	return out, nil
}

// allowed returns the scopes that policy and client grant leave of an API, and its id.
func (h *Handler) allowed(ctx context.Context, c store.Client, subject store.SubjectType, audience string) ([]string, string, *Error) {
	if audience == h.userInfoAudience() {
		if subject == store.SubjectClient {
			return nil, "", invalidRequest("audience is missing")
		}
		return nil, "", nil
	}
	api, err := h.Store.API(ctx, audience)
	if errors.Is(err, store.ErrNotFound) {
		return nil, "", invalidTarget()
	}
	if err != nil {
		h.down(ctx, "read API", err)
		return nil, "", unavailable()
	}
	policy := api.UserPolicy
	if subject == store.SubjectClient {
		policy = api.ClientPolicy
	}
	switch policy {
	case store.AllowAll:
		return api.Scopes, api.ID, nil
	case store.RequireClientGrant:
		grant, err := h.Store.ClientGrant(ctx, c.ID, api.ID, subject)
		if errors.Is(err, store.ErrNotFound) {
			return nil, "", accessDenied("the client has no grant for this audience")
		}
		if err != nil {
			h.down(ctx, "read client grant", err)
			return nil, "", unavailable()
		}
		return intersect(grant, api.Scopes), api.ID, nil
	case store.DenyAll:
	}
	return nil, "", accessDenied("the audience refuses this kind of request")
}

// intersect returns the words of a that are also in b, in the order of a.
func intersect(a, b []string) []string {
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) {
			out = append(out, s)
		}
	}
	return out
}
