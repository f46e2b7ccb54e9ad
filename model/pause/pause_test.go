package pause

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// browser takes the place of a browser: what is due later is called when a task ends.
type browser struct {
	mu    sync.Mutex
	due   []func()
	clock time.Time
	held  []string // what became of events
}

// newBrowser makes the package ask it for other tasks until the test ends.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	b, was, held := &browser{clock: time.Now()}, later, hold
	now = func() time.Time { return b.clock }
	In(func(f func()) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.due = append(b.due, f)
	}, func() (release func()) {
		b.held = append(b.held, "held")
		return func() { b.held = append(b.held, "released") }
	})
	t.Cleanup(func() {
		b.turn()
		later, hold, now = was, held, time.Now
	})
	return b
}

// turn ends the task, and reports how much was due.
func (b *browser) turn() (n int) {
	b.mu.Lock()
	due := b.due
	b.due = nil
	b.mu.Unlock()
	for _, f := range due {
		f()
	}
	return len(due)
}

// last takes what became due last.
func (b *browser) last() (f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.due) - 1
	f, b.due = b.due[last], b.due[:last]
	return f
}

// run makes f the page's goroutine. At each pause it calls meanwhile, and then the task ends.
func (b *browser) run(f, meanwhile func()) (pauses int) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	for {
		synctest.Wait()
		select {
		case <-done:
			return pauses
		default:
		}
		pauses++
		meanwhile()
		b.turn()
	}
}

// busy works for some time.
func (b *browser) busy(d time.Duration) { b.clock = b.clock.Add(d) }

// nothing happens during pauses.
func nothing() {}

func TestLongWorkPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		work := func(n int, each time.Duration) func() {
			return func() {
				Within(func() {
					for range n {
						b.busy(each)
						Now()
					}
				})
			}
		}
		for name, test := range map[string]struct {
			work func()
			want int
		}{
			"short":         {work(3, most/4), 0},
			"long":          {work(8, most/4), 2},
			"in one piece":  {work(1, 3*most), 1},
			"outside":       {func() { b.busy(3 * most); Now() }, 0},
			"several works": {func() { work(3, most/4)(); work(3, most/4)() }, 1},
			"nested":        {func() { Within(func() { b.busy(most); work(1, 0)() }) }, 1},
			"event":         {func() { Within(func() { Event(func() { b.busy(most); Now() }); Now() }) }, 1}, // after it
			"own event":     {func() { Within(func() { Do(func() { b.busy(most); Now() }) }) }, 0},
			"after another": {func() { work(3, most/4)(); Rest(); work(3, most/4)() }, 1}, // that of Rest
		} {
			if got := b.run(test.work, nothing); got != test.want {
				t.Errorf("%s: %d pauses, want %d", name, got, test.want)
			}
			b.turn()
		}
	})
}

// What is to be done at the end of work is done once, after the outermost work, and may pause.
func TestEndOfWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		var got []string
		note := func(s string) { got = append(got, s) }
		if pauses := b.run(func() {
			Within(func() {
				Within(func() {
					if !AtEnd(func() { b.busy(most); Now(); note("end") }) {
						t.Error("the page is not within its work")
					}
				})
				note("work")
			})
			note("after")
		}, nothing); pauses != 1 {
			t.Errorf("%d pauses, want one", pauses)
		}
		if want := []string{"work", "end", "after"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		if AtEnd(func() { t.Error("called") }) {
			t.Error("the page is within work")
		}
		b.turn()
	})
}

// What happens while the page pauses waits until its work is done, in order; what it causes itself does not.
func TestOthersWaitForPausedWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		var got []string
		note := func(s string) func() { return func() { got = append(got, s) } }
		events := 0
		pauses := b.run(func() {
			Within(func() {
				Within(func() {
					b.busy(most)
					Now()
					Do(note("own event"))
				})
				note("end of the inner work")()
				b.busy(most)
				Now()
				note("end")()
			})
			note("after")()
		}, func() {
			if !Pausing() {
				t.Error("the page does not pause")
			}
			Event(func() {
				Now() // would wait for ever
			})
			if events++; events > 2 {
				return
			}
			name := string(rune('0' + events))
			Do(func() {
				if Pausing() {
					t.Error("an event is handled in a pause")
				}
				if len(b.held) != 1 {
					t.Errorf("events at %s: %v", name, b.held)
				}
				note("event " + name)()
				b.busy(most)
				Do(note("what event " + name + " causes"))
			})
		})
		if Pausing() {
			t.Error("the page still pauses")
		}
		if pauses != 3 {
			t.Errorf("%d pauses, want two of the work and one between the events", pauses)
		}
		if want := []string{"held", "released"}; !slices.Equal(b.held, want) {
			t.Errorf("events: %v, want %v", b.held, want)
		}
		Do(note("a later event"))
		want := []string{
			"own event", "end of the inner work", "end", "event 1", "what event 1 causes", "event 2", "what event 2 causes", "after", "a later event",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q\nwant %q", got, want)
		}
	})
}

// Long work on other goroutines goes on while the page pauses, and ends the task too. It does not end the page's pause.
func TestOtherGoroutinesPauseBesideThePage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		steps := 0
		b.run(func() {
			Within(func() {
				b.busy(most)
				go func() {
					for range 3 {
						Now()
						steps++
					}
				}()
				Now()
				Now() // too early
			})
		}, func() {
			if steps > 0 {
				t.Errorf("%d steps in the task of the page", steps)
			}
			b.last()() // it ends the rest of the other goroutine
			synctest.Wait()
			if steps != 1 || !Pausing() {
				t.Errorf("%d steps after a rest; the page pauses: %t", steps, Pausing())
			}
		})
		for range 3 {
			b.turn()
			synctest.Wait()
		}
		if steps != 3 {
			t.Errorf("%d steps", steps)
		}
	})
}

// An event that cannot wait is handled in its own task, after the work and after the events that were kept back.
func TestHurriedWorkEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		Hurry() // there is no work
		work := func() {
			Within(func() {
				for range 3 {
					b.busy(most)
					Now()
				}
				b.held = append(b.held, "done")
			})
		}
		pauses := b.run(work, func() {
			Hurry()
			b.held = append(b.held, "handled")
			Within(func() {
				b.busy(most)
				Now() // the browser still waits for the end of the event
			})
		})
		if want := []string{"held", "done", "released", "handled"}; !slices.Equal(b.held, want) {
			t.Errorf("events: %v, want %v", b.held, want)
		}
		if later := b.run(work, nothing); pauses != 1 || later != 3 {
			t.Errorf("%d pauses, and %d in later tasks, want 1 and 3", pauses, later)
		}
	})
}

// The page goes on if another goroutine was the first to pause, and nothing waits for that one.
func TestAnotherGoroutinePausesFirst(t *testing.T) {
	for _, hurries := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			b := newBrowser(t)
			ended := make(chan struct{})
			b.run(func() {
				Within(func() {
					b.busy(most)
					go func() { defer close(ended); Now() }()
					for !Pausing() {
						runtime.Gosched()
					}
					Now()
				})
				if Pausing() {
					t.Error("the page pauses after its work")
				}
			}, func() {
				if hurries {
					Hurry()
					return
				}
				b.last()() // of the page; the other goroutine rests
				synctest.Wait()
			})
			b.turn()
			<-ended
		})
	}
}

// Work that panics is over.
func TestBrokenWorkIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBrowser(t)
		handled := false
		pauses := b.run(func() {
			func() {
				defer func() { _ = recover() }()
				Within(func() {
					b.busy(most)
					Now()
					panic("broken")
				})
			}()
			Within(func() {})
		}, func() { Do(func() { handled = true }) })
		if pauses != 1 || !handled || len(b.held) != 2 {
			t.Errorf("%d pauses, event handled: %t, events: %v", pauses, handled, b.held)
		}
	})
}
