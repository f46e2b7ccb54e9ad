package authz

import (
	"context"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// caller is where a token request comes from.
type caller struct {
	device  store.Device
	network string // what limits count by
}

func callerOf(r *http.Request) caller {
	return caller{device: browser.Device(r), network: clientip.Network(r)}
}

// direct returns the proof of a person who signed in to an application without a browser: f names the client, the
// methods and what was asked for. There is no sign-in to end; the family still has a name for claim sid.
func (h *Handler) direct(f store.Family, from caller) *proof {
	now := h.Now()
	f.SignInID, f.AuthTime, f.Expires, f.Device = tokens.NewSecret(), now, now.Add(familyLife), from.device
	pr := &proof{userID: f.UserID, audience: f.Audience, scope: f.Scope, family: &f}
	if slices.Contains(f.Scope, access.Offline) { // else the family is not kept, and has no name
		f.ID = tokens.NewSecret()
		pr.keep = func(ctx context.Context, first store.Refresh) error {
			if err := h.Store.CreateFamily(ctx, f); err != nil {
				return err
			}
			return h.Store.CreateRefresh(ctx, first)
		}
	}
	return pr
}
