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

func every(*task) bool { return true }

func drained(q *queue, now time.Time, most int) (forms []string) {
	for range most {
		t, _ := q.next(now, every)
		if t == nil {
			break
		}
		forms = append(forms, t.form+string(t.body))
		q.end(t)
	}
	return forms
}

func queueOf(forms ...string) *queue {
	q := newQueue()
	for i, form := range forms {
		q.add(&task{form: form, body: fmt.Append(nil, i)})
	}
	return &q
}

// Forms take turns, however many saves of one wait. Those that somebody waits for come first, and one that rests holds up no other.
func TestFormsTakeTurns(t *testing.T) {
	now := time.Now()
	q := queueOf("a", "a", "a", "b", "c", "b")
	if got := drained(q, now, 9); !slices.Equal(got, []string{"a0", "b3", "c4", "a1", "b5", "a2"}) {
		t.Errorf("in turn: %v", got)
	}
	if q.size != 0 || q.waiting != 0 || len(q.lines)+len(q.turn) != 0 {
		t.Errorf("afterwards: %+v", q)
	}
	q = queueOf("a", "a", "b", "c", "c")
	q.lines["c"].waiters++
	if got := drained(q, now, 9); !slices.Equal(got, []string{"c3", "c4", "a0", "b2", "a1"}) {
		t.Errorf("with somebody who waits: %v", got)
	}
	q = queueOf("a", "a", "b", "b")
	first, _ := q.next(now, every)
	q.rest(first, now.Add(time.Minute))
	if got := drained(q, now, 9); !slices.Equal(got, []string{"b2", "b3"}) {
		t.Errorf("with one that rests: %v", got)
	}
	if next, again := q.next(now, every); next != nil || again != time.Minute {
		t.Errorf("while it rests: %v, %v", next, again)
	}
	if got := drained(q, now.Add(time.Minute), 9); !slices.Equal(got, []string{"a0", "a1"}) {
		t.Errorf("after it has rested: %v", got)
	}
}

// Authors take turns, too, by what they have had: many large forms of one hold up nobody else, also if somebody waits for them.
func TestAuthorsTakeTurns(t *testing.T) {
	for _, waits := range []bool{false, true} {
		q := newQueue()
		add := func(author, form string, size int) {
			q.add(&task{form: form, by: Author{ID: author}, body: make([]byte, size)})
			if waits {
				q.lines[form].waiters++
			}
		}
		var got []string
		do := func() {
			next, _ := q.next(time.Now(), every)
			got = append(got, next.form)
			q.end(next)
		}
		for i := range 4 {
			add("eve", fmt.Sprint("e", i), 1<<20)
		}
		do()
		add("ana", "a0", 1)
		add("ben", "b0", 1)
		add("ana", "a1", 1)
		for range 3 {
			do()
		}
		add("cem", "c0", 1)
		for range 4 {
			do()
		}
		if want := []string{"e0", "a0", "b0", "a1", "c0", "e1", "e2", "e3"}; !slices.Equal(got, want) {
			t.Errorf("somebody waits: %v, in the order %v, want %v", waits, got, want)
		}
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
