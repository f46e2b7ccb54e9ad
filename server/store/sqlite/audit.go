package sqlite

import (
	"context"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

const auditColumns = `at, id, source, event, issuer, subject, email, client_id, object, object_id, detail, before, after, outcome, status, ` +
	`request_id, address`

// insertAudit is executed for every save.
const insertAudit = `INSERT INTO audit (` + auditColumns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (at, id) DO NOTHING`

// audit implements store.Audit.
type audit struct{ *runner }

func (d audit) AddAudit(ctx context.Context, entries []store.AuditEntry) error {
	lists := make([][]any, len(entries))
	for i, e := range entries {
		lists[i] = rows.AuditValues(e)
	}
	return d.inTx(ctx, func(tx *runner) error { return tx.execEach(ctx, "add audit entries", insertAudit, lists...) })
}

func (d audit) ListAudit(ctx context.Context, after store.AuditPlace, until time.Time, limit int) ([]store.AuditEntry, error) {
	return all(ctx, d.runner, "list audit entries", rows.AuditEntry, `SELECT `+auditColumns+` FROM audit
		WHERE (at, id) > (?, ?) AND at < ? ORDER BY at, id LIMIT ?`, rows.Millis(after.At), after.ID, rows.Millis(until), limit)
}

func (d audit) SweepAudit(ctx context.Context, until time.Time, limit int) (int64, error) {
	return d.count(ctx, "sweep audit entries", `DELETE FROM audit WHERE (at, id) IN
		(SELECT at, id FROM audit WHERE at < ? ORDER BY at, id LIMIT ?)`, rows.Millis(until), limit)
}
