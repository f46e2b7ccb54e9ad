package bff

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

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
	// maxFlying is how many events, of different topics, are published at once.
	maxFlying = 4
	// publishTime is the timeout of one attempt to publish an event.
	publishTime = 5 * time.Second
	// publishLife is how long an event is tried: longer than a restart of the database.
	publishLife = time.Minute
	// publishPause is the pause between attempts.
	publishPause = time.Second
	// publishEnd is how long waiting events are tried when the process shuts down.
	publishEnd = 5 * time.Second
)

// EventsConfig configures Events. Tenant, Heartbeat and Observe are optional.
type EventsConfig struct {
	Tenant    string // see Config.Tenant
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
	outbox  outbox
	closed  bool           // no more events are published
	streams map[string]int // by session
	total   int
}

// NewEvents returns Events, which publish while their Run method is running.
func NewEvents(c EventsConfig) *Events {
	if c.Heartbeat == 0 {
		c.Heartbeat = heartbeat
	}
	e := &Events{EventsConfig: c, wake: make(chan struct{}, 1), ending: make(chan struct{}), streams: map[string]int{}}
	e.outbox.topics = map[string]*outgoing{}
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

// topic returns the topic of a form by its ID as in a path. A long ID of a remote tenant is hashed.
func (e *Events) topic(form string) string {
	of := ""
	if e.Tenant != "" {
		sum := sha256.Sum256([]byte(e.Tenant))
		of = hex.EncodeToString(sum[:8]) + "/"
	}
	topic := "form/" + of + form
	if len(topic) > store.MaxTopic {
		sum := sha256.Sum256([]byte(form))
		topic = "form/" + of + "sha256/" + hex.EncodeToString(sum[:])
	}
	return topic
}

// tell publishes an event about a form.
func (e *Events) tell(form, kind string, data []byte) { e.tellState(form, kind, "", data) }

// tellState publishes an event about the state of something, which replaces one that is not published yet; see event.
func (e *Events) tellState(form, kind, of string, data []byte) {
	e.publish(&event{Message: store.Message{Topic: e.topic(form), Kind: kind, Data: data}, of: of, until: time.Now().Add(publishLife)})
}

// forget deletes the events of a form, including those that wait to be published. One that is being published is deleted when that ends; see
// attempt.
func (e *Events) forget(ctx context.Context, form string) error {
	if e == nil {
		return nil
	}
	topic := e.topic(form)
	e.mu.Lock()
	e.outbox.forget(topic)
	e.mu.Unlock()
	return e.Messages.ForgetMessages(ctx, topic)
}

// publish queues an event. It does not wait, and has no error: what the event reports has already happened.
func (e *Events) publish(m *event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	limit := maxPublishing
	if m.Kind == eventPresence {
		limit /= 2 // what people look at must not push out what they have saved
	}
	if e.closed || !e.outbox.add(m, limit) {
		e.lost(m.Message, "dropped", nil)
		return
	}
	e.look()
}

// look makes Run look for events to publish.
func (e *Events) look() {
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

// Run publishes the events of each form in their order until ctx ends, and then tries for a few seconds to publish those still waiting.
func (e *Events) Run(ctx context.Context) {
	e.deliver(ctx, publishPause, false)
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishEnd)
	defer cancel()
	e.deliver(ctx, publishPause/10, true)
	for _, m := range e.outbox.waiting { // nobody adds to them any more
		e.lost(m.Message, "failed", ctx.Err())
	}
}

// deliver publishes events, those of several topics at once, until ctx ends or, if they are the last, until none is left. An event that fails keeps
// back those of its topic, which must not overtake it, and no others.
func (e *Events) deliver(ctx context.Context, pause time.Duration, last bool) {
	var flying errgroup.Group
	flying.SetLimit(maxFlying)
	defer func() { _ = flying.Wait() }() // attempts return no errors
	for ctx.Err() == nil {
		e.mu.Lock()
		m, again := e.outbox.next(time.Now())
		left := len(e.outbox.waiting) > 0
		e.mu.Unlock()
		switch {
		case m != nil:
			flying.Go(func() error {
				e.attempt(ctx, m, pause)
				return nil
			})
		case last && !left:
			return
		default:
			e.sleep(ctx, again)
		}
	}
}

// sleep waits until there may be something to publish: for a time, 0 for any.
func (e *Events) sleep(ctx context.Context, most time.Duration) {
	var late <-chan time.Time
	if most > 0 {
		timer := time.NewTimer(most)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-ctx.Done():
	case <-e.wake:
	case <-late:
	}
}

// attempt tries to publish an event. If it fails, the topic rests for the pause. If the form is deleted meanwhile, the event may have been stored
// after that; attempt then deletes the messages of the topic again, before the next event is published.
func (e *Events) attempt(ctx context.Context, m *event, pause time.Duration) {
	var done bool
	var rests time.Time
	if ctx.Err() == nil && !e.forgotten(m) { // it may have waited for others
		done = e.try(ctx, m)
		rests = time.Now().Add(pause)
	}
	if e.forgotten(m) {
		e.forgetAgain(ctx, m.Topic)
	}
	e.mu.Lock()
	e.outbox.end(m, done, rests)
	e.mu.Unlock()
	e.look()
}

// forgotten reports whether the form of an event was deleted.
func (e *Events) forgotten(m *event) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return m.forgotten
}

// forgetAgain deletes the messages of a topic after an attempt to publish one.
func (e *Events) forgetAgain(ctx context.Context, topic string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
	defer cancel()
	if err := e.Messages.ForgetMessages(ctx, topic); err != nil {
		e.Log.WarnContext(ctx, "an event of a deleted form is not forgotten before its time", "error", err)
	}
}

// try publishes an event, and reports whether it is done with: published, refused for good, or too old.
func (e *Events) try(ctx context.Context, m *event) bool {
	// An attempt continues after ctx ends: otherwise it would be unknown whether it succeeded.
	attempt, cancel := context.WithTimeout(context.WithoutCancel(ctx), publishTime)
	defer cancel()
	_, err := e.Messages.Publish(attempt, m.Message, e.Now())
	switch {
	case err == nil:
		e.Observe.Count(ctx, observe.Event, m.Kind, "published")
	case !errors.Is(err, store.ErrUnavailable) && attempt.Err() == nil:
		e.lost(m.Message, "refused", err)
	case time.Now().Before(m.until):
		return false
	default:
		e.lost(m.Message, "failed", err)
	}
	return true
}
