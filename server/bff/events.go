package bff

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
)

// Limits of streams. A browser has one for each form that is visible, and a person who works with several browsers has a session in each.
const (
	maxStreams        = 20     // of a session
	maxProcessStreams = 10_000 // of this process; each takes about 30 KB
)

// heartbeat is how often an idle stream is written to and its session looked up: less than the half minute or so after which proxies may
// take a silent connection for a dead one.
const heartbeat = 20 * time.Second

// Limits of publishing.
const (
	// maxPublishing is the maximum number of events that wait to be published.
	maxPublishing = 1000
	// publishTime is the timeout of one attempt to publish an event.
	publishTime = 5 * time.Second
	// publishLife is how long an event is tried: longer than a restart of the database.
	publishLife = time.Minute
	// publishPause is the pause between attempts.
	publishPause = time.Second
	// publishEnd is how long waiting events are tried when the process shuts down.
	publishEnd = 5 * time.Second
)

// EventsConfig configures Events. Heartbeat and Observe are optional.
type EventsConfig struct {
	Messages  store.Messages
	Now       func() time.Time // the clock of the store
	Log       *slog.Logger
	Observe   observe.Func
	Heartbeat time.Duration // 0 means 20 seconds
}

// Events tells open editors what happens to their forms: it publishes saves in the background, and counts the streams of browsers. It is safe
// for concurrent use.
type Events struct {
	EventsConfig

	wake   chan struct{} // filled when events are waiting
	ending chan struct{} // closed by End
	end    func()

	mu      sync.Mutex
	waiting []event
	closed  bool           // no more events are published
	streams map[string]int // by session
	total   int
}

// event is a message that waits to be published.
type event struct {
	store.Message
	until time.Time // it is not tried after that
}

// NewEvents returns Events, which publish while their Run method is running.
func NewEvents(c EventsConfig) *Events {
	if c.Heartbeat == 0 {
		c.Heartbeat = heartbeat
	}
	e := &Events{EventsConfig: c, wake: make(chan struct{}, 1), ending: make(chan struct{}), streams: map[string]int{}}
	e.end = sync.OnceFunc(func() { close(e.ending) })
	return e
}

// End ends all streams, now and in future, so that a shutdown does not wait for them. Their browsers connect again, to another replica.
func (e *Events) End() { e.end() }

// enter counts a stream of a session. If there are too many, leave is nil, and own reports whether the session has them all.
func (e *Events) enter(session string) (leave func(), own bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if own = e.streams[session] >= maxStreams; own || e.total >= maxProcessStreams {
		return nil, own
	}
	e.streams[session]++
	e.total++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.total--
		if e.streams[session]--; e.streams[session] == 0 {
			delete(e.streams, session)
		}
	}, false
}

// publish queues an event. It does not wait, and has no error: what the event reports has already happened.
func (e *Events) publish(m store.Message) {
	e.mu.Lock()
	defer e.mu.Unlock()
	limit := maxPublishing
	if m.Kind == eventPresence {
		limit /= 2 // what people look at must not push out what they have saved
	}
	if e.closed || len(e.waiting) >= limit {
		e.lost(m, "dropped", nil)
		return
	}
	e.waiting = append(e.waiting, event{m, time.Now().Add(publishLife)})
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// lost logs and counts an event that is not published. There are at most as many lines as saves.
func (e *Events) lost(m store.Message, outcome string, err error) {
	ctx := context.Background()
	e.Observe.Count(ctx, observe.Event, m.Kind, outcome)
	e.Log.WarnContext(ctx, "event is not published: open editors learn of it only when they save", "kind", m.Kind, "outcome", outcome, "error", err)
}

// Run publishes events in their order until ctx ends, and then tries for a few seconds to publish those still waiting.
func (e *Events) Run(ctx context.Context) {
	for ctx.Err() == nil {
		e.flush(ctx, publishPause)
		select {
		case <-ctx.Done():
		case <-e.wake:
		}
	}
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishEnd)
	defer cancel()
	e.flush(ctx, publishPause/10)
	for m, ok := e.first(); ok; m, ok = e.next() {
		e.lost(m.Message, "failed", ctx.Err())
	}
}

// flush publishes the waiting events until ctx ends. The first is tried until it is too old, since the others must not overtake it.
func (e *Events) flush(ctx context.Context, pause time.Duration) {
	for m, ok := e.first(); ok && ctx.Err() == nil; {
		// An attempt continues after ctx ends: otherwise it would be unknown whether it succeeded.
		attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
		_, err := e.Messages.Publish(attempt, m.Message, e.Now())
		cancel()
		switch {
		case err == nil:
			e.Observe.Count(ctx, observe.Event, m.Kind, "published")
		case time.Now().Before(m.until):
			wait(ctx, pause)
			continue
		default:
			e.lost(m.Message, "failed", err)
		}
		m, ok = e.next()
	}
}

// wait waits for a time, or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// first returns the first waiting event, if there is one.
func (e *Events) first() (m event, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.waiting) == 0 {
		return m, false
	}
	return e.waiting[0], true
}

// next removes the first waiting event and returns the one after it, if there is one.
func (e *Events) next() (m event, ok bool) {
	e.mu.Lock()
	e.waiting = e.waiting[1:]
	e.mu.Unlock()
	return e.first()
}
