package store

import (
	"context"
	"time"
)

// Role is a set of permissions that people receive as a whole.
type Role struct {
	ID          string
	Name        string // unique
	Description string
	Preset      bool // every new person gets it
	Created     time.Time
}

// Permission is one scope of one API.
type Permission struct {
	APIID string
	Scope string
}

// Roles stores roles, their permissions and their members. All methods are safe for concurrent use.
type Roles interface {
	// Role returns one role, or ErrNotFound.
	Role(ctx context.Context, id string) (Role, error)
	// CreateRole stores a new role. It returns ErrConflict if the ID is taken or another role has the name.
	CreateRole(ctx context.Context, r Role) error
	// UpdateRole changes a role except ID and Created, while no other writer can intervene, and returns it. If change fails, its error is
	// returned unchanged and nothing is written. It returns ErrConflict if another role has the name, and ErrNotFound if the role does not
	// exist.
	UpdateRole(ctx context.Context, id string, change func(*Role) error) (Role, error)
	// ListRoles returns up to limit roles that f finds by name, description or ID, ordered by name, as Users.ListUsers does.
	ListRoles(ctx context.Context, f Find, offset, limit int) (page []Role, total int, err error)
	// DeleteRole takes a role from everybody and removes it, or returns ErrNotFound.
	DeleteRole(ctx context.Context, id string) error

	// RolePermissions returns a role's permissions, by API and scope; an empty list is not an error.
	RolePermissions(ctx context.Context, roleID string) ([]Permission, error)
	// ChangeRolePermissions adds and then removes permissions, all or nothing. Adding an existing permission or removing an absent one is
	// not an error. It returns ErrNotFound if the role or the API of an added permission does not exist.
	ChangeRolePermissions(ctx context.Context, roleID string, add, remove []Permission) error
	// UserPermissions returns the permissions that a user holds directly, not by a role, by API and scope.
	UserPermissions(ctx context.Context, userID string) ([]Permission, error)
	// ChangeUserPermissions is ChangeRolePermissions for a user.
	ChangeUserPermissions(ctx context.Context, userID string, add, remove []Permission) error
	// Held returns the scopes of an API that a user holds directly or by a role, sorted and without duplicates.
	Held(ctx context.Context, userID, apiID string) ([]string, error)
	// AnyHoldsAll reports whether anybody who is not blocked and can sign in with a password or a passkey holds all of the scopes of an
	// API.
	AnyHoldsAll(ctx context.Context, apiID string, scopes []string) (bool, error)

	// UserRoles returns the roles of a user, sorted by name; an empty list is not an error.
	UserRoles(ctx context.Context, userID string) ([]Role, error)
	// RoleUsers is Users.ListUsers for the people who have a role.
	RoleUsers(ctx context.Context, roleID string, f Find, offset, limit int) (page []User, total int, err error)
	// AddRoles gives each of the users each of the roles, all or nothing; it returns ErrNotFound if one of them does not exist.
	AddRoles(ctx context.Context, userIDs, roleIDs []string) error
	// RemoveRoles takes roles from a user; a role that the user does not have is not an error.
	RemoveRoles(ctx context.Context, userID string, roleIDs []string) error
}

// Ticket is a one-time link with which a person sets a password.
type Ticket struct {
	Hash    []byte // SHA-256 of the ticket
	UserID  string
	Expires time.Time
	Issuer  string // the domain of the link, as for Family
}

// Tickets stores one-time links. All methods are safe for concurrent use.
type Tickets interface {
	// CreateTicket stores a new ticket in place of all others of its user, so that only the latest link works, and deletes tickets that
	// ended before now. It returns ErrNotFound if the user does not exist.
	CreateTicket(ctx context.Context, t Ticket, now time.Time) error
	// Ticket returns a ticket. It returns ErrNotFound if there is none, it has ended by now, or its user is blocked.
	Ticket(ctx context.Context, hash []byte, now time.Time) (Ticket, error)
	// RedeemTicket sets the password of the ticket's user, ends every sign-in and family of the user, and deletes the user's tickets, all
	// or nothing: of two calls at once, one wins. It returns ErrNotFound as Ticket does.
	RedeemTicket(ctx context.Context, hash []byte, now time.Time, passwordHash string) (userID string, err error)
}
