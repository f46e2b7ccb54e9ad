package store

import (
	"context"
	"time"
)

// Consent is what a person lets a client ask of one API.
type Consent struct {
	ID       string // names it to the person
	UserID   string
	ClientID string
	Audience string
	Scope    []string
	Given    time.Time // when the scope was last agreed to
}

// Consents keeps consents, one for each person, client and audience. Logins.EndAuthorizations removes
// them. All methods are safe for concurrent use.
type Consents interface {
	// Consent returns what a person lets a client ask of an audience, or ErrNotFound.
	Consent(ctx context.Context, userID, clientID, audience string) (Consent, error)
	// PutConsent keeps a consent, replacing the one of the same person, client and audience, whose
	// ID stays. ErrNotFound when person or client do not exist.
	PutConsent(ctx context.Context, c Consent) error
}
