package issuer_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/issuer"
)

// server returns an authorization server with this metadata, and a count of its calls.
func server(t *testing.T, meta map[string]any, signIn bool) (s *issuer.Server, calls *int) {
	t.Helper()
	calls = new(int)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*calls++
		w.Header().Set("Content-Type", "application/json")
		if meta["issuer"] == nil {
			meta["issuer"] = "http://" + r.Host
		}
		if err := json.NewEncoder(w).Encode(meta); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	return issuer.New(issuer.Config{
		Issuer: srv.URL, Transport: http.DefaultTransport, Timeout: time.Minute, SignIn: signIn,
		Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) },
	}), calls
}

// A request for metadata to a server that is silent or slow times out, and the next caller tries again.
func TestSlowMetadata(t *testing.T) {
	for name, part := range map[string]string{"silent": "", "headers": "\n", "part": `{"issuer":`} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := &slow{part: part}
				s := issuer.New(issuer.Config{Issuer: "https://tenant.example", Transport: server, Timeout: time.Minute, Now: time.Now})
				for n := 1; n <= 2; n++ {
					began := time.Now()
					if m, err := s.Metadata(t.Context()); err == nil || errors.Is(err, issuer.ErrMisconfigured) || time.Since(began) != time.Minute {
						t.Errorf("got %v, %v after %v", m, err, time.Since(began))
					}
					if server.asked != n {
						t.Errorf("asked %d times, want %d", server.asked, n)
					}
				}
			})
		})
	}
}

// slow is a server that answers with a part of a document and then sends nothing. With no part, it sends no header either.
type slow struct {
	part  string
	asked int
}

func (s *slow) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked++
	if s.part == "" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	w := httptest.NewRecorder()
	_, _ = w.WriteString(s.part)
	res := w.Result()
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(res.Body, silence{r.Context()}), res.Body}
	return res, nil
}

// silence is the rest of an answer that does not come.
type silence struct{ until context.Context }

func (s silence) Read([]byte) (int, error) {
	<-s.until.Done()
	return 0, s.until.Err()
}

func TestMetadata(t *testing.T) {
	const token = "https://login.example/token"
	for _, tt := range []struct {
		name   string
		meta   map[string]any
		signIn bool
		fault  string
	}{
		{"token endpoint alone", map[string]any{"token_endpoint": token}, false, ""},
		{"sign-in without its endpoint", map[string]any{"token_endpoint": token}, true, "authorization_endpoint"},
		{"no token endpoint", map[string]any{}, false, "token_endpoint"},
		{"http", map[string]any{"token_endpoint": "http://login.example/token"}, false, "token_endpoint"},
		{"user info over http", map[string]any{"token_endpoint": token, "userinfo_endpoint": "http://x.example/"}, false, "userinfo_endpoint"},
		{"another issuer", map[string]any{"issuer": "https://other.example", "token_endpoint": token}, false, "https://other.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, calls := server(t, tt.meta, tt.signIn)
			m, err := s.Metadata(t.Context())
			switch {
			case tt.fault == "" && (err != nil || m.Token != token):
				t.Errorf("got %v, %v", m, err)
			case tt.fault != "" && (!errors.Is(err, issuer.ErrMisconfigured) || !strings.Contains(err.Error(), tt.fault)):
				t.Errorf("error %v does not name %s", err, tt.fault)
			}
			if *calls != 1 {
				t.Errorf("%d calls", *calls)
			}
			if again, err := s.Metadata(t.Context()); tt.fault == "" && (err != nil || again != m || *calls != 1) {
				t.Errorf("again: %v, %v after %d calls", again, err, *calls)
			}
		})
	}
}

func TestClientSecretIsSentAsTheMetadataSays(t *testing.T) {
	for _, tt := range []struct {
		methods []string
		want    oauth2.AuthStyle
	}{
		{nil, oauth2.AuthStyleInHeader}, // OpenID Connect Discovery 1.0, section 3
		{[]string{"client_secret_post", "client_secret_basic"}, oauth2.AuthStyleInHeader},
		{[]string{"client_secret_post"}, oauth2.AuthStyleInParams},
	} {
		if got := (&issuer.Metadata{TokenAuth: tt.methods}).Endpoint().AuthStyle; got != tt.want {
			t.Errorf("%v: style %v, want %v", tt.methods, got, tt.want)
		}
	}
}

func TestClaimedScopes(t *testing.T) {
	jwt := func(body string) string {
		enc := base64.RawURLEncoding.EncodeToString
		return enc([]byte(`{"alg":"RS256"}`)) + "." + enc([]byte(body)) + "." + enc([]byte("sig"))
	}
	for _, tt := range []struct {
		token string
		want  []string
		ok    bool
	}{
		{"opaque", nil, false},
		{jwt(`{"sub":"x"}`), nil, false},
		{jwt(`{"scope":"b a"}`), []string{"a", "b"}, true},
		{jwt(`{"scope":""}`), nil, true},
		{jwt(`{"scope":["a","b",1]}`), []string{"a", "b"}, true},
		{jwt(`{"scope":"a openid","permissions":["a","b"]}`), []string{"a", "b", "openid"}, true},
		{jwt(`{"permissions":[]}`), nil, true},
		{jwt(`{"scope":7}`), nil, false},
		{jwt(`{"scope":"` + strings.Repeat("a", 64<<10) + `"}`), nil, false},
	} {
		if got, ok := issuer.ClaimedScopes(tt.token); ok != tt.ok || !slices.Equal(got, tt.want) {
			t.Errorf("%.60s: got %v, %v", tt.token, got, ok)
		}
	}
}
