package bff

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

const (
	// maxBody bounds a form's JSON text in bytes.
	maxBody = 4 << 20
	// maxIfMatch bounds the header If-Match in bytes.
	maxIfMatch = 256
	// maxMessage bounds what is shown of the tenant's own words, in bytes.
	maxMessage = 500
)

// listQuery are the parameters of a list, all numbers or booleans.
var listQuery = []string{"page", "per_page", "include_totals"}

// placeQuery are the parameters of a list that is read by places and searched: from is a place, q is any text.
var placeQuery = append([]string{"take", "from", "q"}, listQuery...)

// maxQuery bounds from and q in bytes. A place holds names of up to 600 characters.
const maxQuery = 4 << 10

// call is one route of the management API, or of the account API.
type call struct {
	method, resource string
	// sub is the word behind the id; "" for none.
	sub string
	// admin says that it is the tenant's administration: what the tenant says of a
	// conflict is for the person who made it.
	admin bool
	// me says that it is a route of the account API, and not of the management API.
	me bool
	// noun is what the route is about, for people; "" means that resource says it.
	noun string
	// limit bounds the body in bytes; 0 means maxBody.
	limit int64
	// scope is what the token must carry; without it nothing is called.
	scope string
	// query are the parameters that go on: from and q, and others that are numbers or booleans. Any other is refused.
	query []string
	// filter are parameters that hold one word, such as an id.
	filter []string
	// body says that the request carries JSON.
	body bool
	// check finds the names that the body's table does not have; nil leaves names to the tenant.
	check func(tree any) schema.Problems
	// event is the name in the audit log; "" for reads.
	event string
}

// forward makes the endpoint of c.
func (b *Handler) forward(c call) endpoint {
	return endpoint{c.method, func(w http.ResponseWriter, r *http.Request) {
		ss, p := b.current(w, r)
		if p != nil {
			p.Write(w, r)
			return
		}
		req, p := b.request(w, r, c)
		if p != nil {
			p.Write(w, r)
			return
		}
		b.sessions.Touch(r.Context(), ss)
		api, audience := b.upstream, b.identity.Audience()
		if c.me {
			api, audience = b.account, b.identity.MeAudience()
		}
		if api == nil {
			noAccountAPI().Write(w, r)
			return
		}
		if t, ok := b.sessions.GrantOf(ss).Tokens[audience]; ok && !hasScope(t.Scope, c.scope) {
			noScope(c.scope).Write(w, r)
			return
		}
		res, err := api.Do(r.Context(), req, tokenSource{b, ss, audience, c.scope})
		b.auditCall(r, c, ss, res, err)
		if err != nil {
			if p := b.callFailed(w, r, c, err); p != nil {
				p.Write(w, r)
			}
			return
		}
		b.relay(w, r, c, res)
	}}
}

// request checks everything that came and builds the call anew: of the browser's
// headers only If-Match is forwarded.
func (b *Handler) request(w http.ResponseWriter, r *http.Request, c call) (upstream.Request, *httpx.Problem) {
	req := upstream.Request{Method: c.method, Path: []string{c.resource}}
	if id := r.PathValue("id"); id != "" {
		req.Path = append(req.Path, id)
	}
	if c.sub != "" {
		req.Path = append(req.Path, c.sub)
	}
	if inner := r.PathValue("method"); inner != "" {
		req.Path = append(req.Path, inner)
	}
	var p *httpx.Problem
	if req.Query, p = forwardQuery(r, c.query, c.filter); p != nil {
		return req, p
	}
	req.IfMatch = strings.Join(r.Header.Values("If-Match"), ", ")
	if len(req.IfMatch) > maxIfMatch {
		return req, httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery,
			"The header If-Match must be at most "+strconv.Itoa(maxIfMatch)+" bytes.")
	}
	if !c.body {
		return req, nil
	}
	limit := c.limit
	if limit == 0 {
		limit = maxBody
	}
	if req.Body, p = httpx.ReadJSON(w, r, limit); p != nil {
		return req, p
	}
	// The rules of a form are the tenant's to judge.
	if p = httpx.StrictJSON(req.Body); p == nil && c.check != nil {
		p = misspelt(req.Body, c.check)
	}
	return req, p
}

func forwardQuery(r *http.Request, allowed, words []string) (url.Values, *httpx.Problem) {
	deny := httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidQuery, "This address takes no query parameters.")
	if all := slices.Concat(allowed, words); len(all) > 0 {
		deny.Detail = "The query may hold " + strings.Join(all, ", ") + ", each once."
	}
	if r.URL.RawQuery == "" && !r.URL.ForceQuery {
		return nil, nil
	}
	given, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(given) == 0 {
		return nil, deny
	}
	for name, values := range given {
		good := len(values) == 1 && (slices.Contains(allowed, name) && queryValue(name, values[0]) ||
			slices.Contains(words, name) && idPattern.MatchString(values[0]))
		if !good {
			return nil, deny
		}
	}
	return given, nil
}

// queryValue accepts small numbers and booleans, a search of valid text, and a place.
func queryValue(name, v string) bool {
	switch {
	case name == "q":
		return len(v) <= maxQuery && utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl)
	case name == "from":
		return len(v) <= maxQuery && strings.Trim(v, placeLetters) == ""
	case v == "true" || v == "false":
		return true
	}
	n, err := strconv.ParseUint(v, 10, 16)
	return err == nil && strconv.FormatUint(n, 10) == v
}

// placeLetters are the letters of a place: base64url.
const placeLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// tokenSource hands the session's token of one audience to one call, which needs a scope.
type tokenSource struct {
	b               *Handler
	ss              *sessions.Session
	audience, scope string
}

// errScope means that a token which was just got lacks the scope of its call.
var errScope = errors.New("token lacks the scope")

// Token implements upstream.TokenSource.
func (s tokenSource) Token(ctx context.Context, refused string) (string, error) {
	t, err := s.b.sessions.Access(ctx, s.ss, s.audience, refused, s.b.identity.Refresh)
	// The first token of an audience comes only now, and a refresh may bring less than there was.
	if err == nil && t.Scope != "" && !hasScope(t.Scope, s.scope) {
		return "", errScope
	}
	return t.Access, err
}

// callFailed maps the error of a call. It is nil when the client has left.
func (b *Handler) callFailed(w http.ResponseWriter, r *http.Request, c call, err error) *httpx.Problem {
	unavailable := func(status int, detail string) *httpx.Problem {
		b.log.WarnContext(r.Context(), "tenant", "request_id", httpx.RequestID(r.Context()), "error", err)
		return httpx.NewProblem(status, httpx.CodeUnavailable, detail)
	}
	switch {
	case r.Context().Err() != nil:
		return nil
	case errors.Is(err, errScope):
		return noScope(c.scope)
	case errors.Is(err, errAudience):
		b.log.WarnContext(r.Context(), "tenant", "request_id", httpx.RequestID(r.Context()), "error", err)
		return noAccountAPI()
	case errors.Is(err, session.ErrExpired):
		return b.expired(w, r)
	case errors.Is(err, session.ErrUnavailable):
		return b.storeDown(r.Context(), err)
	case errors.Is(err, session.ErrRefresh):
		p := unavailable(http.StatusServiceUnavailable, "The tenant cannot renew your sign-in right now. You stay signed in; try again.")
		p.RetryAfter = retryLater
		return p
	case errors.Is(err, upstream.ErrTimeout):
		return unavailable(http.StatusGatewayTimeout,
			"The tenant did not answer in time. The change may or may not have been made: "+c.lookAgain()+" before you repeat it.")
	case errors.Is(err, upstream.ErrUnreachable):
		return unavailable(http.StatusBadGateway, "The tenant cannot be reached. Nothing you have done in the editor is lost.")
	default:
		return unavailable(http.StatusBadGateway, "The tenant gave an invalid answer.")
	}
}

// relay passes an answer on: its JSON when it is a success, else our own problem
// for its status. Nothing else of it reaches the browser.
func (b *Handler) relay(w http.ResponseWriter, r *http.Request, c call, res *upstream.Response) {
	h := w.Header()
	maps.Copy(h, res.Header)
	if res.Status < 200 || res.Status >= 300 {
		b.refusal(r, c, res).Write(w, r)
		return
	}
	if len(res.Body) > 0 {
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(res.Body)))
	}
	w.WriteHeader(res.Status)
	_, _ = w.Write(res.Body) //nolint:gosec // JSON by its type, and nosniff; when this fails the client is gone
}

func (b *Handler) refusal(r *http.Request, c call, res *upstream.Response) *httpx.Problem {
	if c.me {
		if p := accountRefusal(c, res); p != nil {
			return p
		}
	}
	p := &httpx.Problem{Status: res.Status}
	switch res.Status {
	case http.StatusBadRequest:
		p.Code, p.Detail = httpx.CodeInvalidBody, "The tenant refused this."
		addReasons(p, res.Body)
	case http.StatusUnauthorized:
		// The session is good: signing in again would end here again.
		p.Code, p.Detail = httpx.CodeRefused, "The tenant refuses this application's tokens. An administrator must check the editor's client."
	case http.StatusForbidden:
		p = noScope(c.scope)
		if c.admin && reachesTooFar(res.Body) {
			addReasons(p, res.Body)
		}
	case http.StatusNotFound:
		p.Code, p.Detail = httpx.CodeNotFound, "There is no such "+c.about()+". It may have been deleted."
	case http.StatusConflict, http.StatusPreconditionFailed:
		p.Code, p.Detail = httpx.CodeConflict, "Somebody else has changed it in the meantime."
		if c.admin {
			p.Detail = "It conflicts with what exists already."
			addReasons(p, res.Body)
		}
	case http.StatusRequestEntityTooLarge:
		p.Code, p.Detail = httpx.CodeTooLarge, "It is larger than the tenant accepts."
	case http.StatusUnsupportedMediaType:
		p.Code, p.Detail = httpx.CodeMediaType, "The tenant does not accept application/json here."
	case http.StatusTooManyRequests:
		p.Code, p.Detail = httpx.CodeRateLimited, "The tenant asks to slow down."
		p.RetryAfter, _ = b.upstream.UntilReset(res.Header)
	default:
		b.log.WarnContext(r.Context(), "tenant", "request_id", httpx.RequestID(r.Context()), "status", res.Status)
		p.Status, p.Code, p.Detail = http.StatusBadGateway, httpx.CodeUnavailable, "The tenant failed with status "+strconv.Itoa(res.Status)+"."
		if res.Status < 500 {
			p.Code = httpx.CodeUnprocessable
		}
	}
	return p
}

// about is what a call is about, for people.
func (c call) about() string {
	if c.noun != "" {
		return c.noun
	}
	return strings.ReplaceAll(strings.TrimSuffix(c.resource, "s"), "-", " ")
}

// lookAgain says what to do after a call whose outcome is unknown.
func (c call) lookAgain() string {
	if c.me || c.admin {
		return "load the page again"
	}
	return "read the form again"
}

// addReasons takes message and problems out of the tenant's error body; anything
// of another shape is left out.
func addReasons(p *httpx.Problem, body []byte) {
	var said struct {
		Message  string            `json:"message"`
		Problems []json.RawMessage `json:"problems"`
	}
	if json.Unmarshal(body, &said) != nil {
		return
	}
	if said.Message != "" {
		p.Detail = strings.ToValidUTF8(said.Message[:min(len(said.Message), maxMessage)], "")
	}
	if len(said.Problems) > 0 {
		p.Problems = said.Problems
	}
}

// reachesTooFar reports whether an administrator with the scope of a call tried to grant more than they hold. The
// tenant's message names what.
func reachesTooFar(body []byte) bool {
	var said struct {
		Code string `json:"errorCode"`
	}
	return json.Unmarshal(body, &said) == nil && said.Code == "insufficient_permissions"
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

// auditCall notes a change and how it ended. When the browser left first it says
// so: the change may have been made.
func (b *Handler) auditCall(r *http.Request, c call, ss *sessions.Session, res *upstream.Response, err error) {
	if c.event == "" {
		return
	}
	outcome, status := "answered", 0
	switch {
	case err == nil:
		status = res.Status
	case r.Context().Err() != nil:
		outcome = "browser_left"
	case errors.Is(err, upstream.ErrTimeout):
		outcome = "timeout"
	default:
		outcome = "failed"
	}
	b.audit(r.Context(), c.event, "sub", ss.Values[keySubject], "id", r.PathValue("id"), "method", r.PathValue("method"), "outcome", outcome,
		"status", status)
}
