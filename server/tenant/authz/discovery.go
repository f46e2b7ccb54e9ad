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

// metadata is the metadata document of both standards. OpenID Connect Discovery, section 3; RFC 8414, section 2.
// It names what exists and nothing else.
type metadata struct {
	Issuer                 string   `json:"issuer"`
	Authorization          string   `json:"authorization_endpoint"`
	Token                  string   `json:"token_endpoint"`
	UserInfo               string   `json:"userinfo_endpoint"`
	JWKS                   string   `json:"jwks_uri"`
	Revocation             string   `json:"revocation_endpoint"`
	EndSession             string   `json:"end_session_endpoint"`
	Pushed                 string   `json:"pushed_authorization_request_endpoint"` // RFC 9126, section 5
	ResponseTypes          []string `json:"response_types_supported"`
	ResponseModes          []string `json:"response_modes_supported"`
	GrantTypes             []string `json:"grant_types_supported"`
	SubjectTypes           []string `json:"subject_types_supported"`
	IDTokenAlgorithms      []string `json:"id_token_signing_alg_values_supported"`
	Scopes                 []string `json:"scopes_supported"`
	Claims                 []string `json:"claims_supported"`
	TokenAuth              []string `json:"token_endpoint_auth_methods_supported"`
	RevocationAuth         []string `json:"revocation_endpoint_auth_methods_supported"`
	ACRs                   []string `json:"acr_values_supported"`
	ChallengeMethods       []string `json:"code_challenge_methods_supported"`
	ProofAlgorithms        []string `json:"dpop_signing_alg_values_supported"` // RFC 9449, section 5.1
	Prompts                []string `json:"prompt_values_supported"`
	IssuerParameter        bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207
	LogoutChannel          bool     `json:"backchannel_logout_supported"`                   // OpenID Connect Back-Channel Logout, section 2.1
	LogoutSession          bool     `json:"backchannel_logout_session_supported"`
	RequirePushed          bool     `json:"require_pushed_authorization_requests"` // of every client; of some it may be required
	RequestParameter       bool     `json:"request_parameter_supported"`
	RequestURIParameter    bool     `json:"request_uri_parameter_supported"`
	ClaimsParameter        bool     `json:"claims_parameter_supported"`
	RequireRequestRegister bool     `json:"require_request_uri_registration"`
}

// discoveryAge is how long clients may cache metadata and keys: so short that they see new keys while a person signs in.
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

// metadataOf returns the metadata of an address, whose token endpoint has the grants.
func metadataOf(issuer string, grants []string) metadata {
	grants = append(grants, request.Implicit) // which belongs to the authorization endpoint alone
	slices.Sort(grants)
	auth := []string{"client_secret_basic", "client_secret_post", "none"}
	return metadata{
		Issuer:            issuer,
		Authorization:     issuer + "/authorize",
		Token:             issuer + "/oauth/token",
		UserInfo:          issuer + "/userinfo",
		JWKS:              issuer + "/.well-known/jwks.json",
		Revocation:        issuer + "/oauth/revoke",
		EndSession:        issuer + "/oidc/logout",
		Pushed:            issuer + "/oauth/par",
		ResponseTypes:     []string{"code", "id_token"},
		ResponseModes:     []string{"query", "form_post"},
		GrantTypes:        grants,
		SubjectTypes:      []string{"public"},
		IDTokenAlgorithms: []string{"RS256"},
		Scopes:            access.IdentityScopes(),
		Claims: []string{
			"iss", "sub", "aud", "azp", "iat", "exp", "auth_time", "acr", "amr", "nonce", "sid", "at_hash", "name", "email",
			"email_verified",
		},
		TokenAuth:        auth,
		RevocationAuth:   auth,
		ACRs:             oauth.ACRs(),
		ChallengeMethods: []string{"S256"},
		ProofAlgorithms:  []string{string(dpop.Algorithm)},
		LogoutChannel:    true,
		LogoutSession:    true,
		Prompts:          []string{"none", "login", "consent"},
		IssuerParameter:  true,
	}
}
