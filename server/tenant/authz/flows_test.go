package authz_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// flow is one way to tokens. earn asks for a scope of the management API. again presents the refresh token; nil if the flow
// has none.
type flow struct {
	name  string
	earn  func(f *fixture, scope string) answer
	again func(f *fixture, first answer, pairs ...string) answer
}

// offline is the scope that every flow asks for beside the one that a row is about.
const offline = "openid offline_access "

// flows are all ways to tokens except the passkey grant.
func flows() []flow {
	var p *prover // of the flow with proofs; each earn has its own
	again := func(id, secret string) func(*fixture, answer, ...string) answer {
		return func(f *fixture, first answer, pairs ...string) answer {
			return f.refresh(first.text("refresh_token"), append([]string{"client_id", id, "client_secret", secret}, pairs...)...)
		}
	}
	return []flow{
		{"code", func(f *fixture, scope string) answer {
			return f.exchange(f.code("scope", offline+scope, "code_challenge", "-", "code_challenge_method", "-"), "code_verifier", "")
		}, again("web", "web-secret")},
		{"code with PKCE", func(f *fixture, scope string) answer {
			return f.exchange(f.code("client_id", "spa", "scope", offline+scope), "client_id", "spa", "client_secret", "")
		}, again("spa", "")},
		{"pushed request", func(f *fixture, scope string) answer {
			a := f.ana().send(http.MethodGet, "/authorize?"+f.pushed("scope", offline+scope), "")
			return f.exchange(a.location().Get("code"))
		}, again("web", "web-secret")},
		{"code with consent", func(f *fixture, scope string) answer {
			b, page := f.signedIn(third("scope", offline+scope))
			return f.thirdExchange(b.choose(page, "allow").location().Get("code"))
		}, again("third", "web-secret")},
		{"code with proof", func(f *fixture, scope string) answer {
			p = f.prover()
			return p.ask(f.spaCode("scope", offline+scope)...)
		}, func(f *fixture, first answer, pairs ...string) answer {
			return p.ask(append(spaRefresh(first.text("refresh_token")), pairs...)...)
		}},
		{"code with a second factor", func(f *fixture, scope string) answer {
			// Remove the app afterwards, since the password grant would need its code.
			app := f.app("ana")
			defer f.remove("ana", app.id)
			b, page := f.signedIn(query("scope", offline+scope, "acr_values", "mfa"))
			return f.exchange(b.enter(page, "code", app.code()).location().Get("code"))
		}, again("web", "web-secret")},
		{"code with a passkey", func(f *fixture, scope string) answer {
			key := f.enrol("ana")
			defer f.remove("ana", "passkey|ana")
			b := f.browser()
			o := f.offered(b.open("scope", offline+scope))
			return f.exchange(b.answer(o, key.Assert(o.challenge)).location().Get("code"))
		}, again("web", "web-secret")},
		{"password", func(f *fixture, scope string) answer {
			return f.ask(native("scope", offline+scope)...)
		}, again("native", "")},
		{"client credentials", func(f *fixture, scope string) answer {
			return f.ask("grant_type", "client_credentials", "client_id", "robot", "client_secret", "robot-secret", "audience", api, "scope", scope)
		}, nil},
	}
}

// rows lists attacks on the flows, with their numbers in server/SECURITY-TESTS.md, which also lists the tests for other attacks.
var rows = []struct {
	row   int
	what  string
	check func(t *testing.T, f *fixture)
}{
	{9, "code and error both", rowCodeOrError},
	{10, "PKCE downgrade", rowDowngrade},
	{11, "wrong verifier", rowVerifier},
	{12, "code replay", rowCodeReplay},
	{14, "address not registered", rowRedirect},
	{15, "repeated parameter", rowRepeated},
	{19, "six tabs", rowTabs},
	{21, "clickjacking", rowFrames},
	{23, "prompt=none", rowSilent},
	{48, "old refresh token", rowReuse},
	{49, "refresh widens, of another client, over", rowRefresh},
	{50, "wrong secret", rowSecret},
	{86, "a machine asks for the account API", rowMachine},
	{87, "only the intersection", rowIntersection},
	{88, "words of a scope", rowWords},
}

func TestAttacks(t *testing.T) {
	for _, r := range rows {
		t.Run(fmt.Sprintf("%d %s", r.row, r.what), func(t *testing.T) { r.check(t, newFlows(t)) })
	}
}

// Every flow works without an attack. Otherwise the rows would prove nothing.
func TestFlows(t *testing.T) {
	f := newFlows(t)
	for _, fl := range flows() {
		f.wait(time.Minute)
		a := fl.earn(f, "read:forms")
		if a.StatusCode != http.StatusOK || !slices.Contains(strings.Fields(a.text("scope")), "read:forms") {
			t.Errorf("%s = %d %s, want read:forms", fl.name, a.StatusCode, a.body)
			continue
		}
		if fl.again == nil {
			if a.text("refresh_token") != "" {
				t.Errorf("%s gives a refresh token", fl.name)
			}
			continue
		}
		if next := fl.again(f, a); next.StatusCode != http.StatusOK || next.text("scope") != a.text("scope") ||
			next.text("token_type") != a.text("token_type") {
			t.Errorf("%s, refresh = %d %s, want the same as %s", fl.name, next.StatusCode, next.body, a.body)
		}
	}
}

func rowCodeOrError(t *testing.T, f *fixture) {
	t.Helper()
	b, a := f.signedIn(query())
	for name, a := range map[string]answer{
		"code":  a,
		"again": b.send(http.MethodGet, "/authorize?"+query(), ""),
		"error": b.send(http.MethodGet, "/authorize?"+query("scope", `"`), ""),
	} {
		v := a.location()
		if len(v["code"])+len(v["error"]) != 1 || len(v["state"]) != 1 || len(v["iss"]) != 1 {
			t.Errorf("%s: %v, want code or error, once, with state and iss", name, v)
		}
	}
}

func rowDowngrade(t *testing.T, f *fixture) {
	t.Helper()
	for name, pairs := range map[string][]string{
		"plain":               {"code_challenge_method", "plain"},
		"no method":           {"code_challenge_method", "-"},
		"public, none":        {"client_id", "spa", "code_challenge", "-", "code_challenge_method", "-"},
		"public, method only": {"client_id", "spa", "code_challenge", "-"},
	} {
		if v := f.send(http.MethodGet, "/authorize?"+query(pairs...), "").location(); v.Get("error") != "invalid_request" {
			t.Errorf("%s: %v, want invalid_request", name, v)
		}
		secret := "&client_secret=web-secret"
		if pairs[1] == "spa" {
			secret = ""
		}
		f.send(http.MethodPost, "/oauth/par", query(pairs...)+secret, "Content-Type", formType).want(t, name+", pushed",
			http.StatusBadRequest, "invalid_request")
	}
	// The exchange notices a challenge that was removed from the request.
	f.exchange(f.code("code_challenge", "-", "code_challenge_method", "-")).want(t, "taken out", http.StatusBadRequest, "invalid_grant")
}

func rowVerifier(t *testing.T, f *fixture) {
	t.Helper()
	for _, fl := range []struct {
		name string
		code func() string
		id   []string
	}{
		{"code with PKCE", func() string { return f.code("client_id", "spa") }, []string{"client_id", "spa", "client_secret", ""}},
		{"pushed request", func() string {
			return f.ana().send(http.MethodGet, "/authorize?"+f.pushed(), "").location().Get("code")
		}, nil},
		{"code with consent", func() string {
			b, page := f.signedIn(third())
			if page.StatusCode != http.StatusOK {
				return page.location().Get("code")
			}
			return b.choose(page, "allow").location().Get("code")
		}, []string{"client_id", "third"}},
	} {
		for _, bad := range []string{strings.Repeat("w", 43), verifier[:42], strings.Repeat("v", 129), ""} {
			f.wait(time.Second)
			code := fl.code()
			f.exchange(code, append([]string{"code_verifier", bad}, fl.id...)...).want(t, fl.name, http.StatusBadRequest, "invalid_grant")
			f.exchange(code, fl.id...).want(t, fl.name+", used up", http.StatusBadRequest, "invalid_grant")
		}
	}
}

func rowCodeReplay(t *testing.T, f *fixture) {
	t.Helper()
	p := f.prover()
	for name, request := range map[string][]string{"public": f.spaCode(), "confidential": f.webCode()} {
		first := p.ask(request...)
		p.ask(request...).want(t, name+", replay", http.StatusBadRequest, "invalid_grant")
		refresh := webRefresh(first.text("refresh_token"))
		if name == "public" {
			refresh = spaRefresh(first.text("refresh_token"))
		}
		p.ask(refresh...).want(t, name+", refresh afterwards", http.StatusBadRequest, "invalid_grant")
	}
}

func rowRedirect(t *testing.T, f *fixture) {
	t.Helper()
	b, _ := f.signedIn(query())
	for _, to := range []string{
		callback + "/x", "http://editor.test:81/bff/callback", "http://editor.test/bff/../bff/callback",
		"http://editor.test/BFF/callback", "http://u@editor.test/bff/callback", callback + "#x", "//editor.test/bff/callback", "",
		"javascript:alert(1)",
	} {
		for _, id := range []string{"web", "spa", "third"} {
			// Signed in or not, prompt=none or not: no browser is sent there.
			for _, prompt := range []string{"-", "none", "consent"} {
				a := b.send(http.MethodGet, "/authorize?"+query("client_id", id, "redirect_uri", to, "prompt", prompt), "")
				if a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
					t.Errorf("%s to %q: %d to %q, want 400 and no redirect", id, to, a.StatusCode, a.Header.Get("Location"))
				}
			}
		}
		f.wait(time.Second)
		f.push([]string{"redirect_uri", to}).want(t, "pushed "+to, http.StatusBadRequest, "invalid_request")
	}
}

func rowRepeated(t *testing.T, f *fixture) {
	t.Helper()
	for _, p := range []string{"client_id", "redirect_uri", "scope", "state", "audience", "code_challenge", "prompt", "dpop_jkt"} {
		again := query(p, "x") + "&" + url.Values{p: {"y"}}.Encode()
		if a := f.send(http.MethodGet, "/authorize?"+again, ""); a.StatusCode != http.StatusBadRequest || a.Header.Get("Location") != "" {
			t.Errorf("%s twice: %d to %q, want 400 and no redirect", p, a.StatusCode, a.Header.Get("Location"))
		}
		f.wait(time.Second)
		f.send(http.MethodPost, "/oauth/par", again+"&client_secret=web-secret", "Content-Type", formType).want(t, p+" twice, pushed",
			http.StatusBadRequest, "invalid_request")
		token := "grant_type=password&client_id=native&" + url.Values{p: {"x", "y"}}.Encode()
		f.send(http.MethodPost, "/oauth/token", token, "Content-Type", formType).want(t, p+" twice, token", http.StatusBadRequest,
			"invalid_request")
	}
}

// Six pages of one browser are each valid for their own request.
func rowTabs(t *testing.T, f *fixture) {
	t.Helper()
	b := f.browser()
	var pages []answer
	for range 6 {
		pages = append(pages, b.send(http.MethodGet, "/authorize?"+query("prompt", "login"), ""))
	}
	for i, page := range pages {
		if b.submit(page, "ana@example.com", password).location().Get("code") == "" {
			t.Errorf("tab %d got no code", i+1)
		}
	}
}

func rowFrames(t *testing.T, f *fixture) {
	t.Helper()
	b := f.browser()
	shown := b.send(http.MethodGet, "/authorize?"+third(), "")
	app := f.app("ana")
	code := f.browser().codePage()
	f.remove("ana", app.id)
	for name, a := range map[string]answer{
		"sign-in": shown,
		"code":    code,
		"consent": b.submit(shown, "ana@example.com", password),
		"error":   f.send(http.MethodGet, "/authorize", ""),
		"missing": f.send(http.MethodGet, "/x", ""),
		"over":    f.send(http.MethodGet, "/oidc/logout", ""),
	} {
		if a.Header.Get("X-Frame-Options") != "DENY" || !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s can be framed: %v", name, a.Header)
		}
	}
}

func rowSilent(t *testing.T, f *fixture) {
	t.Helper()
	for name, q := range map[string]string{
		"first party": query("prompt", "none"), "stranger": third("prompt", "none"), "public": query("client_id", "spa", "prompt", "none"),
		"pushed": f.pushed("prompt", "none"), "second factor": query("prompt", "none", "acr_values", "mfa"),
	} {
		a := f.send(http.MethodGet, "/authorize?"+q, "")
		if v := a.location(); v.Get("error") != "login_required" || v.Get("state") != "s t&a+te" {
			t.Errorf("%s: %d %v, want login_required", name, a.StatusCode, v)
		}
	}
}

func rowReuse(t *testing.T, f *fixture) {
	t.Helper()
	for _, fl := range flows() {
		if fl.again == nil {
			continue
		}
		f.wait(time.Minute)
		first := fl.earn(f, "read:forms")
		second := fl.again(f, first)
		if second.StatusCode != http.StatusOK {
			t.Errorf("%s: refresh = %d %s", fl.name, second.StatusCode, second.body)
		}
		fl.again(f, first).want(t, fl.name+", old token", http.StatusBadRequest, "invalid_grant")
		fl.again(f, second).want(t, fl.name+", live token", http.StatusBadRequest, "invalid_grant")
	}
}

func rowRefresh(t *testing.T, f *fixture) {
	t.Helper()
	for _, fl := range flows() {
		if fl.again == nil {
			continue
		}
		f.wait(time.Minute)
		first := fl.earn(f, "read:forms")
		fl.again(f, first, "scope", "read:forms delete:forms").want(t, fl.name+", wider", http.StatusBadRequest, "invalid_scope")
		fl.again(f, first, "scope", "read:forms profile").want(t, fl.name+", wider by identity", http.StatusBadRequest, "invalid_scope")
		// Presented by another client, it is refused and the owner's family lives on.
		thief := []string{"client_id", "web", "client_secret", "web-secret"}
		if strings.HasPrefix(fl.name, "code") && fl.name != "code with PKCE" || fl.name == "pushed request" {
			thief = []string{"client_id", "native", "client_secret", ""}
		}
		f.refresh(first.text("refresh_token"), thief...).want(t, fl.name+", another client", http.StatusBadRequest, "invalid_grant")
		second := fl.again(f, first)
		if second.StatusCode != http.StatusOK {
			t.Errorf("%s: afterwards = %d %s, want 200", fl.name, second.StatusCode, second.body)
		}
		f.wait(30 * 24 * time.Hour)
		fl.again(f, second).want(t, fl.name+", over", http.StatusBadRequest, "invalid_grant")
	}
}

func rowSecret(t *testing.T, f *fixture) {
	t.Helper()
	for _, path := range []string{"/oauth/token", "/oauth/token/", "/oauth/revoke", "/oauth/par"} {
		for _, secret := range []string{"wrong", "", "robot-secret"} {
			f.wait(time.Second)
			body := "client_id=web&client_secret=" + secret + "&grant_type=refresh_token&refresh_token=x&token=x"
			f.send(http.MethodPost, path, body, "Content-Type", formType).want(t, path, http.StatusUnauthorized, "invalid_client")
		}
	}
}
