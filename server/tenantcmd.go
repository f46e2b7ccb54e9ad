package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
)

var tenantTool = tool{name: "tenant", usage: []string{"[options]"}, about: serverAbout + listenAbout, options: config.TenantOptions()}

// tenantCommand is formgraph tenant: the embedded tenant alone, with its management API and the account API, for an editor
// that runs elsewhere with --issuer.
func tenantCommand(ctx context.Context, p process, args []string) int {
	c, err := config.LoadTenant(p.input(args))
	return p.configured(tenantTool, c, err, func() error { return serveTenant(ctx, p, c) })
}

// configured runs a command. If the configuration is wrong, it reports that instead; with --print-config it only prints it.
func (p process) configured(t tool, c *config.Config, err error, run func() error) int {
	switch {
	case err != nil:
		return p.refused(t, err)
	case c.PrintConfig:
		return p.ended(c.Print(p.stdout))
	}
	return p.ended(run())
}

// logger returns the log of a server. Each line of a request has the ID of the request.
func (p process) logger(lowest slog.Level) *slog.Logger {
	return slog.New(httpx.LogRequestID(slog.NewJSONHandler(p.stderr, &slog.HandlerOptions{Level: lowest})))
}

// openState opens and locks the data folder of a configuration, opens keys and database, and reads the certificate. The caller
// closes the result.
func openState(ctx context.Context, p process, c *config.Config) (s *parts, err error) {
	s = &parts{p: p, c: c, drain: c.Drain, proxies: c.TrustedProxies, log: p.logger(c.LogLevel), unlock: func() error { return nil }}
	if c.Unproxied() {
		s.log.WarnContext(ctx, "no proxy is trusted: limits count everybody behind a proxy as one address until --trusted-proxy names its "+
			"network")
	}
	if err := openFolder(c.Data); err != nil {
		return nil, unusable{err}
	}
	place := database.Place{Folder: c.Data, URL: c.Database}
	if !place.Shared() {
		if s.unlock, err = lockFolder(c.Data); err != nil {
			return nil, unusable{err}
		}
	}
	if s.db, err = place.Open(ctx); err != nil {
		if errors.Is(err, store.ErrNewer) {
			err = unusable{err}
		}
		return nil, errors.Join(err, s.unlock())
	}
	s.keepAudit()
	if s.keys, err = openKeys(ctx, c.Keys, s.db, s.db.Now()); err == nil {
		err = matchKeys(ctx, s.db, s.keys)
	}
	if err == nil {
		err = s.secure()
	}
	if err != nil {
		return nil, errors.Join(unusable{err}, s.close())
	}
	return s, nil
}

func serveTenant(ctx context.Context, p process, c *config.Config) (err error) {
	s, err := openState(ctx, p, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	release, build := buildInfo()
	s.log.InfoContext(ctx, "start", "version", release, "build", build, "config", c)
	if err := s.measure(ctx); err != nil {
		return err
	}
	socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Tenant.Listen)
	if err != nil {
		return fmt.Errorf("listen for the tenant: %w", err)
	}
	fail := func(err error) error { return errors.Join(err, socket.Close()) }
	at := addresses{Editor: c.Editor.URL, Tenant: c.PublicURL(c.Tenant.Listener, socket.Addr())}
	if at.Data, err = filepath.Abs(c.Data); err != nil {
		return fail(fmt.Errorf("find data folder: %w", err))
	}
	h, _, _, err := s.embed(ctx, at, upstream.NewTransport())
	if err != nil {
		return fail(err)
	}
	return s.serveUntil(ctx, []listener{{name: "tenant", socket: socket, handler: s.edge(h)}}, func() error { return s.tenantReady(at) })
}

func (s *parts) tenantReady(at addresses) error {
	if !s.c.PrintReady {
		s.p.print("The tenant is ready: %s\nIts editor is at %s; formgraph keys editor prints what serve --issuer needs.\n", at.Tenant, at.Editor)
		return nil
	}
	line, err := json.Marshal(struct {
		Tenant string `json:"tenant_url"`
		Data   string `json:"data"`
	}{at.Tenant, at.Data})
	s.p.print("%s\n", line)
	return err
}
