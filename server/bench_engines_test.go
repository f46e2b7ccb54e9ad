package main_test

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// The size of a round of BenchmarkEngines: the number of requests that each client makes in sequence.
const perRound = 8

// BenchmarkEngines saves forms of 12 nodes through the editor's backend, and requests tokens with client credentials, on each engine, with
// one and two replicas and an increasing number of concurrent clients. It alternates with bare commits: the same number of clients replace
// the same number of bytes in separate rows, on the same database and with the same guarantees, without a server. ratio is the request rate
// divided by the commit rate. The clients, the servers and the database share the machine.
func BenchmarkEngines(b *testing.B) {
	for _, x := range []struct {
		name     string
		replicas int
		open     func(b *testing.B) (replicas []*database.DB, commit func(client int, text []byte) error)
	}{
		{"sqlite", 1, onSQLite},
		{"postgres", 1, func(b *testing.B) ([]*database.DB, func(int, []byte) error) { b.Helper(); return onPostgres(b, 1) }},
		{"postgres-2-replicas", 2, func(b *testing.B) ([]*database.DB, func(int, []byte) error) { b.Helper(); return onPostgres(b, 2) }},
	} {
		b.Run(x.name, func(b *testing.B) {
			dbs, commit := x.open(b)
			s := startOn(b, time.Now, dbs, nil)
			through, straight := s.saves(b), s.grants(b)
			for _, clients := range []int{1, 4, 16, 64} {
				b.Run(fmt.Sprintf("saves/clients=%d", clients), func(b *testing.B) { measure(b, clients, through, commit) })
			}
			for _, clients := range []int{1, 16} {
				b.Run(fmt.Sprintf("tokens/clients=%d", clients), func(b *testing.B) { measure(b, clients, straight, commit) })
			}
		})
	}
}

// maxClients is the maximum number of clients of BenchmarkEngines.
const maxClients = 64

// onSQLite returns a new store, and a function that commits to another table of its file.
func onSQLite(b *testing.B) ([]*database.DB, func(client int, text []byte) error) {
	b.Helper()
	place := database.Place{Folder: b.TempDir()}
	db := openPlace(b, place)
	raw, err := sql.Open("sqlite", "file:"+place.String()+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=busy_timeout(60000)")
	must(b, err)
	b.Cleanup(func() { must(b, raw.Close()) })
	raw.SetMaxOpenConns(1) // SQLite has one writer; more connections would only wait for each other
	exec := func(statement string, args ...any) error {
		_, err := raw.ExecContext(b.Context(), statement, args...)
		return err
	}
	must(b, exec(`CREATE TABLE bare (id INTEGER PRIMARY KEY, text BLOB)`))
	for i := range maxClients {
		must(b, exec(`INSERT INTO bare VALUES (?, '')`, i))
	}
	return []*database.DB{db}, func(client int, text []byte) error {
		return exec(`UPDATE bare SET text = ? WHERE id = ?`, text, client)
	}
}

// onPostgres returns a new store for each replica on a durable server, and a function that commits to another table of the database.
func onPostgres(b *testing.B, replicas int) ([]*database.DB, func(client int, text []byte) error) {
	b.Helper()
	place := database.Place{URL: postgrestest.Start(b, postgrestest.Options{Durable: true}).URL(b)}
	dbs := make([]*database.DB, replicas)
	for i := range dbs {
		dbs[i] = openPlace(b, place)
	}
	config, err := pgxpool.ParseConfig(place.URL)
	must(b, err)
	config.MaxConns = maxClients
	raw, err := pgxpool.NewWithConfig(b.Context(), config)
	must(b, err)
	b.Cleanup(raw.Close)
	exec := func(statement string, args ...any) error {
		_, err := raw.Exec(b.Context(), statement, args...)
		return err
	}
	must(b, exec(`CREATE TABLE bare (id INTEGER PRIMARY KEY, text BYTEA)`))
	for i := range maxClients {
		must(b, exec(`INSERT INTO bare VALUES ($1, '')`, i))
	}
	return dbs, func(client int, text []byte) error {
		return exec(`UPDATE bare SET text = $1 WHERE id = $2`, text, client)
	}
}

// task is the work that the clients of BenchmarkEngines repeat.
type task struct {
	do   func(b *testing.B, client int) (took time.Duration)
	size int // bytes that a bare commit of the same work writes
}

// saves returns a task that saves one form per client, through the replicas in turn, as one user.
func (s *both) saves(b *testing.B) task {
	b.Helper()
	first := s.signIn(b)
	public, err := url.Parse(s.editor[0])
	must(b, err)
	cookies := first.Jar.Cookies(public)
	forms, ways := make([]*moving, maxClients), make([]*way, maxClients)
	for i := range maxClients {
		at := s.editor[i%len(s.editor)]
		jar, err := cookiejar.New(nil)
		must(b, err)
		jar.SetCookies(public, cookies) // cookies ignore the port
		ways[i] = &way{client: &http.Client{Jar: jar, Transport: &http.Transport{}}, origin: s.editor[0]}
		forms[i] = create(b, ways[i], at+"/bff/api/forms", 12)
		ways[i].target = at + "/bff/api/forms/" + forms[i].id
	}
	return task{func(b *testing.B, client int) time.Duration {
		b.Helper()
		w := ways[client]
		w.took = w.took[:0]
		forms[client].save(b, w)
		return time.Duration(w.took[0] * float64(time.Millisecond))
	}, len(forms[0].body())}
}

// grants returns a task that requests tokens with client credentials, from the tenants in turn.
func (s *both) grants(b *testing.B) task {
	b.Helper()
	ask := []byte(url.Values{
		"grant_type": {"client_credentials"}, "client_id": {s.first.Management.ID}, "client_secret": {s.first.Management.Secret},
		"audience": {s.tenant + "/api/v2/"},
	}.Encode())
	clients := make([]*http.Client, maxClients)
	for i := range clients {
		clients[i] = &http.Client{Transport: &http.Transport{}}
	}
	return task{func(b *testing.B, client int) time.Duration {
		b.Helper()
		began := time.Now()
		req, err := http.NewRequestWithContext(b.Context(), http.MethodPost, s.tenants[client%len(s.tenants)]+"/oauth/token", bytes.NewReader(ask))
		must(b, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := clients[client].Do(req)
		must(b, err)
		var got struct {
			Token string `json:"access_token"`
		}
		err = json.NewDecoder(res.Body).Decode(&got)
		_ = res.Body.Close()
		if err != nil || got.Token == "" {
			b.Fatalf("no token: %d %v", res.StatusCode, err)
		}
		return time.Since(began)
	}, 1000}
}

// measure runs rounds of the task and of bare commits in turn.
func measure(b *testing.B, clients int, do task, commit func(client int, text []byte) error) {
	b.Helper()
	var took []time.Duration
	var mu sync.Mutex
	round := func(one func(client int) time.Duration) (whole time.Duration, each []time.Duration) {
		began := time.Now()
		var wg sync.WaitGroup
		for client := range clients {
			wg.Go(func() {
				var mine []time.Duration
				for range perRound {
					mine = append(mine, one(client))
				}
				mu.Lock()
				defer mu.Unlock()
				each = append(each, mine...)
			})
		}
		wg.Wait()
		return time.Since(began), each
	}
	// Each commit writes a different text, because SQLite does not write unchanged pages.
	var number atomic.Uint64
	filler := bytes.Repeat([]byte("x"), do.size-8)
	requests := func(client int) time.Duration { return do.do(b, client) }
	commits := func(client int) time.Duration {
		if err := commit(client, binary.BigEndian.AppendUint64(slices.Clone(filler), number.Add(1))); err != nil {
			b.Error(err)
		}
		return 0
	}
	round(requests) // opens connections
	round(commits)
	var working, committing time.Duration
	for b.Loop() {
		d, each := round(requests)
		working, took = working+d, append(took, each...)
		d, _ = round(commits)
		committing += d
		if b.Failed() {
			return
		}
	}
	slices.Sort(took)
	n := float64(len(took))
	b.ReportMetric(n/working.Seconds(), "requests/s")
	b.ReportMetric(n/committing.Seconds(), "commits/s")
	b.ReportMetric(committing.Seconds()/working.Seconds(), "ratio")
	for _, q := range []int{50, 99} {
		b.ReportMetric(float64(took[len(took)*q/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", q))
	}
}
