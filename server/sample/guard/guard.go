// Package guard is middleware that lets requests reach an API only with an access token of the tenant. The token is signed with RS256 by
// one of the tenant's published keys, for the tenant's issuer and the API's own audience, and bound to the sender's key by DPoP (RFC 9449)
// if that is allowed or required.
//
// It is meant to be imported by other APIs, and needs only net/http, and go-jose for the tenant's keys. The API's own address is part of
// the configuration, since a client controls the headers Host and X-Forwarded-Host.
package guard

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/hosts"
)

// Mode determines how sender-constrained tokens are treated.
type Mode string

// The modes.
const (
	Disabled Mode = "DISABLED" // Bearer only; whether a token is bound is ignored
	Allowed  Mode = "ALLOWED"  // Bearer for unbound tokens, DPoP for bound ones
	Required Mode = "REQUIRED" // DPoP only
)

// Config configures a guard. Domain, Audience and PublicURL are required.
type Config struct {
	// Domain is the tenant's host, with an optional port, without a scheme. It is called over https, but on loopback over http unless
	// Secure is set.
	Domain string
	Secure bool
	// Audience is the API's identifier; a token must name it exactly.
	Audience string
	// PublicURL is the API's own address as clients write it, without a path: the beginning of a proof's htu.
	PublicURL string
	Mode      Mode // "" means Allowed
	// Past and Future bound how far the iat of a proof may be before and after now; 0 means 300 s and 30 s.
	Past, Future time.Duration
	// Seen remembers proofs; nil means a memory of this process. Replicas should share a dpop.Shared over one database; otherwise each of
	// them accepts a proof once.
	Seen dpop.Seen
	// Transport fetches the tenant's keys; nil means http.DefaultTransport without a proxy.
	Transport http.RoundTripper
	Now       func() time.Time // nil means time.Now
	Log       *slog.Logger     // nil means nothing is logged
}

// Guard checks requests. It is safe for concurrent use.
type Guard struct {
	config Config
	keys   *keySet
	proofs *dpop.Checker
	origin string
}

// New checks the configuration. It makes no calls: the tenant's keys are fetched for the first token.
func New(c Config) (*Guard, error) {
	base, err := Issuer(c.Domain, c.Secure)
	if err != nil {
		return nil, err
	}
	if c.Audience == "" {
		return nil, errors.New("make guard: the audience is missing")
	}
	u, err := url.Parse(c.PublicURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("make guard: the public address %q must be http or https and a host, without a path", c.PublicURL)
	}
	switch c.Mode {
	case "":
		c.Mode = Allowed
	case Disabled, Allowed, Required:
	default:
		return nil, fmt.Errorf("make guard: the mode %q must be %s, %s or %s", c.Mode, Disabled, Allowed, Required)
	}
	if c.Past == 0 {
		c.Past = dpop.DefaultPast
	}
	if c.Future == 0 {
		c.Future = dpop.DefaultFuture
	}
	if c.Past < 0 || c.Future < 0 {
		return nil, errors.New("make guard: the window of iat must not be negative")
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Transport == nil {
		c.Transport = &http.Transport{TLSHandshakeTimeout: fetchTime, MaxIdleConns: 1, IdleConnTimeout: time.Minute}
	}
	if c.Seen == nil {
		c.Seen = &dpop.Memory{}
	}
	client := &http.Client{Transport: c.Transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	return &Guard{
		config: c, origin: u.Scheme + "://" + u.Host,
		keys:   newKeySet(base, client, c.Now, c.Log),
		proofs: &dpop.Checker{Now: c.Now, Seen: c.Seen, Past: c.Past, Future: c.Future},
	}, nil
}

// Issuer returns the address of a tenant with a domain, without a trailing slash. It returns an error for a domain with a scheme, a path or
// a user.
func Issuer(domain string, secure bool) (string, error) {
	u, err := url.Parse("//" + domain)
	if err != nil || domain == "" || u.Host != domain || u.User != nil || u.Hostname() == "" {
		return "", fmt.Errorf("make guard: the domain %q must be a host such as tenant.example or localhost:8081, without a scheme", domain)
	}
	host := strings.ToLower(domain)
	if !secure && hosts.Loopback(u.Hostname()) {
		return "http://" + host, nil
	}
	return "https://" + host, nil
}

// principalKey is the key of the principal in a request's context.
type principalKey struct{}

// FromContext returns the principal of a request, or nil if the request did not pass a guard.
func FromContext(ctx context.Context) *Principal {
	p, _ := ctx.Value(principalKey{}).(*Principal)
	return p
}

// Require lets a request reach next only with a valid token and, if authorities are given, one of them. It answers all other requests with
// 400, 401, 403 or 503, a JSON body and a challenge.
func (g *Guard) Require(next http.Handler, authorities ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, f := g.Check(r)
		if f == nil && len(authorities) > 0 && !p.Has(authorities...) {
			f = insufficient(schemeOf(r), authorities)
		}
		if f != nil {
			g.config.Log.LogAttrs(r.Context(), slog.LevelInfo, "request refused",
				slog.Int("status", f.Status), slog.String("code", f.Code), slog.String("why", f.Description), slog.Any("cause", f.cause))
			f.write(w)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, p)))
	})
}
