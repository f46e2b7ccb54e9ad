package token

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// codeGrant is the authorization code grant. RFC 6749, section 4.1.3; RFC 7636, section 4.6.
type codeGrant struct {
	families
	policy *policy.Policy
}

// errCode is the single text for every fault of a code.
const errCode = "the code is unknown, expired, or not for this request"

func (g codeGrant) prove(ctx context.Context, c store.Client, p oauth.Params, _ caller) (*proof, *oauth.Error) {
	if p["code"] == "" {
		return nil, oauth.InvalidRequest("code is missing")
	}
	code, f, err := g.store.UseCode(ctx, tokens.Hash(p["code"]))
	if err != nil {
		return nil, g.failed(ctx, "use code", err, errCode)
	}
	// The code is used up now: a second guess at the verifier is a replay.
	if code.Uses > 1 {
		return nil, g.reused(ctx, f.ID)
	}
	if f.Revoked || f.ClientID != c.ID || code.RedirectURI != p["redirect_uri"] || !g.now().Before(code.Expires) ||
		!verifies(code.Challenge, p["code_verifier"]) {
		return nil, oauth.InvalidGrant(errCode)
	}
	// Clients may send the audience again, but not another one.
	if a := p["audience"]; a != "" && g.policy.Audience(a) != f.Audience {
		return nil, oauth.InvalidTarget()
	}
	pr := &proof{userID: f.UserID, audience: f.Audience, scope: f.Scope, family: &f, nonce: code.Nonce, key: code.Key}
	if slices.Contains(f.Scope, access.Offline) {
		pr.keep = g.store.CreateRefresh
	}
	return pr, nil
}

// verifies reports whether verifier matches challenge. A verifier without a challenge does not: somebody has removed the challenge from the
// request. RFC 9700, section 2.1.1.
func verifies(challenge, verifier string) bool {
	if challenge == "" || verifier == "" {
		return challenge == verifier
	}
	if len(verifier) < 43 || len(verifier) > 128 { // RFC 7636, section 4.1
		return false
	}
	sum := sha256.Sum256([]byte(verifier))
	got := base64.RawURLEncoding.EncodeToString(sum[:])
	return subtle.ConstantTimeCompare([]byte(got), []byte(challenge)) == 1
}
