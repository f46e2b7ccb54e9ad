package sqlite_test

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
)

// upgraded makes a database of an older version of the schema with rows, and opens it with the present
// program.
func upgraded(t *testing.T, version int64, rows ...string) *sqlite.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "formgraph.db")
	old, err := sql.Open("sqlite", "file:"+path+"?_pragma=foreign_keys(1)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, old, os.DirFS("migrations"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if _, err := old.ExecContext(t.Context(), row); err != nil {
			t.Fatal(err)
		}
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// A database of the first versions is migrated with its rows, which are bound to no key.
func TestUpgrade(t *testing.T) {
	d := upgraded(t, 2,
		`INSERT INTO clients VALUES ('c', 'C', NULL, 1, 1, 0, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO users VALUES ('u', 'a@b', 'A', '', 0)`,
		`INSERT INTO sign_ins VALUES (x'03', 's', 'u', 0, 9999999999999)`,
		`INSERT INTO families VALUES ('f', 'c', 'u', 's', 0, 'a', '[]', 9999999999999, 0)`,
		`INSERT INTO codes VALUES (x'01', 'f', 'r', '', '', 9999999999999, 0)`,
		`INSERT INTO refresh_tokens VALUES (x'02', 'f', 9999999999999, 0)`,
	)
	c, f, err := d.UseCode(t.Context(), []byte{1})
	if err != nil || c.Key != "" || f.ID != "f" || f.ACR != "" || f.AMR != nil {
		t.Errorf("code = %+v of %+v, %v, want the old one without a key", c, f, err)
	}
	if s, err := d.SignIn(t.Context(), []byte{3}); err != nil || !slices.Equal(s.AMR, []string{"pwd"}) {
		t.Errorf("sign-in = %+v, %v, want the old one, by a password", s, err)
	}
	r, _, err := d.Refresh(t.Context(), []byte{2})
	if err != nil || r.Key != "" || r.FamilyID != "f" {
		t.Errorf("refresh token = %+v, %v, want the old one without a key", r, err)
	}
	if c, err := d.Client(t.Context(), "c"); err != nil || c.RequirePushed || c.RequireDPoP || c.BackchannelURI != "" {
		t.Errorf("client = %+v, %v, want no options", c, err)
	}
}

// The options of clients for their flows were in a table of their own.
func TestUpgradeOfOptions(t *testing.T) {
	d := upgraded(t, 11,
		`INSERT INTO clients (id, name, secret_hash, public, first_party, global, grant_types, callbacks, logout_urls, created, secret_since) `+
			`VALUES ('c', 'C', NULL, 1, 1, 0, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO clients (id, name, secret_hash, public, first_party, global, grant_types, callbacks, logout_urls, created, secret_since) `+
			`VALUES ('d', 'D', NULL, 1, 1, 0, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO client_options VALUES ('c', 'http://c/bc', 1, 0)`,
	)
	if c, err := d.Client(t.Context(), "c"); err != nil || !c.RequirePushed || c.RequireDPoP || c.BackchannelURI != "http://c/bc" {
		t.Errorf("client = %+v, %v, want its options", c, err)
	}
	if c, err := d.Client(t.Context(), "d"); err != nil || c.RequirePushed || c.RequireDPoP || c.BackchannelURI != "" {
		t.Errorf("client without options = %+v, %v, want none", c, err)
	}
}

// A database of the version before methods keeps its people, and they can have methods.
func TestUpgradeToMethods(t *testing.T) {
	d := upgraded(t, 2, `INSERT INTO users (id, email, name, password_hash, created) VALUES ('u', 'ana@example.com', '', '$x', 0)`)
	if u, err := d.User(t.Context(), "u"); err != nil || u.PasswordHash != "$x" {
		t.Errorf("user = %+v, %v, want the one from before", u, err)
	}
	m := store.Method{ID: "totp|1", UserID: "u", Type: store.MethodTOTP, Data: []byte{1}, Created: time.Unix(0, 0)}
	if err := d.CreateMethod(t.Context(), m, 1); err != nil {
		t.Errorf("CreateMethod = %v, want nil", err)
	}
}

// What was begun before the tenant had a second address was begun at the canonical one.
func TestUpgradeToDomains(t *testing.T) {
	d := upgraded(
		t, 7,
		`INSERT INTO clients (id, name, public, first_party, global, grant_types, callbacks, logout_urls, created, secret_since)
			VALUES ('c', 'C', 1, 1, 0, '[]', '[]', '[]', 0, 0)`,
		`INSERT INTO client_options VALUES ('c', 'http://c/', 0, 0)`,
		`INSERT INTO users (id, email, name, password_hash, created) VALUES ('u', 'a@b', 'A', '', 0)`,
		`INSERT INTO sign_ins (hash, id, user_id, auth_time, expires) VALUES (x'01', 's', 'u', 0, 9999999999999)`,
		`INSERT INTO families (id, client_id, user_id, sign_in_id, auth_time, audience, scope, expires) VALUES ('f', 'c', 'u', 's', 0, 'a', `+
			`'[]', 9999999999999)`,
		`INSERT INTO refresh_tokens (hash, family_id, expires) VALUES (x'02', 'f', 9999999999999)`,
		`INSERT INTO pushed_requests VALUES (x'03', 'c', 'q', 0, 9999999999999)`,
		`INSERT INTO auth_sessions VALUES (x'04', 'p', 'c', 'u', x'', 9999999999999)`,
		`INSERT INTO tickets VALUES (x'05', 'u', 9999999999999)`,
	)
	ctx, now := t.Context(), time.Unix(0, 0)
	s, err1 := d.SignIn(ctx, []byte{1})
	_, f, err2 := d.Refresh(ctx, []byte{2})
	p, err3 := d.OpenRequest(ctx, []byte{3}, now, now)
	a, err4 := d.AuthSession(ctx, []byte{4})
	k, err5 := d.Ticket(ctx, []byte{5}, now)
	r, err6 := d.Recipients(ctx, "u", "")
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil || len(r) != 1 {
		t.Fatalf("old rows: %v, %d recipients, want them kept", err, len(r))
	}
	if got := s.Issuer + f.Issuer + p.Issuer + a.Issuer + k.Issuer + r[0].Issuer; got != "" {
		t.Errorf("issuers %q, want none", got)
	}
}

// Processes that open a new file at once wait for each other: one makes the tables, all find them.
func TestOpenTogether(t *testing.T) {
	for range 3 {
		path := filepath.Join(t.TempDir(), "formgraph.db")
		var together [4]*exec.Cmd
		for i := range together {
			c := exec.Command(os.Args[0], "-test.run=^$")
			c.Env = append(os.Environ(), openFile+"="+path)
			c.Stderr = os.Stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			together[i] = c
		}
		for _, c := range together {
			if err := c.Wait(); err != nil {
				t.Errorf("a process that opens the file: %v, want nil", err)
			}
		}
	}
}

// A file that a newer program has migrated is refused, and stays as it is.
func TestNewerIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "formgraph.db")
	d, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close() //nolint:errcheck // the test is over
	if _, err := raw.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`); err != nil {
		t.Fatal(err)
	}
	if d, err := sqlite.Open(t.Context(), path); !errors.Is(err, store.ErrNewer) {
		t.Errorf("Open = %v, %v, want ErrNewer", d, err)
	}
}

// Versions of a database from before blame are kept; it is not known what they changed.
func TestUpgradeToBlame(t *testing.T) {
	d := upgraded(t, 19, `INSERT INTO versions (form, number, saved, author, author_id, summary, note, name, hash, base, body)
		VALUES ('f', 1, 0, 'Ana', 'a', 's', '', '', x'01', 1, x'02')`)
	all, err := d.Team("").Versions().Changes(t.Context(), "f", 1000)
	if err != nil || len(all) != 1 || all[0].Author != "Ana" || len(all[0].Changed) != 0 || all[0].Automatic {
		t.Errorf("versions = %+v, %v", all, err)
	}
	if _, err := d.Team("").Settings().Create(t.Context(), store.Document{ID: "f", Created: time.Unix(0, 0), Body: []byte("{}")}); err != nil {
		t.Errorf("Create = %v, want nil", err)
	}
}

// What was kept beside forms by their IDs alone is kept, without a tenant, until a tenant adopts it. Numbers are not used again.
func TestUpgradeToTenants(t *testing.T) {
	ctx := t.Context()
	const document = ` (seq, id, name, created, updated, body) VALUES (7, 'f', '', 0, 0, x'7b7d')`
	d := upgraded(t, 24,
		`INSERT INTO versions (form, number, saved, author, author_id, summary, note, name, hash, base, body, automatic, changed)
			VALUES ('f', 1, 0, 'Ana', 'a', 's', 'n', 'x', x'01', 1, x'02', 1, x'03')`,
		`INSERT INTO rooms (form, id, number, body, etag, used) VALUES ('f', 'r', 3, x'04', 'e', 5)`,
		`INSERT INTO room_entries (room, number, body) VALUES ('r', 4, x'05')`,
		`INSERT INTO presences (form, page, process, sub, name, state, since, seen, owner) VALUES ('f', 'p', '1', 's', 'N', x'06', 0, 9, 'o')`,
		`INSERT INTO scenarios`+document, `INSERT INTO sources`+document, `INSERT INTO settings`+document,
		`INSERT INTO settings (seq, id, name, created, updated, body) VALUES (8, 'gone', '', 0, 0, x'')`, `DELETE FROM settings WHERE seq = 8`,
	)
	const tenant = "https://other.example/api/v2"
	if list, err := d.Team("").Presences().List(ctx, "f", time.Unix(0, 0)); err != nil || len(list) != 1 || list[0].Owner != "o" || list[0].Name != "N" {
		t.Errorf("presences = %+v, %v", list, err)
	}
	for _, of := range []string{"", tenant} {
		if of != "" {
			if err := d.Adopt(ctx, of); err != nil {
				t.Fatal(err)
			}
		}
		team := d.Team(of)
		all, err := team.Versions().Changes(ctx, "f", 1000)
		if err != nil || len(all) != 1 || all[0].Author != "Ana" || all[0].Note != "n" || !all[0].Automatic || len(all[0].Changed) != 1 {
			t.Errorf("versions = %+v, %v", all, err)
		}
		if r, err := team.Rooms().Room(ctx, "f"); err != nil || r.ID != "r" || r.Number != 3 || r.ETag != "e" || r.Used.UnixMilli() != 5 {
			t.Errorf("room = %+v, %v", r, err)
		}
		if e, err := team.Rooms().Entries(ctx, "r", 3, 9); err != nil || len(e) != 1 || e[0].Number != 4 {
			t.Errorf("entries = %+v, %v", e, err)
		}
		for name, files := range map[string]store.Files{"scenarios": team.Scenarios(), "sources": team.Sources(), "settings": team.Settings()} {
			if f, err := files.Get(ctx, "f"); err != nil || string(f.Body) != "{}" {
				t.Errorf("%s = %+v, %v", name, f, err)
			}
		}
	}
	if _, err := d.Team(tenant).Settings().Create(ctx, store.Document{ID: "g", Created: time.Unix(0, 0), Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if last, err := d.LastSetting(ctx); err != nil || last != 9 {
		t.Errorf("the new row has the number %d, %v, want 9", last, err)
	}
}
