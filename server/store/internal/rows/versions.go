package rows

import "github.com/formgraph/formgraph/server/store"

// VersionColumns are the columns of a version that lists have, and VersionBody is the one that they lack.
const (
	VersionColumns = `form, number, saved, author, author_id, summary, note, name, hash, base`
	VersionBody    = `body`
)

// Version reads VersionColumns.
func Version(row Scanner) (store.Version, error) { return version(row) }

// WholeVersion reads VersionColumns and VersionBody.
func WholeVersion(row Scanner) (store.Version, error) {
	var body []byte
	v, err := version(row, &body)
	v.Body = body
	return v, err
}

func version(row Scanner, more ...any) (v store.Version, err error) {
	var saved int64
	err = row.Scan(append([]any{
		&v.Form, &v.Number, &saved, &v.Author, &v.AuthorID, &v.Summary, &v.Note, &v.Name, &v.Hash, &v.Base,
	}, more...)...)
	v.Saved = Instant(saved)
	return v, err
}

// VersionValues returns the values of VersionColumns and VersionBody.
func VersionValues(v store.Version) []any {
	return []any{v.Form, v.Number, Millis(v.Saved), v.Author, v.AuthorID, v.Summary, v.Note, v.Name, v.Hash, v.Base, v.Body}
}

// KeepVersion restores what a change of a version may not change.
func KeepVersion(old store.Version, v *store.Version) {
	author, id, note, name := v.Author, v.AuthorID, v.Note, v.Name
	*v = old
	v.Author, v.AuthorID, v.Note, v.Name = author, id, note, name
}
