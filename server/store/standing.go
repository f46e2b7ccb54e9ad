package store

import "context"

// Caller names the client and the user of an access token, its audience, and the one scope that a request needs.
// UserID is empty for a client that acts for itself.
type Caller struct{ ClientID, UserID, Audience, Scope string }

// Standing is the stored data that decides whether a request of a caller is allowed. All of it is read at one moment.
type Standing struct {
	Global, FirstParty bool // as in Client; false when the client does not exist
	Active             bool // the user exists and is not blocked
	// API has the Audience as its Identifier; nil when there is none. Name, Identifier and ScopeTexts are not read.
	API      *API
	HasGrant bool     // the client has a grant for API and the kind of subject
	Grant    []string // its scopes
	Held     bool     // the user holds the scope at API, directly or by a role
	Consent  []string // the scopes that the user allows the client to request for the audience
}

// Standings returns the standing of callers. All methods are safe for concurrent use.
type Standings interface {
	// Standing returns the current standing of a caller. Names that do not exist are not an error. It is called for every request, so it
	// must be fast.
	Standing(ctx context.Context, c Caller) (Standing, error)
}
