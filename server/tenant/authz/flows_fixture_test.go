package authz_test

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/storetest"
	"github.com/formgraph/formgraph/server/tenant/tokens/tokenstest"
)

// newFlows is newFixture for more flows: the client "third" has a grant, and the public client "native" may ask for
// passwords.
func newFlows(tb testing.TB) *fixture {
	tb.Helper()
	f := newFixture(tb)
	ctx := tb.Context()
	for _, err := range []error{
		storetest.SetGrant(ctx, f.store, "third", "m", store.SubjectUser, []string{"read:forms", "update:forms"}),
		f.store.CreateClient(ctx, store.Client{
			ID: "native", Name: "Native", Public: true, FirstParty: true,
			GrantTypes: []string{"password", "refresh_token"},
		}),
		storetest.SetGrant(ctx, f.store, "native", "m", store.SubjectUser, []string{"read:forms"}),
	} {
		if err != nil {
			tb.Fatal(err)
		}
	}
	return f
}

// post sends pairs as a form.
func (f *fixture) post(path string, pairs []string, header ...string) answer {
	f.t.Helper()
	v := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return f.send(http.MethodPost, path, v.Encode(), append([]string{"Content-Type", formType}, header...)...)
}

// prover is a client's DPoP key.
type prover struct {
	*tokenstest.Prover

	f *fixture
}

func (f *fixture) prover() *prover { f.t.Helper(); return &prover{tokenstest.New(f.t), f} }

// proof makes a proof for a request, changed by pairs.
func (p *prover) proof(method, path string, pairs ...any) string {
	p.f.t.Helper()
	c := map[string]any{"jti": rand.Text(), "htm": method, "htu": issuer + path, "iat": p.f.clock().Unix()}
	for i := 0; i < len(pairs); i += 2 {
		c[fmt.Sprint(pairs[i])] = pairs[i+1]
	}
	return p.Sign(c, nil)
}

// thumbprint returns the key's value for dpop_jkt, computed apart from the server.
func (p *prover) thumbprint() string {
	p.f.t.Helper()
	raw, err := p.Key.PublicKey.Bytes()
	if err != nil {
		p.f.t.Fatal(err)
	}
	enc := base64.RawURLEncoding.EncodeToString
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + enc(raw[1:33]) + `","y":"` + enc(raw[33:]) + `"}`))
	return enc(sum[:])
}

// ask sends a token request with a proof.
func (p *prover) ask(pairs ...string) answer {
	p.f.t.Helper()
	return p.f.post("/oauth/token", pairs, "DPoP", p.proof("POST", "/oauth/token"))
}

// spaCode and webCode are token requests for a new code of a public and of a confidential client.
func (f *fixture) spaCode(pairs ...string) []string {
	f.t.Helper()
	code := f.code(append([]string{"client_id", "spa", "scope", "openid offline_access read:forms"}, pairs...)...)
	return []string{"grant_type", "authorization_code", "client_id", "spa", "code", code, "redirect_uri", callback, "code_verifier", verifier}
}

func (f *fixture) webCode(pairs ...string) []string {
	f.t.Helper()
	return []string{
		"grant_type", "authorization_code", "client_id", "web", "client_secret", "web-secret",
		"code", f.code(pairs...), "redirect_uri", callback, "code_verifier", verifier,
	}
}

func spaRefresh(token string) []string {
	return []string{"grant_type", "refresh_token", "client_id", "spa", "refresh_token", token}
}

func webRefresh(token string) []string {
	return []string{"grant_type", "refresh_token", "client_id", "web", "client_secret", "web-secret", "refresh_token", token}
}

// keyOf returns cnf.jkt of an access token.
func keyOf(t *testing.T, token string) string {
	t.Helper()
	cnf, _ := claims(t, token)["cnf"].(map[string]any)
	jkt, _ := cnf["jkt"].(string)
	return jkt
}
