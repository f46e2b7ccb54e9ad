package management_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/management"
	"github.com/formgraph/formgraph/server/tenant/signer"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

const issuer, audience = "http://localhost:8081", "http://localhost:8081/api/v2/"

// fixture is a management API with a stopped clock and one global client.
type fixture struct {
	*management.Handler

	t      testing.TB
	store  store.Tenant
	tokens *tokens.Tokens
	all    string // a token with every scope
	log    bytes.Buffer
	now    time.Time
}

var signingSet = sync.OnceValues(func() (*keys.Set, error) { return keys.New(time.Now()) })

func newFixture(tb testing.TB) *fixture { tb.Helper(); return newFixtureAt(tb, 1000, 100_000) }

func newFixtureAt(tb testing.TB, rate, burst int) *fixture {
	tb.Helper()
	f := newFixtureOn(tb, sqlitetest.Open(tb), rate, burst)
	f.seed()
	return f
}

// newFixtureOn returns a fixture whose rows are those of db.
func newFixtureOn(tb testing.TB, db store.Tenant, rate, burst int) *fixture {
	tb.Helper()
	f := &fixture{t: tb, store: db, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	clock := func() time.Time { return f.now }
	set, err := signingSet()
	if err != nil {
		tb.Fatal(err)
	}
	s, err := signer.New(set)
	if err != nil {
		tb.Fatal(err)
	}
	f.tokens = &tokens.Tokens{Issuer: issuer, Signer: s, Now: clock}
	f.Handler = management.New(management.Config{
		Audience: audience, Store: f.store, Tokens: f.tokens, Now: clock, Log: slog.New(slog.NewJSONHandler(&f.log, nil)), Rate: rate,
		Burst:        burst,
		HashPassword: func(p string) string { return "hash of " + p }, Reserved: []string{"reserved"},
		TicketURL: func(ticket string) string { return issuer + "/new-password?ticket=" + ticket },
	})
	f.all = f.token("global", audience, management.Scopes()...)
	return f
}

// seed creates the rows that most tests need.
func (f *fixture) seed() {
	f.t.Helper()
	tb := f.t
	if err := f.store.CreateUser(tb.Context(), store.User{
		ID: "u", Email: "admin@example.com", Name: "Admin", PasswordHash: "x",
		Created: f.now,
	}); err != nil {
		tb.Fatal(err)
	}
	err := f.store.CreateAPI(tb.Context(), store.API{
		ID: "management", Identifier: audience, Name: "Management API", Scopes: management.Scopes(), UserPolicy: store.RequireClientGrant,
		ClientPolicy: store.RequireClientGrant,
	})
	err = errors.Join(err, storetest.SetPermissions(tb.Context(), f.store, "u", "management", management.Scopes()))
	for _, c := range []store.Client{
		{ID: "global", Global: true, FirstParty: true},
		{ID: "second", Global: true, FirstParty: true},
		{ID: "local"},
	} {
		err = errors.Join(err, f.store.CreateClient(tb.Context(), c))
		err = errors.Join(err, storetest.SetGrant(tb.Context(), f.store, c.ID, "management", store.SubjectUser, management.Scopes()))
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func (f *fixture) token(client, audience string, scopes ...string) string {
	f.t.Helper()
	raw, _, err := f.tokens.IssueAccess(tokens.Access{Subject: "u", ClientID: client, Audience: audience, Scope: scopes})
	if err != nil {
		f.t.Fatal(err)
	}
	return raw
}

type answer struct {
	*http.Response

	body string
}

// errorBody is the shape of every error.
type errorBody struct {
	StatusCode int
	Error      string
	Message    string
	ErrorCode  string
	Problems   []struct{ Path, Code, Detail string }
}

func (a answer) error(t *testing.T) errorBody {
	t.Helper()
	var e errorBody
	if err := json.Unmarshal([]byte(a.body), &e); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
	if e.StatusCode != a.StatusCode || e.Error != http.StatusText(a.StatusCode) || e.Message == "" || e.ErrorCode == "" {
		t.Errorf("error body = %s, want statusCode, error, message and errorCode of %d", a.body, a.StatusCode)
	}
	return e
}

// send sends a request with the token of every scope; header holds pairs and may replace it.
func (f *fixture) send(method, path, body string, header ...string) answer {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+f.all)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if r.Header.Set(header[i], header[i+1]); header[i+1] == "" {
			r.Header.Del(header[i])
		}
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	a := answer{w.Result(), w.Body.String()}
	for _, h := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if a.Header.Get(h) == "" {
			f.t.Errorf("%s %s answers %d without %s", method, path, a.StatusCode, h)
		}
	}
	return a
}

// create creates a form and returns its ID.
func (f *fixture) create(body string) string {
	f.t.Helper()
	a := f.send(http.MethodPost, "/api/v2/forms", body)
	var form struct{ ID string }
	if err := json.Unmarshal([]byte(a.body), &form); err != nil || a.StatusCode != http.StatusCreated {
		f.t.Fatalf("create = %d %s", a.StatusCode, a.body)
	}
	return form.ID
}
