package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Error is an error as a caller sees it; each API has its own wire form for it. It never contains a secret.
type Error struct {
	Status   int
	Code     string // stable
	Message  string // for people; "" for faults of a body, which Problems describe
	Problems schema.Problems
	// Challenge is the content of WWW-Authenticate after the realm, for 401 and 403.
	Challenge string
	Allow     []string      // the methods that the path allows, for 405
	Wait      time.Duration // until a new attempt may succeed, for 429
	// Refusal is the refusal of a token, which sets the headers itself; nil for other errors.
	Refusal *tokens.Refusal
}

// Error returns status, code and message.
func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// Style is the format of an API's errors.
type Style struct {
	Realm       string // of the challenges
	ContentType string
	Exhausted   string // message for too many requests
	Media       string // message for a body of an unsupported media type
	TooLarge    string // message for a body that is too large
	// Body returns the body of an answer, which is encoded as JSON.
	Body func(*Error) any
}

// NotFound returns the error for a path that does not exist.
func NotFound() *Error {
	return &Error{Status: http.StatusNotFound, Code: "not_found", Message: "There is nothing at this path"}
}

// Conflict returns the error for a change that conflicts with the current state.
func Conflict(message string) *Error {
	return &Error{Status: http.StatusConflict, Code: "conflict", Message: message}
}

// TooMany returns the error for too many requests or attempts; wait is the time until the next one is allowed.
func TooMany(message string, wait time.Duration) *Error {
	return &Error{Status: http.StatusTooManyRequests, Code: "too_many_requests", Message: message, Wait: wait}
}

// InvalidBody returns the error for the faults of a body, at least one.
func InvalidBody(ps ...schema.Problem) *Error {
	return &Error{Status: http.StatusBadRequest, Code: "invalid_body", Problems: ps}
}

// Forbidden returns the error for a caller who lacks required scopes. RFC 6750, section 3.1.
func Forbidden(code, message string, scopes ...string) *Error {
	return &Error{
		Status: http.StatusForbidden, Code: code, Message: message,
		Challenge: `error="insufficient_scope", scope="` + strings.Join(scopes, " ") + `"`,
	}
}

// InsufficientScope returns the error for a scope that the token lacks or that its holder has lost.
func InsufficientScope(message, scope string) *Error {
	return Forbidden("insufficient_scope", message+scope, scope)
}

// unavailable returns the error for a store that fails with err. It discloses to the caller whether the disk is full or the database
// read-only, but no other details.
func unavailable(err error) *Error {
	e := &Error{Status: http.StatusServiceUnavailable, Code: "service_unavailable", Message: "The tenant cannot reach its data, try again"}
	switch {
	case errors.Is(err, store.ErrFull):
		e.Code, e.Message = "storage_full", "The tenant cannot store changes: its disk is full"
	case errors.Is(err, store.ErrReadOnly):
		e.Code, e.Message = "storage_read_only", "The tenant cannot store changes: its database is read-only"
	}
	return e
}

// write answers with an error.
func (s Style) write(c *Call, e *Error) {
	switch {
	case e.Refusal != nil:
		e.Refusal.Write(c.Header())
	case e.Status == http.StatusUnauthorized, e.Status == http.StatusForbidden && e.Challenge != "":
		challenge := `Bearer realm="` + s.Realm + `"`
		if e.Challenge != "" {
			challenge += ", " + e.Challenge
		}
		c.Header().Set("WWW-Authenticate", challenge)
	case e.Status == http.StatusMethodNotAllowed:
		c.Header().Set("Allow", strings.Join(e.Allow, ", "))
	case e.Status == http.StatusRequestEntityTooLarge:
		c.Header().Set("Connection", "close") // there may be more than is read
	case e.Status == http.StatusTooManyRequests:
		ratelimit.RetryAfter(c.Header(), e.Wait)
	case e.Status == http.StatusServiceUnavailable:
		c.Header().Set("Retry-After", "1")
	}
	b, err := json.Marshal(s.Body(e))
	if err != nil {
		panic("api: encode error: " + err.Error()) // only for a wrong type in the program
	}
	if e.Status != http.StatusTooManyRequests {
		httpx.SkipBody(c.ResponseWriter, c.Request)
	}
	c.Send(s.ContentType, e.Status, b)
}
