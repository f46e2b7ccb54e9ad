// Package oauth has what every endpoint of the authorization server speaks: the parameters of a request, the
// errors of the standards and how they are answered. It knows no client, no person and no store.
package oauth

import (
	"encoding/json"
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

// NewError returns an error with its status, code and text.
func NewError(status int, code, description string) *Error {
	return &Error{Status: status, Code: code, Description: description}
}

// Error returns code and description.
func (e *Error) Error() string { return e.Code + ": " + e.Description }

// InvalidRequest is the error about a request that is incomplete, or repeats or mixes what it must not.
func InvalidRequest(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_request", description)
}

// InvalidGrant is 400, as RFC 6749, section 5.2 has it.
func InvalidGrant(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_grant", description)
}

// InvalidScope is the error about a scope that is malformed, or wider than what was authorized.
func InvalidScope(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_scope", description)
}

// InvalidTarget is the error about an audience that is no API here. RFC 8707, section 2.
func InvalidTarget() *Error { return BadTarget("the audience is not known here") }

// BadTarget is InvalidTarget with a text of its own.
func BadTarget(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_target", description)
}

// CodeLoginRequired is told to an application while nobody is signed in, or not in the way that a request needs.
// OpenID Connect Core, section 3.1.2.6.
const CodeLoginRequired = "login_required"

// LoginRequired is the error with CodeLoginRequired.
func LoginRequired(description string) *Error {
	return NewError(http.StatusBadRequest, CodeLoginRequired, description)
}

// AccessDenied is the error about what the client, the person or the policy of an API does not allow.
func AccessDenied(description string) *Error {
	return NewError(http.StatusForbidden, "access_denied", description)
}

// Unavailable is the error about a store that fails; what failed is for the log.
func Unavailable() *Error {
	return NewError(http.StatusServiceUnavailable, "temporarily_unavailable", "the tenant cannot reach its data, try again")
}

// WriteError writes the answer of the token and revocation endpoints.
func WriteError(w http.ResponseWriter, e *Error) {
	switch e.Status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", `Basic realm="token", charset="UTF-8"`)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "1")
	}
	if e.Wait > 0 {
		ratelimit.RetryAfter(w.Header(), e.Wait)
	}
	WriteJSON(w, e.Status, e)
}

// TooMany returns the error for a client that must wait; what names what there was too much of.
func TooMany(what string, wait time.Duration) *Error {
	e := NewError(http.StatusTooManyRequests, "too_many_requests", what+", wait and try again")
	e.Wait = wait
	return e
}

// Allow reports whether a request that was counted may go ahead. If there were too many it answers 429 itself.
func Allow(w http.ResponseWriter, s ratelimit.State) bool {
	if s.Allowed {
		return true
	}
	WriteError(w, TooMany("too many requests", s.Wait))
	return false
}

// InvalidClient does not say whether the client exists.
func InvalidClient() *Error {
	return NewError(http.StatusUnauthorized, "invalid_client", "client authentication failed")
}

// InvalidProof is the error about a DPoP proof. RFC 9449, section 5.
func InvalidProof(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_dpop_proof", description)
}

// WriteJSON writes v as the whole answer.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("oauth: encode answer: " + err.Error()) // only for a type that is wrong in the program
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that went away needs no answer
}
