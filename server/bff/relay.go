package bff

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/complaint"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

// errProof is what the log says when the tenant refuses proofs of possession.
var errProof = errors.New("it refuses the proofs of bound tokens: check the clock of this server, and that --management-url is the " +
	"address that the API has for itself; or set --upstream-dpop off")

// callFailed returns the problem for a failed call, or nil when the client has gone.
func (f *forwarder) callFailed(r *http.Request, c call, err error) *httpx.Problem {
	unavailable := func(status int, detail string) *httpx.Problem {
		f.log.warn(r.Context(), "tenant", err)
		p := &httpx.Problem{Status: status, Code: httpx.CodeUnavailable, Detail: detail, RetryAfter: retryLater}
		c.addOutcome(p, err)
		return p
	}
	switch {
	case r.Context().Err() != nil:
		return nil
	case errors.Is(err, errAudience):
		f.log.warn(r.Context(), "tenant", err)
		return noAccountAPI()
	case errors.Is(err, session.ErrExpired):
		return notSignedIn()
	case errors.Is(err, session.ErrUnavailable):
		return f.sessions.storeDown(r.Context(), err)
	case errors.Is(err, session.ErrRefresh):
		return unavailable(http.StatusServiceUnavailable, "The tenant cannot renew your sign-in right now. You stay signed in; try again.")
	case errors.Is(err, upstream.ErrTimeout):
		return unavailable(http.StatusGatewayTimeout, "The tenant did not answer in time.")
	case errors.Is(err, upstream.ErrUnreachable):
		return unavailable(http.StatusBadGateway, "The tenant cannot be reached. Nothing you have done in the editor is lost.")
	case errors.Is(err, upstream.ErrFailed):
		return unavailable(http.StatusBadGateway, "The tenant failed.")
	default:
		return unavailable(http.StatusBadGateway, "The tenant gave an invalid answer.")
	}
}

// addOutcome adds what is known about a change that failed with err, nil for an answer that leaves it open. A read has no outcome.
func (c call) addOutcome(p *httpx.Problem, err error) {
	if c.method == http.MethodGet {
		return
	}
	switch {
	case errors.Is(err, upstream.ErrNotSaved):
		p.Outcome = httpx.OutcomeNotSaved
		p.Detail += " The change was not made."
	case errors.Is(err, upstream.ErrNotSent):
		p.Outcome = httpx.OutcomeNotSent
		p.Detail += " The change was not sent."
	default:
		p.Outcome = httpx.OutcomeUnknown
		p.Detail += " The change may or may not have been made: " + c.lookAgain() + " before you repeat it."
	}
}

// relay passes on the JSON of a successful answer. For any other it answers with our own problem for the status, and nothing else of the
// answer reaches the browser.
func (f *forwarder) relay(w http.ResponseWriter, r *http.Request, c call, res *upstream.Response) {
	h := w.Header()
	maps.Copy(h, res.Header)
	if res.Status < 200 || res.Status >= 300 {
		f.refusal(r, c, res).Write(w, r)
		return
	}
	if tag := h.Get("ETag"); tag != "" {
		setTag(h, tag)
	}
	if len(res.Body) > 0 {
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(res.Body)))
	}
	w.WriteHeader(res.Status)
	_, _ = w.Write(res.Body) // #nosec G705 -- JSON by its type, and nosniff; the client is gone if this fails
}

func (f *forwarder) refusal(r *http.Request, c call, res *upstream.Response) *httpx.Problem {
	if p := storageRefusal(c, res); p != nil {
		return p
	}
	if c.me {
		if p := accountRefusal(c, res); p != nil {
			return p
		}
	}
	p := &httpx.Problem{Status: res.Status}
	switch res.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		p.Code, p.Detail = httpx.CodeInvalidBody, "The tenant refused this."
		addReasons(p, res)
	case http.StatusUnauthorized:
		if res.ProofRefused {
			f.log.warn(r.Context(), "tenant", errProof)
		}
		// The session is valid, so a new sign-in would only end here again.
		p.Code, p.Detail = httpx.CodeRefused, "The tenant refuses this application's tokens. An administrator must check the editor's client."
	case http.StatusForbidden:
		p = noScope(c.scope)
		if c.admin && reachesTooFar(res.Body) {
			addReasons(p, res)
		}
	case http.StatusNotFound, http.StatusGone:
		p.Status, p.Code, p.Detail = http.StatusNotFound, httpx.CodeNotFound, "There is no such "+c.about()+". It may have been deleted."
	case http.StatusConflict, http.StatusPreconditionFailed:
		p.Code, p.Detail = httpx.CodeConflict, "Somebody else has changed it in the meantime."
		if c.admin {
			p.Detail = "It conflicts with existing data."
		}
		if c.admin || res.Status == http.StatusConflict {
			addReasons(p, res)
		}
	case http.StatusRequestEntityTooLarge:
		p.Code, p.Detail = httpx.CodeTooLarge, "It is larger than the tenant accepts."
	case http.StatusUnsupportedMediaType:
		p.Code, p.Detail = httpx.CodeMediaType, "The tenant does not accept application/json here."
	case http.StatusTooManyRequests:
		p.Code, p.Detail = httpx.CodeRateLimited, "The tenant limits the number of requests."
		p.RetryAfter = res.RetryAfter // none if the tenant names no time to come: it alone knows
	default:
		f.log.warn(r.Context(), "tenant", fmt.Errorf("status %d", res.Status))
		p.Status, p.Code, p.Detail = http.StatusBadGateway, httpx.CodeUnavailable, "The tenant failed with status "+strconv.Itoa(res.Status)+"."
		if res.Status < 500 {
			p.Code = httpx.CodeUnprocessable
		} else {
			c.addOutcome(p, nil)
		}
	}
	return p
}

// about returns the name of the call's resource, for messages.
func (c call) about() string {
	if c.noun != "" {
		return c.noun
	}
	return strings.ReplaceAll(strings.TrimSuffix(c.resource, "s"), "-", " ")
}

// lookAgain returns the advice after a call whose result is unknown.
func (c call) lookAgain() string {
	if c.me || c.admin {
		return "load the page again"
	}
	return "read the form again"
}

// addReasons copies the tenant's words and problems from its error body, if it gives any.
func addReasons(p *httpx.Problem, res *upstream.Response) {
	said := complaint.Read(res.Body, res.Text)
	if said.Words != "" {
		p.Detail = said.Words
	}
	if len(said.Problems) > 0 {
		p.Problems = said.Problems
	}
}

// reachesTooFar reports whether an administrator who has the scope of a call tried to grant more than they hold. The tenant's message has
// the details.
func reachesTooFar(body []byte) bool {
	return errorCode(body) == "insufficient_permissions"
}

func noScope(scope string) *httpx.Problem {
	return &httpx.Problem{
		Status: http.StatusForbidden, Code: httpx.CodeScope, Detail: "Your account may not do this: it lacks " + scope + ".",
		Scope: scope,
	}
}

func hasScope(granted, want string) bool {
	return slices.Contains(strings.Fields(granted), want)
}
