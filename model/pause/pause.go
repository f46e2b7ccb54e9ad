// Package pause divides long work of a page into several tasks of the browser, which can draw and take what people type in between.
//
// The page's goroutine is the one on which go-app calls what was dispatched and draws components. It alone calls Within, and what happens while it
// pauses waits for the end of its work: go-app dispatches the events of its elements, moves of the pointer are kept back, and what the browser calls for
// other reasons waits by Do. All else ends the pause by Hurry. So a pause changes nothing but the time. Outside Within, as on a server, Now does nothing.
package pause

import (
	"sync"
	"sync/atomic"
	"time"
)

// What the browser does for pauses. Outside a browser, a timer takes its place, and there are no events.
var (
	later = func(f func()) { time.AfterFunc(time.Millisecond, f) }
	hold  = func() (release func()) { return func() {} }
)

// In sets what the browser does. later calls a function in another task, after everything that is to be done in this one. hold keeps back the events
// that come in pauses, until release lets them happen. The page calls In once, before anything else.
func In(laterIn func(f func()), holdBack func() (release func())) { later, hold = laterIn, holdBack }

// now is the clock.
var now = time.Now

// most is how long the page works between two pauses: about a frame. Garbage collection can add ten times as much if the form is large.
const most = 15 * time.Millisecond

// work is what the page's goroutine does. Outside a browser, several pages of tests may do it at once; then some pause less often.
var work struct {
	within atomic.Bool // depth is not zero

	sync.Mutex

	depth   int       // of calls of Within
	since   time.Time // the beginning of the task
	later   int       // calls of elapsed that are due: while there are any, this may still be the same task
	events  int       // events that are being handled
	release func()    // lets the events happen that were kept back; nil for none
	pausing bool
	hurry   chan struct{} // ends the pause before the task ends
	waiting []func()
	hurried []chan struct{} // the calls of Hurry, which wait for the end
}

// Within calls f, which may pause.
func Within(f func()) {
	work.Lock()
	if work.later == 0 {
		begin()
	}
	work.depth++
	work.within.Store(true)
	work.Unlock()
	defer end()
	f()
	for next := waited(); next != nil; next = waited() {
		Now()
		next()
	}
}

// begin notes that a task has begun.
func begin() {
	work.since = now()
	work.later++
	later(elapsed)
}

// elapsed is called in a later task.
func elapsed() {
	work.Lock()
	defer work.Unlock()
	work.later--
}

// waited takes the first of those that wait, if this work is all that they wait for.
func waited() (f func()) {
	work.Lock()
	defer work.Unlock()
	if work.depth == 1 && len(work.waiting) > 0 {
		f, work.waiting = work.waiting[0], work.waiting[1:]
	}
	return f
}

func end() {
	work.Lock()
	work.depth--
	work.within.Store(work.depth > 0)
	var release func()
	var hurried []chan struct{}
	if work.depth == 0 {
		work.pausing = false // another goroutine may still rest
		release, work.release = work.release, nil
		hurried, work.hurried = work.hurried, nil
	}
	work.Unlock()
	if release != nil {
		release()
	}
	for _, done := range hurried {
		close(done)
	}
}

// Now pauses if the task has taken some time. Work on other goroutines, which runs while the page pauses, or while the garbage collector keeps its
// goroutine, ends the task too. In the handler of an event it does nothing.
func Now() {
	if !work.within.Load() {
		return
	}
	work.Lock()
	if work.events > 0 || now().Sub(work.since) < most {
		work.Unlock()
		return
	}
	own := !work.pausing
	if own {
		work.pausing, work.hurry = true, make(chan struct{})
	}
	if work.release == nil {
		work.release = hold()
	}
	hurry := work.hurry
	work.Unlock()
	select {
	case <-turn():
	case <-hurry: // also the page's goroutine, if another one was the first to pause
		return
	}
	work.Lock()
	defer work.Unlock()
	if own && work.pausing {
		work.pausing = false
		begin()
	}
}

// Rest returns in another task of the browser. The handler of an event must not call it: the browser waits for its end.
func Rest() { <-turn() }

// turn returns a channel that is closed in another task of the browser.
func turn() <-chan struct{} {
	done := make(chan struct{})
	later(func() { close(done) })
	return done
}

// Hurry returns when the work in which the page pauses has ended, in the same task, which has no more pauses. It is for events whose handlers must
// decide before the browser does what it does by default.
func Hurry() {
	work.Lock()
	if !work.pausing {
		work.Unlock()
		return
	}
	work.pausing = false
	work.events++
	later(func() { handling(-1) })
	close(work.hurry)
	done := make(chan struct{})
	work.hurried = append(work.hurried, done)
	work.Unlock()
	<-done
}

// Pausing reports whether the page is in the middle of some work.
func Pausing() bool {
	work.Lock()
	defer work.Unlock()
	return work.pausing
}

// Do calls f at once, as Event does, or after the work in which the page pauses. It is for what the browser calls without an event, such as frames.
func Do(f func()) {
	work.Lock()
	if work.pausing {
		work.waiting = append(work.waiting, f)
		work.Unlock()
		return
	}
	work.Unlock()
	Event(f)
}

// AtEnd makes Within call f before it returns; f may pause. Outside Within, it reports false and does not call f.
func AtEnd(f func()) bool {
	work.Lock()
	defer work.Unlock()
	if work.depth > 0 {
		work.waiting = append(work.waiting, f)
	}
	return work.depth > 0
}

// Event calls f, which handles an event, without pauses: the browser waits for its end, and would wait for ever. The event may come while the page
// pauses, or be caused by its work, as when the focus moves.
func Event(f func()) {
	handling(1)
	defer handling(-1)
	f()
}

func handling(n int) {
	work.Lock()
	defer work.Unlock()
	work.events += n
}
