package rows

import "github.com/formgraph/formgraph/server/store"

// LinkColumns are the columns of a link, without its tenant.
const LinkColumns = `id, form, label, version, author_id, author, created, expires, opened, times`

// Link reads LinkColumns.
func Link(row Scanner) (l store.Link, err error) {
	var created, expires, opened int64
	err = row.Scan(&l.ID, &l.Form, &l.Label, &l.Version, &l.Author.ID, &l.Author.Name, &created, &expires, &opened, &l.Times)
	l.Created, l.Expires, l.Opened = Instant(created), Instant(expires), perhaps(opened)
	return l, err
}

// LinkValues returns a tenant and the values of LinkColumns.
func LinkValues(tenant string, l store.Link) []any {
	return []any{
		tenant, l.ID, l.Form, l.Label, l.Version, l.Author.ID, l.Author.Name, Millis(l.Created), Millis(l.Expires),
		perhapsMillis(l.Opened), l.Times,
	}
}
