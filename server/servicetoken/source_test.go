package servicetoken_test

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/servicetoken"
	"github.com/formgraph/formgraph/server/upstream"
)

func TestTokenRequest(t *testing.T) {
	for _, tt := range []struct {
		methods []string
		basic   string
		secret  string
	}{
		{nil, "service:s3cret%26value", ""}, // RFC 6749, section 2.3.1: form-encoded first
		{[]string{"client_secret_post"}, ":", secret},
	} {
		s := newTenant(t)
		s.methods = tt.methods
		if got := s.get(s.source(), ""); got != "token-1" {
			t.Errorf("token %q", got)
		}
		f := s.forms[0]
		if f.Get("grant_type") != "client_credentials" || f.Get("audience") != audience ||
			f.Get("scope") != "read:forms create:forms update:forms delete:forms read:flows" {
			t.Errorf("%v: request %v", tt.methods, f)
		}
		if s.basic[0] != tt.basic || f.Get("client_secret") != tt.secret {
			t.Errorf("%v: client %q, form %v", tt.methods, s.basic[0], f)
		}
	}
}

func TestTokenIsRenewedBeforeItsEnd(t *testing.T) {
	for _, tt := range []struct {
		life  any
		until time.Duration // when it is renewed
	}{
		{600, 9 * time.Minute},
		{"600", 9 * time.Minute},
		{120, time.Minute},
		{100, 50 * time.Second},
		{nil, 4 * time.Minute},
		{0, 4 * time.Minute},
		{-1, 4 * time.Minute},
		{1e18, 24*time.Hour - time.Minute},
	} {
		s := newTenant(t)
		s.answer = map[string]any{"expires_in": tt.life}
		src := s.source()
		first := s.get(src, "")
		s.move(tt.until - time.Second)
		if got := s.get(src, ""); got != first || s.asked() != 1 {
			t.Errorf("%v: %q after %d requests", tt.life, got, s.asked())
		}
		s.move(time.Second)
		if got := s.get(src, ""); got != "token-2" || s.asked() != 2 {
			t.Errorf("%v: %q after %d requests", tt.life, got, s.asked())
		}
	}
}

func TestOneRequestForAllCallers(t *testing.T) {
	s := newTenant(t)
	s.hold = make(chan struct{})
	src := s.source()
	// The first caller leaves while its request is under way.
	leaving, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { _, err := src.Token(leaving, ""); left <- err }()
	<-s.begun
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that left got %v", err)
	}
	var wait sync.WaitGroup
	got := make([]upstream.Credential, 50)
	for i := range got {
		wait.Go(func() { got[i], _ = src.Token(t.Context(), "") })
	}
	close(s.hold)
	wait.Wait()
	if got = slices.Compact(got); len(got) != 1 || got[0].Token != "token-1" || s.asked() != 1 {
		t.Errorf("%v after %d requests", got, s.asked())
	}
}

func TestRefusedTokenIsReplacedOnce(t *testing.T) {
	s := newTenant(t)
	src := s.source()
	first := s.get(src, "")
	s.move(2 * time.Second)
	second := s.get(src, first)
	if second == first || s.get(src, first) != second || s.asked() != 2 {
		t.Errorf("%q then %q after %d requests", first, second, s.asked())
	}
	// An API that refuses the new token at once would refuse the next one as well.
	if _, err := src.Token(t.Context(), second); !errors.Is(err, servicetoken.ErrClient) || s.asked() != 2 {
		t.Errorf("got %v after %d requests", err, s.asked())
	}
}

func TestFailureIsRememberedForAMoment(t *testing.T) {
	s := newTenant(t)
	src := s.source()
	s.refuse(503, "temporarily_unavailable")
	for range 20 {
		if _, err := src.Token(t.Context(), ""); !errors.Is(err, servicetoken.ErrUnavailable) {
			t.Fatalf("got %v", err)
		}
	}
	if s.asked() != 1 {
		t.Errorf("%d requests", s.asked())
	}
	s.refuse(0, "")
	s.move(time.Second)
	if got := s.get(src, ""); got != "token-2" {
		t.Errorf("token %q", got)
	}
	// While the old token is valid, a failed renewal disturbs nobody.
	s.move(9*time.Minute + 30*time.Second)
	s.refuse(500, "server_error")
	if got := s.get(src, ""); got != "token-2" || s.asked() != 3 {
		t.Errorf("token %q after %d requests", got, s.asked())
	}
	if got := s.get(src, ""); got != "token-2" || s.asked() != 3 {
		t.Errorf("token %q after %d requests", got, s.asked())
	}
	s.move(30 * time.Second)
	if _, err := src.Token(t.Context(), ""); !errors.Is(err, servicetoken.ErrUnavailable) {
		t.Errorf("after its end: %v", err)
	}
}

func TestPauseThatTheTenantAsksFor(t *testing.T) {
	s := newTenant(t)
	s.header = map[string]string{"Retry-After": "30"}
	s.refuse(429, "too_many_requests")
	src := s.source()
	_ = src.Check(t.Context())
	s.move(29 * time.Second)
	if err := src.Check(t.Context()); !errors.Is(err, servicetoken.ErrUnavailable) || s.asked() != 1 {
		t.Errorf("%v after %d requests", err, s.asked())
	}
	s.refuse(0, "")
	s.move(time.Second)
	if err := src.Check(t.Context()); err != nil || s.asked() != 2 {
		t.Errorf("%v after %d requests", err, s.asked())
	}
}

// jwt is an access token with these claims.
func jwt(claims string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"RS256"}`)) + "." + enc([]byte(claims)) + "." + enc([]byte("sig"))
}

func TestScopesOfTheToken(t *testing.T) {
	for _, tt := range []struct {
		name, access string
		scope        any
		want         string // what people may do; "" for an error
		fault        error
		says         string // in the error or the log
	}{
		{"all", "", all, all, nil, ""},
		{"none named", "", nil, all, nil, ""},
		{"without flows", "", "read:forms update:forms", "read:forms update:forms", nil, "read:flows"},
		{"extra reads", "", all + " read:users read:clients", all + " read:users read:clients", nil, "read:users"},
		{"extra of flows", "", all + " update:flows", all + " update:flows", nil, "update:flows"},
		{"identity", "", all + " openid", all + " openid", nil, ""},
		{"claim scope", jwt(`{"scope":"read:forms"}`), nil, "read:forms", nil, "create:forms"},
		{"claim scope as a list", jwt(`{"scope":["read:forms"]}`), nil, "read:forms", nil, "create:forms"},
		{"claim permissions", jwt(`{"permissions":["read:flows","read:forms"]}`), nil, "read:flows read:forms", nil, "create:forms"},
		{"the answer beats the claim", jwt(`{"scope":"read:forms"}`), all, all, nil, ""},
		{"no read:forms", "", "update:forms read:flows", "", servicetoken.ErrReadForms, "lacks read:forms"},
		{"client grants", "", all + " create:client_grants", "", servicetoken.ErrPowers, "create:client_grants"},
		{"several powers", "", all + " update:users delete:actions", "", servicetoken.ErrPowers, "update:users delete:actions"},
		{"secrets of clients", "", all + " read:client_keys", "", servicetoken.ErrPowers, "read:client_keys"},
		{"unknown family", "", all + " update:future_things", "", servicetoken.ErrPowers, "update:future_things"},
		{"word without a family", "", all + " admin", "", servicetoken.ErrPowers, "admin"},
		{"power in a claim", jwt(`{"permissions":["read:forms","update:clients"]}`), nil, "", servicetoken.ErrPowers, "update:clients"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newTenant(t)
			s.answer = map[string]any{"scope": tt.scope}
			if tt.access != "" {
				s.answer["access_token"] = tt.access
			}
			src := s.source()
			if got := strings.Join(src.Scopes(), " "); got != all {
				t.Errorf("before the first token: %s", got)
			}
			err := src.Check(t.Context())
			if !errors.Is(err, tt.fault) || tt.fault == nil && err != nil {
				t.Fatalf("error %v, want %v", err, tt.fault)
			}
			if tt.fault != nil {
				if !strings.Contains(err.Error(), tt.says) {
					t.Errorf("error %q does not name %s", err, tt.says)
				}
				return
			}
			if got := strings.Join(src.Scopes(), " "); got != tt.want {
				t.Errorf("scopes %s, want %s", got, tt.want)
			}
			if got := s.log.String(); (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
				t.Errorf("log %q, want %q", got, tt.says)
			}
		})
	}
}

func TestDangerousTokenIsNeverUsed(t *testing.T) {
	s := newTenant(t)
	src := s.source()
	s.get(src, "")
	s.set(func() { s.answer = map[string]any{"scope": all + " update:clients"} })
	s.move(9 * time.Minute) // the old token is still valid
	for range 2 {
		if got, err := src.Token(t.Context(), ""); !errors.Is(err, servicetoken.ErrPowers) {
			t.Fatalf("got %v, %v", got, err)
		}
	}
	s.set(func() { s.answer = nil })
	s.move(time.Second)
	if got := s.get(src, ""); got != "token-3" {
		t.Errorf("after the tenant was corrected: %q", got)
	}
}

func TestWarningIsGivenOnce(t *testing.T) {
	s := newTenant(t)
	s.answer = map[string]any{"scope": all + " read:users"}
	src := s.source()
	for range 3 {
		s.get(src, "")
		s.move(time.Hour)
	}
	if n := strings.Count(s.log.String(), "read:users"); n != 1 || s.asked() != 3 {
		t.Errorf("%d warnings for %d tokens: %s", n, s.asked(), s.log.String())
	}
}

func TestScopeThatIsGrantedLaterIsSoonFound(t *testing.T) {
	s := newTenant(t)
	s.answer = map[string]any{"expires_in": 86400, "scope": "read:forms read:flows read:users read:clients read:actions"}
	src := s.source()
	s.get(src, "")
	s.set(func() { s.answer = map[string]any{"expires_in": 86400} })
	s.move(5 * time.Minute)
	if s.get(src, ""); !src.Holds("update:forms") {
		t.Errorf("scopes %v", src.Scopes())
	}
}

func TestErrorsNameTheRemedyAndNoSecret(t *testing.T) {
	for _, tt := range []struct {
		status     int
		code, says string
		is         error
	}{
		{401, "invalid_client", "--management-client-id", servicetoken.ErrClient},
		{401, "", "--management-client-id", servicetoken.ErrClient},
		{403, "unauthorized_client", "client_credentials", servicetoken.ErrClient},
		{403, "access_denied", audience, servicetoken.ErrClient},
		{400, "invalid_scope", "read:forms", servicetoken.ErrClient},
		{500, "server_error", "500", servicetoken.ErrUnavailable},
		{200, "", "", servicetoken.ErrUnavailable}, // without a token
	} {
		s := newTenant(t)
		s.refuse(tt.status, cmp.Or(tt.code, "x"))
		if tt.code == "" {
			s.answer = map[string]any{"access_token": nil, "note": secret}
		}
		err := s.source().Check(t.Context())
		if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%d %s: %v", tt.status, tt.code, err)
		}
		if text := err.Error() + s.log.String(); strings.Contains(text, secret) {
			t.Errorf("%d %s: the secret is in %s", tt.status, tt.code, text)
		}
	}
}

func TestOtherTokenTypesAreRefused(t *testing.T) {
	s := newTenant(t)
	s.answer = map[string]any{"token_type": "DPoP"}
	if err := s.source().Check(t.Context()); !errors.Is(err, servicetoken.ErrClient) || !strings.Contains(err.Error(), "DPoP") {
		t.Errorf("got %v", err)
	}
}

func TestLearnedScopes(t *testing.T) {
	s := newTenant(t)
	src := s.source()
	s.get(src, "")
	has := func() bool { return slices.Contains(src.Scopes(), "delete:forms") }
	src.Learn("delete:forms", false)
	src.Learn("delete:forms", false)
	if has() || !src.Holds("delete:forms") || !slices.Contains(src.Scopes(), "update:forms") {
		t.Errorf("scopes %v after a refusal", src.Scopes())
	}
	if src.Learn("delete:forms", true); !has() {
		t.Error("still missing after the API accepted it")
	}
	src.Learn("delete:forms", false)
	s.move(time.Hour)
	if s.get(src, ""); !has() {
		t.Error("still missing with a new token")
	}
}
