// Package management is the tenant's management API under /api/v2: forms and flows, and the
// administration of clients, APIs, people, roles and the sign-in log, with the bearer check, the scopes,
// the rate limit and the error shape that all of it shares. It judges documents with package model and
// keeps everything through package store; it knows nothing of how people sign in.
package management

import (
	"context"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Prefix is the path all of the API lies below. Spec, section Versioning.
const Prefix = "/api/v2"

// Store is what the management API keeps and looks up.
type Store interface {
	store.Clients
	store.APIs
	store.Users
	store.Roles
	store.Tickets
	store.Events
	store.Methods
	store.Administration
	store.Standings
	Forms() store.Documents
	Flows() store.Documents
}

// Config is what the management API needs. All fields but SigningOut and Reserved are required.
type Config struct {
	Audience string // of the tokens it accepts, exact
	Store    Store
	Tokens   *tokens.Tokens
	Now      func() time.Time
	Log      *slog.Logger
	// Rate is how many requests a client may make a second; Burst how many at once.
	Rate, Burst int
	// HashPassword returns what is kept of a password of good length.
	HashPassword func(password string) string
	// TicketURL returns the link that a person opens to set a password.
	TicketURL func(ticket string) string
	// SigningOut finds the applications that a person is signed in to, and returns what tells them that all
	// sign-ins of the person have ended.
	SigningOut func(ctx context.Context, userID string) (tell func(), err error)
	// Reserved are the ids of clients that the tenant manages itself: nobody may change them here.
	Reserved []string
}

// Handler serves the management API. It is safe for concurrent use.
type Handler struct {
	Config
	limit     *ratelimit.Limiter
	resources map[string]*resource // by the first word of a path
}

// New returns the management API.
func New(c Config) *Handler {
	h := &Handler{Config: c, limit: ratelimit.New(c.Rate, c.Burst, c.Now)}
	h.settle()
	return h
}

// At returns the API at another address of the tenant: with the audience, the store, the tokens and the
// links of that address. Requests are counted for both together.
func (h *Handler) At(audience string, s Store, t *tokens.Tokens, ticketURL func(ticket string) string) *Handler {
	out := *h
	out.Audience, out.Store, out.Tokens, out.TicketURL = audience, s, t, ticketURL
	out.settle()
	return &out
}

// settle binds the resources to the handler.
func (h *Handler) settle() {
	h.resources = map[string]*resource{
		"forms":   h.bind(forms(), h.Store.Forms()),
		"flows":   h.withVault(h.bind(flows(), h.Store.Flows())),
		"clients": h.clients(), "client-grants": h.clientGrants(), "resource-servers": h.resourceServers(),
		"users": h.users(), "tickets": h.tickets(), "roles": h.roles(), "logs": h.logs(),
	}
}

// Scopes returns every scope of the API, by resource, as <verb>:<resource>. Spec, section
// Authentication; those of administration are the vendor's public ones.
func Scopes() []string { return append(DocumentScopes(), AdminScopes()...) }

// DocumentScopes returns the scopes of forms and flows: what an editor of forms needs.
func DocumentScopes() []string { return crud("forms", "flows") }

// AdminScopes returns the scopes of the tenant's administration.
func AdminScopes() []string {
	return append(crud("clients", "client_grants", "resource_servers", "users", "roles"),
		"update:client_keys", "create:user_tickets", "read:logs", "read:authentication_methods", "delete:authentication_methods")
}

func crud(nouns ...string) []string {
	var out []string
	for _, noun := range nouns {
		for _, verb := range []string{"create", "read", "update", "delete"} {
			out = append(out, verb+":"+noun)
		}
	}
	return out
}

// call is one authenticated request.
type call struct {
	http.ResponseWriter

	r     *http.Request
	token tokens.Access
	scope string // that the operation needs; "" when there is no operation
	res   *resource
	id    string // "" for the list
	inner string // the id behind the word behind id; "" for none
}

// person returns the id of the user a token was issued to, "" for a client that asked for itself.
func (c *call) person() string {
	if strings.HasSuffix(c.token.Subject, "@clients") {
		return ""
	}
	return c.token.Subject
}

// ServeHTTP serves one request below Prefix. Every answer carries the three X-RateLimit headers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	c := &call{ResponseWriter: w, r: r}
	// The token is looked at first, so that requests are counted for the client that makes them, and for the person
	// it acts for: one person cannot use up the requests of all who share a client.
	var s ratelimit.State
	counted := false
	refused := h.authenticate(c, func(a tokens.Access) bool {
		s, counted = h.limit.Take("client "+a.ClientID+" for "+a.Subject), true
		return s.Allowed
	})
	if !counted {
		s = h.limit.Take("network " + clientip.Network(r))
	}
	s.Write(w.Header())
	switch {
	case !s.Allowed:
		refused = &apiError{status: http.StatusTooManyRequests, code: "too_many_requests", message: "Global limit has been reached"}
	case refused == nil:
		refused = h.serve(c)
	}
	if refused != nil {
		h.write(c, refused)
	}
}

// authenticate requires a live access token of the tenant for this API. Everything else is 401. Spec, section
// Errors. admit counts the request before a proof is remembered.
func (h *Handler) authenticate(c *call, admit func(tokens.Access) bool) *apiError {
	if n := h.Tokens.Nonce(); n != "" {
		c.Header().Set("DPoP-Nonce", n)
	}
	a, refusal := h.Tokens.VerifyRequest(c.r, h.Audience, admit)
	if refusal != nil {
		return presented(refusal)
	}
	c.token = a
	return nil
}

// serve finds the operation, judges the caller, and does it. A caller that is refused learns nothing of paths.
func (h *Handler) serve(c *call) *apiError {
	do, missing := h.route(c)
	if e := h.judge(c, h.Store); e != nil {
		return e
	}
	if missing != nil {
		return missing
	}
	return do(c)
}

// judge refuses the token of a client that is not global, and of a person who was blocked or deleted since it
// was issued: an administrator who is shut out must not continue for the minutes a token lives. It requires the
// scope of the operation, if there is one: in the token, and still held.
func (h *Handler) judge(c *call, rows store.Standings) *apiError {
	caller := store.Caller{ClientID: c.token.ClientID, UserID: c.person(), Audience: h.Audience, Scope: c.scope}
	s, err := rows.Standing(c.r.Context(), caller)
	switch {
	case err != nil:
		return h.down(c, "read permissions", err)
	case !s.Global:
		return unauthorized("The client is not global", "invalid_token")
	case caller.UserID != "" && !s.Active:
		return unauthorized("The user is blocked or deleted", "invalid_token")
	case c.scope != "" && (!slices.Contains(c.token.Scope, c.scope) || !access.Still(caller, s)):
		return insufficientScope(c.scope)
	}
	return nil
}

// idShape is what every id in a path looks like; the spec bounds it to 30 characters.
var idShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,30}$`)

// route finds resource and operation by the escaped path, so that an escaped slash or dot is never
// taken for a real one. It sets the scope that the operation needs.
func (h *Handler) route(c *call) (do func(*call) *apiError, missing *apiError) {
	path, ok := strings.CutPrefix(c.r.URL.EscapedPath(), Prefix+"/")
	noun, id, hasID := strings.Cut(path, "/")
	id, sub, hasSub := strings.Cut(id, "/")
	sub, inner, hasInner := strings.Cut(sub, "/")
	c.res = h.resources[noun]
	if !ok || c.res == nil || hasSub && c.res.sub[sub] == nil || hasInner && c.res.inner[sub] == nil {
		if c.res != nil && hasSub && c.res.documents != nil {
			return nil, invalidID() // no form and no flow has anything below its id: a slash is a fault of the id
		}
		return nil, &apiError{status: http.StatusNotFound, code: "not_found", message: "There is nothing at this path"}
	}
	if hasID && !idShape.MatchString(id) {
		return nil, invalidID()
	}
	c.id = id
	ops := c.res.list
	switch {
	case hasInner:
		if c.inner, ok = methodID(inner); !ok {
			return nil, invalidMethodID()
		}
		ops = c.res.inner[sub]
	case hasSub:
		ops = c.res.sub[sub]
	case hasID:
		ops = c.res.one
	}
	method := c.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op, ok := ops[method]
	if !ok {
		return nil, &apiError{
			status: http.StatusMethodNotAllowed, code: "method_not_allowed", message: "This path does not take this method", allow: allow(ops),
		}
	}
	c.scope = op.verb
	if !strings.Contains(c.scope, ":") {
		c.scope += ":" + strings.ReplaceAll(noun, "-", "_")
	}
	return op.do, nil
}

func invalidID() *apiError {
	return &apiError{
		status: http.StatusBadRequest, code: "invalid_uri",
		message: "Path validation error: 'must be 1 to 30 letters, digits, _ or -' on property id",
	}
}

func allow(ops map[string]operation) string {
	methods := make([]string, 0, len(ops))
	for m := range ops {
		methods = append(methods, m)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// audit logs a change that was made: who did what, never the content.
func (h *Handler) audit(c *call, did, id string) {
	h.Log.LogAttrs(c.r.Context(), slog.LevelInfo, c.res.noun+" "+did, slog.String("id", id),
		slog.String("client", c.token.ClientID), slog.String("subject", c.token.Subject))
}
