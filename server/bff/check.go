package bff

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/selfcheck"
	"github.com/formgraph/formgraph/web"
)

// Checker supplies the results of the checks of the configuration, as selfcheck.Runner does. It is safe for concurrent use.
type Checker interface {
	Results(ctx context.Context) ([]selfcheck.Result, time.Time, error)
}

const checkPath = "/check"

// backFromSignIn marks the address to which a sign-in returns. Browsers do not send the session's cookie there (SameSite=Strict), as the
// tenant led them to it.
const backFromSignIn = "signed-in"

// checkPage is the page that tries the configuration, for people who may edit.
type checkPage struct {
	checker  Checker
	sessions signedIn
	pages    *pages
	log      journal
}

// serve answers GET /check.
func (c *checkPage) serve(w http.ResponseWriter, r *http.Request) {
	if c.pages.moveToPublic(w, r) {
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	ss, p := c.sessions.current(w, r)
	switch {
	case p == nil && !c.sessions.access.edits(ss):
		p = httpx.NewProblem(http.StatusForbidden, httpx.CodeScope, "Only people who may edit forms can open this page.")
	case p != nil && p.Code == httpx.CodeSession && navigates(r):
		c.signedOut(w, r)
		return
	}
	if p != nil {
		c.pages.fail(w, r, p, web.Message{Title: "You cannot open this page", Action: "All forms", Href: "/forms"})
		return
	}
	found, at, err := c.checker.Results(r.Context())
	if err != nil {
		return // the browser has gone
	}
	report := web.Report{At: at.UTC().Format("2006-01-02 15:04:05 UTC"), Again: checkPath}
	for _, x := range append(found, c.ofRequest(r)...) {
		report.Items = append(report.Items, web.ReportItem{Name: x.Name, Status: string(x.Status), Detail: x.Detail, Remedy: x.Remedy})
	}
	if err := c.pages.site.Report(w, r, report); err != nil {
		c.log.fail(r.Context(), "page", err)
		httpx.NewProblem(http.StatusInternalServerError, httpx.CodeInternal, "The page could not be written.").Write(w, r)
	}
}

// signedOut sends a visitor to sign in. It then shows a page that continues by itself,
// since a browser sends the cookie only from a page of ours.
func (c *checkPage) signedOut(w http.ResponseWriter, r *http.Request) {
	if !r.URL.Query().Has(backFromSignIn) {
		http.Redirect(w, r, loginAgain(checkPath+"?"+backFromSignIn+"=1"), http.StatusSeeOther)
		return
	}
	if err := c.pages.site.Page(w, r, http.StatusOK, web.Message{
		Title: "Checking the configuration", Text: "This takes a few seconds.", Action: "Continue", Href: checkPath, Continue: true,
	}); err != nil {
		c.log.fail(r.Context(), "page", err)
		http.Redirect(w, r, "/", http.StatusSeeOther)
	}
}

// ofRequest returns what only a request shows: its cookie, its host and the headers of proxies.
func (c *checkPage) ofRequest(r *http.Request) []selfcheck.Result {
	name := c.sessions.CookieName()
	cookie := selfcheck.Result{Name: "cookie", Status: selfcheck.OK, Detail: "the browser sends " + name}
	if len(r.CookiesNamed(name)) > 1 {
		cookie.Status, cookie.Detail = selfcheck.Warn, "the browser sends more than one "+name
		cookie.Remedy = "Clear the cookies of this address."
	}
	host := selfcheck.Result{Name: "host", Status: selfcheck.OK, Detail: "the request is for " + c.pages.public.Host}
	if !strings.EqualFold(r.Host, c.pages.public.Host) {
		host.Status, host.Detail = selfcheck.Warn, "the request is for "+shown(r.Host)+", and --public-url is "+c.pages.public.String()
		host.Remedy = "If your browser shows another address than --public-url, change that option; otherwise let the proxy pass on the " +
			"header Host."
	}
	return []selfcheck.Result{cookie, host, c.forwarding(r)}
}

// forwarding judges the headers in which proxies describe the client's request.
func (c *checkPage) forwarding(r *http.Request) selfcheck.Result {
	out := selfcheck.Result{Name: "forwarding", Status: selfcheck.OK}
	var seen []string
	for _, h := range []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host"} {
		if r.Header.Get(h) != "" {
			seen = append(seen, h)
		}
	}
	peer, trusted := clientip.Peer(r.Context())
	names := r.Header.Get("Forwarded") != "" || r.Header.Get("X-Forwarded-For") != ""
	proto := r.Header.Get("X-Forwarded-Proto")
	switch {
	case len(seen) == 0 && r.TLS == nil && c.pages.public.Scheme == "https":
		out.Status, out.Detail = selfcheck.Warn, "no header of a proxy, although --public-url is https and the request arrived without TLS"
		out.Remedy = "Let the proxy send Forwarded or X-Forwarded-For, and name its network with --trusted-proxy."
	case len(seen) == 0:
		out.Detail = "no proxy, you come from " + clientip.Of(r)
	case !trusted:
		out.Status, out.Detail = selfcheck.Warn, strings.Join(seen, ", ")+" from "+peer+", which is not trusted: ignored"
		out.Remedy = "If " + peer + " is your proxy, give its network as --trusted-proxy. Until then, everybody behind it shares the limits of " +
			"one address."
	case !names:
		out.Status, out.Detail = selfcheck.Warn, "the trusted proxy "+peer+" does not name the client's address"
		out.Remedy = "Let the proxy send Forwarded or X-Forwarded-For."
	case proto != "" && !strings.EqualFold(proto, c.pages.public.Scheme):
		out.Status = selfcheck.Warn
		out.Detail = "the proxy says that the browser uses " + shown(proto) + ", and --public-url is " + c.pages.public.String()
		out.Remedy = "Open the editor at --public-url, and let the proxy redirect there."
	default:
		out.Detail = strings.Join(seen, ", ") + " from the trusted proxy " + peer + ": you come from " + clientip.Of(r)
	}
	return out
}

// shown bounds text of a request for a page.
func shown(s string) string { return strings.ToValidUTF8(s[:min(len(s), 100)], "") }
