package token

import (
	"context"
	"errors"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// IDTokens issues ID tokens at one address of the tenant. All fields are required.
type IDTokens struct {
	Users   store.Users
	Tokens  *tokens.Tokens
	Journal *journal.Journal
}

// Issue returns an ID token about the person of a family, for the access token that goes with it, "" for none.
func (i *IDTokens) Issue(
	ctx context.Context, c store.Client, f store.Family, nonce string, scope []string, accessToken string,
) (string, *oauth.Error) {
	u, err := i.Users.User(ctx, f.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return "", oauth.InvalidGrant("the user no longer exists")
	}
	if err != nil {
		return "", i.Journal.Unavailable(ctx, "read user", err)
	}
	id := tokens.ID{
		Subject: u.ID, ClientID: c.ID, Nonce: nonce, AuthTime: f.AuthTime, ACR: f.ACR, AMR: f.AMR, SignInID: f.SignInID,
		AccessToken: accessToken,
	}
	if slices.Contains(scope, access.Profile) {
		id.Name = u.Name
	}
	if slices.Contains(scope, access.Email) {
		id.Email, id.Unverified = u.Email, u.Unverified
	}
	t, err := i.Tokens.IssueID(id)
	if err != nil {
		return "", i.Journal.Unavailable(ctx, "sign token", err)
	}
	return t, nil
}
