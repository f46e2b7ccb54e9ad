package clienttests

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
)

// client trusts the server's local authority, if there is one.
func (s *server) client(t testing.TB) *http.Client {
	t.Helper()
	if !strings.HasPrefix(s.Tenant, "https:") {
		return http.DefaultClient
	}
	b, err := os.ReadFile(s.authority())
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(b)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}}
}

// manage calls the management API as the machine client and returns its answer.
func (s *server) manage(t testing.TB, method, path, body string) map[string]any {
	t.Helper()
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {s.Client.ID}, "client_secret": {s.Client.Secret}, "audience": {"/api/v2/"},
	}
	token := s.send(t, http.MethodPost, s.Tenant+"/oauth/token", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	access, _ := token["access_token"].(string)
	return s.send(t, method, s.Tenant+"/api/v2"+path, body, "Content-Type", "application/json", "Authorization", "Bearer "+access)
}

// send sends a request that must succeed and returns the object of its answer.
func (s *server) send(t testing.TB, method, address, body string, header ...string) map[string]any {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := s.client(t).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil || res.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %d %s", method, address, res.StatusCode, b)
	}
	return m
}

// application creates an application whose body is an object with these members, and returns its ID and secret.
func (s *server) application(t testing.TB, members string) (id, secret string) {
	t.Helper()
	m := s.manage(t, http.MethodPost, "/clients", "{"+members+"}")
	id, _ = m["client_id"].(string)
	secret, _ = m["client_secret"].(string)
	return id, secret
}

// matches reports whether a text matches a pattern in which a dot also matches a line break.
func matches(t testing.TB, pattern, text string) bool {
	t.Helper()
	return regexp.MustCompile("(?s)" + pattern).MatchString(text)
}
