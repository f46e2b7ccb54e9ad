package account_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/tokens"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// A token that is bound to a key needs a proof of it, of this request, once.
func TestBoundTokens(t *testing.T) {
	f := newFixture(t)
	p, thief := tokenstest.New(t), tokenstest.New(t)
	token := f.token(func(a *tokens.Access) { a.Key = p.Thumbprint() })
	const address = issuer + "/me/v1/factors"
	call := func(scheme, proof string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/me/v1/factors", nil)
		r.Header.Set("Authorization", scheme+" "+token)
		if proof != "" {
			r.Header.Set("DPoP", proof)
		}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w
	}
	good := p.Proof(http.MethodGet, address, token, f.clock())
	if w := call("DPoP", good); w.Code != http.StatusOK {
		t.Fatalf("a good proof: %d %s", w.Code, w.Body)
	}
	for name, tt := range map[string]struct{ scheme, proof, want string }{
		"again":          {"DPoP", good, "jti was used before"},
		"no proof":       {"DPoP", "", "invalid_dpop_proof"},
		"as Bearer":      {"Bearer", "", "invalid_token"},
		"another's key":  {"DPoP", thief.Proof(http.MethodGet, address, token, f.clock()), "invalid_token"},
		"another path":   {"DPoP", p.Proof(http.MethodGet, issuer+"/me/v1/sessions", token, f.clock()), "invalid_dpop_proof"},
		"another method": {"DPoP", p.Proof(http.MethodPost, address, token, f.clock()), "invalid_dpop_proof"},
	} {
		f.log.Reset()
		w := call(tt.scheme, tt.proof)
		if w.Code != http.StatusUnauthorized || !strings.Contains(w.Header().Get("WWW-Authenticate"), tt.want) {
			t.Errorf("%s: %d %q, want 401 %s", name, w.Code, w.Header().Get("WWW-Authenticate"), tt.want)
		}
		if log := f.log.String(); !strings.Contains(log, tt.want) || strings.Contains(log, token) {
			t.Errorf("%s: the log is %s, want %s and no token", name, log, tt.want)
		}
	}
}
