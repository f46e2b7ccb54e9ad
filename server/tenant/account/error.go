package account

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/tenant/api"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// typePrefix begins the type of every error; the word after it is stable. The format is that of the vendor's public API: an RFC 9457
// problem with validation_errors.
const typePrefix = "urn:formgraph:error:"

// problem is the wire form of an error.
type problem struct {
	Type     string       `json:"type"`
	Title    string       `json:"title"`
	Status   int          `json:"status"`
	Detail   string       `json:"detail"`
	Problems []fieldError `json:"validation_errors,omitempty"`
}

// fieldError is one fault of a body.
type fieldError struct {
	Pointer string `json:"pointer"` // RFC 6901
	Detail  string `json:"detail"`
}

// style returns the format of this API's errors.
func style() api.Style {
	return api.Style{
		Realm: "me", ContentType: "application/problem+json", Exhausted: textWait,
		Media: "The body must be application/json in UTF-8", TooLarge: "The body is too large", Body: problemOf,
	}
}

// textWait is the message for too many requests or attempts.
const textWait = "Wait and try again"

// maxProblems bounds the problems in an answer; nobody would read more.
const maxProblems = 20

func problemOf(e *api.Error) any {
	p := problem{Type: typePrefix + e.Code, Title: http.StatusText(e.Status), Status: e.Status, Detail: e.Message}
	switch e.Status {
	case http.StatusRequestEntityTooLarge:
		p.Title = "Payload Too Large"
	case http.StatusBadRequest:
		if e.Code == "invalid_body" {
			p.Title = "Validation Error"
		}
	}
	if len(e.Problems) > 0 {
		p.Detail = "Invalid request payload input"
	}
	for _, f := range e.Problems[:min(len(e.Problems), maxProblems)] {
		p.Problems = append(p.Problems, fieldError{pointer(f.Path), f.Detail})
	}
	return p
}

// pointer writes a path as an RFC 6901 pointer.
func pointer(p schema.Path) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, e := range p {
		b.WriteByte('/')
		if e.Index >= 0 {
			b.WriteString(strconv.Itoa(e.Index))
			continue
		}
		b.WriteString(escape.Replace(e.Key))
	}
	return b.String()
}

// presented returns the refusal of a token in the scheme by which it was sent.
func presented(r *tokens.Refusal) *api.Error {
	e := &api.Error{Status: r.Status, Code: "unauthorized", Refusal: r}
	switch r.Status {
	case http.StatusBadRequest:
		e.Code = "invalid_request"
	case http.StatusServiceUnavailable:
		e.Code = "service_unavailable"
	}
	e.Message = strings.ToUpper(r.Description[:1]) + r.Description[1:]
	return e
}

// stepUp requires a new sign-in. RFC 9470, section 3.
func stepUp() *api.Error {
	const text = "A more recent sign-in is needed for this"
	return &api.Error{
		Status: http.StatusUnauthorized, Code: "insufficient_user_authentication", Message: text,
		Challenge: `error="insufficient_user_authentication", error_description="` + text + `", max_age="` + strconv.Itoa(int(Fresh.Seconds())) +
			`"`,
	}
}

func insufficientScope(scope string) *api.Error {
	return api.InsufficientScope("Insufficient scope, expected: ", scope)
}

// refused is the single answer to any proof that is not accepted: session, code or passkey.
func refused() *api.Error {
	return &api.Error{Status: http.StatusForbidden, Code: "verification_failed", Message: "The verification was not accepted, begin again"}
}
