package bff

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
	"github.com/formgraph/formgraph/web"
)

// Site serves the editor's pages and files.
type Site interface {
	http.Handler // /web/...
	Shell(w http.ResponseWriter, r *http.Request, p web.Program)
	Preview(w http.ResponseWriter, r *http.Request)
	PreviewScript() string
	Page(w http.ResponseWriter, r *http.Request, status int, m web.Message) error
	Report(w http.ResponseWriter, r *http.Request, report web.Report) error
	Look(l web.Look) ([]byte, error)
}

// Caller makes a call to one of the tenant's APIs, as upstream.Client does. It is safe for concurrent use.
type Caller interface {
	Do(ctx context.Context, r upstream.Request, tokens upstream.TokenSource) (*upstream.Response, error)
}

// Config configures the handler. A nil Random means crypto/rand.
type Config struct {
	// PublicURL is the editor's address without a trailing slash, in the form that browsers send in the Origin header.
	PublicURL string
	Identity  *Identity
	Sessions  *session.Store
	// Upstream calls the management API.
	Upstream Caller
	// Account calls the self-service account API; nil when people cannot use one. Without it the account's routes and page do not exist.
	Account *upstream.Client
	// Remote means that the tenant is not the embedded one: the routes and the page of the administration do not exist, and the IDs of
	// forms have shapes of their own.
	Remote bool
	// Service calls the management API with a token of the server; nil means that people's own tokens are forwarded. It excludes Account.
	Service *Service
	// Checker tries the configuration for the page /check, which exists at a remote tenant only; nil means that it does not exist.
	Checker Checker
	// Drafts are the secrets from which the keys of people's drafts are derived, newest first, 32 bytes each.
	Drafts [][]byte
	Site   Site
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
	// Audit stores the actions of users; if nil, they are only logged.
	Audit *audit.Log
	// Counts counts requests for all replicas; nil means that this process counts its own.
	Counts ratelimit.Store
	// Events tells open editors of saves; nil means that nobody is told, and that the streams of events do not exist.
	Events *Events
	// Links are the secrets from which the codes of links to look at forms are derived, newest first, 32 bytes each; without any, or without
	// Versions, there are no links.
	Links [][]byte
	// Tenant names the tenant whose forms these are in the codes of links, as store.Teams does.
	Tenant string
	// Files is what the team keeps beside the forms of the tenant.
	Files store.Team
	// Orphans deletes what is kept beside forms that are gone.
	Orphans *Orphans
	// Versions keeps the saved versions of forms; nil means that none are kept, and that their routes do not exist.
	Versions *versions.Recorder
	// Rooms keeps the forms that people edit together, and People knows who they are. Without Events or Rooms their routes do not exist.
	Rooms  *live.Rooms
	People *live.People
	// RequestRate is how many requests a session may make per second, and RequestBurst how many at once; 0 means the default.
	RequestRate, RequestBurst int
	// Turns are those of work on large forms, which may be shared with work that is done elsewhere; nil means ones of the handler's own.
	Turns *httpx.Turns
	// Observe observes saves, sign-ins and refusals; may be nil.
	Observe observe.Func

	atlases slots // see newAtlases; tests hold them
}

func (c Config) access(log journal) access {
	if c.Service != nil {
		return &serviceAccess{Service: *c.Service, identity: c.Identity, log: log}
	}
	return &userAccess{identity: c.Identity, sessions: c.Sessions, remote: c.Remote, account: c.Account != nil, log: log}
}

// Handler serves the editor's listener: it finds the route of a request and runs the checks that the route requires. It is safe for
// concurrent use.
type Handler struct {
	remote bool
	pages  *pages
	gate   *httpx.Gate
	log    journal
	routes []route

	sessions *session.Store
	requests *ratelimit.Limiter // of each session
}

// New returns the handler with its middleware.
func New(c Config) (http.Handler, error) {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Turns == nil {
		c.Turns = NewTurns(c.Remote)
	}
	if c.atlases.free == nil {
		c.atlases = newAtlases()
	}
	b, err := newHandler(c)
	if err != nil {
		return nil, err
	}
	h := c.Turns.Handler(func(r *http.Request) string { return clientOf(r, c.Sessions) }, b)
	h = httpx.SecurityHeaders(c.PublicURL, h)
	h = httpx.Recover(c.Log, h)
	h = httpx.AccessLog(c.Log, c.Now, h)
	return httpx.Identify(c.Random, h), nil
}

// NewTurns returns the turns of work on large forms. Requests for the embedded tenant take processors, of which one is left for all else; those for
// a remote one mostly wait.
func NewTurns(remote bool) *httpx.Turns {
	if remote {
		return httpx.NewTurns(largeRemote)
	}
	return httpx.NewTurns(max(1, runtime.GOMAXPROCS(0)-1))
}

// largeRemote is how many requests with large bodies for a remote tenant are worked on at once.
const largeRemote = 8

// clientOf names the client of a request: its session, or its network.
func clientOf(r *http.Request, sessions *session.Store) string {
	return cmp.Or(sessions.Named(r), clientip.Network(r))
}

func newHandler(c Config) (*Handler, error) {
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("read public address: %w", err)
	}
	gate, err := httpx.NewGate(c.PublicURL, c.Sessions.CookieName())
	if err != nil {
		return nil, err
	}
	if c.Service != nil && c.Account != nil {
		return nil, errors.New("account API: people have no tokens of their own beside a service client")
	}
	log := journal{c.Log, c.Audit, c.Identity.c.Issuer}
	pages := &pages{public: public, site: c.Site, log: log}
	style, err := web.PreviewStyle()
	if err != nil {
		return nil, err
	}
	sessions := signedIn{c.Sessions, c.access(log), log}
	count := ratelimit.Counting{Now: c.Now, Store: c.Counts, Observe: c.Observe}
	b := &Handler{remote: c.Remote, pages: pages, gate: gate, log: log, sessions: c.Sessions, requests: newRequests(c)}
	forms := &forwarder{
		sessions: sessions, management: c.Upstream, account: c.Account, events: c.Events, log: log, observe: c.Observe,
	}
	forms.rights, forms.work, forms.orphans = newRights(c.Now, c.Remote), newWork(count, c.Turns), c.Orphans
	c.Orphans.begin(forms)
	forms.versions = &formVersions{kept: c.Versions, forms: forms, rooms: c.Rooms}
	forms.together = newTogether(c, forms)
	forms.comments = &formComments{
		stored: c.Files.Comments(), saved: c.Files.Versions(), forms: forms, now: c.Now, random: c.Random,
		limit: count.Limiter("comments", commentRate, commentBurst),
	}
	forms.links = &formLinks{
		stored: c.Files.Links(), kept: c.Versions, tokens: linkTokens{c.Links, c.Tenant}, public: c.PublicURL, forms: forms, now: c.Now,
		random: c.Random, limit: count.Limiter("links", linkRate, linkBurst),
	}
	forms.files = teamFiles(c.Files, forms, c.Now)
	forms.overviews = &overviews{
		forms: forms, scenarios: c.Files.Scenarios(), slots: newSlots(maxOverviews, slotWait), turns: c.Turns, known: newKnownOverviews(),
	}
	begin, err := newTemplateFiles(sessions, log)
	if err != nil {
		return nil, err
	}
	b.routes = b.table(c.Remote, count,
		&signIn{identity: c.Identity, sessions: sessions, pages: pages, random: c.Random, localReturn: b.localReturn, log: log, observe: c.Observe},
		&signOut{identity: c.Identity, sessions: sessions, home: c.PublicURL + "/", used: count.Failures("logout tokens", 1, 2*maxLogoutAge), log: log},
		&profile{identity: c.Identity, sessions: sessions, drafts: c.Drafts, log: log},
		forms,
		&checkPage{checker: c.Checker, sessions: sessions, pages: pages, log: log},
		&eventStreams{Events: c.Events, together: forms.together, sessions: sessions, forms: forms, gate: gate, formID: b.formID, log: log},
		&atlasPage{
			sessions: sessions, pages: pages, style: style, slots: c.atlases, work: forms.work, check: gate.CheckForm, log: log,
		},
		begin,
		&lookPage{
			links: forms.links, pages: pages, style: style, slots: newSlots(maxLooks, slotWait), turns: c.Turns,
			drew: count.Volume("look_bytes", lookVolume, lookVolumeBurst),
		},
	)
	return b, nil
}
