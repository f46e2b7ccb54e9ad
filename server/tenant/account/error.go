package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// typePrefix begins the type of every error; the word behind it is stable. The spec does not show the
// shape: it is that of the vendor's public API, an RFC 9457 problem with validation_errors.
const typePrefix = "urn:formgraph:error:"

// apiError is an error as a caller sees it.
type apiError struct {
	status    int
	code      string // behind typePrefix
	title     string
	detail    string
	challenge string // parameters of WWW-Authenticate
	allow     string // methods, for 405
	wait      time.Duration
	problems  []fieldError
	refusal   *tokens.Refusal // of how the token came; sets headers of its own
}

// fieldError is one fault of a body.
type fieldError struct {
	Pointer string `json:"pointer"` // RFC 6901
	Detail  string `json:"detail"`
}

// problem is the wire form of apiError.
type problem struct {
	Type     string       `json:"type"`
	Title    string       `json:"title"`
	Status   int          `json:"status"`
	Detail   string       `json:"detail"`
	Problems []fieldError `json:"validation_errors,omitempty"`
}

// Error returns status and detail.
func (e *apiError) Error() string { return fmt.Sprintf("%d: %s", e.status, e.detail) }

// presented is the refusal of a token by how it came.
func presented(r *tokens.Refusal) *apiError {
	e := &apiError{status: r.Status, code: "unauthorized", title: http.StatusText(r.Status), refusal: r}
	switch r.Status {
	case http.StatusBadRequest:
		e.code = "invalid_request"
	case http.StatusServiceUnavailable:
		e.code = "service_unavailable"
	}
	e.detail = strings.ToUpper(r.Description[:1]) + r.Description[1:]
	return e
}

// stepUp asks for a new sign-in. RFC 9470, section 3.
func stepUp() *apiError {
	return &apiError{
		status: http.StatusUnauthorized, code: "insufficient_user_authentication", title: "Unauthorized",
		detail:    "A more recent sign-in is needed for this",
		challenge: fmt.Sprintf(`error="insufficient_user_authentication", error_description="A more recent sign-in is needed for this", max_age="%d"`, int(Fresh.Seconds())),
	}
}

func insufficientScope(scope string) *apiError {
	return &apiError{
		status: http.StatusForbidden, code: "insufficient_scope", title: "Forbidden", detail: "Insufficient scope, expected: " + scope,
		challenge: `error="insufficient_scope", scope="` + scope + `"`,
	}
}

func notFound() *apiError {
	return &apiError{status: http.StatusNotFound, code: "not_found", title: "Not Found", detail: "There is nothing at this path"}
}

func methodNotAllowed(ops operations) *apiError {
	return &apiError{
		status: http.StatusMethodNotAllowed, code: "method_not_allowed", title: "Method Not Allowed", detail: "This path does not take this method",
		allow: strings.Join(slices.Sorted(maps.Keys(ops)), ", "),
	}
}

func tooMany(wait time.Duration) *apiError {
	return &apiError{status: http.StatusTooManyRequests, code: "too_many_requests", title: "Too Many Requests", detail: "Wait and try again", wait: wait}
}

func conflict(detail string) *apiError {
	return &apiError{status: http.StatusConflict, code: "conflict", title: "Conflict", detail: detail}
}

// refused is the one answer to a proof that is not accepted: session, code or passkey.
func refused() *apiError {
	return &apiError{status: http.StatusForbidden, code: "verification_failed", title: "Forbidden", detail: "The verification was not accepted, begin again"}
}

func invalidBody(detail string, problems ...fieldError) *apiError {
	return &apiError{status: http.StatusBadRequest, code: "invalid_body", title: "Validation Error", detail: detail, problems: problems}
}

// invalidPayload tells all faults that the tables find.
func invalidPayload(ps schema.Problems) *apiError {
	out := make([]fieldError, 0, len(ps))
	for _, p := range ps[:min(len(ps), maxProblems)] {
		out = append(out, fieldError{pointer(p.Path), p.Detail})
	}
	return invalidBody("Invalid request payload input", out...)
}

// maxProblems bounds an answer; more would not be read.
const maxProblems = 20

// pointer is a path as RFC 6901 writes it.
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

// down logs an error of the store and returns what the caller sees of it.
func (h *Handler) down(c *call, action string, err error) *apiError {
	if !errors.Is(err, context.Canceled) {
		h.Log.LogAttrs(c.r.Context(), slog.LevelError, "store failed", slog.String("action", action), slog.Any("error", err))
	}
	return &apiError{status: http.StatusServiceUnavailable, code: "service_unavailable", title: "Service Unavailable", detail: "The tenant cannot reach its data, try again"}
}

// write answers with an error.
func (h *Handler) write(c *call, e *apiError) {
	switch {
	case e.refusal != nil:
		e.refusal.Write(c.Header())
	case e.status == http.StatusUnauthorized, e.status == http.StatusForbidden:
		challenge := `Bearer realm="me"`
		if e.challenge != "" {
			challenge += ", " + e.challenge
		}
		if e.status == http.StatusUnauthorized || e.challenge != "" {
			c.Header().Set("WWW-Authenticate", challenge)
		}
	case e.status == http.StatusMethodNotAllowed:
		c.Header().Set("Allow", e.allow)
	case e.status == http.StatusRequestEntityTooLarge:
		c.Header().Set("Connection", "close") // the rest of the body is not worth reading
	case e.status == http.StatusTooManyRequests:
		ratelimit.RetryAfter(c.Header(), e.wait)
	case e.status == http.StatusServiceUnavailable:
		c.Header().Set("Retry-After", "1")
	}
	send(c, "application/problem+json", e.status, problem{typePrefix + e.code, e.title, e.status, e.detail, e.problems})
}

// answer writes v as the whole answer.
func answer(c *call, status int, v any) *apiError {
	send(c, "application/json", status, v)
	return nil
}

func send(c *call, kind string, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("account: encode answer: " + err.Error()) // only for a type that is wrong in the program
	}
	c.Header().Set("Content-Type", kind)
	c.WriteHeader(status)
	_, _ = c.Write(b) // a caller that went away needs no answer
}

// done answers that there is nothing to tell.
func done(c *call) *apiError {
	c.WriteHeader(http.StatusNoContent)
	return nil
}
