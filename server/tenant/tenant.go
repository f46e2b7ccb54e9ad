// Package tenant composes the embedded tenant into one http.Handler. It has the authorization server, the management API, the self-service
// account API, and the two health checks. Seed creates the initial content of a new tenant; Sync adapts it to its addresses. The BFF uses
// the tenant by its protocols only and never imports this package.
package tenant

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/account"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Limits are the request rates that the tenant allows each client; 0 means the default.
type Limits struct {
	ManagementRate, ManagementBurst int // per second (50), at once (100)
	TokenRate, TokenBurst           int // per second (10), at once (20)
}

// The default limits.
const (
	managementRate, managementBurst = 50, 100
	tokenRate, tokenBurst           = 10, 20
)

// Config configures the tenant.
type Config struct {
	Issuer string // canonical public address, http or https, without a path; a trailing slash is dropped
	// Custom is a second public address at another host, the custom domain; "" for none. Requests whose Host names it get a
	// tenant with that issuer, whose tokens, codes, links and sign-ins are valid only there. People, clients and the access
	// model are the same.
	Custom string
	Store  store.Tenant // required
	Keys   *keys.Set    // required
	// Follow returns the current keys, so that a key rotation needs no restart; the signing keys are used according to their times. If it
	// is nil, those of Keys are used, whatever their times. The master secrets are always those of Keys.
	Follow     func() *keys.Set
	Now        func() time.Time // nil means time.Now
	Log        *slog.Logger     // nil means nothing is logged
	Audit      *audit.Log       // if nil, changes are only logged
	AccessLife time.Duration    // of access tokens; 0 means ten minutes
	Limits     Limits
	Counts     ratelimit.Store // counts for all replicas; nil means that this process counts its own
	// PasskeyGrants are the names of the passkey grant, the tenant's own first; nil means
	// authz.DefaultPasskeyGrant alone.
	PasskeyGrants []string
	// SignUp lets people create their own accounts with a passkey. They get only the preset roles, and their addresses are not
	// confirmed.
	SignUp bool
	// Nonces requires DPoP proofs with nonces of the tenant. RFC 9449, section 8.
	Nonces bool
	// Backchannel carries sign-out notices to clients; nil means a transport of the tenant's own.
	Backchannel http.RoundTripper
	// Observe observes sign-ins, tokens, notices and refusals; may be nil.
	Observe observe.Func
}

// aliases returns alternative names of the two APIs: for the management API its path alone, and for the account API of a tenant on loopback
// with http the same address with https.
func aliases(issuer string) map[string]string {
	out := map[string]string{management.Prefix + "/": access.ManagementAudience(issuer)}
	if host, ok := strings.CutPrefix(issuer, "http://"); ok {
		out[access.SelfServiceAudience("https://"+host)] = access.SelfServiceAudience(issuer)
	}
	return out
}

// New returns the tenant's handler. It is safe for concurrent use and is an io.Closer: after the last request, Close waits at
// most a few seconds for notices to clients.
func New(c Config) (http.Handler, error) {
	c.Issuer, c.Custom = strings.TrimSuffix(c.Issuer, "/"), strings.TrimSuffix(c.Custom, "/")
	all, err := domains(c.Issuer, c.Custom)
	if err != nil {
		return nil, fmt.Errorf("make tenant: %w", err)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	t, err := newTokens(c)
	if err != nil {
		return nil, fmt.Errorf("make tenant: %w", err)
	}
	var signUp func(*schema.Object, time.Time) (store.User, error)
	if c.SignUp {
		signUp = management.NewUser
	}
	canonical := newDomainStore(c.Store, all[0])
	as, err := authz.New(authz.Config{
		Address: authz.Address{Issuer: c.Issuer, Aliases: aliases(c.Issuer), Store: canonical, Tokens: t},
		Signer:  t.Signer, Master: c.Keys.Master, Now: c.Now, Log: c.Log,
		TokenRate: or(c.Limits.TokenRate, tokenRate), TokenBurst: or(c.Limits.TokenBurst, tokenBurst),
		Counts:        c.Counts,
		PasskeyGrants: c.PasskeyGrants, SignUp: signUp, SignInAt: signInAt(c.Store), Relays: []string{EditorClient},
		Backchannel: c.Backchannel, Observe: c.Observe,
	})
	if err != nil {
		return nil, fmt.Errorf("make tenant: %w", err)
	}
	api := management.New(management.Config{
		Audience: access.ManagementAudience(c.Issuer), Store: adminStore{canonical}, Tokens: t, Now: c.Now, Log: c.Log,
		Audit: c.Audit, Rate: or(c.Limits.ManagementRate, managementRate), Burst: or(c.Limits.ManagementBurst, managementBurst),
		Counts: c.Counts, Observe: c.Observe,
		HashPassword: password.Hash, Reserved: []string{EditorClient},
		TicketURL:  func(ticket string) string { return signin.TicketURL(c.Issuer, ticket) },
		SigningOut: func(ctx context.Context, userID string) (func(), error) { return as.SigningOut(ctx, userID, "") },
	})
	me := account.New(account.Config{
		Issuer: c.Issuer, Store: canonical, Tokens: t, Master: c.Keys.Master, HashPassword: password.Hash,
		SignedOut: as.SignedOut, Now: c.Now, Log: c.Log, Counts: c.Counts, Observe: c.Observe, Audit: c.Audit,
	})
	h := &handler{store: c.Store, log: c.Log}
	h.add(c.Issuer, as, api, me)
	for _, d := range all[1:] {
		r, t := newDomainStore(c.Store, d), t.At(d.Issuer)
		h.add(
			d.Issuer, as.At(authz.Address{Issuer: d.Issuer, Aliases: aliases(d.Issuer), Store: r, Tokens: t}),
			api.At(access.ManagementAudience(d.Issuer), adminStore{r}, t, func(ticket string) string { return signin.TicketURL(d.Issuer, ticket) }),
			me.At(d.Issuer, r, t),
		)
	}
	return h, nil
}

// newTokens returns the issuer and verifier of the tenant's tokens.
func newTokens(c Config) (*tokens.Tokens, error) {
	s, err := signer.New(c.Keys)
	if err != nil {
		return nil, err
	}
	if c.Follow != nil {
		s = signer.Follow(c.Follow, c.Now)
	}
	t := &tokens.Tokens{
		Issuer: c.Issuer, Signer: s, Now: c.Now, AccessLife: c.AccessLife, Grants: c.Store, Seen: &dpop.Shared{Rows: c.Store, Name: "tenant"},
	}
	if c.Nonces {
		for _, m := range c.Keys.Master {
			t.NonceKeys = append(t.NonceKeys, m.Derive("dpop nonce", 32))
		}
	}
	return t, nil
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

// handler selects the domain by the host of a request and the part by the escaped path. It does not use a ServeMux, which would clean the
// path and redirect before the management API could refuse it.
type handler struct {
	domains []domain // the canonical one first
	store   store.Tenant
	log     *slog.Logger
}

// add adds a domain whose address has already been parsed.
func (h *handler) add(issuer string, as *authz.Handler, api, me http.Handler) {
	scheme, host, _ := strings.Cut(issuer, "://")
	h.domains = append(h.domains, domain{host: hostOf(scheme, host), scheme: scheme, as: as, api: api, me: me})
}

// Close waits until the clients of both domains have received their sign-out notices.
func (h *handler) Close() error { return h.domains[0].as.Close() }

// ServeHTTP serves one request.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d := h.at(r)
	if d.scheme == "https" {
		httpx.StayOnTLS(w.Header())
	}
	path := r.URL.EscapedPath()
	if path == "/healthz" || path == "/readyz" {
		httpx.SetRoute(r, path)
	}
	switch {
	case path == management.Prefix || strings.HasPrefix(path, management.Prefix+"/"):
		d.api.ServeHTTP(w, r)
	case path == account.Prefix || strings.HasPrefix(path, account.Prefix+"/"):
		d.me.ServeHTTP(w, r)
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
		d.as.ServeHTTP(w, r)
	}
}

func health(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n")) // the client may have left
}
