package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/formgraph/formgraph/server/database"
	"github.com/formgraph/formgraph/server/keys/keystest"
	"github.com/formgraph/formgraph/server/porttest"
	"github.com/formgraph/formgraph/server/signintest"
	"github.com/formgraph/formgraph/server/store/postgres/postgrestest"
	"github.com/formgraph/formgraph/server/store/sqlite/sqlitetest"
)

// running is a whole server in this process.
type running struct {
	t      *testing.T
	at     addresses
	folder string
	log    *safeBuffer
	stop   func() int
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}
func (s *safeBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

func noEnv(string) (string, bool) { return "", false }

// newData returns a data folder that has keys and an empty database, whose creation takes most of a first start. Everything else is left to
// the first start; a test of that names a folder that does not exist.
func newData(tb testing.TB) string {
	tb.Helper()
	folder := filepath.Join(tb.TempDir(), "data")
	must(tb, os.Mkdir(folder, 0o700))
	keystest.Put(tb, filepath.Join(folder, "keys"))
	sqlitetest.Put(tb, filepath.Join(folder, database.File))
	return folder
}

// start runs `formgraph serve` on free ports until the test ends.
func start(t *testing.T, folder string, args ...string) *running {
	t.Helper()
	r := &running{t: t, folder: folder, log: &safeBuffer{}}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	code := make(chan int, 1)
	go func() {
		args = append([]string{"serve", "--data", folder, "--print-ready", "--log-level", "debug"}, args...)
		if !slices.Contains(args, "--listen") {
			args = append(args, "--listen", "127.0.0.1:0", "--tenant-listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0")
		}
		code <- run(ctx, process{stdout: in, stderr: r.log, lookup: noEnv}, args)
		_ = in.Close()
	}()
	var once sync.Once
	var ended int
	r.stop = func() int {
		once.Do(func() { cancel(); ended = <-code })
		return ended
	}
	t.Cleanup(func() { r.stop() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no ready line: %v\n%s", err, r.log)
	}
	if err := json.Unmarshal([]byte(line), &r.at); err != nil {
		t.Fatal(err)
	}
	return r
}

// person is somebody with a browser. Every answer of the editor is kept, and
// every token that the tenant must not have let out is looked for in them.
type person struct {
	r       *running
	client  *http.Client
	answers strings.Builder
}

func (r *running) person() *person {
	return &person{r: r, client: &http.Client{Jar: signintest.NewJar()}}
}

func (p *person) send(method, target, body string, headers ...string) (int, http.Header, string) {
	p.r.t.Helper()
	req, err := http.NewRequestWithContext(p.r.t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		p.r.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := p.client.Do(req)
	if err != nil {
		p.r.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.r.t.Fatal(err)
	}
	fmt.Fprintln(&p.answers, res.StatusCode, res.Header, string(text))
	return res.StatusCode, res.Header, string(text)
}

func (p *person) app(method, path, body string, headers ...string) (int, http.Header, string) {
	p.r.t.Helper()
	headers = append(headers, "X-CSRF", "1", "Origin", p.r.at.Editor, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/json")
	return p.send(method, p.r.at.Editor+path, body, headers...)
}

// signIn goes the way of a browser: login, the tenant's page, its form, callback.
func (p *person) signIn(email, password string) {
	p.r.t.Helper()
	p.signInBy("/bff/login?return_to=/forms", email, password)
}

func (p *person) signInBy(path, email, password string) {
	p.r.t.Helper()
	_, _, page := p.send("GET", p.r.at.Editor+path, "", "Accept", "text/html")
	if status, page := p.submit(page, email, password); status != 200 || !strings.Contains(page, "app-wasm-loader") {
		p.r.t.Fatalf("sign-in ended with %d: %s", status, page)
	}
}

// submit sends the form of a sign-in page, and returns the status and the page where that ends.
func (p *person) submit(page, email, password string) (int, string) {
	p.r.t.Helper()
	action, fields, ok := signintest.Form(page)
	if !ok {
		p.r.t.Fatalf("no sign-in page: %s", page)
	}
	fields.Set("email", email)
	fields.Set("password", password)
	to, err := url.Parse(p.r.at.Tenant + "/")
	must(p.r.t, err)
	to, err = to.Parse(action)
	must(p.r.t, err)
	status, _, page := p.send("POST", to.String(), fields.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin",
		p.r.at.Tenant, "Accept", "text/html")
	return status, page
}

func (r *running) first() firstStart {
	r.t.Helper()
	return readFirst(r.t, r.folder)
}

// readFirst reads what the first start has left in a data folder.
func readFirst(tb testing.TB, folder string) firstStart {
	tb.Helper()
	src, err := os.ReadFile(filepath.Join(folder, "first-start.json"))
	must(tb, err)
	var f firstStart
	must(tb, json.Unmarshal(src, &f))
	return f
}

// TestTheMainJob uses the real tenant from start to end: sign in, list, create, change, start again, read, sign out. Then it
// searches every answer and the log for tokens.
func TestTheMainJob(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { mainJob(t) })
	t.Run("PostgreSQL", func(t *testing.T) { mainJob(t, "--database", postgrestest.URL(t)) })
}

func mainJob(t *testing.T, args ...string) {
	t.Helper()
	folder := newData(t)
	fixed := append(slices.Clone(args), "--listen", porttest.Address(t), "--tenant-listen", porttest.Address(t), "--sample-listen", "127.0.0.1:0")
	r := start(t, folder, fixed...)
	f := r.first()
	p := r.person()
	p.signIn(f.Admin.Email, f.Admin.Password)

	status, _, user := p.app("GET", "/bff/user", "")
	if status != 200 || !strings.Contains(user, f.Admin.Email) || !strings.Contains(user, "update:forms") {
		t.Fatalf("user: %d %s", status, user)
	}
	status, _, list := p.app("GET", "/bff/api/forms?include_totals=true", "")
	var page struct {
		Total int
		Forms []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(list), &page); err != nil || status != 200 || page.Total != 3 || len(page.Forms) != 3 {
		t.Fatalf("list: %d %s %v", status, list, err)
	}
	if status, _, body := p.app("GET", "/bff/api/flows", ""); status != 200 {
		t.Errorf("flows: %d %s", status, body)
	}
	status, _, body := p.app("POST", "/bff/api/forms", `{"name":"Made by a test"}`)
	var made struct {
		ID        string `json:"id"`
		UpdatedAt string `json:"updated_at"`
	}
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
		t.Fatalf("create: %d %s %v", status, body, err)
	}
	path := "/bff/api/forms/" + made.ID
	_, header, _ := p.app("GET", path, "")
	tag := header.Get("ETag")
	status, header, body = p.app("PATCH", path, `{"name":"Changed"}`, "If-Match", tag)
	if status != 200 || !strings.Contains(body, `"Changed"`) || header.Get("ETag") == tag || header.Get("X-Ratelimit-Limit") == "" {
		t.Errorf("change: %d %v %s", status, header, body)
	}
	if status, _, body := p.app("PATCH", path, `{"name":"Lost"}`, "If-Match", tag); status != 412 || !strings.Contains(body, `"conflict"`) {
		t.Errorf("old version: %d %s", status, body)
	}
	if status, _, body := p.app("PATCH", path, `{"name":"","NAME":1}`); status != 400 || !strings.Contains(body, `"problems":[{`) ||
		!strings.Contains(body, `"unknown"`) {
		t.Errorf("broken: %d %s", status, body)
	}
	if code := r.stop(); code != 0 {
		t.Fatalf("ended with %d: %s", code, r.log)
	}

	// The same again: the session and the form live on.
	again := start(t, folder, fixed...)
	p.r = again
	if status, _, body := p.app("GET", path, ""); status != 200 || !strings.Contains(body, `"Changed"`) {
		t.Errorf("after a restart: %d %s", status, body)
	}
	status, _, body = p.app("POST", "/bff/logout", "")
	if status != 200 || !strings.Contains(body, again.at.Tenant+"/oidc/logout") {
		t.Errorf("sign out: %d %s", status, body)
	}
	if status, _, _ := p.app("GET", "/bff/user", ""); status != 401 {
		t.Errorf("still signed in: %d", status)
	}
	var said struct {
		LogoutURL string `json:"logout_url"`
	}
	if err := json.Unmarshal([]byte(body), &said); err != nil {
		t.Fatal(err)
	}
	if status, _, body := p.send("GET", said.LogoutURL, ""); status != 200 || !strings.Contains(body, "app-wasm-loader") {
		t.Errorf("the tenant's sign-out must lead home: %d %s", status, body)
	}
	p.signIn(f.Admin.Email, f.Admin.Password)
	again.stop()

	// Under other addresses the tokens are for an API that no longer exists: one has to
	// sign in again, and can.
	moved := start(t, folder, args...)
	other := moved.person()
	other.client.Jar.SetCookies(mustURL(t, moved.at.Editor), p.client.Jar.Cookies(mustURL(t, again.at.Editor)))
	if status, _, body := other.app("GET", path, ""); status != 401 || !strings.Contains(body, "session_expired") {
		t.Errorf("moved: %d %s", status, body)
	}
	other.signIn(f.Admin.Email, f.Admin.Password)
	if status, _, body := other.app("DELETE", path, ""); status != 204 {
		t.Errorf("delete: %d %s", status, body)
	}
	moved.stop()

	logs := r.log.String() + again.log.String() + moved.log.String()
	for _, secret := range []string{"eyJhbGciOi", f.Admin.Password, f.Management.Secret, "code_verifier", "refresh_token", "access_token"} {
		if strings.Contains(logs, secret) {
			t.Errorf("%q stands in the log", secret)
		}
		if strings.Contains(p.answers.String()+other.answers.String(), secret) {
			t.Errorf("%q stands in an answer", secret)
		}
	}
	if !strings.Contains(logs, `"event":"form_saved"`) {
		t.Error("the log is empty")
	}
}

func mustURL(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func address(t *testing.T, public string) string {
	t.Helper()
	return "127.0.0.1:" + mustURL(t, public).Port()
}

func TestListeners(t *testing.T) {
	r := start(t, newData(t), "--webauthn-grant", "urn:example:webauthn")
	p := r.person()
	for _, base := range []string{r.at.Editor, r.at.Tenant} {
		for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/debug/pprof/": 404, "/metrics": 404} {
			if status, _, body := p.send("GET", base+path, ""); status != want {
				t.Errorf("%s%s: %d %s", base, path, status, body)
			}
		}
	}
	if _, _, body := p.send("GET", r.at.Tenant+"/.well-known/openid-configuration", ""); !strings.Contains(body, `"urn:example:webauthn"`) ||
		strings.Contains(body, "formgraph:params") {
		t.Errorf("the tenant's grants are not those of the option: %s", body)
	}
	// The session of the editor is worth nothing at the tenant.
	f := r.first()
	p.signIn(f.Admin.Email, f.Admin.Password)
	p.client.Jar.SetCookies(mustURL(t, r.at.Tenant), p.client.Jar.Cookies(mustURL(t, r.at.Editor)))
	for _, path := range []string{"/api/v2/forms", "/api/v2/users", "/me/v1/sessions", "/me/v1/authentication-methods", "/userinfo"} {
		if status, _, body := p.send("GET", r.at.Tenant+path, "", "X-CSRF", "1", "Origin", r.at.Editor); status != 401 {
			t.Errorf("the editor's session at the tenant's %s: %d %s", path, status, body)
		}
	}
}

// TestStartRefused: a start that would be unsafe is refused with the reason.
func TestStartRefused(t *testing.T) {
	seeded := func(t *testing.T) string {
		t.Helper()
		folder := newData(t)
		r := start(t, folder)
		r.stop()
		return folder
	}
	for _, x := range []struct {
		name    string
		prepare func(t *testing.T) []string
		code    int
		want    string
	}{
		{"missing keys", func(t *testing.T) []string {
			t.Helper()
			f := seeded(t)
			remove(t, filepath.Join(f, "keys"))
			return []string{"--data", f}
		}, exitUnusable, "restore the keys"},
		{"keys of another database", func(t *testing.T) []string {
			t.Helper()
			return []string{"--data", seeded(t), "--keys", filepath.Join(seeded(t), "keys")}
		}, exitUnusable, "does not belong to this database"},
		{"keys others may read", func(t *testing.T) []string {
			t.Helper()
			f := seeded(t)
			if err := os.Chmod(filepath.Join(f, "keys"), 0o644); err != nil {
				t.Fatal(err)
			}
			return []string{"--data", f}
		}, exitUnusable, "chmod 600"},
		{"broken keys", func(t *testing.T) []string {
			t.Helper()
			f := seeded(t)
			write(t, filepath.Join(f, "keys"), "{}")
			return []string{"--data", f}
		}, exitUnusable, "keys file"},
		{"http outside", func(t *testing.T) []string {
			t.Helper()
			return []string{"--data", filepath.Join(t.TempDir(), "d"), "--public-url", "http://forms.example"}
		}, exitUnusable, "https"},
		{"folder of somebody else", func(t *testing.T) []string {
			t.Helper()
			f := t.TempDir()
			write(t, filepath.Join(f, "thesis.txt"), "x")
			if err := os.Chmod(f, 0o755); err != nil {
				t.Fatal(err)
			}
			return []string{"--data", f}
		}, exitUnusable, "choose another --data"},
		{"data is a file", func(t *testing.T) []string {
			t.Helper()
			f := filepath.Join(t.TempDir(), "data")
			write(t, f, "x")
			return []string{"--data", f}
		}, exitUnusable, "data folder"},
		{"port is taken", func(t *testing.T) []string {
			t.Helper()
			r := start(t, newData(t))
			return []string{"--data", filepath.Join(t.TempDir(), "d"), "--listen", address(t, r.at.Editor)}
		}, exitFailed, "listen for the editor"},
	} {
		t.Run(x.name, func(t *testing.T) {
			args := append([]string{"--tenant-listen", "127.0.0.1:0", "--sample-listen", "127.0.0.1:0"}, x.prepare(t)...)
			if !slices.Contains(args, "--listen") {
				args = append(args, "--listen", "127.0.0.1:0")
			}
			var out, errs safeBuffer
			if code := run(t.Context(), process{stdout: &out, stderr: &errs, lookup: noEnv}, args); code != x.code ||
				!strings.Contains(errs.String(), x.want) {
				t.Errorf("got %d: %s", code, errs.String())
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func TestCommands(t *testing.T) {
	for _, x := range []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"help"}, exitOK, "serve"},
		{[]string{"--help"}, exitOK, "validate"},
		{[]string{"version"}, exitOK, "formgraph "},
		{[]string{"serve", "--help"}, exitOK, "FORMGRAPH_CLIENT_SECRET_FILE"},
		{[]string{"serve", "--print-config", "--admin-password", "do not show it"}, exitOK, `admin-password = "********"`},
		{[]string{"--print-config"}, exitOK, "listen = "},
		{[]string{"nonsense"}, exitUnusable, "unknown command"},
		{[]string{"serve", "--dialect", "x", "--listen", "y"}, exitUnusable, "--listen: must be host:port\n--dialect: must be one of"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), process{stdin: strings.NewReader(""), stdout: &out, stderr: &out, lookup: noEnv}, x.args); code != x.code ||
			!strings.Contains(out.String(), x.out) {
			t.Errorf("%v: got %d %s", x.args, code, out.String())
		}
		if strings.Contains(out.String(), "do not show it") {
			t.Errorf("%v shows the secret", x.args)
		}
	}
}

// asksToSignIn reports whether a page is one of the tenant's that asks for something.
func asksToSignIn(page string) bool {
	_, _, ok := signintest.Form(page)
	return ok
}
