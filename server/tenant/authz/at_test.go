package authz_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/authz"
)

// Two addresses allow no more than one, hash no more passwords at once, sweep once and tell clients by one
// teller; what follows the address is that one's own.
func TestAt(t *testing.T) {
	f := newFixture(t)
	const login = "http://login.localhost:8081"
	at := f.At(authz.Address{Issuer: login, Store: f.store, Tokens: f.config.Tokens.At(login)})
	if !at.SharesWith(f.Handler) {
		t.Error("what is kept in memory is there twice")
	}
	next, err := authz.New(f.config)
	if err != nil {
		t.Fatal(err)
	}
	if at.SharesWith(next) {
		t.Error("another server shares too: the check says nothing")
	}
	for h, want := range map[*authz.Handler]string{at: login, f.Handler: issuer} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/openid-configuration", nil))
		if !strings.Contains(w.Body.String(), `"issuer":"`+want+`"`) {
			t.Errorf("discovery: %s, want issuer %s", w.Body, want)
		}
	}
}
