package versions

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/store"
)

// Limits of recording.
const (
	// maxWaiting and maxBytes bound what waits to be recorded.
	maxWaiting = 10_000
	maxBytes   = 64 << 20
	// maxSeen is how many forms are remembered as last seen.
	maxSeen = 10_000
	// recordDelay is the delay before saves are recorded, and recordBurst is how long they are recorded until the next delay. So recording takes
	// a sixth of a processor at most, and does not slow down most saves. There is no delay when somebody waits, at a shutdown, and when the
	// queue is half full.
	recordDelay = 500 * time.Millisecond
	recordBurst = 100 * time.Millisecond
	// recordTime is the timeout of one attempt to record a version.
	recordTime = 30 * time.Second
	// recordLife is how long a version is tried: longer than a restart of the database. It must be less than authorTime.
	recordLife = 10 * time.Minute
	// recordPause is the pause between attempts.
	recordPause = time.Second
	// recordEnd is how long waiting versions are tried when the process shuts down.
	recordEnd = 5 * time.Second
	// sweepEvery is how often the versions of all forms are pruned.
	sweepEvery = 24 * time.Hour
)

// Config configures a Recorder. Observe is optional, and so is Changed, see History.
type Config struct {
	Stored  store.Versions
	Changed func(ctx context.Context, form string, before, now *model.Form)
	Now     func() time.Time // the clock of the store
	Log     *slog.Logger
	Observe observe.Func
}

// Recorder records in the background what is saved and read, in order. It is safe for concurrent use.
type Recorder struct {
	*History

	log     *slog.Logger
	observe observe.Func
	wake    chan struct{} // filled when tasks are waiting
	urgent  chan struct{} // filled when the delay is to end
	seed    maphash.Seed

	mu      sync.Mutex
	waiting []*task
	size    int              // of their bodies
	last    map[string]*task // the last waiting task of each form
	seen    *recent.Map[string, sight]
	waiters int  // how many wait for something to be recorded
	closed  bool // nothing more is recorded
	swept   time.Time
}

// task is something that waits to be recorded.
type task struct {
	form  string
	kind  string // for metrics: saved, seen or deleted
	body  []byte
	by    Author
	auto  bool      // nobody asked for the save
	until time.Time // it is not tried after that
	done  chan struct{}
}

// The kinds of tasks.
const (
	taskSaved   = "saved"
	taskSeen    = "seen"
	taskDeleted = "deleted"
)

// sight is what was last seen of a form.
type sight struct {
	sum  uint64
	gone bool
}

// NewRecorder returns a Recorder, which records while its Run method is running.
func NewRecorder(c Config) *Recorder {
	r := &Recorder{
		History: NewHistory(c.Stored, c.Now), log: c.Log, observe: c.Observe, wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1),
		seed: maphash.MakeSeed(),
		last: map[string]*task{}, seen: recent.New[string, sight](maxSeen),
	}
	r.Changed = c.Changed
	return r
}

// Saved records the form in the tenant's answer to a save; automatic says that nobody asked for the save. Saved does not wait, and returns no error:
// the save has already happened. The caller must not change body.
func (r *Recorder) Saved(form string, body []byte, by Author, automatic bool) {
	r.queue(&task{form: form, kind: taskSaved, body: body, by: by, auto: automatic})
}

// Seen records the form in the tenant's answer to a read if it was saved elsewhere. Reading the same form again costs little.
func (r *Recorder) Seen(form string, body []byte) {
	r.queue(&task{form: form, kind: taskSeen, body: body})
}

// Deleted deletes the versions of a form.
func (r *Recorder) Deleted(form string) { r.queue(&task{form: form, kind: taskDeleted}) }

func (r *Recorder) queue(t *task) {
	t.until, t.done = time.Now().Add(recordLife), make(chan struct{})
	now := sight{maphash.Bytes(r.seed, t.body), t.kind == taskDeleted}
	r.mu.Lock()
	defer r.mu.Unlock()
	if before, ok := r.seen.Get(t.form); ok && t.kind == taskSeen && (before.gone || before == now) {
		return
	}
	if r.closed || len(r.waiting) >= maxWaiting || r.size+len(t.body) > maxBytes {
		r.lost(t, "dropped", nil)
		return
	}
	r.seen.Put(t.form, now)
	r.waiting = append(r.waiting, t)
	r.size += len(t.body)
	r.last[t.form] = t
	fill(r.wake)
	if r.size > maxBytes/2 {
		fill(r.urgent)
	}
}

// fill fills a channel of one element.
func fill(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// lost logs and counts a task that is not done. The caller holds mu.
func (r *Recorder) lost(t *task, outcome string, err error) {
	ctx := context.Background()
	r.observe.Count(ctx, observe.Version, t.kind, outcome)
	if before, _ := r.seen.Get(t.form); !before.gone {
		r.seen.Delete(t.form) // so that the next read records it
	}
	if t.kind == taskSeen && err == nil {
		return // it is read again some time
	}
	r.log.WarnContext(ctx, "version is not recorded", "form", t.form, "kind", t.kind, "outcome", outcome, "error", err)
}

// Wait waits until what has been queued about a form is recorded, or until ctx ends, whose error it returns.
func (r *Recorder) Wait(ctx context.Context, form string) error {
	r.mu.Lock()
	t := r.last[form]
	if t == nil {
		r.mu.Unlock()
		return nil
	}
	r.waiters++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.waiters--
	}()
	fill(r.urgent)
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run records in order until ctx ends, and then tries for a few seconds to record what still waits.
func (r *Recorder) Run(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-r.wake:
			wait(ctx, recordDelay, r.urgent)
			r.flush(ctx, recordPause, recordBurst)
		}
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordEnd)
	defer cancel()
	r.flush(ctx, recordPause/10, recordEnd)
	for t := r.first(); t != nil; t = r.first() {
		r.end(t, ctx.Err())
	}
}

// flush does the waiting tasks until ctx ends, or for a time if there is no hurry. The first is tried until it is too old, since the others must
// not overtake it.
func (r *Recorder) flush(ctx context.Context, pause, most time.Duration) {
	began := time.Now()
	for t := r.first(); t != nil && ctx.Err() == nil; t = r.first() {
		if time.Since(began) > most && !r.hurried() {
			fill(r.wake)
			return
		}
		// An attempt continues after ctx ends: otherwise it would be unknown whether it succeeded.
		attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
		err := r.do(attempt, t)
		cancel()
		if passing(err) && time.Now().Before(t.until) {
			wait(ctx, pause, nil)
			continue
		}
		r.end(t, err)
	}
}

// hurried reports whether there must be no delay.
func (r *Recorder) hurried() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waiters > 0 || r.size > maxBytes/2
}

// passing reports whether the same attempt may succeed later.
func passing(err error) bool {
	return errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrConflict) || errors.Is(err, context.DeadlineExceeded)
}

func (r *Recorder) do(ctx context.Context, t *task) error {
	if t.kind == taskDeleted {
		return r.forget(ctx, t.form)
	}
	return r.record(ctx, t.form, t.body, t.by, t.auto)
}

// wait waits for a time, or until ctx ends or the channel is filled.
func wait(ctx context.Context, d time.Duration, sooner <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-sooner:
	case <-timer.C:
	}
}

// first returns the first waiting task, nil if there is none.
func (r *Recorder) first() *task {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return nil
	}
	return r.waiting[0]
}

// end removes the first waiting task.
func (r *Recorder) end(t *task, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		r.observe.Count(context.Background(), observe.Version, t.kind, "recorded")
	} else {
		r.lost(t, "failed", err)
	}
	r.waiting[0] = nil
	r.waiting = r.waiting[1:]
	r.size -= len(t.body)
	if r.last[t.form] == t {
		delete(r.last, t.form)
	}
	close(t.done)
}

// Sweep prunes the versions of all forms once a day, however often it is called.
func (r *Recorder) Sweep(ctx context.Context) error {
	r.mu.Lock()
	due := time.Since(r.swept) >= sweepEvery
	if due {
		r.swept = time.Now()
	}
	r.mu.Unlock()
	if !due {
		return nil
	}
	return r.History.Sweep(ctx)
}
