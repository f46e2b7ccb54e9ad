package store

import (
	"context"
	"time"
)

// Family is an authorization that a user gave to a client, with all refresh tokens descended from it. Revoking a family ends all of its
// tokens, and the tenant refuses its access tokens. RFC 9700, section 4.14.2.
type Family struct {
	ID       string
	ClientID string
	UserID   string
	SignInID string // claim sid
	AuthTime time.Time
	ACR      string   // claim acr; empty if there is none
	AMR      []string // claim amr; nil if it is not known
	Audience string
	Scope    []string  // granted at the authorization endpoint; later tokens for this audience never have more
	Expires  time.Time // absolute end, however often the tokens are rotated
	Issuer   string    // the domain at which it was given: empty for the tenant's canonical address, else a custom domain
	Device   Device    // of the sign-in that it came from, or of the application if there was none
	Revoked  bool

	// Basis is checked by CreateCode and CreateFamily and is not stored.
	Basis Basis
}

// Code is an authorization code. RFC 6749, section 4.1.
type Code struct {
	Hash        []byte // SHA-256 of the code
	FamilyID    string
	RedirectURI string
	Challenge   string // PKCE S256 challenge; empty when the client sent none
	Nonce       string // OpenID Connect nonce; empty when none was sent
	Key         string // thumbprint of the DPoP key to which the code is bound; empty for a code that is not bound
	Expires     time.Time
	Uses        int // number of times it was presented, including the present one
}

// Refresh is one refresh token of a family.
type Refresh struct {
	Hash     []byte // SHA-256 of the token
	FamilyID string
	Key      string    // thumbprint of the DPoP key to which the token is bound; empty for one that is not bound
	Expires  time.Time // idle end: the token must be used before it
	Used     bool      // it has been rotated: presenting it again is reuse
}

// Grants stores authorizations, codes and refresh tokens. All methods are safe for concurrent use, including by several processes: if two
// present the same code or token at once, one wins.
type Grants interface {
	// CreateCode stores a new authorization together with its code. It returns ErrNotFound if the Basis of the authorization no longer
	// holds or its user is blocked.
	CreateCode(ctx context.Context, f Family, c Code) error
	// CreateFamily stores a new authorization that has no code. It returns ErrConflict if its ID is taken, and ErrNotFound as CreateCode
	// does.
	CreateFamily(ctx context.Context, f Family) error
	// UseCode counts one use of a code and returns it with its family, even if it has expired or was used before: the caller
	// decides. ErrNotFound for an unknown code.
	UseCode(ctx context.Context, hash []byte) (Code, Family, error)
	// CreateRefresh stores the first refresh token of a family. It returns ErrConflict if the family is revoked or has a token already, and
	// ErrNotFound if the family does not exist.
	CreateRefresh(ctx context.Context, r Refresh) error
	// Refresh returns a refresh token and its family, or ErrNotFound.
	Refresh(ctx context.Context, hash []byte) (Refresh, Family, error)
	// Rotate marks the token old as used and stores next in its family, both or neither. It returns ErrConflict if old was used before or
	// the family is revoked.
	Rotate(ctx context.Context, old []byte, next Refresh) error
	// FamilyLive reports whether a family exists and is not revoked. It ignores Expires.
	FamilyLive(ctx context.Context, id string) (bool, error)
	// RevokeFamily ends a family permanently; one that does not exist is not an error.
	RevokeFamily(ctx context.Context, id string) error
	// Sweep deletes rows that are no longer needed: sign-ins and requests that ended before now, families that ended before now with their
	// codes and tokens, and proofs that ended more than ProofMargin before now. A used code is kept as long as its family, so that a replay
	// can still revoke the family.
	Sweep(ctx context.Context, now time.Time) error
}

// Marks stores small facts about the store itself, such as that it has been seeded.
type Marks interface {
	// Mark returns the value of a mark, or ErrNotFound.
	Mark(ctx context.Context, name string) (string, error)
	// PutMark sets a mark.
	PutMark(ctx context.Context, name, value string) error
}
