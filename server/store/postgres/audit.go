package postgres

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const auditColumns = `at, id, source, event, issuer, subject, email, client_id, object, object_id, detail, before, after, outcome, status, ` +
	`request_id, address`

// audit implements store.Audit.
type audit struct{ *runner }

// AddAudit implements store.Audit with one statement, which takes a list of values for each column.
func (d audit) AddAudit(ctx context.Context, entries []store.AuditEntry) error {
	if len(entries) == 0 {
		return nil
	}
	lists := make([]any, len(rows.AuditValues(store.AuditEntry{})))
	for _, e := range entries {
		for i, v := range rows.AuditValues(e) {
			switch v := v.(type) {
			case string:
				list, _ := lists[i].([]string)
				lists[i] = append(list, v)
			case int64:
				list, _ := lists[i].([]int64)
				lists[i] = append(list, v)
			}
		}
	}
	return d.exec(ctx, "add audit entries", `INSERT INTO audit (`+auditColumns+`)
		SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
			$10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::text[], $17::text[])
		ON CONFLICT DO NOTHING`, lists...)
}

func (d audit) ListAudit(ctx context.Context, after store.AuditPlace, until time.Time, limit int) ([]store.AuditEntry, error) {
	return all(ctx, d.runner, "list audit entries", rows.AuditEntry, `SELECT `+auditColumns+` FROM audit
		WHERE (at, id) > ($1, $2) AND at < $3 ORDER BY at, id LIMIT $4`, rows.Millis(after.At), after.ID, rows.Millis(until), limit)
}

func (d audit) SweepAudit(ctx context.Context, until time.Time, limit int) (int64, error) {
	return d.count(ctx, "sweep audit entries", `DELETE FROM audit WHERE (at, id) IN
		(SELECT at, id FROM audit WHERE at < $1 ORDER BY at, id LIMIT $2 FOR UPDATE SKIP LOCKED)`, rows.Millis(until), limit)
}
