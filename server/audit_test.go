package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/foreigntest"
	"github.com/formgraph/formgraph/server/store"
)

// line is a line of the output of formgraph audit.
type line map[string]any

// auditLines runs formgraph audit and returns its lines.
func auditLines(t *testing.T, args ...string) []line {
	t.Helper()
	var out, errors bytes.Buffer
	if code := run(t.Context(), process{stdout: &out, stderr: &errors, lookup: noEnv}, append([]string{"audit"}, args...)); code != exitOK {
		t.Fatalf("audit %v exits with %d: %s", args, code, errors.String())
	}
	var lines []line
	for text := range strings.Lines(out.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// entry returns the expected line of an event, with pairs of further members.
func entry(source, event string, more ...any) line {
	l := line{"source": source, "event": event}
	for i := 0; i < len(more); i += 2 {
		l[more[i].(string)] = more[i+1]
	}
	return l
}

// sameLines compares lines, except for IDs and times: IDs must be unique and times in order. common has the members that every line must
// have.
func sameLines(t *testing.T, got []line, common line, want ...line) {
	t.Helper()
	seen, last := map[any]bool{}, time.Time{}
	for i, l := range got {
		at, err := time.Parse(time.RFC3339, fmt.Sprint(l["time"]))
		if id := l["audit_id"]; err != nil || at.Before(last) || id == nil || seen[id] {
			t.Errorf("line %d: time %v after %v, ID %v: %v", i, l["time"], last, id, err)
		}
		seen[l["audit_id"]], last = true, at
		if l["source"] != "command" && l["request_id"] == nil {
			t.Errorf("line %d has no request: %v", i, l)
		}
		for _, name := range []string{"time", "audit_id", "request_id"} {
			delete(l, name)
		}
		if i >= len(want) {
			t.Errorf("line %d is unexpected: %v", i, l)
			continue
		}
		expected := maps.Clone(common)
		maps.Copy(expected, want[i])
		for name, value := range expected {
			if value == nil { // the line lacks a common member
				delete(expected, name)
			}
		}
		if fmt.Sprint(l) != fmt.Sprint(expected) {
			t.Errorf("line %d:\n got %v\nwant %v", i, l, expected)
		}
	}
	if len(got) < len(want) {
		t.Errorf("%d lines, want %d: the next is %v", len(got), len(want), want[len(got)])
	}
}

// changed is a form and the entity tags of its versions.
type changed struct {
	id   string
	tags []string
}

// changeForm creates a form, saves it, tries to save an outdated version and an invalid one, and deletes it.
func (p *person) changeForm() changed {
	p.r.t.Helper()
	do := func(want int, method, path, body string, headers ...string) (http.Header, string) {
		p.r.t.Helper()
		status, header, answer := p.app(method, path, body, headers...)
		if status != want {
			p.r.t.Fatalf("%s %s: %d %s, want %d", method, path, status, answer, want)
		}
		return header, answer
	}
	header, body := do(201, "POST", "/bff/api/forms", `{"name":"secret content"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		p.r.t.Fatal(err)
	}
	path, c := "/bff/api/forms/"+made.ID, changed{made.ID, []string{header.Get("ETag")}}
	header, _ = do(200, "PATCH", path, `{"name":"other content"}`, "If-Match", c.tags[0])
	c.tags = append(c.tags, header.Get("ETag"))
	do(412, "PATCH", path, `{"name":"lost"}`, "If-Match", c.tags[0])
	do(400, "PATCH", path, `{"start":{"next_node":"step_nowhere"}}`, "If-Match", c.tags[1])
	do(204, "DELETE", path, "")
	return c
}

func (p *person) signOut() {
	p.r.t.Helper()
	if status, _, body := p.app("POST", "/bff/logout", ""); status != 200 {
		p.r.t.Fatalf("sign-out: %d %s", status, body)
	}
}

// The audit log has every change to a form with its versions and outcome, as seen by the editor and by the tenant, and none of its content.
func TestAuditOfTheEmbeddedTenant(t *testing.T) {
	r := start(t, newData(t))
	f := r.first()
	p := r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	form := p.changeForm()
	if status, _, body := p.app("POST", "/bff/api/admin/roles", `{"name":"Auditors"}`); status != 201 {
		t.Fatalf("role: %d %s", status, body)
	}
	p.signOut()
	r.stop()
	all := auditLines(t, "--data", r.folder)
	if len(all) == 0 {
		t.Fatal("no lines")
	}
	subject, role := all[0]["sub"], all[len(all)-2]["id"]
	editor := line{
		"iss": r.at.Tenant, "sub": subject, "email": f.Admin.Email, "object": "form", "id": form.id, "outcome": "answered",
		"address": "127.0.0.1",
	}
	tenant := func(event string, more ...any) line {
		return entry("tenant", event, append([]any{"email", nil, "client_id", "formgraph-editor", "outcome", "done"}, more...)...)
	}
	sameLines(t, all, editor,
		entry("editor", "signed_in", "object", nil, "id", nil, "outcome", nil),
		tenant("form_created", "after", form.tags[0]),
		entry("editor", "form_created", "after", form.tags[0], "status", 201),
		tenant("form_saved", "before", form.tags[0], "after", form.tags[1]),
		entry("editor", "form_saved", "before", form.tags[0], "after", form.tags[1], "status", 200),
		entry("editor", "form_saved", "before", form.tags[0], "status", 412),
		entry("editor", "form_saved", "before", form.tags[1], "status", 400),
		tenant("form_deleted"),
		entry("editor", "form_deleted", "status", 204),
		tenant("role_created", "object", "role", "id", role),
		entry("editor", "role_created", "object", "role", "id", role, "status", 201),
		entry("editor", "signed_out", "object", nil, "id", nil, "outcome", nil),
	)
	for name, n := range map[string]int{"--form=" + form.id: 8, "--event=form_saved": 4, "--since=1h": 12, "--until=1h": 0} {
		if got := auditLines(t, "--data", r.folder, name); len(got) != n {
			t.Errorf("%s: %d lines, want %d", name, len(got), n)
		}
	}
	if log := r.log.String(); strings.Count(log, `"msg":"audit"`) != 12 || strings.Contains(log, "content\"") {
		t.Errorf("the log does not have the same entries:\n%s", log)
	}
}

// signInAt signs the first person in at a foreign tenant.
func (p *person) signInAt(tenant *foreigntest.Tenant) {
	p.r.t.Helper()
	_, _, page := p.send("GET", p.r.at.Editor+"/bff/login?return_to=/forms", "", "Accept", "text/html")
	action := regexp.MustCompile(`action="([^"]*)"`).FindStringSubmatch(page)
	if action == nil {
		p.r.t.Fatalf("no sign-in page: %s", page)
	}
	to := html.UnescapeString(action[1])
	if strings.HasPrefix(to, "/") {
		to = tenant.URL + to
	}
	p.send("POST", to, "person=0", "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html")
}

// For a remote tenant without entity tags, those that the editor computes are recorded, whether users or a service client call the tenant.
func TestAuditOfARemoteTenant(t *testing.T) {
	for name, service := range map[string]bool{"people": false, "service": true} {
		t.Run(name, func(t *testing.T) {
			tenant := foreigntest.Start(t, foreigntest.Traits{PeopleAreStrangers: service, Strict: true})
			args := append(with(tenant, service), "--listen", "127.0.0.1:0")
			if service {
				args = append(args, "--allow-email", "ana@team.example")
			}
			r := start(t, newData(t), args...)
			p := r.person()
			p.signInAt(tenant)
			form := p.changeForm()
			p.signOut()
			r.stop()
			sameLines(t, auditLines(t, "--data", r.folder), line{
				"source": "editor", "iss": tenant.Issuer(), "sub": "auth0|ana", "email": "ana@team.example", "object": "form", "id": form.id,
				"outcome": "answered", "address": "127.0.0.1",
			},
				line{"event": "signed_in", "object": nil, "id": nil, "outcome": nil},
				line{"event": "form_created", "after": form.tags[0], "status": 201},
				line{"event": "form_saved", "before": form.tags[0], "after": form.tags[1], "status": 200},
				line{"event": "form_saved", "before": form.tags[0], "status": 412},
				line{"event": "form_saved", "before": form.tags[1], "status": 400},
				line{"event": "form_deleted", "before": form.tags[1], "status": 204},
				line{"event": "signed_out", "object": nil, "id": nil, "outcome": nil},
			)
		})
	}
}

// A request cannot forge a line or a member of one.
func TestAuditOfForgedRequests(t *testing.T) {
	const forged = `"1","event":"forged"}\u001b[31m\r\n{"event":"forged"}`
	tenant := foreigntest.Start(t, foreigntest.Traits{})
	id := tenant.Add(`{"name":"x"}`)
	r := start(t, newData(t), append(with(tenant, false), "--listen", "127.0.0.1:0")...)
	p := r.person()
	p.signInAt(tenant)
	for _, to := range []string{id, id + "%0d%0a%7b%22event%22%3a%22forged%22%7d%1b%5b31m"} {
		p.app("PATCH", "/bff/api/forms/"+to, `{"name":"y"}`, "If-Match", forged, "User-Agent", forged, "X-Request-Id", forged,
			"X-Forwarded-For", forged)
	}
	r.stop()
	lines := auditLines(t, "--data", r.folder)
	if len(lines) < 2 || lines[1]["before"] != forged {
		t.Fatalf("%v", lines)
	}
	for _, l := range lines {
		if l["event"] == "forged" || l["address"] != "127.0.0.1" || strings.Contains(fmt.Sprint(l["request_id"]), "forged") {
			t.Errorf("%v", l)
		}
	}
}

// Requests that the rules refuse are recorded.
func TestAuditOfRefusals(t *testing.T) {
	tenant := foreigntest.Start(t, foreigntest.Traits{PeopleAreStrangers: true})
	id := tenant.Add(`{"name":"x"}`)
	folder := t.TempDir()
	common := line{
		"source": "editor", "iss": tenant.Issuer(), "sub": "auth0|ana", "email": "ana@team.example", "outcome": "refused", "status": 403,
		"address": "127.0.0.1",
	}
	signedIn := line{"event": "signed_in", "outcome": nil, "status": nil}
	r := start(t, folder, append(tenant.Options(true), "--listen", "127.0.0.1:0", "--view-email", "ana@team.example", "--allow-subject", "somebody")...)
	p := r.person()
	p.signInAt(tenant)
	if status, _, body := p.app("PATCH", "/bff/api/forms/"+id, `{"name":"y"}`, "If-Match", `"1"`); status != 403 {
		t.Fatalf("save as a viewer: %d %s", status, body)
	}
	r.stop()
	want := []line{signedIn, {"event": "form_saved", "object": "form", "id": id}}
	sameLines(t, auditLines(t, "--data", folder), common, want...)

	r = start(t, folder, append(tenant.Options(true), "--listen", "127.0.0.1:0", "--allow-subject", "somebody")...)
	r.person().signInAt(tenant)
	r.stop()
	want = append(want, signedIn, line{"event": "not_allowed"})
	sameLines(t, auditLines(t, "--data", folder), common, want...)
}

// Each entry of each replica is exported exactly once, ordered by the time of the database.
func TestAuditOfReplicas(t *testing.T) {
	r := startReplicas(t, 2)
	f := r.servers[0].first()
	p := r.servers[0].person()
	p.signIn(f.Admin.Email, f.Admin.Password)
	_, _, body := p.app("POST", "/bff/api/forms", `{"name":"0"}`)
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil {
		t.Fatal(err)
	}
	const saves = 20
	for i := range saves {
		if status, _, body := p.app("PATCH", "/bff/api/forms/"+made.ID, fmt.Sprintf(`{"name":"%d"}`, i+1)); status != 200 {
			t.Fatalf("save: %d %s", status, body)
		}
	}
	logged := map[string]int{}
	for i, s := range r.servers {
		s.stop()
		for text := range strings.Lines(s.log.String()) {
			var l struct {
				ID  string `json:"audit_id"`
				Msg string
			}
			if json.Unmarshal([]byte(text), &l) == nil && l.Msg == "audit" {
				logged[l.ID] = i
			}
		}
	}
	exported, saved := map[string]int{}, 0
	for _, l := range auditLines(t, "--database", r.database, "--since", "2000-01-01T00:00:00Z") {
		id, _ := l["audit_id"].(string)
		if _, twice := exported[id]; twice {
			t.Errorf("%v appears twice", l)
		}
		if exported[id] = logged[id]; l["event"] == "form_saved" && l["source"] == "editor" {
			saved++
		}
	}
	if !maps.Equal(exported, logged) || saved != saves || !slices.Contains(slices.Collect(maps.Values(exported)), 1) {
		t.Errorf("exported %d entries, %d saves, want the %d that both replicas logged", len(exported), saved, len(logged))
	}
}

// Commands that change users or clients record who ran them.
func TestAuditOfCommands(t *testing.T) {
	r := start(t, newData(t))
	r.stop()
	do := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		p := process{stdin: strings.NewReader("correct horse battery staple\n"), stdout: &out, stderr: &out, lookup: noEnv}
		if code := run(t.Context(), p, append(args, "--data", r.folder)); code != exitOK {
			t.Fatalf("%v: %s", args, out.String())
		}
		return out.String()
	}
	user := regexp.MustCompile(`as (\S+)`).FindStringSubmatch(do("user", "add", "bo@example.com"))[1]
	do("user", "block", "bo@example.com")
	do("user", "unblock", "bo@example.com")
	do("user", "reset-password", "bo@example.com", "--password-stdin")
	do("user", "list")
	client := regexp.MustCompile(`client_id +(\S+)`).FindStringSubmatch(do("client", "add", "Shop"))[1]
	do("client", "rotate-secret", client)
	do("client", "remove", client)
	lines := auditLines(t, "--data", r.folder)
	if len(lines) == 0 || lines[0]["sub"] == "" {
		t.Fatalf("%v", lines)
	}
	sameLines(t, lines, line{"source": "command", "sub": lines[0]["sub"], "object": "user", "id": user, "outcome": "done"},
		line{"event": "user_created"}, line{"event": "user_ticket_created"}, line{"event": "user_blocked"},
		line{"event": "user_unblocked"}, line{"event": "user_password_set"},
		line{"event": "client_created", "object": "client", "id": client},
		line{"event": "client_secret_rotated", "object": "client", "id": client},
		line{"event": "client_deleted", "object": "client", "id": client},
	)
}

// AUDIT.md describes every member of a line, every source and every outcome.
func TestAuditPageListsMembers(t *testing.T) {
	b, err := os.ReadFile("AUDIT.md")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"time", audit.SourceEditor, audit.SourceTenant, audit.SourceAccount, audit.SourceCommand, audit.SourceAudit, audit.Done, audit.Answered,
		audit.Refused, audit.Timeout, audit.Failed, audit.BrowserLeft, audit.EventLost,
	}
	e := store.AuditEntry{Status: 1}
	for v, i := reflect.ValueOf(&e).Elem(), 0; i < v.NumField(); i++ {
		if v.Field(i).Kind() == reflect.String {
			v.Field(i).SetString("x")
		}
	}
	for _, a := range audit.Attrs(e) {
		want = append(want, a.Key)
	}
	for _, word := range want {
		if !strings.Contains(string(b), "`"+word+"`") {
			t.Errorf("AUDIT.md does not name %s", word)
		}
	}
}

// The arguments of formgraph audit are checked before the database is opened.
func TestAuditArguments(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	p := database.Place{Folder: folder}
	db, err := p.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if err := db.AddAudit(t.Context(), []store.AuditEntry{{At: at, ID: "1", Event: "old"}}); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args string
		code int
		want string
	}{
		{"--since 2026-03-01T12:00:00Z --until 2026-03-01T13:00:01+01:00", exitOK, `"event":"old"`},
		{"--until 2026-03-01T12:00:00Z", exitOK, ""},
		{"--since 65535d --event old", exitOK, `"event":"old"`},
		{"--event new", exitOK, ""},
		{"--since yesterday", exitUnusable, "--since: must be a time such as"},
		{"--until -1h", exitUnusable, "--until: must be a time such as"},
		{"--since 1000000d", exitUnusable, "--since: must be a time such as"},
		{"--since 1h --until 2h", exitUnusable, "--since must not be after --until"},
		{"words", exitUnusable, "takes no arguments"},
		{"--data nowhere", exitUnusable, "nowhere is not a data folder"},
	} {
		var out bytes.Buffer
		args := append([]string{"audit", "--data", folder}, strings.Fields(tt.args)...)
		code := run(t.Context(), process{stdout: &out, stderr: &out, lookup: noEnv}, args)
		if code != tt.code || !strings.Contains(out.String(), tt.want) || tt.want == "" && out.Len() > 0 {
			t.Errorf("audit %s: %d %s, want %d %s", tt.args, code, out.String(), tt.code, tt.want)
		}
	}
}
