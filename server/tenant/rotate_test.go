package tenant_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
)

// A tenant that runs publishes a new key within seconds, signs with it later, and can be closed.
func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	now := noon()
	clock := func() time.Time { return now }
	set, err := keys.Load(path, now)
	if err != nil {
		t.Fatal(err)
	}
	w, err := keys.Watch(path, clock, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	s := sqlitetest.Open(t)
	first := seed(t, tenant.SeedConfig{Store: s, Issuer: issuer})
	h, err := tenant.New(tenant.Config{Issuer: issuer, Store: s, Keys: set, Follow: w.Get, Now: clock, Nonces: true})
	if err != nil {
		t.Fatal(err)
	}
	published := func() []string {
		t.Helper()
		a := httptest.NewRecorder()
		h.ServeHTTP(a, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/jwks.json", nil))
		var set struct {
			Keys []struct {
				ID string `json:"kid"`
			} `json:"keys"`
		}
		if err := json.Unmarshal(a.Body.Bytes(), &set); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, k := range set.Keys {
			ids = append(ids, k.ID)
		}
		return ids
	}
	// accepted reports whether a token is good at the management API.
	accepted := func(token string) bool {
		t.Helper()
		a := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v2/forms", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		h.ServeHTTP(a, r)
		return a.Code == http.StatusOK
	}
	token := machineToken(t, h, first.Management)
	next, err := keys.RotateSigning(path, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := published(); len(got) != 1 {
		t.Errorf("published at once: %v", got)
	}
	now = now.Add(5 * time.Second)
	if got := published(); len(got) != 2 || got[0] != next.ID {
		t.Errorf("published after five seconds: %v, want %s first of two", got, next.ID)
	}
	if !accepted(token) || !accepted(machineToken(t, h, first.Management)) {
		t.Error("a token of the first key is refused")
	}
	now = now.Add(keys.Lead)
	late := machineToken(t, h, first.Management)
	if !accepted(token) || !accepted(late) {
		t.Error("a token is refused after the new key signs")
	}
	now = noon().Add(keys.Lead + keys.Keep)
	if got := published(); len(got) != 1 || got[0] != next.ID {
		t.Errorf("published in the end: %v, want %s alone", got, next.ID)
	}
	c, ok := h.(io.Closer)
	if !ok {
		t.Fatal("the tenant is not an io.Closer")
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

// machineToken gets a token by client credentials, and checks that nonces are offered.
func machineToken(t *testing.T, h http.Handler, c tenant.Credentials) string {
	t.Helper()
	body := `{"grant_type":"client_credentials","client_id":"` + c.ID + `","client_secret":"` + c.Secret + `","audience":"/api/v2/"}`
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/oauth/token", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	a := httptest.NewRecorder()
	h.ServeHTTP(a, r)
	var got struct {
		Token string `json:"access_token"`
	}
	if err := json.Unmarshal(a.Body.Bytes(), &got); err != nil || got.Token == "" {
		t.Fatalf("token = %d %s", a.Code, a.Body)
	}
	if a.Header().Get("DPoP-Nonce") == "" {
		t.Error("no nonce is offered")
	}
	return got.Token
}
