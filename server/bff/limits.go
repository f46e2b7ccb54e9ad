package bff

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/web"
)

// Limits for requests without a session from one network, per second and at once. An office shares a network, so each limit is far above
// the needs of its people. A login costs a cookie and stores nothing; a callback may cost the tenant a token request. A tenant sends all
// its sign-out notices from one address.
const (
	loginRate, loginBurst             = 100, 1000
	callbackRate, callbackBurst       = 10, 100
	backchannelRate, backchannelBurst = 10, 100
)

// A session may make sessionBurst requests at once, and then sessionRate per second. All tabs of a browser share a session, but only the one in use
// sends much: a page offers at most 7 entries and tells at most 4 things about its person per second, and asks or saves every half a second at most. A
// list asks for what is in its forms, two at a time, and a script may save a thousand forms in a row: the embedded tenant takes 50 such calls per second,
// and another one fewer. To open an editor takes about 20 requests, so all the streams of a session can be opened at once. Each process counts for
// itself: a count in the store would cost as much as to read the session, which is not read for what is refused.
const sessionRate, sessionBurst = 100, 1000

// newRequests returns the limit of the requests of each session.
func newRequests(c Config) *ratelimit.Limiter {
	count := ratelimit.Counting{Now: c.Now, Observe: c.Observe}
	return count.Limiter("requests", cmp.Or(c.RequestRate, sessionRate), cmp.Or(c.RequestBurst, sessionBurst))
}

// often reports whether the session that a request names makes too many. If so, often writes the answer, without reading the session or the body.
func (b *Handler) often(w http.ResponseWriter, r *http.Request) bool {
	named := b.sessions.Named(r)
	if named == "" {
		return false
	}
	p := tooOften(r, b.requests, named, "This browser makes more than 100 requests per second. Wait a moment.")
	if p != nil {
		b.pages.fail(w, r, p, web.Message{Title: "Too many requests"})
	}
	return p != nil
}

// limited returns the route with a rate limit for each network.
func (rt route) limited(l *ratelimit.Limiter) route {
	rt.limit = l
	return rt
}

// within reports whether a network may use a route now. If the network has sent too many requests, within writes the answer.
func (b *Handler) within(rt route, w http.ResponseWriter, r *http.Request) bool {
	if rt.limit == nil {
		return true
	}
	s := rt.limit.Take(r.Context(), clientip.Network(r))
	if !s.Allowed {
		b.tooMany(w, r, s.Wait)
	}
	return s.Allowed
}

// tooMany answers a network that has sent too many requests. It leaves the sign-in intact: the same address works later.
func (b *Handler) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Cache-Control", "no-store")
	m := web.Message{Title: "Too many sign-ins", Action: "Try again", Href: loginAgain("/")}
	if strings.HasPrefix(r.URL.Path, httpx.LookPath) {
		httpx.SetLookHeaders(w.Header(), false)
		m = web.Message{Title: "Too many requests"}
	}
	b.pages.fail(w, r, &httpx.Problem{
		Status: http.StatusTooManyRequests, Code: httpx.CodeRateLimited, RetryAfter: wait,
		Detail: "Too many requests from your network. Wait a moment and try again.",
	}, m)
}

// own refuses a request whose Origin is present but not the editor's. It guards addresses to which browsers navigate, which they do without
// an Origin. The callback does not use it: its state is bound to the browser that began the sign-in, and after the tenant's form a client
// may still send the tenant's origin.
func (b *Handler) own(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !b.gate.Foreign(r) {
			next(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		b.log.refused(r.Context(), "csrf", "method", r.Method)
		b.pages.fail(w, r, httpx.NewProblem(http.StatusForbidden, httpx.CodeCSRF, "Another site requested this address."),
			web.Message{Title: "You are not signed in", Action: "Sign in", Href: loginAgain("/")})
	}
}
