package rows

import "github.com/formgraph/formgraph/server/store"

// VersionColumns are the columns of a version that lists have, without its tenant. They lack VersionBody and VersionChanged.
const (
	VersionColumns = `form, number, saved, author, author_id, summary, note, name, hash, base, automatic`
	VersionBody    = `body`
	VersionChanged = `changed`
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

// ChangedVersion reads VersionColumns and VersionChanged.
func ChangedVersion(row Scanner) (store.Version, error) {
	var changed []byte
	v, err := version(row, &changed)
	v.Changed = changed
	return v, err
}

// VersionSizes has the sizes of versions in bytes by their numbers.
type VersionSizes map[int]int

// Add reads a number and a size.
func (s VersionSizes) Add(row Scanner) error {
	var number, size int
	err := row.Scan(&number, &size)
	s[number] = size
	return err
}

func version(row Scanner, more ...any) (v store.Version, err error) {
	var saved int64
	err = row.Scan(append([]any{
		&v.Form, &v.Number, &saved, &v.Author, &v.AuthorID, &v.Summary, &v.Note, &v.Name, &v.Hash, &v.Base, &v.Automatic,
	}, more...)...)
	v.Saved = Instant(saved)
	return v, err
}

// VersionValues returns a tenant and the values of VersionColumns, VersionBody and VersionChanged.
func VersionValues(tenant string, v store.Version) []any {
	return []any{
		tenant, v.Form, v.Number, Millis(v.Saved), v.Author, v.AuthorID, v.Summary, v.Note, v.Name, v.Hash, v.Base, v.Automatic, v.Body,
		append([]byte{}, v.Changed...), // not NULL
	}
}

// KeepVersion restores what a change of a version may not change.
func KeepVersion(old store.Version, v *store.Version) {
	author, id, note, name, changed := v.Author, v.AuthorID, v.Note, v.Name, append([]byte{}, v.Changed...)
	*v = old
	v.Author, v.AuthorID, v.Note, v.Name, v.Changed = author, id, note, name, changed
}
