package authz_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/management"
)

const spaOrigin, webOrigin, strange = "https://spa.test", "https://web.test", "https://strange.test"

// shared returns a fixture whose clients spa and web each have an origin.
func shared(t *testing.T) *fixture {
	t.Helper()
	f := newFixtureWith(t, issuer, management.NewUser)
	storetest.ChangeClient(t, f.store, "spa", func(c *store.Client) { c.AllowedOrigins = []string{spaOrigin} })
	storetest.ChangeClient(t, f.store, "web", func(c *store.Client) { c.WebOrigins = []string{webOrigin} })
	return f
}

// origin returns the origin that may read an answer, "" for none. No answer may allow credentials.
func (a answer) origin(t *testing.T) string {
	t.Helper()
	if a.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("an answer allows credentials")
	}
	origin := a.Header.Get("Access-Control-Allow-Origin")
	for name := range a.Header {
		if origin == "" && strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("an answer that nobody may read has %s", name)
		}
	}
	return origin
}

// sharedRoutes are the routes that pages of other origins may call, with their methods.
var sharedRoutes = map[string]string{
	"/oauth/token": "POST", "/oauth/token/": "POST", "/oauth/revoke": "POST", "/oauth/par": "POST", "/userinfo": "GET, POST",
	"/passkey/challenge": "POST", "/passkey/register": "POST",
}

func TestPreflight(t *testing.T) {
	f := shared(t)
	ask := func(path, origin string) answer {
		t.Helper()
		return f.send(http.MethodOptions, path, "", "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "dpop")
	}
	for path, methods := range sharedRoutes {
		for _, origin := range []string{spaOrigin, webOrigin} {
			a := ask(path, origin)
			if a.StatusCode != http.StatusNoContent || a.origin(t) != origin ||
				a.Header.Get("Access-Control-Allow-Methods") != methods || a.Header.Get("Vary") != "Origin" {
				t.Errorf("preflight of %s from %s = %d %v", path, origin, a.StatusCode, a.Header)
			}
			for _, name := range []string{"Authorization", "DPoP", "Content-Type"} {
				if !strings.Contains(a.Header.Get("Access-Control-Allow-Headers"), name) {
					t.Errorf("preflight of %s does not allow %s", path, name)
				}
			}
		}
		for _, origin := range []string{strange, "null", "", spaOrigin + ".evil.test", strings.ToUpper(spaOrigin), "*"} {
			if a := ask(path, origin); a.origin(t) != "" || a.Header.Get("Vary") != "Origin" {
				t.Errorf("preflight of %s from %q = %v, want nothing allowed", path, origin, a.Header)
			}
		}
	}
	for _, path := range []string{
		"/authorize", "/authorize/code", "/authorize/consent", "/oidc/logout", "/nothing",
		"/oauth/token/x", "/oauth//token", "/assets/tenant.css", "/.well-known/nothing",
	} {
		if a := ask(path, spaOrigin); a.origin(t) != "" || a.StatusCode == http.StatusNoContent {
			t.Errorf("preflight of %s = %d %v, want none", path, a.StatusCode, a.Header)
		}
	}
}

// Discovery and keys hold no personal data.
func TestDiscoveryIsReadableByEveryOrigin(t *testing.T) {
	f := shared(t)
	for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/.well-known/jwks.json"} {
		for _, method := range []string{http.MethodGet, http.MethodOptions} {
			if a := f.send(method, path, "", "Origin", strange); a.origin(t) != "*" || a.StatusCode >= http.StatusBadRequest {
				t.Errorf("%s %s = %d for %q, want everybody", method, path, a.StatusCode, a.origin(t))
			}
		}
	}
}

// Only pages of the client of a request can read its answer, also if it is an error.
func TestAnswersAreReadableByTheOriginsOfTheirClient(t *testing.T) {
	f := shared(t)
	read := func(name string, a answer, want string) {
		t.Helper()
		if got := a.origin(t); got != want || a.Header.Get("Vary") != "Origin" {
			t.Errorf("%s: %d can be read by %q (Vary %q), want %q", name, a.StatusCode, got, a.Header.Get("Vary"), want)
		}
		if want == "" {
			return
		}
		shown := strings.Split(a.Header.Get("Access-Control-Expose-Headers"), ", ")
		for _, header := range []string{
			"DPoP-Nonce", "WWW-Authenticate", "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining",
			"X-RateLimit-Reset",
		} {
			if !slices.Contains(shown, header) {
				t.Errorf("%s: %s is not exposed", name, header)
			}
		}
	}
	post := func(path, origin string, pairs ...string) answer {
		t.Helper()
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return f.send(http.MethodPost, path, v.Encode(), "Content-Type", formType, "Origin", origin)
	}
	for path := range sharedRoutes {
		if path == "/userinfo" {
			continue
		}
		read(path+" of spa", post(path, spaOrigin, "client_id", "spa"), spaOrigin)
		read(path+" of spa, from web", post(path, webOrigin, "client_id", "spa"), "")
		read(path+" of spa, from elsewhere", post(path, strange, "client_id", "spa"), "")
		read(path+" with a wrong secret", post(path, webOrigin, "client_id", "web", "client_secret", "x"), webOrigin)
		read(path+" of nobody", post(path, spaOrigin, "client_id", "nobody"), "")
		read(path+" without a client", post(path, spaOrigin), "")
		read(path+" from no page", post(path, "", "client_id", "spa"), "")
	}
	f.wait(time.Minute) // the limit has forgotten what was asked so far
	code := f.code("client_id", "spa")
	a := post("/oauth/token", spaOrigin, "client_id", "spa", "grant_type", "authorization_code", "code", code, "redirect_uri",
		callback, "code_verifier", verifier)
	read("exchange", a, spaOrigin)
	access := a.text("access_token")
	info := func(origin, auth string) answer {
		t.Helper()
		return f.send(http.MethodGet, "/userinfo", "", "Origin", origin, "Authorization", auth)
	}
	read("user info", info(spaOrigin, "Bearer "+access), spaOrigin)
	read("user info from web", info(webOrigin, "Bearer "+access), "")
	read("user info from elsewhere", info(strange, "Bearer "+access), "")
	read("bad token", info(spaOrigin, "Bearer x"), "")
	read("no token", info(spaOrigin, ""), "")
	f.wait(time.Hour)
	read("token that expired", info(spaOrigin, "Bearer "+access), spaOrigin)
	storetest.ChangeClient(t, f.store, "spa", func(c *store.Client) { c.AllowedOrigins = nil })
	read("origin that was taken away", info(spaOrigin, "Bearer "+access), "")
	read("token from an origin that was taken away", post("/oauth/token", spaOrigin, "client_id", "spa"), "")
}

// An application can read that its requests are over a limit.
func TestRateLimitAnswersAreReadableByTheOriginsOfTheirClient(t *testing.T) {
	f := shared(t)
	for _, path := range []string{"/passkey/challenge", "/oauth/token"} {
		limited := false
		for range 40 {
			a := f.send(http.MethodPost, path, "client_id=spa", "Content-Type", formType, "Origin", spaOrigin)
			if a.StatusCode != http.StatusTooManyRequests {
				continue
			}
			if limited = true; a.origin(t) != spaOrigin || a.Header.Get("Retry-After") == "" {
				t.Errorf("too many requests for %s: %v, want it to be read", path, a.Header)
			}
		}
		if !limited {
			t.Errorf("40 requests for %s at once are not too many", path)
		}
	}
}

// Pages are for people: no other origin can read them.
func TestPagesAreNotShared(t *testing.T) {
	f := shared(t)
	for _, path := range []string{"/authorize?" + query("client_id", "spa"), "/authorize", "/oidc/logout", "/assets/tenant.css", "/nothing"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if a := f.send(method, path, "", "Origin", spaOrigin); a.origin(t) != "" {
				t.Errorf("%s %s can be read by %q", method, path, a.origin(t))
			}
		}
	}
}
