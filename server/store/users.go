package store

import (
	"context"
	"time"
)

// User is a person who can sign in.
type User struct {
	ID           string // the subject of tokens
	Email        string // in lower case, unique
	Name         string
	PasswordHash string // PHC string of argon2id
	Created      time.Time
	Blocked      bool // set by SetBlocked alone: the person is issued nothing
	Unverified   bool // the address is not confirmed, since the person signed up without an administrator
	Passkey      bool // the person has at least one passkey; set by the store and never written
}

// Invited reports whether somebody else created the account and its person cannot sign in yet.
func (u User) Invited() bool { return u.PasswordHash == "" && !u.Passkey && !u.Unverified }

// Users stores people and their permissions. All methods are safe for concurrent use.
type Users interface {
	// User returns one user, or ErrNotFound.
	User(ctx context.Context, id string) (User, error)
	// UserByEmail finds a user by the e-mail address in lower case, or returns ErrNotFound.
	UserByEmail(ctx context.Context, email string) (User, error)
	// CreateUser stores a new user, who is not blocked and gets the preset roles. It returns ErrConflict if the ID is taken or another user
	// has the address.
	CreateUser(ctx context.Context, u User) error
	// UpdateUser calls change with the user while no other writer can intervene, stores the Email, Name and Unverified that it sets, and
	// returns the user. Nothing else changes. If change fails, its error is returned unchanged and nothing is written. It returns
	// ErrConflict if another user has the address, and ErrNotFound if the user does not exist.
	UpdateUser(ctx context.Context, id string, change func(*User) error) (User, error)
	// SignUp stores a new person with a first method, both or neither. It returns ErrConflict if another user has the address, or when an
	// ID or the Key of the method is taken.
	SignUp(ctx context.Context, u User, m Method) error
	// ListUsers returns up to limit people that f finds by name, address or ID, oldest first, after skipping offset, and the total that f
	// finds. It returns ErrPlace for an After of another list.
	ListUsers(ctx context.Context, f Find, offset, limit int) (page []User, total int, err error)
	// SetBlocked blocks or unblocks a user. Blocking ends every sign-in, revokes every family and deletes the tickets of the user, all or
	// nothing. It returns ErrNotFound if the user does not exist.
	SetBlocked(ctx context.Context, id string, blocked bool) error
	// ResetPassword sets a password hash and ends everything that SetBlocked ends, all or nothing. It returns ErrNotFound if the user does
	// not exist.
	ResetPassword(ctx context.Context, id, passwordHash string) error
	// DeleteUser removes a user with sign-ins, families, permissions and tickets, or returns ErrNotFound.
	DeleteUser(ctx context.Context, id string) error
	// Permissions returns the scopes of an API that a user holds directly, not by a role, sorted; an empty list is not an error.
	Permissions(ctx context.Context, userID, apiID string) ([]string, error)
}

// SignIn is the sign-in of one person at the tenant in one browser.
type SignIn struct {
	Hash     []byte // SHA-256 of the cookie's value
	ID       string // public name of the sign-in: claim sid
	UserID   string
	AuthTime time.Time // when the first factor was proven: a password or a passkey
	AMR      []string  // claim amr: how it was proven, and the second factor if there was one
	Expires  time.Time // absolute
	Issuer   string    // the domain where the browser is signed in, as for Family
	Device   Device    // the browser

	// Replaces is the Hash of an earlier sign-in of the browser, which CreateSignIn ends; nil for none. It is not stored.
	Replaces []byte
	// Basis is checked by CreateSignIn and is not stored.
	Basis Basis
}

// Basis is what a person has proven before a row is stored that lets somebody act as that person. The store checks it in the transaction
// that stores the row: a password reset or a block since then has already ended every row that it found, and would miss the new one. An
// empty field is not checked, so the zero Basis checks nothing.
type Basis struct {
	PasswordHash string   // the PasswordHash against which the password was checked
	MethodID     string   // the method of the person that was used
	SignInID     string   // a sign-in of the person
	AMR          []string // of that sign-in
}

// SignIns stores sign-ins at the tenant. All methods are safe for concurrent use.
type SignIns interface {
	// SignIn returns the sign-in with a cookie's hash, or ErrNotFound. It ignores Expires.
	SignIn(ctx context.Context, hash []byte) (SignIn, error)
	// CreateSignIn stores a new sign-in and ends the one that it replaces, both or neither. It returns ErrConflict if hash or ID is taken,
	// and ErrNotFound if the Basis no longer holds or the user is blocked.
	CreateSignIn(ctx context.Context, s SignIn) error
	// DeleteSignIn ends a sign-in; one that does not exist is not an error.
	DeleteSignIn(ctx context.Context, hash []byte) error
}
