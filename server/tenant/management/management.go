// Package management is the tenant's management API under /api/v2. It has forms and flows, and the administration of clients, APIs, people,
// roles and the sign-in log. All of it shares the check of bearer tokens, the scopes, the rate limit and the format of errors. It checks
// documents with package model and stores everything with package store; it does not know how people sign in.
package management

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Prefix is the common prefix of all paths of the API.
const Prefix = "/api/v2"

// Store is the part of the store that the management API uses.
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

// Config configures the management API. All fields but Audit, SigningOut, Reserved and Observe are required.
type Config struct {
	Audience string // of the tokens it accepts, exact
	Store    Store
	Tokens   *tokens.Tokens
	Now      func() time.Time
	Log      *slog.Logger
	Audit    *audit.Log // if nil, changes are only logged
	// Rate is how many requests a client may make per second; Burst is how many at once.
	Rate, Burst int
	Counts      ratelimit.Store // counts for all replicas; nil means that this process counts its own
	Observe     observe.Func    // observes refusals; may be nil
	// HashPassword returns the stored form of a password of valid length.
	HashPassword func(password string) string
	// TicketURL returns the link that a person opens to set a password.
	TicketURL func(ticket string) string
	// SigningOut finds the applications to which a person is signed in, and returns a function that notifies them that all sign-ins of the
	// person have ended.
	SigningOut func(ctx context.Context, userID string) (notify func(), err error)
	// Reserved lists the IDs of clients that the tenant manages itself and that nobody may change here.
	Reserved []string
}

// Handler serves the management API. It is safe for concurrent use.
type Handler struct {
	Config
	limit *ratelimit.Limiter
	frame *api.API
}

// New returns the management API.
func New(c Config) *Handler {
	h := &Handler{Config: c, limit: ratelimit.Counting{Now: c.Now, Store: c.Counts, Observe: c.Observe}.Limiter("management", c.Rate, c.Burst)}
	h.settle()
	return h
}

// At returns the API at another domain of the tenant, with the audience, the store, the tokens and the links of that domain. Both count
// requests together.
func (h *Handler) At(audience string, s Store, t *tokens.Tokens, ticketURL func(ticket string) string) *Handler {
	out := &Handler{Config: h.Config, limit: h.limit}
	out.Audience, out.Store, out.Tokens, out.TicketURL = audience, s, t, ticketURL
	out.settle()
	return out
}

// settle sets up the fields that depend on the domain.
func (h *Handler) settle() {
	routes := api.Routes{}
	for _, r := range []api.Routes{
		newDocuments(h, forms(), h.Store.Forms()).routes(), newDocuments(h, flows(), h.Store.Flows()).routes(), vault(h),
		newClients(h).routes(), newGrants(h).routes(), newAPIs(h).routes(),
		newUsers(h).routes(), newMethods(h).routes(), newTickets(h).routes(), newRoles(h).routes(), newLogs(h).routes(),
	} {
		maps.Copy(routes, r)
	}
	h.frame = &api.API{
		Audience: h.Audience, Tokens: h.Tokens, Log: h.Log, Limit: h.limit,
		// A client is counted separately for each person for whom it acts, so that one person cannot use up the requests of all others.
		Key:   func(a tokens.Access) string { return "client " + a.ClientID + " for " + a.Subject },
		Admit: admit, Authorize: h.authorize, Errors: style(), MaxBody: schema.MaxBytes, Form: decodeForm,
		Routes: api.NewRouter(Prefix, map[string]api.Param{"id": readID, "method": readMethodID}, routes),
	}
}

// ServeHTTP serves one request below Prefix. Every answer carries the three X-RateLimit headers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.frame.ServeHTTP(w, r) }

// Scopes returns every scope of the API, by resource, as <verb>:<resource>.
func Scopes() []string { return append(DocumentScopes(), AdminScopes()...) }

// DocumentScopes returns the scopes of forms and flows, which an editor of forms needs.
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

// admit requires a valid access token of the tenant for this API, and otherwise answers 401.
func admit(_ *api.Call, refusal *tokens.Refusal) *api.Error {
	if refusal != nil {
		return presented(refusal)
	}
	return nil
}

// authorize checks the caller of an operation, or of a path without one: a refused caller learns nothing about paths.
func (h *Handler) authorize(c *api.Call) *api.Error { return h.check(c, h.Store) }

// check refuses the token of a client that is not global, and of a person who was blocked or deleted since it was issued: a removed
// administrator must not continue for the rest of the token's life. If there is an operation, its scope must be in the token and still be
// held.
func (h *Handler) check(c *api.Call, rows store.Standings) *api.Error {
	scope := ""
	if c.Op != nil {
		scope = c.Op.Scope
	}
	caller := store.Caller{ClientID: c.Token.ClientID, UserID: c.Person(), Audience: h.Audience, Scope: scope}
	s, err := rows.Standing(c.Context(), caller)
	switch {
	case err != nil:
		return c.Down("read permissions", err)
	case !s.Global:
		return unauthorized("The client is not global")
	case caller.UserID != "" && !s.Active:
		return unauthorized("The user is blocked or deleted")
	case scope != "" && (!slices.Contains(c.Token.Scope, scope) || !access.Still(caller, s)):
		return insufficientScope(scope)
	}
	return nil
}

// idShape matches every ID in a path, of at most 30 characters.
var idShape = regexp.MustCompile(`^[A-Za-z0-9_-]{1,30}$`)

// readID reads an ID as it appears in a path. No ID needs escaping.
func readID(escaped string) (string, *api.Error) {
	if !idShape.MatchString(escaped) {
		return "", invalidID()
	}
	return escaped, nil
}

func invalidID() *api.Error {
	return &api.Error{
		Status: http.StatusBadRequest, Code: "invalid_uri",
		Message: "Path validation error: 'must be 1 to 30 letters, digits, _ or -' on property id",
	}
}
