package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/metrics"
	"github.com/formgraph/formgraph/server/observe"
)

// telemetry is what measures a server. The zero value measures nothing.
type telemetry struct {
	metrics *metrics.Metrics // nil for none
	socket  net.Listener     // of the metrics; nil for none
}

// measure opens the listener of the metrics if the options ask for one, and lets the store report to them.
func (s *parts) measure(ctx context.Context) (err error) {
	if s.c.Metrics == "" {
		return nil
	}
	t := &s.telemetry
	if t.socket, err = (&net.ListenConfig{}).Listen(ctx, "tcp", s.c.Metrics); err != nil {
		return fmt.Errorf("listen for the metrics: %w", err)
	}
	address := t.socket.Addr().String()
	s.log.InfoContext(ctx, "metrics", "address", address, "path", metrics.Path)
	if host, _, err := net.SplitHostPort(address); err == nil && !hosts.Loopback(host) {
		s.log.WarnContext(ctx, "other machines can read the metrics without authentication: let only Prometheus reach the address")
	}
	release, build := buildInfo()
	t.metrics = metrics.New(metrics.Config{Release: release, Build: build, Pools: s.db.Pools, Expiry: s.expiry})
	s.db.Observe(t.observe())
	return nil
}

// observe returns who is told what the parts of the server do, or nil for nobody.
func (t *telemetry) observe() observe.Func {
	if t.metrics == nil {
		return nil
	}
	return t.metrics.Observe
}

// requests returns who is told of the requests of a listener, or nil for nobody.
func (t *telemetry) requests(listener string) httpx.Observer {
	if t.metrics == nil {
		return nil
	}
	return t.metrics.Requests(listener)
}

// watch returns the listeners with whoever is told of their requests, and that of the metrics.
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

// close closes the listener of the metrics if it has not been served.
func (t *telemetry) close() error {
	if t.socket == nil {
		return nil
	}
	if err := t.socket.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
