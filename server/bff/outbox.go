package bff

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// outbox holds the events that wait to be published. The events of a topic are published in order, and the topics take turns, so that a busy topic
// does not hold up the others. It is not safe for concurrent use.
type outbox struct {
	waiting []*event
	topics  map[string]*outgoing
	turns   int
}

// event is a message that waits to be published.
type event struct {
	store.Message

	of        string    // whose state it tells: a later event about the same replaces it; "" for none
	until     time.Time // it is not tried after that
	flying    bool
	forgotten bool // its form was deleted
}

// outgoing is a topic with events.
type outgoing struct {
	events int
	flying bool      // one of them is being published
	rests  time.Time // none is tried again before
	turn   int       // when it had its last turn
}

// add replaces the event that tells an earlier state of the same. If there is none, it adds the event, unless as many as limit are waiting. It
// reports whether the event waits now.
func (o *outbox) add(e *event, limit int) bool {
	if e.of != "" {
		at := slices.IndexFunc(o.waiting, func(w *event) bool { return w.of == e.of && w.Topic == e.Topic && !w.flying })
		if at >= 0 {
			o.waiting[at].Message, o.waiting[at].until = e.Message, e.until
			return true
		}
	}
	if len(o.waiting) >= limit {
		return false
	}
	if o.topics[e.Topic] == nil {
		o.topics[e.Topic] = &outgoing{}
	}
	o.topics[e.Topic].events++
	o.waiting = append(o.waiting, e)
	return true
}

// next returns the event to publish now, which is then flying. It returns nil, and how soon to ask again if topics rest, if there is none.
func (o *outbox) next(now time.Time) (next *event, again time.Duration) {
	seen := map[string]bool{}
	for _, e := range o.waiting {
		t := o.topics[e.Topic]
		if seen[e.Topic] || t.flying {
			continue
		}
		seen[e.Topic] = true
		switch wait := t.rests.Sub(now); {
		case wait > 0:
			if again == 0 || wait < again {
				again = wait
			}
		case next == nil || t.turn < o.topics[next.Topic].turn:
			next = e
		}
	}
	if next == nil {
		return nil, again
	}
	o.turns++
	t := o.topics[next.Topic]
	next.flying, t.flying, t.turn = true, true, o.turns
	return next, 0
}

// end ends the attempt to publish an event. If it is neither done nor forgotten, its topic rests until a time.
func (o *outbox) end(e *event, done bool, until time.Time) {
	t := o.topics[e.Topic]
	e.flying, t.flying, t.rests = false, false, time.Time{}
	if !done && !e.forgotten {
		t.rests = until
		return
	}
	o.remove(func(w *event) bool { return w == e })
}

// forget removes the events of a topic. One that is flying is removed when its attempt ends.
func (o *outbox) forget(topic string) {
	for _, e := range o.waiting {
		e.forgotten = e.forgotten || e.Topic == topic
	}
	o.remove(func(e *event) bool { return e.forgotten && !e.flying })
}

func (o *outbox) remove(which func(*event) bool) {
	o.waiting = slices.DeleteFunc(o.waiting, func(e *event) bool {
		if !which(e) {
			return false
		}
		if o.topics[e.Topic].events--; o.topics[e.Topic].events == 0 {
			delete(o.topics, e.Topic)
		}
		return true
	})
}
