package sqlite

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/wakes"
)

// messages implements store.Messages in memory: only one process serves from a file, and no save waits for a row that nobody may ever read.
// Whoever continues after a message of an earlier process learns from KeptSince that messages may be missing.
type messages struct {
	wakes wakes.Wakes

	mu     sync.Mutex
	topics map[string]*topic
	size   int
	// start is the time of the first call, 0 before it: an earlier process may have had messages until then. Or it is the greatest number of a
	// message that was swept. No later message has a number up to it.
	start int64
}

// topic has the messages of a topic, of which only the first may be Missed. There is at least one.
type topic struct {
	all  []store.Message
	size int
}

// last returns the greatest number of the topic, 0 for none.
func (t *topic) last() int64 {
	if t == nil {
		return 0
	}
	return t.all[len(t.all)-1].Number
}

// oldest returns the place of the oldest message that can be forgotten.
func (t *topic) oldest() (int, bool) {
	if t.all[0].Missed() {
		return 1, len(t.all) > 1
	}
	return 0, true
}

// begin sets start at the first call. The caller holds mu.
func (d *messages) begin(at int64) {
	if d.start == 0 {
		d.start, d.topics = at, map[string]*topic{}
	}
}

func (d *messages) Publish(ctx context.Context, m store.Message, now time.Time) (int64, error) {
	if err := m.Check(); err != nil {
		return 0, err
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	d.mu.Lock()
	d.begin(now.UnixMicro() - 1)
	t := d.topics[m.Topic]
	m.Number = max(now.UnixMicro(), d.start+1, t.last()+1)
	if t == nil {
		t = &topic{}
		d.topics[m.Topic] = t
	}
	t.all = append(t.all, m)
	d.grow(t, m.Size())
	for t.size > store.MaxTopicMessages {
		d.forget(t)
	}
	for d.size > store.MaxMessages {
		d.forget(d.eldest())
	}
	d.mu.Unlock()
	d.wakes.Wake(m.Topic)
	return m.Number, nil
}

func (d *messages) grow(t *topic, by int) {
	t.size += by
	d.size += by
}

// eldest returns the topic whose message is forgotten next if there is no room. There must be a message.
func (d *messages) eldest() (found *topic) {
	var least int64
	for _, t := range d.topics {
		if at, ok := t.oldest(); ok && (found == nil || t.all[at].Number < least) {
			found, least = t, t.all[at].Number
		}
	}
	return found
}

// forget makes the oldest message of a topic one that is Missed, in place of the one before.
func (d *messages) forget(t *topic) {
	at, _ := t.oldest()
	d.grow(t, -t.all[at].Size())
	t.all = t.all[at:]
	t.all[0] = store.Message{Topic: t.all[0].Topic, Number: t.all[0].Number}
}

func (d *messages) Latest(_ context.Context, name string, now time.Time) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(now.UnixMicro())
	return max(store.Latest(d.topics[name].last(), now), d.start), nil
}

func (d *messages) ReadMessages(ctx context.Context, name string, after int64, limit int) ([]store.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.topics[name]
	if t == nil {
		return nil, nil
	}
	from, _ := slices.BinarySearchFunc(t.all, after+1, func(m store.Message, n int64) int { return cmp.Compare(m.Number, n) })
	return slices.Clone(t.all[from:min(from+limit, len(t.all))]), nil
}

// KeptSince implements store.Messages.
func (d *messages) KeptSince(now time.Time) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(now.UnixMicro())
	return max(d.start, now.Add(-store.MessageLife).UnixMicro())
}

func (d *messages) SweepMessages(_ context.Context, before time.Time) (n int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, t := range d.topics {
		for len(t.all) > 0 && t.all[0].Number < before.UnixMicro() {
			d.start = max(d.start, t.all[0].Number)
			d.grow(t, -t.all[0].Size())
			t.all = t.all[1:]
			n++
		}
		if len(t.all) == 0 {
			delete(d.topics, name)
		}
	}
	return n, nil
}

// ForgetMessages implements store.Messages.
func (d *messages) ForgetMessages(_ context.Context, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t := d.topics[name]; t != nil {
		d.grow(t, -t.size)
		t.all = []store.Message{{Topic: name, Number: t.last()}}
	}
	return nil
}

// Listen implements store.Messages.
func (d *messages) Listen(name string) (wake <-chan struct{}, stop func()) {
	return d.wakes.Listen(name)
}
