package management

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// apiError is an error as a caller sees it.
type apiError struct {
	status   int
	code     string
	message  string
	scope    string // missing scope, for 403
	scheme   string // error of the bearer challenge, for 401; "" for a bare challenge
	problems schema.Problems
	allow    string          // methods that a path takes, for 405
	refusal  *tokens.Refusal // of how the token came; sets headers of its own
}

// Error returns status and message.
func (e *apiError) Error() string { return fmt.Sprintf("%d: %s", e.status, e.message) }

// body is the wire form of apiError; the first four members are those of the vendor's public API.
type body struct {
	Status   int             `json:"statusCode"`
	Error    string          `json:"error"`
	Message  string          `json:"message"`
	Code     string          `json:"errorCode"`
	Problems schema.Problems `json:"problems,omitempty"`
}

// presented is the refusal of a token by how it came, in the words of the vendor's public API.
func presented(r *tokens.Refusal) *apiError {
	e := &apiError{status: r.Status, code: r.Code, message: "Invalid token", refusal: r}
	switch {
	case r.Missing():
		e.message = "Missing authentication"
	case r.Status != http.StatusUnauthorized:
		e.message = strings.ToUpper(r.Description[:1]) + r.Description[1:]
	}
	return e
}

func unauthorized(message, scheme string) *apiError {
	return &apiError{status: http.StatusUnauthorized, code: "invalid_token", message: message, scheme: scheme}
}

func insufficientScope(scope string) *apiError {
	return &apiError{
		status: http.StatusForbidden, code: "insufficient_scope", scope: scope,
		message: "Insufficient scope, expected any of: " + scope,
	}
}

// invalidBody tells all problems; its message tells the first, for people who read logs.
func invalidBody(ps schema.Problems) *apiError {
	e := &apiError{status: http.StatusBadRequest, code: "invalid_body", problems: ps}
	e.message = "Payload validation error: '" + ps[0].Detail + "'"
	if len(ps[0].Path) > 0 {
		e.message += " on property " + ps[0].Path.String()
	}
	if more := len(ps) - 1; more > 0 {
		e.message += fmt.Sprintf(" (and %d more)", more)
	}
	return e
}

func invalidQuery(name, detail string) *apiError {
	return &apiError{
		status: http.StatusBadRequest, code: "invalid_query_string",
		message: "Query validation error: '" + detail + "' on property " + name,
	}
}

func mediaType() *apiError {
	return &apiError{
		status: http.StatusUnsupportedMediaType, code: "unsupported_media_type",
		message: "The body must be application/json or application/x-www-form-urlencoded, in UTF-8 and not compressed",
	}
}

func tooLarge() *apiError {
	return &apiError{
		status: http.StatusRequestEntityTooLarge, code: "payload_too_large",
		message: fmt.Sprintf("The body, and the document it leads to, must be at most %d bytes and %d values", schema.MaxBytes, schema.MaxValues),
	}
}

// down logs an error of the store and returns what the caller sees of it.
func (h *Handler) down(c *call, action string, err error) *apiError {
	if !errors.Is(err, context.Canceled) {
		h.Log.LogAttrs(c.r.Context(), slog.LevelError, "store failed", slog.String("action", action), slog.Any("error", err))
	}
	return &apiError{
		status: http.StatusServiceUnavailable, code: "service_unavailable",
		message: "The tenant cannot reach its data, try again",
	}
}

// write answers with an error.
func (h *Handler) write(c *call, e *apiError) {
	switch {
	case e.refusal != nil:
		e.refusal.Write(c.Header())
	case e.status == http.StatusUnauthorized:
		challenge := `Bearer realm="api"`
		if e.scheme != "" {
			challenge += `, error="` + e.scheme + `"`
		}
		c.Header().Set("WWW-Authenticate", challenge)
	case e.status == http.StatusForbidden:
		c.Header().Set("WWW-Authenticate", `Bearer realm="api", error="insufficient_scope", scope="`+e.scope+`"`)
	case e.status == http.StatusMethodNotAllowed:
		c.Header().Set("Allow", e.allow)
	case e.status == http.StatusRequestEntityTooLarge:
		c.Header().Set("Connection", "close") // the rest of the body is not worth reading
	case e.status == http.StatusServiceUnavailable:
		c.Header().Set("Retry-After", "1")
	}
	b, err := json.Marshal(body{e.status, http.StatusText(e.status), e.message, e.code, e.problems})
	if err != nil {
		panic("management: encode error: " + err.Error()) // only for a type that is wrong in the program
	}
	writeJSON(c, e.status, b)
}

func writeJSON(w http.ResponseWriter, status int, b []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // a caller that went away needs no answer
}
