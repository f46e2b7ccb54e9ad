package issuer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// maxAnswer bounds every answer in bytes: metadata, keys, tokens and claims. The OpenID library itself sets no limit.
	maxAnswer = 1 << 20
	// rediscover is how long the metadata is trusted: endpoints rarely move.
	rediscover = 15 * time.Minute
)

// ErrMisconfigured means that the server is not the configured one or names endpoints that must not be called. Waiting does not help.
var ErrMisconfigured = errors.New("tenant is not as configured")

// Config configures a Server.
type Config struct {
	// Issuer is compared character by character.
	Issuer    string
	Transport http.RoundTripper
	// Timeout bounds each call.
	Timeout time.Duration
	Now     func() time.Time
	// SignIn requires the endpoints for signing people in; the token endpoint is always required.
	SignIn bool
}

// Server is an authorization server. It discovers the endpoints when they are first needed and again after a failure, so its users start
// without it. It is safe for concurrent use.
type Server struct {
	c      Config
	http   *http.Client
	nonce  dpop.Nonce // of the token endpoint
	flight singleflight.Group

	mu    sync.Mutex
	found *Metadata
}

// Metadata is one result of discovery. An endpoint that is not required may be "".
type Metadata struct {
	Authorization string   `json:"authorization_endpoint"`
	Token         string   `json:"token_endpoint"`
	JWKS          string   `json:"jwks_uri"`
	UserInfo      string   `json:"userinfo_endpoint"`
	Revocation    string   `json:"revocation_endpoint"`
	EndSession    string   `json:"end_session_endpoint"`
	TokenAuth     []string `json:"token_endpoint_auth_methods_supported"`
	DPoPAlgs      []string `json:"dpop_signing_alg_values_supported"`
	// Prompts are the values of the parameter prompt; nil when the server does not list them.
	Prompts []string `json:"prompt_values_supported"`
	// IssuerParam means that every answer of the authorization endpoint names its issuer (RFC 9207).
	IssuerParam bool `json:"authorization_response_iss_parameter_supported"`

	at time.Time
}

// New returns a Server. It makes no calls.
func New(c Config) *Server {
	return &Server{c: c, http: &http.Client{
		Transport: upstream.Cap(c.Transport, maxAnswer),
		Timeout:   c.Timeout,
		// Following a redirect would pass on the code, the secret or a token.
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("redirects of the tenant are not followed")
		},
	}}
}

// Issuer returns the configured issuer.
func (s *Server) Issuer() string { return s.c.Issuer }

// Client returns the client for calls of the endpoints. It limits time and size, and follows no redirects.
func (s *Server) Client() *http.Client { return s.http }

// Metadata returns the endpoints. Only one of several concurrent callers asks the server. The old endpoints stay in use until new ones are
// available. An error that wraps ErrMisconfigured should abort the start; any other means that the server cannot be reached yet.
func (s *Server) Metadata(ctx context.Context) (*Metadata, error) {
	s.mu.Lock()
	found := s.found
	s.mu.Unlock()
	if found != nil && s.c.Now().Sub(found.at) < rediscover {
		return found, nil
	}
	ch := s.flight.DoChan("", func() (any, error) {
		bg, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.c.Timeout)
		defer cancel()
		return s.discover(bg)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case res := <-ch:
		if m, ok := res.Val.(*Metadata); ok && res.Err == nil {
			return m, nil
		}
		if found != nil && !errors.Is(res.Err, ErrMisconfigured) {
			return found, nil
		}
		return nil, res.Err
	}
}

func (s *Server) discover(ctx context.Context) (*Metadata, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, s.http), s.c.Issuer)
	if mismatch, ok := errors.AsType[*oidc.IssuerMismatchError](err); ok {
		return nil, fmt.Errorf("%w: its issuer is %q, not %q", ErrMisconfigured, clipped(mismatch.Discovered), s.c.Issuer)
	}
	if err != nil {
		// The library's error quotes the whole answer.
		return nil, fmt.Errorf("discover the tenant: %s", clipped(Quiet(err).Error()))
	}
	m := &Metadata{at: s.c.Now()}
	if err := found.Claims(m); err != nil {
		return nil, fmt.Errorf("read the tenant's metadata: %w", err)
	}
	for _, e := range []struct {
		name, address string
		required      bool
	}{
		{"token_endpoint", m.Token, true},
		{"authorization_endpoint", m.Authorization, s.c.SignIn},
		{"jwks_uri", m.JWKS, s.c.SignIn},
		{"userinfo_endpoint", m.UserInfo, false},
		{"revocation_endpoint", m.Revocation, false},
		{"end_session_endpoint", m.EndSession, false},
	} {
		if (e.address != "" || e.required) && !callable(e.address) {
			return nil, fmt.Errorf("%w: its %s is not an https address", ErrMisconfigured, e.name)
		}
	}
	s.mu.Lock()
	s.found = m
	s.mu.Unlock()
	return m, nil
}

// Endpoint returns the addresses of the authorization code grant, with the way in which a client sends its secret. Without a style the
// oauth2 package sends a request a second time when the first answer is an error, and the tenant treats a code that is sent twice as a
// replay.
func (m *Metadata) Endpoint() oauth2.Endpoint {
	style := oauth2.AuthStyleInHeader
	if len(m.TokenAuth) > 0 && !slices.Contains(m.TokenAuth, "client_secret_basic") {
		style = oauth2.AuthStyleInParams
	}
	return oauth2.Endpoint{AuthURL: m.Authorization, TokenURL: m.Token, AuthStyle: style}
}

// callable accepts https everywhere and http on this machine.
func callable(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && hosts.Loopback(u.Hostname())
}
