package bff

import (
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/web"
)

// maxReturn bounds return_to in bytes; it travels in a cookie.
const maxReturn = 512

// pages serves the editor's pages and files, and errors as pages.
type pages struct {
	public *url.URL
	site   Site
	log    journal
}

// page serves the document of a program; all pages of the program share it.
func (p *pages) page(program web.Program) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !p.moveToPublic(w, r) {
			p.site.Shell(w, r, program)
		}
	}
}

// preview serves the page in which the editor shows a form. img=1 allows pictures of other sites.
func (p *pages) preview(w http.ResponseWriter, r *http.Request) {
	if !p.moveToPublic(w, r) {
		httpx.SetPreviewHeaders(w.Header(), p.site.PreviewScript(), r.URL.Query().Get("img") == "1")
		p.site.Preview(w, r)
	}
}

// moveToPublic redirects a browser to the public address if it used another name of this machine, such as 127.0.0.1 for localhost. Cookies
// belong to a name, so a sign-in would begin under one name and end under the other. Other hosts are left alone, since a proxy may use any.
func (p *pages) moveToPublic(w http.ResponseWriter, r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, ""
	}
	public := p.public.Hostname()
	if host == public || port != p.public.Port() || !loopbackName(host) || !loopbackName(public) {
		return false
	}
	to := *p.public
	to.Path, to.RawPath, to.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusTemporaryRedirect)
	return true
}

func loopbackName(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// notFound answers requests for addresses that are not in the table of routes.
func (p *pages) notFound(w http.ResponseWriter, r *http.Request) {
	p.fail(w, r, httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is nothing at this address."),
		web.Message{Title: "Page not found", Action: "All forms", Href: "/forms"})
}

// fail answers with a page if the browser navigates, and otherwise with the problem alone. m must have a title; its text and remedy
// are set from the problem.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, problem *httpx.Problem, m web.Message) {
	if !navigates(r) {
		problem.Write(w, r)
		return
	}
	m.Text, m.Remedy = problem.Detail, problem.Remedy
	if m.Lost = problem.Code == httpx.CodeNotFound; !m.Lost { // its title is enough
		m.Code = string(problem.Code)
	}
	if problem.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(problem.RetryAfter.Seconds()))))
	}
	status := problem.Status
	if status >= http.StatusInternalServerError {
		status = http.StatusFailedDependency // many proxies put a page of their own in place of one with 5xx
	}
	if err := p.site.Page(w, r, status, m); err != nil {
		p.log.fail(r.Context(), "page", err)
		problem.Write(w, r)
	}
}

// navigates reports whether a browser shows the answer to a request as a page.
func navigates(r *http.Request) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// file serves the static files.
func (p *pages) file(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		httpx.NewProblem(http.StatusMethodNotAllowed, httpx.CodeMethod, "Use GET.").Write(w, r)
		return
	}
	p.site.ServeHTTP(w, r)
}
