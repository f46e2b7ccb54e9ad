package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/formgraph/formgraph/server/store/internal/wakes"
)

// channel is the channel of notifications about messages. The payload is the number and the topic of the message: a payload has less than
// 8,000 bytes, so the message itself is read from its row. Versions of the program that run side by side must agree on it.
const channel = "formgraph_messages"

const (
	// firstListen and lastListen are the shortest and the longest pause between attempts to connect again.
	firstListen, lastListen = 50 * time.Millisecond, 5 * time.Second
	// quietTime is how long the connection may be silent before it is checked: a network that is cut off says nothing.
	quietTime = 15 * time.Second
	// checkTime bounds a check.
	checkTime = 5 * time.Second
)

// listener wakes the listeners of this process. It listens on a connection of its own, from the first listener until close: a connection of
// the pool would be missed by others.
type listener struct {
	wakes  wakes.Wakes
	config *pgx.ConnConfig
	start  sync.Once
	ctx    context.Context //nolint:containedctx // of the goroutine
	stop   context.CancelFunc
	ended  sync.WaitGroup
}

func newListener(config *pgxpool.Config) *listener {
	l := &listener{config: config.ConnConfig.Copy()}
	l.config.Tracer = nil // nobody asked for these queries
	l.ctx, l.stop = context.WithCancel(context.Background())
	return l
}

// listenTo registers a listener, which is woken when the connection has been made: what was published before is found by the read
// that follows.
func (l *listener) listenTo(topic string) (wake <-chan struct{}, stop func()) {
	l.start.Do(func() { l.ended.Go(l.run) })
	return l.wakes.Listen(topic)
}

func (l *listener) close() {
	l.start.Do(func() {}) // so that it is not started later
	l.stop()
	l.ended.Wait()
}

// run connects and listens until close, again and again. The pauses are random, so that replicas do not come back all at once.
func (l *listener) run() {
	pause := firstListen
	for l.ctx.Err() == nil {
		if l.listen() {
			pause = firstListen
		}
		wait := time.NewTimer(pause/2 + rand.N(pause)) //nolint:gosec // no secret
		select {
		case <-wait.C:
		case <-l.ctx.Done():
			wait.Stop()
		}
		pause = min(2*pause, lastListen)
	}
}

// listen connects and wakes listeners until the connection is lost. It reports whether it has been connected. Its errors are those of a
// database that is away, which every other call reports, too.
func (l *listener) listen() (connected bool) {
	connect, cancel := context.WithTimeout(l.ctx, statementTime)
	defer cancel()
	conn, err := pgx.ConnectConfig(connect, l.config)
	if err != nil {
		return false
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), checkTime)
		defer cancel()
		_ = conn.Close(ctx) // nothing is lost
	}()
	if useDatabase(connect, conn) != nil {
		return false
	}
	if _, err := conn.Exec(connect, "LISTEN "+channel); err != nil {
		return false
	}
	// Whatever was published meanwhile was not heard.
	l.wakes.WakeAll()
	for {
		n, err := l.next(conn)
		if err != nil {
			return true
		}
		if _, topic, ok := strings.Cut(n, " "); ok {
			l.wakes.Wake(topic)
		}
	}
}

// next returns the payload of the next notification, or "" if there was none for a while and the connection is alive.
func (l *listener) next(conn *pgx.Conn) (string, error) {
	quiet, cancel := context.WithTimeout(l.ctx, quietTime)
	defer cancel()
	n, err := conn.WaitForNotification(quiet)
	switch {
	case err == nil:
		return n.Payload, nil
	case l.ctx.Err() != nil || !errors.Is(quiet.Err(), context.DeadlineExceeded) || conn.IsClosed():
		return "", err
	}
	check, cancel := context.WithTimeout(l.ctx, checkTime)
	defer cancel()
	return "", conn.Ping(check)
}
