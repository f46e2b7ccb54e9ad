package store

import (
	"context"
	"time"
)

// PushedRequest is an authorization request that a client sent ahead. RFC 9126.
type PushedRequest struct {
	Hash     []byte // SHA-256 of what its request_uri ends in
	ClientID string
	Query    string // the parameters, form-urlencoded
	Opened   bool   // a browser came with it
	Expires  time.Time
	Issuer   string // where it was sent, as for Family
}

// Bounds of the requests that are kept for each client. Each is at most some kilobytes.
const (
	MaxWaiting = 1000
	MaxOpened  = 5000
)

// Requests keeps requests that were sent ahead. All methods are safe for concurrent use, also by
// several processes: of two browsers that come with one request, one opens it.
type Requests interface {
	// CreateRequest keeps a request that was not opened. ErrConflict when the hash is taken. It forgets a few
	// requests that ended before now, and of the client the oldest beyond MaxWaiting that were not opened and
	// beyond MaxOpened that somebody did, so that a flood for one client does not affect others.
	CreateRequest(ctx context.Context, r PushedRequest, now time.Time) error
	// OpenRequest marks a request as opened, moves its end to until and returns it. ErrNotFound when
	// there is none, it has ended before now, or it was opened before.
	OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (PushedRequest, error)
	// Request returns a request that was opened and has not ended before now, or ErrNotFound.
	Request(ctx context.Context, hash []byte, now time.Time) (PushedRequest, error)
	// DeleteRequest forgets a request that was answered; one that does not exist is not an error.
	DeleteRequest(ctx context.Context, hash []byte) error
}

// Recipient is a client to tell that a person signed out.
type Recipient struct {
	ClientID string
	URI      string
	Issuer   string // where the person signed in, as for Family
}

// Recipients finds the clients to tell of a sign-out. Its method is safe for concurrent use.
type Recipients interface {
	// Recipients returns the clients with a BackchannelURI that a person authorized in a sign-in, or
	// in any one when signInID is empty, ordered by their ids and issuers; a client is in it once for
	// each issuer. Families that were revoked count: the client may still have a session of its own.
	Recipients(ctx context.Context, userID, signInID string) ([]Recipient, error)
}
