package authz

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

	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

//go:embed pages
var pageFiles embed.FS

// Where the pages' style sheet and scripts are served; a query names the content.
const (
	stylePath  = "/assets/tenant.css"
	scriptPath = "/assets/passkey.js"
	sendPath   = "/assets/form-post.js"
)

// Names of the pages; each is a template file that fills the layout.
const (
	pageSignIn      = "sign-in"
	pageMessage     = "message"
	pageNewPassword = "new-password"
	pageConsent     = "consent"
	pageCode        = "code"
	pageFormPost    = "form-post"
)

// page is what a page shows. All of it is escaped by the templates.
type page struct {
	Title  string
	Style  string // address of the style sheet; set by render
	FormTo string // origin that a form may lead to, beside our own; "" for none

	// the sign-in page
	App, Action, Token, Email, Problem string
	Script                             string       // address of the script; set by render
	Passkey                            *passkeyForm // nil without passkeys

	// the page for a code, which has those of the sign-in page too
	Session  string
	Recovery bool // a recovery code is asked for

	// the consent page, which has those of the sign-in page too
	API    string // name of the API; empty for none
	Scopes []scopeLine

	// the page for a new password, which has those of the sign-in page too
	Wrong string // the field that Problem is about

	// the message page; with an Action it has a button that leads on to signing in
	Text   string
	Bad    bool // it tells of a failure
	Hint   string
	Fields url.Values // that the button sends; also of the page that posts an answer
}

// pages are the parsed templates, and what they load.
type pages struct {
	templates           map[string]*template.Template
	assets              map[string]asset // by path
	style, script, send string           // addresses with versions
}

// asset is a file that pages load.
type asset struct {
	kind, tag string
	content   []byte
}

// rules are what templates say of a password: browsers count characters.
var rules = template.FuncMap{
	"minPassword": func() int { return password.Min },
	"maxPassword": func() int { return password.Max },
}

func newPages() (*pages, error) {
	p := &pages{templates: map[string]*template.Template{}, assets: map[string]asset{}}
	for _, name := range []string{pageSignIn, pageCode, pageConsent, pageMessage, pageNewPassword, pageFormPost} {
		t, err := template.New("layout.html").Funcs(rules).ParseFS(pageFiles, "pages/layout.html", "pages/"+name+".html")
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
func (p *pages) load(at, kind string) (string, error) {
	b, err := pageFiles.ReadFile("pages/" + path.Base(at))
	if err != nil {
		return "", fmt.Errorf("read what pages load: %w", err)
	}
	sum := sha256.Sum256(b)
	version := base64.RawURLEncoding.EncodeToString(sum[:9])
	p.assets[at] = asset{kind: kind, tag: `"` + version + `"`, content: b}
	return at + "?v=" + version, nil
}

// policy is the Content-Security-Policy of a page: its own style, only our script and only where there
// is one, and forms that lead to us or on to one application. Browsers apply form-action to the redirect
// behind a form, too.
func policy(formTo string, script bool) string {
	ours := ""
	if script {
		ours = " script-src 'self';"
	}
	return "default-src 'none';" + ours + " style-src 'self'; img-src 'self' data:; form-action " + formTo +
		"; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
}

// render writes a page with the headers every page has.
func (h *Handler) render(w http.ResponseWriter, status int, name string, p page) {
	p.Style = h.pages.style
	forms, referrer := strings.TrimSpace("'self' "+p.FormTo), "same-origin"
	switch {
	case name == pageFormPost:
		// Its form leads to the application alone, which may check the Origin header: under same-origin a
		// browser would send Origin: null.
		p.Script, forms, referrer = h.pages.send, p.FormTo, "origin"
	case p.Passkey != nil:
		p.Script = h.pages.script
	}
	var b bytes.Buffer
	if err := h.pages.templates[name].ExecuteTemplate(&b, "layout.html", p); err != nil {
		panic("authz: render " + name + ": " + err.Error()) // only for a template that is wrong in the program
	}
	g := w.Header()
	g.Set("Content-Type", "text/html; charset=utf-8")
	g.Set("Content-Security-Policy", policy(forms, p.Script != ""))
	g.Set("X-Frame-Options", "DENY")
	g.Set("X-Content-Type-Options", "nosniff")
	// No Cross-Origin-Opener-Policy: an editor whose session has ended opens this page
	// in a window of its own, and closes that when it has a session again.
	// Not "no-referrer": a browser would send the form with Origin: null, which looks like an attack.
	g.Set("Referrer-Policy", referrer)
	g.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a browser that went away needs no page
}

// fail shows the error page. Its text is ours: nothing that was sent is repeated.
func (h *Handler) fail(w http.ResponseWriter, _ *http.Request, e *oauth.Error) {
	p := page{
		Title: "This sign-in cannot continue", Bad: true, Text: sentence(e.Description),
		Hint: "Go back to the application and start again. If it happens again, tell the people who run it.",
	}
	if e.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
		p.Title, p.Text = "The tenant is not ready", "Its data cannot be reached at this moment. Wait a moment and reload this page."
		p.Hint = ""
	}
	h.render(w, e.Status, pageMessage, p)
}

func (h *Handler) notFound(w http.ResponseWriter, _ *http.Request) {
	h.render(w, http.StatusNotFound, pageMessage, page{
		Title: "Nothing here", Bad: true, Text: "The tenant has no page at this address.",
		Hint: "Forms are edited at the editor's own address.",
	})
}

// sentence makes a page's sentence of an error description.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return string(s[0]&^0x20) + s[1:] + "."
}

// ServeHTTP serves the file; its address changes with its content, so it may be kept for ever.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g := w.Header()
	g.Set("ETag", a.tag)
	g.Set("X-Content-Type-Options", "nosniff")
	g.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	g.Set("Content-Type", a.kind)
	_, _ = w.Write(a.content) // a browser that went away needs no file
}
