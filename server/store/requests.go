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

// Requests keeps requests that were sent ahead. All methods are safe for concurrent use, also by
// several processes: of two browsers that come with one request, one opens it.
type Requests interface {
	// CreateRequest keeps a request that nobody opened. ErrConflict when the hash is taken.
	CreateRequest(ctx context.Context, r PushedRequest) error
	// OpenRequest marks a request as opened, moves its end to until and returns it. ErrNotFound when
	// there is none, it has ended before now, or it was opened before.
	OpenRequest(ctx context.Context, hash []byte, now, until time.Time) (PushedRequest, error)
	// Request returns a request that was opened and has not ended before now, or ErrNotFound.
	Request(ctx context.Context, hash []byte, now time.Time) (PushedRequest, error)
	// DeleteRequest forgets a request that was answered; one that does not exist is no error.
	DeleteRequest(ctx context.Context, hash []byte) error
}

// ClientOptions is how a client takes part in token flows, beyond what Client says.
type ClientOptions struct {
	ClientID string
	// BackchannelURI is where the tenant tells the client that a person signed out; empty for nowhere.
	BackchannelURI string
	RequirePushed  bool // only requests that were sent ahead. RFC 9126, section 6
	RequireDPoP    bool // no bearer tokens. RFC 9449, section 5.2
}

// Recipient is a client to tell that a person signed out.
type Recipient struct {
	ClientID string
	URI      string
	Issuer   string // where the person signed in, as for Family
}

// ClientFlows keeps the options of clients, and finds those to tell of a sign-out. All methods are
// safe for concurrent use.
type ClientFlows interface {
	// ClientOptions returns the options of a client; one without any has those of the zero value.
	ClientOptions(ctx context.Context, clientID string) (ClientOptions, error)
	// PutClientOptions sets the options of a client. ErrNotFound when there is no such client.
	PutClientOptions(ctx context.Context, o ClientOptions) error
	// Recipients returns the clients with a BackchannelURI that a person authorized in a sign-in, or
	// in any one when signInID is empty, ordered by their ids and issuers; a client is in it once for
	// each issuer. Families that were revoked count: the client may still have a session of its own.
	Recipients(ctx context.Context, userID, signInID string) ([]Recipient, error)
}
