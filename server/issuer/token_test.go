package issuer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/issuer"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// binder is a token endpoint whose nonces are each good for uses proofs; 0 requires none.
type binder struct {
	t       *testing.T
	url     string
	uses    int
	checker dpop.Checker

	mu     sync.Mutex
	nonces map[string]int
	forms  []string
	keys   []string // of accepted proofs; "" for none
}

var errNonce = errors.New("nonce")

func newBinder(t *testing.T, uses int) (*binder, *issuer.Server) {
	t.Helper()
	b := &binder{t: t, uses: uses, nonces: map[string]int{}}
	b.checker = dpop.Checker{
		Now: func() time.Time { return start }, Seen: &dpop.Memory{}, Past: time.Minute, Future: time.Minute,
		Nonce: func(nonce string) error {
			if b.uses > 0 && b.nonces[nonce] == 0 {
				return errNonce
			}
			b.nonces[nonce]--
			return nil
		},
	}
	srv := httptest.NewServer(b)
	t.Cleanup(srv.Close)
	b.url = srv.URL
	return b, issuer.New(issuer.Config{
		Issuer: srv.URL, Transport: http.DefaultTransport, Timeout: time.Minute, Now: func() time.Time { return start },
	})
}

func (b *binder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forms = append(b.forms, string(body))
	w.Header().Set("Content-Type", "application/json")
	var key string
	if proofs := r.Header.Values("DPoP"); len(proofs) > 0 {
		key, err = b.checker.Check(r.Context(), strings.Join(proofs, ","), r.Method, b.url+"/token", "")
	}
	switch {
	case errors.Is(err, errNonce):
		nonce := fmt.Sprint("nonce-", len(b.forms))
		b.nonces[nonce] = b.uses
		w.Header().Set("DPoP-Nonce", nonce)
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"use_dpop_nonce"}`)
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":"invalid_dpop_proof"}`)
	default:
		b.keys = append(b.keys, key)
		_, _ = io.WriteString(w, `{"access_token":"a","token_type":"DPoP"}`)
	}
}

// ask exchanges a code, which is another one in each request.
func (b *binder) ask(ctx context.Context, s *issuer.Server, key *dpop.Key) error {
	tries := 0
	_, err := s.Token(ctx, key, func(ctx context.Context) (*oauth2.Token, error) {
		tries++
		c := oauth2.Config{ClientID: "c", Endpoint: oauth2.Endpoint{TokenURL: b.url + "/token?tenant=1", AuthStyle: oauth2.AuthStyleInParams}}
		return c.Exchange(ctx, fmt.Sprint("code-", tries))
	})
	return err
}

func newKey(t *testing.T) *dpop.Key {
	t.Helper()
	k, err := dpop.NewKey()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestTokenRequestsAreProved(t *testing.T) {
	for name, x := range map[string]struct {
		uses     int
		requests []int // after each of three
	}{
		"no nonce":             {0, []int{1, 2, 3}},
		"nonce":                {10, []int{2, 3, 4}},
		"a nonce for each":     {1, []int{2, 4, 6}},
		"a nonce for each two": {2, []int{2, 3, 5}},
	} {
		t.Run(name, func(t *testing.T) {
			b, s := newBinder(t, x.uses)
			key := newKey(t)
			for i, want := range x.requests {
				if err := b.ask(t.Context(), s, key); err != nil || len(b.forms) != want {
					t.Errorf("request %d: %v after %d in all, want %d", i, err, len(b.forms), want)
				}
			}
			if want := slices.Repeat([]string{key.Thumbprint()}, 3); !slices.Equal(b.keys, want) {
				t.Errorf("keys %q, want %q", b.keys, want)
			}
			if x.uses == 1 && (!strings.Contains(b.forms[0], "code-1") || !strings.Contains(b.forms[1], "code-2")) {
				t.Errorf("the second request was not made anew: %q", b.forms)
			}
		})
	}
}

func TestTokenRequestsWithoutAKey(t *testing.T) {
	b, s := newBinder(t, 10)
	if err := b.ask(t.Context(), s, nil); err != nil || !slices.Equal(b.keys, []string{""}) {
		t.Errorf("%v, keys %q", err, b.keys)
	}
}

func TestManyTokenRequestsWithoutANonce(t *testing.T) {
	b, s := newBinder(t, 100)
	var wait sync.WaitGroup
	for range 20 {
		key := newKey(t)
		wait.Go(func() {
			if err := b.ask(t.Context(), s, key); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// A server that refuses each nonce, or the proof itself, is not asked again and again.
func TestRefusedTokenRequestsEnd(t *testing.T) {
	b, s := newBinder(t, 1)
	b.checker.Nonce = func(string) error { return errNonce }
	if err := b.ask(t.Context(), s, newKey(t)); !issuer.Refused(err, "use_dpop_nonce") || len(b.forms) != 2 {
		t.Errorf("%v after %d requests", err, len(b.forms))
	}
	b.checker.Nonce = func(string) error { return dpop.ErrProof }
	if err := b.ask(t.Context(), s, newKey(t)); !issuer.Refused(err, "invalid_dpop_proof") || len(b.forms) != 3 {
		t.Errorf("%v after %d requests", err, len(b.forms))
	}
}

func TestOfferOfDPoP(t *testing.T) {
	for _, x := range []struct {
		algorithms []string
		want       bool
	}{{nil, false}, {[]string{}, false}, {[]string{"RS256", "EdDSA"}, false}, {[]string{"RS256", "ES256"}, true}} {
		s, _ := server(t, map[string]any{
			"token_endpoint": "https://login.example/token", "dpop_signing_alg_values_supported": x.algorithms,
		}, false)
		if m, err := s.Metadata(t.Context()); err != nil || m.OffersDPoP() != x.want {
			t.Errorf("%v: %v, %v", x.algorithms, m, err)
		}
	}
}
