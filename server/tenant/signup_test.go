package tenant_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
	"github.com/formgraph/formgraph/server/tenant"
)

// Sign-up is closed unless the operator opens it.
func TestSignUpIsOpened(t *testing.T) {
	for opened, want := range map[bool]int{false: http.StatusNotFound, true: http.StatusUnauthorized} {
		s := sqlitetest.Open(t)
		h, err := tenant.New(tenant.Config{Issuer: "http://localhost:8081", Store: s, Keys: newKeys(t), SignUp: opened})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/passkey/register", strings.NewReader(`{"client_id":"nobody"}`))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("opened %v: %d %s, want %d", opened, w.Code, w.Body, want)
		}
	}
}
