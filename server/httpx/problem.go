package httpx

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"
)

// Code identifies an error for programs. Codes are stable: the editor, scripts and tests match them and never the text beside them.
type Code string

// The codes that the editor and scripts rely on; server/API.md lists them all.
const (
	CodeLoginState  Code = "login_state"          // the sign-in did not begin here, or has ended
	CodeNonce       Code = "nonce"                // the ID token belongs to another sign-in
	CodeIssuer      Code = "issuer"               // another issuer answered, RFC 9207
	CodeCSRF        Code = "csrf"                 // the request may come from another site
	CodeSession     Code = "session_expired"      // nobody is signed in, or the session has ended
	CodeScope       Code = "scope"                // the signed-in user may not do this
	CodeUnavailable Code = "upstream_unavailable" // the tenant cannot be reached or its answer is invalid
	CodeTooLarge    Code = "too_large"            // the body exceeds its limit
	CodeConflict    Code = "conflict"             // the form was changed meanwhile
	CodeNotAllowed  Code = "not_allowed"          // no rule lets the signed-in user use the editor
)

// The other codes.
const (
	CodeInvalidID     Code = "invalid_id"            // the ID in the path has an invalid shape
	CodeInvalidBody   Code = "invalid_body"          // the body breaks rules, which are listed in problems
	CodeInvalidQuery  Code = "invalid_query"         // the route does not accept a query parameter
	CodePrecondition  Code = "precondition_required" // the request lacks If-Match
	CodeMediaType     Code = "media_type"            // the body is not application/json
	CodeNotFound      Code = "not_found"             // no such route, page or form
	CodeMethod        Code = "method"                // the route does not allow the method
	CodeRateLimited   Code = "rate_limited"          // the tenant limits the number of requests
	CodeRefused       Code = "upstream_refused"      // the tenant refuses this application's tokens
	CodeTimeout       Code = "timeout"               // the request's body did not arrive in time
	CodeStore         Code = "session_unavailable"   // the session store cannot be reached
	CodeLoginRequest  Code = "login_request"         // the answer of the sign-in is malformed
	CodeLoginDenied   Code = "login_denied"          // the tenant ended the sign-in with an error
	CodeLoginCode     Code = "login_code"            // the tenant did not accept the code
	CodeLoginToken    Code = "login_token"           // the ID token does not verify
	CodeClockSkew     Code = "clock_skew"            // the clocks of tenant and server are too far apart
	CodeLoginConfig   Code = "login_configuration"   // the issuer or the form of the sign-in is not as configured
	CodeLoginScope    Code = "login_scope"           // the tenant refused a scope of the sign-in
	CodeLoginAudience Code = "login_audience"        // the tenant refused the audience
	CodeLoginCallback Code = "login_callback"        // the tenant refused the callback address
	CodeLoginClient   Code = "login_client"          // the tenant refused the client of the sign-in
	CodeManagement    Code = "management_client"     // the tenant does not accept the service client as it is
	CodeInternal      Code = "internal"              // a defect of this program
	CodeUnprocessable Code = "upstream_rejected"     // the tenant rejected the request for another reason
	CodeFresh         Code = "fresh_sign_in"         // the sign-in is too old: sign in again with fresh=1
	CodeVerification  Code = "verification_failed"   // a proof was wrong or too late
	CodeLogoutToken   Code = "logout_token"          // the logout token is not accepted
	CodeNotAuthor     Code = "not_author"            // only the author of a comment may do this
	CodeTooMany       Code = "too_many"              // a limit on the number or size of stored items is reached
	CodePageTaken     Code = "page_taken"            // the name of a page belongs to another session
	CodeBusy          Code = "busy"                  // the server has too much work of this kind right now
)

// Problem is an error as clients see it: application/problem+json, RFC 9457, with the members code and request_id, and problems, remedy,
// scope, outcome or retry_after_seconds where applicable.
type Problem struct {
	Status int
	Code   Code
	// Detail is a sentence for people. It reveals no internals.
	Detail string
	// Remedy says what an administrator must set; "" omits the member.
	Remedy string
	// Problems are the broken rules of a body: anything that encodes as a JSON array of {path, code, detail}. Nil omits the
	// member.
	Problems any
	// Scope is the missing scope; "" omits the member.
	Scope string
	// RetryAfter is rounded up to seconds; zero omits the header and the member.
	RetryAfter time.Duration
	// Outcome is what is known about a change that failed at the tenant; "" omits the member.
	Outcome Outcome
}

// Outcome is what is known about a change that failed at the tenant.
type Outcome string

// The outcomes.
const (
	OutcomeNotSent  Outcome = "not_sent"  // the tenant has not received it
	OutcomeNotSaved Outcome = "not_saved" // the tenant was asked again, and nothing has changed there
	OutcomeUnknown  Outcome = "unknown"   // it may or may not have been made
)

// problemJSON is the wire form of Problem.
type problemJSON struct {
	Type       string `json:"type"`
	Title      string `json:"title"`
	Status     int    `json:"status"`
	Code       Code   `json:"code"`
	Detail     string `json:"detail"`
	Remedy     string `json:"remedy,omitempty"`
	RequestID  string `json:"request_id,omitempty"`
	Scope      string `json:"scope,omitempty"`
	RetryAfter int    `json:"retry_after_seconds,omitempty"`
	Problems   any    `json:"problems,omitempty"`

	Outcome Outcome `json:"outcome,omitempty"`
}

// Error lets a handler return a Problem as an error.
func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// NewProblem returns a problem with only status, code and detail.
func NewProblem(status int, code Code, detail string) *Problem {
	return &Problem{Status: status, Code: code, Detail: detail}
}

// Write answers r with p. It must be the first to write to w. It reads what is left of the body of r, see SkipBody, unless there are too many
// requests.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	if p.Status != http.StatusTooManyRequests {
		SkipBody(w, r)
	}
	body := problemJSON{
		// The code is enough, so there is no page for the type.
		Type: "about:blank", Title: http.StatusText(p.Status), Status: p.Status, Code: p.Code,
		Detail: p.Detail, Remedy: p.Remedy, RequestID: RequestID(r.Context()), Scope: p.Scope, Problems: p.Problems, Outcome: p.Outcome,
	}
	h := w.Header()
	if p.RetryAfter > 0 {
		body.RetryAfter = int(math.Ceil(p.RetryAfter.Seconds()))
		h.Set("Retry-After", strconv.Itoa(body.RetryAfter))
	}
	src, err := json.Marshal(body)
	if err != nil {
		// Only Problems can fail to encode; the answer is useful without them.
		body.Problems = nil
		src, _ = json.Marshal(body) //nolint:errchkjson // strings and numbers only
	}
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(src)))
	h.Del("ETag")
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(src) // fails only if the client has gone
	}
}

// WriteJSON answers with a JSON value, which must not be cached.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	src, err := json.Marshal(v)
	if err != nil {
		return err
	}
	WriteEncoded(w, status, src)
	return nil
}

// WriteEncoded is WriteJSON for a value that is encoded already.
func WriteEncoded(w http.ResponseWriter, status int, src []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(src)))
	w.WriteHeader(status)
	_, _ = w.Write(src) // fails only if the client has gone
}
