package management

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// body is the wire form of an error; the first four members are those of the vendor's public API.
type body struct {
	Status   int             `json:"statusCode"`
	Error    string          `json:"error"`
	Message  string          `json:"message"`
	Code     string          `json:"errorCode"`
	Problems schema.Problems `json:"problems,omitempty"`
}

// style returns the format of this API's errors.
func style() api.Style {
	return api.Style{
		Realm: "api", ContentType: "application/json", Exhausted: "Global limit has been reached",
		Media: "The body must be application/json or application/x-www-form-urlencoded, in UTF-8 and not compressed",
		TooLarge: fmt.Sprintf("The body, and the document it leads to, must be at most %d bytes and %d values", schema.MaxBytes,
			schema.MaxValues),
		Body: func(e *api.Error) any {
			b := body{e.Status, http.StatusText(e.Status), e.Message, e.Code, e.Problems}
			if len(e.Problems) > 0 {
				b.Message = firstOf(e.Problems)
			}
			return b
		},
	}
}

// firstOf describes the first problem of a body, for people who read logs.
func firstOf(ps schema.Problems) string {
	m := "Payload validation error: '" + ps[0].Detail + "'"
	if len(ps[0].Path) > 0 {
		m += " on property " + ps[0].Path.String()
	}
	if more := len(ps) - 1; more > 0 {
		m += fmt.Sprintf(" (and %d more)", more)
	}
	return m
}

// presented returns the refusal of a token by how it was sent, in the words of the vendor's public API.
func presented(r *tokens.Refusal) *api.Error {
	e := &api.Error{Status: r.Status, Code: r.Code, Message: "Invalid token", Refusal: r}
	switch {
	case r.Missing():
		e.Message = "Missing authentication"
	case r.Status != http.StatusUnauthorized:
		e.Message = strings.ToUpper(r.Description[:1]) + r.Description[1:]
	}
	return e
}

func unauthorized(message string) *api.Error {
	return &api.Error{Status: http.StatusUnauthorized, Code: "invalid_token", Message: message, Challenge: `error="invalid_token"`}
}

func insufficientScope(scope string) *api.Error {
	return api.InsufficientScope("Insufficient scope, expected any of: ", scope)
}

func invalidQuery(name, detail string) *api.Error {
	return &api.Error{
		Status: http.StatusBadRequest, Code: "invalid_query_string", Message: "Query validation error: '" + detail + "' on property " + name,
	}
}

// notSupported refuses a change that would break the tenant itself.
func notSupported(message string) *api.Error {
	return &api.Error{Status: http.StatusBadRequest, Code: "operation_not_supported", Message: message}
}
