package authz

import (
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/dpop"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/cors"
	"github.com/formgraph/formgraph/server/tenant/signer"
)

// discoveryAge is how long clients may cache metadata and keys. It is short, so that they see a new key while a person signs in.
const discoveryAge = "public, max-age=60"

// publish serves the metadata and the keys of an address. Pages of every origin may read them.
func publish(mux *http.ServeMux, issuer string, grants []string, s *signer.Signer) {
	document := func(path string, content func() any) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			cors.Any(w.Header())
			w.Header().Set("Cache-Control", discoveryAge)
			oauth.WriteJSON(w, http.StatusOK, content())
		})
		mux.HandleFunc("OPTIONS "+path, cors.PreflightAny)
	}
	m := metadataOf(issuer, grants)
	document("/.well-known/openid-configuration", func() any { return m })
	document("/.well-known/oauth-authorization-server", func() any { return m })
	document("/.well-known/jwks.json", func() any { return s.JWKS() })
}

// metadataOf returns the metadata of an address whose token endpoint has the grants. It lists only what exists. OpenID Connect Discovery,
// section 3; RFC 8414, section 2.
func metadataOf(issuer string, grants []string) map[string]any {
	grants = append(grants, request.Implicit) // it belongs to the authorization endpoint alone
	slices.Sort(grants)
	auth := []string{"client_secret_basic", "client_secret_post", "none"}
	return map[string]any{
		"issuer":                                issuer,
		"authorization_endpoint":                issuer + "/authorize",
		"token_endpoint":                        issuer + "/oauth/token",
		"userinfo_endpoint":                     issuer + "/userinfo",
		"jwks_uri":                              issuer + "/.well-known/jwks.json",
		"revocation_endpoint":                   issuer + "/oauth/revoke",
		"end_session_endpoint":                  issuer + "/oidc/logout",
		"pushed_authorization_request_endpoint": issuer + "/oauth/par", // RFC 9126, section 5
		"response_types_supported":              []string{"code", "id_token"},
		"response_modes_supported":              []string{"query", "form_post"},
		"grant_types_supported":                 grants,
		"subject_types_supported":               []string{"public"},
		"id_token_signing_alg_values_supported": []string{"RS256"},
		"scopes_supported":                      access.IdentityScopes(),
		"claims_supported": []string{
			"iss", "sub", "aud", "azp", "iat", "exp", "auth_time", "acr", "amr", "nonce", "sid", "at_hash", "name", "email",
			"email_verified",
		},
		"token_endpoint_auth_methods_supported":          auth,
		"revocation_endpoint_auth_methods_supported":     auth,
		"acr_values_supported":                           oauth.ACRs(),
		"code_challenge_methods_supported":               []string{"S256"},
		"dpop_signing_alg_values_supported":              []string{string(dpop.Algorithm)}, // RFC 9449, section 5.1
		"prompt_values_supported":                        []string{"none", "login", "consent"},
		"authorization_response_iss_parameter_supported": true, // RFC 9207
		"backchannel_logout_supported":                   true, // OpenID Connect Back-Channel Logout, section 2.1
		"backchannel_logout_session_supported":           true,
		"require_pushed_authorization_requests":          false, // not for every client; some may require it
		"request_parameter_supported":                    false,
		"request_uri_parameter_supported":                false,
		"claims_parameter_supported":                     false,
		"require_request_uri_registration":               false,
	}
}
