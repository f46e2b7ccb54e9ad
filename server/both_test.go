package main_test

import (
	"context"
	"errors"
	"html"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
	"github.com/formgraph/formgraph/web"
)

// both are the editor's backend and the embedded tenant, each behind a listener, put together as serve does it. Only the tenant's rates and
// the clock differ, and there may be several replicas of the backend over one store.
type both struct {
	editor, tenants []string // the listeners of each replica; the first is the public one
	tenant          string   // the public one
	first           tenant.First
	tokens          atomic.Int64 // requests of the backends to the token endpoint
}

func startBoth(tb testing.TB, now func() time.Time, replicas int) *both {
	tb.Helper()
	return startBefore(tb, now, replicas, nil)
}

// startBefore is startBoth with another management API behind the backend; nil means the embedded tenant's.
func startBefore(tb testing.TB, now func() time.Time, replicas int, management bff.Caller) *both {
	tb.Helper()
	db := openPlace(tb, database.Place{Folder: tb.TempDir()})
	return startOn(tb, now, slices.Repeat([]*database.DB{db}, replicas), management)
}

// openPlace opens a store and closes it when the test ends.
func openPlace(tb testing.TB, place database.Place) *database.DB {
	tb.Helper()
	db, err := place.Open(tb.Context())
	must(tb, err)
	tb.Cleanup(func() { must(tb, db.Close()) })
	return db
}

// startOn starts a replica on each of dbs, which share their rows and counts. Each replica has its own tenant; the first is the public one.
func startOn(tb testing.TB, now func() time.Time, dbs []*database.DB, management bff.Caller) *both {
	tb.Helper()
	ctx, folder := tb.Context(), tb.TempDir()
	// A log to a file costs as much as on a real server: one system call per line.
	file, err := os.Create(filepath.Join(folder, "log"))
	must(tb, err)
	tb.Cleanup(func() { _ = file.Close() })
	log := slog.New(slog.NewJSONHandler(file, nil))
	set := keystest.Set(tb, time.Now())

	s := &both{}
	var tenants, sockets []net.Listener
	var inner []http.Handler
	var audits []*audit.Log
	for _, db := range dbs {
		socket, tenantSocket := listen(tb), listen(tb)
		sockets, s.editor = append(sockets, socket), append(s.editor, "http://"+socket.Addr().String())
		tenants, s.tenants = append(tenants, tenantSocket), append(s.tenants, "http://"+tenantSocket.Addr().String())
		s.tenant = s.tenants[0]
		audits = append(audits, keepAudit(tb, db, now, log))
		h, err := tenant.New(tenant.Config{
			Issuer: s.tenant, Store: db, Keys: set, Log: log, Audit: audits[len(audits)-1], Now: now, Counts: db.Counts,
			Limits: tenant.Limits{ManagementRate: unlimited, ManagementBurst: unlimited, TokenRate: unlimited, TokenBurst: unlimited},
		})
		must(tb, err)
		inner = append(inner, httpx.Recover(log, h))
	}
	_, err = tenant.Seed(ctx, tenant.SeedConfig{Store: dbs[0], Issuer: s.tenant, Publish: func(f tenant.First) error { s.first = f; return nil }})
	must(tb, err)
	client, err := tenant.Sync(ctx, tenant.SyncConfig{Store: dbs[0], Keys: set, Issuer: s.tenant, EditorURL: s.editor[0]})
	must(tb, err)

	for i, socket := range sockets {
		counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/oauth/token" {
				s.tokens.Add(1)
			}
			inner[i].ServeHTTP(w, r)
		})
		identity := bff.NewIdentity(bff.IdentityConfig{
			Issuer: s.tenant, ClientID: client.ID, ClientSecret: client.Secret, Audience: s.tenant + "/api/v2/",
			RedirectURL: s.editor[0] + "/bff/callback", Now: now,
			Transport: upstream.InProcess{Origin: s.tenant, Handler: counted},
		})
		var masters []session.Key
		for _, m := range set.Master {
			masters = append(masters, session.Key{ID: m.ID, Secret: m.Secret})
		}
		sessions, err := session.NewStore(session.Config{
			Rows: dbs[i], Keys: masters, Plain: true, Log: log, Now: now,
			Owner: socket.Addr().String(), Counts: dbs[i].Counts,
		})
		must(tb, err)
		api := management
		if api == nil {
			api, err = upstream.NewClient(upstream.Config{
				BaseURL: s.tenant + "/api/v2", Now: now,
				Transport: upstream.InProcess{Origin: s.tenant, Handler: counted},
			})
			must(tb, err)
		}
		site, err := web.New(web.Options{Dialect: "spec", Version: "bench"})
		must(tb, err)
		events := keepEvents(tb, dbs[i], now, log)
		team, kept := dbs[i].Team(""), keepVersions(tb, dbs[i], now, log)
		rooms := live.NewRooms(live.Config{Stored: team.Rooms(), Now: now, Told: events.ToldEntry})
		editor, err := bff.New(bff.Config{
			PublicURL: s.editor[0], Identity: identity, Sessions: sessions, Upstream: api, Site: site,
			Now: now, Log: log.With("listener", "editor"), Audit: audits[i], Counts: dbs[i].Counts, Files: team,
			Orphans: bff.NewOrphans(bff.OrphansConfig{
				Kept: team, Versions: kept, Rooms: rooms, Events: events, Log: log, Missing: dbs[i].Forms().Missing,
			}),
			Versions: kept, Events: events, Rooms: rooms, RequestRate: unlimited, RequestBurst: unlimited,
			People: live.NewPeople(live.PeopleConfig{
				Stored: dbs[i].Team("").Presences(), Process: socket.Addr().String(), Now: now, Log: log, Came: events.Came, Left: events.Left,
			}),
		})
		must(tb, err)
		serveOn(tb, socket, httpx.Health(dbs[i], log, editor), log)
		serveOn(tb, tenants[i], httpx.Identify(nil, httpx.AccessLog(log.With("listener", "tenant"), time.Now, inner[i])), log)
	}
	return s
}

// keepAudit stores the audit log of a replica until the test ends.
func keepAudit(tb testing.TB, db *database.DB, now func() time.Time, log *slog.Logger) *audit.Log {
	tb.Helper()
	a := audit.New(audit.Config{Rows: db, Now: now, Log: log})
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); a.Run(ctx) }()
	tb.Cleanup(func() { stop(); <-ended })
	return a
}

// keepEvents publishes the events of a replica until the test ends.
func keepEvents(tb testing.TB, db *database.DB, now func() time.Time, log *slog.Logger) *bff.Events {
	tb.Helper()
	events := bff.NewEvents(bff.EventsConfig{Messages: db, Now: now, Log: log})
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); events.Run(ctx) }()
	tb.Cleanup(func() { stop(); <-ended })
	return events
}

// keepVersions records the versions of forms for a replica until the test ends.
func keepVersions(tb testing.TB, db *database.DB, now func() time.Time, log *slog.Logger) *versions.Recorder {
	tb.Helper()
	kept := versions.NewRecorder(versions.Config{Stored: db.Team("").Versions(), Forget: db.Team("").Forget, Now: now, Log: log})
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan struct{})
	go func() { defer close(ended); kept.Run(ctx) }()
	tb.Cleanup(func() { stop(); <-ended })
	return kept
}

func listen(tb testing.TB) net.Listener {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	must(tb, err)
	return l
}

func serveOn(tb testing.TB, socket net.Listener, h http.Handler, log *slog.Logger) {
	tb.Helper()
	srv := httpx.NewServer(h, log)
	done := make(chan error, 1)
	go func() { done <- srv.Serve(socket) }()
	tb.Cleanup(func() {
		must(tb, srv.Shutdown(context.WithoutCancel(tb.Context())))
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			tb.Error(err)
		}
	})
}

var (
	actionOf = regexp.MustCompile(`<form[^>]*action="([^"]*)"`)
	hiddenOf = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"`)
)

// signIn signs in on the tenant's own page and returns a client with the session's cookie.
func (s *both) signIn(tb testing.TB) *http.Client {
	tb.Helper()
	jar, err := cookiejar.New(nil)
	must(tb, err)
	c := &http.Client{Jar: jar}
	page := fetch(tb, c, http.MethodGet, s.editor[0]+"/bff/login?return_to=/forms", "")
	action := actionOf.FindStringSubmatch(page)
	if action == nil {
		tb.Fatalf("no sign-in page: %s", page)
	}
	fields := url.Values{"email": {s.first.Admin.Email}, "password": {s.first.Admin.Password}}
	for _, m := range hiddenOf.FindAllStringSubmatch(page, -1) {
		fields.Set(m[1], html.UnescapeString(m[2]))
	}
	to, err := url.Parse(s.tenant + "/")
	must(tb, err)
	to, err = to.Parse(html.UnescapeString(action[1]))
	must(tb, err)
	fetch(tb, c, http.MethodPost, to.String(), fields.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", s.tenant)
	user := fetch(tb, c, http.MethodGet, s.editor[0]+"/bff/user", "", "X-CSRF", "1")
	if !strings.Contains(user, s.first.Admin.Email) {
		tb.Fatalf("not signed in: %s", user)
	}
	return c
}

func fetch(tb testing.TB, c *http.Client, method, target, body string, headers ...string) string {
	tb.Helper()
	req, err := http.NewRequestWithContext(tb.Context(), method, target, strings.NewReader(body))
	must(tb, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := c.Do(req)
	must(tb, err)
	defer res.Body.Close() //nolint:errcheck // what was read decides
	text, err := io.ReadAll(res.Body)
	must(tb, err)
	return string(text)
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
