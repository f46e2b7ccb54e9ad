package bff_test

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/selfcheck"
)

// checker counts its runs.
type checker struct{ runs int }

func (c *checker) Results(context.Context) ([]selfcheck.Result, time.Time, error) {
	c.runs++
	return []selfcheck.Result{{Name: "discovery", Status: selfcheck.OK, Detail: "found"}}, time.Unix(0, 0), nil
}

// checked adds a checker to a world.
func (w *world) checked() *checker {
	c, before := &checker{}, w.adjust
	w.adjust = func(o *bff.Config) {
		if before != nil {
			before(o)
		}
		o.Checker = c
	}
	w.h = w.handler(w.ic)
	return c
}

func (b *browser) openCheck(query string, headers ...string) got {
	b.w.t.Helper()
	return b.do("GET", "/check"+query, "", append(headers, "Accept", "text/html")...)
}

func TestCheckPageIsForPeopleWhoMayEdit(t *testing.T) {
	w := remoteWorld(t, false)
	c := w.checked()
	b := w.browser()
	if g := b.openCheck(""); g.status != http.StatusSeeOther || g.header.Get("Location") != "/bff/login?return_to=%2Fcheck%3Fsigned-in%3D1" {
		t.Errorf("signed out: %d %v", g.status, g.header)
	}
	if g := b.do("GET", "/check", ""); g.status != 401 || g.code() != "session_expired" {
		t.Errorf("a program: %d %s", g.status, g.body)
	}
	// After a redirect from the tenant the browser sends no cookie. The answer is a page that continues by itself, and from there it does.
	if g := b.openCheck("?signed-in=1"); g.status != 200 || !strings.Contains(g.body, "|/check|") || !strings.HasSuffix(g.body, "|continue") {
		t.Errorf("on the way back: %d %s", g.status, g.body)
	}
	asked := b.begin("?return_to=%2Fcheck%3Fsigned-in%3D1")
	if to := b.do("GET", w.consent(asked), "").header.Get("Location"); to != "/check?signed-in=1" {
		t.Errorf("the sign-in returns to %s", to)
	}
	if c.runs != 0 {
		t.Errorf("%d runs before the sign-in", c.runs)
	}
	g := b.openCheck("")
	if g.status != 200 || !strings.Contains(g.body, "ok|discovery|found") || g.header.Get("Cache-Control") != "no-store" ||
		!strings.Contains(g.body, "ok|cookie|the browser sends __Host-Http-fg|") || !strings.Contains(g.body, "ok|host|") {
		t.Errorf("got %d %s", g.status, g.body)
	}
	if g := b.openCheck("", "Origin", "https://evil.example"); g.status != 403 || c.runs != 1 {
		t.Errorf("another site: %d after %d runs", g.status, c.runs)
	}
	w.bend(func(s *stub) { s.scope = "openid read:forms" })
	reader := w.browser()
	reader.signIn()
	if g := reader.openCheck(""); g.status != 403 || !strings.Contains(g.body, "|scope|") || c.runs != 1 {
		t.Errorf("a reader: %d %s", g.status, g.body)
	}
}

func TestCheckPageFollowsTheRules(t *testing.T) {
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	c := w.checked()
	b := w.browser()
	b.signIn()
	w.answer = map[string]any{"scope": "read:forms"} // too little to edit, which the page must show
	b.app("GET", "/bff/api/forms", "")
	if g := b.openCheck(""); g.status != 200 {
		t.Errorf("who may edit: %d %s", g.status, g.body)
	}
	w.rules = admission.Rules{View: subjectRule()}
	w.checked()
	if g := b.openCheck(""); g.status != 403 || !strings.Contains(g.body, "|scope|") {
		t.Errorf("who may look: %d %s", g.status, g.body)
	}
	w.rules = admission.Rules{}
	w.checked()
	if g := b.openCheck(""); g.status != 403 || !strings.Contains(g.body, "|not_allowed|") {
		t.Errorf("a stranger: %d %s", g.status, g.body)
	}
	if c.runs != 1 {
		t.Errorf("%d runs", c.runs)
	}
}

func TestCheckPageOfTheEmbeddedTenant(t *testing.T) {
	w := newWorld(t)
	w.checked()
	b := w.browser()
	b.signIn()
	if g := b.openCheck(""); g.status != 404 {
		t.Errorf("got %d %s", g.status, g.body)
	}
}

func TestCheckPageShowsProxies(t *testing.T) {
	w := remoteWorld(t, false)
	w.checked()
	b := w.browser()
	b.signIn()
	for _, x := range []struct {
		name    string
		trusted clientip.Proxies
		headers []string
		want    string
	}{
		{"none", nil, nil, "ok|forwarding|no proxy"},
		{"not trusted", nil, []string{"X-Forwarded-For", "203.0.113.9"}, "warn|forwarding|X-Forwarded-For from 127.0.0.1, which is not trusted"},
		{"trusted", loopback(), []string{"X-Forwarded-For", "203.0.113.9", "X-Forwarded-Proto", "https"}, "you come from 203.0.113.9"},
		{"no address", loopback(), []string{"X-Forwarded-Proto", "https"}, "warn|forwarding|the trusted proxy 127.0.0.1 does not name"},
		{"http", loopback(), []string{"Forwarded", "for=203.0.113.9", "X-Forwarded-Proto", "http"}, "warn|forwarding|the proxy says"},
	} {
		inner := w.h
		w.h = clientip.Locate(x.trusted, inner)
		if g := b.openCheck("", x.headers...); !strings.Contains(g.body, x.want) {
			t.Errorf("%s: %s", x.name, g.body)
		}
		w.h = inner
	}
	inner := w.h
	w.h = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Host = "inner:8080"
		r.TLS = nil
		inner.ServeHTTP(rw, r)
	})
	if g := b.openCheck(""); !strings.Contains(g.body, "warn|host|the request is for inner:8080") ||
		!strings.Contains(g.body, "warn|forwarding|no header of a proxy") {
		t.Errorf("behind a silent proxy: %s", g.body)
	}
}

func loopback() clientip.Proxies { return clientip.Proxies{netip.MustParsePrefix("127.0.0.0/8")} }
