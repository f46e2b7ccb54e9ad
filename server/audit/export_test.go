package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// engines opens an empty store of each engine.
func engines() map[string]func(*testing.T) store.Audit {
	return map[string]func(*testing.T) store.Audit{
		"sqlite":   func(t *testing.T) store.Audit { t.Helper(); return sqlitetest.Open(t) },
		"postgres": func(t *testing.T) store.Audit { t.Helper(); return postgrestest.Open(t) },
	}
}

// noon is the time of the first entry.
func noon() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// fill stores many entries, several at each time.
func fill(t *testing.T, s store.Audit, many int) {
	t.Helper()
	batch := make([]store.AuditEntry, 0, 1000)
	for i := range many {
		batch = append(batch, store.AuditEntry{
			At: noon().Add(time.Duration(i/7) * time.Millisecond), ID: fmt.Sprintf("%08d", i), Event: fmt.Sprint("e", i%10), Object: "form",
			ObjectID: fmt.Sprint("f", i%100),
		})
		if len(batch) == cap(batch) || i == many-1 {
			if err := s.AddAudit(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
			batch = batch[:0]
		}
	}
}

// exported is a line of an export.
type exported struct {
	Time  time.Time
	ID    string `json:"audit_id"`
	Event string
}

// reading is a store that calls its function meanwhile before each page of an export.
type reading struct {
	store.Audit

	meanwhile func()
}

func (r reading) ListAudit(ctx context.Context, after store.AuditPlace, until time.Time, limit int) ([]store.AuditEntry, error) {
	r.meanwhile()
	return r.Audit.ListAudit(ctx, after, until, limit)
}

// While others write before and after the position that an export has reached, no entry is exported twice, and every entry stored before
// the export began is exported.
func TestExportWhileOthersWrite(t *testing.T) {
	for name, open := range engines() {
		t.Run(name, func(t *testing.T) {
			many := sizetest.Of(0, 4_000, 20_000)
			s := open(t)
			fill(t, s, many)
			page, end := 0, noon().Add(time.Duration(many)/7*time.Millisecond)
			write := func() {
				var more []store.AuditEntry
				for i := range 50 {
					id := fmt.Sprintf("new %d %d", page, i)
					more = append(more, store.AuditEntry{At: noon().Add(time.Duration(i) * time.Second), ID: id},
						store.AuditEntry{At: end, ID: id})
				}
				if err := s.AddAudit(t.Context(), more); err != nil {
					t.Error(err)
				}
				page++
			}
			var out bytes.Buffer
			if err := audit.Export(t.Context(), reading{s, write}, audit.Filter{Until: end.Add(time.Hour)}, &out); err != nil {
				t.Fatal(err)
			}
			seen, found, last := map[string]bool{}, 0, exported{}
			for lines := json.NewDecoder(&out); lines.More(); {
				var e exported
				if err := lines.Decode(&e); err != nil {
					t.Fatal(err)
				}
				key := e.Time.String() + e.ID
				if seen[key] || e.Time.Before(last.Time) || e.Time.Equal(last.Time) && e.ID <= last.ID {
					t.Fatalf("%+v follows %+v, seen before: %v", e, last, seen[key])
				}
				if seen[key], last = true, e; e.Event != "" {
					found++
				}
			}
			if found != many || page < many/1000 {
				t.Errorf("exported %d of %d entries in %d pages", found, many, page)
			}
		})
	}
}

// An export selects entries by time, event and form.
func TestExportSelects(t *testing.T) {
	s := sqlitetest.Open(t)
	fill(t, s, 3000)
	if err := s.AddAudit(t.Context(), []store.AuditEntry{{At: noon(), ID: "user", Object: "user", ObjectID: "f7", Event: "e7"}}); err != nil {
		t.Fatal(err)
	}
	at := func(i int) time.Time { return noon().Add(time.Duration(i) * time.Millisecond) }
	for _, tt := range []struct {
		f    audit.Filter
		want int
	}{
		{audit.Filter{Until: at(1000)}, 3001},
		{audit.Filter{Since: at(1), Until: at(3)}, 14},
		{audit.Filter{Since: at(3), Until: at(3)}, 0},
		{audit.Filter{Until: at(1000), Event: "e7"}, 301},
		{audit.Filter{Until: at(1000), Form: "f7"}, 30},
		{audit.Filter{Until: at(1000), Form: "f7", Event: "e8"}, 0},
		{audit.Filter{Until: at(1), Form: "f3", Event: "e3"}, 1},
	} {
		var out bytes.Buffer
		if err := audit.Export(t.Context(), s, tt.f, &out); err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != tt.want {
			t.Errorf("%+v: %d lines, want %d", tt.f, got, tt.want)
		}
	}
}

// broken is a writer that always fails.
type broken struct{}

var errBroken = errors.New("the reader has left")

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// An export ends when its reader stops reading or when it is interrupted.
func TestExportEndsEarly(t *testing.T) {
	s := sqlitetest.Open(t)
	fill(t, s, 10)
	if err := audit.Export(t.Context(), s, audit.Filter{Until: noon().Add(time.Hour)}, broken{}); !errors.Is(err, errBroken) {
		t.Errorf("%v, want that the write failed", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := audit.Export(ctx, s, audit.Filter{Until: noon().Add(time.Hour)}, &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was interrupted", err)
	}
}
