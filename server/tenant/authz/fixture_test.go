package authz_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const (
	issuer   = "http://localhost:8081"
	api      = issuer + "/api/v2/"
	other    = issuer + "/other/"
	callback = "http://editor.test/bff/callback"
	password = "correct horse battery"
)

// fixture is an authorization server with a clock that only tests advance. It has the confidential client "web", the public
// one "spa", the machine "robot", the third-party client "third", and the user Ana.
type fixture struct {
	*authz.Handler

	t      testing.TB
	config authz.Config
	store  *sqlite.DB
	set    *keys.Set
	log    bytes.Buffer
	mu     sync.Mutex
	now    time.Time
	agent  string // what requests say that they come from; empty for nothing
	peer   string // the address that requests come from; empty for that of httptest
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fixture) wait(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
}

// signingSet makes one set of keys for all tests of the package, since that is slow.
var signingSet = sync.OnceValues(func() (*keys.Set, error) { return keys.New(time.Now()) })

// anaHash is the hash of Ana's password at a low cost. Passwords set by links, and of unknown people, have the real cost.
var anaHash = sync.OnceValue(func() string {
	salt, b64 := []byte("a salt for tests"), base64.RawStdEncoding
	return "$argon2id$v=19$m=8,t=1,p=1$" + b64.EncodeToString(salt) + "$" + b64.EncodeToString(argon2.IDKey([]byte(password), salt,
		1, 8, 1, 32))
})

func newFixture(tb testing.TB) *fixture { tb.Helper(); return newFixtureAt(tb, issuer) }

func newFixtureAt(tb testing.TB, issuer string) *fixture {
	tb.Helper()
	return newFixtureWith(tb, issuer, nil)
}

// newFixtureWith is newFixtureAt with sign-up.
func newFixtureWith(tb testing.TB, issuer string, signUp func(*schema.Object, time.Time) (store.User, error)) *fixture {
	tb.Helper()
	f := &fixture{t: tb, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	var err error
	if f.set, err = signingSet(); err != nil {
		tb.Fatal(err)
	}
	f.store = sqlitetest.Open(tb)
	s, err := signer.New(f.set)
	if err != nil {
		tb.Fatal(err)
	}
	f.config = authz.Config{
		Address: authz.Address{
			Issuer: issuer, Aliases: map[string]string{"/api/v2/": issuer + "/api/v2/"}, Store: f.store,
			Tokens: &tokens.Tokens{Issuer: issuer, Signer: s, Now: f.clock},
		},
		Signer: s, Master: f.set.Master, Now: f.clock,
		Log: slog.New(slog.NewJSONHandler(&f.log, nil)), TokenRate: 10, TokenBurst: 20,
		SignUp: signUp,
	}
	f.rebuild(func(*authz.Config) {})
	f.seed()
	return f
}

// rebuild makes the authorization server again with a changed configuration.
func (f *fixture) rebuild(change func(*authz.Config)) {
	f.t.Helper()
	change(&f.config)
	var err error
	if f.Handler, err = authz.New(f.config); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) seed() {
	f.t.Helper()
	ctx := f.t.Context()
	both := []string{"authorization_code", "refresh_token"}
	scopes := []string{"read:forms", "update:forms"}
	for _, err := range []error{
		f.store.CreateAPI(ctx, store.API{
			ID: "m", Identifier: api, Scopes: scopes, UserPolicy: store.RequireClientGrant,
			ClientPolicy: store.RequireClientGrant,
		}),
		f.store.CreateAPI(ctx, store.API{
			ID: "o", Identifier: other, Scopes: []string{"read:other"}, UserPolicy: store.AllowAll,
			ClientPolicy: store.DenyAll,
		}),
		f.store.CreateClient(ctx, store.Client{
			ID: "web", Name: "The <web> app", SecretHash: tokens.Hash("web-secret"), FirstParty: true, GrantTypes: both,
			Callbacks: []string{callback, callback + "?x=1"}, LogoutURLs: []string{"http://editor.test/"},
		}),
		f.store.CreateClient(ctx, store.Client{
			ID: "spa", Name: "Spa", Public: true, FirstParty: true, GrantTypes: both,
			Callbacks: []string{callback},
		}),
		f.store.CreateClient(ctx, store.Client{
			ID: "online", Name: "Online", SecretHash: tokens.Hash("web-secret"), FirstParty: true,
			GrantTypes: both[:1], Callbacks: []string{callback},
		}),
		f.store.CreateClient(ctx, store.Client{
			ID: "third", Name: "Third", SecretHash: tokens.Hash("web-secret"), GrantTypes: both,
			Callbacks: []string{callback},
		}),
		f.store.CreateClient(ctx, store.Client{
			ID: "robot", Name: "Robot", SecretHash: tokens.Hash("robot-secret"),
			GrantTypes: []string{"client_credentials"},
		}),
		storetest.SetGrant(ctx, f.store, "web", "m", store.SubjectUser, scopes),
		storetest.SetGrant(ctx, f.store, "spa", "m", store.SubjectUser, scopes[:1]),
		storetest.SetGrant(ctx, f.store, "robot", "m", store.SubjectClient, append(scopes, "not:there")),
		f.store.CreateUser(ctx, store.User{ID: "ana", Email: "ana@example.com", Name: "Ana", PasswordHash: anaHash(), Created: f.now}),
		storetest.SetPermissions(ctx, f.store, "ana", "m", scopes),
		storetest.SetPermissions(ctx, f.store, "ana", "o", []string{"read:other"}),
	} {
		if err != nil {
			f.t.Fatal(err)
		}
	}
}

// answer is a response with its body.
type answer struct {
	*http.Response

	body string
}

func (a answer) location() url.Values {
	u, err := a.Location()
	if err != nil {
		return nil
	}
	return u.Query()
}

func (a answer) json() map[string]any {
	var m map[string]any
	_ = json.Unmarshal([]byte(a.body), &m)
	return m
}

func (a answer) text(key string) string {
	s, _ := a.json()[key].(string)
	return s
}

// send sends a request; header holds pairs.
func (f *fixture) send(method, target, body string, header ...string) answer {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	if f.agent != "" {
		r.Header.Set("User-Agent", f.agent)
	}
	if f.peer != "" {
		r.RemoteAddr = net.JoinHostPort(f.peer, "4711")
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return answer{w.Result(), w.Body.String()}
}

// browser keeps the cookies of one person.
type browser struct {
	f       *fixture
	cookies map[string]*http.Cookie
}

func (f *fixture) browser() *browser { return &browser{f: f, cookies: map[string]*http.Cookie{}} }

func (b *browser) send(method, target, body string, header ...string) answer {
	b.f.t.Helper()
	for _, c := range b.cookies {
		header = append(header, "Cookie", c.Name+"="+c.Value)
	}
	a := b.f.send(method, target, body, header...)
	for _, c := range a.Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
			continue
		}
		b.cookies[c.Name] = c
	}
	return a
}

var (
	actionOf = regexp.MustCompile(`action="([^"]*)"`)
	tokenOf  = regexp.MustCompile(`name="token" value="([^"]*)"`)
)

// page returns the action and the token of a page's form.
func (f *fixture) page(a answer) (action, token string) {
	f.t.Helper()
	to, csrf := actionOf.FindStringSubmatch(a.body), tokenOf.FindStringSubmatch(a.body)
	if to == nil || csrf == nil {
		f.t.Fatalf("answer %d holds no sign-in form:\n%s", a.StatusCode, a.body)
	}
	return html.UnescapeString(to[1]), csrf[1]
}

const formType = "application/x-www-form-urlencoded"

// submit sends the form of a sign-in page.
func (b *browser) submit(a answer, email, pass string) answer {
	b.f.t.Helper()
	action, token := b.f.page(a)
	return b.send(http.MethodPost, action, url.Values{"token": {token}, "email": {email}, "password": {pass}}.Encode(),
		"Content-Type", formType)
}

var verifier = strings.Repeat("v", 43)

func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// query is a valid authorization request, changed by pairs; the value "-" removes a parameter.
func query(pairs ...string) string {
	v := url.Values{
		"client_id": {"web"}, "redirect_uri": {callback}, "response_type": {"code"}, "state": {"s t&a+te"}, "nonce": {"n"},
		"scope": {"openid profile email offline_access read:forms update:forms delete:forms"}, "audience": {"/api/v2/"},
		"code_challenge": {challenge(verifier)}, "code_challenge_method": {"S256"},
	}
	for i := 0; i < len(pairs); i += 2 {
		if v.Set(pairs[i], pairs[i+1]); pairs[i+1] == "-" {
			v.Del(pairs[i])
		}
	}
	return v.Encode()
}

// ana returns a browser in which Ana has just signed in, without the slow check of her password.
func (f *fixture) ana() *browser { f.t.Helper(); return f.signedInBy("pwd") }

// signedInBy is ana with other words of claim amr.
func (f *fixture) signedInBy(amr ...string) *browser {
	f.t.Helper()
	b := f.browser()
	value := tokens.NewSecret()
	err := f.store.CreateSignIn(f.t.Context(), store.SignIn{
		Hash: tokens.Hash(value), ID: tokens.NewSecret(), UserID: "ana", AuthTime: f.clock(), AMR: amr, Expires: f.clock().Add(12 * time.Hour),
	})
	if err != nil {
		f.t.Fatal(err)
	}
	b.cookies["fg-tenant"] = &http.Cookie{Name: "fg-tenant", Value: value}
	return b
}

// code signs Ana in and returns a code.
func (f *fixture) code(pairs ...string) string {
	f.t.Helper()
	a := f.ana().send(http.MethodGet, "/authorize?"+query(pairs...), "")
	code := a.location().Get("code")
	if code == "" {
		f.t.Fatalf("no code: %d %s %s", a.StatusCode, a.Header.Get("Location"), a.body)
	}
	return code
}

// ask sends a token request as a form, from pairs.
func (f *fixture) ask(pairs ...string) answer {
	f.t.Helper()
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return f.send(http.MethodPost, "/oauth/token", v.Encode(), "Content-Type", formType)
}

// exchange turns a code of client web into tokens; pairs change the request.
func (f *fixture) exchange(code string, pairs ...string) answer {
	f.t.Helper()
	return f.ask(append([]string{
		"grant_type", "authorization_code", "client_id", "web", "client_secret", "web-secret",
		"code", code, "redirect_uri", callback, "code_verifier", verifier,
	}, pairs...)...)
}

// refresh presents a refresh token of client web; pairs change the request.
func (f *fixture) refresh(token string, pairs ...string) answer {
	f.t.Helper()
	return f.ask(append([]string{
		"grant_type", "refresh_token", "client_id", "web", "client_secret", "web-secret", "refresh_token", token,
	}, pairs...)...)
}

// want checks status and error code.
func (a answer) want(t *testing.T, name string, status int, code string) {
	t.Helper()
	if a.StatusCode != status || a.text("error") != code {
		t.Errorf("%s: %d %s, want %d %s", name, a.StatusCode, a.body, status, code)
	}
}
