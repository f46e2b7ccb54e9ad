package access_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/tenant/access"
)

func TestDomain(t *testing.T) {
	const here, login = "http://localhost:8081", "http://login.localhost:8081"
	alone := access.Domain{Issuer: here, Canonical: here}
	canonical := access.Domain{Issuer: here, Canonical: here, Other: login}
	custom := access.Domain{Issuer: login, Canonical: here, Other: here}
	for _, tt := range []struct {
		domain               access.Domain
		audience, identifier string // "" for none
	}{
		{alone, here + "/me/", here + "/me/"},
		{alone, login + "/me/", login + "/me/"},
		{alone, "/me/", "/me/"},
		{canonical, here + "/me/", here + "/me/"},
		{canonical, here + "/api/v2/", here + "/api/v2/"},
		{canonical, here + "/userinfo", here + "/userinfo"},
		{canonical, login + "/me/", ""},
		{canonical, login + "/api/v2/", ""},
		{canonical, login + "/userinfo", ""},
		{canonical, login + "/orders", login + "/orders"},
		{canonical, "urn:orders", "urn:orders"},
		{custom, login + "/me/", here + "/me/"},
		{custom, login + "/api/v2/", here + "/api/v2/"},
		{custom, login + "/userinfo", here + "/userinfo"},
		{custom, login + "/me", login + "/me"},
		{custom, here + "/me/", ""},
		{custom, here + "/api/v2/", ""},
		{custom, here + "/userinfo", ""},
		{custom, "urn:orders", "urn:orders"},
	} {
		got, ok := tt.domain.Identifier(tt.audience)
		if got != tt.identifier || ok != (tt.identifier != "") {
			t.Errorf("at %s %s is %q, %v, want %q", tt.domain.Issuer, tt.audience, got, ok, tt.identifier)
		}
		if ok && tt.domain.Audience(got) != tt.audience {
			t.Errorf("at %s %s comes back as %s", tt.domain.Issuer, tt.audience, tt.domain.Audience(got))
		}
	}
	if alone.Key() != "" || canonical.Key() != "" || custom.Key() != login {
		t.Errorf("keys %q, %q, %q, want the custom one's address alone", alone.Key(), canonical.Key(), custom.Key())
	}
}
