package bff

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/web"
)

// idPattern is the shape of every ID in a path. It allows no character that has a meaning in an address.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,30}$`)

// wildcard is the segment of a pattern that matches an ID.
const wildcard = "{id}"

// innerWildcard is the segment that matches the ID of an authentication method, after the ID of its person.
const innerWildcard = "{method}"

// plainWildcard reports whether a segment of a pattern matches any segment, which its endpoint checks.
func plainWildcard(segment string) bool {
	return slices.Contains([]string{versionWildcard, commentWildcard, linkWildcard, lookWildcard}, segment)
}

// endpoint is one method of a route.
type endpoint struct {
	method string
	serve  http.HandlerFunc
}

// route is one path with its methods. Only paths in the table are served, and only its api rows are forwarded.
type route struct {
	name    string // the pattern as a path
	pattern []string
	// gated routes need the header X-CSRF and our own origin.
	gated     bool
	endpoints []endpoint
	// limit bounds the rate of each network's requests; nil for a route that requires a session.
	limit *ratelimit.Limiter
	// id is the shape of the undecoded ID; nil means idPattern.
	id *regexp.Regexp
}

// newRoute returns a route. pattern is a path with wildcards.
func newRoute(pattern string, gated bool, endpoints ...endpoint) route {
	return route{name: pattern, pattern: strings.Split(pattern, "/")[1:], gated: gated, endpoints: endpoints}
}

// table lists the routes. The administration is that of the embedded tenant, and the account needs an API.
func (b *Handler) table(
	remote bool, count ratelimit.Counting, in *signIn, out *signOut, own *profile, api *forwarder, check *checkPage,
	streams *eventStreams, sheets *atlasPage, begin *templateFiles, look *lookPage,
) []route {
	get := func(h http.HandlerFunc) endpoint { return endpoint{http.MethodGet, h} }
	rows := []route{
		newRoute("/bff/login", false, get(b.own(in.login))).limited(count.Limiter("login", loginRate, loginBurst)),
		newRoute("/bff/callback", false, get(in.callback)).limited(count.Limiter("callback", callbackRate, callbackBurst)),
		newRoute("/bff/user", true, get(own.user)),
		newRoute("/bff/draft-keys", true, get(own.draftKeys)),
		newRoute("/bff/atlas", false, endpoint{http.MethodPost, sheets.serve}),
		newRoute("/bff/backchannel", false, endpoint{http.MethodPost, out.backchannel}).limited(count.Limiter("backchannel", backchannelRate, backchannelBurst)),
		newRoute("/bff/logout", true, endpoint{http.MethodPost, out.logout}),
		newRoute("/", false, get(b.pages.page(web.Editor))),
		newRoute("/forms", false, get(b.pages.page(web.Editor))),
		newRoute("/forms/"+wildcard, false, get(b.pages.page(web.Editor))),
		newRoute("/preview", false, get(b.pages.preview)),
	}
	rows = append(rows, api.routes("/bff/api", formRoutes(), func(*call) {})...)
	rows = append(rows, newRoute("/bff/api/forms/"+wildcard+"/overview", true, get(api.overviews.read)),
		newRoute("/bff/templates", true, get(begin.read)), newRoute("/bff/templates/"+wildcard, true, get(begin.read)))
	for _, file := range api.files {
		rows = append(rows, newRoute("/bff/api/forms/"+wildcard+"/"+file.kind.name, true, get(file.read), endpoint{http.MethodPut, file.write}))
	}
	rows = append(rows, api.versions.routes()...)
	rows = append(rows, api.together.routes()...)
	rows = append(rows, api.comments.routes()...)
	if managed := api.links.routes(); managed != nil {
		limit := count.Limiter("look", lookRate, lookBurst)
		rows = append(rows, managed...)
		rows = append(rows, newRoute(httpx.LookPath+lookWildcard, false, get(look.show(false, look.page))).limited(limit),
			newRoute(httpx.LookPath+lookWildcard+"/screens", false, get(look.show(true, look.screens))).limited(limit))
	}
	if streams.Events != nil {
		rows = append(rows, newRoute(eventsPath, false, get(streams.serve)),
			newRoute(streamsPath, true, endpoint{http.MethodPost, streams.change}))
	}
	if api.account != nil {
		rows = append(rows, newRoute("/account", false, get(b.pages.page(web.Console))))
		rows = append(rows, api.routes("/bff/api/me", accountRoutes(), func(c *call) { c.me, c.limit = true, maxAccountBody })...)
	}
	if remote && check.checker != nil {
		rows = append(rows, newRoute(checkPath, false, get(b.own(check.serve))))
	}
	if !remote {
		rows = append(rows, newRoute("/admin", false, get(b.pages.page(web.Console))))
		rows = append(rows, api.routes("/bff/api/admin", adminRoutes(), func(c *call) { c.admin = true })...)
	}
	return rows
}

// ServeHTTP finds the route by the undecoded path: "%2F" is not a slash here, and "//" and ".." are never cleaned.
func (b *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if strings.HasPrefix(path, "/web/") {
		httpx.SetRoute(r, "/web/")
		b.pages.file(w, r)
		return
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	at := slices.IndexFunc(b.routes, func(rt route) bool { return rt.matches(segments) })
	// A target in absolute form or without a path is meant for proxies.
	if at < 0 || !strings.HasPrefix(r.RequestURI, "/") {
		b.pages.notFound(w, r)
		return
	}
	rt := b.routes[at]
	httpx.SetRoute(r, rt.name)
	if rt.gated && r.Method == http.MethodOptions {
		// A preflight request: no other origin may read or write here.
		httpx.NewProblem(http.StatusForbidden, httpx.CodeCSRF, "No other site may call this address.").Write(w, r)
		return
	}
	method := r.Method
	if method == http.MethodHead && !rt.gated {
		method = http.MethodGet
	}
	found := slices.IndexFunc(rt.endpoints, func(e endpoint) bool { return e.method == method })
	if found < 0 {
		allow := rt.allow()
		w.Header().Set("Allow", allow)
		httpx.NewProblem(http.StatusMethodNotAllowed, httpx.CodeMethod, "This address takes "+allow+".").Write(w, r)
		return
	}
	if !b.within(rt, w, r) {
		return
	}
	if rt.gated {
		w.Header().Set("Cache-Control", "no-store")
		if p := b.gate.Check(r); p != nil {
			b.log.refused(r.Context(), "csrf", "method", r.Method)
			p.Write(w, r)
			return
		}
	}
	if b.often(w, r) {
		return
	}
	if i := slices.Index(rt.pattern, wildcard); i >= 0 {
		id, ok := b.idIn(rt, segments[i])
		if !ok {
			b.badID(w, r, rt)
			return
		}
		r.SetPathValue("id", id)
	}
	if i := slices.Index(rt.pattern, innerWildcard); i >= 0 {
		if !methodID.MatchString(segments[i]) {
			b.badID(w, r, route{gated: rt.gated, id: methodID})
			return
		}
		r.SetPathValue("method", segments[i])
	}
	for i, name := range rt.pattern {
		if plainWildcard(name) {
			r.SetPathValue(strings.Trim(name, "{}"), segments[i])
		}
	}
	rt.endpoints[found].serve(w, r)
}

func (b *Handler) badID(w http.ResponseWriter, r *http.Request, rt route) {
	if !rt.gated {
		b.pages.notFound(w, r)
		return
	}
	detail := "The id must be 1 to 30 letters, digits, _ or -."
	if rt.id != nil || b.remote {
		detail = "The id is malformed."
	}
	httpx.NewProblem(http.StatusBadRequest, httpx.CodeInvalidID, detail).Write(w, r)
}

func (rt route) matches(segments []string) bool {
	if len(segments) != len(rt.pattern) {
		return false
	}
	for i, want := range rt.pattern {
		if want != wildcard && want != innerWildcard && !plainWildcard(want) && want != segments[i] {
			return false
		}
	}
	return true
}

func (rt route) allow() string {
	var names []string
	for _, e := range rt.endpoints {
		names = append(names, e.method)
	}
	return strings.Join(names, ", ")
}

// idIn returns the ID in a segment of a path, escaped, and whether the route takes it.
func (b *Handler) idIn(rt route, segment string) (string, bool) {
	if b.remote && rt.id == nil {
		return remoteID(segment)
	}
	return segment, cmp.Or(rt.id, idPattern).MatchString(segment)
}

// formID returns the ID of a form in a query as it is in a path, and whether it can be one.
func (b *Handler) formID(given string) (string, bool) {
	if b.remote {
		given = url.PathEscape(given)
	}
	return b.idIn(route{}, given)
}

// maxRemoteID bounds the ID of a remote tenant in characters.
const maxRemoteID = 128

// remoteID returns the ID of a remote tenant as one segment of a path, from an escaped segment. It may contain any
// characters except those that the tenant or a proxy could interpret as another path: slashes, backslashes, control characters, and percent
// signs, which could be decoded twice. Nor may it be a dot segment.
func remoteID(segment string) (string, bool) {
	id, err := url.PathUnescape(segment)
	if err != nil || id == "" || id == "." || id == ".." || !utf8.ValidString(id) || utf8.RuneCountInString(id) > maxRemoteID ||
		strings.ContainsAny(id, `/\%`) || strings.ContainsFunc(id, unicode.IsControl) {
		return "", false
	}
	return url.PathEscape(id), true
}

// localReturn returns given if it is the path of one of our pages, else "/". Text that could be read as another origin is never such a
// path, so no list of tricks is needed. Only the ID of a remote tenant may be escaped.
func (b *Handler) localReturn(given string) string {
	if len(given) > maxReturn {
		return "/"
	}
	path, _, _ := strings.Cut(given, "?")
	for i := range len(given) {
		c := given[i]
		escape := c == '%' && (!b.remote || i >= len(path))
		if c <= ' ' || c >= 0x7f || c == '\\' || c == '#' || escape {
			return "/"
		}
	}
	u, err := url.Parse(given)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(given, "/") {
		return "/"
	}
	segments := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, rt := range b.routes {
		if rt.gated || !rt.matches(segments) || segments[0] == "bff" {
			continue
		}
		if last := len(segments) - 1; rt.pattern[last] == wildcard {
			if _, ok := b.idIn(rt, segments[last]); !ok {
				return "/"
			}
		}
		return given
	}
	return "/"
}
