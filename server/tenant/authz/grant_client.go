package authz

import (
	"context"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
)

// clientGrant is the client credentials grant: the client asks for itself. RFC 6749, section 4.4.
type clientGrant struct{}

func (clientGrant) prove(_ context.Context, c store.Client, p params, _ caller) (*proof, *Error) {
	if c.Public {
		return nil, newError(http.StatusBadRequest, "unauthorized_client", "a public client has no credentials")
	}
	if p["audience"] == "" {
		return nil, invalidRequest("audience is missing")
	}
	scope, e := splitScope(p["scope"])
	if e != nil {
		return nil, e
	}
	return &proof{audience: p["audience"], scope: scope}, nil
}
