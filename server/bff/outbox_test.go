package bff

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func outboxOf(events ...string) *outbox {
	o := &outbox{topics: map[string]*outgoing{}}
	for i, e := range events {
		o.add(&event{Message: store.Message{Topic: e[:1], Data: fmt.Append(nil, i)}, of: e[1:]}, 100)
	}
	return o
}

// all returns the events that can be published at once, and ends them.
func (o *outbox) all(now time.Time) (out []string) {
	for {
		var flying []*event
		for {
			e, _ := o.next(now)
			if e == nil {
				break
			}
			flying = append(flying, e)
		}
		if len(flying) == 0 {
			return out
		}
		for _, e := range flying {
			out = append(out, e.Topic+string(e.Data))
			o.end(e, true, now)
		}
	}
}

// Topics take turns, one event of each at a time, in their order. A topic that rests holds up no other.
func TestOutbox(t *testing.T) {
	now := time.Now()
	o := outboxOf("a", "a", "a", "b", "a", "c", "b")
	if got, want := o.all(now), []string{"a0", "b3", "c5", "a1", "b6", "a2", "a4"}; !slices.Equal(got, want) {
		t.Errorf("in turn: %v, want %v", got, want)
	}
	if len(o.waiting)+len(o.topics) != 0 {
		t.Errorf("afterwards: %+v", o)
	}
	o = outboxOf("a", "a", "a", "b")
	var got []string
	for range 3 {
		e, _ := o.next(now)
		o.end(e, true, now)
		got = append(got, e.Topic+string(e.Data))
	}
	if want := []string{"a0", "b3", "a1"}; !slices.Equal(got, want) {
		t.Errorf("one after another: %v, want %v", got, want)
	}
	o = outboxOf("a", "b", "a")
	e, _ := o.next(now)
	o.end(e, false, now.Add(time.Second))
	if got := o.all(now); !slices.Equal(got, []string{"b1"}) {
		t.Errorf("one rests: %v", got)
	}
	if e, again := o.next(now); e != nil || again != time.Second {
		t.Errorf("while it rests: %v, %v", e, again)
	}
	if got := o.all(now.Add(time.Second)); !slices.Equal(got, []string{"a0", "a2"}) {
		t.Errorf("afterwards: %v", got)
	}
}

// A later state of the same replaces one that is not being published, and a topic can be forgotten.
func TestOutboxReplaces(t *testing.T) {
	now := time.Now()
	o := outboxOf("ax", "a", "ay", "ax", "bx", "ay")
	if got, want := o.all(now), []string{"a3", "b4", "a1", "a5"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	o = outboxOf("ax")
	o.next(now)
	o.add(&event{Message: store.Message{Topic: "a", Data: []byte("1")}, of: "x"}, 100)
	if len(o.waiting) != 2 {
		t.Errorf("an event that is being published was replaced: %+v", o.waiting)
	}
	o = outboxOf("a", "a", "b")
	e, _ := o.next(now)
	o.forget("a")
	if len(o.waiting) != 2 || o.waiting[0] != e {
		t.Errorf("forgotten: %+v", o.waiting)
	}
	o.add(&event{Message: store.Message{Topic: "a", Data: []byte("3")}}, 100)
	o.end(e, false, now.Add(time.Second))
	if got := o.all(now); !slices.Equal(got, []string{"b2", "a3"}) {
		t.Errorf("what is left: %v", got)
	}
}

// Where no more events may wait, a later state still replaces an earlier one, and is tried for as long as any event.
func TestFullOutboxReplaces(t *testing.T) {
	now := time.Now()
	o := outboxOf("ax", "ay")
	state := func(of string) *event {
		return &event{Message: store.Message{Topic: "a", Data: []byte(of)}, of: of, until: now.Add(time.Minute)}
	}
	if o.add(state("z"), 2) {
		t.Error("an event was added to a full outbox")
	}
	if !o.add(state("y"), 2) || !o.waiting[1].until.Equal(now.Add(time.Minute)) {
		t.Errorf("waiting: %+v", o.waiting[1])
	}
	if got := o.all(now); !slices.Equal(got, []string{"a0", "ay"}) {
		t.Errorf("published: %v", got)
	}
}
