package postgres

import (
	"fmt"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/dump"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// values are those of a row by column.
type values struct {
	table dump.Table
	row   dump.Row
	err   error // the first one
}

func (v *values) text(column string) string {
	s, ok := v.row[v.table.Index(column)].(string)
	if !ok && v.err == nil {
		v.err = fmt.Errorf("table %s: column %s is not a text", v.table.Name, column)
	}
	return s
}

func (v *values) scan(column string, into interface{ Scan(any) error }) {
	if err := into.Scan(v.text(column)); err != nil && v.err == nil {
		v.err = fmt.Errorf("table %s, column %s: %w", v.table.Name, column, err)
	}
}

// derive returns the names and values of the derived columns of a row.
func derive(t dump.Table, r dump.Row) (columns []string, out []any, err error) {
	v := &values{table: t, row: r}
	switch t.Name {
	case "clients":
		folded, name := foldedClient(store.Client{ID: v.text("id"), Name: v.text("name"), Description: v.text("description")})
		return []string{"folded", "folded_name"}, []any{folded, name}, v.err
	case "apis":
		a := store.API{Name: v.text("name"), Identifier: v.text("identifier")}
		v.scan("scopes", (*rows.Words)(&a.Scopes))
		v.scan("scope_texts", (*rows.Texts)(&a.ScopeTexts))
		folded, name := foldedAPI(a)
		return []string{"folded", "folded_name"}, []any{folded, name}, v.err
	case "users":
		u := store.User{ID: v.text("id"), Name: v.text("name"), Email: v.text("email")}
		return []string{"folded"}, []any{foldedUser(u)}, v.err
	case "roles":
		role := store.Role{ID: v.text("id"), Name: v.text("name"), Description: v.text("description")}
		return []string{"folded"}, []any{foldedRole(role)}, v.err
	case "events":
		e := store.Event{
			Type: v.text("type"), Address: v.text("address"), Description: v.text("description"), UserID: v.text("user_id"),
			ClientID: v.text("client_id"),
		}
		return []string{"folded"}, []any{foldedEvent(e)}, v.err
	}
	return nil, nil, nil
}
