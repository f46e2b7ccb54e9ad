package token

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
)

// passkeyGrant is the second half of the passkey login: the authenticator's answer. It follows the vendor's public API, which answers
// faults with 403.
type passkeyGrant struct {
	families
	policy   *policy.Policy
	passkeys *passkey.Passkeys
}

func (g passkeyGrant) prove(ctx context.Context, c store.Client, p oauth.Params, from caller) (*proof, *oauth.Error) {
	if p["auth_session"] == "" || p["authn_response"] == "" {
		return nil, oauth.InvalidRequest("auth_session and authn_response are both needed")
	}
	asked, e := policy.AskedScope(p)
	if e != nil {
		return nil, e
	}
	audience := g.policy.Audience(p["audience"])
	a := passkey.Answer{
		Purpose: passkey.ForTokens, ClientID: c.ID, Session: p["auth_session"], Response: p["authn_response"],
		Origins: g.passkeys.Party.Origins(c), Address: from.device.IP,
	}
	var key store.Method
	if g.passkeys.SignsUp(a.Response) {
		key, e = g.passkeys.Newcomer(ctx, c, audience, asked, a)
	} else {
		key, e = g.passkeys.Used(ctx, a)
	}
	if e != nil {
		return nil, e
	}
	// The limits of a refresh token are set now, as those of a code are at the authorization endpoint.
	scope, e := g.policy.Granted(ctx, c, key.UserID, audience, asked)
	if e != nil {
		return nil, e
	}
	return g.direct(store.Family{
		ClientID: c.ID, UserID: key.UserID, ACR: oauth.ACRMulti, AMR: oauth.ByPasskey(), Audience: audience, Scope: scope,
		Basis: store.Basis{MethodID: key.ID},
	}, from), nil
}
