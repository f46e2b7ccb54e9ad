// Package audit records who did what: each entry is written as one line of the operator's log and one row of the store, with the same
// values.
package audit

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// The sources of entries.
const (
	SourceEditor  = "editor"  // the editor's backend: what users requested, and how the tenant responded
	SourceTenant  = "tenant"  // the management API of the embedded tenant: what was changed there
	SourceAccount = "account" // the account API of the embedded tenant: what users changed in their own accounts
	SourceCommand = "command" // a command run on the server's machine
	SourceAudit   = "audit"   // this package
)

// Outcomes of the recorded actions. An entry for an action that can only succeed has none.
const (
	Done        = "done"         // the change was made
	Answered    = "answered"     // the tenant responded, with the status of the entry
	Refused     = "refused"      // this server refused the request without calling the tenant
	Timeout     = "timeout"      // the tenant did not respond in time: the change may have been made
	Failed      = "failed"       // the tenant could not be called, or its response could not be read: the change may have been made
	BrowserLeft = "browser_left" // the browser disconnected before the response: the change may have been made
)

// EventLost is the event of an entry whose detail is the number of earlier entries that could not be stored.
const EventLost = "entries_lost"

const (
	// maxWaiting is the maximum number of entries that wait to be stored while the database is unavailable.
	maxWaiting = 10_000
	// maxBatch is the maximum number of entries that are stored at once.
	maxBatch = 200
	// gatherTime is how long Run waits for more entries before it stores the first. A busy server stores many in one transaction, so saves
	// rarely wait for them.
	gatherTime = 100 * time.Millisecond
	// writeTime is the timeout of one attempt to store entries.
	writeTime = 5 * time.Second
	// firstPause and lastPause are the shortest and the longest pause between attempts to store an entry.
	firstPause, lastPause = time.Second, 30 * time.Second
	// endTime is how long Run tries to store what is waiting after its context has ended.
	endTime = 8 * time.Second
	// endPause is the pause between these attempts.
	endPause = 500 * time.Millisecond
)

// Config configures a Log. All fields are required.
type Config struct {
	Rows store.Audit
	Now  func() time.Time // the clock of the store
	Log  *slog.Logger     // for failures
}

// Log stores entries in the background, so that a request does not wait for them. It is safe for concurrent use. A nil Log stores nothing,
// and its Record method only logs.
type Log struct {
	Config

	wake chan struct{} // filled when entries are waiting

	mu      sync.Mutex
	waiting []store.AuditEntry
	lost    int   // entries dropped since the last EventLost entry
	ended   bool  // no more entries are stored
	last    int64 // the latest time of an entry, in milliseconds
	count   int   // entries since then
}

// New returns a Log that stores entries while its Run method is running.
func New(c Config) *Log { return &Log{Config: c, wake: make(chan struct{}, 1)} }

// Record logs an entry to to and queues it to be stored. It sets At, ID, RequestID and Address, taking the request ID and the client's
// address from r. It does not return an error, because the action has already happened: an entry that cannot be stored is reported in the
// log.
func (l *Log) Record(r *http.Request, to *slog.Logger, e store.AuditEntry) {
	e.RequestID, e.Address = httpx.RequestID(r.Context()), clientip.Of(r)
	clean(&e)
	kept := l.add(&e)
	to.LogAttrs(r.Context(), slog.LevelInfo, "audit", Attrs(e)...)
	if l != nil && !kept {
		l.Log.LogAttrs(r.Context(), slog.LevelError, "audit entry is not stored: too many are waiting", slog.String("audit_id", e.ID))
	}
}

// RecordNow stores an entry synchronously, for a command. It sets At and ID, and logs nothing.
func (l *Log) RecordNow(ctx context.Context, e store.AuditEntry) error {
	clean(&e)
	l.mu.Lock()
	l.date(&e)
	l.mu.Unlock()
	return l.Rows.AddAudit(ctx, []store.AuditEntry{e})
}

// add queues an entry to be stored, and reports whether there was room.
func (l *Log) add(e *store.AuditEntry) bool {
	if l == nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.date(e)
	if l.ended || len(l.waiting) >= maxWaiting {
		l.lost++
		return false
	}
	l.waiting = append(l.waiting, *e)
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return true
}

// date sets the time and the ID of an entry. The ID begins with the time and a sequence number, so that entries of one process keep their
// order, and ends with random digits, so that no two processes generate the same ID.
func (l *Log) date(e *store.AuditEntry) {
	e.At = l.Now().UTC().Truncate(store.Resolution)
	ms := e.At.UnixMilli()
	if l.count++; ms > l.last {
		l.last, l.count = ms, 0
	}
	e.ID = fmt.Sprintf("%012x%06x%014x", ms, l.count, rand.Uint64N(1<<56)) //nolint:gosec // no secret
}

// Run stores entries until ctx ends, and then tries for a few seconds to store those still waiting.
func (l *Log) Run(ctx context.Context) {
	wait := func(d time.Duration) {
		select {
		case <-ctx.Done():
		case <-time.After(d):
		}
	}
	pause := firstPause
	for ctx.Err() == nil {
		// An attempt continues after ctx ends: otherwise it would be unknown whether it succeeded.
		if err := l.store(context.WithoutCancel(ctx)); err != nil {
			l.Log.LogAttrs(ctx, slog.LevelError, "audit entries cannot be stored, will retry",
				slog.Int("entries", l.left()), slog.Any("error", err))
			wait(pause)
			pause = min(2*pause, lastPause)
			continue
		}
		pause = firstPause
		select {
		case <-ctx.Done():
		case <-l.wake:
			wait(gatherTime)
		}
	}
	l.finish(context.WithoutCancel(ctx))
}

// finish stores the waiting entries when the process shuts down.
func (l *Log) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	err := l.store(ctx)
	for err != nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(endPause):
			err = l.store(ctx)
		}
	}
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	if n := l.left(); n > 0 {
		l.Log.LogAttrs(ctx, slog.LevelError, "audit entries were not stored before shutdown; they are only in this log",
			slog.Int("entries", n), slog.Any("error", err))
	}
}

// store stores the waiting entries.
func (l *Log) store(ctx context.Context) error {
	for {
		batch := l.batch()
		if len(batch) == 0 {
			return nil
		}
		attempt, cancel := context.WithTimeout(ctx, writeTime)
		err := l.Rows.AddAudit(attempt, batch)
		cancel()
		if err != nil {
			return err
		}
		l.mu.Lock()
		l.waiting = l.waiting[len(batch):]
		l.mu.Unlock()
	}
}

// batch returns the entries to store next. An EventLost entry follows the entries that were waiting when others were dropped.
func (l *Log) batch() []store.AuditEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost > 0 && len(l.waiting) < maxWaiting {
		e := store.AuditEntry{Source: SourceAudit, Event: EventLost, Detail: fmt.Sprint(l.lost)}
		l.date(&e)
		l.waiting, l.lost = append(l.waiting, e), 0
	}
	return l.waiting[:min(len(l.waiting), maxBatch)]
}

// left returns the number of entries that are not stored yet.
func (l *Log) left() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting)
}
