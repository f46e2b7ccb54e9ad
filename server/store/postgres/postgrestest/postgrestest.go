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

	"github.com/formgraph/formgraph/server/store/postgres"
)

// environment is the name of the variable with the URL of a server to use.
const environment = "FORMGRAPH_POSTGRES"

// cleanTime bounds what is done with a database after its test.
const cleanTime = time.Minute

// cluster is a server for the tests of this binary.
type cluster struct {
	url string
	// own is nil for a server that FORMGRAPH_POSTGRES names. The watcher ends a server to which nothing refers.
	own *Server

	mu       sync.Mutex
	template string   // a database with empty tables; "" before it is made
	free     []string // databases with empty tables, which tests have used
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

// emptyTables deletes all rows of a database, except the versions of its migrations, after it has ended forgotten connections.
const emptyTables = `DO $$ DECLARE t text; BEGIN
	PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
	FOR t IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'goose_db_version'
	LOOP EXECUTE format('DELETE FROM %I', t); END LOOP;
END $$`

// give takes back a database that a test has used.
func (c *cluster) give(ctx context.Context, name string) error {
	if err := c.run(ctx, c.database(name), emptyTables); err != nil {
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

// database returns the URL of a database of the server.
func (c *cluster) database(name string) string {
	u, err := url.Parse(c.url)
	if err != nil {
		return c.url // which Open refuses
	}
	u.Path = "/" + name
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
		ctx, cancel := context.WithTimeout(context.Background(), cleanTime)
		defer cancel()
		if err := back(ctx, name); err != nil {
			tb.Error(err)
		}
	})
	return c.database(name)
}

// Open returns an empty database. It is closed and removed when the test ends.
func Open(tb testing.TB) *postgres.DB {
	tb.Helper()
	return OpenURL(tb, URL(tb))
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
