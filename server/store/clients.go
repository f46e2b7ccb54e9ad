package store

import (
	"context"
	"time"
)

// Client is an application that may ask the tenant for tokens.
type Client struct {
	ID          string
	Name        string // shown on the sign-in page
	SecretHash  []byte // SHA-256 of a random secret; empty for a public client
	Public      bool   // cannot keep a secret: PKCE is its only proof
	FirstParty  bool   // belongs to the tenant: no consent is asked
	Global      bool   // may call the management API
	GrantTypes  []string
	Callbacks   []string // redirect URIs, compared as whole strings
	LogoutURLs  []string // addresses a browser may be sent to after sign-out, compared as whole strings
	Created     time.Time
	SecretSince time.Time // when SecretHash was last set
}

// Clients keeps clients and what they may ask of each API. All methods are safe for concurrent use.
type Clients interface {
	// Client returns one client, or ErrNotFound.
	Client(ctx context.Context, id string) (Client, error)
	// PutClient keeps a client, replacing the one of the same ID; Created of an existing one stays.
	PutClient(ctx context.Context, c Client) error
	// ClientGrant returns the scopes a client may ask of an API, or ErrNotFound when it may not ask at all.
	ClientGrant(ctx context.Context, clientID, apiID string, subject SubjectType) ([]string, error)
	// PutClientGrant sets the scopes a client may ask of an API. ErrNotFound when client or API do not exist.
	PutClientGrant(ctx context.Context, clientID, apiID string, subject SubjectType, scopes []string) error
}

// SubjectType says for whom a client asks: for a user who signed in, or for itself.
type SubjectType string

// The two subject types.
const (
	SubjectUser   SubjectType = "user"
	SubjectClient SubjectType = "client"
)

// Policy says who may ask for tokens of an API. Spec, section Self-service account API, rules 4 and 5.
type Policy string

// The three policies.
const (
	AllowAll           Policy = "allow_all"            // any client, any scope of the API
	RequireClientGrant Policy = "require_client_grant" // clients with a grant, the scopes of the grant
	DenyAll            Policy = "deny_all"             // nobody
)

// API is a resource that accepts the tenant's access tokens.
type API struct {
	ID           string // ours and stable, while Identifier follows the tenant's public address
	Identifier   string // the audience of its tokens, exact
	Name         string
	Scopes       []string
	UserPolicy   Policy
	ClientPolicy Policy
}

// APIs keeps the resources. All methods are safe for concurrent use.
type APIs interface {
	// API returns the API whose Identifier is audience, or ErrNotFound.
	API(ctx context.Context, audience string) (API, error)
	// PutAPI keeps an API, replacing the one of the same ID. ErrConflict when another has its Identifier.
	PutAPI(ctx context.Context, a API) error
}
