package token

import (
	"context"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// clientGrant is the client credentials grant: the client acts for itself. RFC 6749, section 4.4.
type clientGrant struct{}

func (clientGrant) prove(_ context.Context, c store.Client, p oauth.Params, _ caller) (*proof, *oauth.Error) {
	if c.Public {
		return nil, oauth.NewError(http.StatusBadRequest, "unauthorized_client", "a public client has no credentials")
	}
	if p["audience"] == "" {
		return nil, oauth.InvalidRequest("audience is missing")
	}
	scope, e := oauth.SplitScope(p["scope"])
	if e != nil {
		return nil, e
	}
	return &proof{audience: p["audience"], scope: scope}, nil
}
