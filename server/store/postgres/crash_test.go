package postgres_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// countUp changes one document until a change fails, and keeps the last change that was acknowledged.
func countUp(ctx context.Context, d *postgres.DB, acknowledged *atomic.Int64) error {
	for {
		got, err := d.Forms().Update(ctx, "a", now(), func(d store.Document) (store.Document, error) {
			n, err := strconv.Atoi(d.Name)
			d.Name = strconv.Itoa(n + 1)
			d.Body = []byte(strings.Repeat(d.Name+" ", 2000))
			return d, err
		})
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(got.Name, 10, 64)
		if err != nil {
			return err
		}
		acknowledged.Store(n)
	}
}

// A server that is killed while it writes loses no acknowledged change and leaves no half change. The store says that the database is not
// available, and works again when it is back, without being reopened.
func TestKilledServer(t *testing.T) {
	server := postgrestest.Start(t, postgrestest.Options{Durable: true})
	d := postgrestest.OpenURL(t, server.URL(t))
	if _, err := d.Forms().Create(t.Context(), store.Document{ID: "a", Name: "0", Body: []byte("0 ")}); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		var acknowledged atomic.Int64
		failed := make(chan error, 1)
		go func() { failed <- countUp(t.Context(), d, &acknowledged) }()
		before := acknowledged.Load()
		waittest.Until(t, "changes are acknowledged", func() bool { return acknowledged.Load() >= before+int64(20+7*round) || len(failed) > 0 })
		server.Kill(t)
		if err := <-failed; !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("round %d: the change that was killed: %v, want ErrUnavailable", round, err)
		}
		if err := d.Ping(t.Context()); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("round %d: Ping = %v, want ErrUnavailable", round, err)
		}
		server.Restart(t)
		// A connection may be found to be dead only by its use.
		waittest.Until(t, "the database is back", func() bool { return d.Ping(t.Context()) == nil })
		got, err := d.Forms().Get(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		n, err := strconv.ParseInt(got.Name, 10, 64)
		if err != nil || n < acknowledged.Load() {
			t.Errorf("round %d: change %s is stored, want at least %d", round, got.Name, acknowledged.Load())
		}
		if want := strings.Repeat(got.Name+" ", 2000); string(got.Body) != want {
			t.Errorf("round %d: change %s is half stored", round, got.Name)
		}
	}
}
