package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// with returns a URL with options.
func with(t *testing.T, text string, options ...string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for _, o := range options {
		name, value, _ := strings.Cut(o, "=")
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Connections have time limits and keep what they acknowledge. The URL may change the limits.
func TestSettings(t *testing.T) {
	plain, err := url.Parse(postgrestest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	q := plain.Query()
	q.Del("statement_timeout")
	q.Del("lock_timeout")
	plain.RawQuery = q.Encode()
	for _, x := range []struct {
		name string
		url  string
		want map[string]string
		max  int32
	}{
		{"defaults", plain.String(), map[string]string{
			"application_name": "formgraph", "statement_timeout": "10s", "lock_timeout": "5s",
			"idle_in_transaction_session_timeout": "30s", "synchronous_commit": "on", "default_transaction_isolation": "read committed",
		}, int32(min(max(2*runtime.NumCPU()+2, 4), 32))},
		{"options", with(t, plain.String(), "application_name=x", "statement_timeout=3s", "pool_max_conns=7", "default_transaction_isolation=serializable",
			"synchronous_commit=remote_apply"), map[string]string{
			"application_name": "x", "statement_timeout": "3s", "lock_timeout": "5s", "default_transaction_isolation": "read committed",
			"synchronous_commit": "remote_apply",
		}, 7},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := postgrestest.OpenURL(t, x.url)
			for name, want := range x.want {
				if got, err := d.Setting(t.Context(), name); err != nil || got != want {
					t.Errorf("%s = %s, %v, want %s", name, got, err, want)
				}
			}
			if got := d.MaxConns(); got != x.max {
				t.Errorf("the pool has %d connections, want %d", got, x.max)
			}
		})
	}
}

// A wrong URL is refused with the reason, and without the password or a part of it.
func TestURLIsChecked(t *testing.T) {
	for _, x := range []struct{ url, says string }{
		{"", "postgres://"},
		{"formgraph.db", "postgres://"},
		{"mysql://u:pa55-sec@host/db", "postgres://"},
		{"host=h user=u password=pa55-sec", "postgres://"},
		{"postgres://u:pa55/sec@host/db", "%2F"},
		{"postgres://u:1234/sec@host/db", "%2F"},
		{"postgres://u:pa55#sec@host/db", "%2F"},
		{"postgres://u:pa55%zzsec@host/db", "%2F"},
		{"postgres://u:pa55-sec@host:port/db", "postgres://"},
		{"postgres://u:pa55-sec@host/db?pool_max_conns=many", "many"},
		{"postgres://u:pa55-sec@host/db?pool_max_conns=0", "pool_max_conns"},
		{"postgres://u:pa55-sec@host/db?sslmode=maybe", "sslmode"},
		{"postgres://u:pa55-sec@host/db?synchronous_commit=off", "synchronous_commit"},
		{"postgres://u:pa55-sec@host/db?synchronous_commit=local", "synchronous_commit"},
	} {
		_, err := postgres.Parse(x.url)
		if err == nil || !strings.Contains(err.Error(), x.says) || strings.Contains(err.Error(), "sec") ||
			strings.Contains(err.Error(), "pa55") || strings.Contains(err.Error(), "1234") {
			t.Errorf("%s: error = %v, want one that says %s and nothing of the password", x.url, err, x.says)
		}
	}
}

// The errors for an unreachable database and for one that refuses differ, and do not contain the password.
func TestUnreachable(t *testing.T) {
	d, err := postgres.Open(t.Context(), "postgres://u:pa55-sec@127.0.0.1:1/formgraph")
	if !errors.Is(err, store.ErrUnavailable) || strings.Contains(err.Error(), "pa55-sec") || strings.Count(err.Error(), "refused") != 1 {
		t.Errorf("Open = %v, %v, want ErrUnavailable with one reason", d, err)
	}
}

// Replicas that start at once on a new database wait for each other: one makes the tables, all find them.
func TestOpenTogether(t *testing.T) {
	url := postgrestest.Empty(t)
	var together sync.WaitGroup
	for range 4 {
		together.Go(func() {
			d, err := postgres.Open(t.Context(), url)
			if err != nil {
				t.Errorf("Open = %v, want nil", err)
				return
			}
			defer d.Close() //nolint:errcheck // it has no error
			if err := d.Ping(t.Context()); err != nil {
				t.Errorf("Ping = %v, want nil", err)
			}
		})
	}
	together.Wait()
}

// While another process migrates, Open waits as long as its context lets it, and touches nothing.
func TestOpenWaitsForMigrations(t *testing.T) {
	url := postgrestest.Empty(t)
	other := connected(t, url)
	if _, err := other.Exec(t.Context(), `SELECT pg_advisory_lock($1)`, postgres.LockOfMigrations); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		d, err := postgres.Open(ctx, url)
		if err == nil {
			_ = d.Close()
		}
		failed <- err
	}()
	waittest.Until(t, "Open asks for the lock", func() (asked bool) {
		err := other.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
			AND pid <> pg_backend_pid() AND query LIKE '%pg_try_advisory_lock%')`).Scan(&asked)
		if err != nil {
			t.Fatal(err)
		}
		return asked || len(failed) > 0
	})
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, want context.Canceled", err)
	}
	var tables int
	err := other.QueryRow(t.Context(), `SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace`).Scan(&tables)
	if err != nil || tables > 0 {
		t.Errorf("%d tables and indexes, %v, want none", tables, err)
	}
	if _, err := other.Exec(t.Context(), `SELECT pg_advisory_unlock($1)`, postgres.LockOfMigrations); err != nil {
		t.Fatal(err)
	}
	postgrestest.OpenURL(t, url)
}

// A database that a newer program has migrated is refused.
func TestNewerIsRefused(t *testing.T) {
	url := postgrestest.Empty(t)
	postgrestest.OpenURL(t, url)
	if _, err := connected(t, url).Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`); err != nil {
		t.Fatal(err)
	}
	if d, err := postgres.Open(t.Context(), url); !errors.Is(err, store.ErrNewer) {
		t.Errorf("Open = %v, %v, want ErrNewer", d, err)
	}
}

// While replicas are upgraded one by one, those of the previous version continue to work with tables that the newer one has extended.
func TestRunsBesideNewer(t *testing.T) {
	url := postgrestest.Empty(t)
	d, c := postgrestest.OpenURL(t, url), connected(t, url)
	for _, c := range calls() { // every statement is prepared
		if err := c.make(t.Context(), d); err != nil {
			t.Fatalf("%s: %v", c.method, err)
		}
	}
	_, err := c.Exec(t.Context(), `DO $$ DECLARE t text; BEGIN
		FOR t IN SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
			EXECUTE format('ALTER TABLE %I ADD COLUMN later text NOT NULL DEFAULT ''x''', t);
			EXECUTE format('CREATE INDEX ON %I (later)', t);
			IF t <> 'goose_db_version' THEN EXECUTE format('DELETE FROM %I', t); END IF;
		END LOOP; END $$;
		INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls() {
		if err := c.make(t.Context(), d); err != nil {
			t.Errorf("%s: %v", c.method, err)
		}
	}
}

// A database in another encoding is refused: it could not store every name.
func TestEncodingIsChecked(t *testing.T) {
	url := postgrestest.Empty(t)
	_, err := connected(t, url).Exec(t.Context(), `CREATE DATABASE formgraph_test_latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := connected(t, url).Exec(t.Context(), `DROP DATABASE formgraph_test_latin1`); err != nil {
			t.Error(err)
		}
	}()
	d, err := postgres.Open(t.Context(), named(t, url, "formgraph_test_latin1"))
	if err == nil || !strings.Contains(err.Error(), "UTF8") {
		t.Errorf("Open = %v, %v, want an error that says UTF8", d, err)
	}
}

// named returns the URL of another database.
func named(t *testing.T, text, database string) string {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + database
	return u.String()
}
