package sqlite

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// roleColumns are the columns that rows.Role reads, from a table named r.
const roleColumns = `r.id, r.name, r.description, r.preset, r.created`

// roles implements store.Roles.
type roles struct{ *runner }

func (d roles) Role(ctx context.Context, id string) (store.Role, error) {
	return one(ctx, d.runner, "get role", rows.Role, `SELECT `+roleColumns+` FROM roles r WHERE id = ?`, id)
}

func (d roles) CreateRole(ctx context.Context, r store.Role) error {
	return d.exec(ctx, "create role", `INSERT INTO roles (id, name, description, preset, created) VALUES (?, ?, ?, ?, ?)`,
		r.ID, r.Name, r.Description, r.Preset, rows.Millis(r.Created))
}

func (d roles) UpdateRole(ctx context.Context, id string, change func(*store.Role) error) (store.Role, error) {
	read := func(tx *runner) (store.Role, error) { return roles{tx}.Role(ctx, id) }
	return update(ctx, d.runner, "update role", read, change, func(old store.Role, r *store.Role) (string, []any) {
		rows.KeepRole(old, r)
		return `UPDATE roles SET name = ?, description = ?, preset = ? WHERE id = ?`, []any{r.Name, r.Description, r.Preset, id}
	})
}

func (d roles) ListRoles(ctx context.Context, f store.Find, offset, limit int) ([]store.Role, int, error) {
	return list(ctx, d.runner, listing[store.Role]{
		name: store.ListOfRoles, scan: rows.Role, columns: roleColumns, from: `roles r`,
		search: lines("r.name", "r.description", "r.id"), order: []string{"r.name"},
	}, f, offset, limit)
}

func (d roles) DeleteRole(ctx context.Context, id string) error {
	return d.must(ctx, "delete role", `DELETE FROM roles WHERE id = ?`, id)
}

func (d roles) RolePermissions(ctx context.Context, roleID string) ([]store.Permission, error) {
	return all(ctx, d.runner, "list permissions", rows.Permission,
		`SELECT api_id, scope FROM role_permissions WHERE role_id = ? ORDER BY api_id, scope`, roleID)
}

func (d roles) UserPermissions(ctx context.Context, userID string) ([]store.Permission, error) {
	return all(ctx, d.runner, "list permissions", rows.Permission,
		`SELECT api_id, scope FROM permissions WHERE user_id = ? ORDER BY api_id, scope`, userID)
}

func (d roles) ChangeRolePermissions(ctx context.Context, roleID string, add, remove []store.Permission) error {
	return d.changePermissions(ctx, `SELECT 1 FROM roles WHERE id = ?`,
		`INSERT INTO role_permissions (role_id, api_id, scope) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		`DELETE FROM role_permissions WHERE role_id = ? AND api_id = ? AND scope = ?`, roleID, add, remove)
}

func (d roles) ChangeUserPermissions(ctx context.Context, userID string, add, remove []store.Permission) error {
	return d.changePermissions(ctx, `SELECT 1 FROM users WHERE id = ?`,
		`INSERT INTO permissions (user_id, api_id, scope) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
		`DELETE FROM permissions WHERE user_id = ? AND api_id = ? AND scope = ?`, userID, add, remove)
}

func (d roles) changePermissions(ctx context.Context, exists, insert, remove, id string, added, removed []store.Permission) error {
	lists := func(ps []store.Permission) [][]any {
		out := make([][]any, len(ps))
		for i, p := range ps {
			out[i] = []any{id, p.APIID, p.Scope}
		}
		return out
	}
	return d.inTx(ctx, func(tx *runner) error {
		var one int
		if err := tx.row(ctx, exists, id).Scan(&one); err != nil {
			return translate(err, "change permissions")
		}
		if err := tx.execEach(ctx, "add permission", insert, lists(added)...); err != nil {
			return err
		}
		return tx.execEach(ctx, "remove permission", remove, lists(removed)...)
	})
}

func (d roles) Held(ctx context.Context, userID, apiID string) ([]string, error) {
	return all(ctx, d.runner, "list permissions", rows.Value[string], `SELECT scope FROM permissions WHERE user_id = ?1 AND api_id = ?2
		UNION SELECT p.scope FROM role_permissions p JOIN user_roles u ON u.role_id = p.role_id
		WHERE u.user_id = ?1 AND p.api_id = ?2 ORDER BY scope`, userID, apiID)
}

// holdsAll starts from the people who hold the first scope, and stops checking each at the first scope they lack.
const holdsAll = `SELECT EXISTS (SELECT 1 FROM users u WHERE NOT u.blocked
	AND (u.password_hash <> '' OR EXISTS (SELECT 1 FROM methods m WHERE m.user_id = u.id AND m.type = 'passkey'))
	AND u.id IN (SELECT user_id FROM permissions WHERE api_id = ?1 AND scope = json_extract(?2, '$[0]')
		UNION SELECT r.user_id FROM role_permissions p JOIN user_roles r ON r.role_id = p.role_id
		WHERE p.api_id = ?1 AND p.scope = json_extract(?2, '$[0]'))
	AND NOT EXISTS (SELECT 1 FROM json_each(?2) s
		WHERE NOT EXISTS (SELECT 1 FROM permissions WHERE user_id = u.id AND api_id = ?1 AND scope = s.value)
		AND NOT EXISTS (SELECT 1 FROM user_roles r JOIN role_permissions p ON p.role_id = r.role_id
			WHERE r.user_id = u.id AND p.api_id = ?1 AND p.scope = s.value)))`

func (d roles) AnyHoldsAll(ctx context.Context, apiID string, scopes []string) (bool, error) {
	return one(ctx, d.runner, "find an administrator", rows.Value[bool], holdsAll, apiID, rows.Words(scopes))
}

func (d roles) UserRoles(ctx context.Context, userID string) ([]store.Role, error) {
	return all(ctx, d.runner, "list roles", rows.Role, `SELECT `+roleColumns+`
		FROM roles r JOIN user_roles u ON u.role_id = r.id WHERE u.user_id = ? ORDER BY r.name`, userID)
}

func (d roles) RoleUsers(ctx context.Context, roleID string, f store.Find, offset, limit int) ([]store.User, int, error) {
	return list(ctx, d.runner, usersListing(`users u JOIN user_roles r ON r.user_id = u.id`, `r.role_id = ?`), f, offset, limit, roleID)
}

func (d roles) AddRoles(ctx context.Context, userIDs, roleIDs []string) error {
	var pairs [][]any
	for _, u := range userIDs {
		for _, r := range roleIDs {
			pairs = append(pairs, []any{u, r})
		}
	}
	return d.inTx(ctx, func(tx *runner) error {
		return tx.execEach(ctx, "add role", `INSERT INTO user_roles (user_id, role_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, pairs...)
	})
}

func (d roles) RemoveRoles(ctx context.Context, userID string, roleIDs []string) error {
	pairs := make([][]any, len(roleIDs))
	for i, r := range roleIDs {
		pairs[i] = []any{userID, r}
	}
	return d.inTx(ctx, func(tx *runner) error {
		return tx.execEach(ctx, "remove role", `DELETE FROM user_roles WHERE user_id = ? AND role_id = ?`, pairs...)
	})
}
