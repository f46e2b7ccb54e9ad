package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/certs"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/sample"
	"github.com/formgraph/formgraph/server/sample/guard"
	"github.com/formgraph/formgraph/server/tenant"
)

const sampleAudience = tenant.SampleAudience

// trustTime bounds a TLS handshake with the tenant. The tenant's keys must be fetched within five seconds.
const trustTime = 5 * time.Second

// newSample returns the sample API with the middleware of its listener.
func newSample(c guard.Config, p config.Proofs, log *slog.Logger) (http.Handler, error) {
	log = log.With("listener", "sample")
	c.Mode, c.Past, c.Future, c.Log = guard.Mode(p.Mode), p.Past, p.Future, log
	g, err := guard.New(c)
	if err != nil {
		return nil, unusable{err}
	}
	return httpx.AccessLog(log, time.Now, httpx.Recover(log, sample.New(g))), nil
}

// sharedProofs remembers the sample API's proofs in the store beside the tenant, for all replicas.
func sharedProofs(rows dpop.Rows) dpop.Seen {
	return &dpop.Shared{Rows: rows, Name: "sample"}
}

var sampleTool = tool{
	name: "sample", usage: []string{"[options]", "call [options] [PATH]"}, options: config.SampleOptions(),
	about: serverAbout + `

The API alone remembers used DPoP proofs in its process, so each of several replicas accepts a proof once. Beside the
embedded tenant (formgraph serve) replicas share the database, and a proof is accepted once.`,
}

// sampleCommand is formgraph sample: the API alone, for a tenant that the configuration names.
func sampleCommand(ctx context.Context, p process, args []string) int {
	if len(args) > 0 && args[0] == "call" {
		return callCommand(ctx, p, args[1:])
	}
	c, err := config.LoadSample(p.input(args))
	if err != nil {
		return p.refused(sampleTool, err)
	}
	return p.ended(serveSample(ctx, p, c))
}

func serveSample(ctx context.Context, p process, c *config.Sample) error {
	s := &parts{p: p, drain: c.Drain, proxies: c.TrustedProxies, log: p.logger(c.LogLevel)}
	scheme := "http://"
	if c.TLS.On() {
		source, err := certs.Files(c.TLS.Cert, c.TLS.Key, time.Now, s.log)
		if err != nil {
			return unusable{err}
		}
		s.tls, scheme = source.Config(), "https://"
	}
	transport, err := trusting(c.TLSTrust)
	if err != nil {
		return unusable{err}
	}
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen for the sample API: %w", err)
	}
	at := c.URL
	if at == "" {
		at = scheme + socket.Addr().String()
	}
	h, err := newSample(guard.Config{Domain: c.Domain, Secure: c.TLSTrust != "", Audience: c.Audience, PublicURL: at, Transport: transport},
		c.Proofs, s.log)
	if err != nil {
		return errors.Join(err, socket.Close())
	}
	ready := func() error {
		if !c.PrintReady {
			p.print("The sample API is ready: %s\n", at)
			return nil
		}
		line, err := json.Marshal(struct {
			Sample string `json:"sample_url"`
		}{at})
		p.print("%s\n", line)
		return err
	}
	return s.serveUntil(ctx, []listener{{name: "sample API", socket: socket, handler: h}}, ready)
}

// trusting returns a transport that also trusts the authorities in a file. Without a file it returns nil, which means the guard's own
// transport.
func trusting(file string) (http.RoundTripper, error) {
	if file == "" {
		return nil, nil //nolint:nilnil // the guard's own transport
	}
	pool, err := certs.Trust(file)
	if err != nil {
		return nil, err
	}
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, TLSHandshakeTimeout: trustTime,
		ForceAttemptHTTP2: true, MaxIdleConns: 1, IdleConnTimeout: time.Minute,
	}, nil
}
