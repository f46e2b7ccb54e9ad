// Package account is the self-service account API under /me/v1. People see and change how they authenticate, which applications act for
// them, and where they are signed in. Every call acts for the person of the token and nobody else. The package knows nothing of forms, or
// of how tokens are issued.
package account

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Prefix is the common prefix of all paths of the API.
const Prefix = "/me/v1"

// Fresh is the maximum age of a token's sign-in for actions that would let a thief stay: enrolling and deleting methods. The value is our
// choice.
const Fresh = 5 * time.Minute

// Limits of the requests that one person may make, and of the codes that they may mistype.
const (
	requestRate, requestBurst = 5, 30
	wrongCodes                = 5
	wrongWindow               = 15 * time.Minute
)

// Store is the part of the store that the account API uses.
type Store interface {
	User(ctx context.Context, id string) (store.User, error)
	Client(ctx context.Context, id string) (store.Client, error)
	store.Standings
	cors.Origins
	store.Methods
	store.AuthSessions
	store.Logins
	AddEvent(ctx context.Context, e store.Event) error
}

// Config configures the account API. All fields but Audit, SignedOut and Observe are required.
type Config struct {
	Issuer string // public address of the tenant without a trailing slash
	Store  Store
	Tokens *tokens.Tokens
	Master []keys.Master // newest first
	// HashPassword returns the stored form of a password of valid length.
	HashPassword func(password string) string
	// SignedOut notifies applications that a sign-in of a person has ended, or all of the person's sign-ins if signInID is empty.
	SignedOut func(ctx context.Context, userID, signInID string) error
	Now       func() time.Time
	Log       *slog.Logger
	Audit     *audit.Log      // if nil, changes are only logged
	Counts    ratelimit.Store // counts for all replicas; nil means that this process counts its own
	Observe   observe.Func    // observes refusals; may be nil
}

// maxBody bounds a body in bytes. The largest legitimate one is a passkey with its attestation.
const maxBody = 64 << 10

// Handler serves the account API. It is safe for concurrent use.
type Handler struct {
	Config
	limit   *ratelimit.Limiter
	wrong   *ratelimit.Failures
	hashing chan struct{} // bounds the number of concurrent password hashes, and so their memory

	frame     *api.API
	preflight http.HandlerFunc
}

// New returns the account API.
func New(c Config) *Handler {
	count := ratelimit.Counting{Now: c.Now, Store: c.Counts, Observe: c.Observe}
	h := &Handler{
		Config: c, limit: count.Limiter("account", requestRate, requestBurst), wrong: count.Failures("account codes", wrongCodes, wrongWindow),
		hashing: make(chan struct{}, 2),
	}
	h.settle()
	return h
}

// At returns the API at another domain of the tenant, with the issuer, the store and the tokens of that domain. Both count requests and
// failures together.
func (h *Handler) At(issuer string, s Store, t *tokens.Tokens) *Handler {
	out := &Handler{Config: h.Config, limit: h.limit, wrong: h.wrong, hashing: h.hashing}
	out.Issuer, out.Store, out.Tokens = issuer, s, t
	out.settle()
	return out
}

// settle sets up the fields that depend on the domain.
func (h *Handler) settle() {
	h.preflight = cors.Preflight(h.Store, h.Log, http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete)
	h.frame = &api.API{
		Audience: access.SelfServiceAudience(h.Issuer), Tokens: h.Tokens, Log: h.Log, Limit: h.limit,
		Key:   func(a tokens.Access) string { return "person " + a.Subject },
		Admit: h.admit, Authorize: h.authorize, Errors: style(), MaxBody: maxBody,
		Routes: api.NewRouter(Prefix, map[string]api.Param{"id": readID}, h.routes()),
	}
}

// routes returns the operations of the API.
func (h *Handler) routes() api.Routes {
	const scopeMethods, scopeConsents, scopeSessions = ":me:authentication_methods", ":me:consents", ":me:sessions"
	m := &methods{h, factor.NewRelyingParty(h.Issuer, "Formgraph")}
	e := newEnrolment(m)
	c, s := &consents{h}, &sessions{h}
	return api.Routes{
		"/factors": {http.MethodGet: {Scope: "read:me:factors", Do: e.factors}},
		"/authentication-methods": {
			http.MethodGet:  {Scope: "read" + scopeMethods, Do: m.list},
			http.MethodPost: {Scope: "create" + scopeMethods, Fresh: true, Do: e.begin},
		},
		"/authentication-methods/{id}": {
			http.MethodGet:    {Scope: "read" + scopeMethods, Do: m.get},
			http.MethodPatch:  {Scope: "update" + scopeMethods, Do: m.rename},
			http.MethodDelete: {Scope: "delete" + scopeMethods, Fresh: true, Do: m.delete},
		},
		// The session to be verified came from a recent sign-in and ends within minutes.
		"/authentication-methods/{id}/verify": {http.MethodPost: {Scope: "create" + scopeMethods, Do: e.verify}},
		"/consents":                           {http.MethodGet: {Scope: "read" + scopeConsents, Do: c.list}},
		"/consents/{id}": {
			http.MethodGet:    {Scope: "read" + scopeConsents, Do: c.get},
			http.MethodDelete: {Scope: "delete" + scopeConsents, Do: c.delete},
		},
		"/sessions": {
			http.MethodGet:    {Scope: "read" + scopeSessions, Do: s.list},
			http.MethodDelete: {Scope: "delete" + scopeSessions, Do: s.deleteAll},
		},
		"/sessions/{id}": {http.MethodDelete: {Scope: "delete" + scopeSessions, Do: s.delete}},
	}
}

// ServeHTTP serves one request below Prefix. Every answer except that to a preflight request has the three X-RateLimit
// headers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodOptions {
		api.Harden(w.Header())
		h.preflight(w, r)
		return
	}
	cors.Vary(w.Header())
	h.frame.ServeHTTP(w, r)
}

// admit requires a person who still exists, and lets the pages of the token's client read the answer, even a refusal.
func (h *Handler) admit(c *api.Call, refusal *tokens.Refusal) *api.Error {
	clientID := c.Token.ClientID
	if refusal != nil {
		clientID = refusal.ClientID
	}
	err := h.share(c, clientID)
	if refusal != nil {
		return presented(refusal)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return c.Down("read client", err)
	}
	if err != nil {
		return presented(tokens.Unaccepted(c.Token))
	}
	// The subject of client credentials is not a person, so such a token is refused here too, whatever an access policy says.
	c.User, err = h.Store.User(c.Context(), c.Token.Subject)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return c.Down("read user", err)
	}
	if err != nil || c.User.Blocked {
		return presented(tokens.Unaccepted(c.Token))
	}
	return nil
}

// share lets the pages of a token's client read the answer. It returns store.ErrNotFound if the client does not exist.
func (h *Handler) share(c *api.Call, clientID string) error {
	if clientID == "" {
		return store.ErrNotFound
	}
	client, err := h.Store.Client(c.Context(), clientID)
	cors.Allow(c.Header(), c.Request, client)
	return err
}

// authorize requires the scope of an operation, in the token and still held by the person and allowed to the client, and a recent sign-in
// if the operation demands one.
func (h *Handler) authorize(c *api.Call) *api.Error {
	op := c.Op
	if op == nil {
		return nil
	}
	if !slices.Contains(c.Token.Scope, op.Scope) {
		return insufficientScope(op.Scope)
	}
	caller := store.Caller{ClientID: c.Token.ClientID, UserID: c.User.ID, Audience: access.SelfServiceAudience(h.Issuer), Scope: op.Scope}
	s, err := h.Store.Standing(c.Context(), caller)
	if err != nil {
		return c.Down("read permissions", err)
	}
	if !access.Still(caller, s) {
		return insufficientScope(op.Scope)
	}
	if age := h.Now().Sub(c.Token.AuthTime); op.Fresh && age > Fresh {
		return stepUp()
	}
	return nil
}

// readID reads the ID of a method, a client or a session.
func readID(escaped string) (string, *api.Error) {
	id, ok := api.ReadID(escaped)
	if !ok {
		return "", api.NotFound()
	}
	return id, nil
}
