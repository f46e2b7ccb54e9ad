package bff

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/jwks"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// maxIdentityAnswer bounds discovery, keys and token answers in bytes. The OpenID library itself sets no limit.
	maxIdentityAnswer = 1 << 20
	// rediscover is how long discovery is trusted: endpoints and keys rarely move.
	rediscover = 15 * time.Minute
	// clockLeeway is how far the tenant's clock may differ from ours.
	clockLeeway = time.Minute
	// unknownLife is the assumed lifetime of an access token whose answer states none.
	unknownLife = 5 * time.Minute
)

// Scopes returns the scopes that every sign-in requests. People get only those that they hold, so the scopes of the administration make no
// difference to others. The scopes for the person's own account are requested again with its token, which is for another audience.
func Scopes() []string {
	return slices.Concat(
		[]string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
		scopesOf(slices.Concat(formRoutes(), adminRoutes())), scopesOf(accountRoutes()),
	)
}

// Errors about the tenant's metadata and answers.
var (
	// ErrMisconfigured means that the tenant is not the configured one or names endpoints that must not be called. Waiting does
	// not help.
	ErrMisconfigured = errors.New("tenant is not as configured")
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
	Transport   http.RoundTripper
	Now         func() time.Time
	Log         *slog.Logger // nil means nothing is logged
}

// Identity is the editor as a client of the tenant's authorization server. It discovers the endpoints when they are first
// needed and again after a failure, so the editor starts without the tenant. It is safe for concurrent use.
type Identity struct {
	c      IdentityConfig
	http   *http.Client
	flight singleflight.Group
	keys   *jwks.Set
	log    journal

	mu    sync.Mutex
	found *provider
}

// provider is one result of discovery.
type provider struct {
	oauth    oauth2.Config
	verifier *oidc.IDTokenVerifier
	meta     metadata
	at       time.Time
}

// metadata holds what the OpenID library does not expose.
type metadata struct {
	Revocation  string   `json:"revocation_endpoint"`
	EndSession  string   `json:"end_session_endpoint"`
	JWKS        string   `json:"jwks_uri"`
	TokenAuth   []string `json:"token_endpoint_auth_methods_supported"`
	IssuerParam bool     `json:"authorization_response_iss_parameter_supported"`
}

// NewIdentity returns an Identity. It makes no calls.
func NewIdentity(c IdentityConfig) *Identity {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	i := &Identity{c: c, log: journal{c.Log}, http: &http.Client{
		Transport: upstream.Cap(c.Transport, maxIdentityAnswer),
		Timeout:   session.TokenTimeout,
		// Following a redirect would pass on the code, the secret or a token.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("redirects of the tenant are not followed")
		},
	}}
	i.keys = jwks.New(i.loadKeys, c.Now, c.Log)
	return i
}

// Audience is the audience of the management API.
func (i *Identity) Audience() string { return i.c.Audience }

// MeAudience is the audience of the self-service account API.
func (i *Identity) MeAudience() string { return i.c.MeAudience }

// Check discovers the endpoints now. An error that wraps ErrMisconfigured should abort the start; any other means that the tenant cannot be
// reached yet.
func (i *Identity) Check(ctx context.Context) error {
	_, err := i.provider(ctx)
	return err
}

// provider returns the endpoints. Only one of several concurrent callers asks the tenant. The old endpoints stay in use until new ones are
// available.
func (i *Identity) provider(ctx context.Context) (*provider, error) {
	i.mu.Lock()
	found := i.found
	i.mu.Unlock()
	if found != nil && i.c.Now().Sub(found.at) < rediscover {
		return found, nil
	}
	ch := i.flight.DoChan("", func() (any, error) {
		bg, cancel := context.WithTimeout(context.WithoutCancel(ctx), session.TokenTimeout)
		defer cancel()
		return i.discover(bg)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case res := <-ch:
		if p, ok := res.Val.(*provider); ok && res.Err == nil {
			return p, nil
		}
		if found != nil && !errors.Is(res.Err, ErrMisconfigured) {
			return found, nil
		}
		return nil, res.Err
	}
}

func (i *Identity) discover(ctx context.Context) (*provider, error) {
	ctx = oidc.ClientContext(ctx, i.http)
	found, err := oidc.NewProvider(ctx, i.c.Issuer)
	if mismatch, ok := errors.AsType[*oidc.IssuerMismatchError](err); ok {
		return nil, fmt.Errorf("%w: its issuer is %q, not %q", ErrMisconfigured, clipped(mismatch.Discovered), i.c.Issuer)
	}
	if err != nil {
		// The library's error quotes the whole answer.
		return nil, fmt.Errorf("discover the tenant: %s", clipped(quiet(err).Error()))
	}
	p := &provider{at: i.c.Now()}
	if err := found.Claims(&p.meta); err != nil {
		return nil, fmt.Errorf("read the tenant's metadata: %w", err)
	}
	endpoint := found.Endpoint()
	for name, address := range map[string]string{
		"authorization_endpoint": endpoint.AuthURL, "token_endpoint": endpoint.TokenURL, "jwks_uri": p.meta.JWKS,
		"revocation_endpoint": p.meta.Revocation, "end_session_endpoint": p.meta.EndSession,
	} {
		optional := name == "revocation_endpoint" || name == "end_session_endpoint"
		if (address != "" || !optional) && !callable(address) {
			return nil, fmt.Errorf("%w: its %s is not an https address", ErrMisconfigured, name)
		}
	}
	// Without a style the oauth2 package sends the code a second time when the first answer is an error, and the tenant treats that as a
	// replay.
	endpoint.AuthStyle = oauth2.AuthStyleInHeader
	if len(p.meta.TokenAuth) > 0 && !slices.Contains(p.meta.TokenAuth, "client_secret_basic") {
		endpoint.AuthStyle = oauth2.AuthStyleInParams
	}
	p.oauth = oauth2.Config{
		ClientID: i.c.ClientID, ClientSecret: i.c.ClientSecret, Endpoint: endpoint, RedirectURL: i.c.RedirectURL,
		Scopes: Scopes(),
	}
	// The age is checked here, with a leeway that the library does not have.
	p.verifier = oidc.NewVerifier(i.c.Issuer, tenantKeys{i.keys}, &oidc.Config{
		ClientID: i.c.ClientID, SupportedSigningAlgs: []string{oidc.RS256}, SkipExpiryCheck: true,
	})
	i.mu.Lock()
	i.found = p
	i.mu.Unlock()
	return p, nil
}

// callable accepts https everywhere and http on this machine.
func callable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && hosts.Loopback(u.Hostname())
}

// refused reports whether the token endpoint answered with one of these OAuth error codes. Tenants send them with status 400, 401 or 403.
func refused(err error, codes ...string) bool {
	var re *oauth2.RetrieveError
	return errors.As(err, &re) && re.Response != nil && re.Response.StatusCode < 500 && slices.Contains(codes, re.ErrorCode)
}

// withoutBody drops the answer of a token endpoint from an error: the oauth2 package's error quotes all of it, and it may contain a token.
func withoutBody(err error) error {
	var re *oauth2.RetrieveError
	if errors.As(err, &re) && re.Response != nil {
		return fmt.Errorf("token endpoint answered %d %q", re.Response.StatusCode, clipped(re.ErrorCode))
	}
	if strings.Contains(err.Error(), "cannot parse json") || strings.Contains(err.Error(), "missing access_token") {
		return errors.New("token endpoint gave an invalid answer")
	}
	return quiet(err)
}

// quiet reduces the address in a call's error to its host: the address of a redirect may contain anything, even a code or a token.
func quiet(err error) error {
	failed, ok := errors.AsType[*url.Error](err)
	if !ok {
		return err
	}
	host := "the tenant"
	if u, err := url.Parse(failed.URL); err == nil && u.Host != "" {
		host = u.Host
	}
	return fmt.Errorf("call %s: %w", host, failed.Err)
}

func clipped(s string) string {
	return s[:min(len(s), 200)]
}
