package authz_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// nativeFixture returns a fixture with two public clients "native" and "native2" that may use passkeys, and a passkey of
// Ana's.
func nativeFixture(tb testing.TB) (*fixture, *factortest.Authenticator) {
	tb.Helper()
	f := newFixture(tb)
	for _, id := range []string{"native", "native2"} {
		c := store.Client{
			ID: id, Name: id, Public: true, FirstParty: true, GrantTypes: []string{authz.DefaultPasskeyGrant, "refresh_token"},
			Callbacks: []string{"http://localhost:8080/cb", "https://evil.test/cb"},
		}
		if err := f.store.CreateClient(tb.Context(), c); err != nil {
			tb.Fatal(err)
		}
		if err := storetest.SetGrant(tb.Context(), f.store, id, "m", store.SubjectUser, []string{"read:forms"}); err != nil {
			tb.Fatal(err)
		}
	}
	return f, f.enrol("ana")
}

// enrol gives a person a passkey, without the account API.
func (f *fixture) enrol(user string) *factortest.Authenticator {
	f.t.Helper()
	return f.enrolWith(user, factortest.UserPresent|factortest.UserVerified)
}

func (f *fixture) enrolWith(user string, flags byte) *factortest.Authenticator {
	f.t.Helper()
	a := factortest.New(f.t, "localhost", issuer, user)
	a.Flags = flags
	rp := factor.NewRelyingParty(issuer, "Test")
	options, state, err := rp.BeginRegistration(factor.Person{ID: user, Email: user})
	if err != nil {
		f.t.Fatal(err)
	}
	response, err := json.Marshal(a.Register(challengeOf(f.t, options)))
	if err != nil {
		f.t.Fatal(err)
	}
	m, err := rp.FinishRegistration(state, user, []string{issuer}, response)
	if err != nil {
		f.t.Fatal(err)
	}
	m.ID, m.Created = "passkey|"+user, f.clock()
	if err := f.store.CreateMethod(f.t.Context(), m, 1); err != nil {
		f.t.Fatal(err)
	}
	return a
}

func challengeOf(tb testing.TB, options any) string {
	tb.Helper()
	b, err := json.Marshal(options)
	if err != nil {
		tb.Fatal(err)
	}
	var o struct{ Challenge string }
	if err := json.Unmarshal(b, &o); err != nil || o.Challenge == "" {
		tb.Fatalf("no challenge in %s", b)
	}
	return o.Challenge
}

const jsonType = "application/json"

func (f *fixture) postJSON(path string, body map[string]any) answer {
	f.t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		f.t.Fatal(err)
	}
	return f.send(http.MethodPost, path, string(b), "Content-Type", jsonType)
}

// challenge asks for one as client "native".
func (f *fixture) challenge() (session, challenge string) {
	f.t.Helper()
	a := f.postJSON("/passkey/challenge", map[string]any{"client_id": "native"})
	if a.StatusCode != http.StatusOK {
		f.t.Fatalf("challenge: %d %s", a.StatusCode, a.body)
	}
	return a.text("auth_session"), challengeOf(f.t, a.json()["authn_params_public_key"])
}

// present sends the answer of an authenticator.
func (f *fixture) present(client, session string, response any, more ...string) answer {
	f.t.Helper()
	body := map[string]any{
		"grant_type": authz.DefaultPasskeyGrant, "client_id": client, "auth_session": session, "authn_response": response,
		"audience": "/api/v2/", "scope": "openid offline_access read:forms update:forms",
	}
	for i := 0; i < len(more); i += 2 {
		body[more[i]] = more[i+1]
	}
	return f.postJSON("/oauth/token", body)
}

func TestPasskeySignIn(t *testing.T) {
	f, auth := nativeFixture(t)
	c := f.postJSON("/passkey/challenge", map[string]any{"client_id": "native", "realm": "any"})
	options, _ := c.json()["authn_params_public_key"].(map[string]any)
	if c.StatusCode != http.StatusOK || options["rpId"] != "localhost" || options["userVerification"] != "required" ||
		c.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("challenge: %d %s %v", c.StatusCode, c.body, c.Header)
	}
	a := f.present("native", c.text("auth_session"), auth.Assert(challengeOf(t, options)))
	if a.StatusCode != http.StatusOK || a.text("scope") != "openid offline_access read:forms" || a.text("id_token") == "" ||
		a.text("refresh_token") == "" {
		t.Fatalf("tokens: %d %s", a.StatusCode, a.body)
	}
	access, err := f.tokens().VerifyAccess(a.text("access_token"), api)
	if err != nil || access.Subject != "ana" || !access.AuthTime.Equal(f.clock()) || access.SignInID == "" {
		t.Errorf("access token = %+v, %v, want Ana's of now", access, err)
	}
	f.wait(time.Minute)
	next := f.ask("grant_type", "refresh_token", "client_id", "native", "refresh_token", a.text("refresh_token"))
	if next.StatusCode != http.StatusOK {
		t.Fatalf("refresh: %d %s", next.StatusCode, next.body)
	}
	later, err := f.tokens().VerifyAccess(next.text("access_token"), api)
	if err != nil || !later.AuthTime.Equal(access.AuthTime) || later.SignInID != access.SignInID {
		t.Errorf("refreshed access token = %+v, %v, want the sign-in of the first", later, err)
	}
	ms, err := f.store.Methods(t.Context(), "ana")
	if err != nil || len(ms) != 1 || !ms[0].Used.Equal(f.clock().Add(-time.Minute)) {
		t.Errorf("methods = %+v, %v, want the use noted", ms, err)
	}
	// Without offline_access there is no refresh token.
	session, challenge := f.challenge()
	a = f.present("native", session, auth.Assert(challenge), "scope", "read:forms")
	if a.StatusCode != http.StatusOK || a.text("refresh_token") != "" || a.text("id_token") != "" {
		t.Errorf("without offline_access: %d %s", a.StatusCode, a.body)
	}
	session, challenge = f.challenge()
	a = f.present("native", session, auth.Assert(challenge), "scope", "read:forms", "offline_access", "true")
	if a.text("refresh_token") == "" {
		t.Errorf("offline_access as a parameter: %d %s", a.StatusCode, a.body)
	}
}

func (f *fixture) tokens() *tokens.Tokens {
	f.t.Helper()
	return &tokens.Tokens{Issuer: issuer, Signer: f.config.Signer, Now: f.clock}
}

// passkeyTry is an answer of an authenticator to the token endpoint.
type passkeyTry struct {
	client, session string
	response        map[string]any
}

func copyOf(a *factortest.Authenticator) *factortest.Authenticator { c := *a; return &c }

// grantFaults are faults of a passkey that an application sends.
var grantFaults = []struct {
	name string
	make func(f *fixture, a *factortest.Authenticator) passkeyTry
}{
	{"25 replay", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		if got := f.present("native", s, a.Assert(c)); got.StatusCode != http.StatusOK {
			f.t.Errorf("first use: %d %s", got.StatusCode, got.body)
		}
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"25 replay after a fault", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		f.present("native", s, map[string]any{})
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"25 another client", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		return passkeyTry{"native2", s, a.Assert(c)}
	}},
	{"25 five minutes", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		f.wait(5 * time.Minute)
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"25 another purpose", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		options, state, err := factor.NewRelyingParty(issuer, "x").BeginAssertion()
		if err != nil {
			f.t.Fatal(err)
		}
		row := store.AuthSession{
			Hash: tokens.Hash("enrol"), Purpose: "enrol passkey", ClientID: "native", Data: state,
			Expires: f.clock().Add(time.Hour),
		}
		if err := f.store.CreateAuthSession(f.t.Context(), row, f.clock()); err != nil {
			f.t.Fatal(err)
		}
		return passkeyTry{"native", "enrol", a.Assert(challengeOf(f.t, options))}
	}},
	{"25 unknown session", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		_, c := f.challenge()
		return passkeyTry{"native", "x", a.Assert(c)}
	}},
	{"26 origin", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.Origin = "https://evil.test" // a callback of the client, but not within the RP ID
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 framed", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.CrossOrigin = true
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 rpId", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.RPID = "evil.test"
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 challenge", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, _ := f.challenge()
		_, c := f.challenge()
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"26 no user verification", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.Flags = factortest.UserPresent
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 signature", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.Bogus = true
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 unknown handle", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		return passkeyTry{"native", s, factortest.New(f.t, "localhost", issuer, "nobody").Assert(c)}
	}},
	{"26 no handle", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		b := copyOf(a)
		b.UserHandle = nil
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 handle of another", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		if err := f.store.CreateUser(f.t.Context(), store.User{ID: "bob", Email: "bob@example.com"}); err != nil {
			f.t.Fatal(err)
		}
		f.enrol("bob")
		s, c := f.challenge()
		b := copyOf(a)
		b.UserHandle = []byte("bob")
		return passkeyTry{"native", s, b.Assert(c)}
	}},
	{"26 answer to a registration", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"27 counter went back", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		a.Counter = 7
		if got := f.present("native", s, a.Assert(c)); got.StatusCode != http.StatusOK {
			f.t.Errorf("counter 7: %d %s", got.StatusCode, got.body)
		}
		a.Counter = 6
		s, c = f.challenge()
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"27 counter stood still", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		a.Counter = 7
		f.present("native", s, a.Assert(c))
		s, c = f.challenge()
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"27 counter vanished", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		a.Counter = 7
		f.present("native", s, a.Assert(c))
		a.Counter = 0
		s, c = f.challenge()
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"29 deleted", func(f *fixture, a *factortest.Authenticator) passkeyTry {
		s, c := f.challenge()
		if err := f.store.DeleteMethod(f.t.Context(), "ana", "passkey|ana", nil); err != nil {
			f.t.Fatal(err)
		}
		return passkeyTry{"native", s, a.Assert(c)}
	}},
}

// Every fault of an answer to a challenge is 403 with one text.
func TestPasskeyFaults(t *testing.T) {
	for _, tt := range grantFaults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, a := nativeFixture(t)
			try := tt.make(f, a)
			f.log.Reset()
			got := f.present(try.client, try.session, try.response)
			got.want(t, tt.name, http.StatusForbidden, "invalid_grant")
			if d := got.text("error_description"); d != "the passkey was not accepted" {
				t.Errorf("description = %q, want the same for every fault", d)
			}
			if audited := strings.Contains(f.log.String(), "passkey may be cloned"); audited != strings.HasPrefix(tt.name, "27") {
				t.Errorf("clone audited = %v:\n%s", audited, f.log.String())
			}
		})
	}
}

// Which clients get no challenge, and how many the others get.
func TestPasskeyChallengeFaults(t *testing.T) {
	f, _ := nativeFixture(t)
	f.postJSON("/passkey/challenge", map[string]any{"client_id": "spa"}).want(t, "28 client without the grant",
		http.StatusBadRequest, "unauthorized_client")
	f.postJSON("/passkey/challenge", map[string]any{"client_id": "web", "client_secret": "no"}).want(t, "28 wrong secret",
		http.StatusUnauthorized, "invalid_client")
	f.postJSON("/passkey/challenge", map[string]any{"client_id": "nobody"}).want(t, "28 unknown client", http.StatusUnauthorized,
		"invalid_client")
	f.postJSON("/passkey/challenge", map[string]any{"client_id": "native", "organization": "o"}).want(t, "28 organization",
		http.StatusBadRequest, "invalid_request")
	f.postJSON("/passkey/challenge", map[string]any{"client_id": map[string]any{}}).want(t, "28 object", http.StatusBadRequest,
		"invalid_request")
	for range 5 {
		f.challenge()
	}
	flood := f.postJSON("/passkey/challenge", map[string]any{"client_id": "native"})
	flood.want(t, "28 flood", http.StatusTooManyRequests, "too_many_requests")
	if flood.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After = %q, want 60", flood.Header.Get("Retry-After"))
	}
	f.wait(time.Minute)
	f.challenge()

	f.present("native", "", map[string]any{}).want(t, "no session", http.StatusBadRequest, "invalid_request")
	f.postJSON("/oauth/token", map[string]any{"grant_type": authz.DefaultPasskeyGrant, "client_id": "native", "auth_session": "x"}).
		want(t, "no response", http.StatusBadRequest, "invalid_request")
	f.postJSON("/oauth/token", map[string]any{"grant_type": authz.DefaultPasskeyGrant, "client_id": "spa", "auth_session": "x"}).
		want(t, "client without the grant", http.StatusBadRequest, "unauthorized_client")

	off := newFixtureAt(t, "http://127.0.0.1:8081")
	off.postJSON("/passkey/challenge", map[string]any{"client_id": "spa"}).want(t, "28 passkeys off", http.StatusNotFound, "not_found")
	grants, _ := off.send(http.MethodGet, "/.well-known/openid-configuration", "").json()["grant_types_supported"].([]any)
	if slices.Contains(grants, any(authz.DefaultPasskeyGrant)) {
		t.Error("a tenant without passkeys advertises them")
	}
}

// The site of one client cannot ask for a passkey for another client.
func TestPasskeyOrigins(t *testing.T) {
	f, a := nativeFixture(t)
	a.Origin = "http://localhost:8080" // the site of the client's callback
	s, c := f.challenge()
	if got := f.present("native", s, a.Assert(c)); got.StatusCode != http.StatusOK {
		t.Errorf("at the client's own site: %d %s", got.StatusCode, got.body)
	}
	a.Origin = "http://localhost:9999"
	s, c = f.challenge()
	f.present("native", s, a.Assert(c)).want(t, "at another site", http.StatusForbidden, "invalid_grant")
}

// The backup state of a passkey may change; whether it can be backed up never does.
func TestPasskeyBackup(t *testing.T) {
	f, _ := nativeFixture(t)
	if err := f.store.CreateUser(t.Context(), store.User{ID: "bob", Email: "bob@example.com"}); err != nil {
		t.Fatal(err)
	}
	a := f.enrolWith("bob", factortest.UserPresent|factortest.UserVerified|factortest.BackupEligible)
	for _, tt := range []struct {
		flags    byte
		status   int
		backedUp bool
	}{
		{factortest.BackupEligible, http.StatusOK, false},
		{factortest.BackupEligible | factortest.BackedUp, http.StatusOK, true},
		{0, http.StatusForbidden, true},
	} {
		a.Flags = factortest.UserPresent | factortest.UserVerified | tt.flags
		s, c := f.challenge()
		if got := f.present("native", s, a.Assert(c), "scope", "openid", "audience", ""); got.StatusCode != tt.status {
			t.Errorf("flags %x: %d %s, want %d", tt.flags, got.StatusCode, got.body, tt.status)
		}
		m, err := f.store.MethodByKey(t.Context(), a.ID)
		if err != nil {
			t.Fatal(err)
		}
		if p, err := factor.ReadPasskey(m.Data); err != nil || p.BackedUp != tt.backedUp || !p.Synced {
			t.Errorf("flags %x: %+v, %v, want backed up %v", tt.flags, p, err, tt.backedUp)
		}
	}
}

// Of many answers to one challenge at the same time, one gets tokens.
func TestPasskeyRace(t *testing.T) {
	f, a := nativeFixture(t)
	s, c := f.challenge()
	response, err := json.Marshal(a.Assert(c))
	if err != nil {
		t.Fatal(err)
	}
	body := `{"grant_type":"` + authz.DefaultPasskeyGrant + `","client_id":"native","auth_session":"` + s +
		`","authn_response":` + string(response) + `}`
	f.onlyOne(slices.Repeat([]string{body}, 12))
}

// onlyOne sends token requests at the same time, of which one may succeed.
func (f *fixture) onlyOne(bodies []string) {
	f.t.Helper()
	codes := make([]int, len(bodies))
	var wg sync.WaitGroup
	for i, body := range bodies {
		wg.Go(func() { codes[i] = f.token(f.t.Context(), body).Code })
	}
	wg.Wait()
	slices.Sort(codes)
	if codes[0] != http.StatusOK || codes[1] != http.StatusForbidden || codes[len(codes)-1] != http.StatusForbidden {
		f.t.Errorf("statuses = %v, want one 200 and the others 403", codes)
	}
}

// token sends a JSON body to the token endpoint.
func (f *fixture) token(ctx context.Context, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/oauth/token", strings.NewReader(body))
	r.Header.Set("Content-Type", jsonType)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	return w
}

// answerAs stores the row of a challenge again, with the secret fuzz, and answers it.
func (f *fixture) answerAs(t *testing.T, row store.AuthSession, response string) *httptest.ResponseRecorder {
	t.Helper()
	row.Hash, row.Expires = tokens.Hash("fuzz"), f.clock().Add(time.Minute)
	_, _ = f.store.UseAuthSession(t.Context(), row.Hash) // of the run before
	if err := f.store.CreateAuthSession(t.Context(), row, f.clock()); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{
		"grant_type": authz.DefaultPasskeyGrant, "client_id": "native", "auth_session": "fuzz", "authn_response": response,
	})
	if err != nil {
		t.Fatal(err)
	}
	f.wait(time.Second)
	w := f.token(t.Context(), string(body))
	safe(t, w.Result())
	return w
}

// No secret of the exchange is in the log.
func TestPasskeyLog(t *testing.T) {
	f, a := nativeFixture(t)
	s, c := f.challenge()
	got := f.present("native", s, a.Assert(c))
	f.present("native", s, a.Assert(c))
	for _, secret := range []string{s, c, got.text("access_token"), got.text("refresh_token")} {
		if secret == "" || strings.Contains(f.log.String(), secret) {
			t.Errorf("the log holds %q:\n%s", secret, f.log.String())
		}
	}
}

// Whatever an authenticator answers, the server does not fail and nobody is signed in.
func FuzzPasskeyResponse(f *testing.F) {
	fx, a := nativeFixture(f)
	_, c := fx.challenge()
	for _, response := range []map[string]any{a.Assert(c), a.Register(c), {}} {
		b, err := json.Marshal(response)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(`{"id":"AA","rawId":"AA","type":"public-key","response":` +
		`{"authenticatorData":"","clientDataJSON":"e30","signature":"","userHandle":"YW5h"}}`)
	f.Fuzz(func(t *testing.T, response string) {
		options, state, err := factor.NewRelyingParty(issuer, "x").BeginAssertion()
		if err != nil || options == nil {
			t.Fatal(err)
		}
		w := fx.answerAs(t, store.AuthSession{Purpose: "passkey sign-in", ClientID: "native", Data: state}, response)
		if w.Code == http.StatusOK {
			t.Errorf("tokens for %q", response)
		}
	})
}
