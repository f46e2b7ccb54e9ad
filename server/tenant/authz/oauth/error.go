// Package oauth is the protocol that every endpoint of the authorization server speaks: parameters, scopes, errors, and the
// words of claims. It knows no client, no person and no store.
package oauth

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// Error is an error for a client. Its codes are those of RFC 6749, sections 4.1.2.1 and 5.2, and RFC 8707, section 2. Descriptions are
// fixed texts and repeat nothing from the request.
type Error struct {
	Status      int    `json:"-"` // of the token endpoint; the authorization endpoint redirects
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
	// Wait is how long the client must wait before it tries again; 0 if unknown.
	Wait time.Duration `json:"-"`
}

// NewError returns an error with its status, code and text.
func NewError(status int, code, description string) *Error {
	return &Error{Status: status, Code: code, Description: description}
}

// Error returns code and description.
func (e *Error) Error() string { return e.Code + ": " + e.Description }

// InvalidRequest is the error for a request that is incomplete, or that repeats or combines parameters it must not.
func InvalidRequest(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_request", description)
}

// InvalidGrant is the error for a code, token or password that is not valid. RFC 6749, section 5.2.
func InvalidGrant(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_grant", description)
}

// InvalidScope is the error for a scope that is malformed, or wider than what was authorized.
func InvalidScope(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_scope", description)
}

// InvalidTarget is the error for an unknown audience. RFC 8707, section 2.
func InvalidTarget() *Error { return BadTarget("the audience is not known here") }

// BadTarget is InvalidTarget with another text.
func BadTarget(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_target", description)
}

// CodeLoginRequired is the code when nobody is signed in, or not in the way that a request requires. OpenID Connect Core, section 3.1.2.6.
const CodeLoginRequired = "login_required"

// LoginRequired is the error with CodeLoginRequired.
func LoginRequired(description string) *Error {
	return NewError(http.StatusBadRequest, CodeLoginRequired, description)
}

// AccessDenied is the error for a request that the person, the client's grants or the policy of an API do not allow.
func AccessDenied(description string) *Error {
	return NewError(http.StatusForbidden, "access_denied", description)
}

// Unavailable is the error for a store that fails. The cause is for the log.
func Unavailable() *Error {
	return NewError(http.StatusServiceUnavailable, "temporarily_unavailable", "the tenant cannot reach its data, try again")
}

// WriteError answers with an error, for the endpoints that clients call.
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

// TooMany returns the error for a client that must wait. what names the excess.
func TooMany(what string, wait time.Duration) *Error {
	e := NewError(http.StatusTooManyRequests, "too_many_requests", what+", wait and try again")
	e.Wait = wait
	return e
}

// Allow reports whether a counted request may continue. If not, it answers 429.
func Allow(w http.ResponseWriter, s ratelimit.State) bool {
	if s.Allowed {
		return true
	}
	WriteError(w, TooMany("too many requests", s.Wait))
	return false
}

// InvalidClient is the error for a client that is not authenticated. It does not reveal whether the client exists.
func InvalidClient() *Error {
	return NewError(http.StatusUnauthorized, "invalid_client", "client authentication failed")
}

// InvalidProof is the error for a DPoP proof. RFC 9449, section 5.
func InvalidProof(description string) *Error {
	return NewError(http.StatusBadRequest, "invalid_dpop_proof", description)
}

// WriteJSON writes v as the whole answer.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("oauth: encode answer: " + err.Error()) // only for a wrong type in the program
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that has gone needs no answer
}
