package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// awayTime is how long TestDatabaseAway keeps the database down.
var awayTime = flag.Duration("faults.away", 0, "how long the database is down")

// awayPeople is the number of users that continue to work while the database is down, and awayPace the time between two rounds of one: without it,
// they would meet the limit of a session.
const (
	awayPeople = 8
	awayPace   = 100 * time.Millisecond
)

// signedIn signs a person in and creates a form, and returns the form's path.
func (p *person) signedIn(f firstStart) (path string) {
	p.r.t.Helper()
	p.signIn(f.Admin.Email, f.Admin.Password)
	status, _, body := p.app("POST", "/bff/api/forms", `{"name":"0"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != http.StatusCreated {
		p.r.t.Fatalf("create: %d %s %v", status, body, err)
	}
	return "/bff/api/forms/" + made.ID
}

// trouble is the problem in a response.
type trouble struct {
	Code, Detail, Remedy, Outcome string

	Retry int `json:"retry_after_seconds"`
}

// refusedLater checks that a response is a 503 with a problem that asks to retry later, and does not change the session.
func refusedLater(t *testing.T, what string, status int, header http.Header, body string) trouble {
	t.Helper()
	var p trouble
	err := json.Unmarshal([]byte(body), &p)
	if err != nil || status != http.StatusServiceUnavailable || header.Get("Content-Type") != "application/problem+json" ||
		p.Code == "" || p.Detail == "" || p.Retry == 0 || header.Get("Retry-After") != strconv.Itoa(p.Retry) || header.Get("Set-Cookie") != "" {
		t.Errorf("%s = %d %v %s, want a 503 with a problem", what, status, header, body)
	}
	return p
}

// While the database is down, calls get a 503 and no one is signed out. When it is back, everything works without a restart, and no
// goroutines or memory have leaked.
func TestDatabaseAway(t *testing.T) {
	server := postgrestest.Start(t, postgrestest.Options{})
	r := start(t, filepath.Join(t.TempDir(), "data"), "--database", server.URL(t))
	f := r.first()
	people, paths := make([]*person, awayPeople), make([]string, awayPeople)
	for i := range people {
		people[i] = r.person()
		paths[i] = people[i].signedIn(f)
	}
	goroutines, heap := piled(people)
	server.Stop(t)
	for _, at := range []string{r.at.Editor, r.at.Tenant} {
		if status, _, _ := people[0].send("GET", at+"/readyz", ""); status != http.StatusServiceUnavailable {
			t.Errorf("readiness of %s = %d, want 503", at, status)
		}
		if status, _, _ := people[0].send("GET", at+"/healthz", ""); status != http.StatusOK {
			t.Errorf("health of %s = %d, want 200", at, status)
		}
	}
	end := time.Now().Add(sizetest.Of(*awayTime, time.Nanosecond, 10*time.Second))
	var wg sync.WaitGroup
	for i, p := range people {
		wg.Go(func() {
			tick := time.NewTicker(awayPace)
			defer tick.Stop()
			p.awayRound(paths[i])
			p.awayVisit(f)
			for time.Now().Before(end) {
				<-tick.C
				p.awayRound(paths[i])
			}
		})
	}
	wg.Wait()
	server.Resume(t)
	waittest.Until(t, "the server is ready again", func() bool {
		status, _, _ := people[0].send("GET", r.at.Editor+"/readyz", "")
		return status == http.StatusOK
	})
	for i, p := range people {
		for _, x := range [][3]string{{"GET", "/bff/user"}, {"GET", paths[i]}, {"PATCH", paths[i], `{"name":"1"}`}, {"GET", "/bff/api/me/sessions"}} {
			if status, _, body := p.app(x[0], x[1], x[2]); status != http.StatusOK {
				t.Errorf("%s %s after the fault = %d %s", x[0], x[1], status, body)
			}
		}
	}
	waittest.Until(t, fmt.Sprintf("there are no more than %d goroutines and %d MiB of memory, and a few", goroutines, heap>>20), func() bool {
		g, h := piled(people)
		return g <= goroutines+awayPeople && h <= heap+16<<20
	})
}

// awayRound makes the calls of an editor while the database is down.
func (p *person) awayRound(path string) {
	t := p.r.t
	for _, x := range [][3]string{
		{"GET", "/bff/user"},
		{"GET", "/bff/api/forms"},
		{"GET", path},
		{"PATCH", path, `{"name":"lost"}`},
		{"GET", "/bff/api/me/sessions"},
		{"POST", "/bff/logout"},
	} {
		began := time.Now()
		status, header, body := p.app(x[0], x[1], x[2])
		if refusedLater(t, x[0]+" "+x[1], status, header, body); time.Since(began) > waittest.Limit(20*time.Second) {
			t.Errorf("%s %s took %s", x[0], x[1], time.Since(began))
		}
	}
}

// awayVisit makes the rate-limited calls of a client and a visitor while the database is down.
func (p *person) awayVisit(f firstStart) {
	t := p.r.t
	status, header, body := p.send("POST", p.r.at.Tenant+"/oauth/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {f.Management.ID}, "client_secret": {f.Management.Secret},
		"audience": {p.r.at.Tenant + "/api/v2/"},
	}.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if status != http.StatusServiceUnavailable || header.Get("Retry-After") == "" || !strings.Contains(body, "temporarily_unavailable") {
		t.Errorf("token = %d %v %s", status, header, body)
	}
	if status, header, body := p.send("GET", p.r.at.Editor+"/bff/login", "", "Accept", "text/html"); status != http.StatusFailedDependency ||
		header.Get("Retry-After") == "" {
		t.Errorf("sign-in = %d %v %.200s", status, header, body)
	}
}

// piled returns the number of goroutines of this process and the memory that it uses, excluding the responses and log lines that the test
// keeps.
func piled(people []*person) (goroutines int, heap uint64) {
	log := people[0].r.log
	log.mu.Lock()
	log.b = bytes.Buffer{}
	log.mu.Unlock()
	for _, p := range people {
		p.client.CloseIdleConnections()
		p.answers.Reset()
	}
	http.DefaultClient.CloseIdleConnections()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), m.HeapAlloc
}

// limitFiles prevents a process from growing any file beyond size bytes, so that writes fail as on a broken disk; "unlimited" removes the
// limit.
func (c *child) limitFiles(t *testing.T, size string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "prlimit", "--pid", strconv.Itoa(c.cmd.Process.Pid), "--fsize="+size+":").CombinedOutput()
	if err != nil {
		t.Fatalf("prlimit, from the package util-linux: %v %s", err, out)
	}
}

// While the disk is not writable, saves are refused with the reason and one log line, and reads continue. When it is writable again, saves
// work without a restart.
func TestDiskRefusesWrites(t *testing.T) {
	c := launch(t, newData(t), "--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0")
	r := &running{t: t, at: c.at, folder: c.folder}
	p := r.person()
	path := p.signedIn(r.first())
	p.app("GET", "/bff/api/me/sessions", "") // getting a token for that API is a write
	c.limitFiles(t, "0")
	for n := range 2 {
		const line = `"msg":"store failed"`
		before := strings.Count(c.log.String(), line)
		status, header, body := p.app("PATCH", path, `{"name":"lost"}`)
		if x := refusedLater(t, "save", status, header, body); x.Remedy == "" || x.Outcome == "" {
			t.Errorf("save = %s, want a remedy", body)
		}
		lines := 0
		waittest.Until(t, "the log has a line", func() bool { // which arrives through a pipe
			lines = strings.Count(c.log.String(), line) - before
			return lines > 0
		})
		if lines != 1 {
			t.Errorf("save %d writes %d lines: %s", n, lines, c.log)
		}
		for _, read := range []string{"/bff/user", path, "/bff/api/forms", "/bff/api/flows", "/bff/api/admin/users", "/bff/api/me/sessions"} {
			if status, _, body := p.app("GET", read, ""); status != http.StatusOK || strings.Contains(body, "lost") {
				t.Errorf("GET %s = %d %s", read, status, body)
			}
		}
	}
	c.limitFiles(t, "unlimited")
	if status, _, body := p.app("PATCH", path, `{"name":"kept"}`); status != http.StatusOK {
		t.Errorf("save after the fault = %d %s", status, body)
	}
	r.person().signedIn(r.first())
	must(t, c.drain())
	checkFile(t, filepath.Join(c.folder, database.File))
}

// besideServer opens the database file of a server that may be running, with one connection.
func besideServer(t *testing.T, folder string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(folder, database.File)+"?_pragma=busy_timeout(10000)")
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	db.SetMaxOpenConns(1)
	return db
}

// While another process holds the lock of the file, or the disk does not respond, saves fail with 503 in bounded time and reads continue. A
// save that is still waiting when the lock is released succeeds.
func TestLockedFile(t *testing.T) {
	t.Parallel()
	r := start(t, newData(t), "--metrics-listen", "127.0.0.1:0")
	p := r.person()
	path := p.signedIn(r.first())
	other := besideServer(t, r.folder)
	run := func(statement string) {
		_, err := other.ExecContext(t.Context(), statement)
		must(t, err)
	}
	savers := []*person{r.person(), r.person(), r.person(), r.person()}
	for _, p := range savers {
		p.signIn(r.first().Admin.Email, r.first().Admin.Password)
	}
	run("BEGIN IMMEDIATE")
	limit := waittest.Limit(20 * time.Second) // includes four saves that wait for each other
	var wg sync.WaitGroup
	for _, p := range savers {
		wg.Go(func() {
			began := time.Now()
			status, header, body := p.app("PATCH", path, `{"name":"lost"}`)
			if refusedLater(t, "save", status, header, body); time.Since(began) > limit {
				t.Errorf("a save takes %v", time.Since(began))
			}
		})
	}
	for _, read := range []string{"/bff/user", path, "/bff/api/forms"} {
		if status, _, body := p.app("GET", read, ""); status != http.StatusOK || strings.Contains(body, "lost") {
			t.Errorf("GET %s = %d %s", read, status, body)
		}
	}
	wg.Wait()
	saved := make(chan int, 1)
	go func() {
		status, _, _ := p.app("PATCH", path, `{"name":"kept"}`)
		saved <- status
	}()
	waittest.Until(t, "the save has begun", func() bool { return r.scrape()[`formgraph_http_requests_in_flight{listener="editor"}`] > 0 })
	if len(saved) > 0 {
		t.Errorf("a save does not wait for the lock: %d", <-saved)
	}
	run("ROLLBACK")
	if status := <-saved; status != http.StatusOK {
		t.Errorf("a save that waited for the lock = %d", status)
	}
}

// A server whose files are not writable does not start, and names the file and the reason.
func TestReadOnlyFilesRefuseTheStart(t *testing.T) {
	binary, folder, as := unprivileged(t)
	serve := func() (code int, log string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), binary, "serve", "--data", folder, "--print-ready", "--listen", "127.0.0.1:0", "--tenant-listen",
			"127.0.0.1:0", "--sample-listen", "127.0.0.1:0")
		c.Env = append(os.Environ(), asProgram+"=1")
		c.SysProcAttr = &syscall.SysProcAttr{Credential: as}
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.StdoutPipe()
		must(t, err)
		must(t, c.Start())
		if _, err := out.Read(make([]byte, 1)); err == nil { // it is ready
			must(t, c.Process.Signal(syscall.SIGTERM))
		}
		_, _ = io.Copy(io.Discard, out) // until the process ends
		if err := c.Wait(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode(), errs.String()
	}
	file := filepath.Join(folder, database.File)
	if code, log := serve(); code != exitOK {
		t.Fatalf("the first start ends with %d: %s", code, log)
	}
	for _, x := range []struct {
		path      string
		bad, good os.FileMode
	}{
		{file, 0o444, 0o600}, {folder, 0o500, 0o700},
	} {
		must(t, os.Chmod(x.path, x.bad))
		code, log := serve()
		if code == exitOK || !strings.Contains(log, file) || strings.Contains(log, "ready") ||
			!strings.Contains(log, "permission denied") && !strings.Contains(log, "read-only") {
			t.Errorf("mode %o of %s: the start ends with %d: %s", x.bad, filepath.Base(x.path), code, log)
		}
		must(t, os.Chmod(x.path, x.good))
	}
	if code, log := serve(); code != exitOK {
		t.Errorf("after that the start ends with %d: %s", code, log)
	}
}

// unprivileged returns the program, a folder for its data, and the user to run it as; nil means the user of the test. Permissions do not
// restrict root, so a test run by root uses another user, who needs a copy of the program in a world-readable folder.
func unprivileged(t *testing.T) (binary, folder string, as *syscall.Credential) {
	t.Helper()
	if os.Getuid() != 0 {
		return self(t), filepath.Join(t.TempDir(), "data"), nil
	}
	const nobody = 65534
	top, err := os.MkdirTemp("", "formgraph-unprivileged-")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(top)) })
	must(t, os.Chmod(top, 0o755))
	binary, folder = filepath.Join(top, "formgraph"), filepath.Join(top, "data")
	from, err := os.Open(self(t))
	must(t, err)
	to, err := os.OpenFile(binary, os.O_CREATE|os.O_WRONLY, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, errors.Join(err, to.Close(), from.Close(), os.Mkdir(folder, 0o700), os.Chown(folder, nobody, nobody)))
	return binary, folder, &syscall.Credential{Uid: nobody, Gid: nobody}
}
