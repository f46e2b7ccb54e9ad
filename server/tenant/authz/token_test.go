package authz_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// claims returns a token's body without verifying it.
func claims(t *testing.T, token string) map[string]any {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("%q is not a token", token)
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCodeGrant(t *testing.T) {
	f := newFixture(t)
	a := f.exchange(f.code())
	if a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" || a.text("token_type") != "Bearer" ||
		a.json()["expires_in"] != 600.0 {
		t.Fatalf("exchange = %d %s", a.StatusCode, a.body)
	}
	// delete:forms is not a scope of the API, so it is left out.
	want := "openid profile email offline_access read:forms update:forms"
	if got := a.text("scope"); got != want {
		t.Errorf("scope = %q, want %q", got, want)
	}
	access := claims(t, a.text("access_token"))
	for k, v := range map[string]any{"iss": issuer, "sub": "ana", "azp": "web", "client_id": "web", "scope": want} {
		if access[k] != v {
			t.Errorf("access token's %s = %v, want %v", k, access[k], v)
		}
	}
	if aud, _ := access["aud"].([]any); access["aud"] != api && (len(aud) != 1 || aud[0] != api) {
		t.Errorf("audience = %v, want %s", access["aud"], api)
	}
	id := claims(t, a.text("id_token"))
	for k, v := range map[string]any{"sub": "ana", "nonce": "n", "name": "Ana", "email": "ana@example.com"} {
		if id[k] != v {
			t.Errorf("ID token's %s = %v, want %v", k, id[k], v)
		}
	}
	if a.text("refresh_token") == "" {
		t.Error("no refresh token")
	}
}

func TestCodeGrantShapes(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		name          string
		authorize     []string
		token         []string
		scope         string
		refresh, idTk bool
	}{
		{"offline_access as a parameter", []string{"scope", "openid", "offline_access", "true"}, nil, "openid offline_access", true, true},
		{"offline_access false", []string{"scope", "openid", "offline_access", "false"}, nil, "openid", false, true},
		{"no openid", []string{"scope", "read:forms"}, nil, "read:forms", false, false},
		{"audience again", []string{"scope", "read:forms"}, []string{"audience", api}, "read:forms", false, false},
		{
			"confidential without PKCE",
			[]string{"scope", "openid", "code_challenge", "-", "code_challenge_method", "-"},
			[]string{"code_verifier", ""},
			"openid", false, true,
		},
		{
			"public",
			[]string{"client_id", "spa", "scope", "openid read:forms update:forms"},
			[]string{"client_id", "spa", "client_secret", ""},
			"openid read:forms", false, true,
		},
		{
			"client without refresh",
			[]string{"client_id", "online", "audience", "-", "scope", "openid offline_access"},
			[]string{"client_id", "online"},
			"openid", false, true,
		},
		{"no scope", []string{"scope", "-"}, nil, "", false, false},
		{"tab in a scope (attack 88)", []string{"scope", "read:forms update:formsX"}, nil, "read:forms", false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := f.exchange(f.code(tt.authorize...), tt.token...)
			if a.StatusCode != http.StatusOK || a.text("scope") != tt.scope || (a.text("refresh_token") != "") != tt.refresh ||
				(a.text("id_token") != "") != tt.idTk {
				t.Errorf("%d %s, want scope %q, refresh %v, ID token %v", a.StatusCode, a.body, tt.scope, tt.refresh, tt.idTk)
			}
		})
	}
}

// A code is valid once, for its client, its redirect URI and its verifier.
func TestCodeGrantRefused(t *testing.T) {
	f := newFixture(t)
	for _, tt := range []struct {
		name      string
		authorize []string
		token     []string
		wait      time.Duration
		want      string
	}{
		{"wrong verifier", nil, []string{"code_verifier", strings.Repeat("w", 43)}, 0, "invalid_grant"},
		{"no verifier", nil, []string{"code_verifier", ""}, 0, "invalid_grant"},
		{"short verifier", []string{"code_challenge", challenge(verifier[:42])}, []string{"code_verifier", verifier[:42]}, 0, "invalid_grant"},
		{
			"long verifier",
			[]string{"code_challenge", challenge(strings.Repeat("v", 129))},
			[]string{"code_verifier", strings.Repeat("v", 129)},
			0, "invalid_grant",
		},
		{"verifier without challenge", []string{"code_challenge", "-", "code_challenge_method", "-"}, nil, 0, "invalid_grant"},
		{"another client", nil, []string{"client_id", "online"}, 0, "invalid_grant"},
		{"another address", nil, []string{"redirect_uri", callback + "?x=1"}, 0, "invalid_grant"},
		{"no address", nil, []string{"redirect_uri", ""}, 0, "invalid_grant"},
		{"too late", nil, nil, 60 * time.Second, "invalid_grant"},
		{"another audience", nil, []string{"audience", other}, 0, "invalid_target"},
		{"no code", nil, []string{"code", ""}, 0, "invalid_request"},
		{"unknown code", nil, []string{"code", "x"}, 0, "invalid_grant"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			code := f.code(tt.authorize...)
			f.wait(tt.wait + time.Second)
			f.exchange(code, tt.token...).want(t, "exchange", http.StatusBadRequest, tt.want)
			if tt.want == "invalid_grant" && tt.name != "unknown code" {
				f.exchange(code).want(t, "the code afterwards", http.StatusBadRequest, "invalid_grant")
			}
		})
	}
	code := f.code()
	f.wait(59 * time.Second)
	if a := f.exchange(code); a.StatusCode != http.StatusOK {
		t.Errorf("after 59 s = %d %s, want 200", a.StatusCode, a.body)
	}
}

// The second use of a code revokes everything that came of the first.
func TestCodeReplay(t *testing.T) {
	f := newFixture(t)
	code := f.code()
	first := f.exchange(code)
	next := f.refresh(first.text("refresh_token"))
	f.exchange(code).want(t, "replay", http.StatusBadRequest, "invalid_grant")
	f.refresh(next.text("refresh_token")).want(t, "refresh afterwards", http.StatusBadRequest, "invalid_grant")
}

// Of many requests with one code at the same time at most one gets tokens, and those cannot be refreshed.
func TestCodeRace(t *testing.T) {
	f := newFixture(t)
	code := f.code()
	var mu sync.Mutex
	var won []answer
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if a := f.exchange(code); a.StatusCode == http.StatusOK {
				mu.Lock()
				won = append(won, a)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(won) > 1 {
		t.Fatalf("%d requests got tokens, want at most one", len(won))
	}
	for _, a := range won {
		f.refresh(a.text("refresh_token")).want(t, "refresh afterwards", http.StatusBadRequest, "invalid_grant")
	}
}

// A refresh token rotates, its second use revokes the family, and no scope is added.
func TestRefreshGrant(t *testing.T) {
	f := newFixture(t)
	first := f.exchange(f.code())
	old := first.text("refresh_token")
	f.wait(time.Minute)
	a := f.refresh(old)
	if a.StatusCode != http.StatusOK || a.text("scope") != first.text("scope") || a.text("refresh_token") == old ||
		a.text("access_token") == first.text("access_token") {
		t.Fatalf("refresh = %d %s", a.StatusCode, a.body)
	}
	if id := claims(t, a.text("id_token")); id["nonce"] != nil ||
		id["auth_time"] != claims(t, first.text("id_token"))["auth_time"] || id["sid"] != claims(t, first.text("id_token"))["sid"] {
		t.Errorf("ID token at refresh = %v, want the first sign-in and no nonce", id)
	}
	// A narrower scope works and does not narrow later ones. A wider one fails and does not use up the token.
	a = f.refresh(a.text("refresh_token"), "scope", "read:forms")
	if a.text("scope") != "read:forms" || a.text("id_token") != "" {
		t.Errorf("narrower = %s, want read:forms alone", a.body)
	}
	token := a.text("refresh_token")
	f.refresh(token, "scope", "read:forms delete:forms").want(t, "wider", http.StatusBadRequest, "invalid_scope")
	f.refresh(token, "scope", "read:other").want(t, "another API's", http.StatusBadRequest, "invalid_scope")
	f.refresh(token, "client_id", "online").want(t, "another client", http.StatusBadRequest, "unauthorized_client")
	f.ask("grant_type", "refresh_token", "client_id", "spa", "refresh_token", token).want(t, "public client",
		http.StatusBadRequest, "invalid_grant")
	f.refresh("").want(t, "no token", http.StatusBadRequest, "invalid_request")
	f.refresh("x").want(t, "unknown token", http.StatusBadRequest, "invalid_grant")
	a = f.refresh(token)
	if a.text("scope") != first.text("scope") {
		t.Errorf("afterwards = %s, want the whole scope", a.body)
	}
	// Reuse revokes the family and its live token, whatever else is wrong with the request.
	f.refresh(old, "scope", "delete:forms").want(t, "reuse", http.StatusBadRequest, "invalid_grant")
	f.refresh(a.text("refresh_token")).want(t, "the live token", http.StatusBadRequest, "invalid_grant")
	if !strings.Contains(f.log.String(), "reuse detected") {
		t.Error("reuse is not logged")
	}
}

func TestRefreshEnds(t *testing.T) {
	f := newFixture(t)
	idle := f.exchange(f.code()).text("refresh_token")
	f.wait(30*24*time.Hour - time.Second)
	a := f.refresh(idle)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("just before 30 days = %d %s", a.StatusCode, a.body)
	}
	idle = a.text("refresh_token")
	f.wait(30 * 24 * time.Hour)
	f.refresh(idle).want(t, "after 30 days", http.StatusBadRequest, "invalid_grant")

	token := f.exchange(f.code()).text("refresh_token")
	for range 3 {
		f.wait(29 * 24 * time.Hour)
		token = f.refresh(token).text("refresh_token")
	}
	f.wait(3*24*time.Hour - time.Second)
	if a = f.refresh(token); a.StatusCode != http.StatusOK {
		t.Fatalf("just before 90 days = %d %s", a.StatusCode, a.body)
	}
	f.wait(time.Second)
	f.refresh(a.text("refresh_token")).want(t, "after 90 days", http.StatusBadRequest, "invalid_grant")
}

// One sign-in serves several APIs of a first-party client.
func TestRefreshAudience(t *testing.T) {
	f := newFixture(t)
	token := f.exchange(f.code("scope", "openid offline_access read:forms")).text("refresh_token")
	a := f.refresh(token, "audience", other, "scope", "read:other read:forms email")
	if a.StatusCode != http.StatusOK || a.text("scope") != "read:other" {
		t.Fatalf("other audience = %d %s, want read:other alone", a.StatusCode, a.body)
	}
	token = a.text("refresh_token")
	f.refresh(token, "audience", "http://nowhere/").want(t, "unknown audience", http.StatusBadRequest, "invalid_target")
	if a = f.refresh(token, "audience", "/api/v2/"); a.text("scope") != "openid offline_access read:forms" {
		t.Errorf("back to the first = %s", a.body)
	}
}

// An application that is no longer first-party needs consent to what was authorized, and gets no other audience.
func TestRefreshAudienceThirdParty(t *testing.T) {
	f := newFixture(t)
	token := f.exchange(f.code()).text("refresh_token")
	c, err := f.store.Client(t.Context(), "web")
	if err != nil {
		t.Fatal(err)
	}
	c.FirstParty = false
	storetest.PutClient(t, f.store, c)
	f.refresh(token, "audience", other, "scope", "read:other").want(t, "other audience", http.StatusBadRequest, "invalid_target")
	f.refresh(token, "audience", api).want(t, "without consent", http.StatusBadRequest, "invalid_grant")
	storetest.SetConsent(t, f.store, store.Consent{ID: "con", UserID: "ana", ClientID: "web", Audience: api, Scope: []string{"openid"}})
	if a := f.refresh(token, "audience", api); a.StatusCode != http.StatusOK || a.text("scope") != "openid" {
		t.Errorf("its own audience = %d %s, want 200", a.StatusCode, a.body)
	}
}

// A person who loses a permission loses the scope with the next refresh.
func TestRefreshFollowsPermissions(t *testing.T) {
	f := newFixture(t)
	token := f.exchange(f.code("scope", "offline_access read:forms update:forms")).text("refresh_token")
	if err := storetest.SetPermissions(t.Context(), f.store, "ana", "m", []string{"read:forms"}); err != nil {
		t.Fatal(err)
	}
	if a := f.refresh(token); a.text("scope") != "offline_access read:forms" {
		t.Errorf("scope = %s, want it without update:forms", a.body)
	}
}

func TestClientGrant(t *testing.T) {
	f := newFixture(t)
	robot := []string{"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret"}
	for _, tt := range []struct {
		name  string
		pairs []string
		want  string // scope, or error
		code  int
	}{
		{"all", []string{"audience", "/api/v2/"}, "read:forms update:forms", 200},
		{"by its address", []string{"audience", api}, "read:forms update:forms", 200},
		{"some", []string{"audience", api, "scope", "update:forms"}, "update:forms", 200},
		{
			"only the intersection",
			[]string{"audience", api, "scope", "update:forms not:there delete:forms openid offline_access"},
			"update:forms", 200,
		},
		{"tab", []string{"audience", api, "scope", "update:forms\tread:forms"}, "invalid_scope", 400},
		{"no audience", nil, "invalid_request", 400},
		{"unknown audience", []string{"audience", "x"}, "invalid_target", 400},
		{"audience of user info", []string{"audience", issuer + "/userinfo"}, "invalid_request", 400},
		{"refused by policy", []string{"audience", other}, "access_denied", 403},
		{"another grant", []string{"grant_type", "authorization_code", "code", "x"}, "unauthorized_client", 400},
		{"unknown grant", []string{"grant_type", "implicit"}, "unsupported_grant_type", 400},
		{"password", []string{"grant_type", "password", "username", "ana@example.com", "password", password}, "unauthorized_client", 400},
		{"no grant", []string{"grant_type", ""}, "invalid_request", 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.wait(time.Second)
			a := f.ask(append(slices.Clip(robot), tt.pairs...)...)
			got := a.text("error")
			if tt.code == 200 {
				got = a.text("scope")
			}
			if a.StatusCode != tt.code || got != tt.want {
				t.Errorf("%d %s, want %d %s", a.StatusCode, a.body, tt.code, tt.want)
			}
			if a.text("refresh_token") != "" || a.text("id_token") != "" {
				t.Error("a machine got a refresh token or an ID token")
			}
			if tt.code == 200 && claims(t, a.text("access_token"))["sub"] != "robot@clients" {
				t.Errorf("subject = %v, want robot@clients", claims(t, a.text("access_token"))["sub"])
			}
		})
	}
}

func basic(user, pass string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+pass))
}

func TestTokenBodies(t *testing.T) {
	f := newFixture(t)
	const jsonType = "application/json"
	good := `{"grant_type":"client_credentials","client_id":"robot","client_secret":"robot-secret","audience":"/api/v2/"}`
	goodForm := "grant_type=client_credentials&client_id=robot&client_secret=robot-secret&audience=%2Fapi%2Fv2%2F"
	for _, tt := range []struct {
		name, path, kind, body string
		header                 []string
		status                 int
		want                   string
	}{
		{"JSON", "/oauth/token", jsonType, good, nil, 200, ""},
		{"JSON with charset", "/oauth/token", jsonType + "; charset=UTF-8", good, nil, 200, ""},
		{"with a slash", "/oauth/token/", formType, goodForm, nil, 200, ""},
		{"JSON with a slash", "/oauth/token/", jsonType, good, nil, 200, ""},
		{"boolean and null", "/oauth/token", jsonType, strings.Replace(good, "{", `{"offline_access":true,"scope":null,"n":1,`, 1), nil, 200, ""},
		{
			"Basic", "/oauth/token", formType, "grant_type=client_credentials&audience=/api/v2/",
			[]string{"Authorization", basic("robot", "robot-secret")},
			200, "",
		},
		{
			"Basic and client_id", "/oauth/token", formType, "grant_type=client_credentials&audience=/api/v2/&client_id=robot",
			[]string{"Authorization", basic("robot", "robot-secret")},
			200, "",
		},
		{
			"Basic encoded", "/oauth/token", formType, "grant_type=client_credentials&audience=/api/v2/",
			[]string{"Authorization", basic("robot", "robot%2Dsecret")},
			200, "",
		},
		{"Basic and body", "/oauth/token", jsonType, good, []string{"Authorization", basic("robot", "robot-secret")}, 400, "invalid_request"},
		{
			"Basic of another", "/oauth/token", formType, "client_id=web&grant_type=client_credentials",
			[]string{"Authorization", basic("robot", "robot-secret")},
			400, "invalid_request",
		},
		{
			"Basic wrong", "/oauth/token", formType, "grant_type=client_credentials",
			[]string{"Authorization", basic("robot", "x")},
			401, "invalid_client",
		},
		{
			"Basic malformed", "/oauth/token", formType, "grant_type=client_credentials",
			[]string{"Authorization", basic("robot", "%zz")},
			401, "invalid_client",
		},
		{"Bearer", "/oauth/token", formType, goodForm, []string{"Authorization", "Bearer x"}, 401, "invalid_client"},
		{"wrong secret", "/oauth/token", jsonType, strings.Replace(good, "robot-secret", "x", 1), nil, 401, "invalid_client"},
		{"no secret", "/oauth/token", formType, "grant_type=client_credentials&client_id=robot", nil, 401, "invalid_client"},
		{
			"unknown client", "/oauth/token", formType, "grant_type=client_credentials&client_id=x&client_secret=robot-secret", nil, 401,
			"invalid_client",
		},
		{"no client", "/oauth/token", formType, "grant_type=client_credentials", nil, 401, "invalid_client"},
		{"public with a secret", "/oauth/token", formType, "grant_type=refresh_token&client_id=spa&client_secret=x", nil, 401, "invalid_client"},
		{"duplicate key", "/oauth/token", jsonType, strings.Replace(good, "{", `{"audience":"x",`, 1), nil, 400, "invalid_request"},
		{"duplicate escaped key", "/oauth/token", jsonType, strings.Replace(good, "{", `{"audienc\u0065":"x",`, 1), nil, 400, "invalid_request"},
		{"repeated form key", "/oauth/token", formType, goodForm + "&audience=x", nil, 400, "invalid_request"},
		{"object", "/oauth/token", jsonType, strings.Replace(good, `"robot"`, `{"a":1}`, 1), nil, 400, "invalid_request"},
		{"array", "/oauth/token", jsonType, "[" + good + "]", nil, 400, "invalid_request"},
		{"two values", "/oauth/token", jsonType, good + good, nil, 400, "invalid_request"},
		{"cut", "/oauth/token", jsonType, good[:40], nil, 400, "invalid_request"},
		{"empty JSON", "/oauth/token", jsonType, "", nil, 400, "invalid_request"},
		{"bad escape", "/oauth/token", formType, goodForm + "&x=%zz", nil, 400, "invalid_request"},
		{"bad UTF-8", "/oauth/token", formType, goodForm + "&x=%ff", nil, 400, "invalid_request"},
		{"text", "/oauth/token", "text/plain", good, nil, 415, "invalid_request"},
		{"no type", "/oauth/token", "", good, nil, 415, "invalid_request"},
		{"utf-16", "/oauth/token", jsonType + "; charset=utf-16", good, nil, 415, "invalid_request"},
		{"in the address", "/oauth/token?client_id=robot", jsonType, good, nil, 400, "invalid_request"},
		{"huge", "/oauth/token", jsonType, strings.Replace(good, "{", `{"x":"`+strings.Repeat("x", 64<<10)+`",`, 1), nil, 413, "invalid_request"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f.wait(time.Second)
			a := f.send(http.MethodPost, tt.path, tt.body, append([]string{"Content-Type", tt.kind}, tt.header...)...)
			a.want(t, "token", tt.status, tt.want)
			if tt.status == 401 && a.Header.Get("WWW-Authenticate") == "" {
				t.Error("401 without a challenge")
			}
		})
	}
	if a := f.send(http.MethodGet, "/oauth/token", ""); a.StatusCode != http.StatusMethodNotAllowed && a.StatusCode != http.StatusNotFound {
		t.Errorf("GET = %d, want 405 or 404", a.StatusCode)
	}
}

func TestTokenRate(t *testing.T) {
	f := newFixture(t)
	good := []string{"grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api}
	for i := range 20 {
		if a := f.ask(good...); a.StatusCode != http.StatusOK {
			t.Fatalf("request %d = %d, want 200", i+1, a.StatusCode)
		}
	}
	a := f.ask(good...)
	a.want(t, "request 21", http.StatusTooManyRequests, "too_many_requests")
	if a.Header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After = %q, want 1", a.Header.Get("Retry-After"))
	}
	// Other clients are not affected, and nobody can use up a client's requests without its secret.
	for range 30 {
		f.ask("grant_type", "refresh_token", "client_id", "web", "client_secret", "wrong", "refresh_token", "x")
	}
	f.ask("grant_type", "refresh_token", "client_id", "web", "client_secret", "wrong").want(t, "guessing",
		http.StatusTooManyRequests, "too_many_requests")
	f.refresh("x").want(t, "the owner", http.StatusBadRequest, "invalid_grant")
	f.wait(100 * time.Millisecond)
	if a := f.ask(good...); a.StatusCode != http.StatusOK {
		t.Errorf("a tenth of a second later = %d, want 200", a.StatusCode)
	}
}

func TestRevoke(t *testing.T) {
	f := newFixture(t)
	revoke := func(name string, status int, pairs string, header ...string) {
		t.Helper()
		if a := f.send(http.MethodPost, "/oauth/revoke", pairs,
			append([]string{"Content-Type", formType}, header...)...); a.StatusCode != status {
			t.Errorf("%s = %d %s, want %d", name, a.StatusCode, a.body, status)
		}
	}
	first := f.exchange(f.code())
	token := f.refresh(first.text("refresh_token")).text("refresh_token")
	revoke("without client", http.StatusUnauthorized, "token="+token)
	revoke("by another client", http.StatusOK, "client_id=spa&token="+token)
	revoke("unknown", http.StatusOK, "client_id=web&client_secret=web-secret&token=x")
	revoke("access token", http.StatusOK, "client_id=web&client_secret=web-secret&token="+first.text("access_token"))
	revoke("no token", http.StatusBadRequest, "client_id=web&client_secret=web-secret")
	a := f.refresh(token)
	if a.StatusCode != http.StatusOK {
		t.Fatalf("the token is dead before it was revoked: %s", a.body)
	}
	revoke("own", http.StatusOK, "token_type_hint=refresh_token&token="+a.text("refresh_token"), "Authorization", basic("web", "web-secret"))
	revoke("again", http.StatusOK, "client_id=web&client_secret=web-secret&token="+a.text("refresh_token"))
	f.refresh(a.text("refresh_token")).want(t, "afterwards", http.StatusBadRequest, "invalid_grant")
}

func TestUserInfo(t *testing.T) {
	f := newFixture(t)
	full := f.exchange(f.code()).text("access_token")
	little := f.exchange(f.code("scope", "openid", "audience", "-")).text("access_token")
	none := f.exchange(f.code("scope", "read:forms")).text("access_token")
	robot := f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience",
		api).text("access_token")
	for _, tt := range []struct {
		name, method, auth string
		status             int
		want               string
	}{
		{"full", http.MethodGet, "Bearer " + full, 200, `{"email":"ana@example.com","email_verified":true,"name":"Ana","sub":"ana"}`},
		{"by POST", http.MethodPost, "bearer " + full, 200, `{"email":"ana@example.com","email_verified":true,"name":"Ana","sub":"ana"}`},
		{"little", http.MethodGet, "Bearer " + little, 200, `{"sub":"ana"}`},
		{"no openid", http.MethodGet, "Bearer " + none, 403, "insufficient_scope"},
		{"machine", http.MethodGet, "Bearer " + robot, 403, "insufficient_scope"},
		{"no token", http.MethodGet, "", 401, "invalid_token"},
		{"Basic", http.MethodGet, basic("web", "web-secret"), 401, "invalid_token"},
		{"bad token", http.MethodGet, "Bearer x", 401, "invalid_token"},
	} {
		a := f.send(tt.method, "/userinfo", "", "Authorization", tt.auth)
		if a.StatusCode != tt.status || !strings.Contains(a.body, tt.want) || (tt.status != 200) != (a.Header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s: %d %s, want %d %s", tt.name, a.StatusCode, a.body, tt.status, tt.want)
		}
	}
	for _, blocked := range []bool{true, false} {
		must(t, f.store.SetBlocked(t.Context(), "ana", blocked))
		if a := f.send(http.MethodGet, "/userinfo", "", "Authorization", "Bearer "+full); (a.StatusCode == http.StatusUnauthorized) != blocked {
			t.Errorf("blocked is %v: %d", blocked, a.StatusCode)
		}
	}
	f.wait(11 * time.Minute)
	if a := f.send(http.MethodGet, "/userinfo", "", "Authorization", "Bearer "+full); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("expired: %d, want 401", a.StatusCode)
	}
}

// Expired rows are removed when somebody signs in.
func TestSweeps(t *testing.T) {
	f := newFixture(t)
	b := f.browser()
	b.submit(b.send(http.MethodGet, "/authorize?"+query(), ""), "ana@example.com", password)
	hash := tokens.Hash(b.cookies["fg-tenant"].Value)
	if _, err := f.store.SignIn(t.Context(), hash); err != nil {
		t.Fatal(err)
	}
	f.wait(13 * time.Hour)
	f.code()
	if _, err := f.store.SignIn(t.Context(), hash); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an expired sign-in = %v, want ErrNotFound", err)
	}
}
