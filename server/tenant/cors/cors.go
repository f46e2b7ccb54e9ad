// Package cors lets pages of other origins call some routes of the tenant, always without credentials. These are the routes of a client
// that lists the origin, and discovery for every origin. Fetch Standard, section 3.3. It decides which headers a response has. Its callers
// determine which routes are shared and which client a request is for.
package cors

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

const (
	allowOrigin = "Access-Control-Allow-Origin"
	// allowed are the request headers. Clients of the vendor identify themselves in the last one.
	allowed = "Authorization, Content-Type, DPoP, Auth0-Client"
	// exposed are the response headers that clients read.
	exposed = "DPoP-Nonce, WWW-Authenticate, Retry-After, Location, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"
	// preflightLife is how long a browser may keep the answer to a preflight. It is short, since a client may drop an origin.
	preflightLife = 10 * time.Minute
)

// Any lets pages of every origin read an answer, which must not contain personal data.
func Any(h http.Header) { h.Set(allowOrigin, "*") }

// Vary tells caches that the answers of a shared route differ by origin. Every answer of the route needs it.
func Vary(h http.Header) { h.Add("Vary", "Origin") }

// Allow lets the page that sent a request read the answer if its origin is one of the client's. The zero client has none.
func Allow(h http.Header, r *http.Request, c store.Client) {
	if origin := r.Header.Get("Origin"); origin != "" && c.MayCall(origin) {
		h.Set(allowOrigin, origin)
		h.Set("Access-Control-Expose-Headers", exposed)
	}
}

// Origins finds an origin in the lists of all clients.
type Origins interface {
	OriginListed(ctx context.Context, origin string) (bool, error)
}

// Preflight returns the handler for OPTIONS at a shared route with these methods. A preflight does not name a client, so the origins of all
// clients are allowed; Allow checks the client when the actual request arrives.
func Preflight(in Origins, log *slog.Logger, methods ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		Vary(h)
		h.Set("Allow", strings.Join(append([]string{http.MethodOptions}, methods...), ", "))
		if origin := r.Header.Get("Origin"); origin != "" {
			listed, err := in.OriginListed(r.Context(), origin)
			if err != nil {
				log.LogAttrs(r.Context(), slog.LevelError, "store failed", slog.String("action", "find origin"), slog.Any("error", err))
				h.Set("Retry-After", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			if listed {
				h.Set(allowOrigin, origin)
				promise(h, methods)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

// PreflightAny is Preflight for a route that every origin may read.
func PreflightAny(w http.ResponseWriter, _ *http.Request) {
	Any(w.Header())
	promise(w.Header(), []string{http.MethodGet})
	w.WriteHeader(http.StatusNoContent)
}

func promise(h http.Header, methods []string) {
	h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
	h.Set("Access-Control-Allow-Headers", allowed)
	h.Set("Access-Control-Max-Age", strconv.Itoa(int(preflightLife.Seconds())))
}
