package postgres

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// roleColumns are the columns that rows.Role reads, from a table named r.
const roleColumns = `r.id, r.name, r.description, r.preset, r.created`

const roleByID = `SELECT ` + roleColumns + ` FROM roles r WHERE id = $1`

// roles implements store.Roles.
type roles struct{ *runner }

func (d roles) Role(ctx context.Context, id string) (store.Role, error) {
	return one(ctx, d.runner, "get role", rows.Role, roleByID, id)
}

// foldedRole returns the column folded.
func foldedRole(r store.Role) string { return fold(r.Name, r.Description, r.ID) }

func (d roles) CreateRole(ctx context.Context, r store.Role) error {
	return d.exec(ctx, "create role", `INSERT INTO roles (id, name, description, preset, created, folded) VALUES ($1, $2, $3, $4, $5, $6)`,
		r.ID, r.Name, r.Description, r.Preset, rows.Millis(r.Created), foldedRole(r))
}

func (d roles) UpdateRole(ctx context.Context, id string, change func(*store.Role) error) (store.Role, error) {
	return update(ctx, d.runner, "update role", rows.Role, roleByID, id, change, func(old store.Role, r *store.Role) (string, []any) {
		rows.KeepRole(old, r)
		return `UPDATE roles SET name = $2, description = $3, preset = $4, folded = $5 WHERE id = $1`,
			[]any{id, r.Name, r.Description, r.Preset, foldedRole(*r)}
	})
}

func (d roles) ListRoles(ctx context.Context, f store.Find, offset, limit int) ([]store.Role, int, error) {
	return list(ctx, d.runner, listing[store.Role]{
		name: store.ListOfRoles, scan: rows.Role, columns: roleColumns, from: `roles r`, search: "r.folded", order: []string{"r.name"},
	}, f, offset, limit)
}

func (d roles) DeleteRole(ctx context.Context, id string) error {
	return d.must(ctx, "delete role", `DELETE FROM roles WHERE id = $1`, id)
}

func (d roles) RolePermissions(ctx context.Context, roleID string) ([]store.Permission, error) {
	return all(ctx, d.runner, "list permissions", rows.Permission,
		`SELECT api_id, scope FROM role_permissions WHERE role_id = $1 ORDER BY api_id, scope`, roleID)
}

func (d roles) UserPermissions(ctx context.Context, userID string) ([]store.Permission, error) {
	return all(ctx, d.runner, "list permissions", rows.Permission,
		`SELECT api_id, scope FROM permissions WHERE user_id = $1 ORDER BY api_id, scope`, userID)
}

func (d roles) ChangeRolePermissions(ctx context.Context, roleID string, add, remove []store.Permission) error {
	return d.changePermissions(ctx, `SELECT 1 FROM roles WHERE id = $1`,
		`INSERT INTO role_permissions (role_id, api_id, scope) SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
		`DELETE FROM role_permissions WHERE role_id = $1 AND (api_id, scope) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
		roleID, add, remove)
}

func (d roles) ChangeUserPermissions(ctx context.Context, userID string, add, remove []store.Permission) error {
	return d.changePermissions(ctx, `SELECT 1 FROM users WHERE id = $1`,
		`INSERT INTO permissions (user_id, api_id, scope) SELECT $1, * FROM unnest($2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
		`DELETE FROM permissions WHERE user_id = $1 AND (api_id, scope) IN (SELECT * FROM unnest($2::text[], $3::text[]))`,
		userID, add, remove)
}

func (d roles) changePermissions(ctx context.Context, exists, insert, remove, id string, added, removed []store.Permission) error {
	columns := func(ps []store.Permission) (apis, scopes []string) {
		for _, p := range ps {
			apis, scopes = append(apis, p.APIID), append(scopes, p.Scope)
		}
		return apis, scopes
	}
	return d.inTx(ctx, alone, func(tx *runner) error {
		if _, err := one(ctx, tx, "change permissions", rows.Value[int], exists, id); err != nil {
			return err
		}
		apis, scopes := columns(added)
		if err := tx.exec(ctx, "add permissions", insert, id, apis, scopes); err != nil {
			return err
		}
		apis, scopes = columns(removed)
		return tx.exec(ctx, "remove permissions", remove, id, apis, scopes)
	})
}

func (d roles) Held(ctx context.Context, userID, apiID string) ([]string, error) {
	return all(ctx, d.runner, "list permissions", rows.Value[string], `SELECT scope FROM permissions WHERE user_id = $1 AND api_id = $2
		UNION SELECT p.scope FROM role_permissions p JOIN user_roles u ON u.role_id = p.role_id
		WHERE u.user_id = $1 AND p.api_id = $2 ORDER BY scope`, userID, apiID)
}

// holdsAll starts from the people who hold the first scope, and stops checking each at the first scope they lack.
const holdsAll = `SELECT EXISTS (SELECT FROM users u WHERE NOT u.blocked
	AND (u.password_hash <> '' OR EXISTS (SELECT FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey'))
	AND u.id IN (SELECT user_id FROM permissions WHERE api_id = $1 AND scope = ($2::text[])[1]
		UNION SELECT r.user_id FROM role_permissions p JOIN user_roles r ON r.role_id = p.role_id
		WHERE p.api_id = $1 AND p.scope = ($2::text[])[1])
	AND NOT EXISTS (SELECT FROM unnest($2::text[]) AS s(scope)
		WHERE NOT EXISTS (SELECT FROM permissions WHERE user_id = u.id AND api_id = $1 AND scope = s.scope)
		AND NOT EXISTS (SELECT FROM user_roles r JOIN role_permissions p ON p.role_id = r.role_id
			WHERE r.user_id = u.id AND p.api_id = $1 AND p.scope = s.scope)))`

func (d roles) AnyHoldsAll(ctx context.Context, apiID string, scopes []string) (bool, error) {
	return one(ctx, d.runner, "find an administrator", rows.Value[bool], holdsAll, apiID, scopes)
}

func (d roles) UserRoles(ctx context.Context, userID string) ([]store.Role, error) {
	return all(ctx, d.runner, "list roles", rows.Role, `SELECT `+roleColumns+`
		FROM roles r JOIN user_roles u ON u.role_id = r.id WHERE u.user_id = $1 ORDER BY r.name`, userID)
}

func (d roles) RoleUsers(ctx context.Context, roleID string, f store.Find, offset, limit int) ([]store.User, int, error) {
	return list(ctx, d.runner, usersListing(`users u JOIN user_roles r ON r.user_id = u.id`, `r.role_id = $1`), f, offset, limit, roleID)
}

func (d roles) AddRoles(ctx context.Context, userIDs, roleIDs []string) error {
	return d.exec(ctx, "add roles", `INSERT INTO user_roles (user_id, role_id)
		SELECT u, r FROM unnest($1::text[]) u, unnest($2::text[]) r ON CONFLICT DO NOTHING`, userIDs, roleIDs)
}

func (d roles) RemoveRoles(ctx context.Context, userID string, roleIDs []string) error {
	return d.exec(ctx, "remove roles", `DELETE FROM user_roles WHERE user_id = $1 AND role_id = ANY($2)`, userID, roleIDs)
}
