package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/store"
)

// rows is a store.Audit in memory.
type rows struct {
	mu      sync.Mutex
	entries []store.AuditEntry
	calls   []int // the number of entries in each call of AddAudit
	down    bool
	hangs   bool // calls block until their context ends
}

func (s *rows) set(down, hangs bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down, s.hangs = down, hangs
}

func (s *rows) AddAudit(ctx context.Context, entries []store.AuditEntry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, len(entries))
	if s.hangs {
		s.mu.Unlock()
		<-ctx.Done()
		s.mu.Lock()
		return ctx.Err()
	}
	if s.down {
		return errors.New("the store is down")
	}
	s.entries = append(s.entries, entries...)
	return nil
}

func (s *rows) ListAudit(context.Context, store.AuditPlace, time.Time, int) ([]store.AuditEntry, error) {
	return nil, nil
}

// SweepAudit deletes up to limit entries.
func (s *rows) SweepAudit(_ context.Context, until time.Time, limit int) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for n < min(limit, len(s.entries)) && s.entries[n].At.Before(until) {
		n++
	}
	s.entries, s.calls = s.entries[n:], append(s.calls, n)
	return int64(n), nil
}

// details returns the details of the stored entries.
func (s *rows) details() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, e := range s.entries {
		out = append(out, e.Detail)
	}
	return out
}

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

// fixture is a Log with a store in memory.
type fixture struct {
	log  *audit.Log
	rows *rows
	text *bytes.Buffer // of the operator's log
	to   *slog.Logger
	next int
}

func newFixture() *fixture {
	text := &bytes.Buffer{}
	f := &fixture{rows: &rows{}, text: text, to: slog.New(slog.NewJSONHandler(text, nil))}
	f.log = audit.New(audit.Config{Rows: f.rows, Now: time.Now, Log: f.to})
	return f
}

func request() *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	r.RemoteAddr = "192.0.2.7:1234"
	return r
}

// record records n entries with consecutive numbers.
func (f *fixture) record(n int) {
	for range n {
		f.log.Record(request(), f.to, store.AuditEntry{Event: "e", Detail: fmt.Sprint(f.next)})
		f.next++
	}
}

// run runs the log until the returned function is called, which waits until it has stopped.
func (f *fixture) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { f.log.Run(ctx) })
	return func() { cancel(); wg.Wait() }
}

// An entry has the same members in the log line, in the store and in an export.
func TestLineAndRowAgree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		stop := f.run(t)
		f.log.Record(request(), f.to, store.AuditEntry{
			Source: "editor", Event: "form_saved", Issuer: "https://t", Subject: "u", Email: "a@b", ClientID: "c", Object: "form", ObjectID: "f",
			Detail: "d", Before: `"1"`, After: `"2"`, Outcome: "answered", Status: 200,
		})
		stop()
		var exported bytes.Buffer
		if err := audit.NewWriter(&exported).Write(t.Context(), f.rows.entries[0]); err != nil {
			t.Fatal(err)
		}
		line, export := members(t, f.text.Bytes()), members(t, exported.Bytes())
		if line["msg"] != "audit" || export["time"] != f.rows.entries[0].At.Format(time.RFC3339Nano) {
			t.Errorf("line %v, export %v", line, export)
		}
		for _, more := range []string{"time", "level", "msg"} {
			delete(line, more)
			delete(export, more)
		}
		// All members except request_id, which the middleware sets.
		if want := 15; !maps.Equal(line, export) || len(export) != want || export["address"] != "192.0.2.7" || export["status"] != 200.0 {
			t.Errorf("line %v, export %v, want the same %d members", line, export, want)
		}
	})
}

func members(t *testing.T, line []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(line, &out); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return out
}

// A log without a store still logs.
func TestNilLogWritesLines(t *testing.T) {
	f := newFixture()
	f.log = nil
	f.record(1)
	if text := f.text.String(); !strings.Contains(text, `"detail":"0"`) || strings.Contains(text, "ERROR") {
		t.Error(text)
	}
}

// Entries wait while the store is down, however long, and are then stored once and in order.
func TestEntriesWaitForTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		f.rows.set(true, false)
		stop := f.run(t)
		f.record(300)
		<-time.After(time.Hour)
		f.record(300)
		if text := f.text.String(); !strings.Contains(text, "audit entries cannot be stored, will retry") {
			t.Error("the failure is not logged")
		}
		if n := len(f.rows.calls); n > 130 { // two a minute
			t.Errorf("%d attempts in an hour", n)
		}
		f.rows.set(false, false)
		<-time.After(time.Minute)
		if got := f.rows.details(); !slices.Equal(got, numbers(600)) {
			t.Errorf("stored %d entries: %v", len(got), got)
		}
		if most := slices.Max(f.rows.calls); most > 200 {
			t.Errorf("%d entries are stored at once", most)
		}
		stop()
	})
}

// The number of waiting entries is bounded. An entry reports how many could not be stored.
func TestLostEntriesAreReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const most = 10_000
		f := newFixture()
		f.rows.set(true, false)
		stop := f.run(t)
		f.record(most + 7)
		if n := strings.Count(f.text.String(), "audit entry is not stored: too many are waiting"); n != 7 {
			t.Errorf("%d lost entries are logged, want 7", n)
		}
		if n := strings.Count(f.text.String(), `"msg":"audit"`); n != most+7 {
			t.Errorf("%d entries are logged, want all", n)
		}
		f.rows.set(false, false)
		<-time.After(time.Minute)
		f.record(1)
		stop()
		n := len(f.rows.entries)
		lost := f.rows.entries[n-2]
		if n != most+2 || lost.Event != audit.EventLost || lost.Detail != "7" || lost.Source != audit.SourceAudit || lost.ID == "" {
			t.Errorf("stored %d entries, the last but one %+v", n, lost)
		}
	})
}

// Entries that are waiting at shutdown are stored before Run returns, even after a failure.
func TestLastEntriesAreStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		f.rows.set(true, false)
		stop := f.run(t)
		f.record(500)
		time.AfterFunc(2*time.Second, func() { f.rows.set(false, false) })
		stop()
		if got := f.rows.details(); !slices.Equal(got, numbers(500)) {
			t.Errorf("stored %v", got)
		}
	})
}

// A store that is down or hangs does not block shutdown, and the log reports the missing entries.
func TestShutdownIsBounded(t *testing.T) {
	for _, hangs := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			f := newFixture()
			f.rows.set(true, hangs)
			stop := f.run(t)
			f.record(3)
			synctest.Wait()
			began := time.Now()
			stop()
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("shutdown takes %v", took)
			}
			f.record(1)
			text := f.text.String()
			if !strings.Contains(text, `they are only in this log","entries":3`) || strings.Count(text, "is not stored: too many") != 1 {
				t.Errorf("hangs %v: %s", hangs, text)
			}
		})
	}
}

// The IDs of a process are in the order of its entries, and no two are the same, even if the clock stands still or is set back.
func TestIDsKeepTheOrder(t *testing.T) {
	f := newFixture()
	at := time.Date(2026, 3, 1, 12, 0, 0, 999_999, time.UTC)
	other := audit.New(audit.Config{Rows: f.rows, Now: func() time.Time { return at }})
	f.log = audit.New(audit.Config{Rows: f.rows, Now: func() time.Time { return at }})
	seen := map[string]bool{}
	for i := range 3000 {
		if i == 1000 {
			at = at.Add(-time.Second)
		}
		for _, l := range []*audit.Log{f.log, other} {
			if err := l.RecordNow(t.Context(), store.AuditEntry{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, e := range f.rows.entries {
		if before := f.rows.entries[max(i-2, 0)]; seen[e.ID] || i > 1 && e.At.Equal(before.At) && e.ID <= before.ID {
			t.Fatalf("entry %d: %s at %v follows %s at %v", i, e.ID, e.At, before.ID, before.At)
		}
		if seen[e.ID] = true; e.At.Nanosecond()%int(store.Resolution) != 0 {
			t.Fatalf("time %v", e.At)
		}
	}
}

// Whatever a request contains, an entry is one line without control characters, in the log and in the export.
func TestEntriesAreOneSafeLine(t *testing.T) {
	const evil = "a\r\n{\"time\":\"x\"}\x1b[31m\x00\x7f\u009b31m\u202e\u2028\xff" // CR, LF, ANSI, NUL, DEL, C1, bidi, line separator, not UTF-8
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		stop := f.run(t)
		f.log.Record(request(), f.to, store.AuditEntry{
			Source: evil, Event: evil, Issuer: evil, Subject: evil, Email: evil, ClientID: evil, Object: evil, ObjectID: evil,
			Detail: strings.Repeat("ä", 2000), Before: evil, After: evil, Outcome: evil,
		})
		stop()
		var exported bytes.Buffer
		if err := audit.NewWriter(&exported).Write(t.Context(), f.rows.entries[0]); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{f.text.String(), exported.String()} {
			one := strings.TrimSuffix(line, "\n")
			if strings.ContainsAny(one, "\r\n\x1b\x00\x7f\u009b\u202e\u2028") || !strings.HasSuffix(line, "\n") {
				t.Errorf("%q", line)
			}
			got := members(t, []byte(line))
			if want := "a\r\n{\"time\":\"x\"}\x1b[31m\uFFFD\uFFFD\uFFFD31m\uFFFD\uFFFD\uFFFD"; got["id"] != want || got["detail"] != strings.Repeat("ä", 256) {
				t.Errorf("%q, want %q", got["id"], want)
			}
		}
	})
}

// Old entries are deleted in small batches, with pauses in which others can write.
func TestSweepIsGradual(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		now := time.Now()
		for i := range 2600 {
			f.rows.entries = append(f.rows.entries, store.AuditEntry{At: now.Add(time.Duration(i-2500) * time.Minute)})
		}
		if err := f.log.Sweep(t.Context(), time.Hour); err != nil {
			t.Fatal(err)
		}
		if want := []int{500, 500, 500, 500, 440}; !slices.Equal(f.rows.calls, want) || len(f.rows.entries) != 160 {
			t.Errorf("deleted %v and kept %d, want %v and 160", f.rows.calls, len(f.rows.entries), want)
		}
		if !time.Now().After(now) {
			t.Error("there is no pause")
		}
	})
}
