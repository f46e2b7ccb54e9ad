package authz

import (
	"context"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// caller is who sends a token request, for grants that count guesses.
type caller struct {
	device store.Device
	wait   time.Duration // set by the grant: how long the caller has to wait
}

type callerKey struct{}

func withCaller(ctx context.Context, c *caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// callerOf returns the caller that token put into the context.
func callerOf(ctx context.Context) *caller {
	if c, ok := ctx.Value(callerKey{}).(*caller); ok {
		return c
	}
	return &caller{}
}

// direct is the proof of a person who has proven everything to an application of theirs, without a browser: f
// says to which client, how, and for what. There is no sign-in to end; the family still has a name for claim sid.
func (h *Handler) direct(ctx context.Context, f store.Family) *proof {
	now := h.Now()
	f.ID, f.SignInID, f.AuthTime, f.Expires, f.Device = tokens.NewSecret(), tokens.NewSecret(), now, now.Add(familyLife), callerOf(ctx).device
	pr := &proof{userID: f.UserID, audience: f.Audience, scope: f.Scope, family: &f}
	if slices.Contains(f.Scope, scopeOffline) {
		pr.keep = func(ctx context.Context, first store.Refresh) error {
			if err := h.Store.CreateFamily(ctx, f); err != nil {
				return err
			}
			return h.Store.CreateRefresh(ctx, first)
		}
	}
	return pr
}
