package api

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/httpx"
)

// Routes are the operations of an API, by pattern and by method. A pattern is a path below the API's prefix. A segment in braces stands for
// an ID: {id} for one segment, {id...} at the end for the rest of the path.
type Routes map[string]map[string]Operation

// Param parses an ID from its escaped form in a path, or refuses it.
type Param func(escaped string) (id string, refused *Error)

// Router finds the operation of a request. It compares escaped paths, so that an escaped slash or dot in an ID is never taken for a
// separator: net/http.ServeMux matches the unescaped path and redirects to the cleaned path before an API could refuse it.
type Router struct {
	prefix string
	params map[string]Param
	routes []route
}

// route is one pattern, split into its segments.
type route struct {
	pattern string // with the prefix
	words   []string
	ops     map[string]Operation
}

// NewRouter returns a router for the routes below prefix, whose IDs are parsed by params. It panics if a pattern names an ID that is not in
// params.
func NewRouter(prefix string, params map[string]Param, routes Routes) *Router {
	r := &Router{prefix: prefix, params: params}
	// A literal segment sorts before one in braces, so the more specific pattern wins.
	for _, pattern := range slices.Sorted(maps.Keys(routes)) {
		words := strings.Split(pattern, "/")
		for _, w := range words {
			if name, _, ok := placeholder(w); ok && params[name] == nil {
				panic(fmt.Sprintf("api: nothing reads {%s} of %s", name, pattern)) // only for a wrong table in the program
			}
		}
		r.routes = append(r.routes, route{prefix + pattern, words, routes[pattern]})
	}
	return r
}

// placeholder returns the name of the ID for which a segment of a pattern stands, and whether the ID extends to the end of the path.
func placeholder(word string) (name string, rest, ok bool) {
	name, ok = strings.CutPrefix(word, "{")
	name, rest = strings.CutSuffix(strings.TrimSuffix(name, "}"), "...")
	return name, rest, ok
}

// find sets the operation of a call and its IDs, or returns the error for its path or method. An operation for GET also serves HEAD.
func (r *Router) find(c *Call) *Error {
	path, ok := strings.CutPrefix(c.Request.URL.EscapedPath(), r.prefix)
	words := strings.Split(path, "/")
	i := slices.IndexFunc(r.routes, func(rt route) bool { return rt.matches(words) })
	if !ok || i < 0 {
		return NotFound()
	}
	httpx.SetRoute(c.Request, r.routes[i].pattern)
	var refused *Error
	if c.ids, refused = r.routes[i].read(words, r.params); refused != nil {
		return refused
	}
	method := c.Request.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op, ok := r.routes[i].ops[method]
	if !ok {
		return &Error{
			Status: http.StatusMethodNotAllowed, Code: "method_not_allowed", Message: "This path does not take this method",
			Allow: slices.Sorted(maps.Keys(r.routes[i].ops)),
		}
	}
	c.Op = &op
	return nil
}

// matches reports whether the segments of a path match the pattern. It does not check IDs.
func (rt route) matches(words []string) bool {
	for i, w := range rt.words {
		if i == len(words) {
			return false
		}
		_, rest, ok := placeholder(w)
		if rest {
			return true
		}
		if !ok && w != words[i] {
			return false
		}
	}
	return len(words) == len(rt.words)
}

// read returns the IDs of a matching path, or the refusal of the first invalid one.
func (rt route) read(words []string, params map[string]Param) (map[string]string, *Error) {
	ids := map[string]string{}
	for i, w := range rt.words {
		name, rest, ok := placeholder(w)
		if !ok {
			continue
		}
		text := words[i]
		if rest {
			text = strings.Join(words[i:], "/")
		}
		id, refused := params[name](text)
		if refused != nil {
			return nil, refused
		}
		ids[name] = id
	}
	return ids, nil
}

// ReadID parses an ID of at most 100 letters, digits, dashes, underscores and bars. Clients may or may not escape a bar.
func ReadID(escaped string) (id string, ok bool) {
	id, err := url.PathUnescape(escaped)
	if err != nil || id == "" || len(id) > 100 {
		return "", false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '|':
		default:
			return "", false
		}
	}
	return id, true
}
