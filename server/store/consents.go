package store

import (
	"context"
	"time"
)

// Consent is what a person allows a client to request for one API.
type Consent struct {
	ID       string // identifies it to the person
	UserID   string
	ClientID string
	Audience string
	Scope    []string
	Given    time.Time // when the person last agreed to the scope
}

// Consents stores consents, one for each person, client and audience. Logins.EndAuthorizations removes them. All methods are
// safe for concurrent use.
type Consents interface {
	// Consent returns what a person allows a client to request for an audience, or ErrNotFound.
	Consent(ctx context.Context, userID, clientID, audience string) (Consent, error)
	// UpdateConsent calls change with the consent for the person, client and audience of c while no other writer can intervene, and stores
	// the Scope and Given that it sets. If there is no consent yet, change gets the ID, UserID, ClientID and Audience of c. If change
	// fails, its error is returned unchanged and nothing is written. It returns ErrNotFound if person or client does not exist.
	UpdateConsent(ctx context.Context, c Consent, change func(*Consent) error) error
}
