package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/store/sqlite"
	"github.com/formgraph/formgraph/server/tenant"
)

// shell runs commands on one data folder that was seeded.
type shell struct {
	t      *testing.T
	folder string
}

func newShell(t *testing.T) shell {
	t.Helper()
	s := shell{t, newData(t)}
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(s.folder, database.File))
	must(err)
	set, err := keys.Load(filepath.Join(s.folder, "keys"), time.Now())
	must(err)
	must(matchKeys(t.Context(), db, set))
	_, err = tenant.Seed(t.Context(), tenant.SeedConfig{
		Store: db, Issuer: "http://localhost:8081",
		Publish: func(tenant.First) error { return nil },
	})
	must(err)
	_, err = tenant.Sync(t.Context(), tenant.SyncConfig{
		Store: db, Keys: set, Issuer: "http://localhost:8081",
		EditorURL: "http://localhost:8080",
	})
	must(err)
	must(db.Close())
	return s
}

// run runs one command line, wants an exit code and returns both outputs.
func (s shell) run(code int, stdin string, args ...string) (out, complaint string) {
	s.t.Helper()
	var stdout, stderr bytes.Buffer
	lookup := func(name string) (string, bool) { return s.folder, name == "FORMGRAPH_DATA" }
	got := run(context.Background(), process{strings.NewReader(stdin), &stdout, &stderr, lookup}, args)
	if got != code {
		s.t.Errorf("%v = %d, want %d\n%s%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String(), stderr.String()
}

func TestUserCommand(t *testing.T) {
	s := newShell(t)
	out, _ := s.run(0, "", "user", "add", "Bob@Example.com", "--name", "Bob", "--role", "editor,Administrator")
	if !strings.Contains(out, "added bob@example.com as user_") || !strings.Contains(out, "\nhttp://localhost:8081/new-password?ticket=") {
		t.Errorf("add says %q", out)
	}
	if _, err := s.run(1, "", "user", "add", "bob@example.com"); !strings.Contains(err, "already") || strings.Contains(err, "alone") {
		t.Errorf("a second one: %q", err)
	}
	var bob listedUser
	list := func() {
		t.Helper()
		out, _ := s.run(0, "", "user", "list", "--json")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != 2 {
			t.Fatalf("list says %q", out)
		}
		bob = listedUser{}
		if err := json.Unmarshal([]byte(lines[1]), &bob); err != nil {
			t.Fatal(err)
		}
	}
	list()
	if bob.Email != "bob@example.com" || bob.Name != "Bob" || !bob.Invited || strings.Join(bob.Roles, " ") != "Account Administrator Editor" {
		t.Errorf("bob = %+v", bob)
	}
	s.run(0, "", "user", "block", "BOB@example.com")
	if list(); !bob.Blocked {
		t.Error("block does not block")
	}
	if out, _ := s.run(0, "", "user", "list"); !regexp.MustCompile(`bob@example\.com +Bob +blocked +Account`).MatchString(out) {
		t.Errorf("list says\n%s", out)
	}
	s.run(1, "", "user", "reset-password", "bob@example.com")
	s.run(0, "", "user", "unblock", bob.ID)
	if out, _ := s.run(0, "", "user", "reset-password", bob.ID); !strings.HasPrefix(out, "http://localhost:8081/new-password?ticket=") {
		t.Errorf("reset-password says %q", out)
	}
	s.run(2, "short\n", "user", "reset-password", "bob@example.com", "--password-stdin")
	s.run(2, "éééé\n", "user", "reset-password", "bob@example.com", "--password-stdin") // eight bytes, four characters
	s.run(0, "long enough\n", "user", "reset-password", "bob@example.com", "--password-stdin")
	if list(); bob.Blocked || bob.Invited {
		t.Errorf("bob = %+v", bob)
	}
	for _, args := range []string{"block nobody@example.com", "unblock nobody", "reset-password nobody"} {
		s.run(1, "", append([]string{"user"}, strings.Fields(args)...)...)
	}
	for _, args := range []string{
		"", "add", "add a@b c@d", "add nobody", "add a@b --role none", "add a@b --name", "list x", "forget a@b",
		"list --yes",
	} {
		if _, err := s.run(2, "", append([]string{"user"}, strings.Fields(args)...)...); !strings.HasPrefix(err, "formgraph: ") {
			t.Errorf("user %s says %q", args, err)
		}
	}
	if out, _ := s.run(0, "", "user", "--help"); out != userTool.help() || !strings.Contains(out, "take-factor") {
		t.Errorf("help says %q", out)
	}
	empty := shell{t, t.TempDir()}
	for _, args := range []string{"user list", "client list", "keys list", "keys rotate"} {
		if _, err := empty.run(2, "", strings.Fields(args)...); !strings.Contains(err, "is not a data folder") {
			t.Errorf("%s of an empty folder says %q", args, err)
		}
	}
	if files, err := os.ReadDir(empty.folder); err != nil || len(files) != 0 {
		t.Errorf("a command made files in a wrong folder: %v, %v", files, err)
	}
}

func TestClientCommand(t *testing.T) {
	s := newShell(t)
	pair := regexp.MustCompile(`^client_id      (client_\w+)\nclient_secret  (\S{43})\n$`)
	out, _ := s.run(0, "", "client", "add", "Robot", "--type", "non_interactive", "--global", "--audience", "/api/v2/", "--scope",
		"read:forms, read:flows")
	made := pair.FindStringSubmatch(out)
	if made == nil {
		t.Fatalf("add says %q", out)
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(s.folder, database.File))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	scopes, err := db.ClientGrant(t.Context(), made[1], "management", "client")
	if err != nil || strings.Join(scopes, " ") != "read:forms read:flows" {
		t.Errorf("grant = %v, %v", scopes, err)
	}
	row, err := db.Client(t.Context(), made[1])
	if err != nil || !row.Global || !row.FirstParty || row.Public || row.Name != "Robot" {
		t.Errorf("client = %+v, %v", row, err)
	}
	out, _ = s.run(0, "", "client", "rotate-secret", made[1])
	if next := pair.FindStringSubmatch(out); next == nil || next[1] != made[1] || next[2] == made[2] {
		t.Errorf("rotate-secret says %q", out)
	}
	out, _ = s.run(0, "", "client", "add", "Page", "--type", "spa", "--callback", "http://a/cb,http://b/cb", "--third-party", "--audience",
		"http://localhost:8081/me/")
	page := strings.Fields(out)
	if len(page) != 2 || strings.Contains(out, "secret") {
		t.Fatalf("add of a public client says %q", out)
	}
	if row, err = db.Client(t.Context(), page[1]); err != nil || !row.Public || row.FirstParty || len(row.Callbacks) != 2 {
		t.Errorf("client = %+v, %v", row, err)
	}
	if scopes, err = db.ClientGrant(t.Context(), page[1], "me", "user"); err != nil || len(scopes) == 0 {
		t.Errorf("grant = %v, %v", scopes, err)
	}
	if out, _ := s.run(0, "", "client", "list"); !regexp.MustCompile(made[1]+` +Robot +yes +yes +client_credentials`).MatchString(out) ||
		!strings.Contains(out, "formgraph-editor") {
		t.Errorf("list says\n%s", out)
	}
	s.run(1, "", "client", "rotate-secret", page[1])
	s.run(1, "", "client", "rotate-secret", tenant.EditorClient)
	s.run(1, "", "client", "remove", tenant.EditorClient)
	s.run(0, "", "client", "remove", made[1])
	s.run(1, "", "client", "remove", made[1])
	for _, args := range []string{
		"", "add", "add x --type web", "add x --callback /cb", "add x --audience none", "add x --scope a",
		"add x --audience /api/v2/ --scope fly", "add x --type non_interactive --audience http://localhost:8081/me/", "drop x",
	} {
		s.run(2, "", append([]string{"client"}, strings.Fields(args)...)...)
	}
	if all, n, err := db.ListClients(t.Context(), store.Find{}, 0, 10); err != nil || n != 3 { // editor, machine and page
		t.Errorf("%d clients, %v: %+v", n, err, all)
	}
}

// A key that another has followed is old.
func TestKeysListOld(t *testing.T) {
	s := newShell(t)
	if _, err := keys.RotateSigning(filepath.Join(s.folder, "keys"), time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	out, _ := s.run(0, "", "keys", "list", "--json")
	if strings.Count(out, `"state":"in use"`) != 2 || strings.Count(out, `"state":"old"`) != 1 || strings.Contains(out, "next") {
		t.Errorf("list says\n%s", out)
	}
}

func TestKeysCommand(t *testing.T) {
	s := newShell(t)
	file := filepath.Join(s.folder, "keys")
	load := func() *keys.Set {
		t.Helper()
		set, err := keys.Load(file, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	first := load()
	s.run(0, "", "keys", "rotate")
	second := load()
	if len(second.Signing) != 2 || second.Signing[1].ID != first.Signing[0].ID || second.Signing[0].ID == first.Signing[0].ID ||
		len(second.Master) != 1 {
		t.Errorf("rotated to %d signing keys and %d master secrets", len(second.Signing), len(second.Master))
	}
	s.run(0, "", "keys", "rotate", "--master")
	s.run(0, "", "keys", "rotate")
	last := load()
	// The first one signs for five minutes more: none of the others may push it out.
	if len(last.Signing) != 4 || last.Signing[3].ID != first.Signing[0].ID || last.Signer(time.Now()).ID != first.Signing[0].ID {
		t.Errorf("%d signing keys are kept, want all 4", len(last.Signing))
	}
	if len(last.Master) != 2 || last.Master[0].ID != 2 || !bytes.Equal(last.Master[1].Secret, first.Master[0].Secret) ||
		bytes.Equal(last.Master[0].Secret, first.Master[0].Secret) {
		t.Error("the master secret did not rotate, or the old one is lost")
	}
	out, _ := s.run(0, "", "keys", "list", "--json")
	if strings.Count(out, "\n") != 6 || strings.Count(out, `"state":"next"`) != 3 || strings.Count(out, `"state":"in use"`) != 2 ||
		!strings.Contains(out, last.Signing[0].ID) || strings.Count(out, `"newest":true`) != 2 {
		t.Errorf("list says\n%s", out)
	}
	// The old master secret is distinguished from the one in use.
	if strings.Count(out, `"state":"old"`) != 1 {
		t.Errorf("list says\n%s", out)
	}
	if out, _ := s.run(0, "", "keys", "list"); !strings.Contains(out, "in use") {
		t.Errorf("list says\n%s", out)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("keys file has mode %v, %v", info.Mode(), err)
	}
	s.run(2, "", "keys", "rotate", "x")
	s.run(2, "", "keys", "list", "--keys", filepath.Join(s.folder, "none"))
	if _, err := os.Stat(filepath.Join(s.folder, "none")); err == nil {
		t.Error("list made a keys file")
	}
}

// TestAdministration is the way through the whole server: the administrator makes a client and invites a
// person by the editor's backend, the person sets a password by the link, signs in and is not an administrator,
// is blocked and is out; the sign-in log has it all. Client credentials for the account API are refused.
func TestAdministration(t *testing.T) {
	r := start(t, newData(t))
	f := r.first()
	admin := r.person()
	admin.signIn(f.Admin.Email, f.Admin.Password)
	call := func(p *person, want int, method, path, body string) map[string]any {
		t.Helper()
		status, _, text := p.app(method, "/bff/api/admin"+path, body)
		if status != want {
			t.Fatalf("%s %s = %d %s, want %d", method, path, status, text, want)
		}
		var m map[string]any
		_ = json.Unmarshal([]byte(text), &m)
		return m
	}
	if c := call(admin, 201, "POST", "/clients", `{"name":"Made here"}`); c["client_secret"] == nil {
		t.Errorf("client = %v", c)
	}
	bob := call(admin, 201, "POST", "/users", `{"email":"bob@example.com","name":"Bob"}`)
	id := bob["user_id"].(string)
	call(admin, 204, "POST", "/users/"+id+"/roles", `{"roles":["`+tenant.EditorRole+`"]}`)
	link := call(admin, 201, "POST", "/users/"+id+"/tickets", `{}`)["ticket"].(string)
	them := r.person()
	_, _, page := them.send("GET", link, "")
	if !strings.Contains(page, "bob@example.com") || !strings.HasPrefix(link, r.at.Tenant+"/") {
		t.Fatalf("link %s shows %s", link, page)
	}
	ticket, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"token": {ticket.Query().Get("ticket")}, "password": {"a good password"}, "again": {"a good password"}}
	if status, _, text := them.send("POST", r.at.Tenant+"/new-password", form.Encode(), "Content-Type",
		"application/x-www-form-urlencoded"); status != 200 {
		t.Fatalf("set password = %d %s", status, text)
	}
	them.signIn("bob@example.com", "a good password")
	if status, _, text := them.app("GET", "/bff/api/forms", ""); status != 200 {
		t.Errorf("an editor lists forms: %d %s", status, text)
	}
	call(them, 403, "GET", "/users", "")
	call(admin, 200, "PATCH", "/users/"+id, `{"blocked":true}`)
	if status, _, text := them.app("GET", "/bff/api/forms", ""); status == 200 {
		t.Errorf("a blocked person lists forms: %d %s", status, text)
	}
	log := call(admin, 200, "GET", "/logs?include_totals=true&user_id="+id, "")
	if n, _ := log["total"].(float64); n < 3 {
		t.Errorf("log = %v", log)
	}
	for audience, want := range map[string]int{
		r.at.Tenant + "/me/": 403, strings.Replace(r.at.Tenant, "http:", "https:", 1) + "/me/": 403,
		"/api/v2/": 200, "https://other.example/me/": 400,
	} {
		form := url.Values{
			"grant_type": {"client_credentials"}, "client_id": {f.Management.ID}, "client_secret": {f.Management.Secret},
			"audience": {audience},
		}
		status, _, text := them.send(http.MethodPost, r.at.Tenant+"/oauth/token", form.Encode(), "Content-Type",
			"application/x-www-form-urlencoded")
		if status != want || want == 403 && !strings.Contains(text, "access_denied") || want == 200 &&
			!strings.Contains(text, "update:client_keys") {
			t.Errorf("86: client credentials for %s = %d %s, want %d", audience, status, text, want)
		}
	}
	if log := r.log.String(); strings.Contains(log, ticket.Query().Get("ticket")) || strings.Contains(log, "a good password") {
		t.Error("the server's log holds a ticket or a password")
	}
}

// An address that was never confirmed is reported as such, and a person with a passkey is no longer invited.
func TestUserCommandAfterSignUp(t *testing.T) {
	s := newShell(t)
	db, err := sqlite.Open(t.Context(), filepath.Join(s.folder, database.File))
	if err != nil {
		t.Fatal(err)
	}
	passkey := func(id string) store.Method {
		return store.Method{ID: "passkey|" + id, UserID: id, Type: store.MethodPasskey, Key: []byte(id), Data: []byte("{}")}
	}
	for _, u := range []store.User{{ID: "mallory", Email: "dora@example.com", Unverified: true}, {ID: "carl", Email: "carl@example.com"}} {
		if err := db.SignUp(t.Context(), u, passkey(u.ID)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.run(1, "", "user", "add", "Dora@example.com"); !strings.Contains(err,
		"signed up with this address, as mallory, and nobody confirmed it") {
		t.Errorf("an address that another signed up with: %q", err)
	}
	if out, _ := s.run(0, "", "user", "list", "--json"); strings.Contains(out, `"invited":true`) ||
		!strings.Contains(out, "carl@example.com") {
		t.Errorf("list says %s", out)
	}
}
