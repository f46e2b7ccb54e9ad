package sqlite

import (
	"context"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const apiColumns = `id, identifier, name, scopes, scope_texts, user_policy, client_policy, inactive`

// apiByAudience runs for every request.
const apiByAudience = `SELECT ` + apiColumns + ` FROM apis WHERE identifier = ?`

// apis implements store.APIs.
type apis struct{ *runner }

func (d apis) API(ctx context.Context, audience string) (store.API, error) {
	return one(ctx, d.runner, "get API", rows.API, apiByAudience, audience)
}

func (d apis) APIByID(ctx context.Context, id string) (store.API, error) {
	return one(ctx, d.runner, "get API", rows.API, `SELECT `+apiColumns+` FROM apis WHERE id = ?`, id)
}

func (d apis) ListAPIs(ctx context.Context, f store.Find, offset, limit int) ([]store.API, int, error) {
	return list(ctx, d.runner, listing[store.API]{
		name: store.ListOfAPIs, scan: rows.API, columns: apiColumns, from: `apis`,
		search: lines("name", "identifier", "scopes", "scope_texts"), order: []string{"name", "id"}, // the latter two as JSON
	}, f, offset, limit)
}

// DeleteAPI implements store.APIs. Foreign keys delete its grants and permissions.
func (d apis) DeleteAPI(ctx context.Context, id string) error {
	return d.must(ctx, "delete API", `DELETE FROM apis WHERE id = ?`, id)
}

func (d apis) CreateAPI(ctx context.Context, a store.API) error {
	return d.exec(ctx, "create API", `INSERT INTO apis (`+apiColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		a.ID, a.Identifier, a.Name, rows.Words(a.Scopes), rows.Texts(a.ScopeTexts), string(a.UserPolicy), string(a.ClientPolicy), a.Inactive)
}

func (d apis) UpdateAPI(ctx context.Context, id string, change func(*store.API) error) (store.API, error) {
	read := func(tx *runner) (store.API, error) { return apis{tx}.APIByID(ctx, id) }
	return update(ctx, d.runner, "update API", read, change, func(old store.API, a *store.API) (string, []any) {
		rows.KeepAPI(old, a)
		args := []any{
			a.Identifier, a.Name, rows.Words(a.Scopes), rows.Texts(a.ScopeTexts), string(a.UserPolicy), string(a.ClientPolicy), a.Inactive, id,
		}
		return `UPDATE apis SET identifier = ?, name = ?, scopes = ?, scope_texts = ?, user_policy = ?, client_policy = ?, inactive = ?
			WHERE id = ?`, args
	})
}
