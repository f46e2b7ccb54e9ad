package tenant_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// The machine client's token may be bound to a key, and the management API then wants its proof.
func TestBoundMachine(t *testing.T) {
	w := start(t)
	p := tokenstest.New(t)
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {w.first.Management.ID}, "client_secret": {w.first.Management.Secret},
		"audience": {"/api/v2/"},
	}
	a := w.do(http.DefaultClient, http.MethodPost, w.url+"/oauth/token", "application/x-www-form-urlencoded", form.Encode(),
		"DPoP", p.Proof(http.MethodPost, w.url+"/oauth/token", "", time.Now()))
	var got struct {
		Token string `json:"access_token"`
		Type  string `json:"token_type"`
	}
	if err := json.Unmarshal([]byte(a.body), &got); err != nil || got.Type != "DPoP" {
		t.Fatalf("token: %d %s, %v, want one of type DPoP", a.status, a.body, err)
	}
	const path = "/api/v2/forms"
	proof := p.Proof(http.MethodGet, w.url+path, got.Token, time.Now())
	if a := w.do(http.DefaultClient, http.MethodGet, w.url+path, "", "", "Authorization", "DPoP "+got.Token, "DPoP",
		proof); a.status != http.StatusOK {
		t.Errorf("with a proof: %d %s", a.status, a.body)
	}
	if a := w.do(http.DefaultClient, http.MethodGet, w.url+path, "", "", "Authorization", "DPoP "+got.Token, "DPoP",
		proof); a.status != http.StatusUnauthorized {
		t.Errorf("the same proof again: %d, want 401", a.status)
	}
	if a := w.do(http.DefaultClient, http.MethodGet, w.url+path, "", "", "Authorization",
		"Bearer "+got.Token); a.status != http.StatusUnauthorized {
		t.Errorf("as Bearer: %d, want 401", a.status)
	}
}
