package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/issuer"
	"github.com/formgraph/formgraph/server/jwks"
)

const reach = "Check --issuer, and that this machine reaches it: name, port, certificate and firewall."

// document is the part of the tenant's metadata that only the checks read.
type document struct {
	Responses  []string `json:"response_types_supported"`
	Challenges []string `json:"code_challenge_methods_supported"`
	Scopes     []string `json:"scopes_supported"`
	Signatures []string `json:"id_token_signing_alg_values_supported"`
}

// discovery finds the endpoints as the server does, and then judges the rest of the metadata. A member that is missing is no fault, since
// many tenants leave some out.
func (r *run) discovery(ctx context.Context) Result {
	meta, err := r.server.Metadata(ctx)
	switch {
	case errors.Is(err, issuer.ErrMisconfigured):
		return failed(err, "Set --issuer to the issuer that the tenant names, character by character, with its final slash if it has one.")
	case err != nil:
		return failed(err, reach)
	}
	address := r.server.Issuer()
	var d document
	if err := jwks.Get(ctx, r.server.Client(), strings.TrimSuffix(address, "/")+"/.well-known/openid-configuration", &d); err != nil {
		return failed(err, reach)
	}
	r.meta = meta
	var f found
	for _, x := range []struct {
		of         []string
		want, what string
	}{
		{d.Responses, "code", "response type"},
		{d.Challenges, "S256", "method of PKCE"},
		{d.Signatures, "RS256", "signature of ID tokens"},
		{d.Scopes, "openid", "scope"},
	} {
		if len(x.of) > 0 && !slices.Contains(x.of, x.want) {
			f.add(Fail, fmt.Sprintf("the tenant does not offer the %s %s", x.what, x.want), "Allow it at the tenant.")
		}
	}
	if m := meta.TokenAuth; len(m) > 0 && !slices.Contains(m, "client_secret_basic") && !slices.Contains(m, "client_secret_post") {
		f.add(Fail, "the token endpoint accepts no client secrets", "Allow client_secret_basic or client_secret_post at the tenant.")
	}
	if len(d.Scopes) > 0 && slices.Contains(d.Scopes, "openid") {
		// Scopes of APIs are usually not listed.
		lacks := slices.DeleteFunc(slices.Clone(r.Scopes), func(s string) bool {
			return strings.Contains(s, ":") || slices.Contains(d.Scopes, s)
		})
		if len(lacks) > 0 {
			f.add(Warn, "the tenant does not list the scopes "+strings.Join(lacks, " "),
				"Sign-ins request them. If sign-ins fail, allow them at the tenant.")
		}
	}
	if meta.EndSession == "" {
		f.add(Warn, "the tenant has no end_session_endpoint", "Signing out ends the session of the editor, but not that at the tenant.")
	}
	proofs := "not offered"
	if meta.OffersDPoP() {
		proofs = "offered"
	}
	return f.result(address + ", DPoP " + proofs)
}

// keys fetches the keys of ID tokens.
func (r *run) keys(ctx context.Context) Result {
	if r.meta == nil {
		return undiscovered()
	}
	keys, err := jwks.Fetch(ctx, r.server.Client(), r.meta.JWKS)
	switch {
	case err != nil:
		return failed(err, "This machine must reach the jwks_uri of the tenant.")
	case len(keys) == 0:
		return Result{
			Status: Fail, Detail: "the tenant has no RSA key of at least 2048 bits for RS256",
			Remedy: "At the tenant, sign ID tokens with RS256.",
		}
	}
	return Result{Status: OK, Detail: count(len(keys), "key") + " for RS256"}
}
