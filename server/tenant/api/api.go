// Package api is the common frame of the tenant's JSON APIs. It authenticates callers, applies rate limits, routes requests to operations,
// reads bodies, and writes answers and errors. An API provides its operations, the tokens that it accepts, and the format of its errors.
// The frame does not read the store.
package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// API serves one API at one address of the tenant. All fields but Form are required. It is safe for concurrent use as long as nobody
// changes its fields.
type API struct {
	Audience string // of the tokens it accepts, exact
	Tokens   *tokens.Tokens
	Log      *slog.Logger
	Limit    *ratelimit.Limiter
	// Key returns the key under which the requests of a token's holder are counted.
	Key func(tokens.Access) string
	// Admit checks the holder of a call's token, whichever operation is requested. If refusal is not nil, there is no valid token, and
	// Admit returns the error to answer with.
	Admit func(c *Call, refusal *tokens.Refusal) *Error
	// Authorize decides whether the holder may run the operation of a call, or may learn that the path or method does not exist: its error
	// takes precedence.
	Authorize func(c *Call) *Error
	Routes    *Router
	Errors    Style
	// MaxBody bounds a body in bytes.
	MaxBody int64
	// Form decodes a form-urlencoded body; nil for an API that takes JSON only.
	Form FormDecoder
}

// Operation is the implementation of one method of a path.
type Operation struct {
	Scope string // the scope that the token must have
	Fresh bool   // requires a recent sign-in; the API defines how recent
	Do    func(*Call) *Error
}

// Call is one request and its answer.
type Call struct {
	http.ResponseWriter

	Request *http.Request
	Token   tokens.Access // of the caller
	User    store.User    // the token's person if the API admits only people, else zero
	Op      *Operation    // nil if the path or method does not exist

	api *API
	ids map[string]string
}

// Context returns the context of the request.
func (c *Call) Context() context.Context { return c.Request.Context() }

// ID returns the ID at {id} in the path, or "" if the path has none.
func (c *Call) ID() string { return c.ids["id"] }

// Param returns the ID at {name} in the path, or "" if the path has none.
func (c *Call) Param(name string) string { return c.ids[name] }

// Person returns the ID of the user to whom the token was issued, or "" for a client that acts for itself.
func (c *Call) Person() string {
	if strings.HasSuffix(c.Token.Subject, "@clients") {
		return ""
	}
	return c.Token.Subject
}

// ServeHTTP serves one request. Every answer carries the three X-RateLimit headers, and none is cached.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	Harden(w.Header())
	c := &Call{ResponseWriter: w, Request: r, api: a}
	if e := a.serve(c); e != nil {
		a.Errors.write(c, e)
	}
}

// serve counts the request, checks the caller, and finds and runs the operation.
func (a *API) serve(c *Call) *Error {
	if n := a.Tokens.Nonce(); n != "" {
		c.Header().Set("DPoP-Nonce", n)
	}
	// The token comes first, so that requests are counted for its holder, and before its proof is remembered. A request without a valid
	// token is counted for its network.
	var s ratelimit.State
	counted := false
	token, refusal := a.Tokens.VerifyRequest(c.Request, a.Audience, func(t tokens.Access) bool {
		s, counted = a.Limit.Take(c.Request.Context(), a.Key(t)), true
		return s.Allowed
	})
	if !counted {
		s = a.Limit.Take(c.Request.Context(), "network "+clientip.Network(c.Request))
	}
	s.Write(c.Header())
	c.Token = token
	if refusal != nil {
		refusal.Log(c.Context(), a.Log)
	}
	refused := a.Admit(c, refusal)
	if !s.Allowed {
		return TooMany(a.Errors.Exhausted, s.Wait)
	}
	if refused != nil {
		return refused
	}
	missing := a.Routes.find(c)
	if e := a.Authorize(c); e != nil {
		return e
	}
	if missing != nil {
		return missing
	}
	return c.Op.Do(c)
}

// Down logs an error of the store, or of another part that must not fail, and returns the error for the caller. It does not log an error if
// the caller has gone.
func (c *Call) Down(action string, err error) *Error {
	if !errors.Is(err, context.Canceled) {
		c.api.Log.LogAttrs(c.Context(), slog.LevelError, "store failed", slog.String("action", action), slog.Any("error", err))
	}
	return unavailable(err)
}

// Record stores one line of the sign-in log about a call at a time. If that fails, the failure is logged for the operator, since the event
// itself has happened. It continues if the caller leaves.
func (c *Call) Record(log interface {
	AddEvent(ctx context.Context, e store.Event) error
}, at time.Time, e store.Event,
) {
	e.At, e.ClientID, e.Address = at, c.Token.ClientID, clientip.Of(c.Request)
	ctx := context.WithoutCancel(c.Context())
	if err := log.AddEvent(ctx, e); err != nil {
		c.api.Log.LogAttrs(ctx, slog.LevelError, "store failed", slog.String("action", "keep event"), slog.Any("error", err))
	}
}
