package store

import (
	"context"
	"time"
)

// User is a person who can sign in.
type User struct {
	ID           string // the subject of tokens
	Email        string // kept in lower case, unique
	Name         string
	PasswordHash string // PHC string of argon2id
	Created      time.Time
	Blocked      bool // set by SetBlocked alone: nothing is issued to this person
	Unverified   bool // the address is not confirmed: the person signed up without an administrator
	Passkey      bool // the person has at least one; set by the store and never written
}

// Invited reports whether somebody else made the account and its person cannot sign in yet.
func (u User) Invited() bool { return u.PasswordHash == "" && !u.Passkey && !u.Unverified }

// Users stores people and their permissions. All methods are safe for concurrent use.
type Users interface {
	// User returns one user, or ErrNotFound.
	User(ctx context.Context, id string) (User, error)
	// UserByEmail finds a user by the e-mail address in lower case, or returns ErrNotFound.
	UserByEmail(ctx context.Context, email string) (User, error)
	// CreateUser stores a new user, who is not blocked and gets the preset roles. ErrConflict when the ID is
	// taken or another user has the address.
	CreateUser(ctx context.Context, u User) error
	// UpdateUser calls change with the user while no other writer can intervene, stores the Email, Name and Unverified that it
	// sets, and returns the user. Nothing else changes. An error of change is returned as it is and nothing is written.
	// ErrConflict when another user has the address, ErrNotFound when the user does not exist.
	UpdateUser(ctx context.Context, id string, change func(*User) error) (User, error)
	// SignUp stores a new person with a first method, both or neither. ErrConflict when another user has the address, or when
	// an ID or the Key of the method is taken.
	SignUp(ctx context.Context, u User, m Method) error
	// ListUsers returns up to limit people that f finds by name, address or ID, oldest first, after skipping offset,
	// and how many f finds in all. ErrPlace for an After of another list.
	ListUsers(ctx context.Context, f Find, offset, limit int) (page []User, total int, err error)
	// SetBlocked blocks or unblocks a user. Blocking ends every sign-in, revokes every family and deletes the tickets of the
	// user, all or nothing. ErrNotFound when the user does not exist.
	SetBlocked(ctx context.Context, id string, blocked bool) error
	// ResetPassword sets a password hash and ends all that SetBlocked ends, all or nothing. ErrNotFound
	// when the user does not exist.
	ResetPassword(ctx context.Context, id, passwordHash string) error
	// DeleteUser removes a user with sign-ins, families, permissions and tickets, or returns ErrNotFound.
	DeleteUser(ctx context.Context, id string) error
	// Permissions returns the scopes of an API that a user holds directly and not by a role, sorted; none is not an error.
	Permissions(ctx context.Context, userID, apiID string) ([]string, error)
}

// SignIn is one person signed in at the tenant in one browser.
type SignIn struct {
	Hash     []byte // SHA-256 of the cookie's value
	ID       string // public name of this sign-in: claim sid
	UserID   string
	AuthTime time.Time // when the first factor was proven: password or passkey
	AMR      []string  // claim amr: how it was proven, and the second factor when there was one
	Expires  time.Time // absolute
	Issuer   string    // where the browser is signed in, as for Family
	Device   Device    // the browser

	// Replaces is the Hash of an earlier sign-in of the browser, which CreateSignIn ends; nil for none. Not kept.
	Replaces []byte
	// Basis is checked by CreateSignIn and not kept.
	Basis Basis
}

// Basis is what a person proved before a row is kept that lets somebody act as that person. The store checks it in
// the transaction that keeps the row: a password reset or a block since then has already ended everything that it
// found, and would miss the new row. An empty field is not checked, and the zero Basis checks nothing.
type Basis struct {
	PasswordHash string   // the PasswordHash that the password was checked against
	MethodID     string   // a method of the person's that was used
	SignInID     string   // a sign-in of the person's
	AMR          []string // of that sign-in
}

// SignIns keeps who is signed in at the tenant. All methods are safe for concurrent use.
type SignIns interface {
	// SignIn returns the sign-in of a cookie's hash, or ErrNotFound. It does not look at Expires.
	SignIn(ctx context.Context, hash []byte) (SignIn, error)
	// CreateSignIn stores a new sign-in and ends the one that it replaces, both or neither. ErrConflict when hash or
	// ID are taken, ErrNotFound when the Basis no longer holds or its user is blocked.
	CreateSignIn(ctx context.Context, s SignIn) error
	// DeleteSignIn ends a sign-in; one that does not exist is not an error.
	DeleteSignIn(ctx context.Context, hash []byte) error
}
