package sqlite_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

// Of the requests of a client that were opened, the newest are kept. The rows are written as one statement, since
// opening so many takes seconds.
func TestOpenedRequestsAreBounded(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := upgraded(t, 14,
		`INSERT INTO clients (id, name, auth_method, public, first_party, global, grant_types, callbacks, logout_urls, created, secret_since)
			VALUES ('c', 'C', '', 1, 1, 1, '[]', '[]', '[]', 0, 0), ('other', 'O', '', 1, 1, 1, '[]', '[]', '[]', 0, 0)`,
		fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO pushed_requests (hash, client_id, query, opened, expires) SELECT CAST(i AS BLOB), 'c', '', 1, %d + i FROM n`,
			store.MaxOpened, now.Add(time.Minute).UnixMilli()),
		fmt.Sprintf(`INSERT INTO pushed_requests (hash, client_id, query, opened, expires) VALUES (x'01', 'other', '', 1, %d)`, now.UnixMilli()),
	)
	r := store.PushedRequest{Hash: []byte("new"), ClientID: "c", Expires: now.Add(time.Hour)}
	if err := d.CreateRequest(t.Context(), r, now); err != nil {
		t.Fatal(err)
	}
	for hash, want := range map[string]error{"0": store.ErrNotFound, "1": nil, fmt.Sprint(store.MaxOpened): nil, "\x01": nil} {
		if _, err := d.Request(t.Context(), []byte(hash), now); !errors.Is(err, want) {
			t.Errorf("request %q = %v, want %v", hash, err, want)
		}
	}
}
