// Package tenant composes the embedded tenant into one http.Handler: the authorization server, the
// management API, the self-service account API, and the two health checks. Seed makes what a new tenant needs to be of use, Sync
// follows its addresses. The BFF speaks to it by its protocols only and never imports it.
package tenant

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/account"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Limits are the rates the tenant allows each client, all in requests; 0 means the default.
type Limits struct {
	ManagementRate, ManagementBurst int // a second (50), at once (100)
	TokenRate, TokenBurst           int // a second (10), at once (20)
}

// The default limits.
const (
	managementRate, managementBurst = 50, 100
	tokenRate, tokenBurst           = 10, 20
)

// Config is what the tenant needs.
type Config struct {
	Issuer string       // public address, http or https, without a path; a trailing slash is dropped
	Store  store.Tenant // required
	Keys   *keys.Set    // required
	// Follow returns the keys as they are now, for a tenant that sees a key rotation without a restart;
	// its signing keys count by their times. nil means that those of Keys stay, whatever their times.
	// The master secrets are always those of Keys.
	Follow     func() *keys.Set
	Now        func() time.Time // nil means time.Now
	Log        *slog.Logger     // nil means nothing is logged
	AccessLife time.Duration    // of access tokens; 0 means ten minutes
	Limits     Limits
	// PasskeyGrants are the names of the passkey grant, the tenant's own first; nil means
	// authz.DefaultPasskeyGrant alone.
	PasskeyGrants []string
	// Nonces asks DPoP proofs for nonces of the tenant. RFC 9449, section 8.
	Nonces bool
	// Backchannel carries what clients are told of sign-outs; nil means a transport of the tenant's own.
	Backchannel http.RoundTripper
}

// audience returns the identifier of the management API: issuer and path, with the slash that the
// vendor's clients send.
func audience(issuer string) string { return issuer + management.Prefix + "/" }

// selfService returns the identifier of the self-service account API: the host that is called, as the
// spec has it, section Self-service account API, rule 1, under the scheme it is called by.
func selfService(issuer string) string { return issuer + "/me/" }

// aliases are the other names of the two APIs: that of the management API is the spec's, section
// Authentication; that of the account API keeps the spec's https where a tenant on loopback has http.
func aliases(issuer string) map[string]string {
	out := map[string]string{management.Prefix + "/": audience(issuer)}
	if host, ok := strings.CutPrefix(issuer, "http://"); ok {
		out["https://"+host+"/me/"] = selfService(issuer)
	}
	return out
}

// New returns the tenant's handler. It is safe for concurrent use, and an io.Closer: once it serves no
// more, Close waits for what it still tells clients, at most some seconds.
func New(c Config) (http.Handler, error) {
	c.Issuer = strings.TrimSuffix(c.Issuer, "/")
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s, err := signer.New(c.Keys)
	if err != nil {
		return nil, fmt.Errorf("make tenant: %w", err)
	}
	if c.Follow != nil {
		s = signer.Follow(c.Follow, c.Now)
	}
	t := &tokens.Tokens{Issuer: c.Issuer, Signer: s, Now: c.Now, AccessLife: c.AccessLife}
	if c.Nonces {
		for _, m := range c.Keys.Master {
			t.NonceKeys = append(t.NonceKeys, m.Derive("dpop nonce", 32))
		}
	}
	as, err := authz.New(authz.Config{
		Issuer: c.Issuer, Aliases: aliases(c.Issuer),
		Store: c.Store, Signer: s, Tokens: t, Master: c.Keys.Master, Now: c.Now, Log: c.Log,
		TokenRate: or(c.Limits.TokenRate, tokenRate), TokenBurst: or(c.Limits.TokenBurst, tokenBurst),
		PasskeyGrants: c.PasskeyGrants,
		Backchannel:   c.Backchannel,
	})
	if err != nil {
		return nil, fmt.Errorf("make tenant: %w", err)
	}
	api := management.New(management.Config{
		Audience: audience(c.Issuer), Store: c.Store, Tokens: t, Now: c.Now, Log: c.Log,
		Rate: or(c.Limits.ManagementRate, managementRate), Burst: or(c.Limits.ManagementBurst, managementBurst),
		HashPassword: authz.HashPassword, Reserved: []string{EditorClient},
		TicketURL: func(ticket string) string { return authz.TicketURL(c.Issuer, ticket) },
		SignedOut: func(ctx context.Context, userID string) error { return as.SignedOut(ctx, userID, "") },
	})
	me := account.New(account.Config{
		Issuer: c.Issuer, Store: c.Store, Tokens: t, Master: c.Keys.Master, HashPassword: authz.HashPassword,
		MaxPassword: authz.MaxPassword, SignedOut: as.SignedOut, Now: c.Now, Log: c.Log,
	})
	return &handler{as: as, api: api, me: me, store: c.Store, log: c.Log}, nil
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// handler tells the parts apart by the escaped path. It is no ServeMux, which would clean the path and
// redirect before the management API could refuse it.
type handler struct {
	as      *authz.Handler
	api, me http.Handler
	store   store.Tenant
	log     *slog.Logger
}

// Close waits for the clients that are being told of a sign-out.
func (h *handler) Close() error { return h.as.Close() }

// ServeHTTP serves one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.EscapedPath(); {
	case path == management.Prefix || strings.HasPrefix(path, management.Prefix+"/"):
		h.api.ServeHTTP(w, r)
	case path == account.Prefix || strings.HasPrefix(path, account.Prefix+"/"):
		h.me.ServeHTTP(w, r)
	case path == "/healthz":
		health(w, http.StatusOK, "ok")
	case path == "/readyz":
		if err := h.store.Ping(r.Context()); err != nil {
			h.log.LogAttrs(r.Context(), slog.LevelError, "store failed", slog.String("action", "ready check"), slog.Any("error", err))
			health(w, http.StatusServiceUnavailable, "the store cannot be reached")
			return
		}
		health(w, http.StatusOK, "ok")
	default:
		h.as.ServeHTTP(w, r)
	}
}

func health(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // who asked may be gone
}
