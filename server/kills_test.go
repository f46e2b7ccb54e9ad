package main

import (
	"context"
	"database/sql"
	"flag"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// killRounds is how often TestKilledReplicasLoseNothing kills a process for each engine, which `make soak` can raise.
var killRounds = flag.Int("kills.rounds", 0, "how often a process is killed for each engine")

const (
	killEditors = 6
	killForms   = 2
	killPace    = 10 * time.Millisecond
	// killWithin bounds the random number of saves that are tried before the kill, and killAfter is how many are tried after it.
	killWithin = 60
	killAfter  = 2 * killEditors
)

// TestKilledReplicasLoseNothing kills servers, and the database server in some rounds, while people save. Every acknowledged save
// must be there once, and an unacknowledged one at most once; each changes two properties, which must agree. The database must be sound.
func TestKilledReplicasLoseNothing(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		f := startFleetOn(t, 1, nil)
		f.killRounds(func() { checkFile(t, filepath.Join(f.folders[0], database.File)) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		f := startFleet(t, 2)
		f.killRounds(func() { postgrestest.Check(t, f.database) })
	})
}

// killRounds kills processes while people save, and calls sound to check the database after each kill.
func (f *fleet) killRounds(sound func()) {
	f.t.Helper()
	s := &soak{t: f.t, at: f.at, first: f.first}
	people := s.people(killEditors)
	var total work
	out := 0
	rounds := sizetest.Of(*killRounds, 2, 20)
	for round := range rounds {
		var forms []string
		for range killForms {
			forms = append(forms, people[0].newForm())
		}
		editors := make([]*editor, len(people))
		ctx, stop := context.WithCancel(f.t.Context())
		var wg sync.WaitGroup
		var tried atomic.Int64
		for i, p := range people {
			editors[i] = &editor{resident: p, number: i, forms: forms}
			wg.Go(func() { editors[i].save(ctx, &tried) })
		}
		await := func(n int64) {
			waittest.Until(f.t, "people save", func() bool { return tried.Load() >= n })
		}
		await(rand.N[int64](killWithin))
		f.kill(round)
		await(tried.Load() + killAfter)
		stop()
		wg.Wait()
		f.revive()
		sound()
		found := readTokens(f.t, people[0], forms)
		for _, e := range editors {
			total.add(&e.work)
			e.judge(found)
			for _, x := range e.failures {
				if x.status == http.StatusUnauthorized {
					out++
					must(f.t, e.signIn(f.t.Context(), soakPassword))
					break
				}
			}
		}
		if f.t.Failed() {
			f.t.Fatalf("in round %d", round)
		}
	}
	f.t.Logf("%d kills: %d saves acknowledged, %d unknown, %d conflicts; %d sessions ended", rounds, len(total.acknowledged),
		len(total.unknown), total.conflicts, out)
	if out > 0 {
		f.t.Errorf("%d sessions ended, though none was refreshed", out)
	}
	if len(total.acknowledged) < rounds {
		f.t.Error("too little was saved")
	}
}

// kill kills a replica or, in the second of three rounds, the database server if there is one.
func (f *fleet) kill(round int) {
	if f.server != nil && round%3 == 1 {
		f.server.Kill(f.t)
		return
	}
	f.replicas[round%len(f.replicas)].kill()
}

// revive restarts the processes that were killed and waits until they are ready.
func (f *fleet) revive() {
	f.t.Helper()
	if f.server != nil {
		f.server.Resume(f.t)
	}
	for i, c := range f.replicas {
		select {
		case <-c.ended:
			f.replicas[i] = launch(f.t, f.folders[i], f.args[i]...)
		default:
		}
	}
	f.awaitReady()
}

// save edits forms with hardly a pause until ctx ends, and counts how often it has tried.
func (e *editor) save(ctx context.Context, tried *atomic.Int64) {
	tick := time.NewTicker(killPace)
	defer tick.Stop()
	for n := 0; ctx.Err() == nil; n++ {
		e.edit(n)
		tried.Add(1)
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// checkFile fails the test if an SQLite file is damaged.
func checkFile(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close() //nolint:errcheck // it was only read
	for _, check := range []string{"integrity_check", "foreign_key_check"} {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM pragma_"+check)
		must(t, err)
		var found []string
		for rows.Next() {
			columns, err := rows.Columns()
			must(t, err)
			values := make([]sql.NullString, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			must(t, rows.Scan(into...))
			for _, v := range values {
				found = append(found, v.String)
			}
		}
		must(t, rows.Err())
		must(t, rows.Close())
		if text := strings.Join(found, " "); text != "" && text != "ok" {
			t.Errorf("%s of %s: %s", check, path, text)
		}
	}
}
