package bff

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/upstream"
)

// Whoever may read a form may read what this server keeps beside it, and whoever may change the form may change that. The tenant decides, so it is
// asked each time: for the form, and whether it would allow a change. Shared forms, presence and streams would ask too often, so they use an answer
// again for a short while.

const (
	// heldTime is how long an answer of a tenant that is not ours counts. With heartbeats of streams every 20 seconds and the time that asking
	// takes, a right that is taken away there ends within a minute here.
	heldTime = 25 * time.Second
	// heldReading is how long an answer of the embedded tenant about reading counts. Its answers about changes are not used again.
	heldReading = time.Second
	// askTime is how long a stream waits for an answer, and how long it does not ask again if none came.
	askTime = 10 * time.Second
	// maxRights is how many answers are remembered.
	maxRights = 8192
)

// rights remember the answers of the tenant about what people may do with forms. It is safe for concurrent use.
type rights struct {
	now func() time.Time
	// held is how long the right to call with a scope counts once the tenant has granted it.
	held map[string]time.Duration

	mu    sync.Mutex
	known *recent.Map[right, time.Time] // when it was granted
}

// right is the right of the person of a session to use a scope, readForms or updateForms, with a form.
type right struct{ session, form, scope string }

func newRights(now func() time.Time, remote bool) *rights {
	held := map[string]time.Duration{readForms: heldReading}
	if remote {
		held = map[string]time.Duration{readForms: heldTime, updateForms: heldTime}
	}
	return &rights{now: now, held: held, known: recent.New[right, time.Time](maxRights)}
}

// learn records what the status of an answer says about the rights of a person to a form.
func (s *rights) learn(ss *sessions.Session, c call, req upstream.Request, status int) {
	if !c.ofForm(req) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	is := right{ss.ID, req.Path[1], c.scope}
	switch {
	case status >= 200 && status < 300:
		s.known.Put(is, s.now())
	case refuses(status):
		for scope := range s.held {
			s.known.Delete(right{is.session, is.form, scope})
		}
	}
}

// refuses reports whether a status means that the person may not do what they asked, or that the form is gone.
func refuses(status int) bool {
	return slices.Contains([]int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone}, status)
}

// hold reports whether the tenant granted a right recently enough.
func (s *rights) hold(is right) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.known.Get(is)
	return ok && s.now().Sub(at) < s.held[is.scope]
}

// A change that no tenant makes: a form is an object, and none has this ETag.
const (
	askingBody  = "[]"
	askingMatch = `"formgraph-asks"`
)

// ask asks the tenant whether a person may read a form (readForms) or change it (updateForms). It returns the problem if not, and otherwise the
// answer, which has the form if the question was about reading.
func (f *forwarder) ask(r *http.Request, ss *sessions.Session, form, scope string) (*upstream.Response, *httpx.Problem) {
	if p := f.work.wait(r, ss); p != nil {
		return nil, p
	}
	return f.askNow(r, ss, form, scope)
}

// askNow is ask for a stream: the work of its person does not delay its end.
func (f *forwarder) askNow(r *http.Request, ss *sessions.Session, form, scope string) (*upstream.Response, *httpx.Problem) {
	c := call{method: http.MethodGet, resource: "forms", scope: scope}
	req := upstream.Request{Method: http.MethodGet, Path: []string{c.resource, form}}
	if scope == updateForms {
		req.Method, req.Body, req.IfMatch, req.Asks = http.MethodPatch, []byte(askingBody), askingMatch, true
	}
	res, p := f.call(r, c, ss, req)
	switch {
	case p != nil:
	case res == nil: // the browser has gone, and reads no answer
		p = httpx.NewProblem(http.StatusServiceUnavailable, httpx.CodeUnavailable, "The request has ended.")
	case !success(res):
		p = f.refusal(r, c, res)
	}
	if p != nil && req.Asks && p.Status >= http.StatusInternalServerError && slices.Contains(f.sessions.access.scopes(ss), scope) {
		// Some tenants fail on such a body. The callers read the form, too, and that fails if the tenant is away.
		return nil, nil //nolint:nilnil // it may, and there is nothing to see
	}
	return res, p
}

// answerOf interprets the answer to the question whether a change is allowed. A tenant that refuses only the body would have allowed it.
func answerOf(res *upstream.Response) *upstream.Response {
	if refuses(res.Status) || res.Status == http.StatusTooManyRequests || res.Status >= http.StatusInternalServerError {
		return res
	}
	return &upstream.Response{Status: http.StatusNoContent, Header: http.Header{}}
}

// holds returns the problem if a person does not have a right. It asks the tenant, unless that has granted the right recently. Those who ask about a
// change must also ask about reading.
func (f *forwarder) holds(r *http.Request, ss *sessions.Session, form, scope string) *httpx.Problem {
	if f.rights.hold(right{ss.ID, form, scope}) && slices.Contains(f.sessions.access.scopes(ss), scope) {
		return nil
	}
	_, p := f.ask(r, ss, form, scope)
	return p
}
