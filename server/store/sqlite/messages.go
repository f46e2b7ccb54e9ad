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

// maxMessages bounds the size of all messages in bytes. When they exceed it, the oldest are forgotten.
const maxMessages = 16 << 20

// messages implements store.Messages in memory: only one process serves from a file, and no save waits for a row that nobody may ever read.
// Whoever continues after a message of an earlier process learns from KeptSince that messages may be missing.
type messages struct {
	wakes wakes.Wakes

	mu     sync.Mutex
	topics map[string][]store.Message
	order  []string // the topic of each message, in the order of publication
	size   int
	// start is the time of the first call, 0 before it: an earlier process may have had messages until then. forgotten is the greatest number
	// of a message that was removed. No later message has a number up to either.
	start, forgotten int64
}

// begin sets start at the first call. The caller holds mu.
func (d *messages) begin(at int64) {
	if d.start == 0 {
		d.start, d.topics = at, map[string][]store.Message{}
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
	m.Number = max(now.UnixMicro(), d.start+1, d.forgotten+1)
	if all := d.topics[m.Topic]; len(all) > 0 {
		m.Number = max(m.Number, all[len(all)-1].Number+1)
	}
	d.topics[m.Topic] = append(d.topics[m.Topic], m)
	d.order = append(d.order, m.Topic)
	for d.size += sizeOf(m); d.size > maxMessages; {
		d.forget()
	}
	d.mu.Unlock()
	d.wakes.Wake(m.Topic)
	return m.Number, nil
}

// sizeOf returns roughly how much memory a message takes.
func sizeOf(m store.Message) int { return len(m.Topic) + len(m.Kind) + len(m.Data) + 100 }

// forget removes the oldest message.
func (d *messages) forget() {
	topic := d.order[0]
	all := d.topics[topic]
	d.order, d.size, d.forgotten = d.order[1:], d.size-sizeOf(all[0]), max(d.forgotten, all[0].Number)
	if d.topics[topic] = all[1:]; len(all) == 1 {
		delete(d.topics, topic)
	}
}

func (d *messages) Latest(_ context.Context, topic string, now time.Time) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(now.UnixMicro())
	var last int64
	if all := d.topics[topic]; len(all) > 0 {
		last = all[len(all)-1].Number
	}
	return max(store.Latest(last, now), d.start, d.forgotten), nil
}

func (d *messages) ReadMessages(ctx context.Context, topic string, after int64, limit int) ([]store.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.topics[topic]
	from, _ := slices.BinarySearchFunc(all, after+1, func(m store.Message, n int64) int { return cmp.Compare(m.Number, n) })
	return slices.Clone(all[from:min(from+limit, len(all))]), nil
}

// KeptSince implements store.Messages.
func (d *messages) KeptSince(now time.Time) int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.begin(now.UnixMicro())
	return max(d.start, d.forgotten, now.Add(-store.MessageLife).UnixMicro())
}

func (d *messages) SweepMessages(_ context.Context, before time.Time) (n int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.order) > 0 && d.topics[d.order[0]][0].Number < before.UnixMicro() {
		d.forget()
		n++
	}
	return n, nil
}

// Listen implements store.Messages.
func (d *messages) Listen(topic string) (wake <-chan struct{}, stop func()) {
	return d.wakes.Listen(topic)
}
