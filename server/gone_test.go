package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// keep makes everything that can be kept beside a form, and returns the address of a link to it.
func (p *person) keep(form string) (link string) {
	p.r.t.Helper()
	ok := func(status int, h http.Header, body string) (http.Header, string) {
		p.r.t.Helper()
		if status >= 300 {
			p.r.t.Fatalf("%s: %d %s", form, status, body)
		}
		return h, body
	}
	ok(p.app("PATCH", form, `{"name":"kept"}`))
	h, saved := ok(p.app("GET", form, ""))
	ok(p.app("POST", form+"/live", fmt.Sprintf(`{"saved":%s,"etag":%q}`, saved, h.Get("ETag")), "X-Tab", "p"))
	ok(p.app("POST", form+"/comments", `{"text":"a"}`))
	for file, body := range map[string]string{
		"scenarios": `{"version":1,"scenarios":[{"name":"A","steps":[],"expect":[]}]}`,
		"sources":   `{"version":1,"sources":{"components.a.label":{"de":"0123456789abcdef"}},"texts":{"0123456789abcdef":"t"}}`,
		"settings":  `{"save_as_you_go":true}`,
		"notes":     `{"version":1,"notes":[{"id":"n","text":"t","coordinates":{"x":0,"y":0}}]}`,
	} {
		h, _ := ok(p.app("GET", form+"/"+file, ""))
		ok(p.app("PUT", form+"/"+file, body, "If-Match", h.Get("ETag")))
	}
	_, made := ok(p.app("POST", form+"/links", fmt.Sprintf(`{"expires_at":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339))))
	var l struct{ URL string }
	if err := json.Unmarshal([]byte(made), &l); err != nil {
		p.r.t.Fatal(err)
	}
	return l.URL
}

// rowsWith returns the tables that have a row with a text in some column, apart from those of logs.
func rowsWith(t *testing.T, at database.Place, text string) (tables []string) {
	t.Helper()
	driver, source := "sqlite", "file:"+filepath.Join(at.Folder, database.File)+"?mode=ro"
	columns := `SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
	if at.URL != "" {
		driver, source = "pgx", at.URL
		columns = `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()
			AND data_type NOT IN ('bytea', 'ARRAY')`
	}
	db, err := sql.Open(driver, source)
	must(t, err)
	defer db.Close() //nolint:errcheck // it has only been read
	found, err := db.QueryContext(t.Context(), columns)
	must(t, err)
	defer found.Close() //nolint:errcheck // see Err
	var queries [][2]string
	for found.Next() {
		var table, column string
		must(t, found.Scan(&table, &column))
		if !slices.Contains([]string{"audit", "events"}, table) {
			queries = append(queries, [2]string{table, fmt.Sprintf(`SELECT count(*) FROM %q WHERE CAST(%q AS TEXT) = '%s'`, table, column, text)})
		}
	}
	must(t, found.Err())
	for _, q := range queries {
		var n int
		must(t, db.QueryRowContext(t.Context(), q[1]).Scan(&n))
		if n > 0 && !slices.Contains(tables, q[0]) {
			tables = append(tables, q[0])
		}
	}
	slices.Sort(tables)
	return tables
}

// keptTables are the tables that have rows of a form once everything is kept beside it, apart from the forms of the embedded tenant.
var keptTables = []string{"comments", "links", "notes", "rooms", "scenarios", "settings", "sources", "versions"}

// places are the databases that a test walks.
func places(t *testing.T) map[string]func() (at database.Place, args []string) {
	t.Helper()
	return map[string]func() (database.Place, []string){
		"sqlite": func() (database.Place, []string) { return database.Place{Folder: newData(t)}, nil },
		"postgres": func() (database.Place, []string) {
			at := postgrestest.URL(t)
			return database.Place{Folder: newData(t), URL: at}, []string{"--database", at}
		},
	}
}

// What is kept beside a form goes with it, from the database, too, in whichever way the form goes. Another form keeps everything.
func TestFormsThatAreGoneTakeAllAlong(t *testing.T) {
	for name, place := range places(t) {
		for way, remove := range map[string]func(p *person, f firstStart, form string) int{
			"editor": func(p *person, _ firstStart, form string) int {
				status, _, _ := p.app("DELETE", form, "")
				return status
			},
			"management API": func(p *person, f firstStart, form string) int {
				status, _, _ := p.send("DELETE", f.Tenant+"/api/v2/forms/"+path.Base(form), "", "Authorization", "Bearer "+p.machine(f))
				return status
			},
		} {
			t.Run(name+" "+way, func(t *testing.T) {
				t.Parallel()
				at, args := place()
				r := start(t, at.Folder, append(args, "--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0")...)
				p := r.person()
				gone := p.signedIn(r.first())
				link := p.keep(gone)
				_, _, made := p.app("POST", "/bff/api/forms", `{"name":"stays"}`)
				var stays struct{ ID string }
				must(t, json.Unmarshal([]byte(made), &stays))
				other := p.keep("/bff/api/forms/" + stays.ID)
				lines := p.stream(path.Base(gone))
				hears(t, lines, "event: hello")
				all := append([]string{"forms"}, keptTables...)
				slices.Sort(all)
				if got := rowsWith(t, at, path.Base(gone)); !slices.Equal(got, all) {
					t.Fatalf("kept in %q, want %q", got, all)
				}
				if status := remove(p, r.first(), gone); status != http.StatusNoContent {
					t.Fatalf("delete: %d", status)
				}
				if status, _, _ := r.person().send("GET", link, ""); status != http.StatusNotFound {
					t.Errorf("the link answers %d", status)
				}
				for _, kept := range []string{"", "/versions", "/versions/1", "/comments", "/scenarios", "/links", "/blame"} {
					if status, _, body := p.app("GET", gone+kept, ""); status != http.StatusNotFound {
						t.Errorf("GET %s: %d %s", kept, status, body)
					}
				}
				waittest.Until(t, "nobody edits the form together any more", func() bool {
					status, _, _ := p.app("GET", gone+"/live", "")
					return status == http.StatusNotFound
				})
				hears(t, lines, "deleted")
				waittest.Until(t, "the end of what was kept", func() bool { return len(rowsWith(t, at, path.Base(gone))) == 0 })
				if got := rowsWith(t, at, stays.ID); !slices.Equal(got, all) {
					t.Errorf("the other form is kept in %q, want %q", got, all)
				}
				if status, _, _ := r.person().send("GET", other, ""); status != http.StatusOK {
					t.Errorf("the other link answers %d", status)
				}
			})
		}
	}
}

// machine returns a token of the management client.
func (p *person) machine(f firstStart) string {
	p.r.t.Helper()
	_, _, body := p.send("POST", f.Tenant+"/oauth/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {f.Management.ID}, "client_secret": {f.Management.Secret},
		"audience": {f.Tenant + "/api/v2/"},
	}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	var token struct {
		Access string `json:"access_token"`
	}
	if err := json.Unmarshal([]byte(body), &token); err != nil || token.Access == "" {
		p.r.t.Fatalf("token: %s", body)
	}
	return token.Access
}

// The same holds for a tenant that is not ours, which tells nobody that a form is gone, and after an older backup was restored.
func TestFormsThatAreGoneElsewhere(t *testing.T) {
	for name, service := range map[string]bool{"people": false, "service": true} {
		for engine, place := range places(t) {
			t.Run(name+" "+engine, func(t *testing.T) {
				t.Parallel()
				tenant := foreigntest.Start(t, foreigntest.Traits{PeopleAreStrangers: service, OddIDs: true})
				begin := func(at database.Place) *person {
					args := append(with(tenant, service), "--listen", "127.0.0.1:0")
					if service {
						args = append(args, "--allow-email", "ana@team.example")
					}
					if at.Shared() {
						args = append(args, "--database", at.URL)
					}
					p := start(t, at.Folder, args...).person()
					p.signInAt(tenant)
					p.app("GET", "/bff/api/forms", "")
					return p
				}
				at, _ := place()
				p := begin(at)
				first, second := tenant.Add(`{"name":"a","nodes":[]}`), tenant.Add(`{"name":"b","nodes":[]}`)
				link := p.keep("/bff/api/forms/" + url.PathEscape(first))
				other := p.keep("/bff/api/forms/" + url.PathEscape(second))
				if got := rowsWith(t, at, url.PathEscape(first)); !slices.Equal(got, keptTables) {
					t.Fatalf("kept in %q, want %q", got, keptTables)
				}
				backup := filepath.Join(t.TempDir(), "backup")
				shell{t, at.Folder}.run(0, "", append([]string{"backup", backup}, argsOf(at)...)...)
				tenant.Remove(first)
				waittest.Until(t, "the end of what was kept", func() bool { return len(rowsWith(t, at, url.PathEscape(first))) == 0 })
				if status, _, _ := p.send("GET", link, ""); status != http.StatusNotFound {
					t.Errorf("the link answers %d", status)
				}
				if status, _, _ := p.send("GET", other, ""); status != http.StatusOK {
					t.Errorf("the other link answers %d", status)
				}
				p.r.stop()

				again := database.Place{Folder: filepath.Join(t.TempDir(), "data")}
				must(t, os.Mkdir(again.Folder, 0o700))
				if at.Shared() {
					again.URL = postgrestest.Empty(t)
				}
				shell{t, at.Folder}.run(0, "", append([]string{"restore", backup}, argsOf(again)...)...)
				if got := rowsWith(t, again, url.PathEscape(first)); !slices.Contains(got, "versions") {
					t.Fatalf("the backup has nothing of the form: %q", got)
				}
				secrets, err := os.ReadFile(filepath.Join(at.Folder, "keys"))
				must(t, err)
				must(t, os.WriteFile(filepath.Join(again.Folder, "keys"), secrets, 0o600))
				begin(again)
				waittest.Until(t, "the end of what was restored", func() bool { return len(rowsWith(t, again, url.PathEscape(first))) == 0 })
				if got := strings.Join(rowsWith(t, again, url.PathEscape(second)), " "); !strings.Contains(got, "versions") {
					t.Errorf("the other form is kept in %s", got)
				}
			})
		}
	}
}
