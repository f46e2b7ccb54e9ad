package refusal

import "strings"

// Sent is what a sign-in sent to the tenant.
type Sent struct {
	Issuer, ClientID, Callback string
	// Audience is "" when the server calls the management API with a token of its own.
	Audience string
	Scopes   []string
}

// Service says how to set up a service client. It follows a sentence about scopes that people lack.
const Service = "Some tenants grant these scopes to nobody. An administrator can let this server use a client of " +
	"its own: --management-auth client with --management-client-id, --management-client-secret and a rule such as --allow-email-domain."

// Explain returns what the tenant said, and what an administrator must set; the remedy is "" for the kinds that no setting causes. Both
// hold nothing of the tenant's answer.
func (s Sent) Explain(k Kind) (detail, remedy string) {
	client := s.ClientID + " (--client-id)"
	switch k {
	case Scope:
		detail = "The tenant said that it does not accept a scope of this sign-in."
		remedy = "The sign-in requested these scopes: " + strings.Join(s.Scopes, " ") + ". At the tenant, let the client " + client +
			" request them" + s.ofAPI() + "."
		if s.Audience != "" {
			remedy += " " + Service
		}
	case Audience:
		detail = "The tenant said that it does not know the audience of this sign-in, or that the client may not use it."
		if remedy = "The sign-in requested the audience " + s.Audience + " (--audience). It must be the identifier of the management API, " +
			"character by character, and the client " + client + " must be allowed to use that API."; s.Audience == "" {
			remedy = "The sign-in requested no audience. At the tenant, let the client " + client + ", with which people sign in, use the " +
				"default audience, or set none. The service client (--management-client-id) does not matter here."
		}
	case Callback:
		detail = "The tenant said that it does not accept the callback address of this sign-in."
		remedy = "At the tenant, give the client " + client + " exactly this callback: \"" + s.Callback + "\". If people open the editor at " +
			"another address, name it with --public-url."
	case Client:
		detail = "The tenant said that it does not accept this server as the client of a sign-in."
		remedy = "--client-id, which is " + s.ClientID + ", and --client-secret must be those of a confidential client at " + s.Issuer + "."
		if s.Audience == "" {
			remedy += " This is the client with which people sign in, not the service client (--management-client-id)."
		}
	case Grant:
		detail = "The tenant said that the client may not sign people in this way."
		grants := "the grant types authorization_code and refresh_token"
		if s.Audience == "" {
			grants = "the grant type authorization_code"
		}
		remedy = "At the tenant, allow the client " + client + " " + grants + " and the response type code."
	case Request:
		detail = "The tenant said that the request of this sign-in is not valid."
		remedy = "At the tenant, check the client " + client + " and its callback \"" + s.Callback + "\". Run formgraph check with the " +
			"options of this server to try them."
	case Code:
		detail = "The tenant did not accept this sign-in. Sign in again."
	case Unavailable:
		detail = "The tenant cannot sign people in right now. Try again in a moment."
	default:
		detail = "The tenant ended the sign-in. You can try again, perhaps with another account."
	}
	return detail, remedy
}

// ofAPI names the API whose scopes are requested.
func (s Sent) ofAPI() string {
	if s.Audience == "" {
		return ""
	}
	return " of the API " + s.Audience
}
