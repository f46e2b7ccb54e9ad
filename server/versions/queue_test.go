package versions

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func drained(q *queue, now time.Time, most int) (forms []string) {
	for range most {
		t, _ := q.next(now)
		if t == nil {
			break
		}
		forms = append(forms, t.form+string(t.body))
		q.end(t)
	}
	return forms
}

func newQueue(forms ...string) *queue {
	q := &queue{lines: map[string]*line{}}
	for i, form := range forms {
		q.add(&task{form: form, body: fmt.Append(nil, i)})
	}
	return q
}

// Forms take turns, however many saves of one wait. Those that somebody waits for come first, and one that rests holds up no other.
func TestFormsTakeTurns(t *testing.T) {
	now := time.Now()
	q := newQueue("a", "a", "a", "b", "c", "b")
	if got := drained(q, now, 9); !slices.Equal(got, []string{"a0", "b3", "c4", "a1", "b5", "a2"}) {
		t.Errorf("in turn: %v", got)
	}
	if q.size != 0 || q.waiting != 0 || len(q.lines)+len(q.turn) != 0 {
		t.Errorf("afterwards: %+v", q)
	}
	q = newQueue("a", "a", "b", "c", "c")
	q.lines["c"].waiters++
	if got := drained(q, now, 9); !slices.Equal(got, []string{"c3", "c4", "a0", "b2", "a1"}) {
		t.Errorf("with somebody who waits: %v", got)
	}
	q = newQueue("a", "a", "b", "b")
	first, _ := q.next(now)
	q.rest(first, now.Add(time.Minute))
	if got := drained(q, now, 9); !slices.Equal(got, []string{"b2", "b3"}) {
		t.Errorf("with one that rests: %v", got)
	}
	if next, again := q.next(now); next != nil || again != time.Minute {
		t.Errorf("while it rests: %v, %v", next, again)
	}
	if got := drained(q, now.Add(time.Minute), 9); !slices.Equal(got, []string{"a0", "a1"}) {
		t.Errorf("after it has rested: %v", got)
	}
}

// stuck is a store that does not answer.
type stuck struct{ store.Versions }

func (stuck) Last(ctx context.Context, _ string) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// A shutdown ends whatever is under way, in seconds.
func TestTheRecorderEndsInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRecorder(Config{Stored: stuck{}, Now: noon, Log: slog.New(slog.DiscardHandler)})
		for i := range 20 {
			r.Saved(fmt.Sprint(i), at(i, "A"), ann, false)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); r.Run(ctx) }()
		time.Sleep(recordDelay + time.Second) // the first is under way
		cancel()
		began := time.Now()
		<-ended
		if took, most := time.Since(began), recordEnd+2*recordGrace; took > most {
			t.Errorf("it took %v, want at most %v", took, most)
		}
		if r.queue.waiting > 0 {
			t.Errorf("%d wait", r.queue.waiting)
		}
	})
}
