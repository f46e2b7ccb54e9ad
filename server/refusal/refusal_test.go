package refusal_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/refusal"
)

func TestKinds(t *testing.T) {
	for _, x := range []struct {
		code, words          string
		authorization, token refusal.Kind
	}{
		{"invalid_scope", "One of the scopes is not known.", refusal.Scope, refusal.Scope},
		{"invalid_request", "Scope read:forms is malformed", refusal.Scope, refusal.Scope},
		{"access_denied", "Service not found: https://x.example/api/v2/", refusal.Audience, refusal.Audience},
		{"access_denied", `Client "x" is not authorized to access resource server "y"`, refusal.Audience, refusal.Audience},
		{"unauthorized_client", "Client has not been granted the audience", refusal.Audience, refusal.Audience},
		{"invalid_target", "", refusal.Audience, refusal.Audience},
		{"unauthorized_client", "Callback URL mismatch. https://x.example is not in the list", refusal.Callback, refusal.Callback},
		{"invalid_request", "The redirect_uri MUST match", refusal.Callback, refusal.Callback},
		{"invalid_grant", "The redirect URI is wrong", refusal.Callback, refusal.Callback},
		{"invalid_grant", "Invalid authorization code", refusal.Denied, refusal.Code},
		{"invalid_request", "Unknown client: x", refusal.Client, refusal.Client},
		{"invalid_client", "", refusal.Client, refusal.Client},
		{"access_denied", "Unauthorized", refusal.Denied, refusal.Client},
		{"access_denied", "The resource owner denied the requested scopes", refusal.Denied, refusal.Client},
		{"unauthorized_client", "Grant type 'authorization_code' not allowed", refusal.Grant, refusal.Grant},
		{"unsupported_response_type", "", refusal.Grant, refusal.Grant},
		{"unsupported_grant_type", "", refusal.Grant, refusal.Grant},
		{"invalid_request", "Something is missing", refusal.Request, refusal.Request},
		{"server_error", "", refusal.Unavailable, refusal.Unavailable},
		{"temporarily_unavailable", "", refusal.Unavailable, refusal.Unavailable},
		{"login_required", "", refusal.Silent, refusal.Unavailable},
		{"a_new_code", "redirect_uri", refusal.Denied, refusal.Unavailable},
		{"", "", refusal.Denied, refusal.Unavailable},
	} {
		if got := refusal.OfAuthorization(x.code, x.words); got != x.authorization {
			t.Errorf("authorization: %s %q: %s, want %s", x.code, x.words, got, x.authorization)
		}
		if got := refusal.OfToken(x.code, x.words); got != x.token {
			t.Errorf("token: %s %q: %s, want %s", x.code, x.words, got, x.token)
		}
	}
}

func TestRemediesNameWhatWasSent(t *testing.T) {
	user := refusal.Sent{
		Issuer: "https://t.example/", ClientID: "c-1", Callback: "https://e.example/bff/callback", Audience: "https://t.example/api/v2/",
		Scopes: []string{"openid", "read:forms"},
	}
	service := user
	service.Audience, service.Scopes = "", []string{"openid"}
	for k, want := range map[refusal.Kind][2][]string{
		refusal.Scope:    {{"openid read:forms", user.Audience, "c-1", "--management-auth client"}, {"openid", "c-1"}},
		refusal.Audience: {{user.Audience, "--audience", "c-1"}, {"no audience", "c-1", "not matter"}},
		refusal.Callback: {{user.Callback, "c-1", "--public-url"}, {user.Callback}},
		refusal.Client:   {{"c-1", "--client-secret", user.Issuer}, {"not the service client"}},
		refusal.Grant:    {{"refresh_token", "authorization_code"}, {"authorization_code"}},
		refusal.Request:  {{"c-1", user.Callback}, {"c-1"}},
	} {
		for i, s := range []refusal.Sent{user, service} {
			detail, remedy := s.Explain(k)
			if detail == "" || strings.Contains(remedy, "  ") {
				t.Errorf("%s: %q %q", k, detail, remedy)
			}
			for _, word := range want[i] {
				if !strings.Contains(remedy, word) {
					t.Errorf("%s: the remedy does not name %s: %s", k, word, remedy)
				}
			}
		}
		if _, remedy := service.Explain(k); strings.Contains(remedy, "--management-auth") || strings.Contains(remedy, "refresh_token") {
			t.Errorf("%s with a service client: %s", k, remedy)
		}
	}
	for _, k := range []refusal.Kind{refusal.Denied, refusal.Silent, refusal.Code, refusal.Unavailable} {
		if detail, remedy := user.Explain(k); detail == "" || remedy != "" {
			t.Errorf("%s: %q %q", k, detail, remedy)
		}
	}
}
