package bff

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/upstream"
)

// maxAccountBody bounds a request body for the account API, in bytes. The largest legitimate one carries a new passkey.
const maxAccountBody = 64 << 10

// methodID is the shape of the ID of an authentication method in a path: its type, an escaped bar and the tenant's own name, which is "own"
// for the password. newMethodID is the shape of the ID of a method that is being enrolled.
var (
	methodID    = regexp.MustCompile(`^(?:passkey|totp|recovery-code)%7C[A-Za-z0-9_-]{1,30}$|^password%7Cown$`)
	newMethodID = regexp.MustCompile(`^(?:password|passkey|totp|recovery-code)%7Cnew$`)
	// grantID is the shape of the ID of a client or of a sign-in. The tenant makes the latter from 32 random bytes.
	grantID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// accountRoutes lists the routes of a person's own account. Nothing else of that API is forwarded.
func accountRoutes() []apiRoute {
	const methods, consents, sessions = "authentication_methods", "consents", "sessions"
	get := func(of string) call { return call{method: http.MethodGet, scope: "read:me:" + of} }
	send := func(method, verb, of, event string) call {
		return call{method: method, scope: verb + ":me:" + of, body: true, event: event}
	}
	remove := func(of, event string) call {
		return call{method: http.MethodDelete, scope: "delete:me:" + of, event: event}
	}
	const id = "/" + wildcard
	return []apiRoute{
		{"/factors", "", nil, []call{get("factors")}},
		{"/authentication-methods", "", nil, []call{get(methods), send(http.MethodPost, "create", methods, "enrolment_begun")}},
		{"/authentication-methods" + id, "way to sign in", methodID, []call{
			get(methods), send(http.MethodPatch, "update", methods, "method_renamed"), remove(methods, "method_deleted"),
		}},
		{
			"/authentication-methods" + id + "/verify", "way to sign in", newMethodID,
			[]call{send(http.MethodPost, "create", methods, "method_enrolled")},
		},
		{"/consents", "", nil, []call{get(consents)}},
		{"/consents" + id, "application with access", grantID, []call{get(consents), remove(consents, "consent_deleted")}},
		{"/sessions", "", nil, []call{get(sessions), remove(sessions, "signed_out_everywhere")}},
		{"/sessions" + id, "sign-in", grantID, []call{remove(sessions, "sign_in_ended")}},
	}
}

// noAccountAPI returns the problem for a tenant that has no account API or issues no token for it.
func noAccountAPI() *httpx.Problem {
	return httpx.NewProblem(http.StatusForbidden, httpx.CodeScope,
		"The tenant does not let the editor manage your account. An administrator can allow it.")
}

// accountProblem is an error of the account API: an RFC 9457 problem whose type ends in a stable word.
type accountProblem struct {
	Type   string `json:"type"`
	Detail string `json:"detail"`
	Faults []struct {
		Pointer string `json:"pointer"` // RFC 6901
		Detail  string `json:"detail"`
	} `json:"validation_errors"`
}

// fault is a broken rule of a request body, an element of Problem.Problems.
type fault struct {
	Path   string `json:"path"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// faultCode is the code of every fault: the account API describes its rules in words only.
const faultCode = "value"

// accountRefusal returns the problem for an answer that only the account API gives, and nil for any other. Of the tenant's text it keeps
// only what is written for people.
func accountRefusal(c call, res *upstream.Response) *httpx.Problem {
	if res.StepUp {
		return httpx.NewProblem(http.StatusUnauthorized, httpx.CodeFresh, "This needs a recent sign-in. Confirm your identity.")
	}
	var said accountProblem
	if json.Unmarshal(res.Body, &said) != nil {
		said = accountProblem{}
	}
	p := &httpx.Problem{Status: res.Status, Detail: "The tenant refused this."}
	if said.Detail != "" {
		p.Detail = clippedText(said.Detail, maxMessage)
	}
	switch {
	case res.Status == http.StatusBadRequest:
		p.Code = httpx.CodeInvalidBody
		if faults := said.faults(); len(faults) > 0 {
			p.Problems = faults
		}
	case res.Status == http.StatusForbidden && strings.HasSuffix(said.Type, ":verification_failed"):
		p.Code = httpx.CodeVerification
	case res.Status == http.StatusForbidden:
		return noScope(c.scope)
	case res.Status == http.StatusConflict:
		p.Code = httpx.CodeConflict
	default:
		return nil
	}
	return p
}

// maxFaults bounds the number of faults that are passed on. A page shows only the first.
const maxFaults = 20

func (a accountProblem) faults() []fault {
	var out []fault
	for _, f := range a.Faults[:min(len(a.Faults), maxFaults)] {
		path := strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.TrimPrefix(f.Pointer, "/"))
		out = append(out, fault{clippedText(path, maxMessage), faultCode, clippedText(f.Detail, maxMessage)})
	}
	return out
}

// clippedText truncates s to at most most bytes without splitting a character.
func clippedText(s string, most int) string {
	return strings.ToValidUTF8(s[:min(len(s), most)], "")
}
