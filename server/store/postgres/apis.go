package postgres

import (
	"context"
	"slices"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const apiColumns = `id, identifier, name, scopes, scope_texts, user_policy, client_policy, inactive`

const apiByID = `SELECT ` + apiColumns + ` FROM apis WHERE id = $1`

// apis implements store.APIs.
type apis struct{ *runner }

func (d apis) API(ctx context.Context, audience string) (store.API, error) {
	return one(ctx, d.runner, "get API", rows.API, `SELECT `+apiColumns+` FROM apis WHERE identifier = $1`, audience)
}

func (d apis) APIByID(ctx context.Context, id string) (store.API, error) {
	return one(ctx, d.runner, "get API", rows.API, apiByID, id)
}

func (d apis) ListAPIs(ctx context.Context, f store.Find, offset, limit int) ([]store.API, int, error) {
	return list(ctx, d.runner, listing[store.API]{
		name: store.ListOfAPIs, scan: rows.API, columns: apiColumns, from: `apis`, search: "folded", order: []string{"name", "id"},
	}, f, offset, limit)
}

// DeleteAPI implements store.APIs. Foreign keys delete its grants and permissions.
func (d apis) DeleteAPI(ctx context.Context, id string) error {
	return d.must(ctx, "delete API", `DELETE FROM apis WHERE id = $1`, id)
}

// foldedAPI returns the columns folded and folded_name. The scopes and their texts are searched, too.
func foldedAPI(a store.API) (folded, name string) {
	lines := slices.Concat([]string{a.Name, a.Identifier}, a.Scopes)
	for _, text := range a.ScopeTexts {
		lines = append(lines, text)
	}
	return fold(lines...), fold(a.Name, a.Identifier)
}

// apiValues returns the values of apiColumns, folded and folded_name.
func apiValues(a store.API) []any {
	folded, name := foldedAPI(a)
	return []any{
		a.ID, a.Identifier, a.Name, rows.Words(a.Scopes), rows.Texts(a.ScopeTexts), string(a.UserPolicy), string(a.ClientPolicy), a.Inactive,
		folded, name,
	}
}

func (d apis) CreateAPI(ctx context.Context, a store.API) error {
	return d.exec(ctx, "create API", `INSERT INTO apis (`+apiColumns+`, folded, folded_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, apiValues(a)...)
}

func (d apis) UpdateAPI(ctx context.Context, id string, change func(*store.API) error) (store.API, error) {
	return update(ctx, d.runner, "update API", rows.API, apiByID, id, change, func(old store.API, a *store.API) (string, []any) {
		rows.KeepAPI(old, a)
		return `UPDATE apis SET identifier = $2, name = $3, scopes = $4, scope_texts = $5, user_policy = $6, client_policy = $7, inactive = $8,
			folded = $9, folded_name = $10 WHERE id = $1`, apiValues(*a)
	})
}
