package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// shiftClock makes the clock of a database differ from that of this machine, and returns the URL by which it does.
func shiftClock(t *testing.T, database, by string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	must(t, err)
	defer conn.Close(t.Context()) //nolint:errcheck // nothing is lost
	for _, statement := range []string{
		`CREATE SCHEMA IF NOT EXISTS shifted`,
		`CREATE OR REPLACE FUNCTION shifted.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
			$$ SELECT pg_catalog.clock_timestamp() + interval '` + by + `' $$`,
	} {
		_, err := conn.Exec(t.Context(), statement)
		must(t, err)
	}
	u := mustURL(t, database)
	q := u.Query()
	q.Set("search_path", "public,shifted,pg_catalog") // tables are created in the first schema
	u.RawQuery = strings.ReplaceAll(q.Encode(), "+", "%20")
	return (&url.URL{Scheme: u.Scheme, User: u.User, Host: u.Host, Path: u.Path, RawQuery: u.RawQuery}).String()
}

// localTimes returns the columns of a database with a time from an hour ago to a day from now by the clock of this machine, as a number of
// milliseconds or microseconds.
func localTimes(t *testing.T, database string) (columns []string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	must(t, err)
	defer conn.Close(t.Context()) //nolint:errcheck // nothing is lost
	rows, err := conn.Query(t.Context(), `SELECT table_name, column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'bigint' AND table_name <> 'goose_db_version'`)
	must(t, err)
	type column struct{ Table, Name string }
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[column])
	must(t, err)
	from, to := time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	for _, c := range all {
		var found bool
		name := pgx.Identifier{c.Name}.Sanitize()
		must(t, conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM `+pgx.Identifier{c.Table}.Sanitize()+
			` WHERE `+name+` BETWEEN $1 AND $2 OR `+name+` BETWEEN $3 AND $4)`, from.UnixMilli(), to.UnixMilli(), from.UnixMicro(),
			to.UnixMicro()).Scan(&found))
		if found {
			columns = append(columns, c.Table+"."+c.Name)
		}
	}
	return columns
}

// Replicas whose machines disagree with the database about the time use the database's: sign-ins, codes, refreshes, sessions and times of
// changes work at each of them. A machine's own clock would find every code, token or session expired, or not yet valid.
func TestReplicasUseTheDatabasesClock(t *testing.T) {
	t.Parallel()
	for by, shift := range map[string]time.Duration{
		"1 minute": time.Minute, "-1 hour": -time.Hour, "2 days": 48 * time.Hour,
	} {
		if shift == time.Minute && testing.Short() {
			continue // the others differ by more
		}
		t.Run(by, func(t *testing.T) {
			database := postgrestest.Empty(t)
			r := startReplicasOn(t, shiftClock(t, database, by), 2)
			f := r.servers[0].first()
			p := r.servers[0].person()
			p.signIn(f.Admin.Email, f.Admin.Password)
			before := time.Now()
			status, _, body := p.app("POST", "/bff/api/forms", `{"name":"0"}`)
			after := time.Now()
			var made struct {
				ID      string
				Created time.Time `json:"created_at"`
			}
			if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
				t.Fatalf("create: %d %s %v", status, body, err)
			}
			const rounded = time.Second // of the time, and of what shifts the clock
			if real := made.Created.Add(-shift); real.Before(before.Add(-rounded)) || real.After(after.Add(rounded)) {
				t.Errorf("the form was created at %v, by our clock between %v and %v", made.Created, before, after)
			}
			for range 4 { // each replica: a refresh for another API, a save, a new sign-in
				if status, _, body := p.app("GET", "/bff/api/me/sessions", ""); status != 200 {
					t.Errorf("sessions: %d %s", status, body)
				}
				if status, _, body := p.app("PATCH", "/bff/api/forms/"+made.ID, `{"name":"1"}`); status != 200 {
					t.Errorf("save: %d %s", status, body)
				}
				if status, _, page := p.send("GET", r.editor.url+"/bff/login", "", "Accept", "text/html"); status != 200 ||
					asksToSignIn(page) {
					t.Errorf("a sign-in in a known browser ends with %d: %.300s", status, page)
				}
			}
			command := process{stdin: strings.NewReader(""), stdout: io.Discard, stderr: r.servers[0].log, lookup: noEnv}
			if code := run(t.Context(), command, []string{"user", "add", "bob@example.com", "--database", r.database}); code != 0 {
				t.Errorf("user add ends with %d: %s", code, r.servers[0].log)
			}
			if shift > 24*time.Hour {
				if got := localTimes(t, database); len(got) > 0 {
					t.Errorf("the clock of this machine is in %v", got)
				}
			}
			if status, _, body := p.app("POST", "/bff/logout", ""); status != 200 {
				t.Errorf("sign out: %d %s", status, body)
			}
			for range 2 {
				if status, _, _ := p.app("GET", "/bff/user", ""); status != 401 {
					t.Errorf("after the sign-out a replica answers %d", status)
				}
			}
			for _, s := range r.servers {
				if strings.Contains(s.log.String(), `"level":"ERROR"`) {
					t.Errorf("log: %s", s.log)
				}
			}
		})
	}
}

// The clock of the database jumps while users work: back an hour, ahead a day, and back to the correct time. A new sign-in resolves every
// failure: while the clock is a day ahead, sessions and tokens have expired; when it is correct again, no one is locked out for a day,
// sessions created meanwhile are still valid, and changes keep their order. A replica reads the clock every half minute, and at startup, as
// in this test.
func TestClockJumps(t *testing.T) {
	database := postgrestest.Empty(t)
	r := startReplicasOn(t, shiftClock(t, database, "0"), 1)
	f := r.servers[0].first()
	jump := func(by string) *person {
		t.Helper()
		shiftClock(t, database, by)
		s := r.add()
		r.editor.set(r.editor.targets[len(r.editor.targets)-1])
		r.tenant.set(r.tenant.targets[len(r.tenant.targets)-1])
		return s.person()
	}
	p := r.servers[0].person()
	path := p.signedIn(f)
	save := func(p *person, when string) {
		t.Helper()
		_, _, before := p.app("GET", path, "")
		status, _, after := p.app("PATCH", path, `{"name":"`+when+`"}`)
		if status != http.StatusOK || updatedAt(t, after) <= updatedAt(t, before) {
			t.Errorf("%s: save = %d %s after %s", when, status, after, before)
		}
	}
	user := func(p *person, when string, want int) {
		t.Helper()
		if status, _, body := p.app("GET", "/bff/user", ""); status != want {
			t.Errorf("%s: user = %d %s, want %d", when, status, body, want)
		}
	}
	wrong := func(p *person, when string) {
		t.Helper()
		for n := range 6 {
			_, _, page := p.send("GET", r.editor.url+"/bff/login", "", "Accept", "text/html")
			if status, _ := p.submit(page, "ann@example.com", "wrong"); status != http.StatusBadRequest && n < 5 || n == 5 && status != 429 {
				t.Errorf("%s: wrong password %d = %d", when, n, status)
			}
		}
	}
	save(p, "at first")

	back := jump("-1 hour")
	user(p, "an hour behind", http.StatusOK)
	save(p, "an hour behind")
	back.signIn(f.Admin.Email, f.Admin.Password)

	ahead := jump("1 day")
	user(p, "a day ahead", http.StatusUnauthorized)
	user(back, "a day ahead", http.StatusUnauthorized)
	ahead.signIn(f.Admin.Email, f.Admin.Password)
	save(ahead, "a day ahead")
	wrong(jumped(r), "a day ahead")

	right := jump("0")
	user(ahead, "corrected", http.StatusOK)
	save(ahead, "corrected")
	right.signIn(f.Admin.Email, f.Admin.Password)
	save(right, "corrected, newly signed in")
	wrong(jumped(r), "corrected") // five attempts again: those dated tomorrow do not count
	for _, s := range r.servers {
		if log := s.log.String(); strings.Contains(log, `"level":"ERROR"`) || strings.Contains(log, "panic") {
			t.Errorf("log: %s", log)
		}
	}
}

// jumped returns a person who uses the newest replica.
func jumped(r *replicas) *person { return r.servers[len(r.servers)-1].person() }

// updatedAt returns the time of a form's last change, as sortable text.
func updatedAt(t *testing.T, form string) string {
	t.Helper()
	var f struct {
		Updated time.Time `json:"updated_at"`
	}
	must(t, json.Unmarshal([]byte(form), &f))
	return f.Updated.UTC().Format("2006-01-02T15:04:05.000")
}
