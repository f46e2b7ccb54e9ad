package rows

import "github.com/formgraph/formgraph/server/store"

// AuditEntry reads at, id, source, event, issuer, subject, email, client_id, object, object_id, detail, before, after, outcome, status,
// request_id and address.
func AuditEntry(row Scanner) (store.AuditEntry, error) {
	var e store.AuditEntry
	var at int64
	err := row.Scan(&at, &e.ID, &e.Source, &e.Event, &e.Issuer, &e.Subject, &e.Email, &e.ClientID, &e.Object, &e.ObjectID, &e.Detail,
		&e.Before, &e.After, &e.Outcome, &e.Status, &e.RequestID, &e.Address)
	e.At = Instant(at)
	return e, err
}

// AuditValues returns the values of the columns that AuditEntry reads.
func AuditValues(e store.AuditEntry) []any {
	return []any{
		Millis(e.At), e.ID, e.Source, e.Event, e.Issuer, e.Subject, e.Email, e.ClientID, e.Object, e.ObjectID, e.Detail,
		e.Before, e.After, e.Outcome, int64(e.Status), e.RequestID, e.Address,
	}
}
