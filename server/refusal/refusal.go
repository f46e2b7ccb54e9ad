package refusal

import (
	"slices"
	"strings"
)

// Kind is what was refused. Its text is stable and appears in the log.
type Kind string

// The kinds.
const (
	Denied      Kind = "denied"      // the person, or for a reason that the code does not tell
	Silent      Kind = "silent"      // nobody is signed in at the tenant, and it was asked to show nothing
	Scope       Kind = "scope"       // a requested scope
	Audience    Kind = "audience"    // the audience, or the client's access to it
	Callback    Kind = "callback"    // the callback address
	Client      Kind = "client"      // the client: its ID or secret
	Grant       Kind = "grant"       // the client's use of the authorization code flow
	Request     Kind = "request"     // the form of the request
	Code        Kind = "code"        // the authorization code
	Unavailable Kind = "unavailable" // nothing: the tenant failed
)

// row maps error codes to a kind, if the description contains one of the phrases, in lower case; nil means any description.
type row struct {
	kind    Kind
	codes   []string
	phrases []string
}

// Phrases that tenants are known to use.
var (
	ofCallback = []string{"callback url", "redirect_uri", "redirect uri", "redirect url", "redirection uri", "reply url"}
	ofAudience = []string{"service not found", "service not enabled", "resource server", "audience", "unknown resource", "invalid resource"}
	ofClient   = []string{"unknown client", "client not found", "invalid client", "client_id", "client id", "client does not exist"}
)

// common rows hold for both endpoints. The first that fits counts.
var common = []row{
	{Scope, []string{"invalid_scope"}, nil},
	{Audience, []string{"invalid_target", "invalid_resource"}, nil},
	{Callback, []string{"access_denied", "invalid_request", "unauthorized_client", "invalid_grant", "invalid_client"}, ofCallback},
	{Callback, []string{"invalid_redirect_uri", "redirect_uri_mismatch"}, nil},
	{Audience, []string{"access_denied", "invalid_request", "unauthorized_client"}, ofAudience},
	{Scope, []string{"invalid_request"}, []string{"scope"}},
	{Client, []string{"invalid_request", "unauthorized_client", "access_denied"}, ofClient},
	{Client, []string{"invalid_client"}, nil},
	{Grant, []string{"unauthorized_client", "unsupported_response_type", "unsupported_grant_type"}, nil},
	{Request, []string{
		"invalid_dpop_proof", "use_dpop_nonce",
		"invalid_request", "unsupported_response_mode", "request_not_supported", "request_uri_not_supported", "registration_not_supported",
		"invalid_request_object", "invalid_request_uri",
	}, nil},
	{Unavailable, []string{"temporarily_unavailable", "server_error"}, nil},
}

// authorization rows hold for the authorization endpoint alone.
var authorization = []row{
	{Silent, []string{"login_required", "interaction_required", "consent_required", "account_selection_required"}, nil},
}

// token rows hold for the token endpoint alone.
var token = []row{
	{Code, []string{"invalid_grant"}, nil},
	{Client, []string{"access_denied"}, nil}, // instead of invalid_client
}

// OfAuthorization returns what an error of the authorization endpoint refuses. A code without a row is Denied.
func OfAuthorization(code, description string) Kind {
	return of(code, description, Denied, common, authorization)
}

// OfToken returns what an error of the token endpoint refuses. A code without a row is Unavailable.
func OfToken(code, description string) Kind {
	return of(code, description, Unavailable, common, token)
}

func of(code, description string, other Kind, tables ...[]row) Kind {
	description = strings.ToLower(description)
	for _, r := range slices.Concat(tables...) {
		said := r.phrases == nil || slices.ContainsFunc(r.phrases, func(p string) bool { return strings.Contains(description, p) })
		if said && slices.Contains(r.codes, code) {
			return r.kind
		}
	}
	return other
}
