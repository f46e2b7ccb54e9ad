package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/sample/guard"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tracing"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
)

// edge is the middleware of the tenant's listener.
func (s *parts) edge(next http.Handler) http.Handler {
	return httpx.AccessLog(s.log.With("listener", "tenant"), time.Now, httpx.Recover(s.log, next))
}

// inProcess is the middleware of the tenant as other parts of this process call it.
func (s *parts) inProcess(tenant http.Handler) http.Handler {
	return httpx.Observe(s.telemetry.requests(tracing.InProcess), httpx.Recover(s.log, tenant))
}

// sample returns the sample API that trusts the embedded tenant. It fetches the tenant's keys without a port.
func (s *parts) sample(at addresses, tenant http.Handler) (http.Handler, error) {
	issuer, err := url.Parse(at.Tenant)
	if err != nil {
		return nil, fmt.Errorf("read the tenant's address: %w", err)
	}
	return newSample(guard.Config{
		Domain: issuer.Host, Secure: issuer.Scheme == "https", Audience: sampleAudience, PublicURL: at.Sample,
		Transport: upstream.InProcess{Origin: at.Tenant, Handler: s.inProcess(tenant)},
		Seen:      sharedProofs(s.db), Now: s.db.Now,
	}, s.c.Sample.Proofs, s.log)
}

// embed returns the embedded tenant with the credentials of the editor's client. At the first start it seeds the tenant. notices carries
// the notices of sign-outs to clients.
func (s *parts) embed(ctx context.Context, at addresses, notices http.RoundTripper) (h http.Handler, id, secret string, err error) {
	fail := func(err error) (http.Handler, string, string, error) { return nil, "", "", err }
	// Rotated signing keys take effect without a restart.
	follow, err := keys.Watch(s.c.Keys, s.db.Now, s.log)
	if err != nil {
		return fail(err)
	}
	made, err := tenant.New(tenant.Config{
		Issuer: at.Tenant, Custom: s.c.Tenant.CustomURL, Store: s.db, Now: s.db.Now, Counts: s.db.Counts, Keys: s.keys, Follow: follow.Get,
		Log: s.log, Audit: s.audit, PasskeyGrants: []string{s.c.Tenant.PasskeyGrant}, SignUp: s.c.Tenant.SignUp,
		Backchannel: notices, Observe: s.telemetry.observe(),
	})
	if err != nil {
		return fail(err)
	}
	h = made
	if c, ok := made.(io.Closer); ok {
		s.tasks = append(s.tasks, func(ctx context.Context) {
			<-ctx.Done()
			_ = c.Close() // it never fails
		})
	}
	editor, err := s.prepare(ctx, at)
	if err != nil {
		return fail(err)
	}
	return h, editor.ID, editor.Secret, nil
}

// prepare seeds the tenant at its first start, stores its addresses, and returns the credentials of the editor's client. Replicas that
// start at once take turns, so one of them seeds, and only its data folder gets first-start.json.
func (s *parts) prepare(ctx context.Context, at addresses) (tenant.Credentials, error) {
	if s.db.Lock != nil {
		unlock, err := s.db.Lock(ctx, "start of a tenant")
		if err != nil {
			return tenant.Credentials{}, err
		}
		defer unlock()
	}
	var first tenant.First
	seeded, err := tenant.Seed(ctx, tenant.SeedConfig{
		Store: s.db, Issuer: at.Tenant, Now: s.db.Now, AdminEmail: s.c.Tenant.AdminEmail, AdminPassword: s.c.Tenant.AdminPassword,
		Publish: func(f tenant.First) error {
			first = f
			return writeFirstStart(s.c.Data, f, at)
		},
	})
	if err != nil {
		return tenant.Credentials{}, err
	}
	// The output of --print-ready is a single line; its reader takes the password from the file.
	if seeded && !s.c.PrintReady {
		s.p.print("First start. Sign in with\n  e-mail    %s\n  password  %s\nBoth are in %s, and are not shown again.\n\n",
			first.Admin.Email, first.Admin.Password, firstStartFile(at.Data))
	}
	return tenant.Sync(ctx, tenant.SyncConfig{Store: s.db, Keys: s.keys, Issuer: at.Tenant, EditorURL: at.Editor, Now: s.db.Now})
}

// hasAccount reports whether people can manage their own accounts here.
func (s *parts) hasAccount() bool { return !s.c.Remote.Given() || s.c.Remote.MeAudience != "" }

// editor returns the editor's backend.
func (s *parts) editor(ctx context.Context, at addresses, ic bff.IdentityConfig, management string) (http.Handler, error) {
	identity := bff.NewIdentity(ic)
	check, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	switch err := identity.Check(check); {
	case errors.Is(err, issuer.ErrMisconfigured):
		return nil, unusable{err}
	case err != nil:
		// The tenant may start later; sign-in will try again.
		s.log.WarnContext(ctx, "the tenant cannot be reached yet", "error", err)
	}
	service, err := s.service(check, identity.Server(), ic.Transport)
	if err != nil {
		return nil, err
	}
	var masters []session.Key
	var drafts, links [][]byte
	for _, m := range s.keys.Master {
		links = append(links, m.Derive("links", keys.SecretBytes))
		drafts = append(drafts, m.Derive("drafts", keys.SecretBytes))
		masters = append(masters, session.Key{ID: m.ID, Secret: m.Secret})
	}
	sessions, err := session.NewStore(session.Config{
		Rows: s.db, Keys: masters, Plain: !strings.HasPrefix(at.Editor, "https:"), Log: s.log, Now: s.db.Now, Counts: s.db.Counts,
		Observe: s.telemetry.observe(),
	})
	if err != nil {
		return nil, err
	}
	s.tasks = append(s.tasks, func(ctx context.Context) { sweep(ctx, s.log, sessions.Sweep, s.db.Tidy) })
	foreign := s.c.Remote.Given()
	client, err := upstream.NewClient(upstream.Config{
		BaseURL: management, Transport: ic.Transport, Shared: foreign, Now: s.db.Now, Observe: s.telemetry.observe(),
	})
	if err != nil {
		return nil, unusable{err}
	}
	var api bff.Caller = client
	remoteAPI := ""
	if foreign {
		remoteAPI = strings.TrimSuffix(management, "/")
		api = remote.NewFlows(remote.NewForms(client, s.db.Lock), s.db.Now)
	}
	var account *upstream.Client
	if s.hasAccount() {
		account, err = upstream.NewClient(upstream.Config{BaseURL: at.Tenant + "/me/v1", Transport: ic.Transport, Now: s.db.Now})
		if err != nil {
			return nil, unusable{err}
		}
	}
	var checker bff.Checker
	if foreign {
		checker = selfcheck.NewRunner(func() []selfcheck.Check { return s.checks(at.Editor, ic.Transport) }, time.Now)
	}
	events := bff.NewEvents(bff.EventsConfig{Tenant: remoteAPI, Messages: s.db, Now: s.db.Now, Log: s.log, Observe: s.telemetry.observe()})
	s.tasks, s.endStreams = append(s.tasks, events.Run), events.End
	if foreign {
		if err := s.db.Adopt(ctx, remoteAPI); err != nil {
			return nil, err
		}
	}
	team := s.db.Team(remoteAPI)
	places := bff.Places{Comments: team.Comments(), Scenarios: team.Scenarios(), Now: s.db.Now, Events: events, Log: s.log}
	turns := bff.NewTurns(foreign)
	kept := versions.NewRecorder(versions.Config{
		Stored: team.Versions(), Forget: team.Forget, Changed: places.Follow, Now: s.db.Now, Log: s.log, Observe: s.telemetry.observe(),
		InTurn: func(ctx context.Context, size int, work func()) bool { return turns.Do(ctx, size, work) == nil },
	})
	s.tasks = append(s.tasks, kept.Run, func(ctx context.Context) { sweep(ctx, s.log, kept.Sweep) })
	rooms := live.NewRooms(live.Config{Stored: team.Rooms(), Now: s.db.Now, Told: events.ToldEntry})
	people := live.NewPeople(live.PeopleConfig{
		Stored: team.Presences(), Process: rand.Text(), Now: s.db.Now, Log: s.log, Came: events.Came, Left: events.Left,
	})
	s.tasks = append(s.tasks, people.Run, func(ctx context.Context) { sweep(ctx, s.log, rooms.Sweep) })
	gone := bff.OrphansConfig{Kept: team, Versions: kept, Rooms: rooms, Events: events, Log: s.log}
	if !foreign {
		gone.Missing = s.db.Forms().Missing
	}
	orphans := bff.NewOrphans(gone)
	h, err := bff.New(bff.Config{
		PublicURL: at.Editor, Identity: identity, Sessions: sessions, Upstream: api, Account: account, Drafts: drafts, Site: s.site,
		Remote: foreign, Service: service, Checker: checker, Now: s.db.Now, Log: s.log.With("listener", "editor"),
		Audit: s.audit, Counts: s.db.Counts, Events: events, Links: links, Tenant: remoteAPI, Files: team, Versions: kept, Rooms: rooms, People: people,
		Orphans: orphans, Turns: turns, Observe: s.telemetry.observe(),
	})
	if err != nil {
		return nil, err
	}
	s.tasks = append(s.tasks, orphans.Run)
	return httpx.Health(s.db, s.log, h), nil
}
