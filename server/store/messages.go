package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Limits of messages. MessageLife is how long a message can be read: a browser that was away for longer reads anew what the topic is about.
const (
	MaxTopic    = 200      // bytes of a topic
	MaxKind     = 50       // bytes of a kind
	MaxData     = 64 << 10 // bytes of the data
	MessageLife = time.Hour
)

// Room for messages, in bytes as Size counts them. When there is no more, the oldest messages are forgotten: of a topic that has too many, and
// else of all. An engine of several processes may keep MessageSlack more for each of them.
const (
	MaxTopicMessages = 4 << 20
	MaxMessages      = 16 << 20
	MessageSlack     = 1 << 20
	MessageRow       = 100 // what a message takes besides its topic, kind and data
)

// ErrMessage is returned for a message that exceeds a limit or lacks its topic or kind.
var ErrMessage = errors.New("malformed message")

// Message says that something has happened. Messages are transient: a backup does not contain them, and they are not moved to another
// database.
type Message struct {
	// Topic is what the message is about, such as a form.
	Topic string
	// Number orders the messages of a topic: each is greater than those before it. It is the time of the message in microseconds since 1970,
	// or one more than the number before it if that is later. So numbers rise even if the rows of a topic have been deleted meanwhile.
	Number int64
	Kind   string // "" stands for the messages of the topic up to Number that were forgotten; it has no data and cannot be published
	Data   []byte // JSON
}

// Size returns roughly how much room a message takes, in bytes. One that is Missed takes none: it must remain when there is no room.
func (m Message) Size() int {
	if m.Missed() {
		return 0
	}
	return MessageRow + len(m.Topic) + len(m.Kind) + len(m.Data)
}

// Missed reports whether a message stands for others that were forgotten for lack of room.
func (m Message) Missed() bool { return m.Kind == "" }

// Check returns an error that wraps ErrMessage if the message exceeds a limit.
func (m Message) Check() error {
	switch {
	case m.Topic == "" || len(m.Topic) > MaxTopic:
		return fmt.Errorf("%w: the topic must be 1 to %d bytes, is %d", ErrMessage, MaxTopic, len(m.Topic))
	case m.Kind == "" || len(m.Kind) > MaxKind:
		return fmt.Errorf("%w: the kind must be 1 to %d bytes, is %d", ErrMessage, MaxKind, len(m.Kind))
	case len(m.Data) > MaxData:
		return fmt.Errorf("%w: the data must be at most %d bytes, is %d", ErrMessage, MaxData, len(m.Data))
	}
	return nil
}

// LatestAge is how far Messages.Latest may lie in the past.
const LatestAge = time.Minute

// Latest returns the number for Messages.Latest: last is the greatest number of a topic, 0 for none. A message whose number lies between is
// not missed: nobody takes as long as LatestAge to store one.
func Latest(last int64, now time.Time) int64 { return max(last, now.Add(-LatestAge).UnixMicro()) }

// Messages stores the messages of topics and wakes those who wait for them. All methods are safe for concurrent use, including by several
// processes that share one store.
type Messages interface {
	// Publish stores a message, whose Number it ignores, and returns its number. Messages of a topic become visible in the order of their
	// numbers: whoever has read one misses none before it. After an error it is unknown whether the message was stored.
	Publish(ctx context.Context, m Message, now time.Time) (number int64, err error)
	// Latest returns a number after which ReadMessages returns every message that is published from now on, and none that is older than
	// LatestAge. Every message of the topic that it may skip was visible before the call.
	Latest(ctx context.Context, topic string, now time.Time) (int64, error)
	// ReadMessages returns up to limit messages of a topic whose number is greater than after, in order. If some after that number were
	// forgotten for lack of room, the first one that it returns is Missed.
	ReadMessages(ctx context.Context, topic string, after int64, limit int) ([]Message, error)
	// KeptSince returns a number: every message with a greater one is still stored, unless it was forgotten for lack of room. Whoever continues
	// after a smaller one may have missed messages.
	KeptSince(now time.Time) int64
	// SweepMessages deletes the messages whose number is a time before a time, and returns their number.
	SweepMessages(ctx context.Context, before time.Time) (int64, error)
	// ForgetMessages forgets all messages of a topic, as for lack of room.
	ForgetMessages(ctx context.Context, topic string) error
	// Listen returns a channel that is filled after each message of a topic, by whichever process, and whenever messages may have been missed,
	// such as after a loss of the connection to the database. Several messages fill it once: the caller reads the messages from where
	// it stands. The first read must come after Listen. stop releases the channel and must be called.
	Listen(topic string) (wake <-chan struct{}, stop func())
}
