// Package authz is the tenant's authorization server: discovery, the authorization endpoint with its
// pages for password, passkey, code and consent, the token endpoint with one file a grant, revocation,
// user info and sign-out.
// The handler owns what every grant needs: client authentication, access policy, the intersection of
// scopes, and errors; a grant only says who asks for what. It knows nothing of forms.
package authz

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/clientauth"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
	"github.com/formgraph/formgraph/server/tenant/authz/token"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// DefaultPasskeyGrant is the grant type of the passkey login unless Config.PasskeyGrants names others.
const DefaultPasskeyGrant = "urn:formgraph:params:oauth:grant-type:webauthn" //nolint:gosec // a name, no secret

// Store is what the authorization server keeps.
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

// Config is what the authorization server needs. All fields but Backchannel, PasskeyGrants, Relays, SignInAt and
// SignUp are required.
type Config struct {
	Issuer  string            // public address without a trailing slash; claim iss
	Aliases map[string]string // short names of audiences
	Store   Store
	Signer  *signer.Signer
	Tokens  *tokens.Tokens
	Master  []keys.Master // newest first
	Now     func() time.Time
	Log     *slog.Logger
	// TokenRate is how many token requests a client may make a second; TokenBurst how many at once.
	TokenRate, TokenBurst int
	// Relays are the ids of clients in this process that send requests on behalf of browsers: their requests carry
	// the address of the browser and are counted by it.
	Relays []string
	// PasskeyGrants are the names of the passkey grant; nil means DefaultPasskeyGrant alone.
	PasskeyGrants []string
	// SignUp makes a user from the e-mail address and the name that were given at a sign-up, checked as those of
	// POST /users are; nil means that nobody may sign up.
	SignUp func(profile *schema.Object, now time.Time) (store.User, error)
	// SignInAt returns the address where a person starts to sign in without an application, or nil for none.
	SignInAt func(ctx context.Context) *url.URL
	// Backchannel carries the notices of sign-outs to clients; nil means a transport of its own.
	Backchannel http.RoundTripper
}

// How long what the server hands out lives.
const (
	codeLife = time.Minute // RFC 6749, section 4.1.2 recommends at most ten
	// onlineLife is how long an authorization without refresh tokens is remembered, so that the
	// replay of its code is still told from an unknown code.
	onlineLife = 24 * time.Hour
)

// Handler serves the authorization server. It is safe for concurrent use.
type Handler struct {
	Config
	mux      *http.ServeMux
	tokens   *token.Endpoint
	ids      *token.IDTokens
	limit    *ratelimit.Limiter // of clients
	pushes   *ratelimit.Limiter // pushed requests of public clients, by client and network
	guesses  *signin.Guesses
	hashes   *password.Verifier
	passkeys *passkey.Passkeys
	// challenges counts the challenges that a network asks for, shown those in pages.
	challenges, shown *ratelimit.Failures

	pages     *pages.Pages
	journal   *journal.Journal
	policy    *policy.Policy
	browsers  *browser.Browsers
	requests  *request.Requests
	passwords *signin.Passwords
	factors   *signin.Factors
	signIn    *signin.Pages
	clients   *clientauth.Authenticator
	sweeper   *sweeper
	*logout.Notifier
}

// New returns the authorization server.
func New(c Config) (*Handler, error) {
	p, err := pages.New()
	if err != nil {
		return nil, err
	}
	h := &Handler{
		Config:     c,
		limit:      ratelimit.New(c.TokenRate, c.TokenBurst, c.Now),
		pushes:     ratelimit.New(request.PushRate, request.PushBurst, c.Now),
		guesses:    signin.NewGuesses(c.Now),
		hashes:     password.NewVerifier(),
		challenges: ratelimit.NewFailures(passkey.ChallengesPerNetwork, passkey.ChallengeWindow, c.Now),
		shown:      ratelimit.NewFailures(signin.ShownPerNetwork, passkey.ChallengeWindow, c.Now),
		pages:      p,
		sweeper:    &sweeper{store: c.Store, now: c.Now, log: c.Log},
		Notifier:   logout.New(c.Store, c.Tokens, c.Backchannel, c.Log),
	}
	h.settle()
	return h, nil
}

// At returns the authorization server at another address of the tenant: with the issuer, the short names of
// audiences, the store and the tokens of that address. What is counted, kept waiting and told to clients
// goes by one account for both; Close of either ends it.
func (h *Handler) At(issuer string, aliases map[string]string, s Store, t *tokens.Tokens) *Handler {
	out := *h
	out.Issuer, out.Aliases, out.Store, out.Tokens = issuer, aliases, s, t
	out.Notifier = h.Notifier.At(s, t)
	out.settle()
	return &out
}

// settle makes what depends on the address: routes, grants and the relying party.
func (h *Handler) settle() {
	h.journal = &journal.Journal{Log: h.Log, Events: h.Store, Now: h.Now}
	h.policy = &policy.Policy{Issuer: h.Issuer, Aliases: h.Aliases, Store: h.Store, Journal: h.journal}
	h.browsers = &browser.Browsers{Issuer: h.Issuer, Store: h.Store, Master: h.Master, Now: h.Now}
	h.clients = &clientauth.Authenticator{
		Issuer: h.Issuer, Store: h.Store, Tokens: h.Tokens, Journal: h.journal, Requests: h.limit, Relays: h.Relays,
	}
	h.requests = &request.Requests{
		Issuer: h.Issuer, Store: h.Store, Policy: h.policy, Clients: h.clients, Pushes: h.pushes, Pages: h.pages, Journal: h.journal, Now: h.Now,
	}
	h.mux = http.NewServeMux()
	h.passkeys = &passkey.Passkeys{
		Party: factor.NewRelyingParty(h.Issuer, "Formgraph"), Grants: h.passkeyGrants(), Store: h.Store, Policy: h.policy, Clients: h.clients,
		Limit: h.challenges, Journal: h.journal, Now: h.Now, SignUp: h.SignUp,
	}
	h.passwords = &signin.Passwords{Users: h.Store, Guesses: h.guesses, Verifier: h.hashes}
	h.factors = &signin.Factors{Store: h.Store, Party: h.passkeys.Party, Master: h.Master, Now: h.Now}
	h.signIn = &signin.Pages{
		Store: h.Store, Passwords: h.passwords, Factors: h.factors, Passkeys: h.passkeys, Browsers: h.browsers, Requests: h.requests,
		Pages: h.pages, Shown: h.shown, Journal: h.journal, Now: h.Now,
	}
	signOut := &signin.SignOut{
		Store: h.Store, Tokens: h.Tokens, Browsers: h.browsers, Pages: h.pages, Clients: h.Notifier, Journal: h.journal,
	}
	tickets := &signin.Tickets{
		Store: h.Store, Pages: h.pages, Clients: h.Notifier, Journal: h.journal, Now: h.Now, SignInAt: h.SignInAt,
	}
	h.ids = &token.IDTokens{Users: h.Store, Tokens: h.Tokens, Journal: h.journal}
	h.tokens = token.New(token.Config{
		Store: h.Store, Clients: h.clients, Tokens: h.Tokens, IDs: h.ids, Policy: h.policy, Passwords: h.passwords, Factors: h.factors,
		Passkeys: h.passkeys, Journal: h.journal, Now: h.Now,
	})
	userInfo := &token.UserInfo{Store: h.Store, Tokens: h.Tokens, Limit: h.limit, Journal: h.journal}
	if h.passkeys.Party != nil {
		h.mux.HandleFunc("POST /authorize/passkey", h.step(h.signIn.Passkey))
	}
	h.mux.HandleFunc("GET /authorize", h.authorize)
	h.mux.HandleFunc("POST /authorize", h.authorize)
	h.mux.HandleFunc("POST /authorize/password", h.step(h.signIn.Password))
	h.mux.HandleFunc("POST /authorize/code", h.step(h.signIn.Code))
	h.mux.HandleFunc("POST /authorize/consent", h.decide)
	h.mux.Handle("GET /oidc/logout", signOut)
	h.mux.Handle("POST /oidc/logout", signOut)
	h.mux.HandleFunc("GET "+signin.TicketPath, tickets.Show)
	h.mux.HandleFunc("POST "+signin.TicketPath, tickets.Redeem)
	h.pages.Route(h.mux)
	for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"} {
		open(h.mux, path, h.discovery)
	}
	open(h.mux, "/.well-known/jwks.json", h.jwks)
	h.share("/passkey/challenge", h.passkeys.ServeChallenge, http.MethodPost)
	h.share("/passkey/register", h.passkeys.ServeRegister, http.MethodPost)
	h.share("/oauth/par", h.requests.Push, http.MethodPost)
	h.share("/oauth/token", h.tokens.ServeHTTP, http.MethodPost)
	h.share("/oauth/token/{$}", h.tokens.ServeHTTP, http.MethodPost) // clients of the vendor's tenants send the slash
	h.share("/oauth/revoke", h.tokens.Revoke, http.MethodPost)
	h.share("/userinfo", userInfo.ServeHTTP, http.MethodGet, http.MethodPost)
	h.mux.HandleFunc("/", h.pages.NotFound)
}

// open serves a document that pages of every origin may read.
func open(mux *http.ServeMux, path string, do http.HandlerFunc) {
	mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
		cors.Any(w.Header())
		do(w, r)
	})
	mux.HandleFunc("OPTIONS "+path, cors.PreflightAny)
}

// share serves a route that clients call, also from pages of their origins. do calls cors.Allow as soon as it knows
// which client a request is for.
func (h *Handler) share(path string, do http.HandlerFunc, methods ...string) {
	for _, m := range methods {
		h.mux.HandleFunc(m+" "+path, func(w http.ResponseWriter, r *http.Request) {
			cors.Vary(w.Header())
			do(w, r)
		})
	}
	h.mux.HandleFunc("OPTIONS "+path, cors.Preflight(h.Store, h.Log, methods...))
}

// ServeHTTP serves every path of the authorization server; an unknown one is a page that says so.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.mux.ServeHTTP(w, r) }

// passkeyGrants returns the names of the passkey grant, the first one the tenant's own.
func (h *Handler) passkeyGrants() []string {
	if len(h.PasskeyGrants) == 0 {
		return []string{DefaultPasskeyGrant}
	}
	return h.PasskeyGrants
}
