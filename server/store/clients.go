package store

import (
	"context"
	"slices"
	"time"
)

// Client is an application that may request tokens from the tenant.
type Client struct {
	ID          string
	Name        string // shown on the sign-in page
	Description string // for administrators; may be empty
	AppType     string // native, spa, regular_web or non_interactive; empty when not given
	AuthMethod  string // how it authenticates at the token endpoint, RFC 7591, section 2; empty when not given
	SecretHash  []byte // SHA-256 of a random secret; empty for a public client
	Public      bool   // cannot keep a secret: PKCE is its only proof
	FirstParty  bool   // belongs to the tenant: needs no consent
	Global      bool   // may call the management API
	GrantTypes  []string
	Callbacks   []string // redirect URIs, compared as whole strings
	LogoutURLs  []string // addresses a browser may be sent to after sign-out, compared as whole strings
	// AllowedOrigins and WebOrigins are the origins whose pages may call the tenant for the client, as browsers write them. The vendor has
	// two lists; here both mean the same.
	AllowedOrigins, WebOrigins []string
	// BackchannelURI is the address for notices that a person has signed out; "" for none.
	BackchannelURI string
	RequirePushed  bool // only pushed authorization requests are accepted. RFC 9126, section 6
	RequireDPoP    bool // no bearer tokens are issued. RFC 9449, section 5.2
	Created        time.Time
	SecretSince    time.Time // when SecretHash was last set
}

// MayCall reports whether pages of an origin may call the tenant for the client.
func (c Client) MayCall(origin string) bool {
	return slices.Contains(c.AllowedOrigins, origin) || slices.Contains(c.WebOrigins, origin)
}

// Clients stores clients and their grants for APIs. All methods are safe for concurrent use.
type Clients interface {
	// Client returns one client, or ErrNotFound.
	Client(ctx context.Context, id string) (Client, error)
	// CreateClient stores a new client. It returns ErrConflict if the ID is taken.
	CreateClient(ctx context.Context, c Client) error
	// UpdateClient calls change with the client while no other writer can intervene, stores the result and returns it. ID, Created, Global
	// and the two fields of the secret do not change. If change fails, its error is returned unchanged and nothing is written. It returns
	// ErrNotFound if the client does not exist.
	UpdateClient(ctx context.Context, id string, change func(*Client) error) (Client, error)
	// SetClientSecret sets SecretHash and SecretSince; an empty hash removes the secret. It returns ErrNotFound as UpdateClient does.
	SetClientSecret(ctx context.Context, id string, hash []byte, since time.Time) error
	// SetClientGlobal sets Global. It returns ErrNotFound as UpdateClient does.
	SetClientGlobal(ctx context.Context, id string, global bool) error
	// ListClients returns up to limit clients that f finds by name, description or ID, oldest first, as Users.ListUsers does. A
	// page past the end is empty, which is not an error.
	ListClients(ctx context.Context, f Find, offset, limit int) (page []Client, total int, err error)
	// OriginListed reports whether any client lists an origin, in AllowedOrigins or in WebOrigins.
	OriginListed(ctx context.Context, origin string) (bool, error)
	// DeleteClient removes a client with its grants and every authorization that people gave it, or returns ErrNotFound.
	DeleteClient(ctx context.Context, id string) error
	// ClientGrant returns the scopes that a client may request for an API, or ErrNotFound when it may request none.
	ClientGrant(ctx context.Context, clientID, apiID string, subject SubjectType) ([]string, error)
	// CreateClientGrant stores a new grant and returns it with its ID. It returns ErrConflict if a grant exists for the same client, API
	// and subject, and ErrNotFound if client or API does not exist.
	CreateClientGrant(ctx context.Context, g ClientGrant) (ClientGrant, error)
	// ClientGrantByID returns one grant, or ErrNotFound.
	ClientGrantByID(ctx context.Context, id string) (ClientGrant, error)
	// UpdateClientGrant changes the Scopes, as UpdateClient does.
	UpdateClientGrant(ctx context.Context, id string, change func(*ClientGrant) error) (ClientGrant, error)
	// ListClientGrants returns up to limit grants that match f, ordered by client and API, as Users.ListUsers does. A search
	// looks at name and ID of the client, and at name and Identifier of the API.
	ListClientGrants(ctx context.Context, f GrantFilter, offset, limit int) (page []ClientGrant, total int, err error)
	// DeleteClientGrant removes a grant, or returns ErrNotFound.
	DeleteClientGrant(ctx context.Context, id string) error
}

// ClientGrant is the most that a client may request for an API.
type ClientGrant struct {
	ID       string // made by the store, stable
	ClientID string
	APIID    string
	Subject  SubjectType
	Scopes   []string
}

// GrantFilter selects grants; an empty field matches all.
type GrantFilter struct {
	Find

	ClientID, APIID string
	Subject         SubjectType
}

// SubjectType is the subject for whom a client requests tokens: a signed-in user, or itself.
type SubjectType string

// The two subject types.
const (
	SubjectUser   SubjectType = "user"
	SubjectClient SubjectType = "client"
)

// Policy determines who may request tokens for an API.
type Policy string

// The three policies.
const (
	AllowAll           Policy = "allow_all"            // any client, any scope of the API
	RequireClientGrant Policy = "require_client_grant" // clients with a grant, the scopes of the grant
	DenyAll            Policy = "deny_all"             // nobody
)

// API is a resource that accepts the tenant's access tokens.
type API struct {
	ID           string // made by us and stable, while Identifier follows the tenant's public address
	Identifier   string // the audience of its tokens, exact
	Name         string
	Scopes       []string
	ScopeTexts   map[string]string // the meaning of scopes, for people; scopes without a text are absent
	UserPolicy   Policy
	ClientPolicy Policy
	Inactive     bool // not activated: no token is issued for it
}

// APIs stores APIs. All methods are safe for concurrent use.
type APIs interface {
	// API returns the API whose Identifier is audience, or ErrNotFound.
	API(ctx context.Context, audience string) (API, error)
	// CreateAPI stores a new API. It returns ErrConflict if the ID is taken or another API has its Identifier.
	CreateAPI(ctx context.Context, a API) error
	// UpdateAPI changes an API except its ID, as UpdateClient does. It returns ErrConflict if another API has the Identifier.
	UpdateAPI(ctx context.Context, id string, change func(*API) error) (API, error)
	// APIByID returns one API, or ErrNotFound.
	APIByID(ctx context.Context, id string) (API, error)
	// ListAPIs returns up to limit APIs that f finds by name or Identifier, ordered by name, as Users.ListUsers does.
	ListAPIs(ctx context.Context, f Find, offset, limit int) (page []API, total int, err error)
	// DeleteAPI removes an API with its grants and permissions, or returns ErrNotFound.
	DeleteAPI(ctx context.Context, id string) error
}
