package tenant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/access"
	"github.com/formgraph/formgraph/server/tenant/management"
)

// batch is how many rows are read at once when a whole list is visited.
const batch = 100

// scopesMark is the name of the mark with the scopes that an API had when the tenant last started.
func scopesMark(apiID string) string { return "scopes " + apiID }

func putScopes(ctx context.Context, s store.Tenant, apiID string, scopes []string) error {
	return s.PutMark(ctx, scopesMark(apiID), strings.Join(scopes, " "))
}

// growScopes gives scopes that a newer version of the program adds to the management API to everybody who held all of the old ones, such as
// the administrator and the machine client of the first start. The old scopes are stored as a mark, so a scope that somebody removed is not
// given back.
func growScopes(ctx context.Context, s store.Tenant) error {
	had := management.DocumentScopes() // the scopes that existed before the mark did
	text, err := s.Mark(ctx, scopesMark(managementAPI))
	switch {
	case err == nil:
		had = strings.Fields(text)
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	var fresh []string
	for _, scope := range management.Scopes() {
		if !slices.Contains(had, scope) {
			fresh = append(fresh, scope)
		}
	}
	if len(fresh) > 0 {
		if err := errors.Join(growUsers(ctx, s, had, fresh), growRoles(ctx, s, had, fresh), growGrants(ctx, s, had, fresh)); err != nil {
			return err
		}
	}
	return putScopes(ctx, s, managementAPI, management.Scopes())
}

// every calls f with each row of a list that is read in pages and does not shrink meanwhile. It skips rows that were deleted after they
// were read, for which f returns store.ErrNotFound.
func every[T any](ctx context.Context, read func(ctx context.Context, f store.Find, offset, limit int) ([]T, int, error),
	do func(T) error,
) error {
	for offset := 0; ; offset += batch {
		page, _, err := read(ctx, store.Find{}, offset, batch)
		if err != nil {
			return err
		}
		for _, row := range page {
			if err := do(row); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		if len(page) < batch {
			return nil
		}
	}
}

// containsAll reports whether held has all of want.
func containsAll[T comparable](held, want []T) bool {
	return !slices.ContainsFunc(want, func(v T) bool { return !slices.Contains(held, v) })
}

func permissions(scopes []string) []store.Permission { return permissionsOf(managementAPI, scopes) }

func permissionsOf(apiID string, scopes []string) []store.Permission {
	out := make([]store.Permission, len(scopes))
	for i, s := range scopes {
		out[i] = store.Permission{APIID: apiID, Scope: s}
	}
	return out
}

func growUsers(ctx context.Context, s store.Tenant, had, fresh []string) error {
	return every(ctx, s.ListUsers, func(u store.User) error {
		return s.InTx(ctx, func(s store.Access) error {
			held, err := s.Permissions(ctx, u.ID, managementAPI)
			if err != nil || !containsAll(held, had) {
				return err
			}
			return s.ChangeUserPermissions(ctx, u.ID, permissions(fresh), nil)
		})
	})
}

func growRoles(ctx context.Context, s store.Tenant, had, fresh []string) error {
	return every(ctx, s.ListRoles, func(r store.Role) error {
		return s.InTx(ctx, func(s store.Access) error {
			held, err := s.RolePermissions(ctx, r.ID)
			if err != nil || !containsAll(held, permissions(had)) {
				return err
			}
			return s.ChangeRolePermissions(ctx, r.ID, permissions(fresh), nil)
		})
	})
}

func growGrants(ctx context.Context, s store.Tenant, had, fresh []string) error {
	read := func(ctx context.Context, f store.Find, offset, limit int) ([]store.ClientGrant, int, error) {
		return s.ListClientGrants(ctx, store.GrantFilter{Find: f, APIID: managementAPI}, offset, limit)
	}
	return every(ctx, read, func(g store.ClientGrant) error {
		_, err := s.UpdateClientGrant(ctx, g.ID, func(kept *store.ClientGrant) error {
			if !containsAll(kept.Scopes, had) {
				return nil
			}
			for _, scope := range fresh {
				if !slices.Contains(kept.Scopes, scope) {
					kept.Scopes = append(kept.Scopes, scope)
				}
			}
			return nil
		})
		return err
	})
}

// The IDs of a tenant's initial roles.
const (
	AccountRole       = "rol_account"       // preset: the actions that everybody may take on their own account
	EditorRole        = "rol_editor"        // forms and flows
	AdministratorRole = "rol_administrator" // every scope of the management API
)

// rolesMark is set once the initial roles exist, so that a deleted one does not come back. Its value is the scopes given to the account
// role.
const rolesMark = "roles"

// syncRoles creates the initial roles once, and gives the account role to everybody: without it nobody would have a scope of the
// self-service API. It adds scopes that a newer version adds to that API to the role.
func syncRoles(ctx context.Context, s store.Tenant, now time.Time) error {
	mine := access.SelfServiceScopes()
	text, err := s.Mark(ctx, rolesMark)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err == nil {
		known := strings.Fields(text)
		fresh := slices.DeleteFunc(mine, func(scope string) bool { return slices.Contains(known, scope) })
		if len(fresh) == 0 {
			return nil
		}
		err := s.ChangeRolePermissions(ctx, AccountRole, permissionsOf(selfServiceAPI, fresh), nil)
		if err != nil && !errors.Is(err, store.ErrNotFound) { // somebody deleted the role
			return err
		}
		return s.PutMark(ctx, rolesMark, strings.Join(access.SelfServiceScopes(), " "))
	}
	for _, r := range []struct {
		store.Role
		may []store.Permission
	}{
		{
			store.Role{ID: AccountRole, Name: "Account", Description: "Manage one's own account. Everybody has this role.", Preset: true},
			permissionsOf(selfServiceAPI, mine),
		},
		{
			store.Role{ID: EditorRole, Name: "Editor", Description: "Create, change and delete forms and flows."},
			permissions(management.DocumentScopes()),
		},
		{
			store.Role{ID: AdministratorRole, Name: "Administrator", Description: "Manage the whole tenant: forms, clients, people and roles."},
			permissions(management.Scopes()),
		},
	} {
		r.Created = now
		err := s.CreateRole(ctx, r.Role)
		if errors.Is(err, store.ErrConflict) {
			// An interrupted start created it, or a role created by somebody has the name.
			if _, err = s.Role(ctx, r.ID); errors.Is(err, store.ErrNotFound) {
				continue
			}
		}
		if err == nil {
			err = s.ChangeRolePermissions(ctx, r.ID, r.may, nil)
		}
		if err != nil {
			return err
		}
	}
	err = every(ctx, s.ListUsers, func(u store.User) error { return s.AddRoles(ctx, []string{u.ID}, []string{AccountRole}) })
	if err != nil {
		return err
	}
	return s.PutMark(ctx, rolesMark, strings.Join(mine, " "))
}
