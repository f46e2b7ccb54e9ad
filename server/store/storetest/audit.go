package storetest

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// Audit checks an engine's store.Audit. open returns an empty store that lives until the test ends.
func Audit(t *testing.T, open func(t *testing.T) store.Audit) {
	t.Helper()
	t.Run("order", func(t *testing.T) { auditOrder(t, open(t)) })
	t.Run("columns", func(t *testing.T) { auditColumns(t, open(t)) })
	t.Run("repeated", func(t *testing.T) { auditRepeated(t, open(t)) })
	t.Run("sweep", func(t *testing.T) { auditSweep(t, open(t)) })
	t.Run("sweep at once", func(t *testing.T) { auditSweeps(t, open(t)) })
}

// later returns a time some units of store.Resolution after noon.
func later(n int) time.Time { return noon().Add(time.Duration(n) * store.Resolution) }

// auditEntries returns an entry with the given time for each ID.
func auditEntries(at time.Time, ids ...string) []store.AuditEntry {
	out := make([]store.AuditEntry, len(ids))
	for i, id := range ids {
		out[i] = store.AuditEntry{At: at, ID: id}
	}
	return out
}

// auditIDs returns the IDs of the entries after a position and before a time.
func auditIDs(t *testing.T, s store.Audit, after store.AuditPlace, until time.Time, limit int) string {
	t.Helper()
	found, err := s.ListAudit(t.Context(), after, until, limit)
	must(t, err)
	ids := make([]string, len(found))
	for i, e := range found {
		ids[i] = e.ID
	}
	return strings.Join(ids, "")
}

// Entries are listed by time and ID, in pages, regardless of the order in which they were added.
func auditOrder(t *testing.T, s store.Audit) {
	t.Helper()
	must(t, s.AddAudit(t.Context(), nil))
	must(t, s.AddAudit(t.Context(), auditEntries(later(2), "c", "B")))
	must(t, s.AddAudit(t.Context(), auditEntries(later(1), "z", "y")))
	must(t, s.AddAudit(t.Context(), auditEntries(later(3), "a")))
	for _, tt := range []struct {
		after store.AuditPlace
		until time.Time
		limit int
		want  string
	}{
		{store.AuditPlace{}, later(9), 9, "yzBca"},
		{store.AuditPlace{}, later(9), 3, "yzB"},
		{store.AuditPlace{At: later(2), ID: "B"}, later(9), 9, "ca"},
		{store.AuditPlace{At: later(2)}, later(3), 9, "Bc"},
		{store.AuditPlace{At: later(1), ID: "z"}, later(2), 9, ""},
		{store.AuditPlace{At: later(3), ID: "a"}, later(9), 9, ""},
	} {
		if got := auditIDs(t, s, tt.after, tt.until, tt.limit); got != tt.want {
			t.Errorf("after %v, before %v, up to %d: %q, want %q", tt.after, tt.until, tt.limit, got, tt.want)
		}
	}
}

// Each field has a separate column.
func auditColumns(t *testing.T, s store.Audit) {
	t.Helper()
	e := store.AuditEntry{At: later(1), ID: "1"}
	for v, i := reflect.ValueOf(&e).Elem(), 0; i < v.NumField(); i++ {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Int:
			f.SetInt(412)
		case f.Kind() == reflect.String && v.Type().Field(i).Name != "ID":
			f.SetString(v.Type().Field(i).Name + " \x1b[31m\r\n<ä\u2028'\"\\>")
		}
	}
	must(t, s.AddAudit(t.Context(), []store.AuditEntry{e}))
	found, err := s.ListAudit(t.Context(), store.AuditPlace{}, later(2), 2)
	must(t, err)
	if len(found) != 1 || found[0] != e {
		t.Errorf("stored %+v, want %+v", found, e)
	}
	if p := found[0].Place(); p.At != e.At || p.ID != e.ID {
		t.Errorf("place %+v", p)
	}
}

// An entry is stored once, and later calls do not change it.
func auditRepeated(t *testing.T, s store.Audit) {
	t.Helper()
	must(t, s.AddAudit(t.Context(), auditEntries(later(1), "a", "b")))
	again := auditEntries(later(1), "b", "c", "c")
	again[0].Event = "changed"
	must(t, s.AddAudit(t.Context(), again))
	found, err := s.ListAudit(t.Context(), store.AuditPlace{}, later(2), 9)
	must(t, err)
	if len(found) != 3 || found[1].ID != "b" || found[1].Event != "" {
		t.Errorf("stored %+v, want a, b as it was, and c", found)
	}
}

// A sweep deletes the oldest entries, up to the limit.
func auditSweep(t *testing.T, s store.Audit) {
	t.Helper()
	must(t, s.AddAudit(t.Context(), auditEntries(later(1), "b", "a")))
	must(t, s.AddAudit(t.Context(), auditEntries(later(2), "c", "d")))
	for _, tt := range []struct {
		until time.Time
		limit int
		want  int64
		left  string
	}{
		{later(1), 9, 0, "abcd"}, {later(2), 1, 1, "bcd"}, {later(2), 9, 1, "cd"}, {later(2), 9, 0, "cd"}, {later(3), 9, 2, ""},
	} {
		n, err := s.SweepAudit(t.Context(), tt.until, tt.limit)
		must(t, err)
		if left := auditIDs(t, s, store.AuditPlace{}, later(9), 9); n != tt.want || left != tt.left {
			t.Errorf("sweep up to %d before %v deletes %d and leaves %q, want %d and %q", tt.limit, tt.until, n, left, tt.want, tt.left)
		}
	}
}

// Several processes may sweep at once: each entry is deleted exactly once.
func auditSweeps(t *testing.T, s store.Audit) {
	t.Helper()
	const many = 200
	for i := range many {
		must(t, s.AddAudit(t.Context(), auditEntries(later(1), fmt.Sprintf("%03d", i))))
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var total int64
	for range 4 {
		wg.Go(func() {
			for range many / 10 {
				n, err := s.SweepAudit(t.Context(), later(2), 10)
				if err != nil {
					t.Errorf("sweep: %v", err)
				}
				mu.Lock()
				total += n
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if left := auditIDs(t, s, store.AuditPlace{}, later(9), many); total != many || left != "" {
		t.Errorf("deleted %d, left %q, want %d and none", total, left, many)
	}
}
