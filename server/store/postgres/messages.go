package postgres

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/internal/rows"
)

// messages implements store.Messages.
type messages struct {
	*runner

	listener *listener
	grown    *atomic.Int64 // the size of what this process has published since it last made room
}

// publish is one statement, and so one transaction. It updates the row of the topic before it makes the number, and holds it until the
// commit: another message of the topic waits for that, so numbers become visible in order. A sequence would hand out numbers that are
// committed in another order. Listeners are notified by the same transaction.
const publish = `WITH topic AS (
		INSERT INTO topics (name, last) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET last = greatest(topics.last + 1, excluded.last) RETURNING last),
	added AS (
		INSERT INTO messages (topic, number, kind, data) SELECT $1, last, $3, $4 FROM topic RETURNING number)
	SELECT number, pg_notify('` + channel + `', number || ' ' || $1)::text FROM added`

func (d messages) Publish(ctx context.Context, m store.Message, now time.Time) (int64, error) {
	if err := m.Check(); err != nil {
		return 0, err
	}
	number, err := one(ctx, d.runner, "publish message", func(r rows.Scanner) (number int64, err error) {
		var notified string
		err = r.Scan(&number, &notified)
		return number, err
	}, publish, m.Topic, now.UnixMicro(), m.Kind, m.Data)
	if err == nil && d.grown.Add(int64(m.Size())) >= store.MessageSlack {
		d.makeRoom(ctx)
	}
	return number, err
}

// makeRoom forgets the oldest messages if there are too many. It has no error: the message is published, and the next one tries again. The
// last one of each topic that is forgotten becomes the one that is Missed. Several processes may do this at once: each forgets the
// oldest messages of a topic up to some number.
func (d messages) makeRoom(ctx context.Context) {
	before := d.grown.Load()
	err := d.exec(ctx, "forget messages", `WITH sized AS (
			SELECT topic, number, CASE WHEN kind = '' THEN 0
				ELSE octet_length(topic) + octet_length(kind) + octet_length(data) + $1::bigint END AS size FROM messages),
		summed AS (
			SELECT topic, number, sum(size) OVER (PARTITION BY topic ORDER BY number DESC) AS own,
				sum(size) OVER (ORDER BY number DESC) AS every FROM sized),
		old AS (
			SELECT topic, number, max(number) OVER (PARTITION BY topic) AS last FROM summed WHERE own > $2::bigint OR every > $3::bigint),
		deleted AS (
			DELETE FROM messages AS m USING old WHERE m.topic = old.topic AND m.number = old.number AND old.number < old.last)
		UPDATE messages AS m SET kind = '', data = '' FROM old
		WHERE m.topic = old.topic AND m.number = old.number AND old.number = old.last AND m.kind <> ''`,
		store.MessageRow, store.MaxTopicMessages, store.MaxMessages)
	if err == nil {
		d.grown.Add(-before)
	}
}

func (d messages) Latest(ctx context.Context, topic string, now time.Time) (int64, error) {
	last, err := one(ctx, d.runner, "read latest message", rows.Value[int64],
		`SELECT coalesce(max(number), 0) FROM messages WHERE topic = $1`, topic)
	return store.Latest(last, now), err
}

func (d messages) ReadMessages(ctx context.Context, topic string, after int64, limit int) ([]store.Message, error) {
	return all(ctx, d.runner, "read messages", func(r rows.Scanner) (m store.Message, err error) {
		m.Topic = topic
		err = r.Scan(&m.Number, &m.Kind, &m.Data)
		return m, err
	}, `SELECT number, kind, data FROM messages WHERE topic = $1 AND number > $2 ORDER BY number LIMIT $3`, topic, after, limit)
}

// KeptSince implements store.Messages. A sweep deletes only what has ended its life.
func (d messages) KeptSince(now time.Time) int64 { return now.Add(-store.MessageLife).UnixMicro() }

func (d messages) SweepMessages(ctx context.Context, before time.Time) (int64, error) {
	n, err := d.count(ctx, "sweep messages", `DELETE FROM messages WHERE number < $1`, before.UnixMicro())
	if err != nil {
		return n, err
	}
	// A topic whose row is locked has just got a message.
	return n, d.exec(ctx, "sweep topics", `DELETE FROM topics WHERE name IN
		(SELECT name FROM topics WHERE last < $1 FOR UPDATE SKIP LOCKED)`, before.UnixMicro())
}

// ForgetMessages implements store.Messages. The last message becomes the one that is Missed.
func (d messages) ForgetMessages(ctx context.Context, topic string) error {
	return d.exec(ctx, "forget messages of a topic", `WITH newest AS (SELECT max(number) AS number FROM messages WHERE topic = $1),
		deleted AS (DELETE FROM messages AS m USING newest WHERE m.topic = $1 AND m.number < newest.number)
		UPDATE messages AS m SET kind = '', data = '' FROM newest WHERE m.topic = $1 AND m.number = newest.number`, topic)
}

// Listen implements store.Messages.
func (d messages) Listen(topic string) (wake <-chan struct{}, stop func()) {
	return d.listener.listenTo(topic)
}
