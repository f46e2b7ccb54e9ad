package bff_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/admission"
	"github.com/formgraph/formgraph/server/bff"
	"github.com/formgraph/formgraph/server/remote"
	"github.com/formgraph/formgraph/server/session"
	"github.com/formgraph/formgraph/server/upstream"
)

// forEver is a transport whose answers at one path ask not to be asked again for a very long time.
type forEver struct {
	next   http.RoundTripper
	path   string
	status int // of the first answer, which is an error; 0 leaves it
	header http.Header

	mu    sync.Mutex
	began bool
	calls int
}

func (f *forEver) RoundTrip(r *http.Request) (*http.Response, error) {
	f.mu.Lock()
	said := f.began && strings.HasPrefix(r.URL.Path, f.path)
	if said {
		f.calls++
	}
	first := f.calls == 1
	f.mu.Unlock()
	res, err := f.next.RoundTrip(r)
	if err != nil || !said || !first && f.status != 0 {
		return res, err
	}
	maps.Copy(res.Header, f.header)
	if f.status != 0 {
		_ = res.Body.Close()
		res.StatusCode, res.ContentLength = f.status, -1
		res.Body = io.NopCloser(strings.NewReader(`{"errorCode":"service_unavailable","error":"slow_down"}`))
	}
	return res, nil
}

func (f *forEver) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.began = true
}

func (f *forEver) asked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

// patientWorld is a world with a remote tenant, of which an answer says to wait for a very long time.
func patientWorld(t *testing.T, service bool, path string, status int, long string) (*serviceWorld, *forEver) {
	t.Helper()
	w := newServiceWorld(t, admission.Rules{Edit: subjectRule()})
	if _, err := strconv.Atoi(long); err == nil {
		w.answer = map[string]any{"expires_in": long}
	}
	said := &forEver{next: w.ic.Transport, path: path, status: status, header: http.Header{
		"Retry-After": {long}, "X-Ratelimit-Reset": {long}, "X-Ratelimit-Remaining": {"0"}, "Cache-Control": {"public, max-age=" + long},
		"Expires": {"Fri, 31 Dec 9999 23:59:59 GMT"}, "Content-Type": {"application/json"},
	}}
	adjust := w.adjust
	w.adjust = func(c *bff.Config) {
		if adjust(c); !service {
			c.Service = nil
		}
		client := must(upstream.NewClient(upstream.Config{
			BaseURL: w.url + "/api/v2", Transport: said, Shared: true, Now: w.clock.Now,
			Wait: func(context.Context, time.Duration) error { return nil },
		}))
		c.Upstream = remote.NewFlows(remote.NewForms(client, nil), w.clock.Now)
	}
	w.ic.Transport = said
	w.restart()
	return w, said
}

// Whatever a tenant or an issuer says about how long an answer counts: it is asked again after a time that we choose. No browser is told to
// wait for longer than a minute.
func TestNoAnswerCountsForEver(t *testing.T) {
	form := func(b *browser) got { b.w.t.Helper(); return b.app("GET", "/bff/api/forms/ap_1", "") }
	flows := func(b *browser) got { b.w.t.Helper(); return b.app("GET", "/bff/api/flows", "") }
	login := func(b *browser) got { b.w.t.Helper(); return b.do("GET", "/bff/login", "") }
	arrive := func(b *browser) got { b.w.t.Helper(); b.signIn(); return got{} }
	again := func(b *browser) got { b.w.t.Helper(); b.signIn(); return form(b) }
	for _, x := range []struct {
		name    string
		service bool // the tenant is called with a service client
		path    string
		status  int
		ask     func(b *browser) got
		most    time.Duration // 0 means that the answer never counts for another call
	}{
		{"reads after a 429, people's tokens", false, "/api/v2/forms/", 429, form, time.Minute},
		{"reads after a 429, a service client", true, "/api/v2/forms/", 429, form, time.Minute},
		{"reads after an answer that leaves no calls", false, "/api/v2/forms/", 0, form, time.Minute},
		{"reads after a 503", false, "/api/v2/forms/", 503, form, time.Minute},
		{"the list of flows", false, "/api/v2/flows", 0, flows, time.Minute},
		{"the service client's token", true, "/oauth/token", 0, again, 24 * time.Hour},
		{"the service client's token after a 429", true, "/oauth/token", 429, form, time.Minute},
		{"the service client's token after a 503", true, "/oauth/token", 503, form, time.Minute},
		{"the issuer's metadata", false, "/.well-known/", 0, arrive, 15 * time.Minute},
		{"the issuer's metadata after a 503", false, "/.well-known/", 503, login, 0},
		{"the issuer's keys", false, "/jwks", 0, arrive, 10 * time.Minute},
	} {
		for _, long := range []string{"86400", "1893456000000", "9223372036854775807", "Fri, 31 Dec 9999 23:59:59 GMT"} {
			passed := t.Run(x.name+", "+long, func(t *testing.T) {
				w, said := patientWorld(t, x.service, x.path, x.status, long)
				count := said.asked
				if x.path == "/oauth/token" { // where people sign in, too
					count = func() int { w.mu.Lock(); defer w.mu.Unlock(); return w.asked }
				}
				b := w.browser()
				if x.path != "/.well-known/" && x.path != "/jwks" {
					b.signIn()
				}
				said.begin()
				ask := func() int {
					if wait := x.ask(b).header.Get("Retry-After"); wait != "" {
						if n, err := strconv.Atoi(wait); err != nil || n > 60 {
							t.Errorf("the browser is told to wait %s s", wait)
						}
					}
					return count()
				}
				first, second := ask(), ask()
				if counts := second == first; first == 0 || counts != (x.most > 0) && (x.most == 0 || long == "86400") {
					t.Fatalf("%d and then %d calls: the row is void, or an answer counts that never should", first, second)
				}
				if x.most == 0 {
					return
				}
				w.clock.Move(x.most)
				ask()
				if x.path == "/jwks" { // fetched in the background
					waittest.Until(t, "the keys are fetched again", func() bool { return count() > second })
				} else if count() == second {
					t.Errorf("after %v, nobody is asked again", x.most)
				}
			})
			if !passed {
				break // what is never asked again takes long to wait for
			}
		}
	}
}

// A token of a person is used for a day at most, whatever its issuer says.
func TestNoTokenLastsForEver(t *testing.T) {
	for _, life := range []any{86401, 1 << 31, 1 << 62, "9223372036854775807"} {
		w := newWorld(t)
		w.token = func(rw http.ResponseWriter, _ *http.Request) {
			writeJSON(rw, 200, map[string]any{"access_token": "t", "token_type": "Bearer", "expires_in": life})
		}
		got, _, err := bff.NewIdentity(w.ic).Refresh(t.Context(), audience, session.Grant{Refresh: "r"})
		if most := w.clock.Now().Add(24 * time.Hour); err != nil || got.Expiry.After(most) || got.Expiry.Before(w.clock.Now()) {
			t.Errorf("expires_in %v: until %v, %v, want at most %v", life, got.Expiry, err, most)
		}
	}
}
