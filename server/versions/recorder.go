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
	// maxSeen is how many forms are remembered as last seen.
	maxSeen = 10_000
	// recordDelay is the delay before saves are recorded, and recordBurst is how long they are recorded until the next delay. So recording small forms
	// takes a sixth of a processor at most, and does not slow down most saves. A large form may take longer than a burst. There is no delay when
	// somebody waits, at a shutdown, and when the queue is half full.
	recordDelay = 500 * time.Millisecond
	recordBurst = 100 * time.Millisecond
	// largeTask is the size of a form, in bytes, from which on it may take a second to record, so that small ones are recorded beside it.
	largeTask = 128 << 10
	// recordTime is the timeout of one attempt to record a version.
	recordTime = 30 * time.Second
	// recordLife is how long a version is tried: longer than a restart of the database. It must be less than authorTime.
	recordLife = 10 * time.Minute
	// recordPause is the pause between attempts.
	recordPause = time.Second
	// recordEnd is how long waiting versions are tried when the process shuts down, and recordGrace how long an attempt continues after that.
	recordEnd, recordGrace = 3 * time.Second, time.Second
	// sweepEvery is how often the versions of all forms are pruned.
	sweepEvery = 24 * time.Hour
)

// Config configures a Recorder. Observe is optional, and so are Changed, see History, and InTurn.
type Config struct {
	Stored store.Versions
	// Forget deletes everything that is kept of a form, as store.Team does.
	Forget  func(ctx context.Context, form string) error
	Changed func(ctx context.Context, form string, before, now *model.Form)
	// InTurn does work on a form of a size in bytes when its turn comes, and reports whether it was done.
	InTurn  func(ctx context.Context, size int, work func()) bool
	Now     func() time.Time // the clock of the store
	Log     *slog.Logger
	Observe observe.Func
}

// Recorder records in the background what is saved and read, in order for each form. It is safe for concurrent use.
type Recorder struct {
	*History

	forget  func(ctx context.Context, form string) error // see Config
	inTurn  func(ctx context.Context, size int, work func()) bool
	log     *slog.Logger
	observe observe.Func
	lanes   []*lane
	seed    maphash.Seed

	mu     sync.Mutex
	queue  queue
	seen   *recent.Map[string, sight]
	closed bool // nothing more is recorded
	swept  time.Time
}

// lane does some of the tasks, one at a time. There is one for those of large forms, and one for the others, which do not wait for them.
type lane struct {
	takes  func(*task) bool
	wake   chan struct{} // filled when tasks are waiting
	urgent chan struct{} // filled when the delay is to end
}

func newLane(takes func(*task) bool) *lane {
	return &lane{takes: takes, wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1)}
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

func (t *task) large() bool { return len(t.body) >= largeTask }

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
		History: NewHistory(c.Stored, c.Now), forget: c.Forget, inTurn: c.InTurn, log: c.Log, observe: c.Observe,
		lanes: []*lane{newLane((*task).large), newLane(func(t *task) bool { return !t.large() })},
		seed:  maphash.MakeSeed(), queue: newQueue(), seen: recent.New[string, sight](maxSeen),
	}
	if r.inTurn == nil {
		r.inTurn = func(_ context.Context, _ int, work func()) bool { work(); return true }
	}
	r.Changed = c.Changed
	return r
}

// Saved records the form in the tenant's answer to a save; automatic says that nobody asked for the save. Saved does not wait, and returns no error:
// the save has already happened. The caller must not change body.
func (r *Recorder) Saved(form string, body []byte, by Author, automatic bool) {
	r.add(&task{form: form, kind: taskSaved, body: body, by: by, auto: automatic})
}

// Seen records the form in the tenant's answer to a read if it was saved elsewhere. Reading the same form again costs little.
func (r *Recorder) Seen(form string, body []byte) {
	r.add(&task{form: form, kind: taskSeen, body: body})
}

// Deleted forgets a form that was deleted, with everything that is kept of it. What still waits to be recorded of it is dropped; if it is being
// recorded, the form is forgotten after that.
func (r *Recorder) Deleted(form string) { r.add(&task{form: form, kind: taskDeleted}) }

func (r *Recorder) add(t *task) {
	t.until, t.done = time.Now().Add(recordLife), make(chan struct{})
	now := sight{maphash.Bytes(r.seed, t.body), t.kind == taskDeleted}
	r.mu.Lock()
	defer r.mu.Unlock()
	if before, ok := r.seen.Get(t.form); ok && t.kind == taskSeen && (before.gone || before == now) {
		return
	}
	if t.kind == taskDeleted {
		for _, old := range r.queue.drop(t.form) {
			r.observe.Count(context.Background(), observe.Version, old.kind, "forgotten")
			close(old.done)
		}
	}
	if r.closed || !r.queue.add(t) {
		r.lost(t, "dropped", nil)
		return
	}
	r.seen.Put(t.form, now)
	r.rouse(t)
	if r.queue.size > maxBytes/2 {
		r.hurry()
	}
}

// rouse wakes the lane of a task.
func (r *Recorder) rouse(t *task) {
	for _, l := range r.lanes {
		if l.takes(t) {
			fill(l.wake)
		}
	}
}

// hurry ends the delay.
func (r *Recorder) hurry() {
	for _, l := range r.lanes {
		fill(l.urgent)
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
	l := r.queue.lines[form]
	if l == nil {
		r.mu.Unlock()
		return nil
	}
	t := l.tasks[len(l.tasks)-1]
	r.queue.waiters++
	l.waiters++
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.queue.waiters--
		l.waiters--
	}()
	r.hurry()
	select {
	case <-t.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Run records until ctx ends, and then tries for a few seconds to record what still waits.
func (r *Recorder) Run(ctx context.Context) {
	var running sync.WaitGroup
	for _, l := range r.lanes {
		running.Go(func() {
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-l.wake:
					if !r.hurried() {
						wait(ctx, recordDelay, l.urgent)
					}
					r.flush(ctx, l, recordPause, recordBurst)
				}
			}
		})
	}
	running.Wait()
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordEnd)
	defer cancel()
	r.flush(ctx, newLane(func(*task) bool { return true }), recordPause/10, recordEnd)
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.queue.turn) > 0 {
		r.end(r.queue.turn[0].tasks[0], ctx.Err())
	}
}

// flush does the waiting tasks of a lane until ctx ends, or for a time if there is no hurry. A task is tried until it is too old, and then the next
// ones of its form, which must not overtake it.
func (r *Recorder) flush(ctx context.Context, l *lane, pause, most time.Duration) {
	began := time.Now()
	for ctx.Err() == nil {
		if time.Since(began) > most && !r.hurried() {
			fill(l.wake)
			return
		}
		r.mu.Lock()
		t, again := r.queue.next(time.Now(), l.takes)
		r.mu.Unlock()
		switch {
		case t == nil && again == 0:
			return
		case t == nil:
			wait(ctx, again, nil)
			continue
		}
		err := r.attempt(ctx, t)
		r.mu.Lock()
		if passing(err) && time.Now().Before(t.until) {
			r.queue.rest(t, time.Now().Add(pause))
		} else {
			r.end(t, err)
		}
		r.mu.Unlock()
		if errors.Is(err, store.ErrUnavailable) { // the others would fail, too
			wait(ctx, pause, nil)
		}
	}
}

// attempt does a task. It continues for a moment after ctx ends: otherwise it would be unknown whether it succeeded.
func (r *Recorder) attempt(ctx context.Context, t *task) (err error) {
	attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(recordGrace, cancel) })()
	if t.kind == taskDeleted {
		r.know(t.form, nil)
		return r.forget(attempt, t.form)
	}
	if !r.inTurn(attempt, len(t.body), func() { err = r.record(attempt, t.form, t.body, t.by, t.auto) }) {
		return context.DeadlineExceeded
	}
	return err
}

// hurried reports whether there must be no delay.
func (r *Recorder) hurried() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.queue.waiters > 0 || r.queue.size > maxBytes/2
}

// passing reports whether the same attempt may succeed later.
func passing(err error) bool {
	return errors.Is(err, store.ErrUnavailable) || errors.Is(err, store.ErrConflict) || errors.Is(err, context.DeadlineExceeded)
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

// end ends the first task of a form. The caller holds mu.
func (r *Recorder) end(t *task, err error) {
	if err == nil {
		r.observe.Count(context.Background(), observe.Version, t.kind, "recorded")
	} else {
		r.lost(t, "failed", err)
	}
	r.queue.end(t)
	if l := r.queue.lines[t.form]; l != nil {
		r.rouse(l.tasks[0])
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
