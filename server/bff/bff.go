package bff

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/gorilla/sessions"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/web"
)

// Site serves the editor's pages and files.
type Site interface {
	http.Handler // /web/...
	Shell(w http.ResponseWriter, r *http.Request, p web.Program)
	Page(w http.ResponseWriter, r *http.Request, status int, m web.Message) error
}

// Config is what the handler needs. Random nil means crypto/rand.
type Config struct {
	// PublicURL is the editor's address without a trailing slash, as browsers
	// write it in the Origin header.
	PublicURL string
	Identity  *Identity
	Sessions  *session.Store
	Upstream  *upstream.Client
	// Account calls the self-service account API; nil when the tenant has none.
	Account *upstream.Client
	// Drafts are the secrets, newest first, from which the keys of people's drafts
	// are derived; 32 bytes each.
	Drafts [][]byte
	Site   Site
	Now    func() time.Time
	Random io.Reader
	Log    *slog.Logger
}

// Handler serves the editor's listener. It is safe for concurrent use.
type Handler struct {
	public   *url.URL
	identity *Identity
	sessions *session.Store
	upstream *upstream.Client
	account  *upstream.Client
	told     *toldTokens
	drafts   [][]byte
	site     Site
	gate     *httpx.Gate
	now      func() time.Time
	random   io.Reader
	log      *slog.Logger
	routes   []route
}

// New makes the handler with its middleware.
func New(c Config) (http.Handler, error) {
	public, err := url.Parse(c.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("read public address: %w", err)
	}
	gate, err := httpx.NewGate(c.PublicURL, c.Sessions.CookieName())
	if err != nil {
		return nil, err
	}
	b := &Handler{
		public: public, identity: c.Identity, sessions: c.Sessions, upstream: c.Upstream, account: c.Account, told: newToldTokens(),
		drafts: c.Drafts, site: c.Site, gate: gate, now: c.Now, random: c.Random, log: c.Log,
	}
	if b.random == nil {
		b.random = rand.Reader
	}
	b.routes = b.table()
	var h http.Handler = b
	h = httpx.SecurityHeaders(c.PublicURL, h)
	h = httpx.Recover(c.Log, h)
	h = httpx.AccessLog(c.Log, c.Now, h)
	return httpx.Identify(c.Random, h), nil
}

// Keys of the session's values: who is signed in.
const (
	keySubject = "sub"
	keyName    = "name"
	keyEmail   = "email"
)

// current returns the session, or the problem to answer with: 401 when nobody is
// signed in, whose cookie is dropped with it, and 503 when that cannot be known,
// whose cookie stays.
func (b *Handler) current(w http.ResponseWriter, r *http.Request) (*sessions.Session, *httpx.Problem) {
	ss, err := b.sessions.Of(r)
	if err != nil {
		return nil, b.storeDown(r.Context(), err)
	}
	if ss.IsNew {
		return nil, b.expired(w, r)
	}
	return ss, nil
}

func (b *Handler) expired(w http.ResponseWriter, r *http.Request) *httpx.Problem {
	if len(r.CookiesNamed(b.sessions.CookieName())) > 0 {
		b.sessions.Forget(w)
	}
	return httpx.NewProblem(http.StatusUnauthorized, httpx.CodeSession, "You are not signed in, or your session has ended. Sign in again.")
}

// retryLater is how soon a browser may try again what failed on our side.
const retryLater = 5 * time.Second

func (b *Handler) storeDown(ctx context.Context, err error) *httpx.Problem {
	if !errors.Is(err, context.Canceled) {
		b.log.ErrorContext(ctx, "session store", "request_id", httpx.RequestID(ctx), "error", err)
	}
	return &httpx.Problem{
		Status: http.StatusServiceUnavailable, Code: httpx.CodeStore,
		Detail: "The server cannot reach its session store right now. You stay signed in; try again.", RetryAfter: retryLater,
	}
}

// audit notes what a person did. No token, code or secret is ever among more.
func (b *Handler) audit(ctx context.Context, event string, more ...any) {
	b.log.InfoContext(ctx, "audit", append([]any{"event", event, "request_id", httpx.RequestID(ctx)}, more...)...)
}

// secret makes a random text of 32 bytes, as state, nonce and verifier need it.
func (b *Handler) secret() (string, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(b.random, raw); err != nil {
		return "", fmt.Errorf("read random: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}
