package postgres_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/storetest"
)

func encoded(place string) string { return base64.RawURLEncoding.EncodeToString([]byte(place)) }

// The sign-in log has a maximum number of events.
func TestEventsAreBounded(t *testing.T) {
	url := postgrestest.URL(t)
	d, c := postgrestest.OpenURL(t, url), connected(t, url)
	_, err := c.Exec(t.Context(), `INSERT INTO events (at, type, user_id, client_id, address, audience, scope, description, folded)
		SELECT $1, 'old', '', '', '', '', '[]', '', 'old' FROM generate_series(1, $2)`, now().UnixMilli(), store.MaxEvents+50)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.AddEvent(t.Context(), store.Event{At: now(), Type: "new"}); err != nil {
		t.Fatal(err)
	}
	page, total, err := d.ListEvents(t.Context(), store.EventFilter{}, 0, 1)
	if err != nil || total != store.MaxEvents || page[0].Type != "new" {
		t.Errorf("%d events, the newest %v, %v; want %d", total, page, err, store.MaxEvents)
	}
}

// Of the requests of a client that were opened, the newest are kept.
func TestOpenedRequestsAreBounded(t *testing.T) {
	url := postgrestest.URL(t)
	d, c := postgrestest.OpenURL(t, url), connected(t, url)
	for _, id := range []string{"c", "other"} {
		if err := d.CreateClient(t.Context(), store.Client{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	_, err := c.Exec(t.Context(), `INSERT INTO pushed_requests (hash, client_id, query, opened, expires, issuer)
		SELECT i::text::bytea, 'c', '', true, $1::bigint + i, '' FROM generate_series(0, $2) i
		UNION ALL SELECT 'x', 'other', '', true, $1::bigint, ''`, now().Add(time.Minute).UnixMilli(), store.MaxOpened)
	if err != nil {
		t.Fatal(err)
	}
	r := store.PushedRequest{Hash: []byte("new"), ClientID: "c", Expires: now().Add(time.Hour)}
	if err := d.CreateRequest(t.Context(), r, now()); err != nil {
		t.Fatal(err)
	}
	for hash, want := range map[string]error{"0": store.ErrNotFound, "1": nil, fmt.Sprint(store.MaxOpened): nil, "x": nil} {
		if _, err := d.Request(t.Context(), []byte(hash), now()); !errors.Is(err, want) {
			t.Errorf("request %q = %v, want %v", hash, err, want)
		}
	}
}

// A sweep deletes everything that has ended, however much it is.
func TestSweepIsComplete(t *testing.T) {
	url := postgrestest.URL(t)
	d, c := postgrestest.OpenURL(t, url), connected(t, url)
	const many = 12_000 // more than two statements delete
	_, err := c.Exec(t.Context(), `INSERT INTO proofs (id, ends) SELECT i::text::bytea, 0 FROM generate_series(1, $1) i`, many)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Exec(t.Context(), `INSERT INTO sessions (id, data, version, created, seen) SELECT i::text::bytea, '', 1, 0, 0
		FROM generate_series(1, $1) i`, many)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Sweep(t.Context(), now()); err != nil {
		t.Fatal(err)
	}
	if n, err := d.SweepSessions(t.Context(), now(), now()); err != nil || n != many {
		t.Errorf("swept %d sessions, %v, want %d", n, err, many)
	}
	var left int
	if err := c.QueryRow(t.Context(), `SELECT count(*) FROM proofs`).Scan(&left); err != nil || left != 0 {
		t.Errorf("%d proofs are left, %v, want none", left, err)
	}
}

// A list that continues finds its place by an index and sorts nothing.
func TestListsContinueByIndex(t *testing.T) {
	d, r := traced(t)
	ctx, c := t.Context(), connected(t, d.ConnString())
	if _, err := c.Exec(ctx, `SET enable_seqscan = off; SET enable_bitmapscan = off; SET plan_cache_mode = force_generic_plan`); err != nil {
		t.Fatal(err)
	}
	for name, list := range storetest.ContinuedLists(ctx, d) {
		r.take()
		if err := list(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		q := r.take()[0]
		rows, err := c.Query(ctx, "EXPLAIN "+q.SQL, q.Args...)
		if err != nil {
			t.Fatal(err)
		}
		var plan []string
		for rows.Next() {
			var step string
			if err := rows.Scan(&step); err != nil {
				t.Fatal(err)
			}
			plan = append(plan, step)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(plan, "\n"); !strings.Contains(text, "Index Cond: ") || strings.Contains(text, "Sort") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
