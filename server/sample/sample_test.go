package sample_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/formgraph/formgraph/server/sample"
	"github.com/formgraph/formgraph/server/sample/guard"
)

// tenant answers for one, with one key.
type tenant struct{ key *rsa.PrivateKey }

func (t tenant) RoundTrip(r *http.Request) (*http.Response, error) {
	var v any = map[string]string{"issuer": "http://localhost:8081", "jwks_uri": "http://localhost:8081/keys"}
	if r.URL.Path == "/keys" {
		v = jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &t.key.PublicKey, KeyID: "k"}}}
	}
	w := httptest.NewRecorder()
	err := json.NewEncoder(w).Encode(v)
	return w.Result(), err
}

func (t tenant) token(claims string) string {
	now := time.Now().Unix()
	encode := base64.RawURLEncoding.EncodeToString
	text := encode([]byte(`{"alg":"RS256","kid":"k"}`)) + "." +
		encode(fmt.Appendf(nil, `{"iss":"http://localhost:8081","aud":"https://api","sub":"auth0|ana","exp":%d%s}`, now+60, claims))
	sum := sha256.Sum256([]byte(text))
	sig, err := rsa.SignPKCS1v15(rand.Reader, t.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err)
	}
	return text + "." + encode(sig)
}

// The endpoints that server/API.md lists, and any other path.
func TestEndpoints(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	at := tenant{key}
	g, err := guard.New(guard.Config{Domain: "localhost:8081", Audience: "https://api", PublicURL: "http://localhost:8082", Transport: at})
	if err != nil {
		t.Fatal(err)
	}
	h := sample.New(g)
	plain, full := at.token(""), at.token(`,"scope":"openid write:users admin","email":"ana@example.com"`)
	for _, tt := range []struct {
		method, path, token string
		status              int
		body                string
	}{
		{"GET", "/api/public", "", 200, `{"message":"Hello from a public endpoint! No token is needed here."}`},
		{"GET", "/api/public", "wrong", 200, `{"message":"Hello from a public endpoint! No token is needed here."}`},
		{"GET", "/api/private", "", 401, `{"message":"An access token is required."}`},
		{"GET", "/api/private", "wrong", 401, `{"error":"invalid_token",` +
			`"message":"The access token is not accepted: it is not a JWS in compact form."}`},
		{"GET", "/api/private", plain, 200, `{"message":"Hello from a private endpoint! Your access token is good.","user":"auth0|ana",` +
			`"scopes":[]}`},
		{"GET", "/api/private?x=1", full, 200, `{"message":"Hello from a private endpoint! Your access token is good.","user":"auth0|ana",` +
			`"scopes":["SCOPE_openid","SCOPE_write:users","SCOPE_admin"]}`},
		{"POST", "/api/private", "", 401, `{"message":"An access token is required."}`},
		{"OPTIONS", "/api/private", "", 401, `{"message":"An access token is required."}`},
		{"GET", "/api/profile", full, 200, `{"userId":"auth0|ana","email":"ana@example.com","scope":"openid write:users admin",` +
			`"issuer":"http://localhost:8081","audience":["https://api"]}`},
		{"GET", "/api/profile", plain, 200, `{"userId":"auth0|ana","email":null,"scope":"","issuer":"http://localhost:8081",` +
			`"audience":["https://api"]}`},
		{"GET", "/api/profile", "", 401, `{"message":"An access token is required."}`},
		{"GET", "/api/admin", full, 200, `{"message":"Hello from a private endpoint! Your access token is good.","user":"auth0|ana",` +
			`"scopes":["SCOPE_openid","SCOPE_write:users","SCOPE_admin"]}`},
		{"GET", "/api/admin", plain, 403, `{"error":"insufficient_scope","message":"The access token must carry admin."}`},
		{"GET", "/api/users", full, 200, `{"message":"Hello from a private endpoint! Your access token is good.","user":"auth0|ana",` +
			`"scopes":["SCOPE_openid","SCOPE_write:users","SCOPE_admin"]}`},
		{"GET", "/api/users", plain, 403, `{"error":"insufficient_scope","message":"The access token must carry read:users or write:users."}`},
		{"GET", "/healthz", "", 200, "ok"},
		{"GET", "/", "", 200, `{"message":"Nothing is protected at this path."}`},
		{"DELETE", "/api/other", "wrong", 200, `{"message":"Nothing is protected at this path."}`},
		{"GET", "//api/private", "", 200, `{"message":"Nothing is protected at this path."}`},
		{"GET", "/api%2Fprivate", "", 200, `{"message":"Nothing is protected at this path."}`},
		{"GET", "/x/../api/private", "", 200, `{"message":"Nothing is protected at this path."}`},
	} {
		r := httptest.NewRequestWithContext(t.Context(), tt.method, tt.path, nil)
		r.Header.Set("Origin", "https://evil.example")
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := strings.TrimSpace(w.Body.String()); w.Code != tt.status || got != tt.body {
			t.Errorf("%s %s: %d %s, want %d %s", tt.method, tt.path, w.Code, got, tt.status, tt.body)
		}
		for name := range w.Header() {
			if strings.HasPrefix(name, "Access-Control-") || name == "Set-Cookie" {
				t.Errorf("%s %s sends %s", tt.method, tt.path, name)
			}
		}
		if (w.Code == 401) != (w.Header().Get("WWW-Authenticate") != "") && w.Code != 403 {
			t.Errorf("%s %s: %d with the challenge %q", tt.method, tt.path, w.Code, w.Header().Get("WWW-Authenticate"))
		}
	}
}
