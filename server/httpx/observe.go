package httpx

import (
	"context"
	"net/http"
)

// Exchange is a request and its answer, without anything that names a person, a form or an address.
type Exchange struct {
	// Route is the pattern of the route that served the request, or "" if none did.
	Route string
	// Method is the method if it is one of RFC 9110 or PATCH, and otherwise "other".
	Method string
	// Status is the status of the answer, or 0 if the answer was cut off or nobody waited for it.
	Status int
}

// Observer is told that a request begins, and its second result is called once with the exchange when the request ends. The context that it
// returns is the one in which the request is served. An Observer is safe for concurrent use.
type Observer func(r *http.Request) (context.Context, func(Exchange))

// Observers returns an Observer that tells all of os that are not nil, or nil if there is none. The last one sees the contexts of those before
// it.
func Observers(os ...Observer) Observer {
	var all []Observer
	for _, o := range os {
		if o != nil {
			all = append(all, o)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return func(r *http.Request) (context.Context, func(Exchange)) {
		ends := make([]func(Exchange), len(all))
		for i, o := range all {
			var ctx context.Context
			ctx, ends[i] = o(r)
			r = r.WithContext(ctx)
		}
		return r.Context(), func(x Exchange) {
			for _, end := range ends {
				end(x)
			}
		}
	}
}

type routeKey struct{}

// SetRoute names the route of a request for the Observer. The first call for a request counts, and the pattern must not depend on what the
// request holds. Without an Observer, SetRoute does nothing.
func SetRoute(r *http.Request, pattern string) {
	if route, ok := r.Context().Value(routeKey{}).(*string); ok && *route == "" {
		*route = pattern
	}
}

// Observe reports every request to o, and the route that a handler inside sets. A nil o returns next.
func Observe(o Observer, next http.Handler) http.Handler {
	if o == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := o(r)
		var route string
		rec, finished := &recorder{ResponseWriter: w}, false
		defer func() {
			x := Exchange{Route: route, Method: methodOf(r)}
			if left := r.Context().Err() != nil && rec.status == 0; finished && !left {
				x.Status = rec.code()
			}
			end(x)
		}()
		next.ServeHTTP(rec, r.WithContext(context.WithValue(ctx, routeKey{}, &route)))
		finished = true
	})
}

func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions,
		http.MethodConnect, http.MethodTrace:
		return r.Method
	default:
		return "other"
	}
}
