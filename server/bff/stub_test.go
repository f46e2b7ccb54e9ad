package bff_test

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/live"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/upstream"
	"github.com/formgraph/formgraph/server/versions"
	"github.com/formgraph/formgraph/web"
)

const (
	audience     = "https://tenant.example/api/v2/"
	meAudience   = "https://tenant.example/me/"
	clientSecret = "client-secret-value"
)

// clock does not move unless it is set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time       { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) Move(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.now = c.now.Add(d) }

// signingKey is generated once: that is slow, and no test is about it.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// stub is a tenant whose every answer can be changed.
type stub struct {
	t     *testing.T
	url   string
	key   *rsa.PrivateKey
	kid   string
	clock *clock

	mu      sync.Mutex
	codes   map[string]url.Values // code -> authorization request
	calls   map[string]int        // path -> count
	forms   []form                // from token requests
	refresh string                // the one valid refresh token
	issued  int
	revoked []string
	scope   string // granted; "" leaves it out of answers
	meScope string // granted of the account API
	access  string // the access token; "" counts them
	// tokenType is the type of access tokens; "" means Bearer. proofs are the header DPoP of each token request.
	tokenType string
	proofs    []string
	metadata  map[string]any // replaces members of discovery
	claims    map[string]any // replaces claims of the ID token
	skew      time.Duration  // of the stub's clock
	// discovery, token and api replace the answer of their path.
	discovery, token, api http.HandlerFunc
	more                  map[string]http.HandlerFunc // of other paths
	seen                  []*http.Request             // calls of the management API
	bodies                []string
}

type form struct {
	url.Values
	user, password string
}

func newStub(t *testing.T, c *clock) *stub {
	t.Helper()
	s := &stub{
		t: t, key: signingKey(), kid: "k1", clock: c, codes: map[string]url.Values{}, calls: map[string]int{},
		scope: strings.Join(bff.Scopes(), " "), meScope: strings.Join(meScopes(), " "),
	}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.calls[r.URL.Path]++
	discovery, token, api := s.discovery, s.token, s.api
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/.well-known/openid-configuration":
		if discovery != nil {
			discovery(w, r)
			return
		}
		doc := map[string]any{
			"issuer": s.url, "authorization_endpoint": s.url + "/authorize", "token_endpoint": s.url + "/oauth/token",
			"jwks_uri": s.url + "/jwks", "revocation_endpoint": s.url + "/oauth/revoke", "end_session_endpoint": s.url + "/oidc/logout",
			"authorization_response_iss_parameter_supported": true,
		}
		maps.Copy(doc, s.metadata)
		writeJSON(w, 200, doc)
	case r.URL.Path == "/jwks":
		writeJSON(w, 200, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: s.key.Public(), KeyID: s.kid, Algorithm: "RS256", Use: "sig"}}})
	case r.URL.Path == "/oauth/token":
		if token != nil {
			token(w, r)
			return
		}
		s.grant(w, r)
	case r.URL.Path == "/oauth/revoke":
		s.mu.Lock()
		s.revoked = append(s.revoked, r.PostFormValue("token"))
		s.mu.Unlock()
	case strings.HasPrefix(r.URL.Path, "/api/v2/"), strings.HasPrefix(r.URL.Path, "/me/v1/"):
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen, s.bodies = append(s.seen, r), append(s.bodies, string(body))
		s.mu.Unlock()
		if api != nil {
			api(w, r)
			return
		}
		w.Header().Set("ETag", `"v2"`)
		writeJSON(w, 200, map[string]any{"id": "ap_1"})
	case s.more[r.URL.Path] != nil:
		s.more[r.URL.Path](w, r)
	default:
		s.t.Errorf("stray call of %s", r.URL.Path)
	}
}

func (s *stub) grant(w http.ResponseWriter, r *http.Request) {
	user, password, _ := r.BasicAuth()
	if err := r.ParseForm(); err != nil {
		s.t.Error(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms = append(s.forms, form{r.PostForm, user, password})
	s.proofs = append(s.proofs, r.Header.Get("DPoP"))
	answer := map[string]any{"token_type": cmp.Or(s.tokenType, "Bearer"), "expires_in": 600}
	scope := s.scope
	if r.PostForm.Get("audience") == meAudience {
		scope = s.meScope
	}
	if scope != "" {
		answer["scope"] = scope
	}
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		asked, ok := s.codes[r.PostForm.Get("code")]
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if !ok || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.Get("code_challenge") ||
			asked.Get("redirect_uri") != r.PostForm.Get("redirect_uri") {
			writeJSON(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
		delete(s.codes, r.PostForm.Get("code"))
		answer["id_token"] = s.idToken(asked.Get("nonce"))
	case "refresh_token":
		if r.PostForm.Get("refresh_token") != s.refresh {
			writeJSON(w, 400, map[string]any{"error": "invalid_grant"})
			return
		}
	}
	s.issued++
	s.refresh = fmt.Sprint("refresh-token-", s.issued)
	answer["access_token"], answer["refresh_token"] = cmp.Or(s.access, fmt.Sprint("access-token-", s.issued)), s.refresh
	writeJSON(w, 200, answer)
}

func (s *stub) idToken(nonce string) string {
	now := s.clock.Now().Add(s.skew)
	claims := map[string]any{
		"iss": s.url, "sub": "user_1", "aud": "editor", "nonce": nonce, "name": "Ana", "email": "ana@example.org",
		"iat": now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
	}
	maps.Copy(claims, s.claims)
	return s.sign("JWT", jose.SigningKey{Algorithm: jose.RS256, Key: s.key}, claims)
}

// sign makes a token of a type; "" omits the type.
func (s *stub) sign(typ jose.ContentType, key jose.SigningKey, claims map[string]any) string {
	s.t.Helper()
	o := (&jose.SignerOptions{}).WithHeader("kid", s.kid)
	if typ != "" {
		o = o.WithType(typ)
	}
	signer, err := jose.NewSigner(key, o)
	if err != nil {
		s.t.Fatal(err)
	}
	src, _ := json.Marshal(claims)
	signed, err := signer.Sign(src)
	if err != nil {
		s.t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// signBy makes a logout token signed by another key, under the original key's ID.
func (s *stub) signBy(kid string, key *rsa.PrivateKey, claims map[string]any) string {
	s.t.Helper()
	other := &stub{t: s.t, kid: kid}
	return other.sign("logout+jwt", jose.SigningKey{Algorithm: jose.RS256, Key: key}, claims)
}

// count returns the number of calls to paths that begin with prefix.
func (s *stub) count(prefix string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for path, c := range s.calls {
		if strings.HasPrefix(path, prefix) {
			n += c
		}
	}
	return n
}

func (s *stub) bend(f func(*stub)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// site stands in for the built files.
type site struct{}

func (site) ServeHTTP(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "file") }
func (site) Shell(w http.ResponseWriter, _ *http.Request, _ web.Program) {
	_, _ = io.WriteString(w, "<shell>")
}

func (site) PreviewScript() string { return "'sha256-x'" }

func (site) Preview(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<preview>") }

func (site) Page(w http.ResponseWriter, _ *http.Request, status int, m web.Message) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<page>%s|%s|%s|%s|%v", m.Title, m.Text, m.Code, m.Href, m.SignedIn)
	if m.Remedy != "" {
		_, _ = io.WriteString(w, "|"+m.Remedy)
	}
	if m.SignOut {
		_, _ = io.WriteString(w, "|sign out")
	}
	if m.Continue {
		_, _ = io.WriteString(w, "|continue")
	}
	return nil
}

func (site) Look(l web.Look) ([]byte, error) { return fmt.Appendf(nil, "<look> %+v", l), nil }

func (site) Report(w http.ResponseWriter, _ *http.Request, report web.Report) error {
	for _, x := range report.Items {
		_, _ = fmt.Fprintf(w, "%s|%s|%s|%s\n", x.Status, x.Name, x.Detail, x.Remedy)
	}
	return nil
}

// world is an editor's backend with a stub behind it and a browser in front of it.
type world struct {
	*stub
	t       *testing.T
	clock   *clock
	editor  string // public address
	cert    *http.Client
	log     *safeBuffer
	db      *sqlite.DB
	rows    *switchable
	events  *bff.Events
	kept    *versions.Recorder
	ic      bff.IdentityConfig
	h       http.Handler
	orphans *bff.Orphans
	// orphaned changes the configuration of orphans; nil leaves it.
	orphaned func(*bff.OrphansConfig)
	// adjust changes the configuration of handlers; nil leaves it.
	adjust func(*bff.Config)
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
func (s *safeBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

func newWorld(t *testing.T) *world {
	t.Helper()
	c := &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w := &world{stub: newStub(t, c), t: t, clock: c, log: &safeBuffer{}}
	w.db = sqlitetest.Open(t)
	w.rows = &switchable{Sessions: w.db}
	srv := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { w.h.ServeHTTP(rw, r) }))
	w.editor, w.cert = srv.URL, srv.Client()
	t.Cleanup(srv.Close)
	transport := upstream.NewTransport()
	t.Cleanup(transport.CloseIdleConnections)
	w.ic = bff.IdentityConfig{
		Issuer: w.url, ClientID: "editor", ClientSecret: clientSecret, Audience: audience, MeAudience: meAudience,
		RedirectURL: w.editor + "/bff/callback", Transport: transport, Now: c.Now,
	}
	w.events = bff.NewEvents(bff.EventsConfig{
		Messages: w.db, Now: c.Now, Heartbeat: time.Hour, Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	})
	w.keeping(w.db.Team("").Versions())
	w.h = w.handler(w.ic)
	return w
}

// keeping records versions in a store until the test ends.
func (w *world) keeping(in store.Versions) {
	w.t.Helper()
	w.kept = versions.NewRecorder(versions.Config{
		Stored: in, Forget: w.db.Team("").Forget, Now: w.clock.Now, Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	})
	ctx, stop := context.WithCancel(context.WithoutCancel(w.t.Context()))
	ended := make(chan struct{})
	go func(r *versions.Recorder) { defer close(ended); r.Run(ctx) }(w.kept)
	w.t.Cleanup(func() { stop(); <-ended })
}

// handler returns the handler of another process on the same store.
func (w *world) handler(ic bff.IdentityConfig) http.Handler {
	w.t.Helper()
	log := slog.New(slog.NewJSONHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	sessions, err := session.NewStore(session.Config{
		Rows: w.rows, Keys: []session.Key{{ID: 1, Secret: bytes.Repeat([]byte{7}, 32)}},
		Now: w.clock.Now, Log: log,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	atOnce := func(context.Context, time.Duration) error { return nil }
	client, err := upstream.NewClient(upstream.Config{BaseURL: w.url + "/api/v2", Transport: ic.Transport, Now: w.clock.Now, Wait: atOnce})
	if err != nil {
		w.t.Fatal(err)
	}
	account, err := upstream.NewClient(upstream.Config{BaseURL: w.url + "/me/v1", Transport: ic.Transport, Now: w.clock.Now, Wait: atOnce})
	if err != nil {
		w.t.Fatal(err)
	}
	ic.Log = log
	c := bff.Config{
		PublicURL: w.editor, Identity: bff.NewIdentity(ic), Sessions: sessions, Upstream: client, Account: account,
		Drafts: [][]byte{[]byte("newest"), []byte("oldest")}, Site: site{}, Now: w.clock.Now, Log: log,
		Events: w.events, Files: w.db.Team(""), Links: [][]byte{[]byte("newest link"), []byte("oldest link")}, Versions: w.kept,
		Rooms: live.NewRooms(live.Config{Stored: w.db.Team("").Rooms(), Now: w.clock.Now, Told: w.events.ToldEntry}),
		People: live.NewPeople(live.PeopleConfig{
			Stored: w.db.Team("").Presences(), Process: rand.Text(), Now: w.clock.Now, Log: log, Came: w.events.Came, Left: w.events.Left,
		}),
	}
	if w.adjust != nil {
		w.adjust(&c)
	}
	o := bff.OrphansConfig{Kept: c.Files, Versions: c.Versions, Rooms: c.Rooms, Events: w.events, Log: log}
	if w.orphaned != nil {
		w.orphaned(&o)
	}
	w.orphans = bff.NewOrphans(o)
	c.Orphans = w.orphans
	h, err := bff.New(c)
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// browser keeps cookies and does not follow redirects.
type browser struct {
	w      *world
	client *http.Client
	all    *strings.Builder // every answer, for the search for tokens
}

func (w *world) browser() *browser {
	w.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &browser{w, &http.Client{
		Transport: w.cert.Transport, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, &strings.Builder{}}
}

// got is an answer, read completely.
type got struct {
	status int
	header http.Header
	body   string
}

func (g got) code() string {
	var p struct {
		Code   string `json:"code"`
		Status int    `json:"status"`
	}
	if g.header.Get("Content-Type") != "application/problem+json" || json.Unmarshal([]byte(g.body), &p) != nil || p.Status != g.status {
		return "no problem: " + g.body
	}
	return p.Code
}

func (b *browser) do(method, target, body string, headers ...string) got {
	b.w.t.Helper()
	if !strings.HasPrefix(target, "http") {
		target = b.w.editor + target
	}
	r, err := http.NewRequestWithContext(b.w.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		b.w.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	res, err := b.client.Do(r)
	if err != nil {
		b.w.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.w.t.Fatal(err)
	}
	g := got{res.StatusCode, res.Header, string(text)}
	fmt.Fprintln(b.all, g.status, g.header, g.body)
	return g
}

// app sends a request as the editor's pages do.
func (b *browser) app(method, target, body string, headers ...string) got {
	b.w.t.Helper()
	headers = append(headers, "X-CSRF", "1", "Origin", b.w.editor, "Sec-Fetch-Site", "same-origin")
	if body != "" {
		headers = append(headers, "Content-Type", "application/json")
	}
	return b.do(method, target, body, headers...)
}

// begin starts a sign-in and returns the authorization request.
func (b *browser) begin(query string) url.Values {
	b.w.t.Helper()
	g := b.do(http.MethodGet, "/bff/login"+query, "")
	to, err := url.Parse(g.header.Get("Location"))
	if err != nil || g.status != http.StatusFound || !strings.HasPrefix(to.String(), b.w.url+"/authorize?") {
		b.w.t.Fatalf("login: %d %s %s", g.status, to, g.body)
	}
	return to.Query()
}

// consent makes a code for an authorization request and returns the callback's address.
func (w *world) consent(asked url.Values) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	code := fmt.Sprint("code-", len(w.codes), "-", w.issued)
	w.codes[code] = asked
	return "/bff/callback?" + url.Values{"code": {code}, "state": {asked.Get("state")}, "iss": {w.url}}.Encode()
}

func (b *browser) signIn() {
	b.w.t.Helper()
	if g := b.do(http.MethodGet, b.w.consent(b.begin("")), ""); g.status != http.StatusSeeOther {
		b.w.t.Fatalf("callback: %d %s", g.status, g.body)
	}
}

func (b *browser) signedIn() bool {
	b.w.t.Helper()
	return b.app(http.MethodGet, "/bff/user", "").status == http.StatusOK
}

// called returns the number of calls to the management API.
func (s *stub) called() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.seen)
}
