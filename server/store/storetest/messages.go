package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
)

// Messages checks an engine's store.Messages. open returns an empty store that lives until the test ends.
func Messages(t *testing.T, open func(t *testing.T) store.Messages) {
	t.Helper()
	t.Run("order", func(t *testing.T) { messageOrder(t, open(t)) })
	t.Run("limits", func(t *testing.T) { messageLimits(t, open(t)) })
	t.Run("latest", func(t *testing.T) { latestMessage(t, open(t)) })
	t.Run("sweep", func(t *testing.T) { messageSweep(t, open(t)) })
	t.Run("forgotten topic", func(t *testing.T) { forgottenTopic(t, open(t)) })
	t.Run("room for a topic", func(t *testing.T) { topicRoom(t, open(t)) })
	t.Run("room for all topics", func(t *testing.T) { messageRoom(t, open(t)) })
	t.Run("clock set back", func(t *testing.T) { messageClock(t, open(t)) })
	t.Run("wake", func(t *testing.T) { messageWake(t, open(t)) })
	t.Run("readers miss nothing", func(t *testing.T) { messageReaders(t, open(t)) })
}

// published publishes a message and returns its number.
func published(t *testing.T, s store.Messages, topic, data string, now time.Time) int64 {
	t.Helper()
	n, err := s.Publish(t.Context(), store.Message{Topic: topic, Kind: "saved", Data: []byte(data)}, now)
	must(t, err)
	return n
}

// dataAfter returns the data of the messages of a topic after a number.
func dataAfter(t *testing.T, s store.Messages, topic string, after int64, limit int) string {
	t.Helper()
	found, err := s.ReadMessages(t.Context(), topic, after, limit)
	must(t, err)
	var out []string
	for _, m := range found {
		if m.Topic != topic || m.Kind != "saved" || m.Number <= after {
			t.Errorf("message %+v after %d of %s", m, after, topic)
		}
		after = m.Number
		out = append(out, string(m.Data))
	}
	return strings.Join(out, " ")
}

// Nothing of a topic that is forgotten can be read, its readers learn that they missed something, and its numbers go on.
func forgottenTopic(t *testing.T, s store.Messages) {
	t.Helper()
	must(t, s.ForgetMessages(t.Context(), "a"))
	first := published(t, s, "a", "1", noon())
	last := published(t, s, "a", "2", noon())
	published(t, s, "b", "3", noon())
	must(t, s.ForgetMessages(t.Context(), "a"))
	must(t, s.ForgetMessages(t.Context(), "a"))
	found, err := s.ReadMessages(t.Context(), "a", first-1, 10)
	must(t, err)
	if len(found) != 1 || !found[0].Missed() || found[0].Number != last || len(found[0].Data) > 0 {
		t.Errorf("left: %+v", found)
	}
	if got := dataAfter(t, s, "b", 0, 10); got != "3" {
		t.Errorf("another topic: %s", got)
	}
	if next := published(t, s, "a", "4", noon()); next <= last {
		t.Errorf("the next number is %d, want more than %d", next, last)
	}
	if got := dataAfter(t, s, "a", last, 10); got != "4" {
		t.Errorf("after the last: %s", got)
	}
}

// Numbers rise within a topic, even for messages of the same time, and topics are apart.
func messageOrder(t *testing.T, s store.Messages) {
	t.Helper()
	a := published(t, s, "a", "1", noon())
	published(t, s, "b", "2", noon())
	b := published(t, s, "a", "3", noon())
	c := published(t, s, "a", "4", noon().Add(time.Second))
	if a != noon().UnixMicro() || b != a+1 || c != noon().Add(time.Second).UnixMicro() {
		t.Errorf("numbers %d, %d, %d, want that of noon, one more, and that of a second later", a, b, c)
	}
	for _, tt := range []struct {
		topic string
		after int64
		limit int
		want  string
	}{
		{"a", 0, 9, "1 3 4"}, {"a", 0, 2, "1 3"}, {"a", a, 9, "3 4"}, {"a", b, 9, "4"}, {"a", c, 9, ""}, {"b", 0, 9, "2"}, {"c", 0, 9, ""},
	} {
		if got := dataAfter(t, s, tt.topic, tt.after, tt.limit); got != tt.want {
			t.Errorf("up to %d of %s after %d: %q, want %q", tt.limit, tt.topic, tt.after, got, tt.want)
		}
	}
}

// A message at its limits is stored, and a larger one is refused.
func messageLimits(t *testing.T, s store.Messages) {
	t.Helper()
	largest := store.Message{
		Topic: strings.Repeat("t", store.MaxTopic), Kind: strings.Repeat("k", store.MaxKind), Data: bytes.Repeat([]byte("1"), store.MaxData),
	}
	_, err := s.Publish(t.Context(), largest, noon())
	must(t, err)
	found, err := s.ReadMessages(t.Context(), largest.Topic, 0, 1)
	must(t, err)
	if len(found) != 1 || found[0].Kind != largest.Kind || !bytes.Equal(found[0].Data, largest.Data) {
		t.Error("the largest message is not stored as it was")
	}
	for _, wrong := range []func(*store.Message){
		func(m *store.Message) { m.Topic = "" },
		func(m *store.Message) { m.Topic += "t" },
		func(m *store.Message) { m.Kind = "" },
		func(m *store.Message) { m.Kind += "k" },
		func(m *store.Message) { m.Data = append(bytes.Clone(m.Data), '1') },
	} {
		m := largest
		wrong(&m)
		if _, err := s.Publish(t.Context(), m, noon()); !errors.Is(err, store.ErrMessage) {
			t.Errorf("Publish of %d, %d and %d bytes = %v, want ErrMessage", len(m.Topic), len(m.Kind), len(m.Data), err)
		}
	}
}

// Whoever starts at Latest reads what follows and nothing old, and can continue there later.
func latestMessage(t *testing.T, s store.Messages) {
	t.Helper()
	now := time.Now()
	published(t, s, "a", "old", now)
	at, err := s.Latest(t.Context(), "a", now)
	must(t, err)
	none, err := s.Latest(t.Context(), "b", now)
	must(t, err)
	published(t, s, "a", "new", now)
	published(t, s, "b", "first", now)
	if got, first := dataAfter(t, s, "a", at, 9), dataAfter(t, s, "b", none, 9); got != "new" || first != "first" {
		t.Errorf("read %q and %q, want new and first", got, first)
	}
	if kept := s.KeptSince(now); none < kept || at < kept {
		t.Errorf("Latest = %d and %d, want at least KeptSince, %d", at, none, kept)
	}
	if kept, long := s.KeptSince(now.Add(2*store.MessageLife)), now.Add(store.MessageLife).UnixMicro(); kept < long {
		t.Errorf("two lives later KeptSince = %d, want at least %d", kept, long)
	}
}

// A sweep deletes messages by age, and later ones have greater numbers.
func messageSweep(t *testing.T, s store.Messages) {
	t.Helper()
	published(t, s, "a", "1", noon())
	published(t, s, "b", "2", noon())
	last := published(t, s, "a", "3", noon().Add(time.Minute))
	for _, tt := range []struct {
		before time.Time
		want   int64
		left   string
	}{
		{noon(), 0, "1 3"}, {noon().Add(time.Second), 2, "3"}, {noon().Add(time.Hour), 1, ""}, {noon().Add(time.Hour), 0, ""},
	} {
		n, err := s.SweepMessages(t.Context(), tt.before)
		must(t, err)
		if left := dataAfter(t, s, "a", 0, 9); n != tt.want || left != tt.left {
			t.Errorf("sweep before %v deletes %d and leaves %q, want %d and %q", tt.before, n, left, tt.want, tt.left)
		}
	}
	if n := published(t, s, "a", "4", noon().Add(2*time.Hour)); n <= last {
		t.Errorf("the number after the sweep is %d, want more than %d", n, last)
	}
}

// fill publishes messages of the largest size to a topic, and returns their numbers.
func fill(t *testing.T, s store.Messages, topic string, size int, now time.Time) (numbers []int64) {
	t.Helper()
	data := strings.Repeat("1", store.MaxData)
	for range size / store.MaxData {
		numbers = append(numbers, published(t, s, topic, data, now))
	}
	return numbers
}

// kept returns the numbers of the messages of a topic after a number that are still stored, how much room they take, and whether some were
// missed. If some were, the first message says so, and no other does.
func kept(t *testing.T, s store.Messages, topic string, after int64) (numbers []int64, size int, missed bool) {
	t.Helper()
	found, err := s.ReadMessages(t.Context(), topic, after, 10_000)
	must(t, err)
	for i, m := range found {
		if m.Number <= after || m.Missed() && (i > 0 || len(m.Data) > 0) {
			t.Errorf("message %d is %d after %d, missed %v with %d bytes", i, m.Number, after, m.Missed(), len(m.Data))
		}
		after, size = m.Number, size+m.Size()
		if m.Missed() {
			missed = true
		} else {
			numbers = append(numbers, m.Number)
		}
	}
	return numbers, size, missed
}

// A topic that has too many messages forgets its oldest ones, and whoever has not read all of these learns that. Others lose none.
func topicRoom(t *testing.T, s store.Messages) {
	t.Helper()
	other := published(t, s, "b", "1", noon().Add(-time.Second))
	all := fill(t, s, "a", store.MaxTopicMessages*2, noon())
	left, size, missed := kept(t, s, "a", 0)
	if size > store.MaxTopicMessages+store.MessageSlack || size < store.MaxTopicMessages-2*store.MaxData || !missed {
		t.Fatalf("%d bytes are left, missed %v, want about %d", size, missed, store.MaxTopicMessages)
	}
	if from := len(all) - len(left); !slices.Equal(left, all[from:]) {
		t.Errorf("left are %v of %v, want the last ones", left, all)
	}
	forgotten := all[len(all)-len(left)-1]
	if again, _, missed := kept(t, s, "a", forgotten-1); !missed || !slices.Equal(again, left) {
		t.Errorf("who lacks the last one that was forgotten reads %d, missed %v", len(again), missed)
	}
	if again, _, missed := kept(t, s, "a", forgotten); missed || !slices.Equal(again, left) {
		t.Errorf("who has the last one that was forgotten reads %d, missed %v", len(again), missed)
	}
	if found, _, missed := kept(t, s, "b", 0); missed || !slices.Equal(found, []int64{other}) {
		t.Errorf("the other topic has %v, missed %v, want %d", found, missed, other)
	}
	_, err := s.SweepMessages(t.Context(), noon().Add(time.Hour))
	must(t, err)
	if found, size, missed := kept(t, s, "a", 0); len(found) > 0 || size > 0 || missed {
		t.Errorf("after a sweep %v are left, %d bytes, missed %v", found, size, missed)
	}
}

// If all topics together have too many messages, the oldest are forgotten. A topic of which none is left still says so, and its numbers rise.
func messageRoom(t *testing.T, s store.Messages) {
	t.Helper()
	first := published(t, s, "first", "1", noon().Add(-time.Second))
	var topics []string
	for i := range 8 {
		topics = append(topics, fmt.Sprint("t", i))
		fill(t, s, topics[i], store.MaxTopicMessages*3/4, noon().Add(time.Duration(i)*time.Second))
	}
	whole := 0
	for i, topic := range topics {
		_, size, missed := kept(t, s, topic, 0)
		whole += size
		if newest := i >= 4; newest && missed || i < 2 && !missed {
			t.Errorf("topic %d of %d: %d bytes, missed %v", i, len(topics), size, missed)
		}
	}
	if whole > store.MaxMessages+store.MessageSlack || whole < store.MaxMessages*3/4 {
		t.Errorf("%d bytes are left, want about %d", whole, store.MaxMessages)
	}
	if found, _, missed := kept(t, s, "first", 0); len(found) > 0 || !missed {
		t.Errorf("the first topic has %v, missed %v", found, missed)
	}
	at, err := s.Latest(t.Context(), "first", noon().Add(-time.Hour))
	must(t, err)
	next := published(t, s, "first", "2", noon().Add(-time.Hour))
	if found, _, missed := kept(t, s, "first", first); at < first || next <= first || missed || !slices.Equal(found, []int64{next}) {
		t.Errorf("after %d: Latest is %d, the next number is %d, read %v, missed %v", first, at, next, found, missed)
	}
}

// If the clock is set back, numbers still rise.
func messageClock(t *testing.T, s store.Messages) {
	t.Helper()
	first := published(t, s, "a", "1", noon())
	if next := published(t, s, "a", "2", noon().Add(-time.Hour)); next != first+1 {
		t.Errorf("the number is %d, want %d", next, first+1)
	}
}

// A listener is woken by messages of its topic alone. It is woken once for those that it has not read, and its publishers never wait.
func messageWake(t *testing.T, s store.Messages) {
	t.Helper()
	wake, stop := s.Listen("a")
	defer stop()
	other, stopOther := s.Listen("b")
	defer stopOther()
	settle(t, s, wake)
	for len(other) > 0 { // by the beginning of the connection
		<-other
	}
	const many = 100
	for range many {
		published(t, s, "a", "1", noon())
	}
	<-wake
	if got := strings.Count(dataAfter(t, s, "a", 0, 2*many), "1"); got != many {
		t.Errorf("a woken listener finds %d messages, want %d", got, many)
	}
	if len(other) > 0 {
		t.Error("a listener of another topic is woken")
	}
	stop()
	for len(wake) > 0 {
		<-wake
	}
	published(t, s, "a", "3", noon())
	published(t, s, "b", "4", noon())
	<-other // so the notice of the message before has arrived, too
	if len(wake) > 0 {
		t.Error("a listener that has stopped is woken")
	}
}

// settle returns when a listener of topic a is heard: its connection may only begin to listen. It leaves the topic empty.
func settle(t *testing.T, s store.Messages, wake <-chan struct{}) {
	t.Helper()
	published(t, s, "a", "0", noon().Add(-time.Hour))
	<-wake
	_, err := s.SweepMessages(t.Context(), noon())
	must(t, err)
}

// Readers that are woken while many publish read every message once and in order: a number never becomes visible after a greater one.
func messageReaders(t *testing.T, s store.Messages) {
	t.Helper()
	const writers, each, readers = 6, 40, 3
	var all sync.WaitGroup
	for range readers {
		wake, stop := s.Listen("a")
		all.Go(func() {
			defer stop()
			var after int64
			seen := map[string]bool{}
			for len(seen) < writers*each {
				found, err := s.ReadMessages(t.Context(), "a", after, 7)
				if err != nil {
					t.Errorf("ReadMessages = %v", err)
					return
				}
				for _, m := range found {
					if m.Number <= after || seen[string(m.Data)] {
						t.Errorf("message %d %s after %d", m.Number, m.Data, after)
					}
					after, seen[string(m.Data)] = m.Number, true
				}
				if len(found) > 0 {
					continue
				}
				select {
				case <-wake:
				case <-time.After(waittest.Limit(time.Minute)):
					t.Errorf("a reader has %d messages of %d and is not woken", len(seen), writers*each)
					return
				}
			}
		})
	}
	for w := range writers {
		all.Go(func() {
			for i := range each {
				m := store.Message{Topic: "a", Kind: "saved", Data: fmt.Appendf(nil, `"%d %d"`, w, i)}
				if _, err := s.Publish(t.Context(), m, noon()); err != nil {
					t.Errorf("Publish = %v", err)
				}
			}
		})
	}
	all.Wait()
}
