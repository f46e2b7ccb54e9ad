package token

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// families are the authorizations to which codes and refresh tokens belong.
type families struct {
	store   store.Grants
	journal *journal.Journal
	now     func() time.Time
}

// failed returns the error for a failed action: invalid_grant with the text missing if the store has no such row.
func (fs families) failed(ctx context.Context, action string, err error, missing string) *oauth.Error {
	if errors.Is(err, store.ErrNotFound) {
		return oauth.InvalidGrant(missing)
	}
	return fs.journal.Unavailable(ctx, action, err)
}

// reused ends a family whose code or refresh token was presented twice, since one of the two senders must have stolen it. RFC 9700, section
// 4.14.2.
func (fs families) reused(ctx context.Context, familyID string) *oauth.Error {
	// A client that closes the connection must not keep the family alive.
	if err := fs.store.RevokeFamily(context.WithoutCancel(ctx), familyID); err != nil {
		return fs.journal.Unavailable(ctx, "revoke family", err)
	}
	fs.journal.Warn(ctx, "reuse detected, family revoked")
	return oauth.InvalidGrant("it was used before, so the authorization that it belongs to is revoked")
}

// direct returns the proof of a person who signed in to an application without a browser. f names the client, the methods and what the
// client requested. There is no sign-in to end, but the family still has an ID for claim sid.
func (fs families) direct(f store.Family, from caller) *proof {
	now := fs.now()
	f.SignInID, f.AuthTime, f.Expires, f.Device = tokens.NewSecret(), now, now.Add(FamilyLife), from.device
	pr := &proof{userID: f.UserID, audience: f.Audience, scope: f.Scope, family: &f}
	if slices.Contains(f.Scope, access.Offline) { // otherwise the family is not stored, and has no ID
		f.ID = tokens.NewSecret()
		pr.keep = func(ctx context.Context, first store.Refresh) error {
			if err := fs.store.CreateFamily(ctx, f); err != nil {
				return err
			}
			return fs.store.CreateRefresh(ctx, first)
		}
	}
	return pr
}
