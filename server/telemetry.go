package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/metrics"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/tracing"
	"github.com/formgraph/formgraph/server/upstream"
)

// telemetry holds the observers of a server. The zero value has none.
type telemetry struct {
	metrics *metrics.Metrics // nil if disabled
	socket  net.Listener     // of the metrics listener; nil if disabled
	traces  *tracing.Tracer  // nil if disabled
}

// traceTime is the timeout for sending the last traces at shutdown.
const traceTime = 5 * time.Second

// measure starts metrics and traces if the options enable them, and makes the store report to them.
func (s *parts) measure(ctx context.Context) (err error) {
	release, build := buildInfo()
	t := &s.telemetry
	if s.c.Metrics != "" {
		if t.socket, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.c.Metrics); err != nil {
			return fmt.Errorf("listen for the metrics: %w", err)
		}
		address := t.socket.Addr().String()
		s.log.InfoContext(ctx, "metrics", "address", address, "path", metrics.Path)
		if host, _, err := net.SplitHostPort(address); err == nil && !hosts.Loopback(host) {
			s.log.WarnContext(ctx, "other machines can read the metrics without authentication: make sure that only Prometheus can reach the address")
		}
		t.metrics = metrics.New(metrics.Config{Release: release, Build: build, Pools: s.db.Pools, Expiry: s.expiry})
	}
	if to := s.c.Trace; to.Endpoint != "" {
		if t.traces, err = tracing.New(ctx, tracing.Config{
			Endpoint: to.Endpoint, Headers: to.Headers, Release: release, Transport: upstream.NewTransport(), Log: s.log,
		}); err != nil {
			return err
		}
	}
	s.db.Observe(t.observe())
	return nil
}

// observe returns the observer of the server's parts, or nil if there is none.
func (t *telemetry) observe() observe.Func {
	var all []observe.Func
	if t.metrics != nil {
		all = append(all, t.metrics.Observe)
	}
	if t.traces != nil {
		all = append(all, t.traces.Observe)
	}
	return observe.All(all...)
}

// requests returns the observer of the requests of a listener, or nil if there is none.
func (t *telemetry) requests(listener string) httpx.Observer {
	var all []httpx.Observer
	if t.metrics != nil {
		all = append(all, t.metrics.Requests(listener))
	}
	if t.traces != nil {
		all = append(all, t.traces.Requests(listener))
	}
	return httpx.Observers(all...)
}

// watch returns the listeners with handlers that report their requests, followed by the metrics listener if it is enabled.
func (t *telemetry) watch(listeners []listener) []listener {
	out := make([]listener, len(listeners), len(listeners)+1)
	for i, l := range listeners {
		l.handler = httpx.Observe(t.requests(strings.TrimSuffix(l.name, " API")), l.handler)
		out[i] = l
	}
	if t.metrics != nil {
		out = append(out, listener{name: "metrics", socket: t.socket, handler: t.metrics.Handler()})
	}
	return out
}

// close sends the last traces, and closes the metrics listener if it has not been served.
func (t *telemetry) close() (err error) {
	if t.traces != nil {
		ctx, cancel := context.WithTimeout(context.Background(), traceTime)
		defer cancel()
		err = t.traces.Close(ctx)
	}
	if t.socket != nil {
		if closed := t.socket.Close(); !errors.Is(closed, net.ErrClosed) {
			err = errors.Join(err, closed)
		}
	}
	return err
}
