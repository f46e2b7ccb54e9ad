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

// Consents stores consents, one for each person, client and audience. Logins.EndAuthorizations removes them. All methods are
// safe for concurrent use.
type Consents interface {
	// Consent returns what a person lets a client ask of an audience, or ErrNotFound.
	Consent(ctx context.Context, userID, clientID, audience string) (Consent, error)
	// UpdateConsent calls change with the consent for the person, client and audience of c while no other writer can intervene,
	// and stores the Scope and Given that it sets. If there is no consent yet, change gets the ID, UserID, ClientID and
	// Audience of c. An error of change is returned as it is and nothing is written. ErrNotFound when person or client do not
	// exist.
	UpdateConsent(ctx context.Context, c Consent, change func(*Consent) error) error
}
