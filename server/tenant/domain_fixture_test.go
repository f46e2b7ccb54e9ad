package tenant_test

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
	"github.com/formgraph/formgraph/server/tenant/access"
)

const (
	customURL = "http://login.localhost:8081"
	formType  = "application/x-www-form-urlencoded"
	jsonType  = "application/json"
)

// within is a network of one handler: every address leads to it, and each request takes a second.
type within struct {
	handler http.Handler

	mu  sync.Mutex
	now time.Time
}

func (n *within) clock() time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.now
}

// set sets the clock back, for a test of limits.
func (n *within) set(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.now = now
}

// RoundTrip implements http.RoundTripper.
func (n *within) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	n.now = n.now.Add(time.Second)
	n.mu.Unlock()
	in := r.Clone(r.Context())
	if in.Host == "" {
		in.Host = r.URL.Host
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	in.RemoteAddr = "192.0.2.1:5000"
	w := httptest.NewRecorder()
	n.handler.ServeHTTP(w, in)
	res := w.Result()
	res.Request = r
	return res, nil
}

// oneSet is one set of keys for the tests of domains; generating keys is slow.
var oneSet = sync.OnceValues(func() (*keys.Set, error) { return keys.New(noon()) })

// wide are limits that no test reaches by chance.
func wide() tenant.Limits {
	return tenant.Limits{ManagementRate: 1000, ManagementBurst: 1000, TokenRate: 1000, TokenBurst: 1000}
}

// twoDomains is a tenant at its canonical address and at its custom domain, which may be nil.
type twoDomains struct {
	*world

	custom *world
	net    *within
}

// startDomains starts a tenant with a custom domain, "" for none, over a new store.
func startDomains(t *testing.T, custom string, limits tenant.Limits) *twoDomains {
	t.Helper()
	s := sqlitetest.Open(t)
	var first tenant.First
	_, err := tenant.Seed(t.Context(), tenant.SeedConfig{
		Store: s, Issuer: issuer, Now: noon,
		Publish: func(f tenant.First) error { first = f; return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return restartDomains(t, s, first, custom, noon(), limits)
}

// restartDomains restarts a tenant over the store of an earlier one.
func restartDomains(t *testing.T, s *sqlite.DB, first tenant.First, custom string, now time.Time, limits tenant.Limits) *twoDomains {
	t.Helper()
	set, err := oneSet()
	if err != nil {
		t.Fatal(err)
	}
	n := &within{now: now}
	w := &world{t: t, url: issuer, store: s, first: first, log: &safeBuffer{}, transport: n}
	if w.editor, err = tenant.Sync(t.Context(), tenant.SyncConfig{
		Store: s, Keys: set, Issuer: issuer, EditorURL: editorURL,
		Now: n.clock,
	}); err != nil {
		t.Fatal(err)
	}
	if n.handler, err = tenant.New(tenant.Config{
		Issuer: issuer, Custom: custom, Store: s, Keys: set, Now: n.clock, Limits: limits, Log: slog.New(slog.NewJSONHandler(w.log, nil)),
	}); err != nil {
		t.Fatal(err)
	}
	w.handler = n.handler
	t.Cleanup(func() { _ = n.handler.(io.Closer).Close() })
	f := &twoDomains{world: w, net: n}
	if custom != "" {
		at := *w
		at.url, f.custom = custom, &at
	}
	return f
}

// plain is a client without cookies.
func (w *world) plain() *http.Client { return &http.Client{Transport: w.transport} }

func (w *world) post(path string, form url.Values, header ...string) answer {
	w.t.Helper()
	return w.do(w.plain(), http.MethodPost, w.url+path, formType, form.Encode(), header...)
}

// call calls an API at this domain with a token of any.
func (w *world) call(token, method, path, body string) answer {
	w.t.Helper()
	kind := ""
	if body != "" {
		kind = jsonType
	}
	return w.do(w.plain(), method, w.url+path, kind, body, "Authorization", "Bearer "+token)
}

// machineToken requests a token for an audience with the machine client.
func (w *world) machineToken(audience string) answer {
	w.t.Helper()
	return w.post("/oauth/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {w.first.Management.ID}, "client_secret": {w.first.Management.Secret},
		"audience": {audience},
	})
}

// member is one string member of an answer's JSON.
func (a answer) member(name string) string {
	var m map[string]any
	_ = json.Unmarshal([]byte(a.body), &m)
	s, _ := m[name].(string)
	return s
}

// claims returns the body of a token without checking anything.
type claims struct {
	Issuer   string `json:"iss"`
	Audience any    `json:"aud"`
	Subject  string `json:"sub"`
	SignIn   string `json:"sid"`
}

func claimsOf(t *testing.T, token string) (c claims) {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("%q is not a token", token)
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err == nil {
		err = json.Unmarshal(b, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	if list, ok := c.Audience.([]any); ok && len(list) == 1 {
		c.Audience = list[0]
	}
	return c
}

const codeVerifier = "a verifier of more than forty-three characters, as it must have"

var codeChallenge = oauth2.S256ChallengeFromVerifier(codeVerifier)

// request is an authorization request of the editor, changed by pairs.
func (w *world) request(pairs ...string) url.Values {
	v := url.Values{
		"client_id": {w.editor.ID}, "redirect_uri": {editorURL + "/bff/callback"}, "response_type": {"code"}, "state": {"st"},
		"scope": {"openid offline_access read:forms " + strings.Join(access.SelfServiceScopes(), " ")}, "code_challenge": {codeChallenge},
		"code_challenge_method": {"S256"},
	}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v
}

// authorize signs in with a browser and returns the parameters of the answer.
func (w *world) authorize(c *http.Client, pairs ...string) url.Values {
	w.t.Helper()
	return w.signIn(c, w.url+"/authorize?"+w.request(pairs...).Encode())
}

// exchange exchanges a code for tokens.
func (w *world) exchange(code string, header ...string) answer {
	w.t.Helper()
	return w.post("/oauth/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {w.editor.ID}, "client_secret": {w.editor.Secret}, "code": {code},
		"redirect_uri": {editorURL + "/bff/callback"}, "code_verifier": {codeVerifier},
	}, header...)
}

func (w *world) refresh(token, audience string) answer {
	w.t.Helper()
	v := url.Values{"grant_type": {"refresh_token"}, "client_id": {w.editor.ID}, "client_secret": {w.editor.Secret}, "refresh_token": {token}}
	if audience != "" {
		v.Set("audience", audience)
		v.Set("scope", "read:me:sessions")
	}
	return w.post("/oauth/token", v)
}

// want checks status and OAuth error.
func (a answer) want(t *testing.T, what string, status int, code string) {
	t.Helper()
	if a.status != status || a.member("error") != code {
		t.Errorf("%s: %d %s, want %d %s", what, a.status, a.body, status, code)
	}
}

// form parses the form of a page.
func (w *world) form(a answer) (to, csrf string) {
	w.t.Helper()
	at, tok := action.FindStringSubmatch(a.body), token.FindStringSubmatch(a.body)
	if at == nil || tok == nil {
		w.t.Fatalf("no form in %d:\n%s", a.status, a.body)
	}
	return html.UnescapeString(at[1]), tok[1]
}
