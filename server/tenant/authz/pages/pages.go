// Package pages holds the pages of the authorization server: their templates, the files that they load, and their headers. It does not know
// what leads to a page or where its forms go.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/formgraph/formgraph/server/hosts"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/web/etag"
)

//go:embed *.html *.css *.js
var pageFiles embed.FS

// Paths of the style sheet and the scripts. A query names the version.
const (
	stylePath  = "/assets/tenant.css"
	scriptPath = "/assets/passkey.js"
	sendPath   = "/assets/form-post.js"
)

// Names of the pages. Each is a template file that fills the layout.
const (
	SignIn      = "sign-in"
	Message     = "message"
	NewPassword = "new-password"
	Consent     = "consent"
	Code        = "code"
	FormPost    = "form-post"
)

// A Page is the content of a page. The templates escape all of it.
type Page struct {
	Title  string
	FormTo string // origin to which a form may lead besides our own; "" for none

	Form
	Notice
	Session  string  // of the code page
	Recovery bool    // the code page asks for a recovery code
	Identity []Scope // about the person, on the consent page
	API      string  // name of the API on the consent page; "" for none
	Scopes   []Scope // of the API
}

// A Form is the form of a page that asks for something.
type Form struct {
	App, Action, Token, Email, Problem string

	Wrong   string   // the field that Problem is about, on the page for a new password
	Passkey *Passkey // of the sign-in page; nil without passkeys
}

// A Notice is the content of the message page. With an Action it has a button that leads to a sign-in.
type Notice struct {
	Text   string
	Bad    bool // it reports a failure
	Hint   string
	Fields url.Values // sent by the button, or by the page that posts an answer
}

// A Passkey is the data that the sign-in page's script needs. The page's only form is the one for the password.
type Passkey struct {
	Action, Session, Token string
	Options                string // JSON, for navigator.credentials.get
}

// A Scope is one scope in words for people.
type Scope struct{ Words, Scope string }

// Pages are the parsed templates and the files that they load. They are safe for concurrent use.
type Pages struct {
	templates           map[string]*template.Template
	assets              map[string]asset // by path
	style, script, send string           // addresses with versions
}

// asset is a file that pages load.
type asset struct {
	kind, tag string
	content   []byte
}

// rules are the rules for passwords, for use in templates. Browsers count characters.
var rules = template.FuncMap{
	"minPassword": func() int { return password.Min },
	"maxPassword": func() int { return password.Max },
}

// New parses the templates.
func New() (*Pages, error) {
	p := &Pages{templates: map[string]*template.Template{}, assets: map[string]asset{}}
	for _, name := range []string{SignIn, Code, Consent, Message, NewPassword, FormPost} {
		t, err := template.New("layout.html").Funcs(rules).ParseFS(pageFiles, "layout.html", name+".html")
		if err != nil {
			return nil, fmt.Errorf("parse page %s: %w", name, err)
		}
		p.templates[name] = t
	}
	var err error
	if p.style, err = p.load(stylePath, "text/css; charset=utf-8"); err != nil {
		return nil, err
	}
	if p.script, err = p.load(scriptPath, "text/javascript; charset=utf-8"); err != nil {
		return nil, err
	}
	p.send, err = p.load(sendPath, "text/javascript; charset=utf-8")
	return p, err
}

// load reads the file that is served at a path, and returns the address that changes with its content.
func (p *Pages) load(at, kind string) (string, error) {
	b, err := pageFiles.ReadFile(path.Base(at))
	if err != nil {
		return "", fmt.Errorf("read page file: %w", err)
	}
	sum := sha256.Sum256(b)
	version := base64.RawURLEncoding.EncodeToString(sum[:9])
	p.assets[at] = asset{kind: kind, tag: `"` + version + `"`, content: b}
	return at + "?v=" + version, nil
}

// policy returns the Content-Security-Policy of a page. It allows our style sheet, our script if the page has one, and forms that lead to
// us or to one application. Browsers also apply form-action to a redirect after a form.
func policy(formTo string, script bool) string {
	ours := ""
	if script {
		ours = " script-src 'self';"
	}
	return "default-src 'none';" + ours + " style-src 'self'; img-src 'self' data:; form-action " + formTo +
		"; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
}

// Render writes a page with the headers of every page. name is one of the constants of this package. A status of 500 or more becomes 424: many
// proxies put a page of their own in place of such an answer.
func (p *Pages) Render(w http.ResponseWriter, status int, name string, page Page) {
	script := ""
	forms, referrer := strings.TrimSpace("'self' "+page.FormTo), "same-origin"
	switch {
	case name == FormPost:
		// Its form leads to the application alone, which may check the Origin header: under same-origin a browser would send Origin: null.
		script, forms, referrer = p.send, page.FormTo, "origin"
	case page.Passkey != nil:
		script = p.script
	}
	var b bytes.Buffer
	err := p.templates[name].ExecuteTemplate(&b, "layout.html", struct {
		Page

		Style, Script string // addresses
	}{page, p.style, script})
	if err != nil {
		panic("pages: render " + name + ": " + err.Error()) // only for a template that is wrong in the program
	}
	g := w.Header()
	g.Set("Content-Type", "text/html; charset=utf-8")
	g.Set("Content-Security-Policy", policy(forms, script != ""))
	g.Set("X-Frame-Options", "DENY")
	g.Set("X-Content-Type-Options", "nosniff")
	// No Cross-Origin-Opener-Policy: an editor whose session has ended opens this page in a window of its own, and closes the window when
	// it has a session again.
	// Not "no-referrer": a browser would send the form with Origin: null, which looks like an attack.
	g.Set("Referrer-Policy", referrer)
	g.Set("Cache-Control", "no-store")
	if status >= http.StatusInternalServerError {
		status = http.StatusFailedDependency
	}
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a browser that went away needs no page
}

// Fail shows the error page. Its text is ours and repeats nothing from the request.
func (p *Pages) Fail(w http.ResponseWriter, e *oauth.Error) {
	page := Page{Title: "This sign-in cannot continue", Notice: Notice{
		Bad: true, Text: sentence(e.Description),
		Hint: "Go back to the application and start again. If it happens again, contact its support.",
	}}
	if e.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
		page.Title, page.Hint = "The tenant is not ready", ""
		page.Text = "Its data cannot be reached at this moment. Wait a moment and reload this page."
	}
	p.Render(w, e.Status, Message, page)
}

// NotFound shows the page for an unknown address.
func (p *Pages) NotFound(w http.ResponseWriter, _ *http.Request) {
	p.Render(w, http.StatusNotFound, Message, Page{Title: "Page not found", Notice: Notice{
		Bad: true, Text: "The tenant has no page at this address.", Hint: "Forms are edited at the editor's own address.",
	}})
}

// Route serves the files that pages load.
func (p *Pages) Route(mux *http.ServeMux) {
	for path, a := range p.assets {
		mux.Handle("GET "+path, a)
	}
}

// Origin returns scheme, host and port of an address, or "" if it has none that may appear in a policy: a semicolon
// would end the directive, a comma the policy, and a space the address.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" || !hosts.Plain(u.Host) {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// sentence returns an error description as a sentence.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return string(s[0]&^0x20) + s[1:] + "."
}

// ServeHTTP serves the file. Its address changes with its content, so caches may keep it forever.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := w.Header()
	g.Set("ETag", a.tag)
	g.Set("X-Content-Type-Options", "nosniff")
	g.Set("Cache-Control", "public, max-age=31536000, immutable")
	if etag.Read(r.Header.Values("If-None-Match")...).Holds(a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	g.Set("Content-Type", a.kind)
	_, _ = w.Write(a.content) // a browser that went away needs no file
}
