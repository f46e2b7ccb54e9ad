package store

import (
	"context"
	"time"
)

// MethodType is a kind of authentication method, by its name in the account API.
type MethodType string

// The types of methods that have rows. A password has none: its hash is part of the person.
const (
	MethodPasskey      MethodType = "passkey"
	MethodTOTP         MethodType = "totp"
	MethodRecoveryCode MethodType = "recovery-code"
)

// Method is something by which a person authenticates. It is stored only after it was proven once.
type Method struct {
	ID     string // "<type>|<random>"
	UserID string
	Type   MethodType
	Name   string // chosen by the person
	// Key finds a method without knowing the person: the credential ID of a passkey, unique among all methods. It is nil for
	// the other types.
	Key []byte
	// Data is what a proof is checked against. The caller encrypts secrets in it and hashes codes.
	Data []byte
	// Count never decreases: the signature counter of a passkey, the last time step of a one-time password.
	Count   int64
	Created time.Time
	Used    time.Time // zero until the first use
}

// Methods stores the authentication methods of people. All methods are safe for concurrent use, also by several processes.
type Methods interface {
	// Methods returns the methods of a person, oldest first; none is not an error.
	Methods(ctx context.Context, userID string) ([]Method, error)
	// MethodByKey finds a method by its Key, or returns ErrNotFound.
	MethodByKey(ctx context.Context, key []byte) (Method, error)
	// CreateMethod stores a new method. ErrConflict when ID or Key are taken, or when the person already has most methods of
	// its type; ErrNotFound when the person does not exist.
	CreateMethod(ctx context.Context, m Method, most int) error
	// UseMethod records a use: Count changes from the one value to the other, which may be equal. Of two that use a method at
	// once and both change Count, one wins: ErrConflict when Count is no longer from, ErrNotFound when the method is gone. data
	// replaces Data unless it is nil.
	UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error
	// RenameMethod sets the name. ErrNotFound when the person has no such method.
	RenameMethod(ctx context.Context, userID, id, name string) error
	// DeleteMethod removes a method of a person. allow, unless nil, is called with what would remain while no other writer can
	// intervene; its error is returned as it is and nothing is removed. allow must not call the store. ErrNotFound when the
	// person has no such method.
	DeleteMethod(ctx context.Context, userID, id string, allow func(u User, left []Method) error) error
	// TakeMethods removes the methods of a person that which selects and returns them, oldest first. If it removes any, the
	// person's sign-ins and families no longer count as proven by more than a password: their AMR keeps that one word and their
	// ACR is empty. All or nothing; which must not call the store. ErrNotFound when the person does not exist.
	TakeMethods(ctx context.Context, userID string, which func(Method) bool) ([]Method, error)
	// SetPassword sets the hash of a person's password, or removes it with the empty string, and changes nothing else of the
	// person. allow is as for DeleteMethod, and gets the person as they would be.
	SetPassword(ctx context.Context, userID, hash string, allow func(u User, left []Method) error) error
	// ChangePassword sets the hash of a person's password, deletes the person's one-time links and ends every login except that
	// with the ID keep, as EndLogin does; all or nothing. It returns the IDs of the logins that it ended, sorted. ErrNotFound
	// when the person does not exist.
	ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error)
}

// AuthSession is the first half of an exchange in two steps: a challenge that waits for its answer.
type AuthSession struct {
	Hash     []byte // SHA-256 of the secret that names it
	Purpose  string // what it is for; an answer to another purpose is not accepted
	ClientID string
	UserID   string // empty while the person is not known
	Data     []byte // what the second half needs, nil for nothing; a secret in it was sealed by the caller
	Expires  time.Time
	Issuer   string // where the first half was, as for Family
}

// AuthSessions stores them. All methods are safe for concurrent use, also by several processes.
type AuthSessions interface {
	// CreateAuthSession stores a new one, and deletes those that ended before now.
	CreateAuthSession(ctx context.Context, s AuthSession, now time.Time) error
	// AuthSession returns one without using it up, or ErrNotFound. It ignores Expires.
	AuthSession(ctx context.Context, hash []byte) (AuthSession, error)
	// UseAuthSession removes and returns one: of two that use it at once, one gets it and the other gets ErrNotFound. It
	// ignores Expires.
	UseAuthSession(ctx context.Context, hash []byte) (AuthSession, error)
}

// Login is one sign-in of a person as they see it: the browser at the tenant, and the applications that stay signed in by
// refresh tokens.
type Login struct {
	ID        string // claim sid
	AuthTime  time.Time
	Expires   time.Time // the latest end of everything that belongs to it
	ClientIDs []string  // applications, sorted
	Browser   bool      // a browser is signed in at the tenant
	Device    Device    // of the browser while it is signed in, else of the latest authorization
}

// Device is where somebody signed in from, according to the request. Both are empty when it is not known.
type Device struct {
	UserAgent string // what the program calls itself; the caller limits its length
	IP        string
}

// Authorization is what an application may do on behalf of a person at one API: by a consent, by live refresh tokens and
// codes, or both.
type Authorization struct {
	ClientID string
	Audience string
	Scope    []string  // all scopes of the consent, live refresh tokens and codes, sorted
	Since    time.Time // the earlier of the date of the consent and that of the oldest sign-in
}

// Logins lists where people are signed in and ends it. All methods are safe for concurrent use.
type Logins interface {
	// Logins returns what is alive at now, latest first; none is not an error. A family is alive while one of its refresh
	// tokens is.
	Logins(ctx context.Context, userID string, now time.Time) ([]Login, error)
	// EndLogin ends one login: the browser's sign-in, and every family of it is revoked. ErrNotFound when the person has no
	// login with that ID.
	EndLogin(ctx context.Context, userID, id string) error
	// EndLogins ends all logins of a person, as EndLogin does one.
	EndLogins(ctx context.Context, userID string) error
	// Authorizations returns what is alive at now, by client and audience; none is not an error.
	Authorizations(ctx context.Context, userID string, now time.Time) ([]Authorization, error)
	// EndAuthorizations takes back what a person gave to a client: its consents are removed, so that it must ask again, and its
	// families are revoked; all or nothing. ErrNotFound when there was neither.
	EndAuthorizations(ctx context.Context, userID, clientID string) error
}
