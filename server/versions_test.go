package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
)

// names returns the names of the form in all of its versions, newest first, with their authors.
func (p *person) names(form string) string {
	p.r.t.Helper()
	var list []struct {
		Version int    `json:"version"`
		Author  string `json:"author"`
	}
	status, _, body := p.app("GET", form+"/versions?per_page=100", "")
	if err := json.Unmarshal([]byte(body), &list); err != nil || status != http.StatusOK {
		p.r.t.Fatalf("versions: %d %s", status, body)
	}
	var words []string
	for _, v := range list {
		var one struct {
			Form struct {
				Name string `json:"name"`
			} `json:"form"`
		}
		status, _, body := p.app("GET", fmt.Sprint(form, "/versions/", v.Version), "")
		if err := json.Unmarshal([]byte(body), &one); err != nil || status != http.StatusOK {
			p.r.t.Fatalf("version %d: %d %s", v.Version, status, body)
		}
		words = append(words, strings.TrimSpace(one.Form.Name+" "+v.Author))
	}
	return strings.Join(words, ", ")
}

// Two replicas save in turns, and the database is away right after saves. Every save is one version, in order, with its author.
func TestReplicasKeepVersions(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t, postgrestest.Options{})
	r := startReplicasOn(t, server.URL(t), 2)
	p := r.servers[0].person()
	form := p.signedIn(r.servers[0].first())
	both := r.editor.targets
	want := "0 Administrator" // as the tenant names the first user
	for n := range 12 {
		r.editor.set(both[n%2])
		name := fmt.Sprint("save-", n)
		waittest.Until(t, name, func() bool { // a connection may be found to be dead only by its use
			status, _, body := p.app("PATCH", form, `{"name":"`+name+`"}`)
			if status != http.StatusOK && status != http.StatusServiceUnavailable && status != http.StatusBadGateway {
				t.Fatalf("save %d: %d %s", n, status, body)
			}
			return status == http.StatusOK
		})
		want = name + " Administrator, " + want
		switch n {
		case 4:
			server.Restart(t)
		case 7:
			server.Kill(t)
			server.Resume(t)
		}
	}
	for at := range both { // each waits for what it has saved itself
		r.editor.set(both[at])
		if got := p.names(form); at == 1 && got != want {
			t.Errorf("versions at %d:\n%s\nwant\n%s", at, got, want)
		}
	}
}

// What was just saved is recorded before a server ends.
func TestVersionsSurviveARestart(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "data")
	s := start(t, folder)
	f := s.first()
	p := s.person()
	form := p.signedIn(f)
	if status, _, body := p.app("PATCH", form, `{"name":"last"}`); status != http.StatusOK {
		t.Fatalf("save: %d %s", status, body)
	}
	if code := s.stop(); code != 0 {
		t.Fatalf("it ended with %d: %s", code, s.log)
	}
	p = start(t, folder).person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	if got := p.names(form); got != "last Administrator, 0 Administrator" {
		t.Errorf("versions: %s", got)
	}
}

// Versions are kept for tenants of another make too: with IDs of any shape, content of their own, and answers that are lost, whether users or a
// service client call the tenant, and in either database.
func TestVersionsOfARemoteTenant(t *testing.T) {
	for name, traits := range map[string]foreigntest.Traits{
		"people":  {OddIDs: true, Extra: true},
		"service": {PeopleAreStrangers: true, LosesAnswers: true, ETags: true},
	} {
		for engine, place := range map[string]func(t *testing.T) []string{
			"sqlite":   func(*testing.T) []string { return nil },
			"postgres": func(t *testing.T) []string { t.Helper(); return []string{"--database", postgrestest.URL(t)} },
		} {
			t.Run(name+" "+engine, func(t *testing.T) {
				tenant := foreigntest.Start(t, traits)
				args := append(with(tenant, traits.PeopleAreStrangers), "--listen", "127.0.0.1:0")
				if traits.PeopleAreStrangers {
					args = append(args, "--allow-email", "ana@team.example")
				}
				r := start(t, newData(t), append(args, place(t)...)...)
				p := r.person()
				p.signInAt(tenant)
				status, _, body := p.app("POST", "/bff/api/forms", `{"name":"0"}`)
				var made struct{ ID string }
				if err := json.Unmarshal([]byte(body), &made); err != nil || status != http.StatusCreated {
					t.Fatalf("create: %d %s", status, body)
				}
				form := "/bff/api/forms/" + url.PathEscape(made.ID)
				want := p.names(form)
				author := strings.TrimPrefix(want, "0 ")
				if author == want || author == "" {
					t.Fatalf("the new form: %s", want)
				}
				for n := 1; n <= 6; n++ {
					save := func() (int, http.Header, string) { return p.app("PATCH", form, fmt.Sprintf(`{"name":"%d"}`, n)) }
					status, _, body := save()
					if strings.Contains(body, `"outcome":"not_saved"`) {
						status, _, body = save()
					}
					if status != http.StatusOK {
						t.Fatalf("save: %d %s", status, body)
					}
					p.app("GET", form, "")
					want = fmt.Sprint(n, " ", author, ", ", want)
				}
				if got := p.names(form); got != want {
					t.Errorf("versions:\n%s\nwant\n%s", got, want)
				}
			})
		}
	}
}
