package store

import "context"

// Tenant is everything the embedded tenant keeps. An engine implements it whole.
type Tenant interface {
	Clients
	APIs
	Users
	SignIns
	Grants
	Consents
	Requests
	Recipients
	Marks
	Methods
	AuthSessions
	Logins
	Roles
	Tickets
	Events
	Proofs
	// Forms returns the forms.
	Forms() Documents
	// Flows returns the flows.
	Flows() Documents
	// Ping tells whether the store can be reached.
	Ping(ctx context.Context) error
}
