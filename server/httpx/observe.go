package httpx

import (
	"context"
	"net/http"
)

// Exchange describes a request and its response, without anything that identifies a user, a form or an address.
type Exchange struct {
	// Route is the pattern of the route that served the request, or "" if none did.
	Route string
	// Method is the request method if it is PATCH or defined by RFC 9110, and otherwise "other".
	Method string
	// Status is the status of the response, or 0 if the response was cut off or the client disconnected before it.
	Status int
	// Stream reports that the response lasted until one side ended it, so that its duration does not measure the server.
	Stream bool
}

// Observer is called when a request begins. It returns the context in which the request is served, and a function that is called exactly
// once, with the exchange, when the request ends. An Observer is safe for concurrent use.
type Observer func(r *http.Request) (context.Context, func(Exchange))

// Observers returns an Observer that calls every non-nil element of os in order, or nil if there is none. Each receives a request with the
// context that the one before it returned.
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

// routed is what the handlers say about a request.
type routed struct {
	pattern string
	stream  bool
}

// SetRoute sets the route of a request for the Observer. Only the first call for a request has an effect, and the pattern must not depend
// on the content of the request. Without an Observer, SetRoute does nothing.
func SetRoute(r *http.Request, pattern string) {
	if route, ok := r.Context().Value(routeKey{}).(*routed); ok && route.pattern == "" {
		route.pattern = pattern
	}
}

// SetStream marks the response to a request as a stream for the Observer. Without an Observer, SetStream does nothing.
func SetStream(r *http.Request) {
	if route, ok := r.Context().Value(routeKey{}).(*routed); ok {
		route.stream = true
	}
}

// Observe returns a handler that reports every request to o, with the route that next sets. If o is nil, Observe returns next.
func Observe(o Observer, next http.Handler) http.Handler {
	if o == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := o(r)
		var route routed
		rec, finished := &recorder{ResponseWriter: w}, false
		defer func() {
			x := Exchange{Route: route.pattern, Method: methodOf(r), Stream: route.stream}
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
