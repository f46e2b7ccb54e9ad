package clienttests

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// tried is what is tried through each proxy, in this order.
var tried = []struct {
	name string
	try  func(*behind) string
}{
	{"sign in", (*behind).signsIn},
	{"save", (*behind).saves},
	{"conflict", (*behind).conflicts},
	{"file", (*behind).savesFiles},
	{"live", (*behind).worksTogether},
	{"cut", (*behind).losesNothing},
	{"export", (*behind).exports},
	{"upload", (*behind).uploads},
	{"error page", (*behind).showsFaults},
}

// behind is an editor and a tenant behind a proxy, and an editor whose tenant cannot be reached.
type behind struct {
	*testing.T

	hostile bool
	ana     *visitor
	server  *server
	broken  string
	form    string // its path
}

// TestProxies tries what people do through real proxies: with the configurations of server/CONFIGURATION.md, and with ones that compress,
// change and remove tags, have pages of their own for errors, end idle streams and keep others back.
func TestProxies(t *testing.T) {
	var table strings.Builder
	rows := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprint(rows, "proxy")
	for _, s := range tried {
		fmt.Fprint(rows, "\t", s.name)
	}
	for i := range proxies {
		p := &proxies[i]
		configs := []struct{ name, text string }{{"documented", p.documented(t)}, {"hostile", p.hostile}}
		if p.name == "nginx" {
			configs = append(configs, struct{ name, text string }{"with gzip", asDistributed})
		}
		for _, c := range configs {
			fmt.Fprintf(rows, "\n%s %s", p.name, c.name)
			t.Run(p.name+" "+c.name, func(t *testing.T) {
				b := newBehind(t, p, c.text, c.name != "documented")
				for _, s := range tried {
					cell := "FAILED"
					t.Run(s.name, func(t *testing.T) {
						b.T, b.ana.t = t, t
						if seen := s.try(b); !t.Failed() {
							cell = seen
						}
					})
					if fmt.Fprint(rows, "\t", cell); b.form == "" {
						break // nobody is signed in
					}
				}
			})
		}
	}
	fmt.Fprintln(rows)
	_ = rows.Flush()
	for i := range proxies {
		version, _ := exec.Command(proxies[i].version[0], proxies[i].version[1:]...).CombinedOutput()
		first, _, _ := strings.Cut(string(version), "\n")
		fmt.Fprintf(&table, "%s: %s\n", proxies[i].name, first)
	}
	t.Logf("\n%s", table.String())
}

func newBehind(t *testing.T, p *proxy, config string, hostile bool) *behind {
	t.Helper()
	editor, tenant, broken := pair{freePort(t), freePort(t)}, pair{freePort(t), freePort(t)}, pair{freePort(t), freePort(t)}
	p.start(t, config, editor, tenant, broken)
	at := func(port int) string { return fmt.Sprint("127.0.0.1:", port) }
	public := func(port int) string { return fmt.Sprint("http://localhost:", port) }
	b := &behind{T: t, hostile: hostile, broken: public(broken.from)}
	b.server = start(t, "--listen", at(editor.to), "--public-url", public(editor.from), "--tenant-listen", at(tenant.to),
		"--tenant-url", public(tenant.from), "--trusted-proxy", "127.0.0.1/32")
	run(t, "--listen", at(broken.to), "--public-url", b.broken, "--issuer", fmt.Sprint("http://localhost:", freePort(t)), "--client-id", "editor",
		"--client-secret", "secret-of-the-editor", "--audience", "http://localhost:1/api/v2/", "--trusted-proxy", "127.0.0.1/32")
	b.ana = newVisitor(t, public(editor.from), public(tenant.from))
	return b
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func accepts(port int) bool {
	c, err := net.Dial("tcp", fmt.Sprint("127.0.0.1:", port))
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}

// must ends the test unless an answer has a status.
func (b *behind) must(a answered, status int) answered {
	b.Helper()
	if a.status != status {
		b.Fatalf("%d %v %.600s, want %d", a.status, a.header, a.text, status)
	}
	return a
}

func (b *behind) signsIn() string {
	b.must(b.ana.signIn(b.server.Admin.Email, b.server.Admin.Password), http.StatusOK)
	made := b.must(b.ana.call(http.MethodPost, "/bff/api/forms", `{"name":"Behind a proxy"}`), http.StatusCreated)
	var form struct{ ID string }
	if err := json.Unmarshal([]byte(made.text), &form); err != nil {
		b.Fatal(err)
	}
	b.form = "/bff/api/forms/" + form.ID
	return "ok"
}

// saves reads a form and saves it, twice. The cell says what came of the tag.
func (b *behind) saves() string {
	read := b.must(b.ana.call(http.MethodGet, b.form, ""), http.StatusOK)
	saved := b.must(b.ana.save(http.MethodPatch, b.form, `{"name":"First"}`, read.tag()), http.StatusOK)
	b.must(b.ana.save(http.MethodPatch, b.form, `{"name":"Second"}`, saved.tag()), http.StatusOK)
	// A script knows only the standard's header.
	read = b.must(b.ana.call(http.MethodGet, b.form, ""), http.StatusOK)
	tag := read.header.Get("ETag")
	changed := "tag as it was"
	switch {
	case tag == "":
		changed = "tag removed"
	case tag != read.tag():
		changed = "tag " + strings.Replace(tag, strings.Trim(read.tag(), `"`), "x", 1)
	}
	if tag != "" {
		b.must(b.ana.call(http.MethodPatch, b.form, `{"name":"Third"}`, "If-Match", `"other", `+tag), http.StatusOK)
	}
	if b.hostile && changed == "tag as it was" {
		b.Error("the proxy leaves tags alone")
	}
	return changed
}

// conflicts lets two people change the same version: the second is told.
func (b *behind) conflicts() string {
	read := b.must(b.ana.call(http.MethodGet, b.form, ""), http.StatusOK)
	b.must(b.ana.save(http.MethodPatch, b.form, `{"name":"Mine"}`, read.tag()), http.StatusOK)
	b.must(b.ana.save(http.MethodPatch, b.form, `{"name":"Lost"}`, read.tag()), http.StatusPreconditionFailed)
	if now := b.ana.call(http.MethodGet, b.form, ""); !strings.Contains(now.text, `"Mine"`) {
		b.Errorf("a change was lost: %s", now.text)
	}
	return "412"
}

func (b *behind) savesFiles() string {
	path := b.form + "/scenarios"
	read := b.must(b.ana.call(http.MethodGet, path, ""), http.StatusOK)
	file := `{"version":1,"scenarios":[{"name":"A","steps":[],"expect":["$ending"]}]}`
	saved := b.must(b.ana.save(http.MethodPut, path, file, read.tag()), http.StatusOK)
	b.must(b.ana.save(http.MethodPut, path, strings.Replace(file, `"A"`, `"Lost"`, 1), read.tag()), http.StatusPreconditionFailed)
	b.must(b.ana.save(http.MethodPut, path, strings.Replace(file, `"A"`, `"B"`, 1), saved.tag()), http.StatusOK)
	return "ok"
}

// id is the form's.
func (b *behind) id() string { return b.form[len("/bff/api/forms/"):] }

// worksTogether saves while a page follows, and lets two pages edit together where streams are not kept back.
func (b *behind) worksTogether() string {
	ana := b.ana.follow(b.id(), "ana")
	defer ana.stop()
	ana.until(b, "saved", b.must(b.ana.call(http.MethodPatch, b.form, `{"name":"Told"}`), http.StatusOK).tag())
	if ana.asks.Load() {
		if !b.hostile {
			b.Error("the proxy keeps the stream back")
		}
		return "asks"
	}
	ben := b.ana.follow(b.id(), "ben")
	defer ben.stop()
	ana.until(b, "presence", "")
	read := b.must(b.ana.call(http.MethodGet, b.form, ""), http.StatusOK)
	opened := b.must(b.ana.call(http.MethodPost, b.form+"/live", fmt.Sprintf(`{"saved":%s,"etag":%q,"instead":""}`, read.text, read.tag()),
		"X-Tab", "ben"), http.StatusOK)
	var part struct{ Room string }
	if err := json.Unmarshal([]byte(opened.text), &part); err != nil {
		b.Fatal(err)
	}
	entry := fmt.Sprintf(`{"room":%q,"entry":{"number":1,"serial":1,"edits":[{"at":"name","to":"Together"}]}}`, part.Room)
	b.must(b.ana.call(http.MethodPost, b.form+"/live", entry, "X-Tab", "ben"), http.StatusOK)
	ana.until(b, "edit", "")
	return "streams"
}

// losesNothing saves after a stream has ended, and hears of the save in the next one.
func (b *behind) losesNothing() string {
	page := b.ana.follow(b.id(), "")
	defer page.stop()
	cut := "kept"
	select {
	case after := <-page.ends:
		if cut = fmt.Sprintf("after %.0f s", after.Seconds()); !b.hostile {
			b.Errorf("the stream is cut %s", cut)
		}
	case <-time.After(3 * quiet): // longer than the hostile proxies leave it
	}
	page.until(b, "saved", b.must(b.ana.call(http.MethodPatch, b.form, `{"name":"Meanwhile"}`), http.StatusOK).tag())
	return cut
}

// exports reads the form and its versions.
func (b *behind) exports() string {
	for _, path := range []string{b.form, b.form + "/versions", "/bff/api/forms?per_page=100&page=0"} {
		if read := b.must(b.ana.call(http.MethodGet, path, ""), http.StatusOK); !json.Valid([]byte(read.text)) {
			b.Errorf("%s is %.200s", path, read.text)
		}
	}
	return "ok"
}

// uploads sends bodies just under the limit of the server, and over it.
func (b *behind) uploads() string {
	const limit = 4 << 20
	body := func(size int) string {
		const start, end = `{"translations":{"de":{"components":{"c":{"label":"`, `"}}}}}`
		return start + strings.Repeat("x", size-len(start)-len(end)) + end
	}
	over := b.must(b.ana.call(http.MethodPatch, b.form, body(limit+1)), http.StatusRequestEntityTooLarge)
	ours := strings.Contains(over.text, `"too_large"`)
	under := b.ana.call(http.MethodPatch, b.form, body(limit-1024))
	switch {
	case b.hostile && under.status == http.StatusRequestEntityTooLarge:
		return "413 of the proxy"
	case !ours:
		b.Errorf("over the limit: %v %.300s", over.header, over.text)
	}
	b.must(under, http.StatusOK)
	read := b.must(b.ana.call(http.MethodGet, b.form, ""), http.StatusOK)
	if len(read.text) < limit-1024 || !json.Valid([]byte(read.text)) {
		b.Errorf("%d bytes came back", len(read.text))
	}
	return "ok, 413 of ours"
}

// showsFaults opens pages that people must read, one of them about a tenant that cannot be reached.
func (b *behind) showsFaults() string {
	for _, x := range []struct {
		address, says string
	}{
		{b.ana.editor + "/bff/callback?state=other", "You are not signed in"},
		{b.broken + "/bff/login", "Sign-in is not possible right now"},
	} {
		if page := b.ana.send(http.MethodGet, x.address, "", "Accept", "text/html"); !strings.Contains(page.text, x.says) {
			b.Errorf("%s: %d %.600s", x.address, page.status, page.text)
		}
	}
	down := b.ana.send(http.MethodGet, b.broken+"/bff/login", "", "Accept", "application/json")
	if !strings.HasPrefix(down.header.Get("Content-Type"), "application/problem+json") {
		return fmt.Sprintf("ours; for programs its own %d", down.status)
	}
	return "ours"
}
