package tenant_test

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/tenant"
)

// unlimited is a rate that no benchmark reaches: a 429 would be measured instead of a token.
const unlimited = 1 << 30

// BenchmarkTokens makes tokens with the tenant's handler on its real store, in turn with bare RS256
// signatures by a key of the same size, which no token can be cheaper than. ratio is how many tokens are
// made in the time of one signature; a refresh signs nothing but the access token, and writes twice.
func BenchmarkTokens(b *testing.B) {
	w := startAt(b, tenant.Limits{TokenRate: unlimited, TokenBurst: unlimited})
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		b.Fatal(err)
	}
	sum := sha256.Sum256([]byte("a token"))
	sign := func() {
		if _, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:]); err != nil {
			b.Fatal(err)
		}
	}
	ask := func(form url.Values) map[string]any {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, w.url+"/oauth/token", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		out := httptest.NewRecorder()
		w.handler.ServeHTTP(out, r)
		var answer map[string]any
		if err := json.NewDecoder(bytes.NewReader(out.Body.Bytes())).Decode(&answer); err != nil || out.Code != http.StatusOK {
			b.Fatalf("%d %s", out.Code, out.Body)
		}
		return answer
	}
	run := func(b *testing.B, one func()) {
		b.Helper()
		var signing, making time.Duration
		for b.Loop() {
			from := time.Now()
			sign()
			between := time.Now()
			one()
			signing, making = signing+between.Sub(from), making+time.Since(between)
		}
		b.ReportMetric(float64(b.N)/making.Seconds(), "tokens/s")
		b.ReportMetric(float64(b.N)/signing.Seconds(), "signatures/s")
		b.ReportMetric(signing.Seconds()/making.Seconds(), "ratio")
	}
	b.Run("client_credentials", func(b *testing.B) {
		form := url.Values{
			"grant_type": {"client_credentials"}, "client_id": {w.first.Management.ID}, "client_secret": {w.first.Management.Secret},
			"audience": {w.url + "/api/v2/"},
		}
		run(b, func() { ask(form) })
	})
	b.Run("refresh_token", func(b *testing.B) {
		conf := oauth2.Config{
			ClientID: w.editor.ID, ClientSecret: w.editor.Secret, RedirectURL: editorURL + "/bff/callback",
			Endpoint: oauth2.Endpoint{AuthURL: w.url + "/authorize", TokenURL: w.url + "/oauth/token", AuthStyle: oauth2.AuthStyleInHeader},
			Scopes:   []string{"offline_access", "read:forms"}, // no openid: an ID token would be signed too
		}
		verifier := oauth2.GenerateVerifier()
		back := w.signIn(w.browser(), conf.AuthCodeURL("st", oauth2.S256ChallengeOption(verifier),
			oauth2.SetAuthURLParam("audience", "/api/v2/")))
		tok, err := conf.Exchange(b.Context(), back.Get("code"), oauth2.VerifierOption(verifier))
		if err != nil {
			b.Fatal(err)
		}
		form := url.Values{
			"grant_type": {"refresh_token"}, "client_id": {w.editor.ID}, "client_secret": {w.editor.Secret},
			"refresh_token": {tok.RefreshToken},
		}
		run(b, func() { form.Set("refresh_token", ask(form)["refresh_token"].(string)) })
	})
}
