package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/model/waittest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/tenant"
)

// colleague is somebody with a password whom an administrator has let in.
type colleague struct {
	*person

	admin *person
	id    string
}

const colleaguePassword = "a good password"

// colleague returns an editor who is signed in.
func (p *person) colleague(name string) *colleague {
	p.r.t.Helper()
	c := &colleague{person: p.r.person(), admin: p}
	made := c.administer("POST", "/users", fmt.Sprintf(`{"email":"%s@example.com","name":%[1]q,"password":%q}`, name, colleaguePassword))
	c.id, _ = made["user_id"].(string)
	c.administer("POST", "/users/"+c.id+"/roles", `{"roles":["`+tenant.EditorRole+`"]}`)
	c.signIn(name+"@example.com", colleaguePassword)
	return c
}

// administer makes a call of the tenant's administration, which must succeed.
func (c *colleague) administer(method, path, body string) (answer map[string]any) {
	c.r.t.Helper()
	status, _, text := c.admin.app(method, "/bff/api/admin"+path, body)
	if status >= 300 {
		c.r.t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	_ = json.Unmarshal([]byte(text), &answer) // nothing is no object
	return answer
}

// demote leaves the person only the right to read forms, and the returned function takes that, too.
func (c *colleague) demote() (dismiss func()) {
	c.r.t.Helper()
	role, _ := c.administer("POST", "/roles", `{"name":"Viewer"}`)["id"].(string)
	c.administer("POST", "/roles/"+role+"/permissions",
		fmt.Sprintf(`{"permissions":[{"resource_server_identifier":%q,"permission_name":"read:forms"}]}`, c.r.at.Tenant+"/api/v2/"))
	c.administer("POST", "/users/"+c.id+"/roles", `{"roles":["`+role+`"]}`)
	c.administer("DELETE", "/users/"+c.id+"/roles", `{"roles":["`+tenant.EditorRole+`"]}`)
	return func() { c.administer("DELETE", "/users/"+c.id+"/roles", `{"roles":["`+role+`"]}`) }
}

// A person who may no longer change forms changes nothing that is kept beside them from then on, at no replica, while a stream is open and work
// waits. Without the right to read, the stream ends.
func TestRightsEndAtOnce(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T) (r *running, at func(int)){
		"sqlite": func(t *testing.T) (*running, func(int)) { t.Helper(); return start(t, newData(t)), func(int) {} },
		"replicas": func(t *testing.T) (*running, func(int)) {
			t.Helper()
			r := startReplicasOn(t, postgrestest.URL(t), 2)
			both := r.editor.targets
			return r.servers[0], func(n int) { r.editor.set(both[n]) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, at := begin(t)
			admin := r.person()
			form := admin.signedIn(r.first())
			ben := admin.colleague("ben")
			at(0)
			lines := ben.stream(path.Base(form) + "&page=ben")
			hears(t, lines, "event: hello")
			_, header, saved := ben.app("GET", form, "")
			_, _, opened := ben.app("POST", form+"/live", fmt.Sprintf(`{"saved":%s,"etag":%q}`, saved, header.Get("ETag")), "X-Tab", "ben")
			var room struct{ Room string }
			if err := json.Unmarshal([]byte(opened), &room); err != nil || room.Room == "" {
				t.Fatalf("room: %s", opened)
			}
			_, files, _ := ben.app("GET", form+"/scenarios", "")
			_, _, comment := admin.app("POST", form+"/comments", `{"text":"mine"}`)
			var said struct{ ID string }
			if err := json.Unmarshal([]byte(comment), &said); err != nil {
				t.Fatalf("comment: %s", comment)
			}
			link := fmt.Sprintf(`{"expires_at":%q}`, time.Now().Add(time.Hour).Format(time.RFC3339))
			changes := []struct {
				method, path, body string
				headers            []string
			}{
				{"PATCH", form, `{"name":"waiting work"}`, nil},
				{
					"POST", form + "/live", fmt.Sprintf(`{"room":%q,"entry":{"number":1,"serial":1,"edits":[{"at":"name","to":"x"}]}}`, room.Room),
					[]string{"X-Tab", "ben"},
				},
				{"POST", form + "/links", link, nil},
				{"GET", form + "/links", "", nil},
				{"PUT", form + "/scenarios", `{"version":1,"scenarios":[]}`, []string{"If-Match", files.Get("ETag")}},
				{"PATCH", form + "/versions/1", `{"name":"n"}`, nil},
				{"DELETE", form + "/comments/" + said.ID, "", nil},
			}
			dismiss := ben.demote()
			for n := range 2 {
				at(n)
				for _, c := range changes {
					if status, _, body := ben.app(c.method, c.path, c.body, c.headers...); status != http.StatusForbidden {
						t.Errorf("%s %s at %d: %d %s", c.method, c.path, n, status, body)
					}
				}
				for _, path := range []string{form, form + "/live", form + "/comments", form + "/versions", form + "/scenarios"} {
					if status, _, body := ben.app("GET", path, ""); status != http.StatusOK {
						t.Errorf("GET %s at %d: %d %s", path, n, status, body)
					}
				}
			}
			admin.app("PATCH", form, `{"name":"seen"}`)
			hears(t, lines, `event: saved`)
			dismiss()
			for n := range 2 {
				at(n)
				for _, path := range []string{form, form + "/comments", form + "/versions", form + "/scenarios", form + "/overview"} {
					if status, _, body := ben.app("GET", path, ""); status != http.StatusForbidden || strings.Contains(body, "seen") {
						t.Errorf("GET %s at %d: %d %s", path, n, status, body)
					}
				}
				waittest.Until(t, "the end of reading the shared form", func() bool { // pages ask once a second
					status, _, _ := ben.app("GET", form+"/live", "")
					return status == http.StatusForbidden
				})
			}
			admin.app("PATCH", form, `{"name":"secret"}`)
			for line := range lines {
				if strings.Contains(line, "event: saved") {
					t.Error("the stream tells of a save after the right has ended")
				}
				if strings.Contains(line, "data:") && strings.Contains(line, "reason") {
					if !strings.Contains(line, `"rights"`) {
						t.Errorf("the stream ends with %s", line)
					}
				}
			}
		})
	}
}
