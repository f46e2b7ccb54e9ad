package authz_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/authz"
)

// notices records the notices that clients get.
type notices struct {
	mu    sync.Mutex
	calls []url.Values
	to    []string
	// block delays calls until it is closed; nil lets them through.
	block  chan struct{}
	answer func(*http.Request) (*http.Response, error)
}

func (c *notices) RoundTrip(r *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	v, err := url.ParseQuery(string(b))
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != formType {
		return nil, errors.New("not a form")
	}
	c.mu.Lock()
	c.calls, c.to = append(c.calls, v), append(c.to, r.URL.String())
	c.mu.Unlock()
	if c.block != nil {
		select {
		case <-c.block:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	if c.answer != nil {
		return c.answer(r)
	}
	w := httptest.NewRecorder()
	w.WriteHeader(http.StatusNoContent)
	return w.Result(), nil
}

// newNotices has clients web, spa and native with back-channel addresses, and online without one.
func newNotices(t *testing.T) (*fixture, *notices) {
	t.Helper()
	f, c := newFlows(t), &notices{}
	f.rebuild(func(cfg *authz.Config) { cfg.Backchannel = c })
	for _, id := range []string{"web", "spa", "native"} {
		storetest.ChangeClient(t, f.store, id, func(c *store.Client) { c.BackchannelURI = "http://" + id + ".test/bc" })
	}
	return f, c
}

func TestBackchannelLogout(t *testing.T) {
	f, c := newNotices(t)
	b, _ := f.signedIn(query())
	sid := claims(t, f.exchange(b.send(http.MethodGet, "/authorize?"+query(), "").location().Get("code")).text("id_token"))["sid"]
	b.send(http.MethodGet, "/authorize?"+query("client_id", "spa"), "")
	b.send(http.MethodGet, "/authorize?"+query("client_id", "online", "audience", "-"), "")
	f.ask(native("scope", "openid offline_access")...) // another sign-in of Ana
	if len(c.calls) != 0 {
		t.Fatalf("notified %v before anybody signed out", c.to)
	}
	if a := b.send(http.MethodGet, "/oidc/logout?client_id=web", ""); a.StatusCode != http.StatusOK {
		t.Fatalf("sign-out = %d", a.StatusCode)
	}
	f.Wait()
	if len(c.calls) != 2 {
		t.Fatalf("notified %v, want web and spa once each", c.to)
	}
	for i, v := range c.calls {
		id := strings.TrimSuffix(strings.TrimPrefix(c.to[i], "http://"), ".test/bc")
		got := claims(t, v.Get("logout_token"))
		aud, _ := got["aud"].([]any)
		if id != "web" && id != "spa" || got["aud"] != id && (len(aud) != 1 || aud[0] != id) || got["sub"] != "ana" ||
			got["sid"] != sid || got["nonce"] != nil {
			t.Errorf("%s hears %v, want its own token for %v", c.to[i], got, sid)
		}
	}
	if strings.Contains(f.log.String(), "logout_token") || strings.Contains(f.log.String(), "eyJhbGciOi") {
		t.Error("log holds a token")
	}
	// The sign-out of a browser that is not signed in notifies no client.
	b.send(http.MethodGet, "/oidc/logout?client_id=web", "")
	if f.Wait(); len(c.calls) != 2 {
		t.Errorf("notified again: %v", c.to)
	}
	// A sign-out everywhere notifies every client, by person and not by sign-in.
	if err := f.SignedOut(t.Context(), "ana", ""); err != nil {
		t.Fatal(err)
	}
	if f.Wait(); len(c.calls) != 5 {
		t.Fatalf("notified %v, want three more", c.to)
	}
	for _, v := range c.calls[2:] {
		if got := claims(t, v.Get("logout_token")); got["sub"] != "ana" || got["sid"] != nil {
			t.Errorf("heard %v, want Ana and no sign-in", got)
		}
	}
}

// A client that does not answer delays no sign-out, and too many calls are dropped.
func TestBackchannelBounds(t *testing.T) {
	f, c := newNotices(t)
	c.block = make(chan struct{})
	f.signedIn(query())
	for range 300 {
		if err := f.SignedOut(t.Context(), "ana", ""); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(f.log.String(), "too many are waiting"); n != 300-256 {
		t.Errorf("%d calls dropped, want %d", n, 300-256)
	}
	close(c.block)
	f.Wait()
	if len(c.calls) != 256 {
		t.Errorf("%d calls made, want 256", len(c.calls))
	}
	if err := f.SignedOut(t.Context(), "ana", ""); err != nil {
		t.Fatal(err)
	}
	if f.Wait(); len(c.calls) != 257 {
		t.Errorf("%d calls, want room again", len(c.calls))
	}
}

// A failing client is logged. Its redirects are not followed, and the person is signed out all the same.
func TestBackchannelFails(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"error": func(*http.Request) (*http.Response, error) { return nil, context.DeadlineExceeded },
		"400": func(*http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			w.WriteHeader(http.StatusBadRequest)
			return w.Result(), nil
		},
		"redirect": func(*http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			w.Header().Set("Location", "http://evil.test/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return w.Result(), nil
		},
	} {
		f, c := newNotices(t)
		c.answer = answer
		b, _ := f.signedIn(query())
		a := b.send(http.MethodGet, "/oidc/logout", "")
		if f.Wait(); a.StatusCode != http.StatusOK {
			t.Errorf("%s: sign-out = %d", name, a.StatusCode)
		}
		if len(c.calls) != 1 || !strings.Contains(f.log.String(), "client not notified of sign-out") {
			t.Errorf("%s: calls %v, want one and a log line", name, c.to)
		}
	}
}

// Each call has a deadline.
func TestBackchannelDeadline(t *testing.T) {
	f, c := newNotices(t)
	c.answer = func(r *http.Request) (*http.Response, error) {
		if _, ok := r.Context().Deadline(); !ok {
			t.Error("a call without a deadline")
		}
		return nil, errors.New("gone")
	}
	b, _ := f.signedIn(query())
	b.send(http.MethodGet, "/oidc/logout", "")
	if f.Wait(); len(c.calls) != 1 {
		t.Errorf("%d calls, want 1", len(c.calls))
	}
}
