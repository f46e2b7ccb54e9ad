package bff_test

import (
	"crypto/rand"
	"crypto/rsa"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// logoutClaims returns the claims of a valid logout token for user_1. change replaces some of them; nil removes one.
func (w *world) logoutClaims(change map[string]any) map[string]any {
	now := w.clock.Now()
	c := map[string]any{
		"iss": w.url, "aud": "editor", "iat": now.Unix(), "exp": now.Add(2 * time.Minute).Unix(), "jti": "one", "sub": "user_1",
		"events": map[string]any{logoutEvent: map[string]any{}},
	}
	maps.Copy(c, change)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

func (w *world) logoutToken(change map[string]any) string {
	w.t.Helper()
	return w.sign("logout+jwt", jose.SigningKey{Algorithm: jose.RS256, Key: w.key}, w.logoutClaims(change))
}

// tell sends a logout token as a tenant does: with no cookie and none of our headers.
func (w *world) tell(token string) got {
	w.t.Helper()
	return w.browser().do("POST", "/bff/backchannel", url.Values{"logout_token": {token}}.Encode(), "Content-Type",
		"application/x-www-form-urlencoded")
}

// signInAs signs a person in with a named sign-in.
func (w *world) signInAs(sub, sid string) *browser {
	w.t.Helper()
	b := w.browser()
	w.bend(func(s *stub) { s.claims = map[string]any{"sub": sub, "sid": sid} })
	b.signIn()
	return b
}

// A logout token ends all sessions of its subject, or only the one that it names.
func TestBackchannelEnds(t *testing.T) {
	for _, x := range []struct {
		name  string
		claim map[string]any
		alive []bool // user_1 by s1, user_1 by s2, user_2 by s3
	}{
		{"sub only", nil, []bool{false, false, true}},
		{"sid only", map[string]any{"sub": nil, "sid": "s2"}, []bool{true, false, true}},
		{"both", map[string]any{"sid": "s1"}, []bool{false, true, true}},
		{"both, not matching", map[string]any{"sid": "s3"}, []bool{true, true, true}},
		{"unknown", map[string]any{"sub": "user_9"}, []bool{true, true, true}},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := newWorld(t)
			all := []*browser{w.signInAs("user_1", "s1"), w.signInAs("user_1", "s2"), w.signInAs("user_2", "s3")}
			g := w.tell(w.logoutToken(x.claim))
			if g.status != 200 || g.header.Get("Cache-Control") != "no-store" || g.body != "" {
				t.Errorf("got %d %v %s", g.status, g.header, g.body)
			}
			for i, b := range all {
				if b.signedIn() != x.alive[i] {
					t.Errorf("session %d lives: %v, want %v", i, !x.alive[i], x.alive[i])
				}
			}
			if len(w.revoked) != 0 || !strings.Contains(w.log.String(), `"event":"signed_out_by_tenant"`) {
				t.Errorf("revoked %v, log %s", w.revoked, w.log.String())
			}
		})
	}
}

// Only a valid token of this tenant ends a session.
func TestBackchannelRefused(t *testing.T) {
	w := newWorld(t)
	b := w.signInAs("user_1", "s1")
	now := w.clock.Now()
	ours := jose.SigningKey{Algorithm: jose.RS256, Key: w.key}
	n := 0
	fresh := func(change map[string]any) map[string]any { // its jti is not why it is refused
		n++
		c := map[string]any{"jti": "refused-" + string(rune('a'+n))}
		maps.Copy(c, change)
		return c
	}
	token := func(change map[string]any) string { return w.logoutToken(fresh(change)) }
	good := token(nil)
	head, rest, _ := strings.Cut(good, ".")
	claims, mac, _ := strings.Cut(rest, ".")
	flipped := map[bool]string{true: "B", false: "A"}[mac[10] == 'A']
	for name, raw := range map[string]string{
		"other issuer":        token(map[string]any{"iss": "https://evil.example"}),
		"issuer with a slash": token(map[string]any{"iss": w.url + "/"}),
		"other audience":      token(map[string]any{"aud": "other"}),
		"no audience":         token(map[string]any{"aud": nil}),
		"no events":           token(map[string]any{"events": nil}),
		"another event":       token(map[string]any{"events": map[string]any{"x": map[string]any{}}}),
		"event is null":       token(map[string]any{"events": map[string]any{logoutEvent: nil}}),
		"event is a text":     token(map[string]any{"events": map[string]any{logoutEvent: "yes"}}),
		"nonce":               token(map[string]any{"nonce": "n"}),
		"empty nonce":         token(map[string]any{"nonce": ""}),
		"neither sub nor sid": token(map[string]any{"sub": nil}),
		"both empty":          token(map[string]any{"sub": "", "sid": ""}),
		"sub is a number":     token(map[string]any{"sub": 1}),
		"no jti":              token(map[string]any{"jti": nil}),
		"old":                 token(map[string]any{"iat": now.Add(-5*time.Minute - time.Second).Unix(), "exp": now.Add(time.Hour).Unix()}),
		"from the future":     token(map[string]any{"iat": now.Add(61 * time.Second).Unix()}),
		"no iat":              token(map[string]any{"iat": nil}),
		"over":                token(map[string]any{"iat": now.Add(-3 * time.Minute).Unix(), "exp": now.Add(-61 * time.Second).Unix()}),
		"not yet":             token(map[string]any{"nbf": now.Add(61 * time.Second).Unix()}),
		"nbf is a text":       token(map[string]any{"nbf": "1"}),
		"no exp":              token(map[string]any{"exp": nil}),
		"access token's type": w.sign("at+jwt", ours, w.logoutClaims(fresh(nil))),
		"HS256 by the client": w.sign("logout+jwt", jose.SigningKey{Algorithm: jose.HS256, Key: []byte(strings.Repeat(clientSecret, 3))},
			w.logoutClaims(fresh(nil))),
		"RS384":                  w.sign("logout+jwt", jose.SigningKey{Algorithm: jose.RS384, Key: w.key}, w.logoutClaims(fresh(nil))),
		"no signature":           head + "." + claims + ".",
		"alg none":               "eyJhbGciOiJub25lIn0." + claims + ".",
		"signature of one other": head + "." + claims + "." + mac[:10] + flipped + mac[11:],
		"ID token":               w.idToken("n"),
		"no token":               "",
		"words":                  "a.b.c",
	} {
		g := w.tell(raw)
		if g.status != 400 || g.code() != "logout_token" || g.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
		if why := map[string]string{
			"old": "iat is too old", "from the future": "iat is in the future", "over": "exp is past", "not yet": "nbf is in the future",
		}[name]; !strings.Contains(g.body, why) {
			t.Errorf("%s: got %s, want %q", name, g.body, why)
		}
	}
	form := "application/x-www-form-urlencoded"
	for name, x := range map[string]struct{ body, contentType string }{
		"1 MiB":        {"logout_token=" + strings.Repeat("a", 1<<20), form},
		"17 KiB":       {url.Values{"logout_token": {good}, "x": {strings.Repeat("a", 17<<10)}}.Encode(), form},
		"twice":        {url.Values{"logout_token": {good, good}}.Encode(), form},
		"as JSON":      {`{"logout_token":"` + good + `"}`, "application/json"},
		"no type":      {url.Values{"logout_token": {good}}.Encode(), ""},
		"multipart":    {url.Values{"logout_token": {good}}.Encode(), "multipart/form-data"},
		"bad escape":   {"logout_token=" + good + "&x=%zz", form},
		"in the query": {"", form},
	} {
		target := "/bff/backchannel"
		if name == "in the query" {
			target += "?" + url.Values{"logout_token": {good}}.Encode()
		}
		var headers []string
		if x.contentType != "" {
			headers = []string{"Content-Type", x.contentType}
		}
		if g := w.browser().do("POST", target, x.body, headers...); g.status != 400 || g.code() != "logout_token" {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
	}
	if g := w.browser().do("GET", "/bff/backchannel?"+url.Values{"logout_token": {good}}.Encode(), ""); g.status != 405 ||
		g.header.Get("Allow") != "POST" {
		t.Errorf("GET: got %d %v", g.status, g.header)
	}
	if !b.signedIn() {
		t.Error("a session is lost")
	}
	if strings.Contains(w.log.String(), claims) || strings.Contains(w.log.String(), "user_1") &&
		!strings.Contains(w.log.String(), `"event":"signed_in"`) {
		t.Error("a token stands in the log")
	}
	if g := w.tell(good); g.status != 200 || b.signedIn() {
		t.Errorf("and the good one: got %d %s", g.status, g.body)
	}
}

// A logout token works once, even if the person has signed in again since. It works again only if it failed.
func TestBackchannelReplay(t *testing.T) {
	w := newWorld(t)
	b := w.signInAs("user_1", "s1")
	raw := w.logoutToken(nil)
	w.rows.down.Store(true)
	if g := w.tell(raw); g.status != 400 || g.code() != "session_unavailable" {
		t.Errorf("store down: got %d %s", g.status, g.body)
	}
	w.rows.down.Store(false)
	if !b.signedIn() {
		t.Fatal("it must live")
	}
	if g := w.tell(raw); g.status != 200 || b.signedIn() {
		t.Errorf("said again: got %d %s", g.status, g.body)
	}
	again := w.signInAs("user_1", "s2")
	for _, wait := range []time.Duration{0, time.Minute, 4 * time.Minute, time.Minute} {
		w.clock.Move(wait)
		if g := w.tell(raw); g.status != 400 || !again.signedIn() {
			t.Errorf("%v later: got %d %s", wait, g.status, g.body)
		}
	}
	if g := w.tell(w.logoutToken(map[string]any{"jti": "two"})); g.status != 200 || again.signedIn() {
		t.Errorf("another token: got %d %s", g.status, g.body)
	}
}

// Tenants differ: they omit the type, use that of every token, name several audiences, or have a slightly wrong clock.
func TestBackchannelTakesOthers(t *testing.T) {
	w := newWorld(t)
	ours := jose.SigningKey{Algorithm: jose.RS256, Key: w.key}
	now := w.clock.Now()
	for name, raw := range map[string]string{
		"no type":           w.sign("", ours, w.logoutClaims(map[string]any{"jti": "a"})),
		"JWT":               w.sign("JWT", ours, w.logoutClaims(map[string]any{"jti": "b"})),
		"application/":      w.sign("application/logout+jwt", ours, w.logoutClaims(map[string]any{"jti": "c"})),
		"several audiences": w.logoutToken(map[string]any{"jti": "d", "aud": []string{"other", "editor"}}),
		"clock behind": w.logoutToken(map[string]any{
			"jti": "e", "iat": now.Add(-50 * time.Second).Unix(),
			"exp": now.Add(-50 * time.Second).Unix(),
		}),
		"clock ahead":       w.logoutToken(map[string]any{"jti": "f", "iat": now.Add(50 * time.Second).Unix()}),
		"more in the event": w.logoutToken(map[string]any{"jti": "g", "events": map[string]any{logoutEvent: map[string]any{"x": 1}, "y": 1}}),
	} {
		b := w.signInAs("user_1", "s1")
		if g := w.tell(raw); g.status != 200 || b.signedIn() {
			t.Errorf("%s: got %d %s", name, g.status, g.body)
		}
	}
	// Another site may send a token: it ends what the tenant says, and the answer is empty.
	g := w.browser().do("POST", "/bff/backchannel",
		url.Values{"logout_token": {w.logoutToken(map[string]any{"jti": "h"})}, "state": {"x"}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded; charset=UTF-8", "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site")
	if g.status != 200 || g.body != "" || slices.ContainsFunc(slices.Collect(maps.Keys(g.header)),
		func(h string) bool { return strings.HasPrefix(h, "Access-Control") || h == "Set-Cookie" }) {
		t.Errorf("got %d %v", g.status, g.header)
	}
}

func TestBackchannelWithoutTenant(t *testing.T) {
	w := newWorld(t)
	w.metadata = map[string]any{"issuer": "https://evil.example"}
	if g := w.tell(w.logoutToken(nil)); g.status != 400 || g.code() != "upstream_unavailable" {
		t.Errorf("got %d %s", g.status, g.body)
	}
}

// Tokens that name keys that do not exist cause at most one call to the tenant in 30 seconds.
func TestMadeUpKeysFetchNothing(t *testing.T) {
	w := newWorld(t)
	b := w.signInAs("user_1", "s1") // the keys are known now
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	flood := func() {
		t.Helper()
		for i := range 50 {
			raw := w.signBy(fmt.Sprint("made-up-", i), stranger, w.logoutClaims(nil))
			if g := w.tell(raw); g.status != 400 {
				t.Fatalf("token %d: %d %s", i, g.status, g.body)
			}
		}
	}
	before := w.count("/jwks")
	flood()
	if n := w.count("/jwks") - before; n != 0 {
		t.Errorf("%d fetches within 30 seconds of the last, want none", n)
	}
	w.clock.Move(30 * time.Second)
	flood()
	if n := w.count("/jwks") - before; n != 1 {
		t.Errorf("%d fetches, want 1", n)
	}
	if !b.signedIn() {
		t.Error("a made-up token ended a session")
	}
}

// A new key is fetched once, whatever needs it first.
func TestRotatedKeySignsIn(t *testing.T) {
	w := newWorld(t)
	w.signInAs("user_1", "s1")
	next, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Move(30 * time.Second)
	w.bend(func(s *stub) { s.key, s.kid = next, "k2" })
	before := w.count("/jwks")
	b := w.signInAs("user_1", "s2")
	if !b.signedIn() || w.count("/jwks")-before != 1 {
		t.Errorf("signed in %v, %d fetches, want 1", b.signedIn(), w.count("/jwks")-before)
	}
	if g := w.tell(w.logoutToken(map[string]any{"sid": "s2"})); g.status != 200 || b.signedIn() {
		t.Errorf("logout by the new key: %d, signed in %v", g.status, b.signedIn())
	}
}
