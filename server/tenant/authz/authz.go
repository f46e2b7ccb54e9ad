// Package authz is the tenant's authorization server. It composes the packages below it: it configures them, routes
// requests to them, and publishes the metadata. It knows nothing of forms.
//
// Package oauth has the protocol's types; journal, pages, policy, clientauth and browser serve every endpoint; request
// reads authorization requests, signin and passkey find out who a person is, permit and token issue codes and tokens, and
// logout notifies clients of sign-outs.
package authz

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/permit"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// DefaultPasskeyGrant is the grant type of the passkey login unless Config.PasskeyGrants names others.
const DefaultPasskeyGrant = "urn:formgraph:params:oauth:grant-type:webauthn" //nolint:gosec // a name, no secret

// Store is the part of the store that the authorization server uses.
type Store interface {
	store.Clients
	store.APIs
	store.Users
	store.SignIns
	store.Grants
	store.Methods
	store.AuthSessions
	store.Roles
	store.Tickets
	store.Events
	store.Consents
	store.Requests
	store.Recipients
}

// An Address holds the settings that differ between the addresses of a tenant. All fields but Aliases are required.
type Address struct {
	Issuer  string            // public address without a trailing slash; claim iss
	Aliases map[string]string // short names of audiences
	Store   Store
	Tokens  *tokens.Tokens
}

// Config configures the authorization server. All fields but Backchannel, Observe, PasskeyGrants, Relays, SignInAt and SignUp are required.
type Config struct {
	Address // the first one

	Signer *signer.Signer
	Master []keys.Master // newest first
	Now    func() time.Time
	Log    *slog.Logger
	// TokenRate is how many token requests a client may make per second; TokenBurst is how many at once.
	TokenRate, TokenBurst int
	// Counts counts requests and failures for all replicas; nil means that this process counts its own.
	Counts ratelimit.Store
	// Relays are the ids of clients in this process that send requests on behalf of browsers. Their requests carry the
	// address of the browser and are counted by it.
	Relays []string
	// PasskeyGrants are the names of the passkey grant; nil means DefaultPasskeyGrant alone.
	PasskeyGrants []string
	// SignUp makes a user from the e-mail address and the name given at a sign-up, which are checked like those of POST /users. nil means
	// that nobody may sign up.
	SignUp func(profile *schema.Object, now time.Time) (store.User, error)
	// SignInAt returns the address where a person starts to sign in without an application, or nil for none.
	SignInAt func(ctx context.Context) *url.URL
	// Backchannel carries sign-out notices to clients; nil means a transport of its own.
	Backchannel http.RoundTripper
	// Observe observes sign-ins, tokens, notices and refusals; may be nil.
	Observe observe.Func
}

// Handler serves the authorization server at one address. It is safe for concurrent use.
type Handler struct {
	*logout.Notifier
	core *core
	mux  *http.ServeMux
}

// core is shared by all addresses: the configuration, and everything that counts or waits.
type core struct {
	config     Config // without an Address
	pages      *pages.Pages
	requests   *ratelimit.Limiter  // of clients
	pushes     *ratelimit.Limiter  // pushed requests of public clients
	challenges *ratelimit.Failures // challenges requested by a network
	shown      *ratelimit.Failures // challenges shown to a network in pages
	guesses    *signin.Guesses
	verifier   *password.Verifier
	sweeper    *permit.Sweeper
}

// New returns the authorization server at its first address.
func New(c Config) (*Handler, error) {
	p, err := pages.New()
	if err != nil {
		return nil, err
	}
	if len(c.PasskeyGrants) == 0 {
		c.PasskeyGrants = []string{DefaultPasskeyGrant}
	}
	count := ratelimit.Counting{Now: c.Now, Store: c.Counts, Observe: c.Observe}
	k := &core{
		config:     c,
		pages:      p,
		requests:   count.Limiter("clients", c.TokenRate, c.TokenBurst),
		pushes:     count.Limiter("pushes", request.PushRate, request.PushBurst),
		challenges: count.Failures("challenges", passkey.ChallengesPerNetwork, passkey.ChallengeWindow),
		shown:      count.Failures("shown", signin.ShownPerNetwork, passkey.ChallengeWindow),
		guesses:    signin.NewGuesses(count),
		verifier:   password.NewVerifier(),
		sweeper:    &permit.Sweeper{Store: c.Store, Now: c.Now, Log: c.Log},
	}
	k.config.Address = Address{}
	return k.at(c.Address, logout.New(c.Store, c.Tokens, c.Backchannel, c.Log, c.Observe)), nil
}

// At returns the authorization server at another address of the tenant. Both have the same limits and notify clients from
// one queue; Close of either ends it.
func (h *Handler) At(a Address) *Handler { return h.core.at(a, h.Notifier.At(a.Store, a.Tokens)) }

// at composes the server at an address.
func (k *core) at(a Address, clients *logout.Notifier) *Handler {
	p := k.parts(a, clients)
	h := &Handler{Notifier: clients, core: k, mux: http.NewServeMux()}
	p.browserRoutes(h.mux)
	p.clientRoutes(h.mux, a.Store, k.config.Log)
	publish(h.mux, a.Issuer, p.tokens.GrantTypes(), k.config.Signer)
	return h
}

// ServeHTTP serves every path of the authorization server. For an unknown path it shows a page that says so.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mux.ServeHTTP(w, r)
	if _, path, ok := strings.Cut(r.Pattern, " "); ok { // only the pattern for unknown paths has no method
		httpx.SetRoute(r, path)
	}
}
