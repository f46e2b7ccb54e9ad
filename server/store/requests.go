package store

import (
	"context"
	"time"
)

// PushedRequest is an authorization request that a client has pushed. RFC 9126.
type PushedRequest struct {
	Hash     []byte // SHA-256 of the random part of its request_uri
	ClientID string
	Query    string // the parameters, form-urlencoded
	Opened   bool   // a browser has presented it
	Expires  time.Time
	Issuer   string // the domain that received it, as for Family
}

// Limits of the requests stored for each client. Each is a few kilobytes at most.
const (
	MaxWaiting = 1000
	MaxOpened  = 5000
)

// Requests stores pushed requests. All methods are safe for concurrent use, including by several processes: if two browsers present the
// same request, one opens it.
type Requests interface {
	// CreateRequest stores a request that is not opened. It returns ErrConflict if the hash is taken. It also deletes a few requests that
	// ended before now, and the client's oldest requests beyond MaxWaiting that are not opened and MaxOpened that are, so that a flood for
	// one client does not affect others.
	CreateRequest(ctx context.Context, r PushedRequest, now time.Time) error
	// OpenRequest marks a request as opened, sets its end to until and returns it. It returns ErrNotFound if the request does not exist,
	// ended before now, or has already been opened.
	OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (PushedRequest, error)
	// Request returns an opened request that has not ended before now, or ErrNotFound.
	Request(ctx context.Context, hash []byte, now time.Time) (PushedRequest, error)
	// DeleteRequest deletes an answered request; one that does not exist is not an error.
	DeleteRequest(ctx context.Context, hash []byte) error
}

// Recipient is a client to be notified that a person has signed out.
type Recipient struct {
	ClientID string
	URI      string
	Issuer   string // where the person signed in, as for Family
}

// Recipients finds the clients to be notified of a sign-out. Its method is safe for concurrent use.
type Recipients interface {
	// Recipients returns the clients with a BackchannelURI that a person authorized in a sign-in, or in any sign-in if signInID
	// is empty, ordered by ID and issuer; each client occurs once per issuer. Revoked families count: the client may still have
	// a session of its own.
	Recipients(ctx context.Context, userID, signInID string) ([]Recipient, error)
}
