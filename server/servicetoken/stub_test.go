package servicetoken_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/servicetoken"
)

const (
	clientID = "service"
	secret   = "s3cret&value"
	audience = "https://tenant.example/api/v2/"
)

// tenant is an authorization server whose answers can be changed.
type tenant struct {
	t   *testing.T
	url string
	log bytes.Buffer

	mu      sync.Mutex
	now     time.Time
	methods []string // token_endpoint_auth_methods_supported
	// algorithms are dpop_signing_alg_values_supported. Proofs need a nonce.
	algorithms []string
	proofs     []string // of each token request
	answer     map[string]any
	status     int
	header     map[string]string
	hold       chan struct{} // token requests wait for it
	begun      chan struct{} // signalled by each token request that waits
	forms      []url.Values
	basic      []string // "user:password" of each token request
}

// all is what the server asks for.
var all = strings.Join(servicetoken.Scopes(), " ")

func newTenant(t *testing.T) *tenant {
	t.Helper()
	s := &tenant{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), begun: make(chan struct{}, 100)}
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	s.url = srv.URL
	return s
}

func (s *tenant) Now() time.Time { s.mu.Lock(); defer s.mu.Unlock(); return s.now }

func (s *tenant) move(d time.Duration) { s.set(func() { s.now = s.now.Add(d) }) }

func (s *tenant) set(change func()) { s.mu.Lock(); defer s.mu.Unlock(); change() }

// asked returns the number of token requests.
func (s *tenant) asked() int { s.mu.Lock(); defer s.mu.Unlock(); return len(s.forms) }

func (s *tenant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if strings.HasPrefix(r.URL.Path, "/.well-known/") {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.write(w, map[string]any{
			"issuer": s.url, "token_endpoint": s.url + "/token", "token_endpoint_auth_methods_supported": s.methods,
			"dpop_signing_alg_values_supported": s.algorithms,
		})
		return
	}
	if err := r.ParseForm(); err != nil {
		s.t.Error(err)
	}
	user, password, _ := r.BasicAuth()
	s.mu.Lock()
	s.forms, s.basic = append(s.forms, r.PostForm), append(s.basic, user+":"+password)
	s.proofs = append(s.proofs, r.Header.Get("DPoP"))
	hold := s.hold
	s.mu.Unlock()
	if hold != nil {
		s.begun <- struct{}{}
		<-hold
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range s.header {
		w.Header().Set(name, v)
	}
	answer := map[string]any{
		"access_token": fmt.Sprintf("token-%d", len(s.forms)), "token_type": "Bearer", "expires_in": 600, "scope": all,
	}
	for name, v := range s.answer {
		if answer[name] = v; v == nil {
			delete(answer, name)
		}
	}
	if proof := r.Header.Get("DPoP"); proof != "" && !strings.Contains(claims(s.t, proof), `"nonce":"n-1"`) {
		w.Header().Set("DPoP-Nonce", "n-1")
		w.WriteHeader(http.StatusBadRequest)
		s.write(w, map[string]any{"error": "use_dpop_nonce"})
		return
	}
	if s.status != 0 {
		w.WriteHeader(s.status)
	}
	s.write(w, answer)
}

func (s *tenant) write(w http.ResponseWriter, v any) {
	if err := json.NewEncoder(w).Encode(v); err != nil {
		s.t.Error(err)
	}
}

// refuse makes token requests fail with an OAuth error, until the empty one.
func (s *tenant) refuse(status int, code string) {
	s.set(func() {
		if s.status, s.answer = status, nil; code != "" {
			s.answer = map[string]any{"error": code, "error_description": "because of " + secret, "access_token": nil}
		}
	})
}

func (s *tenant) source(change ...func(*servicetoken.Config)) *servicetoken.Source {
	s.t.Helper()
	transport := &http.Transport{}
	s.t.Cleanup(transport.CloseIdleConnections)
	c := servicetoken.Config{
		Issuer: issuer.New(issuer.Config{Issuer: s.url, Transport: transport, Timeout: time.Minute, Now: s.Now}), ClientID: clientID,
		Secret: secret, Audience: audience, Now: s.Now, Log: slog.New(slog.NewTextHandler(&s.log, nil)),
	}
	for _, f := range change {
		f(&c)
	}
	return servicetoken.New(c)
}

// get returns the token, and fails the test if there is none.
func (s *tenant) get(src *servicetoken.Source, refused string) string {
	s.t.Helper()
	got, err := src.Token(s.t.Context(), refused)
	if err != nil {
		s.t.Fatalf("token: %v", err)
	}
	return got.Token
}
