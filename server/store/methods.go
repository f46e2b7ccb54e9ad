package store

import (
	"context"
	"time"
)

// MethodType is a kind of authentication method, by its name in the account API.
type MethodType string

// The types of methods that are stored as rows. A password is not: its hash is part of the person.
const (
	MethodPasskey      MethodType = "passkey"
	MethodTOTP         MethodType = "totp"
	MethodRecoveryCode MethodType = "recovery-code"
)

// Method is a means by which a person authenticates. It is stored only after it has been verified once.
type Method struct {
	ID     string // "<type>|<random>"
	UserID string
	Type   MethodType
	Name   string // chosen by the person
	// Key identifies a method whose person is not known: the credential ID of a passkey, unique among all methods. It is nil for the other
	// types.
	Key []byte
	// Data is the data that verifies a proof. The caller encrypts secrets in it and hashes codes.
	Data []byte
	// Count never decreases: it is the signature counter of a passkey or the last time step of a one-time password.
	Count   int64
	Created time.Time
	Used    time.Time // zero until the first use
}

// Methods stores the authentication methods of people. All methods are safe for concurrent use, including by several processes.
type Methods interface {
	// Methods returns a person's methods, oldest first; an empty list is not an error.
	Methods(ctx context.Context, userID string) ([]Method, error)
	// MethodByKey finds a method by its Key, or returns ErrNotFound.
	MethodByKey(ctx context.Context, key []byte) (Method, error)
	// CreateMethod stores a new method. It returns ErrConflict if ID or Key is taken, or if the person already has most methods of its
	// type, and ErrNotFound if the person does not exist.
	CreateMethod(ctx context.Context, m Method, most int) error
	// UseMethod records a use: it changes Count from one value to another, which may be the same. If two uses at once both change Count,
	// one wins: it returns ErrConflict if Count is no longer from, and ErrNotFound if the method no longer exists. data replaces Data
	// unless it is nil.
	UseMethod(ctx context.Context, id string, from, to int64, data []byte, now time.Time) error
	// RenameMethod sets the name. It returns ErrNotFound if the person has no such method.
	RenameMethod(ctx context.Context, userID, id, name string) error
	// DeleteMethod removes a person's method. allow, unless nil, is called with the methods that would remain while no other writer can
	// intervene; if it fails, its error is returned unchanged and nothing is removed. allow must not call the store. DeleteMethod returns
	// ErrNotFound if the person has no such method.
	DeleteMethod(ctx context.Context, userID, id string, allow func(u User, left []Method) error) error
	// TakeMethods removes those of a person's methods that which selects, and returns them, oldest first. If it removes any, the person's
	// sign-ins and families no longer count as proven by more than a password: their AMR keeps only "pwd" and their ACR becomes empty. All
	// or nothing; which must not call the store. It returns ErrNotFound if the person does not exist.
	TakeMethods(ctx context.Context, userID string, which func(Method) bool) ([]Method, error)
	// SetPassword sets the hash of a person's password, or removes it if hash is empty. It changes nothing else of the person. allow is as
	// for DeleteMethod, and receives the person as they would be after the change.
	SetPassword(ctx context.Context, userID, hash string, allow func(u User, left []Method) error) error
	// ChangePassword sets the hash of a person's password, deletes the person's one-time links and ends every login, as EndLogin does,
	// except the one with the ID keep; all or nothing. It returns the IDs of the ended logins, sorted, or ErrNotFound if the person does
	// not exist.
	ChangePassword(ctx context.Context, userID, hash, keep string) (ended []string, err error)
}

// AuthSession is the first half of a two-step exchange: a challenge that awaits its answer.
type AuthSession struct {
	Hash     []byte // SHA-256 of the secret that identifies it
	Purpose  string // an answer to a challenge for another purpose is not accepted
	ClientID string
	UserID   string // empty while the person is not known
	Data     []byte // data for the second half, nil for none; the caller encrypts secrets in it
	Expires  time.Time
	Issuer   string // the domain of the first half, as for Family
}

// AuthSessions stores auth sessions. All methods are safe for concurrent use, including by several processes.
type AuthSessions interface {
	// CreateAuthSession stores a new session, and deletes those that ended before now.
	CreateAuthSession(ctx context.Context, s AuthSession, now time.Time) error
	// AuthSession returns a session without using it up, or ErrNotFound. It ignores Expires.
	AuthSession(ctx context.Context, hash []byte) (AuthSession, error)
	// UseAuthSession removes and returns a session. If two calls use it at once, one gets it and the other gets ErrNotFound. It ignores
	// Expires.
	UseAuthSession(ctx context.Context, hash []byte) (AuthSession, error)
}

// Login is one sign-in as its person sees it: the browser at the tenant, and the applications that stay signed in with refresh tokens.
type Login struct {
	ID        string // claim sid
	AuthTime  time.Time
	Expires   time.Time // the latest end of everything that belongs to the login
	ClientIDs []string  // applications, sorted
	Browser   bool      // a browser is signed in at the tenant
	Device    Device    // of the browser while it is signed in, else of the latest authorization
}

// Device identifies where a sign-in came from, according to the request. Empty fields are unknown.
type Device struct {
	UserAgent string // as the program identifies itself; the caller limits its length
	IP        string
}

// Authorization is what an application may do on behalf of a person at one API: by a consent, by live refresh tokens and
// codes, or both.
type Authorization struct {
	ClientID string
	Audience string
	Scope    []string  // all scopes of the consent, live refresh tokens and codes, sorted
	Since    time.Time // the earlier of the dates of the consent and the oldest sign-in
}

// Logins lists and ends people's logins and authorizations. All methods are safe for concurrent use.
type Logins interface {
	// Logins returns the logins that are alive at now, latest first; an empty list is not an error. A family is alive while one of its
	// refresh tokens is.
	Logins(ctx context.Context, userID string, now time.Time) ([]Login, error)
	// EndLogin ends one login: it ends the browser's sign-in and revokes all its families. It returns ErrNotFound if the person has no
	// login with that ID.
	EndLogin(ctx context.Context, userID, id string) error
	// EndLogins ends all logins of a person, as EndLogin does one.
	EndLogins(ctx context.Context, userID string) error
	// Authorizations returns the authorizations that are alive at now, by client and audience; an empty list is not an error.
	Authorizations(ctx context.Context, userID string, now time.Time) ([]Authorization, error)
	// EndAuthorizations revokes what a person has granted to a client: it removes the consents, so that the client must ask again, and
	// revokes the families; all or nothing. It returns ErrNotFound if there was neither.
	EndAuthorizations(ctx context.Context, userID, clientID string) error
}
