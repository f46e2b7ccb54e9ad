// Package account is the self-service account API under /me/v1: people see and change how they prove who
// they are, which applications act for them, and where they are signed in. Every call is for the person
// of the token and nobody else. It knows nothing of how tokens are earned, nor of forms.
package account

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Prefix is the path all of the API lies below. Spec, section Versioning.
const Prefix = "/me/v1"

// Audience returns the identifier of the API at an issuer without a trailing slash. Spec, section
// Self-service account API, rule 1.
func Audience(issuer string) string { return access.SelfServiceAudience(issuer) }

// Scopes returns every scope of the API.
func Scopes() []string { return access.SelfServiceScopes() }

// Fresh is how old the sign-in of a token may be for what would let a thief stay: enrolling and deleting
// methods. Spec, section Self-service account API, rule 8; the time is our choice.
const Fresh = 5 * time.Minute

// Requests that one person may make, and codes they may mistype.
const (
	requestRate, requestBurst = 5, 30
	wrongCodes                = 5
	wrongWindow               = 15 * time.Minute
)

// Store is what the account API keeps and looks up.
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

// Config is what the account API needs. All fields but SignedOut are required.
type Config struct {
	Issuer string // public address of the tenant without a trailing slash
	Store  Store
	Tokens *tokens.Tokens
	Master []keys.Master // newest first
	// HashPassword returns what is kept of a password; MaxPassword bounds one in bytes.
	HashPassword func(password string) string
	MaxPassword  int
	// SignedOut tells applications that a sign-in of a person has ended, or all when signInID is empty.
	SignedOut func(ctx context.Context, userID, signInID string) error
	Now       func() time.Time
	Log       *slog.Logger
}

// Handler serves the account API. It is safe for concurrent use.
type Handler struct {
	Config
	limit    *ratelimit.Limiter
	wrong    *ratelimit.Failures
	hashing  chan struct{}         // bounds how many passwords are hashed at once, and so the memory
	passkeys *factor.RelyingParty  // nil when passkeys are off
	kinds    []kind                // of methods that can be enrolled, in the order they are listed
	routes   map[string]operations // by path without Prefix; {id} stands for one word

	preflight http.HandlerFunc
}

// New returns the account API.
func New(c Config) *Handler {
	h := &Handler{
		Config: c, limit: ratelimit.New(requestRate, requestBurst, c.Now), wrong: ratelimit.NewFailures(wrongCodes, wrongWindow, c.Now),
		hashing: make(chan struct{}, 2),
	}
	h.settle()
	return h
}

// At returns the API at another address of the tenant: with the issuer, the store and the tokens of that
// address. What is counted is counted for both together.
func (h *Handler) At(issuer string, s Store, t *tokens.Tokens) *Handler {
	out := *h
	out.Issuer, out.Store, out.Tokens = issuer, s, t
	out.settle()
	return &out
}

// settle makes what depends on the address.
func (h *Handler) settle() {
	h.passkeys = factor.NewRelyingParty(h.Issuer, "Formgraph")
	h.kinds = h.allKinds()
	h.preflight = cors.Preflight(h.Store, h.Log, http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete)
	const methods, consents, sessions = "authentication_methods", "consents", "sessions"
	h.routes = map[string]operations{
		"/factors": {http.MethodGet: {scope: "read:me:factors", do: h.factors}},
		"/authentication-methods": {
			http.MethodGet:  {scope: "read:me:" + methods, do: h.listMethods},
			http.MethodPost: {scope: "create:me:" + methods, fresh: true, do: h.enrol},
		},
		"/authentication-methods/{id}": {
			http.MethodGet:    {scope: "read:me:" + methods, do: h.getMethod},
			http.MethodPatch:  {scope: "update:me:" + methods, do: h.renameMethod},
			http.MethodDelete: {scope: "delete:me:" + methods, fresh: true, do: h.deleteMethod},
		},
		// The session that is verified was made by a fresh sign-in and ends in minutes by itself.
		"/authentication-methods/{id}/verify": {http.MethodPost: {scope: "create:me:" + methods, do: h.verify}},
		"/consents":                           {http.MethodGet: {scope: "read:me:" + consents, do: h.listConsents}},
		"/consents/{id}": {
			http.MethodGet:    {scope: "read:me:" + consents, do: h.getConsent},
			http.MethodDelete: {scope: "delete:me:" + consents, do: h.deleteConsent},
		},
		"/sessions": {
			http.MethodGet:    {scope: "read:me:" + sessions, do: h.listSessions},
			http.MethodDelete: {scope: "delete:me:" + sessions, do: h.deleteSessions},
		},
		"/sessions/{id}": {http.MethodDelete: {scope: "delete:me:" + sessions, do: h.deleteSession}},
	}
}

// operation is what one method of a path does.
type operation struct {
	scope string
	fresh bool // the sign-in must be younger than Fresh
	do    func(*call) *apiError
}

// operations are those of a path, by HTTP method.
type operations map[string]operation

// call is one authenticated request.
type call struct {
	http.ResponseWriter

	r     *http.Request
	token tokens.Access
	user  store.User // of the token
	id    string     // in the path; "" when there is none
}

// ServeHTTP serves one request below Prefix. Every answer carries the three X-RateLimit headers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodOptions {
		h.preflight(w, r)
		return
	}
	cors.Vary(w.Header())
	c := &call{ResponseWriter: w, r: r}
	var s ratelimit.State
	counted := false
	refused := h.authenticate(c, func(a tokens.Access) bool {
		s, counted = h.limit.Take("person "+a.Subject), true
		return s.Allowed
	})
	if !counted {
		s = h.limit.Take("network " + clientip.Network(r))
	}
	s.Write(w.Header())
	switch {
	case !s.Allowed:
		refused = tooMany(s.Wait)
	case refused == nil:
		refused = h.route(c)
	}
	if refused != nil {
		h.write(c, refused)
	}
}

// authenticate requires a live access token of the tenant for this API, as Bearer or with a proof of its key, that
// was issued to a person who still exists. admit counts the request before a proof is remembered.
func (h *Handler) authenticate(c *call, admit func(tokens.Access) bool) *apiError {
	if n := h.Tokens.Nonce(); n != "" {
		c.Header().Set("DPoP-Nonce", n)
	}
	a, refusal := h.Tokens.VerifyRequest(c.r, Audience(h.Issuer), admit)
	if refusal != nil {
		a.ClientID = refusal.ClientID
	}
	err := h.share(c, a.ClientID)
	if refusal != nil {
		return presented(refusal)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return h.down(c, "read client", err)
	}
	if err != nil {
		return presented(tokens.Unaccepted(a))
	}
	// The subject of client credentials is not a person, so such a token is refused here too, whatever an
	// access policy says. Spec, section Self-service account API, rule 4.
	u, err := h.Store.User(c.r.Context(), a.Subject)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return h.down(c, "read user", err)
	}
	if err != nil || u.Blocked {
		return presented(tokens.Unaccepted(a))
	}
	c.token, c.user = a, u
	return nil
}

// share lets the pages of a token's client read the answer, whatever that will be. It returns store.ErrNotFound
// when there is no such client.
func (h *Handler) share(c *call, clientID string) error {
	if clientID == "" {
		return store.ErrNotFound
	}
	client, err := h.Store.Client(c.r.Context(), clientID)
	cors.Allow(c.Header(), c.r, client)
	return err
}

// route finds the operation by the escaped path, so that an escaped slash is never taken for a real one.
func (h *Handler) route(c *call) *apiError {
	path, _ := strings.CutPrefix(c.r.URL.EscapedPath(), Prefix)
	words := strings.Split(path, "/")
	if len(words) > 2 {
		// An id holds a bar, which clients send escaped or not.
		id, err := url.PathUnescape(words[2])
		if err != nil || !idShape(id) {
			return notFound()
		}
		c.id, words[2] = id, "{id}"
	}
	ops, ok := h.routes[strings.Join(words, "/")]
	if !ok {
		return notFound()
	}
	op, ok := ops[c.r.Method]
	if !ok {
		return methodNotAllowed(ops)
	}
	if e := h.may(c, op.scope); e != nil {
		return e
	}
	if age := h.Now().Sub(c.token.AuthTime); op.fresh && age > Fresh {
		return stepUp()
	}
	return op.do(c)
}

// may requires a scope: in the token, and still held by the person and allowed to the client.
func (h *Handler) may(c *call, scope string) *apiError {
	if !slices.Contains(c.token.Scope, scope) {
		return insufficientScope(scope)
	}
	caller := store.Caller{ClientID: c.token.ClientID, UserID: c.user.ID, Audience: Audience(h.Issuer), Scope: scope}
	s, err := h.Store.Standing(c.r.Context(), caller)
	if err != nil {
		return h.down(c, "read permissions", err)
	}
	if !access.Still(caller, s) {
		return insufficientScope(scope)
	}
	return nil
}

// idShape reports whether s may be an id: of a method, a client or a session.
func idShape(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '|':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// audit logs a change that was made: who did what, never a secret.
func (h *Handler) audit(c *call, did string, attrs ...slog.Attr) {
	attrs = append(attrs, slog.String("user", c.user.ID), slog.String("client", c.token.ClientID), slog.String("address", clientip.Of(c.r)))
	h.Log.LogAttrs(c.r.Context(), slog.LevelInfo, did, attrs...)
}
