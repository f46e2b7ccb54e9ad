// Package api is the common frame of the tenant's JSON APIs. It authenticates callers, applies rate limits,
// routes requests to operations, reads bodies, and writes answers and errors. An API provides its operations,
// the tokens that it accepts, and the form of its errors. The frame does not read the store.
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

// API serves one API at one address of the tenant. All fields but Form are required. It is safe for
// concurrent use as long as nobody changes its fields.
type API struct {
	Audience string // of the tokens it accepts, exact
	Tokens   *tokens.Tokens
	Log      *slog.Logger
	Limit    *ratelimit.Limiter
	// Key is what the requests of a token's holder are counted by.
	Key func(tokens.Access) string
	// Admit checks the holder of the token of a call, whichever operation is asked for. With a refusal there
	// is no token, and Admit returns an error that says so.
	Admit func(c *Call, refusal *tokens.Refusal) *Error
	// Authorize decides whether the holder may do the operation of a call, or learn that path or method have
	// none: its error comes first.
	Authorize func(c *Call) *Error
	Routes    *Router
	Errors    Style
	// MaxBody bounds a body in bytes.
	MaxBody int64
	// Form decodes a form-urlencoded body; nil for an API that takes JSON only.
	Form FormDecoder
}

// Operation is what one method of a path does.
type Operation struct {
	Scope string // that the token must carry
	Fresh bool   // the sign-in of the token must be recent; the API says how recent
	Do    func(*Call) *Error
}

// Call is one request and its answer.
type Call struct {
	http.ResponseWriter

	Request *http.Request
	Token   tokens.Access // of the caller
	User    store.User    // of the token, when the API admits people only; else the zero one
	Op      *Operation    // nil when path or method have none

	api *API
	ids map[string]string
}

// Context returns that of the request.
func (c *Call) Context() context.Context { return c.Request.Context() }

// ID returns the id that stands for {id} in the path, "" when the path has none.
func (c *Call) ID() string { return c.ids["id"] }

// Param returns what stands for {name} in the path, "" when the path has none.
func (c *Call) Param(name string) string { return c.ids[name] }

// Person returns the id of the user the token was issued to, "" for a client that asked for itself.
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

// serve counts the request, checks the caller, finds the operation and does it.
func (a *API) serve(c *Call) *Error {
	if n := a.Tokens.Nonce(); n != "" {
		c.Header().Set("DPoP-Nonce", n)
	}
	// The token is looked at first, so that requests are counted for its holder, and before its proof is
	// remembered. A request without a good token is counted for the network it comes from.
	var s ratelimit.State
	counted := false
	token, refusal := a.Tokens.VerifyRequest(c.Request, a.Audience, func(t tokens.Access) bool {
		s, counted = a.Limit.Take(a.Key(t)), true
		return s.Allowed
	})
	if !counted {
		s = a.Limit.Take("network " + clientip.Network(c.Request))
	}
	s.Write(c.Header())
	c.Token = token
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

// Down logs an error of the store, or of another part that must not fail, and returns what the caller sees
// of it. The error of a caller that went away is not logged.
func (c *Call) Down(action string, err error) *Error {
	if !errors.Is(err, context.Canceled) {
		c.api.Log.LogAttrs(c.Context(), slog.LevelError, "store failed", slog.String("action", action), slog.Any("error", err))
	}
	return &Error{Status: http.StatusServiceUnavailable, Code: "service_unavailable", Message: "The tenant cannot reach its data, try again"}
}

// Record keeps one line of the sign-in log about what a call did at a time. What cannot be kept goes to the
// operator's log: what the line is about has happened. A caller that goes away does not stop it.
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
