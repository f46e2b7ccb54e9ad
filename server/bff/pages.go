package bff

import (
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/web"
)

// maxReturn bounds return_to in bytes; it travels in a cookie.
const maxReturn = 512

// page serves the one document of a program for every page of it.
func (b *Handler) page(p web.Program) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !b.moveToPublic(w, r) {
			b.site.Shell(w, r, p)
		}
	}
}

// moveToPublic sends a browser that came by another name of this machine, such
// as 127.0.0.1 for localhost, to the public address: cookies belong to a name,
// and a sign-in begun under one would end under the other. Other hosts are left
// alone, since a proxy in front may choose any.
func (b *Handler) moveToPublic(w http.ResponseWriter, r *http.Request) bool {
	host, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		host, port = r.Host, ""
	}
	public := b.public.Hostname()
	if host == public || port != b.public.Port() || !loopbackName(host) || !loopbackName(public) {
		return false
	}
	to := *b.public
	to.Path, to.RawPath, to.RawQuery = r.URL.Path, r.URL.RawPath, r.URL.RawQuery
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusTemporaryRedirect)
	return true
}

func loopbackName(host string) bool {
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// notFound answers for every address that is not in the table.
func (b *Handler) notFound(w http.ResponseWriter, r *http.Request) {
	b.fail(w, r, httpx.NewProblem(http.StatusNotFound, httpx.CodeNotFound, "There is nothing at this address."),
		web.Message{Title: "Page not found", Action: "All forms", Href: "/forms"})
}

// fail answers a browser that shows what it gets with a page, and everything
// else with the problem alone. m needs a title; its text is the problem's.
func (b *Handler) fail(w http.ResponseWriter, r *http.Request, p *httpx.Problem, m web.Message) {
	navigates := (r.Method == http.MethodGet || r.Method == http.MethodHead) && strings.Contains(r.Header.Get("Accept"), "text/html")
	if !navigates {
		p.Write(w, r)
		return
	}
	m.Text = p.Detail
	if p.Code != httpx.CodeNotFound { // the title says as much
		m.Code = string(p.Code)
	}
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	if err := b.site.Page(w, r, p.Status, m); err != nil {
		b.log.ErrorContext(r.Context(), "page", "error", err)
		p.Write(w, r)
	}
}

// localReturn returns where a sign-in ends: given if it is the path of one of
// our pages, else "/". Everything that could be read as another origin fails to
// be a page, so no list of tricks is needed.
func (b *Handler) localReturn(given string) string {
	if len(given) > maxReturn {
		return "/"
	}
	for i := range len(given) {
		if c := given[i]; c <= ' ' || c >= 0x7f || c == '\\' || c == '%' || c == '#' {
			return "/"
		}
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(given, "/") {
		return "/"
	}
	segments := strings.Split(strings.TrimPrefix(u.Path, "/"), "/")
	for _, rt := range b.routes {
		if rt.gated || !rt.matches(segments) || segments[0] == "bff" {
			continue
		}
		if last := segments[len(segments)-1]; rt.pattern[len(rt.pattern)-1] == wildcard && !idPattern.MatchString(last) {
			return "/"
		}
		return given
	}
	return "/"
}
