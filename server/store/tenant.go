package store

import "context"

// Access is the part of the store that decides who may do what, which administrators change.
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
	// InTx calls f with the rows while no other writer can intervene: what f reads stays true until its writes are committed. All of them
	// are committed or, if f returns an error, none; the error is returned unchanged. After an error of a writing method, f must return an
	// error. f must use the rows from one goroutine, must not use the store in any other way, must not wait for anything else, and must
	// have no other effects: an engine may roll back and call it again.
	InTx(ctx context.Context, f func(Access) error) error
}

// Tenant is everything that the embedded tenant stores. An engine implements all of it.
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
