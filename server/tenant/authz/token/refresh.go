package token

import (
	"context"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// refreshGrant is the refresh token grant with rotation: each token works once. RFC 6749, section 6; RFC 9700, section
// 4.14.2.
type refreshGrant struct {
	families
	policy *policy.Policy
}

const errRefresh = "the refresh token is unknown, expired, or belongs to another client"

func (g refreshGrant) prove(ctx context.Context, c store.Client, p oauth.Params, _ caller) (*proof, *oauth.Error) {
	if p["refresh_token"] == "" {
		return nil, oauth.InvalidRequest("refresh_token is missing")
	}
	hash := tokens.Hash(p["refresh_token"])
	r, f, err := g.store.Refresh(ctx, hash)
	if err != nil {
		return nil, g.failed(ctx, "read refresh token", err, errRefresh)
	}
	// Another client that presents a used token must not end its owner's family.
	if f.ClientID != c.ID || f.Revoked {
		return nil, oauth.InvalidGrant(errRefresh)
	}
	if r.Used {
		return nil, g.reused(ctx, f.ID)
	}
	if !g.now().Before(r.Expires) { // never after the family's end
		return nil, oauth.InvalidGrant(errRefresh)
	}
	pr := &proof{userID: f.UserID, audience: f.Audience, scope: f.Scope, family: &f, key: r.Key, refreshed: true}
	pr.keep = func(ctx context.Context, next store.Refresh) error { return g.store.Rotate(ctx, hash, next) }
	if e := g.narrow(c, f, p, pr); e != nil {
		return nil, e
	}
	return pr, nil
}

// narrow applies the audience and the scope of the request. For the authorized audience the scope may only shrink. A first-party client may
// use the token for another audience for which it has a grant, so that one sign-in serves several APIs. Of the identity scopes it keeps
// those it had.
func (g refreshGrant) narrow(c store.Client, f store.Family, p oauth.Params, pr *proof) *oauth.Error {
	asked, e := oauth.SplitScope(p["scope"])
	if e != nil {
		return e
	}
	if a := p["audience"]; a != "" && g.policy.Audience(a) != f.Audience {
		if !c.FirstParty {
			return oauth.InvalidTarget()
		}
		pr.audience = a
		pr.scope = slices.DeleteFunc(asked, func(s string) bool {
			return access.Identity(s) && !slices.Contains(f.Scope, s)
		})
		return nil
	}
	if len(asked) == 0 {
		return nil
	}
	for _, s := range asked {
		if !slices.Contains(f.Scope, s) {
			return oauth.InvalidScope("the scope is wider than what was authorized")
		}
	}
	pr.scope = asked
	return nil
}
