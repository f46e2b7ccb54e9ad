package bff

import (
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/web"
)

// What a network may do without a session, a second and at once. An office shares a network, so each is far more
// than its people need. A login costs a cookie and nothing that is kept; a callback may cost the tenant a token
// request. A tenant tells of all sign-outs from one address.
const (
	loginRate, loginBurst             = 100, 1000
	callbackRate, callbackBurst       = 10, 100
	backchannelRate, backchannelBurst = 10, 100
)

func (b *Handler) limit(perSecond, burst int) *ratelimit.Limiter {
	return ratelimit.New(perSecond, burst, b.now)
}

// limited returns the route with a limit for each network.
func (rt route) limited(l *ratelimit.Limiter) route {
	rt.limit = l
	return rt
}

// within reports whether a network may use a route now, and answers itself when it came too often.
func (b *Handler) within(rt route, w http.ResponseWriter, r *http.Request) bool {
	if rt.limit == nil {
		return true
	}
	s := rt.limit.Take(clientip.Network(r))
	if !s.Allowed {
		b.tooMany(w, r, s.Wait)
	}
	return s.Allowed
}

// tooMany answers a network that came too often. Nothing of a sign-in is used up: the same address works later.
func (b *Handler) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Cache-Control", "no-store")
	b.fail(w, r, &httpx.Problem{
		Status: http.StatusTooManyRequests, Code: httpx.CodeRateLimited, RetryAfter: wait,
		Detail: "There were too many requests from your network. Wait a moment and try again.",
	}, web.Message{Title: "Too many sign-ins", Action: "Try again", Href: b.loginAgain("/")})
}

// own refuses a request that names another origin than ours, for an address that browsers navigate to: they name
// none. The callback is not one of them: its state says who began the sign-in, and a client that follows the
// redirect of the tenant's form may still name the tenant.
func (b *Handler) own(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !b.gate.Foreign(r) {
			next(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		b.audit(r.Context(), "csrf", "method", r.Method)
		b.fail(w, r, &httpx.Problem{Status: http.StatusForbidden, Code: httpx.CodeCSRF, Detail: "Another site asked for this address."},
			web.Message{Title: "You are not signed in", Action: "Sign in", Href: b.loginAgain("/")})
	}
}
