package main

import (
	"net/http"
	"sync/atomic"

	"github.com/formgraph/formgraph/server/upstream"
)

// backchannel carries the embedded tenant's notices of sign-outs: to the editor within the process, since its port need not be
// reachable from here, and to other clients over the network.
type backchannel struct {
	editor upstream.InProcess
	others http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b backchannel) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme+"://"+r.URL.Host == b.editor.Origin {
		return b.editor.RoundTrip(r)
	}
	return b.others.RoundTrip(r)
}

// handover is a handler whose target is set later. Until then it answers 503.
type handover struct{ h atomic.Pointer[http.Handler] }

func (o *handover) set(h http.Handler) { o.h.Store(&h) }

// ServeHTTP implements http.Handler.
func (o *handover) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := o.h.Load()
	if h == nil {
		http.Error(w, "starting", http.StatusServiceUnavailable)
		return
	}
	(*h).ServeHTTP(w, r)
}
