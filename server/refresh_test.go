package main_test

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// Of 100 parallel calls with an expired token, through two replicas, one refreshes, and all are answered.
func TestRefreshRace(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		raceRefreshes(t, func(now func() time.Time) *both { return startBoth(t, now, 2) })
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		url := postgrestest.URL(t)
		dbs := []*database.DB{openPlace(t, database.Place{URL: url}), openPlace(t, database.Place{URL: url})}
		raceRefreshes(t, func(now func() time.Time) *both { return startOn(t, now, dbs, nil) })
	})
}

// raceRefreshes lets many calls expire at once, at the two replicas that start starts.
func raceRefreshes(t *testing.T, start func(now func() time.Time) *both) {
	t.Helper()
	var ahead atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	s := start(now)
	c := s.signIn(t)
	c.Transport = &http.Transport{MaxIdleConnsPerHost: 100}
	for round := range 3 {
		ahead.Add(int64(11 * time.Minute)) // past the life of an access token
		before := s.tokens.Load()
		var wg sync.WaitGroup
		failed := make(chan string, 100)
		for i := range 100 {
			wg.Go(func() {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.editor[i%2]+"/bff/api/forms", nil)
				if err != nil {
					failed <- err.Error()
					return
				}
				for k, v := range map[string]string{"X-CSRF": "1", "Origin": s.editor[0], "Sec-Fetch-Site": "same-origin"} {
					req.Header.Set(k, v)
				}
				res, err := c.Do(req)
				if err != nil {
					failed <- err.Error()
					return
				}
				text, _ := io.ReadAll(res.Body)
				_ = res.Body.Close()
				if res.StatusCode != http.StatusOK {
					failed <- fmt.Sprintf("%d %s", res.StatusCode, text)
				}
			})
		}
		wg.Wait()
		close(failed)
		for what := range failed {
			t.Errorf("round %d: %s", round, what)
		}
		if got := s.tokens.Load() - before; got != 1 {
			t.Errorf("round %d: %d token requests, want 1", round, got)
		}
	}
}
