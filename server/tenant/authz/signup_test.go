package authz_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/schema"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
	"github.com/formgraph/formgraph/server/tenant/factor/factortest"
	"github.com/formgraph/formgraph/server/tenant/management"
)

// signUpFixture returns a tenant with sign-up by the client "native", whose preset role may read forms.
func signUpFixture(tb testing.TB) *fixture {
	tb.Helper()
	f := newFixtureWith(tb, issuer, management.NewUser)
	for _, c := range []store.Client{
		{ID: "native", FirstParty: true}, {ID: "native2", FirstParty: true}, {ID: "stranger"},
	} {
		c.Name, c.Public, c.GrantTypes = c.ID, true, []string{authz.DefaultPasskeyGrant, "refresh_token"}
		c.Callbacks = []string{"http://localhost:8080/cb", "https://evil.test/cb"}
		if err := errors.Join(f.store.CreateClient(tb.Context(), c),
			storetest.SetGrant(tb.Context(), f.store, c.ID, "m", store.SubjectUser, []string{"read:forms", "update:forms"})); err != nil {
			tb.Fatal(err)
		}
	}
	err := errors.Join(
		f.store.CreateRole(tb.Context(), store.Role{ID: "account", Name: "Account", Preset: true}),
		f.store.ChangeRolePermissions(tb.Context(), "account", []store.Permission{{APIID: "m", Scope: "read:forms"}}, nil),
		f.store.CreateRole(tb.Context(), store.Role{ID: "editor", Name: "Editor"}),
		f.store.ChangeRolePermissions(tb.Context(), "editor", []store.Permission{{APIID: "m", Scope: "update:forms"}}, nil),
	)
	if err != nil {
		tb.Fatal(err)
	}
	return f
}

func profile(email string, more ...string) map[string]any {
	p := map[string]any{"email": email}
	for i := 0; i < len(more); i += 2 {
		p[more[i]] = more[i+1]
	}
	return p
}

// register begins a sign-up by client "native".
func (f *fixture) register(email string) (session, challenge string, device *factortest.Authenticator) {
	f.t.Helper()
	a := f.postJSON("/passkey/register", map[string]any{"client_id": "native", "user_profile": profile(email)})
	if a.StatusCode != http.StatusOK {
		f.t.Fatalf("register: %d %s", a.StatusCode, a.body)
	}
	options, _ := a.json()["authn_params_public_key"].(map[string]any)
	return a.text("auth_session"), challengeOf(f.t, options), factortest.New(f.t, "localhost", issuer, "")
}

// events returns the types of the log, newest first.
func (f *fixture) events() []string {
	f.t.Helper()
	page, _, err := f.store.ListEvents(f.t.Context(), store.EventFilter{}, 0, 100)
	if err != nil {
		f.t.Fatal(err)
	}
	var out []string
	for _, e := range page {
		out = append(out, e.Type)
	}
	return out
}

func TestSignUp(t *testing.T) {
	f := signUpFixture(t)
	a := f.postJSON("/passkey/register", map[string]any{
		"client_id": "native", "realm": "any",
		"user_profile": profile("Eva@Example.com", "name", "Eva"),
	})
	options, _ := a.json()["authn_params_public_key"].(map[string]any)
	user, _ := options["user"].(map[string]any)
	rp, _ := options["rp"].(map[string]any)
	pick, _ := options["authenticatorSelection"].(map[string]any)
	if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || rp["id"] != "localhost" ||
		user["name"] != "eva@example.com" || user["displayName"] != "Eva" ||
		pick["residentKey"] != "required" || pick["userVerification"] != "required" || options["timeout"] == nil ||
		len(options["pubKeyCredParams"].([]any)) != 3 {
		t.Fatalf("register: %d %s", a.StatusCode, a.body)
	}
	if _, err := f.store.UserByEmail(t.Context(), "eva@example.com"); !errors.Is(err, store.ErrNotFound) {
		t.Fatalf("there is somebody before the passkey was proven: %v", err)
	}
	handle, _ := user["id"].(string)
	device := factortest.New(t, "localhost", issuer, "")
	got := f.present("native", a.text("auth_session"), device.Register(challengeOf(t, options)), "scope",
		"openid email offline_access read:forms update:forms")
	if got.StatusCode != http.StatusOK || got.text("scope") != "openid email offline_access read:forms" || got.text("refresh_token") == "" {
		t.Fatalf("tokens: %d %s", got.StatusCode, got.body)
	}
	claims := claims(t, got.text("id_token"))
	if claims["email"] != "eva@example.com" || claims["email_verified"] != false || claims["acr"] == nil {
		t.Errorf("ID token = %v, want an unverified address", claims)
	}
	u, err := f.store.UserByEmail(t.Context(), "eva@example.com")
	if err != nil || u.ID != claims["sub"] || u.Name != "Eva" || !u.Unverified || u.PasswordHash != "" || !u.Created.Equal(f.clock()) {
		t.Errorf("person = %+v, %v", u, err)
	}
	if base64.RawURLEncoding.EncodeToString([]byte(u.ID)) != handle {
		t.Errorf("user handle = %q, want the id %q", handle, u.ID)
	}
	roles, err := f.store.UserRoles(t.Context(), u.ID)
	if err != nil || len(roles) != 1 || roles[0].ID != "account" {
		t.Errorf("roles = %+v, %v, want the preset one", roles, err)
	}
	if _, err := f.store.Consent(t.Context(), u.ID, "native", api); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a consent is implied: %v", err)
	}
	if got, want := f.events(), []string{"seoft", "ss"}; !slices.Equal(got, want) {
		t.Errorf("events = %v, want %v", got, want)
	}
	info := f.send(http.MethodGet, "/userinfo", "", "Authorization", "Bearer "+got.text("access_token"))
	if info.json()["email_verified"] != false || info.json()["email"] != "eva@example.com" {
		t.Errorf("user info: %s", info.body)
	}

	// The passkey signs in from then on, and the refresh token works.
	device.UserHandle = []byte(u.ID)
	s, c := f.challenge()
	if in := f.present("native", s, device.Assert(c)); in.StatusCode != http.StatusOK {
		t.Errorf("sign-in: %d %s", in.StatusCode, in.body)
	}
	if next := f.ask("grant_type", "refresh_token", "client_id", "native", "refresh_token",
		got.text("refresh_token")); next.StatusCode != http.StatusOK {
		t.Errorf("refresh: %d %s", next.StatusCode, next.body)
	}
}

// A form sends the profile in brackets or as JSON text, and the answer as JSON text.
func TestSignUpByForm(t *testing.T) {
	f := signUpFixture(t)
	for _, body := range []url.Values{
		{"client_id": {"native"}, "user_profile[email]": {"eva@example.com"}, "user_profile[name]": {"Eva"}},
		{"client_id": {"native"}, "user_profile": {`{"email":"adam@example.com","name":null}`}},
	} {
		a := f.send(http.MethodPost, "/passkey/register", body.Encode(), "Content-Type", formType)
		if a.StatusCode != http.StatusOK {
			t.Fatalf("register: %d %s", a.StatusCode, a.body)
		}
		device := factortest.New(t, "localhost", issuer, "")
		response, err := json.Marshal(device.Register(challengeOf(t, a.json()["authn_params_public_key"])))
		if err != nil {
			t.Fatal(err)
		}
		got := f.ask("grant_type", authz.DefaultPasskeyGrant, "client_id", "native", "auth_session", a.text("auth_session"),
			"authn_response", string(response))
		if got.StatusCode != http.StatusOK || got.text("refresh_token") != "" {
			t.Errorf("tokens: %d %s", got.StatusCode, got.body)
		}
	}
	if u, err := f.store.UserByEmail(t.Context(), "adam@example.com"); err != nil || u.Name != "adam@example.com" {
		t.Errorf("without a name: %+v, %v", u, err)
	}
	for _, body := range []string{
		"client_id=native&user_profile[email]=a@b.c&user_profile[email]=d@e.f",
		"client_id=native&user_profile[email]=a@b.c&user_profile=%7B%22email%22:%22d@e.f%22%7D",
		"client_id=native&user_profile[email=a@b.c",
		"client_id=native&user_profile[email][x]=a@b.c",
		"client_id=native&user_profile=a@b.c",
		"client_id=native&user_profile=%5B%5D",
		"client_id=native&email=a@b.c",
	} {
		f.wait(time.Minute)
		f.send(http.MethodPost, "/passkey/register", body, "Content-Type", formType).want(t, body, http.StatusBadRequest, "invalid_request")
	}
}

func TestSignUpFaultsOfRegister(t *testing.T) {
	off := newFixture(t)
	a := off.postJSON("/passkey/register", map[string]any{"client_id": "nobody"})
	a.want(t, "off", http.StatusNotFound, "not_found")
	if !strings.Contains(a.text("error_description"), "--signup") || a.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("off says %s, want the option", a.body)
	}
	newFixtureWith(t, "http://127.0.0.1:8081", management.NewUser).postJSON("/passkey/register",
		map[string]any{"client_id": "spa", "user_profile": profile("a@b.c")}).
		want(t, "no name", http.StatusNotFound, "not_found")

	f := signUpFixture(t)
	good := profile("eva@example.com")
	for _, tt := range []struct {
		name   string
		body   map[string]any
		status int
		code   string
	}{
		{"client without the grant", map[string]any{"client_id": "spa", "user_profile": good}, 400, "unauthorized_client"},
		{"client of a stranger", map[string]any{"client_id": "stranger", "user_profile": good}, 400, "unauthorized_client"},
		{"wrong secret", map[string]any{"client_id": "web", "client_secret": "no", "user_profile": good}, 401, "invalid_client"},
		{"organization", map[string]any{"client_id": "native", "organization": "o", "user_profile": good}, 400, "invalid_request"},
		{"no profile", map[string]any{"client_id": "native"}, 400, "invalid_request"},
		{"list", map[string]any{"client_id": "native", "user_profile": []any{good}}, 400, "invalid_request"},
		{"no address", map[string]any{"client_id": "native", "user_profile": profile("", "name", "Eva")}, 400, "invalid_request"},
		{"bad address", map[string]any{"client_id": "native", "user_profile": profile("eva")}, 400, "invalid_request"},
		{
			"two addresses",
			map[string]any{"client_id": "native", "user_profile": profile("eva@example.com,adam@example.com")},
			400,
			"invalid_request",
		},
		{"long name", map[string]any{
			"client_id":    "native",
			"user_profile": profile("eva@example.com", "name", strings.Repeat("x", 301)),
		}, 400, "invalid_request"},
		{
			"password",
			map[string]any{"client_id": "native", "user_profile": profile("eva@example.com", "password", "correct horse")},
			400, "invalid_request",
		},
		{"number", map[string]any{"client_id": "native", "user_profile": map[string]any{"email": 1}}, 400, "invalid_request"},
	} {
		f.wait(time.Minute)
		f.postJSON("/passkey/register", tt.body).want(t, tt.name, tt.status, tt.code)
	}
	f.wait(time.Minute)
	// Challenges and registrations are counted together.
	for range 5 {
		f.challenge()
		f.register("eva@example.com")
	}
	flood := f.postJSON("/passkey/register", map[string]any{"client_id": "native", "user_profile": good})
	flood.want(t, "flood", http.StatusTooManyRequests, "too_many_requests")
	if flood.Header.Get("Retry-After") != "60" {
		t.Errorf("Retry-After = %q, want 60", flood.Header.Get("Retry-After"))
	}
}

// No answer before a passkey is created reveals whether an address has an account.
func TestSignUpRevealsNoAccount(t *testing.T) {
	f := signUpFixture(t)
	shape := func(email string) map[string]any {
		a := f.postJSON("/passkey/register", map[string]any{"client_id": "native", "user_profile": profile(email)})
		o, _ := a.json()["authn_params_public_key"].(map[string]any)
		if a.StatusCode != http.StatusOK || o == nil {
			t.Fatalf("%s: %d %s", email, a.StatusCode, a.body)
		}
		o["challenge"] = ""
		user, _ := o["user"].(map[string]any)
		if id, _ := user["id"].(string); len(id) < 20 {
			t.Errorf("%s: user handle %q", email, id)
		}
		o["user"] = nil
		return o
	}
	known, _ := json.Marshal(shape("ANA@example.com"))
	unknown, _ := json.Marshal(shape("eva@example.com"))
	if string(known) != string(unknown) {
		t.Errorf("known: %s\nunknown: %s", known, unknown)
	}
}

// signUpFaults are faults of a passkey at a sign-up.
var signUpFaults = []struct {
	name string
	make func(f *fixture) passkeyTry
}{
	{"25 replay", func(f *fixture) passkeyTry {
		s, c, a := f.register("adam@example.com")
		if got := f.present("native", s, a.Register(c)); got.StatusCode != http.StatusOK {
			f.t.Errorf("first use: %d %s", got.StatusCode, got.body)
		}
		return passkeyTry{"native", s, factortest.New(f.t, "localhost", issuer, "").Register(c)}
	}},
	{"25 after a fault", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		f.present("native", s, map[string]any{"response": map[string]any{"attestationObject": "x"}})
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"25 another client", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		return passkeyTry{"native2", s, a.Register(c)}
	}},
	{"25 five minutes", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		f.wait(5 * time.Minute)
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"25 unknown session", func(f *fixture) passkeyTry {
		_, c, a := f.register("eva@example.com")
		return passkeyTry{"native", "x", a.Register(c)}
	}},
	{"25 challenge of a sign-in", func(f *fixture) passkeyTry {
		s, c := f.challenge()
		return passkeyTry{"native", s, factortest.New(f.t, "localhost", issuer, "").Register(c)}
	}},
	{"25 sign-in with the challenge of a sign-up", func(f *fixture) passkeyTry {
		a := f.enrol("ana")
		s, c, _ := f.register("eva@example.com")
		return passkeyTry{"native", s, a.Assert(c)}
	}},
	{"26 origin", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		a.Origin = "https://evil.test"
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"26 framed", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		a.CrossOrigin = true
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"26 rpId", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		a.RPID = "evil.test"
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"26 challenge", func(f *fixture) passkeyTry {
		s, _, a := f.register("eva@example.com")
		_, c, _ := f.register("eva@example.com")
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"26 no user verification", func(f *fixture) passkeyTry {
		s, c, a := f.register("eva@example.com")
		a.Flags = factortest.UserPresent
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"26 a passkey that somebody has", func(f *fixture) passkeyTry {
		ana := f.enrol("ana")
		s, c, a := f.register("eva@example.com")
		a.ID = ana.ID
		return passkeyTry{"native", s, a.Register(c)}
	}},
	{"an address that has an account", func(f *fixture) passkeyTry {
		s, c, a := f.register("ANA@example.com")
		return passkeyTry{"native", s, a.Register(c)}
	}},
}

// Every fault of a passkey at sign-up is 403 with one text, and makes no account.
func TestSignUpFaults(t *testing.T) {
	for _, tt := range signUpFaults {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := signUpFixture(t)
			try := tt.make(f)
			_, before, err := f.store.ListUsers(t.Context(), store.Find{}, 0, 1)
			if err != nil {
				t.Fatal(err)
			}
			got := f.present(try.client, try.session, try.response)
			got.want(t, tt.name, http.StatusForbidden, "invalid_grant")
			if d := got.text("error_description"); d != "the passkey was not accepted" {
				t.Errorf("description = %q, want the same for every fault", d)
			}
			if _, after, err := f.store.ListUsers(t.Context(), store.Find{}, 0, 1); err != nil || after != before {
				t.Errorf("%d people, %v, want %d as before", after, err, before)
			}
			if _, signIn := try.response["response"].(map[string]any)["signature"]; !signIn && f.events()[1] != "fs" {
				t.Errorf("events = %v, want fs", f.events())
			}
		})
	}
}

// No account is made if sign-up was closed in between, if the client became a third-party one, or if the request fails for
// everybody. The last does not use up the challenge.
func TestSignUpRefusedLater(t *testing.T) {
	f := signUpFixture(t)
	s, c, a := f.register("eva@example.com")
	f.present("native", s, a.Register(c), "audience", "urn:nothing").want(t, "unknown audience", http.StatusBadRequest, "invalid_target")
	storetest.PutAPI(t, f.store, store.API{
		ID: "m", Identifier: api, Scopes: []string{"read:forms"}, UserPolicy: store.DenyAll,
		ClientPolicy: store.DenyAll,
	})
	f.present("native", s, a.Register(c)).want(t, "audience that refuses", http.StatusForbidden, "access_denied")
	f.present("native", s, a.Register(c), "scope", "a\tb").want(t, "malformed scope", http.StatusBadRequest, "invalid_scope")
	if _, err := f.store.UserByEmail(t.Context(), "eva@example.com"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("somebody was made by a request that failed: %v", err)
	}
	f.present("native", s, a.Register(c), "audience", "").want(t, "the challenge is still good", http.StatusOK, "")

	s, c, a = f.register("adam@example.com")
	row, err := f.store.Client(t.Context(), "native")
	if err != nil {
		t.Fatal(err)
	}
	row.FirstParty = false
	storetest.PutClient(t, f.store, row)
	f.present("native", s, a.Register(c), "audience", "").want(t, "stranger", http.StatusBadRequest, "unauthorized_client")
	row.FirstParty = true
	storetest.PutClient(t, f.store, row)
	f.rebuild(func(c *authz.Config) { c.SignUp = nil })
	f.present("native", s, a.Register(c), "audience", "").want(t, "closed", http.StatusForbidden, "invalid_grant")
}

// Of many sign-ups with one address at the same time, each with its own challenge and passkey, one succeeds.
func TestSignUpRace(t *testing.T) {
	f := signUpFixture(t)
	var bodies [8]string
	for i := range bodies {
		s, c, a := f.register("eva@example.com")
		response, err := json.Marshal(a.Register(c))
		if err != nil {
			t.Fatal(err)
		}
		bodies[i] = `{"grant_type":"` + authz.DefaultPasskeyGrant + `","client_id":"native","auth_session":"` + s +
			`","authn_response":` + string(response) + `}`
	}
	f.onlyOne(bodies[:])
	for _, body := range bodies {
		if session := bodyOf(t, body).Text("auth_session"); strings.Contains(f.log.String(), session) {
			t.Error("the log holds the secret of a challenge")
		}
	}
}

func bodyOf(t *testing.T, text string) *schema.Object {
	t.Helper()
	tree, _ := schema.Decode([]byte(text))
	o, ok := tree.(*schema.Object)
	if !ok {
		t.Fatalf("no object: %s", text)
	}
	return o
}

// The warning about a clone is an event of the passkey's owner.
func TestCloneEvent(t *testing.T) {
	f, a := nativeFixture(t)
	for _, count := range []uint32{7, 6} {
		a.Counter = count
		s, c := f.challenge()
		f.present("native", s, a.Assert(c))
	}
	page, _, err := f.store.ListEvents(t.Context(), store.EventFilter{Type: store.EventCloned}, 0, 9)
	if err != nil || len(page) != 1 || page[0].UserID != "ana" || page[0].ClientID != "native" || page[0].Address == "" {
		t.Errorf("events = %+v, %v", page, err)
	}
}

// A sign-in by two factors no longer counts as one once an administrator has removed them: a request for more than a
// password is refused.
func TestRemovedFactorEndsStepUp(t *testing.T) {
	f := newFixture(t)
	if err := f.store.CreateMethod(t.Context(), store.Method{ID: "totp|a", UserID: "ana", Type: store.MethodTOTP, Data: []byte{1}},
		1); err != nil {
		t.Fatal(err)
	}
	b := f.signedInBy("pwd", "otp", "mfa")
	again := "/authorize?" + query("acr_values", "mfa")
	if a := b.send(http.MethodGet, again, ""); a.location().Get("code") == "" {
		t.Fatalf("by two factors: %d %s", a.StatusCode, a.body)
	}
	if _, err := f.store.TakeMethods(t.Context(), "ana", func(store.Method) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if a := b.send(http.MethodGet, again, ""); a.location().Get("error") != "unmet_authentication_requirements" {
		t.Errorf("after the app was taken: %d %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := b.send(http.MethodGet, "/authorize?"+query(), ""); a.location().Get("code") == "" {
		t.Errorf("the person is signed out: %d %s", a.StatusCode, a.body)
	}
}
