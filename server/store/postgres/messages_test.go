package postgres_test

import (
	"context"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

func saved(topic, data string) store.Message {
	return store.Message{Topic: topic, Kind: "saved", Data: []byte(data)}
}

// A message whose transaction is open holds back the later messages of its topic, so no reader sees a number before a smaller one. Other
// topics do not wait.
func TestMessagesBecomeVisibleInOrder(t *testing.T) {
	url := postgrestest.URL(t)
	d, slow := postgrestest.OpenURL(t, url), connected(t, url)
	tx, err := slow.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.WithoutCancel(t.Context())) //nolint:errcheck // committed on success
	var first int64
	if err := tx.QueryRow(t.Context(), postgres.PublishStatement, "a", now().UnixMicro(), "saved", []byte("1")).Scan(&first, nil); err != nil {
		t.Fatal(err)
	}
	second := make(chan int64, 1)
	go func() {
		n, err := d.Publish(t.Context(), saved("a", "2"), now().Add(time.Hour))
		if err != nil {
			t.Errorf("Publish = %v", err)
		}
		second <- n
	}()
	other := connected(t, url)
	waittest.Until(t, "the second message waits", func() bool {
		var waits bool
		err := other.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND query LIKE '%pg_notify%')`).Scan(&waits)
		return err == nil && waits || len(second) > 0
	})
	if _, err := d.Publish(t.Context(), saved("b", "3"), now()); err != nil {
		t.Errorf("Publish to another topic = %v", err)
	}
	if found, err := d.ReadMessages(t.Context(), "a", 0, 9); err != nil || len(found) > 0 {
		t.Errorf("read %v, %v while the first message is not committed, want none", found, err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	n := <-second
	found, err := d.ReadMessages(t.Context(), "a", 0, 9)
	if err != nil || len(found) != 2 || found[0].Number != first || found[1].Number != n || n <= first {
		t.Errorf("read %v, %v, want %d and %d", found, err, first, n)
	}
}

// drain reads the messages after a number and returns the greatest.
func drain(t *testing.T, d *postgres.DB, after int64, into *[]string) int64 {
	t.Helper()
	var found []store.Message
	waittest.Until(t, "messages are read", func() (ok bool) { // a connection may be found to be dead only by its use
		var err error
		found, err = d.ReadMessages(t.Context(), "a", after, 100)
		return err == nil
	})
	for _, m := range found {
		after, *into = m.Number, append(*into, string(m.Data))
	}
	return after
}

// After the connection is lost, or the database was away, a listener is woken and reads what was published meanwhile.
func TestListenersCatchUp(t *testing.T) {
	server := postgrestest.Start(t, postgrestest.Options{})
	url := server.URL(t)
	d, other := postgrestest.OpenURL(t, url), postgrestest.OpenURL(t, url)
	wake, stop := d.Listen("a")
	defer stop()
	var read, want []string
	var at int64
	publish := func(data string) {
		t.Helper()
		waittest.Until(t, "a message is published", func() bool {
			_, err := other.Publish(t.Context(), saved("a", data), now())
			return err == nil
		})
		want = append(want, data)
	}
	hear := func(what string) {
		t.Helper()
		for len(read) < len(want) {
			<-wake
			at = drain(t, d, at, &read)
		}
		if !slices.Equal(read, want) {
			t.Fatalf("%s: read %q, want %q", what, read, want)
		}
	}
	publish("1")
	hear("at first")
	if n := terminateListeners(t, url, func() { publish("2") }); n != 1 {
		t.Errorf("%d connections listened, want 1", n)
	}
	hear("after a lost connection")
	server.Restart(t)
	publish("3")
	hear("after a restart")
	server.Kill(t)
	server.Resume(t)
	publish("4")
	publish("5")
	hear("after a crash")
}

// terminateListeners ends the connections that listen and returns their number. It calls meanwhile before they can be made again.
func terminateListeners(t *testing.T, url string, meanwhile func()) (n int) {
	t.Helper()
	conn := connected(t, url)
	err := conn.QueryRow(t.Context(), `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'LISTEN %'`).Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	meanwhile()
	return n
}

// The connection for notifications begins with the first listener, and Close ends it.
func TestListeningEndsWithTheStore(t *testing.T) {
	text := postgrestest.URL(t)
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	conn := connected(t, text)
	listening := func() (n int) {
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND query LIKE 'LISTEN %'`,
			u.Path[1:]).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	d, err := postgres.Open(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	if n := listening(); n != 0 {
		t.Errorf("%d connections listen without a listener", n)
	}
	for range 3 {
		_, stop := d.Listen("a")
		defer stop()
	}
	waittest.Until(t, "a connection listens", func() bool { return listening() == 1 })
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "it has ended", func() bool { return listening() == 0 })
}

// A payload has room for the longest topic.
func TestLongestTopicIsNotified(t *testing.T) {
	d := postgrestest.Open(t)
	topic := string(slices.Repeat([]byte("t"), store.MaxTopic))
	wake, stop := d.Listen(topic)
	defer stop()
	if _, err := d.Publish(t.Context(), saved(topic, "1"), now()); err != nil {
		t.Fatal(err)
	}
	<-wake
}
