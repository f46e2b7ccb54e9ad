package store

import "context"

// Access is what decides who may do what, and what an administrator changes.
type Access interface {
	Clients
	APIs
	Users
	Roles
	Tickets
	Methods
	Standings
}

// Administration changes several rows as one.
type Administration interface {
	// InTx calls f with the rows while no other writer can intervene: what f reads stays true until what it writes is
	// kept, all of it or, if f returns an error, none of it. The error is returned as it is. After an error of a method that
	// writes, f must return an error. f must use the rows from one goroutine, must not use the store besides them, must not
	// wait for anything else, and must have no other effects: an engine that cannot make it the only writer may roll back
	// and call it again.
	InTx(ctx context.Context, f func(Access) error) error
}

// Tenant is everything the embedded tenant keeps. An engine implements it whole.
type Tenant interface {
	Access
	Administration
	SignIns
	Grants
	Consents
	Requests
	Recipients
	Marks
	AuthSessions
	Logins
	Events
	Proofs
	// Forms returns the forms.
	Forms() Documents
	// Flows returns the flows.
	Flows() Documents
	// Ping reports whether the store can be reached.
	Ping(ctx context.Context) error
}
