package bff

import (
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
