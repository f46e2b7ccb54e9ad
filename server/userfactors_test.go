package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// What a shell on the data folder does for a person who lost a phone.
func TestUserFactors(t *testing.T) {
	s := newShell(t)
	s.run(0, "", "user", "add", "bob@example.com")
	if out, _ := s.run(0, "", "user", "factors", "bob@example.com", "--json"); out != "" {
		t.Errorf("factors of somebody without any: %q", out)
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(s.folder, database.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	bob, err := db.UserByEmail(t.Context(), "bob@example.com")
	if err != nil {
		t.Fatal(err)
	}
	added := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, id := range []string{"totp|a", "passkey|b", "recovery-code|c"} {
		kind, _, _ := strings.Cut(id, "|")
		m := store.Method{
			ID: id, UserID: bob.ID, Type: store.MethodType(kind), Name: "No " + id, Key: []byte{byte(i)}, Data: []byte("secret"),
			Created: added,
		}
		if err := db.CreateMethod(t.Context(), m, 9); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.UseMethod(t.Context(), "totp|a", 0, 1, nil, added.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	out, _ := s.run(0, "", "user", "factors", "BOB@example.com", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var first listedFactor
	if err := json.Unmarshal([]byte(lines[0]), &first); err != nil || len(lines) != 3 || strings.Contains(out, "secret") {
		t.Fatalf("factors says %q, %v", out, err)
	}
	if want := (listedFactor{"totp|a", "totp", "No totp|a", "2026-03-01T12:00:00Z", "2026-03-01T13:00:00Z"}); first != want {
		t.Errorf("factor = %+v, want %+v", first, want)
	}
	if out, _ := s.run(0, "", "user", "factors", bob.ID); !strings.Contains(out, "never") || !strings.HasPrefix(out, "ID ") {
		t.Errorf("factors says\n%s", out)
	}
	if out, _ := s.run(0, "", "user", "take-factor", "bob@example.com", "totp|a"); out != "took totp|a from bob@example.com\n" {
		t.Errorf("take-factor says %q", out)
	}
	if _, complaint := s.run(1, "", "user", "take-factor", "bob@example.com", "totp|a"); !strings.Contains(complaint, "no factor totp|a") {
		t.Errorf("a second time: %q", complaint)
	}
	s.run(0, "", "user", "take-factor", "bob@example.com", "all")
	s.run(1, "", "user", "take-factor", "bob@example.com", "all")
	s.run(1, "", "user", "factors", "nobody@example.com")
	for _, args := range []string{"factors", "factors a b", "take-factor bob@example.com"} {
		s.run(2, "", append([]string{"user"}, strings.Fields(args)...)...)
	}
	left, err := db.Methods(t.Context(), bob.ID)
	events, n, err2 := db.ListEvents(t.Context(), store.EventFilter{Type: store.EventRemoved, UserID: bob.ID}, 0, 9)
	if err != nil || err2 != nil || len(left) != 0 || n != 3 || !strings.HasSuffix(events[0].Description, "was removed by formgraph user") {
		t.Errorf("left %v, %v; events %+v, %v", left, err, events, err2)
	}
}
