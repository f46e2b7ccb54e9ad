// Package access decides which scopes of an API a client gets. They are those of the API, limited by its access policy, the client's grant,
// and the person's permissions and consent. Its functions are pure. The caller reads the facts and reports the outcome. The package knows
// nothing of HTTP, tokens, or where the facts are stored.
package access

import (
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// The IDs of the tenant's own two APIs. They are stable, while the identifiers follow the tenant's address.
const (
	ManagementAPI  = "management"
	SelfServiceAPI = "me"
)

// Scopes that describe a person rather than an API. OpenID Connect Core, sections 5.4 and 11.
const (
	OpenID  = "openid"
	Profile = "profile"
	Email   = "email"
	Offline = "offline_access"
)

// IdentityScopes returns the scopes that describe the person and belong to no API.
func IdentityScopes() []string { return []string{OpenID, Profile, Email, Offline} }

// Identity reports whether a scope is one of IdentityScopes.
func Identity(scope string) bool { return slices.Contains(IdentityScopes(), scope) }

// SelfServiceScopes returns every scope of the self-service account API, as <verb>:me:<resource>. They follow the vendor's public API,
// except those of sessions, which are ours.
func SelfServiceScopes() []string {
	return []string{
		"read:me:factors",
		"create:me:authentication_methods", "read:me:authentication_methods",
		"update:me:authentication_methods", "delete:me:authentication_methods",
		"read:me:consents", "delete:me:consents",
		"read:me:sessions", "delete:me:sessions",
	}
}

// Consent is what a person has allowed a client to do.
type Consent struct {
	Asked  bool     // false for first-party clients, which need no consent
	Scopes []string // the allowed scopes, including identity scopes
}

// Facts are all facts on which a decision depends. Lists may be nil, contain scopes as whole words, and are not changed.
type Facts struct {
	API        *store.API // nil for a token for user info
	Subject    store.SubjectType
	HasGrant   bool     // the client has a grant for API and Subject
	Grant      []string // its maximum
	Held       []string // the scopes of the API that the person holds, directly or by a role; unused for clients
	Consent    Consent  // unused for clients
	CanRefresh bool     // the client may use refresh tokens and so may get offline_access
	Wanted     []string
}

// Refusal is the reason why nothing at all is granted. It is empty if something may be granted, even only the empty scope.
type Refusal string

// The refusals.
const (
	Allowed   Refusal = ""
	NoAPI     Refusal = "no_api"     // a client requests a token for itself and names no API
	Inactive  Refusal = "inactive"   // the API is not activated
	Forbidden Refusal = "forbidden"  // the policy denies everybody
	NotByUser Refusal = "not_by_you" // the self-service API is for people only
	NoGrant   Refusal = "no_grant"   // the policy requires a grant and there is none
)

// Granted returns the wanted scopes within every limit, in the order of Wanted and without duplicates, or the reason why there are none. A
// client that requests a token for itself and names no scope gets all that it may have. Identity scopes are for people only.
//
// The self-service API refuses every client that requests a token for itself, whatever its policy or a grant says: a manually edited row
// must not open other people's accounts.
func Granted(f Facts) ([]string, Refusal) {
	most, why := maximum(f)
	if why != Allowed {
		return nil, why
	}
	if f.Subject == store.SubjectClient {
		if len(f.Wanted) == 0 {
			return most, Allowed
		}
		return intersect(f.Wanted, most), Allowed
	}
	var out []string
	for _, s := range f.Wanted {
		var may bool
		if Identity(s) {
			may = s != Offline || f.CanRefresh
		} else {
			may = slices.Contains(most, s) && slices.Contains(f.Held, s)
		}
		if f.Consent.Asked {
			may = may && slices.Contains(f.Consent.Scopes, s)
		}
		if may && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out, Allowed
}

// maximum returns the scopes of an API allowed by activation, policy and client grant, in the order of the grant or of the API. It ignores
// permissions and consent.
func maximum(f Facts) ([]string, Refusal) {
	client := f.Subject == store.SubjectClient
	if f.API == nil {
		if client {
			return nil, NoAPI
		}
		return nil, Allowed
	}
	policy := f.API.UserPolicy
	if client {
		policy = f.API.ClientPolicy
	}
	switch {
	case client && f.API.ID == SelfServiceAPI:
		return nil, NotByUser
	case f.API.Inactive:
		return nil, Inactive
	}
	switch policy {
	case store.AllowAll:
		return slices.Clone(f.API.Scopes), Allowed
	case store.RequireClientGrant:
		if !f.HasGrant {
			return nil, NoGrant
		}
		return intersect(f.Grant, f.API.Scopes), Allowed
	case store.DenyAll:
	}
	return nil, Forbidden // including a policy that this program does not know
}

// intersect returns the words of a that are also in b, in the order of a and without duplicates.
func intersect(a, b []string) []string {
	var out []string
	for _, s := range a {
		if slices.Contains(b, s) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
