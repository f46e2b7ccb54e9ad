package audit

import (
	"context"
	"io"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// pageSize is the number of entries that an export reads at once.
const pageSize = 1000

// Filter selects the entries of an export.
type Filter struct {
	Since, Until time.Time // at or after Since, and before Until
	Event        string    // "" for all
	Form         string    // the ID of a form; "" for all entries, including those not about forms
}

func (f Filter) matches(e store.AuditEntry) bool {
	return (f.Event == "" || f.Event == e.Event) && (f.Form == "" || e.Object == ObjectForm && f.Form == e.ObjectID)
}

// ObjectForm is the object of entries about forms.
const ObjectForm = "form"

// Export writes the selected entries to w as lines of JSON, ordered by time. It reads them in pages, so its memory use does not depend on
// their number and it does not block writers. An entry stored before the call is written exactly once; an entry stored during the call may
// be missing.
func Export(ctx context.Context, rows store.Audit, f Filter, w io.Writer) error {
	out := NewWriter(w)
	for after, more := (store.AuditPlace{At: f.Since}), true; more; {
		page, err := rows.ListAudit(ctx, after, f.Until, pageSize)
		if err != nil {
			return err
		}
		for _, e := range page {
			if !f.matches(e) {
				continue
			}
			if err := out.Write(ctx, e); err != nil {
				return err
			}
		}
		if more = len(page) == pageSize; more {
			after = page[len(page)-1].Place()
		}
	}
	return nil
}
