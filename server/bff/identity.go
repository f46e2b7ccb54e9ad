package bff

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/jwks"
	"github.com/formgraph/formgraph/server/session"
)

const (
	// clockLeeway is how far the tenant's clock may differ from ours.
	clockLeeway = time.Minute
	// unknownLife is the assumed lifetime of an access token whose answer states none.
	unknownLife = 5 * time.Minute
)

// Errors about the tenant's answers.
var (
	// errAudience means that the tenant issues this client no token for an audience. The session remains valid.
	errAudience = errors.New("tenant issues no token for this audience")
	errNonce    = errors.New("ID token has another nonce")
	errStale    = errors.New("sign-in is too old")
	errClock    = errors.New("clocks are too far apart")
)

// IdentityConfig configures an Identity.
type IdentityConfig struct {
	// Issuer is compared character by character.
	Issuer, ClientID, ClientSecret, Audience string
	// MeAudience is the audience of the self-service account API; "" when the tenant has none.
	MeAudience string
	// RedirectURL is the editor's /bff/callback.
	RedirectURL string
	// DPoP binds the tokens of each sign-in to a key of its own if the tenant offers that (RFC 9449).
	DPoP      bool
	Transport http.RoundTripper
	Now       func() time.Time
	Log       *slog.Logger // nil means nothing is logged
}

// Identity is the editor as a client of the tenant's authorization server. It is safe for concurrent use.
type Identity struct {
	c      IdentityConfig
	server *issuer.Server
	keys   *jwks.Set
	nonce  dpop.Nonce // of the user info endpoint
	log    journal
}

// provider is the authorization server as one request uses it.
type provider struct {
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	meta     *issuer.Metadata
}

// NewIdentity returns an Identity. It makes no calls.
func NewIdentity(c IdentityConfig) *Identity {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	i := &Identity{c: c, log: journal{to: c.Log}, server: issuer.New(issuer.Config{
		Issuer: c.Issuer, Transport: c.Transport, Timeout: session.TokenTimeout, Now: c.Now, SignIn: true,
	})}
	i.keys = jwks.New(i.loadKeys, c.Now, c.Log)
	return i
}

// Server returns the authorization server at which people sign in.
func (i *Identity) Server() *issuer.Server { return i.server }

// Audience is the audience of the management API.
func (i *Identity) Audience() string { return i.c.Audience }

// MeAudience is the audience of the self-service account API.
func (i *Identity) MeAudience() string { return i.c.MeAudience }

// Check discovers the endpoints now. An error that wraps issuer.ErrMisconfigured should abort the start; any other means that the tenant
// cannot be reached yet.
func (i *Identity) Check(ctx context.Context) error {
	_, err := i.provider(ctx)
	return err
}

// provider returns the endpoints and the verifier of ID tokens.
func (i *Identity) provider(ctx context.Context) (*provider, error) {
	meta, err := i.server.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	return &provider{
		meta: meta,
		oauth: oauth2.Config{
			ClientID: i.c.ClientID, ClientSecret: i.c.ClientSecret, Endpoint: meta.Endpoint(), RedirectURL: i.c.RedirectURL,
		},
		// The age is checked elsewhere, with a leeway that the library does not have.
		verifier: oidc.NewVerifier(i.c.Issuer, tenantKeys{i.keys}, &oidc.Config{
			ClientID: i.c.ClientID, SupportedSigningAlgs: []string{oidc.RS256}, SkipExpiryCheck: true,
		}),
	}, nil
}

// clipped bounds foreign text in the log.
func clipped(s string) string {
	return s[:min(len(s), 200)]
}
