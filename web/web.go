package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/web/etag"
)

//go:embed pages/*.html
var pages embed.FS

const (
	// forever is for addresses that contain a hash of the content: new content has a new address.
	forever = "public, max-age=31536000, immutable"
	// revalidate is for everything else: cached, but validated on each use.
	revalidate = "no-cache"
)

// Options are the settings that the pages pass to the programs.
type Options struct {
	// Dialect is "spec" or "vendor"; see the option --dialect.
	Dialect string
	// Remote means that the tenant is not the embedded one: it has no administration pages here.
	Remote bool
	// Account means that the tenant has an account API.
	Account bool
	// Version is the version of the program, shown to people.
	Version string
}

// Program is a program that runs in the browser.
type Program string

// The programs: one for the list of forms and the editor, one for the account and administration pages.
const (
	Editor  Program = "app"
	Console Program = "console"
)

// Site serves the files and pages. It is immutable and safe for concurrent use.
type Site struct {
	assets  map[string]*asset
	version string
	shells  map[Program][]byte
	// previewScript allows the script in preview; see PreviewScript.
	preview       []byte
	previewScript string
	// message and report are the pages that the server writes.
	message, report, look *template.Template
}

// New reads the embedded files. It returns an error if a page refers to a file that does not exist,
// except for the files built by `make wasm`: without them the page explains what to do.
func New(o Options) (*Site, error) {
	assets, err := embedded()
	if err != nil {
		return nil, err
	}
	return newSite(assets, o)
}

func newSite(assets map[string]*asset, o Options) (*Site, error) {
	s := &Site{assets: assets, shells: map[Program][]byte{}}
	var list strings.Builder
	for _, name := range slices.Sorted(maps.Keys(assets)) {
		list.WriteString(name + " " + assets[name].hash + "\n")
	}
	sum := sha256.Sum256([]byte(list.String()))
	s.version = hex.EncodeToString(sum[:])[:hashDigits]
	t, err := template.New("").Funcs(template.FuncMap{"asset": s.asset, "built": s.built, "icons": s.icons, "icon": s.icon, "options": options}).ParseFS(pages, "pages/*.html")
	if err != nil {
		return nil, fmt.Errorf("read pages: %w", err)
	}
	for p, what := range map[Program]string{Editor: "the editor", Console: "the page"} {
		var shell bytes.Buffer
		if err := t.ExecuteTemplate(&shell, "index.html", struct {
			Options

			Build, Go, Program, What string
			Editor                   bool
		}{o, s.version, runtime.Version(), string(p) + ".wasm", what, p == Editor}); err != nil {
			return nil, fmt.Errorf("write the page of %s: %w", p, err)
		}
		s.shells[p] = shell.Bytes()
	}
	if err := s.writePreview(t); err != nil {
		return nil, err
	}
	s.message, s.report, s.look = t.Lookup("message.html"), t.Lookup("check.html"), t.Lookup("look.html")
	return s, nil
}

// Version returns a hash of the content of all files, which is fixed for a build.
func (s *Site) Version() string { return s.version }

// Built reports whether the programs built by `make wasm` exist.
func (s *Site) Built() bool {
	for _, name := range []string{"app.wasm", "console.wasm", "trial.wasm", "desk.wasm", "wasm_exec.js"} {
		if s.assets[name] == nil {
			return false
		}
	}
	return true
}

// asset is the template function for files that must exist.
func (s *Site) asset(name string) (string, error) {
	a := s.assets[name]
	if a == nil {
		return "", fmt.Errorf("web file %s is missing", name)
	}
	return a.url(), nil
}

// icons is the template function that inserts the icon set into a page, each symbol with the id "i-"
// and its name. If the set were a separate file, the browser would request it again for each of the
// sixty icons in the editor, before drawing anything.
func (s *Site) icons() (template.HTML, error) {
	const file, root = "icons.svg", "<svg "
	a := s.assets[file]
	if a == nil || !bytes.HasPrefix(a.raw, []byte(root)) {
		return "", fmt.Errorf("web file %s is missing or no SVG", file)
	}
	set := strings.ReplaceAll(string(a.raw), `<symbol id="`, `<symbol id="i-`)
	return template.HTML(root + "hidden " + strings.TrimPrefix(set, root)), nil //nolint:gosec // the file is ours
}

// icon is the template function for a single symbol of the set, on a page that needs no other.
func (s *Site) icon(name string) (template.HTML, error) {
	if a := s.assets["icons.svg"]; a != nil {
		if _, rest, ok := strings.Cut(string(a.raw), `<symbol id="`+name+`"`); ok {
			symbol, _, _ := strings.Cut(rest, "</symbol>")
			return template.HTML(`<svg aria-hidden="true"` + symbol + "</svg>"), nil //nolint:gosec // the file is ours
		}
	}
	return "", fmt.Errorf("icon %s is missing", name)
}

// built is the template function for files created by the build.
func (s *Site) built(name string) string {
	if a := s.assets[name]; a != nil {
		return a.url()
	}
	return "/web/" + name
}

// Shell answers with the page in which a program starts. The page is the same for everybody and
// contains no user data.
func (s *Site) Shell(w http.ResponseWriter, r *http.Request, p Program) {
	fixed(w, r, s.shells[p])
}

// fixed answers with a page that changes only with the build.
func fixed(w http.ResponseWriter, r *http.Request, page []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", revalidate)
	h.Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(page) // fails if the client has disconnected
	}
}

// Message is a page with a text and at most one link.
type Message struct {
	Title, Text string
	// Remedy says what an administrator must set; "" omits it.
	Remedy string
	// Action and Href are the label and address of the link; "" omits it.
	Action, Href string
	// Code is shown in small print, for people who report the page; "" omits it.
	Code string
	// Continue makes the page lead on to Href by itself.
	Continue bool
	// Lost means that there is nothing at the address.
	Lost bool
	// SignOut adds a button that ends the session.
	SignOut bool
	// SignedIn makes the page notify the editor's other windows of the sign-in, and close itself.
	SignedIn bool
}

// Sign returns the name of the icon of the page.
func (m Message) Sign() string {
	switch {
	case m.Lost:
		return "search"
	case m.SignedIn:
		return "tick"
	case m.Continue:
		return "info"
	case m.SignOut:
		return "lock"
	}
	return "warn"
}

// Page answers with a page for a message.
func (s *Site) Page(w http.ResponseWriter, r *http.Request, status int, m Message) error {
	return write(w, r, status, s.message, m)
}

// write answers with a page that is not cached.
func write(w http.ResponseWriter, r *http.Request, status int, page *template.Template, data any) error {
	out, err := render(page, data)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(out)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(out) // fails if the client has disconnected
	}
	return nil
}

func render(page *template.Template, data any) ([]byte, error) {
	var out bytes.Buffer
	if err := page.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("write page: %w", err)
	}
	return out.Bytes(), nil
}

// ServeHTTP serves GET and HEAD of /web/NAME, precompressed if the client accepts it. X-Raw-Length is
// the decoded size, which a progress bar needs and a browser cannot know otherwise. An address with the
// ?v= of another build is not found: this server does not have its content, and must not let another be
// cached in its place.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := s.assets[strings.TrimPrefix(r.URL.Path, "/web/")]
	version := r.URL.Query().Get("v")
	h := w.Header()
	if a == nil || (version != "" && version != a.hash) {
		h.Set("Cache-Control", "no-store")
		http.Error(w, "not found", http.StatusNotFound)
		return
	}
	h.Set("Content-Type", a.contentType)
	h.Set("Vary", "Accept-Encoding")
	h.Set("X-Raw-Length", strconv.Itoa(a.size))
	h.Set("Cache-Control", revalidate)
	if version != "" {
		h.Set("Cache-Control", forever)
	}
	body, encoding := a.choose(r.Header.Values("Accept-Encoding"))
	tag := `"` + a.hash + `"`
	if encoding != "" {
		tag = `"` + a.hash + "-" + encoding + `"`
	}
	h.Set("ETag", tag)
	// Another coding of the same content is equivalent for a client that has it already.
	if etag.Read(r.Header.Values("If-None-Match")...).Holds(`"` + a.hash + `"`) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	if body == nil {
		h.Set("Content-Length", strconv.Itoa(a.size))
		w.WriteHeader(http.StatusOK)
		if r.Method != http.MethodHead {
			_, _ = unzip(w, a.gz) // fails if the client has disconnected
		}
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // fails if the client has disconnected
	}
}

// choose returns the smallest form that the client accepts. A nil body means that the content must be
// decompressed.
func (a *asset) choose(accept []string) (body []byte, encoding string) {
	ok := accepted(accept)
	switch {
	case a.br != nil && ok("br"):
		return a.br, "br"
	case a.gz != nil && ok("gzip"):
		return a.gz, "gzip"
	default:
		return a.raw, ""
	}
}

// accepted parses Accept-Encoding (RFC 9110, section 12.5.3) as far as it matters here: which codings
// are listed, by name or by "*", and do not have q=0.
func accepted(values []string) func(coding string) bool {
	takes := map[string]bool{}
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, params, _ := strings.Cut(part, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		q, has := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(params), " ", ""), "q=")
		weight, err := strconv.ParseFloat(q, 64)
		takes[name] = !has || err != nil || weight > 0
	}
	return func(coding string) bool {
		if named, ok := takes[coding]; ok {
			return named
		}
		return takes["*"]
	}
}
