package management

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// act is an administrator's change, inside the transaction that checks and makes it.
type act struct {
	store.Access

	power []string // the scopes of the management API that the caller currently holds
}

// change makes a change in one transaction: what do reads from the rows stays true until its writes are committed. The request's body must
// have been read before, since its sender decides how long that takes. The caller's current power is checked again, and a change after
// which nobody could administer the tenant is refused. do must have no effects except on the rows.
func (h *Handler) change(c *api.Call, do func(*act) error) error {
	ctx := c.Context()
	return h.Store.InTx(ctx, func(rows store.Access) error {
		a := &act{Access: rows}
		if e := h.check(c, rows); e != nil {
			return e
		}
		var err error
		if a.power, err = power(ctx, c, rows); err != nil {
			return err
		}
		err = KeepAdministrator(ctx, rows, func() error { return do(a) })
		if errors.Is(err, ErrLastAdministrator) {
			return &api.Error{
				Status: http.StatusConflict, Code: "last_administrator",
				Message: "This would leave nobody who can administer the tenant: give somebody else every permission of the management API first",
			}
		}
		return err
	})
}

// ErrLastAdministrator is returned for a change after which nobody could administer the tenant.
var ErrLastAdministrator = errors.New("the tenant would have no administrator")

// KeepAdministrator makes a change inside a transaction. It returns ErrLastAdministrator if the change removes the last person who can sign
// in and holds every scope of the management API; the caller then rolls back.
func KeepAdministrator(ctx context.Context, rows store.Access, change func() error) error {
	before, err := rows.AnyHoldsAll(ctx, access.ManagementAPI, Scopes())
	if err != nil {
		return err
	}
	if err := change(); err != nil || !before {
		return err
	}
	after, err := rows.AnyHoldsAll(ctx, access.ManagementAPI, Scopes())
	if err == nil && !after {
		err = ErrLastAdministrator
	}
	return err
}

// power returns the scopes of the management API that the caller currently holds: a person directly and by roles, a client by its grant.
func power(ctx context.Context, c *api.Call, rows store.Access) ([]string, error) {
	if id := c.Person(); id != "" {
		return rows.Held(ctx, id, access.ManagementAPI)
	}
	scopes, err := rows.ClientGrant(ctx, c.Token.ClientID, access.ManagementAPI, store.SubjectClient)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return scopes, err
}

// may refuses an act that reaches scopes that the caller does not hold.
func (a *act) may(reached ...[]string) error {
	missing := access.Missing(a.power, reached...)
	if len(missing) == 0 {
		return nil
	}
	return api.Forbidden("insufficient_permissions",
		"Nobody can give, take or control permissions that they do not hold themselves; you lack "+some10(missing), missing...)
}

// some10 joins the first ten words of a list and counts the rest.
func some10(words []string) string {
	const most = 10
	if more := len(words) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), more)
	}
	return strings.Join(words, ", ")
}

// mayUser refuses changes to a person who holds more than the caller.
func (a *act) mayUser(ctx context.Context, id string) error {
	held, err := a.Held(ctx, id, access.ManagementAPI)
	if err != nil {
		return err
	}
	return a.may(held)
}

// mayRoles refuses changes to roles that permit more than the caller may do. A role that does not exist permits nothing.
func (a *act) mayRoles(ctx context.Context, ids ...string) error {
	for _, id := range ids {
		held, err := a.RolePermissions(ctx, id)
		if err != nil {
			return err
		}
		if err := a.may(access.Power(held)); err != nil {
			return err
		}
	}
	return nil
}

// mayOpen refuses a first-party client while the self-service API is open to every client: it would act in the account of everybody who
// follows a link to it; see access.GrantPower.
func (a *act) mayOpen(ctx context.Context, c store.Client) error {
	me, err := a.APIByID(ctx, access.SelfServiceAPI)
	if errors.Is(err, store.ErrNotFound) || err == nil && (!c.FirstParty || me.Inactive || me.UserPolicy != store.AllowAll) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.may(Scopes())
}

// mayClient refuses changes to a client that can do more than the caller may do.
func (a *act) mayClient(ctx context.Context, id string) error {
	const most = 1000 // two for each API
	grants, _, err := a.ListClientGrants(ctx, store.GrantFilter{ClientID: id}, 0, most)
	if err != nil {
		return err
	}
	return a.may(access.GrantPower(Scopes(), grants...))
}
