package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	msqlite "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/formgraph/formgraph/server/store"
)

// maxFaults bounds the faults that are listed.
const maxFaults = 5

// restoreRemedy is what to do with a file that is damaged.
const restoreRemedy = "Stop the server, keep a copy of the file, and restore the last backup into a new folder. Check the disk."

// Examinations returns what can be examined of the file itself. The file has no clock.
func (v *View) Examinations(func() time.Time) []store.Examination {
	return []store.Examination{{
		Name: "integrity", Fine: "the file is whole, and its rows refer to rows that exist", Run: v.integrity,
	}}
}

// integrity looks for damage: https://www.sqlite.org/pragma.html#pragma_integrity_check.
func (v *View) integrity(ctx context.Context) ([]store.Finding, error) {
	damage, err := v.texts(ctx, fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxFaults))
	if e, ok := errors.AsType[*msqlite.Error](err); ok && e.Code()&0xff == sqlite3.SQLITE_CORRUPT { // the rest of the code is a detail
		damage, err = []string{e.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	if len(damage) != 1 || damage[0] != "ok" {
		return []store.Finding{{Severe: true, Detail: "the file is damaged: " + strings.Join(damage, "; "), Remedy: restoreRemedy}}, nil
	}
	lost, err := v.texts(ctx, `SELECT "table" || ' (' || count(*) || ' without a row of ' || parent || ')'
		FROM pragma_foreign_key_check GROUP BY "table", parent ORDER BY 1`)
	if err != nil {
		return nil, err
	}
	if len(lost) == 0 {
		return nil, nil
	}
	return []store.Finding{{
		Severe: true, Detail: "rows refer to rows that do not exist, in " + strings.Join(lost, ", "), Remedy: restoreRemedy,
	}}, nil
}

// texts returns the rows of a query of one column.
func (v *View) texts(ctx context.Context, query string) (out []string, err error) {
	found, err := v.pool.QueryContext(ctx, query)
	if err != nil {
		return nil, translate(err, "examine the file")
	}
	defer found.Close() //nolint:errcheck // Err reports everything that went wrong
	for found.Next() {
		var s string
		if err := found.Scan(&s); err != nil {
			return nil, translate(err, "examine the file")
		}
		out = append(out, s)
	}
	return out, translate(found.Err(), "examine the file")
}
