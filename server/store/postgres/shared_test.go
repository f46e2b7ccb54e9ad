package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/ratelimit/counttest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

func TestCounters(t *testing.T) {
	counttest.Run(t, func(t *testing.T) ratelimit.Store { t.Helper(); return postgrestest.Open(t).Counters() })
}

func TestOldCountsAreDeleted(t *testing.T) {
	db := postgrestest.Open(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, key := range []string{"short", "long"} {
		window := time.Minute
		if key == "long" {
			window = time.Hour
		}
		if _, err := db.Counters().TryFailure(t.Context(), key, 3, window, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Counters().Sweep(t.Context(), now.Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int{"short": 0, "long": 1} {
		// At the time of the count, so that only a row that is there counts.
		if n, err := db.Counters().Failures(t.Context(), key, now); n != want || err != nil {
			t.Errorf("%s: %d failures, %v; want %d", key, n, err, want)
		}
	}
}

// Two processes agree on the time even if the clocks of their machines differ.
func TestClockIsTheDatabases(t *testing.T) {
	db := postgrestest.Open(t)
	if skew := db.Skew(); skew.Abs() > waittest.Limit(time.Second) {
		t.Errorf("on the same machine the clocks differ by %v", skew)
	}
	began := time.Now()
	first := db.Now()
	<-time.After(10 * time.Millisecond)
	second, most := db.Now(), time.Since(began)
	if passed := second.Sub(first); passed < 10*time.Millisecond || passed > most || second.Location() != time.UTC {
		t.Errorf("%v, then %v: %v passed", first, second, passed)
	}
}

// A lock excludes other processes until it is released, and the wait for it ends with its context.
func TestLocksExcludeOtherProcesses(t *testing.T) {
	url := postgrestest.URL(t)
	one, two, watch := postgrestest.OpenURL(t, url), postgrestest.OpenURL(t, url), connected(t, url)
	unlock, err := one.Locks().Lock(t.Context(), "form a")
	if err != nil {
		t.Fatal(err)
	}
	other, err := two.Locks().Lock(t.Context(), "form b")
	if err != nil {
		t.Fatal(err)
	}
	other()
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := two.Locks().Lock(short, "form a"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the lock of another process: %v", err)
	}
	got, done := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(done)
		unlock, err := two.Locks().Lock(t.Context(), "form a")
		if err == nil {
			unlock()
		}
		got <- err
	}()
	if !awaitWaiter(t, watch, "advisory", done) {
		t.Fatalf("two processes hold one lock: %v", <-got)
	}
	unlock()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
}

// The lock of a process that dies is free.
func TestLocksEndWithTheirProcess(t *testing.T) {
	url := postgrestest.URL(t)
	one, two := postgrestest.OpenURL(t, url), postgrestest.OpenURL(t, url)
	held, err := two.Locks().Lock(t.Context(), "form")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context()) //nolint:errcheck // the test is over
	_, err = conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`) // other databases are those of other tests
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := one.Locks().Lock(t.Context(), "form")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	held() // it has nothing to release
}
