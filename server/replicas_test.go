package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/config"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/porttest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/tenant"
)

// replicas are several servers on one database, behind a proxy that sends each request to the next of them.
type replicas struct {
	t        *testing.T
	database string
	keys     string
	editor   *rotation
	tenant   *rotation
	servers  []*running
}

// rotation is the proxy of one listener of each replica.
type rotation struct {
	url string

	mu      sync.Mutex
	targets []string // addresses
	turn    int
}

func newRotation(t *testing.T) *rotation {
	t.Helper()
	r := &rotation{}
	s := httptest.NewServer(r)
	t.Cleanup(s.Close)
	r.url = "http://localhost:" + mustURL(t, s.URL).Port()
	return r
}

// ServeHTTP implements http.Handler.
func (r *rotation) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.turn++
	target := r.targets[r.turn%len(r.targets)]
	r.mu.Unlock()
	proxy := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) {
		p.SetURL(&url.URL{Scheme: "http", Host: target})
		p.Out.Host = p.In.Host
		p.SetXForwarded()
	}}
	proxy.ServeHTTP(w, req)
}

func (r *rotation) set(targets ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.targets = targets
}

// startReplicas starts n replicas on a new database.
func startReplicas(t *testing.T, n int, args ...string) *replicas {
	t.Helper()
	return startReplicasOn(t, postgrestest.URL(t), n, args...)
}

// startReplicasOn starts n replicas on a database.
func startReplicasOn(t *testing.T, database string, n int, args ...string) *replicas {
	t.Helper()
	r := &replicas{
		t: t, database: database, keys: filepath.Join(t.TempDir(), "keys"), editor: newRotation(t), tenant: newRotation(t),
	}
	for range n {
		r.add(args...)
	}
	return r
}

// add starts another replica and adds it to the rotation.
func (r *replicas) add(args ...string) *running {
	r.t.Helper()
	at := []string{porttest.Address(r.t), porttest.Address(r.t)}
	s := start(r.t, filepath.Join(r.t.TempDir(), "data"), append([]string{
		"--database", r.database, "--keys", r.keys, "--public-url", r.editor.url, "--tenant-url", r.tenant.url, "--listen", at[0],
		"--tenant-listen", at[1], "--sample-listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.0/8",
	}, args...)...)
	r.servers = append(r.servers, s)
	r.editor.set(append(r.editor.targets, at[0])...)
	r.tenant.set(append(r.tenant.targets, at[1])...)
	return s
}

// Any request may go to any replica, and nothing is lost when a replica ends.
func TestReplicasShareEverything(t *testing.T) {
	r := startReplicas(t, 2)
	f := r.servers[0].first()
	p := r.servers[0].person()
	p.signIn(f.Admin.Email, f.Admin.Password)

	status, _, body := p.app("POST", "/bff/api/forms", `{"name":"0"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
		t.Fatalf("create: %d %s %v", status, body, err)
	}
	path := "/bff/api/forms/" + made.ID
	_, header, _ := p.app("GET", path, "")
	stale := header.Get("ETag")
	tag := stale
	for i := range 6 {
		name := fmt.Sprintf(`{"name":"%d"}`, i+1)
		if status, header, body = p.app("PATCH", path, name, "If-Match", tag); status != 200 {
			t.Fatalf("change %d: %d %s", i, status, body)
		}
		tag = header.Get("ETag")
		if status, _, body := p.app("PATCH", path, `{"name":"lost"}`, "If-Match", stale); status != 412 {
			t.Errorf("old version: %d %s", status, body)
		}
	}

	// The second replica continues alone, and a third joins.
	if code := r.servers[0].stop(); code != 0 {
		t.Fatalf("ended with %d: %s", code, r.servers[0].log)
	}
	r.editor.set(r.editor.targets[1:]...)
	r.tenant.set(r.tenant.targets[1:]...)
	if status, _, body := p.app("GET", path, ""); status != 200 || !strings.Contains(body, `"name":"6"`) {
		t.Errorf("after a replica has ended: %d %s", status, body)
	}
	r.add()
	for range 4 {
		if status, _, body := p.app("GET", "/bff/user", ""); status != 200 {
			t.Errorf("user: %d %s", status, body)
		}
	}
	if status, _, body := p.app("POST", "/bff/logout", ""); status != 200 {
		t.Errorf("sign out: %d %s", status, body)
	}
	for range 4 {
		if status, _, _ := p.app("GET", "/bff/user", ""); status != 401 {
			t.Errorf("after the sign-out a replica answers %d", status)
		}
	}
	for _, s := range r.servers {
		if strings.Contains(s.log.String(), "postgres://") || strings.Contains(s.log.String(), "eyJhbGciOi") {
			t.Error("a secret is in a log")
		}
	}
}

// Replicas count wrong passwords together.
func TestReplicasCountWrongPasswordsTogether(t *testing.T) {
	r := startReplicas(t, 2)
	f := r.servers[0].first()
	var statuses []int
	for range 7 {
		p := r.servers[0].person()
		_, _, page := p.send("GET", r.editor.url+"/bff/login?return_to=/forms", "", "Accept", "text/html")
		p.send("GET", r.tenant.url+"/healthz", "") // so that the forms do not all go to one replica
		status, _ := p.submit(page, f.Admin.Email, "wrong")
		statuses = append(statuses, status)
	}
	if want := []int{400, 400, 400, 400, 400, 429, 429}; !slices.Equal(statuses, want) {
		t.Errorf("wrong passwords are answered with %v, want %v", statuses, want)
	}
}

// Replicas that start at once on a new database must not each create an administrator's password and a management client.
func TestReplicasSeedOnce(t *testing.T) {
	const n = 4
	place := postgrestest.URL(t)
	set := keystest.Set(t, time.Now())
	folders := make([]string, n)
	credentials := make([]tenant.Credentials, n)
	var wg sync.WaitGroup
	for i := range n {
		folders[i] = t.TempDir()
		wg.Go(func() {
			db, err := database.Place{URL: place}.Open(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close() //nolint:errcheck // a test's database
			s := &parts{p: process{stdout: io.Discard}, c: &config.Config{State: config.State{Data: folders[i]}}, db: db, keys: set}
			at := addresses{Editor: "https://forms.example", Tenant: "https://login.example", Sample: "https://api.example"}
			if credentials[i], err = s.prepare(t.Context(), at); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seeded := 0
	for i, folder := range folders {
		if _, err := os.Stat(firstStartFile(folder)); err == nil {
			seeded++
		}
		if credentials[i] != credentials[0] {
			t.Error("the editor's client differs")
		}
	}
	if seeded != 1 {
		t.Errorf("%d replicas created the first administrator, want 1", seeded)
	}
	code, out, errs := inTool(t, "", "client", "list", "--json", "--database", place)
	if code != exitOK || strings.Count(out, `"name":"Management"`) != 1 {
		t.Errorf("clients: %d\n%s%s", code, out, errs)
	}
}
