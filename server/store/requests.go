package store

import (
	"context"
	"time"
)

// PushedRequest is an authorization request that a client has pushed. RFC 9126.
type PushedRequest struct {
	Hash     []byte // SHA-256 of what its request_uri ends in
	ClientID string
	Query    string // the parameters, form-urlencoded
	Opened   bool   // a browser has brought it
	Expires  time.Time
	Issuer   string // where it was sent, as for Family
}

// Limits of the requests stored for each client. Each is a few kilobytes at most.
const (
	MaxWaiting = 1000
	MaxOpened  = 5000
)

// Requests stores pushed requests. All methods are safe for concurrent use, also by several processes: of two browsers that
// bring the same request, one opens it.
type Requests interface {
	// CreateRequest stores a request that is not opened. ErrConflict when the hash is taken. It deletes a few requests that
	// ended before now, and the client's oldest beyond MaxWaiting that are not opened and beyond MaxOpened that are, so that a
	// flood for one client does not affect others.
	CreateRequest(ctx context.Context, r PushedRequest, now time.Time) error
	// OpenRequest marks a request as opened, moves its end to until and returns it. ErrNotFound when it does not exist, ended
	// before now, or was opened before.
	OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (PushedRequest, error)
	// Request returns a request that is opened and has not ended before now, or ErrNotFound.
	Request(ctx context.Context, hash []byte, now time.Time) (PushedRequest, error)
	// DeleteRequest deletes a request that was answered; one that does not exist is not an error.
	DeleteRequest(ctx context.Context, hash []byte) error
}

// Recipient is a client to notify that a person signed out.
type Recipient struct {
	ClientID string
	URI      string
	Issuer   string // where the person signed in, as for Family
}

// Recipients finds the clients to notify of a sign-out. Its method is safe for concurrent use.
type Recipients interface {
	// Recipients returns the clients with a BackchannelURI that a person authorized in a sign-in, or in any sign-in if signInID
	// is empty, ordered by ID and issuer; each client occurs once per issuer. Revoked families count: the client may still have
	// a session of its own.
	Recipients(ctx context.Context, userID, signInID string) ([]Recipient, error)
}
