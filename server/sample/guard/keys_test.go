package guard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// Keys are fetched for the first token and again for a token that names an unknown key, at most once in 30 s, and kept while the tenant is
// down.
func TestKeys(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	f.tenant.change(func(t *tenant) { t.down = true })
	// A token of another tenant causes no call.
	if a := f.send("/x", "Authorization", "Bearer "+f.bearer(object{"iss": "https://evil.example"})); a.status != 401 {
		t.Errorf("another issuer: %d, want 401", a.status)
	}
	cold := func(want int) {
		t.Helper()
		if a := f.send("/x", "Authorization", "Bearer "+f.bearer(nil)); a.status != want {
			t.Errorf("%d %s, want %d", a.status, a.body, want)
		}
	}
	cold(503)
	f.tenant.change(func(t *tenant) { t.down = false })
	cold(503) // within 30 s nobody is asked again
	f.wait(30 * time.Second)
	cold(200)
	fetched := f.tenant.count()
	for i := range 50 {
		f.send("/x", "Authorization", "Bearer "+sign(rsaKey(), with(header(), object{"kid": fmt.Sprint("bogus", i)}), f.claims()))
	}
	f.send("/x", "Authorization", "Bearer "+f.bearer(object{"iss": "https://evil.example"}))
	if n := f.tenant.count() - fetched; n != 0 {
		t.Errorf("50 bogus names of keys: %d fetches within 30 s, want none", n)
	}
	f.wait(30 * time.Second)
	for i := range 50 {
		f.send("/x", "Authorization", "Bearer "+sign(rsaKey(), with(header(), object{"kid": fmt.Sprint("bogus", i)}), f.claims()))
	}
	if n := f.tenant.count() - fetched; n != 1 {
		t.Errorf("50 bogus names of keys: %d fetches, want 1", n)
	}

	// A new key is fetched with its first token; the old one is dropped when the tenant withdraws it.
	f.tenant.change(func(t *tenant) { t.keys = []jose.JSONWebKey{public("k2", otherKey())} })
	f.wait(30 * time.Second)
	next := sign(otherKey(), with(header(), object{"kid": "k2"}), f.claims())
	if a := f.send("/x", "Authorization", "Bearer "+next); a.status != 200 {
		t.Errorf("the new key: %d %s", a.status, a.body)
	}
	cold(401)
	// The tenant is down for a long time: the known keys stay.
	f.tenant.change(func(t *tenant) { t.down = true })
	f.wait(time.Hour)
	for range 3 {
		if a := f.send("/x", "Authorization", "Bearer "+sign(otherKey(), with(header(), object{"kid": "k2"}), f.claims())); a.status != 200 {
			t.Errorf("while the tenant is down: %d %s", a.status, a.body)
		}
		f.wait(31 * time.Second)
	}
}

// A key that the tenant withdrew is dropped within minutes, even if nobody asks for an unknown one.
func TestKeyWithdrawn(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	f.send("/x", "Authorization", "Bearer "+f.bearer(nil))
	f.tenant.change(func(t *tenant) { t.keys = []jose.JSONWebKey{public("k2", otherKey())} })
	f.wait(10 * time.Minute)
	waittest.Until(t, "the key is dropped", func() bool { // the keys are fetched beside the requests
		return f.send("/x", "Authorization", "Bearer "+f.bearer(nil)).status == 401
	})
	if n := f.tenant.count(); n != 2 {
		t.Errorf("%d fetches, want 2", n)
	}
}

// A hundred concurrent requests ask the tenant once, and a cancelled request does not end the fetch for the others.
func TestKeysOneFlight(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	hold := make(chan struct{})
	f.tenant.change(func(t *tenant) { t.hold = hold })
	token := f.bearer(nil)
	var wg sync.WaitGroup
	codes := make(chan int, 100)
	for range 100 {
		wg.Go(func() {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x", nil)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			f.Require(echo()).ServeHTTP(w, r)
			codes <- w.Code
		})
	}
	close(hold)
	wg.Wait()
	close(codes)
	for code := range codes {
		if code != 200 {
			t.Errorf("%d, want 200", code)
		}
	}
	if n := f.tenant.count(); n != 1 {
		t.Errorf("%d fetches, want 1", n)
	}
}

// A tenant without metadata has its keys where the vendor has them, and an issuer with a trailing slash.
func TestKeysWithoutMetadata(t *testing.T) {
	f := newFixture(t, guard.Allowed)
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{public("k1", rsaKey())}})
	if err != nil {
		t.Fatal(err)
	}
	silent := func(t *tenant) {
		t.answer = func(path string) (*http.Response, error) {
			w := httptest.NewRecorder()
			if path != "/.well-known/jwks.json" {
				w.WriteHeader(http.StatusNotFound)
			}
			_, _ = w.Write(set)
			return w.Result(), nil
		}
	}
	f.tenant.change(silent)
	for iss, want := range map[string]int{issuer + "/": 200, issuer: 401, "https://other.example/": 401} {
		if a := f.send("/x", "Authorization", "Bearer "+f.bearer(object{"iss": iss})); a.status != want {
			t.Errorf("issuer %s: %d, want %d", iss, a.status, want)
		}
	}
	// A tenant that had metadata before keeps its name.
	f = newFixture(t, guard.Allowed)
	if a := f.send("/x", "Authorization", "Bearer "+f.bearer(nil)); a.status != 200 {
		t.Fatalf("with metadata: %d", a.status)
	}
	f.tenant.change(silent)
	f.wait(time.Hour)
	// An unknown key waits for the fetch.
	f.send("/x", "Authorization", "Bearer "+sign(rsaKey(), with(header(), object{"kid": "k9"}), f.claims()))
	if a := f.send("/x", "Authorization", "Bearer "+f.bearer(nil)); a.status != 200 {
		t.Errorf("after keys without metadata: %d, want 200", a.status)
	}
}

// With invalid metadata or keys no token can be verified.
func TestKeysRefused(t *testing.T) {
	plain := func(body string) func(*tenant) {
		return func(t *tenant) {
			t.answer = func(string) (*http.Response, error) {
				w := httptest.NewRecorder()
				_, _ = w.WriteString(body)
				return w.Result(), nil
			}
		}
	}
	for name, change := range map[string]func(*tenant){
		"another issuer":  func(t *tenant) { t.issuer = "https://evil.example" },
		"keys elsewhere":  func(t *tenant) { t.jwks = "https://evil.example/keys" },
		"no keys":         func(t *tenant) { t.keys = nil },
		"small key":       func(t *tenant) { t.keys = []jose.JSONWebKey{public("k1", newRSA(1024))} },
		"no name":         func(t *tenant) { t.keys = []jose.JSONWebKey{public("", rsaKey())} },
		"for encryption":  func(t *tenant) { k := public("k1", rsaKey()); k.Use = "enc"; t.keys = []jose.JSONWebKey{k} },
		"for RS384":       func(t *tenant) { k := public("k1", rsaKey()); k.Algorithm = "RS384"; t.keys = []jose.JSONWebKey{k} },
		"HTML":            plain("<html>"),
		"more than a MiB": plain(`{"issuer":"` + strings.Repeat("a", 1<<20) + `"}`),
		"redirect": func(t *tenant) {
			t.answer = func(string) (*http.Response, error) {
				w := httptest.NewRecorder()
				w.Header().Set("Location", "https://evil.example")
				w.WriteHeader(http.StatusFound)
				return w.Result(), nil
			}
		},
		"an error":        func(t *tenant) { t.status = http.StatusInternalServerError },
		"a MiB of spaces": func(t *tenant) { t.tail = strings.Repeat(" ", 1<<20) },
	} {
		f := newFixture(t, guard.Allowed)
		f.tenant.change(change)
		if a := f.send("/x", "Authorization", "Bearer "+f.bearer(nil)); a.status != 503 {
			t.Errorf("%s: %d, want 503", name, a.status)
		}
	}
	// An issuer with a trailing slash is the vendor's form.
	f := newFixture(t, guard.Allowed)
	f.tenant.change(func(t *tenant) { t.issuer = issuer + "/" })
	if a := f.send("/x", "Authorization", "Bearer "+f.bearer(object{"iss": issuer + "/"})); a.status != 200 {
		t.Errorf("with a slash: %d", a.status)
	}
	if a := f.send("/x", "Authorization", "Bearer "+f.bearer(nil)); a.status != 401 {
		t.Errorf("without the slash: %d", a.status)
	}
}
