package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// The shell locks the last administrator out when it is asked to, and not by mistake.
func TestLastAdministratorNeedsForce(t *testing.T) {
	s := newShell(t)
	const admin = "admin@formgraph.local"
	refused := func(args ...string) {
		t.Helper()
		if _, complaint := s.run(1, "", append([]string{"user"}, args...)...); !strings.Contains(complaint, "--force") {
			t.Errorf("%v says %q, want a word of --force", args, complaint)
		}
	}
	refused("block", admin)
	if out, _ := s.run(0, "", "user", "list"); strings.Contains(out, "blocked") {
		t.Errorf("a refused block was kept:\n%s", out)
	}
	s.run(0, "", "user", "block", admin, "--force")
	s.run(0, "", "user", "unblock", admin)

	// Somebody with a passkey alone is locked out by the loss of it.
	db, err := sqlite.Open(t.Context(), filepath.Join(s.folder, database.File))
	if err != nil {
		t.Fatal(err)
	}
	u, err := db.UserByEmail(t.Context(), admin)
	if err == nil {
		err = db.CreateMethod(t.Context(), store.Method{
			ID: "passkey|1", UserID: u.ID, Type: store.MethodPasskey, Key: []byte{1},
			Data: []byte("{}"), Created: u.Created,
		}, 9)
	}
	if err == nil {
		err = db.SetPassword(t.Context(), u.ID, "", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	refused("take-factor", admin, "all")
	s.run(0, "", "user", "take-factor", admin, "all", "--force")

	s.run(0, "a good password\n", "user", "add", "bob@example.com", "--role", "Administrator", "--password-stdin")
	s.run(0, "", "user", "block", admin)
	refused("block", "bob@example.com")
}
