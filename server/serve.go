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
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/certs"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/web"
)

const (
	// drainTime is how long requests under way may take after the listeners are closed, and tasksTime how long the work in the background may
	// take to end after that. What does not end then ends with the process.
	drainTime, tasksTime = 8 * time.Second, 6 * time.Second
	// sweepTime is how often expired sessions are deleted.
	sweepTime = 10 * time.Minute
	// checkTime bounds the check of a remote tenant at the start.
	checkTime = 10 * time.Second
)

// parts is a running server.
type parts struct {
	p    process
	c    *config.Config // nil for formgraph sample
	log  *slog.Logger
	keys *keys.Set
	db   *database.DB
	// audit stores the actions of users; nil for formgraph sample.
	audit *audit.Log
	site  *web.Site
	tls   *tls.Config // nil for plain HTTP
	// expiry returns when the certificate of tls expires; nil for plain HTTP.
	expiry func() time.Time
	unlock func() error // gives back the data folder, which is not locked if the database is shared by replicas
	// drain is how long requests are still accepted after shutdown begins.
	drain time.Duration
	// proxies are the trusted proxies in front of the listeners.
	proxies clientip.Proxies
	// tasks run beside the listeners. Their context ends after the last request.
	tasks []func(ctx context.Context)
	// endStreams ends the responses that last until one side ends them; nil without an editor.
	endStreams func()
	// telemetry observes the server if an option enables it.
	telemetry telemetry
}

// listener is one address and its handler.
type listener struct {
	name    string
	socket  net.Listener
	handler http.Handler
}

// addresses are the public addresses, without a trailing slash.
type addresses struct {
	Editor string `json:"editor_url"`
	Tenant string `json:"tenant_url"`
	Sample string `json:"sample_url"` // "" beside a remote tenant
	Data   string `json:"data"`
}

// serveWith opens the state, starts the listeners and serves until ctx ends.
func serveWith(ctx context.Context, p process, c *config.Config) (err error) {
	s, err := openState(ctx, p, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	release, build := buildInfo()
	if s.site, err = web.New(web.Options{
		Dialect: c.Dialect, Remote: c.Remote.Given(), Account: s.hasAccount(), Version: release,
	}); err != nil {
		return err
	}
	if !s.site.Built() {
		s.log.WarnContext(ctx, "the editor is not built into this program: run make wasm, then build again")
	}
	s.log.InfoContext(ctx, "start", "version", release, "build", build, "config", c)
	if err := s.measure(ctx); err != nil {
		return err
	}
	listeners, at, err := s.listen(ctx)
	if err != nil {
		return err
	}
	return s.serveUntil(ctx, listeners, func() error { return s.ready(at) })
}

// secure reads or creates the listeners' certificate.
func (s *parts) secure() error {
	cert, key := s.c.TLS.Cert, s.c.TLS.Key
	if s.c.TLS.Local {
		local, err := certs.Local(s.c.Data, s.c.Hosts(), time.Now())
		if err != nil {
			return err
		}
		cert, key = local.Cert, local.Key
		if !s.c.PrintReady {
			s.p.print("Clients must trust the authority in %s\n", local.Authority)
		}
	}
	if cert == "" {
		return nil
	}
	source, err := certs.Files(cert, key, time.Now, s.log)
	if err != nil {
		return err
	}
	s.tls, s.expiry = source.Config(), source.Expiry
	return nil
}

// keepAudit starts the audit log.
func (s *parts) keepAudit() {
	s.audit = audit.New(audit.Config{Rows: s.db, Now: s.db.Now, Log: s.log})
	s.tasks = append(s.tasks, s.audit.Run)
	if keep := s.c.AuditRetention; keep > 0 {
		s.tasks = append(s.tasks, func(ctx context.Context) {
			sweep(ctx, s.log, func(ctx context.Context) error { return s.audit.Sweep(ctx, keep) })
		})
	}
}

// close releases what openState opened.
func (s *parts) close() error {
	return errors.Join(s.telemetry.close(), s.db.Close(), s.unlock())
}

// listen opens the sockets and then makes the handlers. The sockets come first because the settings of the tenant and the editor contain
// the addresses that port 0 yields.
func (s *parts) listen(ctx context.Context) (out []listener, at addresses, err error) {
	defer func() {
		if err != nil {
			for _, l := range out {
				_ = l.socket.Close() // the error above is what counts
			}
		}
	}()
	open := func(name, address string) error {
		socket, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		if err != nil {
			return fmt.Errorf("listen for the %s: %w", name, err)
		}
		out = append(out, listener{name: name, socket: socket})
		return nil
	}
	if err := open("editor", s.c.Editor.Listen); err != nil {
		return out, at, err
	}
	at.Editor = s.c.PublicURL(s.c.Editor, out[0].socket.Addr())
	if at.Data, err = filepath.Abs(s.c.Data); err != nil {
		return out, at, fmt.Errorf("find data folder: %w", err)
	}
	var editor handover // the editor's backend, which is made after the tenant
	identity := bff.IdentityConfig{RedirectURL: at.Editor + "/bff/callback", Now: s.db.Now, Log: s.log}
	management := s.c.Remote.ManagementURL
	if remote := s.c.Remote; remote.Given() {
		at.Tenant = strings.TrimSuffix(remote.Issuer, "/")
		identity.Issuer, identity.ClientID, identity.ClientSecret = remote.Issuer, remote.ClientID, remote.ClientSecret
		identity.Audience, identity.MeAudience = remote.Audience, remote.MeAudience
		identity.Transport = httpx.PassRequestID(upstream.Observed(s.telemetry.observe(), upstream.NewTransport()))
		identity.DPoP = remote.DPoP
	} else {
		if err := open("tenant", s.c.Tenant.Listen); err != nil {
			return out, at, err
		}
		at.Tenant = s.c.PublicURL(s.c.Tenant.Listener, out[1].socket.Addr())
		if err := open("sample API", s.c.Sample.Listen); err != nil {
			return out, at, err
		}
		at.Sample = s.c.PublicURL(s.c.Sample.Listener, out[2].socket.Addr())
		var inner http.Handler
		if inner, identity.ClientID, identity.ClientSecret, err = s.embed(ctx, at, backchannel{
			editor: upstream.InProcess{Origin: at.Editor, Handler: httpx.Recover(s.log, &editor)}, others: upstream.NewTransport(),
		}); err != nil {
			return out, at, err
		}
		out[1].handler = s.edge(inner)
		if out[2].handler, err = s.sample(at, inner); err != nil {
			return out, at, err
		}
		// The editor's backend uses the tenant's protocols, but needs no port for it.
		identity.Transport = upstream.InProcess{Origin: at.Tenant, Handler: s.inProcess(inner)}
		identity.Issuer, identity.Audience, identity.MeAudience = at.Tenant, at.Tenant+"/api/v2/", at.Tenant+"/me/"
		management = at.Tenant + "/api/v2"
	}
	if out[0].handler, err = s.editor(ctx, at, identity, management); err != nil {
		return out, at, err
	}
	editor.set(out[0].handler)
	return out, at, nil
}

// serveUntil serves all listeners until ctx ends or one of them fails, and then lets the requests under way finish.
func (s *parts) serveUntil(ctx context.Context, listeners []listener, ready func() error) error {
	listeners = s.telemetry.watch(listeners)
	group, ending := errgroup.WithContext(ctx)
	drain := &httpx.Drain{}
	tasks, endTasks := context.WithCancel(context.WithoutCancel(ctx))
	defer endTasks()
	var background sync.WaitGroup
	servers := make([]*http.Server, len(listeners))
	for i, l := range listeners {
		srv := httpx.NewServer(clientip.Locate(s.proxies, httpx.Identify(nil, drain.Handler(l.handler))), s.log)
		servers[i] = srv
		group.Go(func() error {
			serve := srv.Serve
			if s.tls != nil {
				srv.TLSConfig = s.tls.Clone() // the server modifies its configuration
				serve = func(socket net.Listener) error { return srv.ServeTLS(socket, "", "") }
			}
			if err := serve(l.socket); !errors.Is(err, http.ErrServerClosed) {
				return fmt.Errorf("serve the %s: %w", l.name, err)
			}
			return nil
		})
	}
	group.Go(func() error {
		<-ending.Done()
		defer endTasks()
		drain.Begin()
		if ctx.Err() != nil { // not because a listener has failed
			<-time.After(s.drain)
		}
		if s.endStreams != nil {
			s.endStreams() // now that proxies send their browsers to other replicas
		}
		return s.shutDown(context.WithoutCancel(ctx), listeners, servers)
	})
	for _, task := range s.tasks {
		background.Go(func() { task(tasks) })
	}
	// The sockets are open, so connections are accepted from now on.
	if err := ready(); err != nil {
		return err
	}
	err := errors.Join(group.Wait(), endsIn(tasksTime, background.Wait))
	s.log.InfoContext(context.WithoutCancel(ctx), "end")
	return err
}

// endsIn waits until wait returns, or returns an error after a time.
func endsIn(limit time.Duration, wait func()) error {
	ended := make(chan struct{})
	go func() { defer close(ended); wait() }()
	select {
	case <-ended:
		return nil
	case <-time.After(limit):
		return fmt.Errorf("the work in the background did not end within %v", limit)
	}
}

// shutDown closes the listeners and waits for the requests under way, which are interrupted after drainTime.
func (s *parts) shutDown(ctx context.Context, listeners []listener, servers []*http.Server) error {
	ctx, cancel := context.WithTimeout(ctx, drainTime)
	defer cancel()
	var group errgroup.Group
	for i, srv := range servers {
		group.Go(func() error {
			if err := srv.Shutdown(ctx); err != nil {
				s.log.WarnContext(ctx, "requests were interrupted at shutdown", "listener", listeners[i].name, "error", err)
				return srv.Close()
			}
			return nil
		})
	}
	return group.Wait()
}

func (s *parts) ready(at addresses) error {
	if !s.c.PrintReady {
		s.p.print("Formgraph is ready: %s\n", at.Editor)
		if s.c.Tenant.CustomURL != "" {
			s.p.print("The tenant is also at %s\n", s.c.Tenant.CustomURL)
		}
		return nil
	}
	line, err := json.Marshal(at)
	if err != nil {
		return fmt.Errorf("write addresses: %w", err)
	}
	s.p.print("%s\n", line)
	return nil
}

// sweep calls each function, which removes expired rows, periodically until ctx ends.
func sweep(ctx context.Context, log *slog.Logger, remove ...func(context.Context) error) {
	tick := time.NewTicker(sweepTime)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, f := range remove {
				if err := f(ctx); err != nil {
					log.WarnContext(ctx, "sweep", "error", err)
				}
			}
		}
	}
}
