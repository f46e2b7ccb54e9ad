package authz

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

// passwordGrant is the resource owner password grant. RFC 6749, section 4.3.
// Newer advice is against it (RFC 9700, section 2.4), so a client has it only when
// its grant types name it, and a stranger's client never: it would learn people's passwords.
//
// A person with a second factor is refused with mfa_required, the vendor's name. There is no grant here
// that takes the code: such a person signs in by the page, or by a passkey.
type passwordGrant struct{ h *Handler }

// errPassword is the one text for an unknown person and a wrong password.
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
	user, wait, err := g.h.passwords.Check(ctx, signin.Place{Network: from.network}, email, p["password"])
	switch {
	case wait > 0:
		e := oauth.NewError(http.StatusTooManyRequests, "too_many_attempts", "too many wrong passwords, wait and try again")
		e.Wait = wait
		return nil, e
	case errors.Is(err, store.ErrNotFound):
		g.h.journal.Warn(ctx, "sign-in refused", slog.String("client", c.ID), slog.String("address", from.device.IP))
		return nil, oauth.InvalidGrant(errPassword)
	case err != nil:
		return nil, g.h.journal.Unavailable(ctx, "sign in", err)
	}
	second, err := g.h.factors.Of(ctx, user.ID)
	if err != nil {
		return nil, g.h.journal.Unavailable(ctx, "list methods", err)
	}
	if second.Needed() {
		return nil, oauth.NewError(http.StatusForbidden, "mfa_required", "the person has a second factor: send them to the sign-in page")
	}
	audience := g.h.policy.Audience(p["audience"])
	// What the family may ever ask for is fixed now; the handler judges again before it issues.
	if scope, e = g.h.policy.Granted(ctx, c, user.ID, audience, scope); e != nil {
		return nil, e
	}
	return g.h.direct(store.Family{
		ClientID: c.ID, UserID: user.ID, AMR: oauth.ByPassword(), Audience: audience, Scope: scope, Basis: store.Basis{PasswordHash: user.PasswordHash},
	}, from), nil
}
