package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/formgraph/formgraph/web"
)

const app = "this is the app, decoded"

func tree(t *testing.T, more fstest.MapFS) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{
		"dist/.gitignore":      {Data: []byte("*")},
		"dist/app.wasm.gz":     {Data: zipped(t, app)},
		"dist/app.wasm.br":     {Data: []byte("brotli of the app")},
		"dist/console.wasm.gz": {Data: zipped(t, "the other")},
		"dist/trial.wasm.gz":   {Data: zipped(t, "the worker's")},
		"dist/desk.wasm.gz":    {Data: zipped(t, "the desk's")},
		"dist/wasm_exec.js":    {Data: []byte(strings.Repeat("glue ", 1000))},
		"static/tokens.css":    {Data: []byte(web.ForTokens)},
		"static/icons.svg":     {Data: []byte(web.ForIcons("step", "flow", "router", "start", "ending", "unknown", "warn", "plus", "home", "search", "tick", "info", "lock"))},
		"static/app.css":       {Data: []byte(strings.Repeat("a{color:red}", 200))},
		"static/console.css":   {Data: []byte("d{}")},
		"static/canvas.css":    {Data: []byte("c{}")},
		"static/inspect.css":   {Data: []byte("i{}")},
		"static/desk.css":      {Data: []byte("k{}")},
		"static/list.css":      {Data: []byte("l{}")},
		"static/look.css":      {Data: []byte("o{}")},
		"static/look.js":       {Data: []byte("look")},
		"static/compare.css":   {Data: []byte("m{}")},
		"static/comments.css":  {Data: []byte("m{}")},
		"static/canvas.js":     {Data: []byte("canvas")},
		"static/desk.js":       {Data: []byte("desk")},
		"static/drop.js":       {Data: []byte("drop")},
		"static/events.js":     {Data: []byte("events")},
		"static/menu.js":       {Data: []byte("menu")},
		"static/richtext.js":   {Data: []byte("r")},
		"static/code.js":       {Data: []byte("k")},
		"static/worker.js":     {Data: []byte("worker")},
		"static/shell.css":     {Data: []byte("b{}")},
		"static/boot.js":       {Data: []byte("boot")},
		"static/theme.js":      {Data: []byte("theme")},
		"static/favicon.svg":   {Data: []byte("<svg/>")},

		"static/preview.css": {Data: []byte("p > q { color: red }")},
		"static/preview.js":  {Data: []byte("preview")},

		"static/signed-in.js":         {Data: []byte("x")},
		"static/sign-out.js":          {Data: []byte("y")},
		"static/manifest.webmanifest": {Data: []byte("{}")},
	}
	maps.Copy(files, more)
	return files
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func site(t *testing.T, files fs.FS) *web.Site {
	t.Helper()
	s, err := web.NewSite(files, web.Options{Dialect: "vendor", Version: `v1"<`})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func get(s http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

func shell(s *web.Site) string {
	w := httptest.NewRecorder()
	s.Shell(w, httptest.NewRequest(http.MethodGet, "/", nil), web.Editor)
	return w.Body.String()
}

func wasmURL(t *testing.T, s *web.Site) string {
	t.Helper()
	m := regexp.MustCompile(`data-wasm="([^"]*)"`).FindStringSubmatch(shell(s))
	if m == nil {
		t.Fatalf("no address of the app in %s", shell(s))
	}
	return m[1]
}

func TestEncodings(t *testing.T) {
	s := site(t, tree(t, nil))
	for _, x := range []struct{ accept, encoding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli of the app"},
		{"br;q=0, gzip", "gzip", string(zipped(t, app))},
		{"gzip;q=0.5", "gzip", string(zipped(t, app))},
		{"*", "br", "brotli of the app"},
		{"*;q=0", "", app},
		{"*, br; q=0", "gzip", string(zipped(t, app))},
		{"identity", "", app},
		{"", "", app},
		{"abr, gzipped", "", app},
	} {
		w := get(s, wasmURL(t, s), "Accept-Encoding", x.accept)
		h := w.Header()
		if w.Code != 200 || h.Get("Content-Encoding") != x.encoding || w.Body.String() != x.body {
			t.Errorf("%q: got %d %q %q", x.accept, w.Code, h.Get("Content-Encoding"), w.Body)
		}
		if h.Get("X-Raw-Length") != "24" || h.Get("Content-Type") != "application/wasm" || h.Get("Vary") != "Accept-Encoding" || h.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%q: got %v", x.accept, h)
		}
	}
	// Our own text files are compressed at the start.
	w := get(s, "/web/app.css", "Accept-Encoding", "gzip")
	z, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(z); err != nil || len(text) != 2400 || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("got %d bytes, %v, %v", len(text), err, w.Header())
	}
}

func TestTags(t *testing.T) {
	s := site(t, tree(t, nil))
	br := get(s, wasmURL(t, s), "Accept-Encoding", "br").Header().Get("ETag")
	gz := get(s, wasmURL(t, s), "Accept-Encoding", "gzip").Header().Get("ETag")
	if br == gz || br == "" {
		t.Errorf("two encodings need two tags: %s %s", br, gz)
	}
	for tag, want := range map[string]int{br: 304, gz: 304, "W/" + br: 304, `"x", ` + br: 304, br[:len(br)-1] + `-gzip"`: 304, "*": 304, `"x"`: 200} {
		if w := get(s, wasmURL(t, s), "Accept-Encoding", "br", "If-None-Match", tag); w.Code != want || want == 304 && w.Body.Len() != 0 {
			t.Errorf("%s: got %d", tag, w.Code)
		}
	}
}

func TestVersions(t *testing.T) {
	a := site(t, tree(t, nil))
	b := site(t, tree(t, fstest.MapFS{"dist/app.wasm.gz": {Data: zipped(t, "a newer app")}}))
	if a.Version() == b.Version() || wasmURL(t, a) == wasmURL(t, b) {
		t.Error("another app needs another version and address")
	}
	if again := site(t, tree(t, nil)); a.Version() != again.Version() || shell(a) != shell(again) {
		t.Error("the same files must give the same version")
	}
	for _, target := range []string{wasmURL(t, a), "/web/none.js", "/web/", "/web/.gitignore", "/web/dist/app.wasm", "/web/../web.go", "/web/index.html"} {
		if w := get(b, target); w.Code != 404 || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %v", target, w.Code, w.Header())
		}
	}
}

func TestHead(t *testing.T) {
	s := site(t, tree(t, nil))
	for _, accept := range []string{"br", ""} {
		r := httptest.NewRequest(http.MethodHead, "/web/app.wasm", nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != 200 || w.Body.Len() != 0 || w.Header().Get("Content-Length") == "" {
			t.Errorf("got %d %v %q", w.Code, w.Header(), w.Body)
		}
	}
}

// The page contains every symbol of the icon set, with an id that no other element has.
func TestIconsInPage(t *testing.T) {
	w := httptest.NewRecorder()
	site(t, tree(t, nil)).Shell(w, httptest.NewRequest(http.MethodGet, "/forms", nil), web.Editor)
	for _, want := range []string{`<svg hidden xmlns=`, `<symbol id="i-step" `, `<symbol id="i-warn" `} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page has no %s:\n%s", want, w.Body)
		}
	}
}

func TestBrokenTrees(t *testing.T) {
	without := func(name string) fstest.MapFS { f := tree(t, nil); delete(f, name); return f }
	for name, files := range map[string]fstest.MapFS{
		"no boot":           without("static/boot.js"),
		"no preview":        without("static/preview.css"),
		"no icons":          without("static/icons.svg"),
		"brotli only":       without("dist/app.wasm.gz"),
		"unknown extension": tree(t, fstest.MapFS{"static/notes.txt": {}}),
		"in both folders":   tree(t, fstest.MapFS{"dist/boot.js": {}, "static/boot.js": {Data: []byte("x")}}),
		"no gzip":           tree(t, fstest.MapFS{"dist/app.wasm.gz": {Data: []byte("x")}}),
		"cut gzip":          tree(t, fstest.MapFS{"dist/app.wasm.gz": {Data: zipped(t, "")[:12]}}),
	} {
		if _, err := web.NewSite(files, web.Options{}); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
}

func TestNotBuilt(t *testing.T) {
	files := tree(t, nil)
	for _, name := range []string{"dist/app.wasm.gz", "dist/app.wasm.br", "dist/wasm_exec.js"} {
		delete(files, name)
	}
	s := site(t, files)
	if s.Built() || wasmURL(t, s) != "/web/app.wasm" || get(s, "/web/app.wasm").Code != 404 {
		t.Error("the page must load and explain what is missing")
	}
	if !site(t, tree(t, nil)).Built() {
		t.Error("the app is there")
	}
}

var (
	inlineScript = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>[^<]|\son[a-z]+\s*=|javascript:|<style|\sstyle=`)
	foreign      = regexp.MustCompile(`(?i)(?:src|href)\s*=\s*"(?:https?:)?//`)
)

// The content security policy forbids inline scripts and styles, and nothing may be loaded
// from other origins.
func TestPages(t *testing.T) {
	s := site(t, tree(t, nil))
	w := httptest.NewRecorder()
	if err := s.Page(w, httptest.NewRequest(http.MethodGet, "/", nil), 404, web.Message{Title: "Page <not> found", Text: `"><script>alert(1)</script>`, Action: "Home", Href: "/", Code: "not_found", SignedIn: true}); err != nil {
		t.Fatal(err)
	}
	if w.Code != 404 || w.Header().Get("Cache-Control") != "no-store" || !strings.Contains(w.Body.String(), "Page &lt;not&gt; found") || !strings.Contains(w.Body.String(), "signed-in.js") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), "sign-out") {
		t.Error("a page without a session offers to sign out")
	}
	out := httptest.NewRecorder()
	if err := s.Page(out, httptest.NewRequest(http.MethodGet, "/", nil), 403, web.Message{Title: "No access", SignOut: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.Body.String(), `id="sign-out"`) || !strings.Contains(out.Body.String(), "sign-out.js") {
		t.Errorf("no button to sign out: %s", out.Body)
	}
	for name, page := range map[string]string{"shell": shell(s), "message": w.Body.String(), "sign-out": out.Body.String()} {
		if m := inlineScript.FindString(page); m != "" {
			t.Errorf("%s contains %q", name, m)
		}
		if m := foreign.FindString(page); m != "" {
			t.Errorf("%s contains %q", name, m)
		}
	}
	if strings.Contains(shell(s), "data-remote") || strings.Contains(shell(s), "data-account") {
		t.Error("the shell of an embedded tenant without an account API says otherwise")
	}
	for _, want := range []string{"<body>\n<div></div>", `id="app-wasm-loader"`, `role="progressbar"`, `id="app-wasm-loader-label"`, `data-dialect="vendor"`, `data-version="v1&#34;&lt;"`} {
		if !strings.Contains(shell(s), want) {
			t.Errorf("the shell lacks %s", want)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="(/web/[^"]*)"`).FindAllStringSubmatch(shell(s), -1) {
		if got := get(s, m[1]); got.Code != 200 || got.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: got %d %v", m[1], got.Code, got.Header())
		}
	}
}

func TestShellDescribesTheTenant(t *testing.T) {
	s, err := web.New(web.Options{Remote: true, Account: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(shell(s), ` data-remote="true" data-account="true" `) {
		t.Error("the shell does not describe the tenant")
	}
}

// TestEmbedded reads the real embedded files.
func TestEmbedded(t *testing.T) {
	s, err := web.New(web.Options{Dialect: "spec"})
	if err != nil {
		t.Fatal(err)
	}
	manifest := get(s, "/web/manifest.webmanifest")
	for _, m := range regexp.MustCompile(`"src": "([^"]*)"`).FindAllStringSubmatch(manifest.Body.String(), -1) {
		if w := get(s, m[1]); w.Code != 200 {
			t.Errorf("the manifest names %s: %d", m[1], w.Code)
		}
	}
	for _, name := range []string{"boot.js", "theme.js", "signed-in.js", "sign-out.js", "canvas.js", "preview.js"} {
		src, err := os.ReadFile("static/" + name)
		if err != nil {
			t.Fatal(err)
		}
		// Trusted types forbid these sinks; the policy forbids eval.
		if m := regexp.MustCompile(`innerHTML|outerHTML|document\.write|\beval\b|new Function|insertAdjacentHTML`).Find(src); m != nil {
			t.Errorf("%s contains %s", name, m)
		}
	}
}

// What these style sheets ask for has to be there in every engine. WebKit has some properties only with a prefix, no style in the shorthand of
// text-decoration, and no d. Firefox takes no number from calc for a width of lines, only a length.
func TestStyleSheetsSuitEveryEngine(t *testing.T) {
	list, err := filepath.Glob("static/*.css")
	if err != nil || len(list) < 5 {
		t.Fatalf("%d style sheets, %v", len(list), err)
	}
	prefixed := regexp.MustCompile(`[{ ;](user-select|box-decoration-break): ([a-z]+)[;}]`)
	lacking := regexp.MustCompile(`[{ ;](d: path|text-decoration: underline [a-z]+)`)
	stroke := regexp.MustCompile(`stroke-width: calc\([^;]*;`)
	seen := 0
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for block := range strings.SplitSeq(string(text), "}") {
			for _, m := range prefixed.FindAllStringSubmatch(block+"}", -1) {
				if seen++; !strings.Contains(block, "-webkit-"+m[1]+": "+m[2]) {
					t.Errorf("%s: %s without -webkit-%s in %s", name, m[0], m[1], strings.TrimSpace(block))
				}
			}
		}
		for _, m := range stroke.FindAll(text, -1) {
			if !bytes.Contains(m, []byte("px")) {
				t.Errorf("%s: %s is no length", name, m)
			}
		}
		if m := lacking.Find(text); m != nil {
			t.Errorf("%s: %s", name, m)
		}
	}
	if seen < 5 {
		t.Errorf("only %d properties were seen", seen)
	}
}

// A style sheet with an unclosed block loses all rules after it, and no browser reports it.
func TestStyleSheetBlocksAreClosed(t *testing.T) {
	list, err := filepath.Glob("static/*.css")
	if err != nil || len(list) < 5 {
		t.Fatalf("%d style sheets, %v", len(list), err)
	}
	for _, name := range list {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		open, line := 0, 1
		for _, c := range string(text) {
			switch c {
			case '\n':
				line++
			case '{':
				open++
			case '}':
				if open--; open < 0 {
					t.Fatalf("%s:%d: unmatched closing brace", name, line)
				}
			}
		}
		if open != 0 {
			t.Errorf("%s leaves %d blocks open", name, open)
		}
	}
}

func TestReport(t *testing.T) {
	s := site(t, tree(t, nil))
	w := httptest.NewRecorder()
	if err := s.Report(w, httptest.NewRequest(http.MethodGet, "/check", nil), web.Report{
		At: "now", Again: "/check", Items: []web.ReportItem{
			{Name: "discovery", Status: "ok", Detail: "<b>found</b>"},
			{Name: "token", Status: "fail", Detail: "no", Remedy: "Do it."},
			{Name: "flows", Status: "warn", Detail: "none"},
			{Name: "list", Status: "skip", Detail: "later"},
		},
	}); err != nil {
		t.Fatal(err)
	}
	page := w.Body.String()
	for _, want := range []string{
		"1 failed, 1 with a warning, 1 not tried. now", "&lt;b&gt;found", ">OK<", ">Failed<", ">Warning<", ">Not tried<", `href="/check"`, "Do it.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s: %s", want, page)
		}
	}
	if m := inlineScript.FindString(page) + foreign.FindString(page); m != "" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the page contains %q, %v", m, w.Header())
	}
}

func TestMessageLeadsOnAndNamesTheRemedy(t *testing.T) {
	s := site(t, tree(t, nil))
	w := httptest.NewRecorder()
	if err := s.Page(w, httptest.NewRequest(http.MethodGet, "/", nil), 200, web.Message{
		Title: "x", Action: "Continue", Href: "/check", Continue: true, Remedy: "Set <this> with --client-id.",
	}); err != nil {
		t.Fatal(err)
	}
	if page := w.Body.String(); !strings.Contains(page, `<meta http-equiv="refresh" content="0; url=/check">`) ||
		!strings.Contains(page, "Set &lt;this&gt; with <code>--client-id</code>.") {
		t.Errorf("got %s", page)
	}
}
