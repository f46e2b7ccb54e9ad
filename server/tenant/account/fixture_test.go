package account_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/account"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const issuer = "http://localhost:8081"

// fixture is an account API with a clock that stands still until it is moved, the people Ana, who has a
// password, and Bob, who has none, and the clients "editor" and "other".
type fixture struct {
	*account.Handler

	t      testing.TB
	store  *sqlite.DB
	tokens *tokens.Tokens
	mu     sync.Mutex
	log    bytes.Buffer
	now    time.Time
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

// signingSet makes one set of keys for all tests of the package; making keys is slow.
var signingSet = sync.OnceValues(func() (*keys.Set, error) { return keys.New(time.Now()) })

func newFixture(tb testing.TB) *fixture { tb.Helper(); return newFixtureAt(tb, issuer) }

func newFixtureAt(tb testing.TB, issuer string) *fixture {
	tb.Helper()
	f := &fixture{t: tb, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	set, err := signingSet()
	if err != nil {
		tb.Fatal(err)
	}
	f.store = sqlitetest.Open(tb)
	s, err := signer.New(set)
	if err != nil {
		tb.Fatal(err)
	}
	f.tokens = &tokens.Tokens{Issuer: issuer, Signer: s, Now: f.clock}
	f.Handler = account.New(account.Config{
		Issuer: issuer, Store: f.store, Tokens: f.tokens, Master: set.Master,
		HashPassword: func(p string) string { return "hash of " + p }, Now: f.clock, Log: slog.New(slog.NewJSONHandler(&f.log, nil)),
	})
	ctx := tb.Context()
	for _, err := range []error{
		f.store.CreateUser(ctx, store.User{ID: "ana", Email: "ana@example.com", Name: "Ana", PasswordHash: "$old", Created: f.now}),
		f.store.CreateUser(ctx, store.User{ID: "bob", Email: "bob@example.com", Created: f.now}),
		f.store.CreateAPI(ctx, store.API{
			ID: "me", Identifier: access.SelfServiceAudience(issuer), Scopes: access.SelfServiceScopes(), UserPolicy: store.RequireClientGrant,
			ClientPolicy: store.DenyAll,
		}),
		storetest.SetPermissions(ctx, f.store, "ana", "me", access.SelfServiceScopes()),
		storetest.SetPermissions(ctx, f.store, "bob", "me", access.SelfServiceScopes()),
		f.store.CreateClient(ctx, store.Client{
			ID: "editor", FirstParty: true, Name: "The editor",
			Callbacks: []string{"http://localhost:8080/bff/callback"},
		}),
		f.store.CreateClient(ctx, store.Client{ID: "other", FirstParty: true, Name: "Another"}),
		storetest.SetGrant(ctx, f.store, "editor", "me", store.SubjectUser, access.SelfServiceScopes()),
		storetest.SetGrant(ctx, f.store, "other", "me", store.SubjectUser, access.SelfServiceScopes()),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return f
}

// token returns a good token of Ana's, changed by change.
func (f *fixture) token(change ...func(*tokens.Access)) string {
	f.t.Helper()
	a := tokens.Access{
		Subject: "ana", ClientID: "editor", Audience: access.SelfServiceAudience(f.tokens.Issuer), Scope: access.SelfServiceScopes(),
		AuthTime: f.clock(), SignInID: "s1",
	}
	for _, c := range change {
		c(&a)
	}
	t, _, err := f.tokens.IssueAccess(a)
	if err != nil {
		f.t.Fatal(err)
	}
	return t
}

func as(user string) func(*tokens.Access) { return func(a *tokens.Access) { a.Subject = user } }
func by(client string) func(*tokens.Access) {
	return func(a *tokens.Access) { a.ClientID = client }
}

// answer is what came back.
type answer struct {
	*http.Response

	body string
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

// want checks status and error type.
func (a answer) want(t *testing.T, name string, status int, code string) {
	t.Helper()
	got := strings.TrimPrefix(a.text("type"), "urn:formgraph:error:")
	if code == "" {
		got = ""
	}
	if a.StatusCode != status || got != code {
		t.Errorf("%s: %d %s, want %d %s", name, a.StatusCode, a.body, status, code)
	}
}

// do sends a request below the prefix; body is text or what is sent as JSON.
func (f *fixture) do(token, method, path string, body any) answer {
	f.t.Helper()
	text, ok := body.(string)
	if !ok && body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			f.t.Fatal(err)
		}
		text = string(b)
	}
	r := httptest.NewRequestWithContext(f.t.Context(), method, account.Prefix+path, strings.NewReader(text))
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return answer{w.Result(), w.Body.String()}
}

type object = map[string]any

const methodsPath = "/authentication-methods"

// begin enrols a method of a type with a token and returns the answer.
func (f *fixture) begin(token, kind string) answer {
	f.t.Helper()
	a := f.do(token, http.MethodPost, methodsPath, object{"type": kind})
	if a.StatusCode != http.StatusAccepted {
		f.t.Fatalf("enrol %s: %d %s", kind, a.StatusCode, a.body)
	}
	return a
}

func (f *fixture) verify(token, kind string, body object) answer {
	f.t.Helper()
	return f.do(token, http.MethodPost, methodsPath+"/"+kind+"%7Cnew/verify", body)
}

// list returns the ids of Ana's methods.
func (f *fixture) list() []string {
	f.t.Helper()
	var o struct {
		Methods []struct{ ID string } `json:"authentication_methods"`
	}
	a := f.do(f.token(), http.MethodGet, methodsPath, nil)
	if err := json.Unmarshal([]byte(a.body), &o); err != nil || a.StatusCode != http.StatusOK {
		f.t.Fatalf("list: %d %s", a.StatusCode, a.body)
	}
	ids := []string{}
	for _, m := range o.Methods {
		ids = append(ids, m.ID)
	}
	return ids
}
