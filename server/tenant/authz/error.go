package authz

import (
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// Error is what a client is told, by the codes of RFC 6749, sections 4.1.2.1 and 5.2, and RFC 8707,
// section 2. Descriptions are fixed texts and hold nothing that was sent.
type Error struct {
	Status      int    `json:"-"` // of the token endpoint; the authorization endpoint redirects
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
	// Wait is how long the client has to wait before it tries again; 0 leaves that open.
	Wait time.Duration `json:"-"`
}

func newError(status int, code, description string) *Error {
	return &Error{Status: status, Code: code, Description: description}
}

// Error returns code and description.
func (e *Error) Error() string { return e.Code + ": " + e.Description }

func invalidRequest(description string) *Error {
	return newError(http.StatusBadRequest, "invalid_request", description)
}

// invalidGrant is 400, as RFC 6749, section 5.2 has it.
func invalidGrant(description string) *Error {
	return newError(http.StatusBadRequest, "invalid_grant", description)
}

func invalidScope(description string) *Error {
	return newError(http.StatusBadRequest, "invalid_scope", description)
}

func invalidTarget() *Error { return badTarget("the audience is not known here") }

func badTarget(description string) *Error {
	return newError(http.StatusBadRequest, "invalid_target", description)
}

// codeLoginRequired is told to an application while nobody is signed in, or not in the way that a request needs.
// OpenID Connect Core, section 3.1.2.6.
const codeLoginRequired = "login_required"

func loginRequired(description string) *Error {
	return newError(http.StatusBadRequest, codeLoginRequired, description)
}

func accessDenied(description string) *Error {
	return newError(http.StatusForbidden, "access_denied", description)
}

func unavailable() *Error {
	return newError(http.StatusServiceUnavailable, "temporarily_unavailable", "the tenant cannot reach its data, try again")
}

// writeError writes the answer of the token and revocation endpoints.
func writeError(w http.ResponseWriter, e *Error) {
	switch e.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Basic realm="token", charset="UTF-8"`)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	if e.Wait > 0 {
		ratelimit.RetryAfter(w.Header(), e.Wait)
	}
	writeJSON(w, e.Status, e)
}

// tooMany returns the error for a client that must wait; what names what there was too much of.
func tooMany(what string, wait time.Duration) *Error {
	e := newError(http.StatusTooManyRequests, "too_many_requests", what+", wait and try again")
	e.Wait = wait
	return e
}

// allow reports whether a request that was counted may go ahead. If there were too many it answers 429 itself.
func allow(w http.ResponseWriter, s ratelimit.State) bool {
	if s.Allowed {
		return true
	}
	writeError(w, tooMany("too many requests", s.Wait))
	return false
}
