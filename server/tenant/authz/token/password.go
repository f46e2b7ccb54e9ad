package token

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/signin"
)

// passwordGrant is the resource owner password grant. RFC 6749, section 4.3. RFC 9700, section 2.4 advises against it, so a client may use
// it only if its grant types name it, and a third-party client never may: it would learn people's passwords.
//
// A person with a second factor is refused with mfa_required, the vendor's name. No grant here accepts a code: such a person signs in on
// the page or with a passkey.
type passwordGrant struct {
	families
	policy    *policy.Policy
	passwords *signin.Passwords
	factors   *signin.Factors
}

// errPassword is the text for both an unknown person and a wrong password.
const errPassword = "the name and the password do not match"

func (g passwordGrant) prove(ctx context.Context, c store.Client, p oauth.Params, from caller) (*proof, *oauth.Error) {
	if !c.FirstParty {
		return nil, oauth.NewError(http.StatusBadRequest, "unauthorized_client", "only a first-party client may ask for passwords")
	}
	email := strings.ToLower(strings.TrimSpace(p["username"]))
	if email == "" || p["password"] == "" {
		return nil, oauth.InvalidRequest("username or password is missing")
	}
	scope, e := policy.AskedScope(p)
	if e != nil {
		return nil, e
	}
	user, wait, err := g.passwords.Check(ctx, signin.Place{Network: from.network}, email, p["password"])
	switch {
	case wait > 0:
		e := oauth.NewError(http.StatusTooManyRequests, "too_many_attempts", "too many wrong passwords, wait and try again")
		e.Wait = wait
		return nil, e
	case errors.Is(err, store.ErrNotFound):
		g.journal.Warn(ctx, "sign-in refused", slog.String("client", c.ID), slog.String("address", from.device.IP))
		return nil, oauth.InvalidGrant(errPassword)
	case err != nil:
		return nil, g.journal.Unavailable(ctx, "sign in", err)
	}
	second, err := g.factors.Of(ctx, user.ID)
	if err != nil {
		return nil, g.journal.Unavailable(ctx, "list methods", err)
	}
	if second.Needed() {
		return nil, oauth.NewError(http.StatusForbidden, "mfa_required", "the person has a second factor: send them to the sign-in page")
	}
	audience := g.policy.Audience(p["audience"])
	// The limits of the family are set now. The endpoint decides again before it issues tokens.
	if scope, e = g.policy.Granted(ctx, c, user.ID, audience, scope); e != nil {
		return nil, e
	}
	return g.direct(store.Family{
		ClientID: c.ID, UserID: user.ID, AMR: oauth.ByPassword(), Audience: audience, Scope: scope,
		Basis: store.Basis{PasswordHash: user.PasswordHash},
	}, from), nil
}
