package bff_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/bff"
)

const linksPath = "/bff/api/forms/ap_1/links"

// linkJSON is a link in an answer.
type linkJSON struct {
	ID        string     `json:"id"`
	URL       string     `json:"url"`
	Label     string     `json:"label"`
	Version   int        `json:"version"`
	CreatedBy personJSON `json:"created_by"`
	Created   string     `json:"created_at"`
	Expires   string     `json:"expires_at"`
	Opened    string     `json:"opened_at"`
	Times     int        `json:"times"`
	Expired   bool       `json:"expired"`
}

func (b *browser) links() []linkJSON {
	b.w.t.Helper()
	var all struct {
		Links []linkJSON `json:"links"`
	}
	g := b.app("GET", linksPath, "")
	if err := json.Unmarshal([]byte(g.body), &all); err != nil || g.status != 200 {
		b.w.t.Fatalf("links: %d %s", g.status, g.body)
	}
	return all.Links
}

// link makes a link that expires after some days.
func (b *browser) link(days int, more string) linkJSON {
	b.w.t.Helper()
	var l linkJSON
	g := b.app("POST", linksPath, fmt.Sprintf(`{"expires_at":%q%s}`, b.w.clock.Now().Add(time.Duration(days)*24*time.Hour).Format(time.RFC3339), more))
	if err := json.Unmarshal([]byte(g.body), &l); err != nil || g.status != 201 {
		b.w.t.Fatalf("link: %d %s", g.status, g.body)
	}
	return l
}

// looks follows a link without a session, as a browser does.
func (w *world) looks(url string) got {
	w.t.Helper()
	return w.browser().do("GET", url, "", "Accept", "text/html")
}

// withForm makes the tenant have a form with a secret, saved twice.
func (w *world) withForm(b *browser) {
	w.t.Helper()
	w.serving(&oneForm{})
	for _, name := range []string{"First", "Second"} {
		body := fmt.Sprintf(`{"name":%q,"nodes":[{"id":"s","type":"STEP","config":{"components":[
			{"id":"c","category":"WIDGET","type":"RECAPTCHA","config":{"site_key":"k","secret_key":"mark-of-a-secret"}}]}}]}`, name)
		if g := b.app("PATCH", "/bff/api/forms/ap_1", body); g.status != 200 {
			w.t.Fatalf("save: %d %s", g.status, g.body)
		}
	}
}

// A link shows the form to somebody without an account, until it is revoked or expires.
func TestLinks(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	if g := b.app("GET", linksPath, ""); g.status != 401 {
		t.Errorf("nobody: %d", g.status)
	}
	b.signInAs("ana", "Ana K")
	w.withForm(b)
	newest, fixed := b.link(7, `,"label":" For the lawyers "`), b.link(1, `,"version":1`)
	if l := b.link(1, `,"fixed":true`); l.Version != 2 {
		t.Errorf("fixed: %+v", l)
	} else if g := b.app("DELETE", linksPath+"/"+l.ID, ""); g.status != 204 {
		t.Errorf("revoke: %d %s", g.status, g.body)
	}
	if newest.Label != "For the lawyers" || newest.CreatedBy != (personJSON{"ana", "Ana K"}) || newest.Expires != "2026-03-08T12:00:00.000Z" ||
		newest.Created != "2026-03-01T12:00:00.000Z" || newest.Version != 0 || fixed.Version != 1 || newest.Times != 0 || newest.Opened != "" {
		t.Errorf("links: %+v, %+v", newest, fixed)
	}
	calls := w.called()
	for url, want := range map[string]string{newest.URL: "Name:Second", fixed.URL: "Name:First"} {
		g := w.looks(url)
		if g.status != 200 || !strings.Contains(g.body, want) || !strings.Contains(g.body, "<svg") {
			t.Errorf("page: %d %s", g.status, g.body)
		}
		screens := w.looks(url + "/screens")
		if screens.status != 200 || !strings.Contains(screens.body, "Every screen of the form") || screens.header.Get("X-Frame-Options") != "SAMEORIGIN" ||
			!strings.HasPrefix(screens.header.Get("Content-Security-Policy"), "sandbox; ") {
			t.Errorf("screens: %d %v", screens.status, screens.header)
		}
		for _, g := range []got{g, screens} {
			if strings.Contains(g.body, "mark-of-a-secret") || g.header.Get("Cache-Control") != "no-store" || g.header.Get("Referrer-Policy") != "no-referrer" ||
				!strings.Contains(g.header.Get("X-Robots-Tag"), "noindex") || g.header.Get("Set-Cookie") != "" {
				t.Errorf("a leak: %v %s", g.header, g.body)
			}
		}
		if p := g.header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; script-src 'self'; ") || strings.Contains(p, "unsafe") {
			t.Errorf("the policy is %s", p)
		}
	}
	if n := w.called() - calls; n != 0 {
		t.Errorf("the tenant was called %d times for links", n)
	}
	_ = w.browser().do("HEAD", newest.URL, "")
	w.clock.Move(time.Minute)
	_ = w.looks(newest.URL)
	all := b.links()
	if len(all) != 2 || all[0].Times+all[1].Times != 3 {
		t.Errorf("links are %+v", all)
	}
	for _, l := range all {
		if l.ID == newest.ID && (l.Times != 2 || l.Opened != "2026-03-01T12:01:00.000Z" || l.URL != newest.URL) {
			t.Errorf("link is %+v", l)
		}
	}
	if g := b.app("DELETE", linksPath+"/"+newest.ID, ""); g.status != 204 || g.body != "" {
		t.Errorf("revoke: %d %s", g.status, g.body)
	}
	if g := b.app("DELETE", linksPath+"/"+newest.ID, ""); g.status != 404 {
		t.Errorf("revoke again: %d %s", g.status, g.body)
	}
	w.h = w.handler(w.ic) // another replica
	if g := w.looks(newest.URL); g.status != 404 {
		t.Errorf("a revoked link: %d %s", g.status, g.body)
	}
	w.clock.Move(24*time.Hour - time.Minute)
	if g := w.looks(fixed.URL); g.status != 404 {
		t.Errorf("an expired link: %d %s", g.status, g.body)
	}
	b.signInAs("ana", "Ana K")
	if all := b.links(); len(all) != 1 || !all[0].Expired {
		t.Errorf("links are %+v", all)
	}
	for _, event := range []string{"link_created", "link_revoked"} {
		if !strings.Contains(w.log.String(), `"event":"`+event+`"`) {
			t.Errorf("no audit of %s", event)
		}
	}
	token := strings.TrimPrefix(newest.URL, w.editor+"/look/")
	if log := w.log.String(); strings.Contains(log, token[20:]) || !strings.Contains(log, `"/look/`+token[:20]+`…"`) {
		t.Error("the log has the code of a link")
	}
}

// Every token that leads nowhere gets the same answer.
func TestLinksThatDoNotWork(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	l := b.link(1, "")
	token := strings.TrimPrefix(l.URL, w.editor+"/look/")
	flip := func(i int) string {
		c := byte('A')
		if token[i] == c {
			c = 'B'
		}
		return token[:i] + string(c) + token[i+1:]
	}
	other := b.link(1, "")
	mixed := l.ID + strings.TrimPrefix(other.URL, w.editor+"/look/")[20:]
	gone := b.link(1, "")
	if g := b.app("DELETE", linksPath+"/"+gone.ID, ""); g.status != 204 {
		t.Fatal(g.body)
	}
	nothing := w.looks("/look/nothing")
	if nothing.status != 404 || !strings.Contains(nothing.body, "This link does not work") {
		t.Errorf("nothing: %d %s", nothing.status, nothing.body)
	}
	for name, at := range map[string]string{
		"another id": flip(0), "another code": flip(51), "first of the code": flip(20), "code of another": mixed, "only the id": l.ID, "longer": token + "A",
		"other case": strings.ToUpper(token), "padded": token + "=", "escaped": "%41" + token[1:], "dot": token + ".", "revoked": strings.TrimPrefix(gone.URL, w.editor+"/look/"),
	} {
		if at == token {
			t.Fatal(name)
		}
		for _, more := range []string{"", "/screens"} {
			g := w.looks("/look/" + at + more)
			if g.status != nothing.status || g.body != nothing.body || g.header.Get("X-Robots-Tag") != nothing.header.Get("X-Robots-Tag") {
				t.Errorf("%s%s: %d %s", name, more, g.status, g.body)
			}
		}
	}
	for _, at := range []string{"/look", "/look/", "/look/" + token + "/", "/look/" + token + "/form", "/look//" + token, "/look/" + token + "/screens/.."} {
		if g := w.looks(at); g.status != 404 || strings.Contains(g.body, "Second") {
			t.Errorf("%s: %d %s", at, g.status, g.body)
		}
	}
	if g := w.browser().do("POST", l.URL, "a=b"); g.status != 405 {
		t.Errorf("POST: %d", g.status)
	}
	// A key that is no longer the newest works, and one that is gone does not; nor does the same token at another tenant.
	for name, x := range map[string]struct {
		change func(*bff.Config)
		status int
	}{
		"rotated": {func(c *bff.Config) { c.Links = [][]byte{[]byte("next"), c.Links[0]} }, 200},
		"removed": {func(c *bff.Config) { c.Links = [][]byte{[]byte("next")} }, 404},
		"tenant":  {func(c *bff.Config) { c.Tenant = "https://other.example/api/v2" }, 404},
		"no key":  {func(c *bff.Config) { c.Links = nil }, 404},
		"nothing": {func(c *bff.Config) { c.Versions = nil }, 404},
		"same":    {func(*bff.Config) {}, 200},
	} {
		w.adjust = x.change
		w.h = w.handler(w.ic)
		if g := w.looks(l.URL); g.status != x.status {
			t.Errorf("%s: %d, want %d", name, g.status, x.status)
		}
	}
	w.adjust = nil
	w.h = w.handler(w.ic)
	if g := b.app("DELETE", "/bff/api/forms/ap_1", ""); g.status != 204 {
		t.Fatalf("delete: %d %s", g.status, g.body)
	}
	if g := w.looks(l.URL); g.status != 404 || g.body != nothing.body {
		t.Errorf("a deleted form: %d %s", g.status, g.body)
	}
}

// Only those who may change a form make, see and revoke links to it.
func TestLinksRefused(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	l := b.link(1, "")
	at := func(d time.Duration) string { return w.clock.Now().Add(d).Format(time.RFC3339) }
	good := `{"expires_at":"` + at(time.Hour) + `"}`
	for body, want := range map[string]int{
		`{}`: 400, `[]`: 400, `{"label":"x"}`: 400, `{"expires_at":1}`: 400, `{"expires_at":"tomorrow"}`: 400, `{"expires_at":"` + at(30*time.Second) + `"}`: 400,
		`{"expires_at":"` + at(-time.Hour) + `"}`: 400, `{"expires_at":"` + at(367*24*time.Hour) + `"}`: 400,
		strings.Replace(good, "}", `,"version":0}`, 1): 400, strings.Replace(good, "}", `,"version":"1"}`, 1): 400, strings.Replace(good, "}", `,"fixed":false}`, 1): 400,
		strings.Replace(good, "}", `,"fixed":true,"version":1}`, 1): 400, strings.Replace(good, "}", `,"version":99}`, 1): 404,
		strings.Replace(good, "}", `,"label":"`+strings.Repeat("x", 121)+`"}`, 1): 400, strings.Replace(good, "}", `,"label":"a\u0007"}`, 1): 400,
		strings.Replace(good, "}", `,"id":"x"}`, 1): 400, `{"expires_at":"` + strings.Repeat("1", 5000) + `"}`: 413,
	} {
		if g := b.app("POST", linksPath, body); g.status != want {
			t.Errorf("%.80s: %d %s, want %d", body, g.status, g.body, want)
		}
		w.clock.Move(0)
	}
	for _, x := range [][2]string{{"GET", linksPath}, {"POST", linksPath}, {"DELETE", linksPath + "/" + l.ID}} {
		if g := b.do(x[0], x[1], good, "Content-Type", "application/json"); g.status != 403 || g.code() != "csrf" {
			t.Errorf("%s without the header: %d %s", x[0], g.status, g.body)
		}
	}
	if g := b.app("DELETE", "/bff/api/forms/ap_2/links/"+l.ID, ""); g.status != 404 {
		t.Errorf("another form: %d %s", g.status, g.body)
	}
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	reader := w.browser()
	reader.signInAs("eve", "Eve")
	for _, x := range [][3]string{{"GET", linksPath}, {"POST", linksPath, good}, {"DELETE", linksPath + "/" + l.ID}} {
		if g := reader.app(x[0], x[1], x[2]); g.status != 403 || g.code() != "scope" || strings.Contains(g.body, l.ID) {
			t.Errorf("%s read only: %d %s", x[0], g.status, g.body)
		}
	}
	w.bend(func(s *stub) {
		s.api = func(rw http.ResponseWriter, _ *http.Request) { writeJSON(rw, 404, map[string]any{}) }
	})
	if g := b.app("GET", linksPath, ""); g.status != 404 {
		t.Errorf("a form that the person may not read: %d", g.status)
	}
	if g := w.looks(l.URL); g.status != 200 {
		t.Errorf("the link: %d", g.status)
	}
}

func TestLinksAreBounded(t *testing.T) {
	w := newWorld(t)
	b := w.browser()
	b.signInAs("ana", "Ana")
	w.withForm(b)
	for range 20 {
		b.link(1, "")
	}
	body := `{"expires_at":"` + w.clock.Now().Add(48*time.Hour).Format(time.RFC3339) + `"}`
	if g := b.app("POST", linksPath, body); g.status != 413 || g.code() != "too_many" {
		t.Errorf("one too many: %d %s", g.status, g.body)
	}
	url := b.links()[0].URL
	status := 0
	for range 300 {
		if status = w.looks(url).status; status != 200 {
			break
		}
	}
	if status != 429 {
		t.Errorf("many requests: %d", status)
	}
	w.clock.Move(25 * time.Hour)
	b.signInAs("ana", "Ana")
	if g := b.app("POST", linksPath, body); g.status != 201 || len(b.links()) != 1 {
		t.Errorf("after the others expired: %d %s", g.status, g.body)
	}
}
