package versions

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// away is a store that cannot be reached for some time.
type away struct {
	store.Versions
	lists  atomic.Int32
	adding func() // called before a version is added; may be nil
	mu     sync.Mutex
	err    error
}

func (a *away) Add(ctx context.Context, v store.Version) error {
	if a.adding != nil {
		a.adding()
	}
	return a.Versions.Add(ctx, v)
}

func (a *away) List(ctx context.Context, form string, offset, limit int) ([]store.Version, int, error) {
	a.lists.Add(1)
	a.mu.Lock()
	err := a.err
	a.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	return a.Versions.List(ctx, form, offset, limit)
}

func (a *away) fail(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.err = err
}

// recording is a Recorder with what it reports.
type recording struct {
	*Recorder

	*away

	team   store.Team
	log    *bytes.Buffer
	mu     sync.Mutex
	counts map[string]int
}

func newRecording(t *testing.T) *recording {
	t.Helper()
	r := &recording{team: sqlitetest.Open(t).Team(""), log: &bytes.Buffer{}, counts: map[string]int{}}
	r.away = &away{Versions: r.team.Versions()}
	r.Recorder = NewRecorder(Config{
		Stored: r.away, Forget: r.team.Forget, Now: noon, Log: slog.New(slog.NewTextHandler(r.log, nil)), Observe: r.count,
	})
	return r
}

func (r *recording) count(ctx context.Context, k observe.Kind, detail string) (context.Context, func(string)) {
	return ctx, func(outcome string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.counts[string(k)+" "+detail+" "+outcome]++
	}
}

// run runs the recorder until stop is called.
func (r *recording) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); r.Run(ctx) }()
	stop = func() { cancel(); <-ended }
	t.Cleanup(stop)
	return stop
}

func (r *recording) wait(t *testing.T) {
	t.Helper()
	if err := r.Wait(t.Context(), "f"); err != nil {
		t.Fatal(err)
	}
}

// What is queued is recorded in order, and what was seen already is not looked up again.
func TestRecorder(t *testing.T) {
	r := newRecording(t)
	r.run(t)
	r.wait(t) // nothing
	for i := range 50 {
		r.Saved("f", at(i, fmt.Sprint(i)), ann, false)
	}
	r.Seen("f", at(50, "elsewhere"))
	r.wait(t)
	if got := r.history(t); !strings.HasPrefix(got, "51@50:elsewhere, 50@49:49 Ann, 49@48:48 Ann,") {
		t.Errorf("got %s", got)
	}
	lists := r.lists.Load()
	for range 10 {
		r.Seen("f", at(50, "elsewhere"))
	}
	r.wait(t)
	if n := r.lists.Load() - lists; n != 0 {
		t.Errorf("%d lookups of what was just seen", n)
	}
	r.Deleted("f")
	r.Seen("f", at(60, "an old answer"))
	r.wait(t)
	if got := r.history(t); got != "" {
		t.Errorf("after its form was deleted: %s", got)
	}
	if r.counts["version saved recorded"] != 50 || r.counts["version seen recorded"] != 1 || r.counts["version deleted recorded"] != 1 {
		t.Errorf("counted %v", r.counts)
	}
}

// What waits when its form is deleted is not recorded, and nothing that was kept of the form is left. Other forms are not affected.
func TestWhatWaitsOfADeletedFormIsDropped(t *testing.T) {
	r := newRecording(t)
	added := 0
	r.adding = func() { added++ }
	comment, one := store.Comment{ID: "c", Thread: "c", Text: "t", Created: noon()}, store.CommentAmount{Comments: 1, Bytes: 1}
	if err := r.team.Comments().Add(t.Context(), "f", comment, store.CommentRoom{All: one, Author: one}); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		r.Saved("f", at(i, fmt.Sprint(i)), ann, false)
		r.Saved("g", at(i, fmt.Sprint(i)), ann, false)
	}
	waiting := make(chan error)
	go func() { waiting <- r.Wait(t.Context(), "f") }()
	r.Deleted("f")
	r.run(t)
	r.wait(t)
	if err := r.Wait(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Errorf("whoever waits for what is dropped: %v", err)
	}
	if kept, err := r.team.Kept(t.Context(), "", 9); err != nil || len(kept) != 1 || kept[0] != "g" || added != 3 {
		t.Errorf("%d versions were added, and %v is kept, %v", added, kept, err)
	}
	if r.counts["version saved forgotten"] != 3 || r.counts["version saved recorded"] != 3 || r.counts["version deleted recorded"] != 1 {
		t.Errorf("counted %v", r.counts)
	}
}

// A version that is being recorded while its form is deleted is not left behind.
func TestADeletedFormOutlivesNoVersion(t *testing.T) {
	r := newRecording(t)
	began, goOn := make(chan struct{}), make(chan struct{})
	r.adding = func() { close(began); <-goOn }
	r.run(t)
	r.Saved("f", at(1, "A"), ann, false)
	<-began
	r.Saved("f", at(2, "B"), ann, false)
	r.Deleted("f")
	if err := r.team.Forget(t.Context(), "f"); err != nil { // as whoever deletes the form does
		t.Fatal(err)
	}
	close(goOn)
	r.wait(t)
	if kept, err := r.team.Kept(t.Context(), "", 9); err != nil || len(kept) != 0 {
		t.Errorf("kept are %v, %v", kept, err)
	}
	if r.counts["version saved forgotten"] != 1 || r.counts["version saved recorded"] != 1 {
		t.Errorf("counted %v", r.counts)
	}
}

// Versions wait while the store is away. What is no form, or fails for another reason, holds nobody up.
func TestRecorderWaitsForTheStore(t *testing.T) {
	r := newRecording(t)
	r.fail(store.ErrUnavailable)
	r.Saved("f", at(1, "A"), ann, false)
	r.Saved("g", []byte("no form"), ann, false)
	r.Saved("f", at(2, "B"), bob, false)
	stop := r.run(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Wait(ended, "f"); err == nil {
		t.Error("nobody waits for a store that is away")
	}
	r.fail(nil)
	r.wait(t)
	if err := r.Wait(t.Context(), "g"); err != nil {
		t.Fatal(err)
	}
	if got := r.history(t); got != "2@2:B Bob, 1@1:A Ann" {
		t.Errorf("got %s", got)
	}
	if r.counts["version saved failed"] != 1 || !strings.Contains(r.log.String(), "not a form") {
		t.Errorf("counted %v: %s", r.counts, r.log)
	}
	// A shutdown waits for what is queued.
	r.Saved("f", at(3, "C"), ann, false)
	stop()
	if got := r.history(t); !strings.HasPrefix(got, "3@3:C Ann") {
		t.Errorf("after a shutdown: %s", got)
	}
	r.Saved("f", at(4, "D"), ann, false)
	r.wait(t)
	if r.counts["version saved dropped"] != 1 {
		t.Errorf("after the end: %v", r.counts)
	}
}

// The queue is bounded by bytes. A read that was dropped is recorded the next time.
func TestRecorderIsBounded(t *testing.T) {
	r := newRecording(t)
	for i := range maxBytes / maxShare {
		r.Saved(fmt.Sprint("g", i), make([]byte, maxShare-1000), ann, false)
	}
	r.Saved("g0", make([]byte, 2000), ann, false) // more than the share of the form
	r.Saved("f", make([]byte, 5000), ann, false)
	r.Seen("h", make([]byte, 5000))
	r.Seen("f", at(1, "A"))
	r.Seen("f", at(1, "A"))
	if r.counts["version saved dropped"] != 2 || r.counts["version seen dropped"] != 1 || r.queue.waiting != maxBytes/maxShare+1 {
		t.Errorf("%d wait, counted %v", r.queue.waiting, r.counts)
	}
	if n := strings.Count(r.log.String(), "not recorded"); n != 2 {
		t.Errorf("%d lines: %s", n, r.log)
	}
	stop := r.run(t)
	r.wait(t)
	stop()
	if got := r.history(t); got != "1@1:A" || r.queue.size != 0 {
		t.Errorf("got %s, %d bytes", got, r.queue.size)
	}
	r.closed = false
	r.run(t)
	r.Seen("h", at(1, "H"))
	if err := r.Wait(t.Context(), "h"); err != nil {
		t.Fatal(err)
	}
	if _, total, err := r.List(t.Context(), "h", 0, 1); total != 1 || err != nil {
		t.Errorf("a read that was dropped is not recorded later: %d, %v", total, err)
	}
}

// Small forms are recorded while a large one waits for its turn or takes long, but not those that were saved after it as the same form.
func TestSmallFormsDoNotWaitForLargeOnes(t *testing.T) {
	r := newRecording(t)
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Limit(10*time.Second))
	defer cancel()
	began, goOn := make(chan struct{}), make(chan struct{})
	refused := false
	r.inTurn = func(_ context.Context, size int, work func()) bool {
		if size < largeTask {
			work()
			return true
		}
		if !refused { // its turn does not come in time
			refused = true
			close(began)
			<-goOn
			return false
		}
		work()
		return true
	}
	r.run(t)
	r.Saved("f", at(1, strings.Repeat("A", largeTask)), ann, false)
	<-began
	r.Saved("f", at(2, "B"), bob, false)
	r.Saved("g", at(3, "C"), ann, false)
	if err := r.Wait(ctx, "g"); err != nil {
		t.Errorf("a small form: %v", err)
	}
	if got := r.history(t); got != "" {
		t.Errorf("a small form overtakes a large one: %.100s", got)
	}
	close(goOn)
	if err := r.Wait(ctx, "f"); err != nil {
		t.Errorf("a large form: %v", err)
	}
	if got := r.history(t); !strings.HasPrefix(got, "2@2:B Bob, 1@1:AAA") {
		t.Errorf("got %.100s", got)
	}
}
