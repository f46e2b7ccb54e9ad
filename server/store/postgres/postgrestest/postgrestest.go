// Package postgrestest opens PostgreSQL databases for tests, on a real server. It starts one server for each test binary, in a temporary
// folder, which ends with the binary, however that ends. Creating all tables takes longer than most tests, so they are created once and
// each test gets a copy.
//
// FORMGRAPH_POSTGRES names a server to use instead, as a URL of a user who may create databases. If there is no server, tests fail.
package postgrestest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store/postgres"
)

// environment is the name of the variable with the URL of a server to use.
const environment = "FORMGRAPH_POSTGRES"

// cleanTime bounds what is done with a database after its test.
func cleanTime() time.Duration { return waittest.Limit(time.Minute) }

// cluster is a server for the tests of this binary.
type cluster struct {
	url string
	// own is nil for a server that FORMGRAPH_POSTGRES names. The watcher ends a server to which nothing refers.
	own *Server

	mu       sync.Mutex
	template string   // a database with empty tables; "" before it is made
	free     []string // databases with empty tables, which tests have used
	opened   []*opened
}

// opened is a store with empty tables, which tests have used. Most of what a new one takes is to connect: each connection learns the tables
// and plans its statements anew.
type opened struct {
	name  string
	db    *postgres.DB
	admin *pgx.Conn // a connection to the same database
}

// shared returns the server that the tests of this binary share.
var shared = sync.OnceValues(func() (*cluster, error) {
	if given := os.Getenv(environment); given != "" {
		return &cluster{url: given}, nil
	}
	own, err := start(false)
	if err != nil {
		return nil, err
	}
	return &cluster{url: own.url("postgres"), own: own}, nil
})

// create makes a database as a copy of a template, and returns its name.
func (c *cluster) create(ctx context.Context, template string) (string, error) {
	name := "formgraph_test_" + strings.ToLower(rand.Text())
	return name, c.run(ctx, c.url, "CREATE DATABASE "+name+" TEMPLATE "+template+" ENCODING 'UTF8'")
}

// take returns the name of a database with empty tables. Creating one takes much longer than emptying its tables, so those that tests have
// used are used again.
func (c *cluster) take(ctx context.Context) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		name := c.free[n-1]
		c.free = c.free[:n-1]
		return name, nil
	}
	if c.template == "" {
		name, err := c.create(ctx, "template0")
		if err != nil {
			return "", err
		}
		db, err := postgres.Open(ctx, c.database(name))
		if err != nil {
			return "", err
		}
		c.template = name
		if err := db.Close(); err != nil {
			return "", err
		}
	}
	return c.create(ctx, c.template)
}

// forget ends all other connections to a database.
const forget = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();`

// emptyTables deletes all rows of a database, except the versions of its migrations.
const emptyTables = `DO $$ DECLARE t text; BEGIN
	FOR t IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'goose_db_version'
	LOOP EXECUTE format('DELETE FROM %I', t); END LOOP;
END $$`

// busy says whether a connection to a database does something, or holds a lock that excludes others.
const busy = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle')
	OR EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

// open returns an open store with empty tables.
func (c *cluster) open(ctx context.Context) (*opened, error) {
	c.mu.Lock()
	if n := len(c.opened); n > 0 {
		defer c.mu.Unlock()
		o := c.opened[n-1]
		c.opened = c.opened[:n-1]
		return o, nil
	}
	c.mu.Unlock()
	name, err := c.take(ctx)
	if err != nil {
		return nil, err
	}
	db, err := postgres.Open(ctx, c.database(name))
	if err != nil {
		return nil, err
	}
	admin, err := pgx.Connect(ctx, c.database(name))
	return &opened{name, db, admin}, err
}

// close takes back a store that a test has used, or only its database if the test has closed the store or left something behind.
func (c *cluster) close(ctx context.Context, o *opened) error {
	o.db.Observe(nil)
	var left bool
	if err := errors.Join(o.db.Ping(ctx), o.admin.QueryRow(ctx, busy).Scan(&left)); err == nil && !left {
		if _, err := o.admin.Exec(ctx, emptyTables); err != nil {
			return err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.opened = append(c.opened, o)
		return nil
	}
	_, _ = o.db.Close(), o.admin.Close(ctx) // give ends their connections
	return c.give(ctx, o.name)
}

// give takes back a database that a test has used.
func (c *cluster) give(ctx context.Context, name string) error {
	if err := c.run(ctx, c.database(name), forget+emptyTables); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, name)
	return nil
}

func (c *cluster) drop(ctx context.Context, name string) error {
	return c.run(ctx, c.url, "DROP DATABASE "+name+" WITH (FORCE)")
}

// run runs a statement at a URL of the server.
func (c *cluster) run(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to the test server: %w", err)
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

// database returns the URL of a database of the server. Its time limits are those of the store on a machine of ours, and longer elsewhere.
func (c *cluster) database(name string) string {
	u, err := url.Parse(c.url)
	if err != nil {
		return c.url // which Open refuses
	}
	u.Path = "/" + name
	q := u.Query()
	for name, d := range map[string]time.Duration{"statement_timeout": 10 * time.Second, "lock_timeout": 5 * time.Second} {
		q.Set(name, fmt.Sprint(waittest.Limit(d).Milliseconds()))
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Empty returns the URL of a new database without tables. It is removed when the test ends.
func Empty(tb testing.TB) string {
	tb.Helper()
	c := server(tb)
	name, err := c.create(tb.Context(), "template0")
	return c.lent(tb, name, err, c.drop)
}

// URL returns the URL of a database with empty tables for one test, which must not change the tables.
func URL(tb testing.TB) string {
	tb.Helper()
	c := server(tb)
	if c.own == nil { // nothing may be left on a server that is not ours
		return Empty(tb)
	}
	name, err := c.take(tb.Context())
	return c.lent(tb, name, err, c.give)
}

func server(tb testing.TB) *cluster {
	tb.Helper()
	c, err := shared()
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

// lent returns the URL of a database, for which back is called when the test ends.
func (c *cluster) lent(tb testing.TB, name string, err error, back func(context.Context, string) error) string {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), cleanTime())
		defer cancel()
		if err := back(ctx, name); err != nil {
			tb.Error(err)
		}
	})
	return c.database(name)
}

// Open returns an empty database for one test, which may close it.
func Open(tb testing.TB) *postgres.DB {
	tb.Helper()
	c := server(tb)
	if c.own == nil { // nothing may be left on a server that is not ours
		return OpenURL(tb, Empty(tb))
	}
	o, err := c.open(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), cleanTime())
		defer cancel()
		if err := c.close(ctx, o); err != nil {
			tb.Error(err)
		}
	})
	return o.db
}

// Template lets fill write to an empty database, and returns a function that calls use with a copy of the result, which n replicas have
// opened. Each copy is closed and removed after use.
func Template(tb testing.TB, fill func(*postgres.DB)) func(n int, use func([]*postgres.DB)) {
	tb.Helper()
	c, source := server(tb), Empty(tb)
	db := openURL(tb, source)
	fill(db)
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
	u, err := url.Parse(source)
	if err != nil {
		tb.Fatal(err)
	}
	return func(n int, use func([]*postgres.DB)) {
		tb.Helper()
		name, err := c.create(tb.Context(), strings.TrimPrefix(u.Path, "/"))
		if err != nil {
			tb.Fatal(err)
		}
		dbs := make([]*postgres.DB, n)
		for i := range dbs {
			dbs[i] = openURL(tb, c.database(name))
		}
		defer func() {
			var err error
			for _, db := range dbs {
				err = errors.Join(err, db.Close())
			}
			if err := errors.Join(err, c.drop(tb.Context(), name)); err != nil {
				tb.Error(err)
			}
		}()
		use(dbs)
	}
}

// OpenURL opens the database at url, such as one that URL has returned. It is closed when the test ends.
func OpenURL(tb testing.TB, url string) *postgres.DB {
	tb.Helper()
	db := openURL(tb, url)
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

func openURL(tb testing.TB, url string) *postgres.DB {
	tb.Helper()
	db, err := postgres.Open(tb.Context(), url)
	if err != nil {
		tb.Fatal(err)
	}
	return db
}
