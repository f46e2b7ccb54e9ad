package httpx_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/formgraph/formgraph/server/httpx"
)

func TestObserve(t *testing.T) {
	var got []httpx.Exchange
	o := func(r *http.Request) (context.Context, func(httpx.Exchange)) {
		return r.Context(), func(x httpx.Exchange) { got = append(got, x) }
	}
	left, cancel := context.WithCancel(t.Context())
	h := httpx.Observe(o, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/forms/ana":
			httpx.SetRoute(r, "/forms/{id}")
			httpx.SetRoute(r, "/other")
			w.WriteHeader(http.StatusNoContent)
		case "/cut":
			panic(http.ErrAbortHandler)
		case "/left":
			cancel()
		case "/stream":
			httpx.SetStream(r)
		}
	}))
	send := func(ctx context.Context, method, path string) {
		defer func() { _ = recover() }()
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, method, path, nil))
	}
	send(t.Context(), http.MethodPatch, "/forms/ana")
	send(t.Context(), "BREW", "/pot")
	send(t.Context(), http.MethodGet, "/cut")
	send(left, http.MethodGet, "/left")
	send(t.Context(), http.MethodGet, "/stream")
	want := []httpx.Exchange{
		{"/forms/{id}", "PATCH", 204, false}, {"", "other", 200, false}, {"", "GET", 0, false}, {"", "GET", 0, false}, {"", "GET", 200, true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRouteWithoutObserver(t *testing.T) {
	h := httpx.Observe(nil, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpx.SetRoute(r, "/")
		w.WriteHeader(http.StatusNoContent)
	}))
	if w := serve(h, "GET", "/"); w.Code != http.StatusNoContent {
		t.Errorf("status %d", w.Code)
	}
}
