package bff

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/model"
)

// apiRoute is one path of a tenant API. The same path is served here below a prefix and called there below the base address.
type apiRoute struct {
	path string
	// noun names the resource that the ID identifies, in messages; "" means that the path names it.
	noun  string
	id    *regexp.Regexp // the shape of the ID; nil means idPattern
	calls []call
}

// updateForms is the scope of people who may edit.
const updateForms = "update:forms"

// readForms is the scope of people who may read forms.
const readForms = "read:forms"

// formRoutes lists the routes of the editor of forms.
func formRoutes() []apiRoute {
	create := call{method: http.MethodPost, scope: "create:forms", body: true, check: model.CheckNew, event: "form_created"}
	save := call{method: http.MethodPatch, scope: updateForms, body: true, check: model.CheckPatch, event: "form_saved"}
	return []apiRoute{
		{path: "/forms", calls: []call{{method: http.MethodGet, scope: readForms, query: listQuery}, create}},
		{path: "/forms/" + wildcard, calls: []call{
			{method: http.MethodGet, scope: readForms}, save, {method: http.MethodDelete, scope: "delete:forms", event: "form_deleted"},
		}},
		{path: "/flows", calls: []call{{method: http.MethodGet, scope: "read:flows", query: listQuery}}},
	}
}

// scopesOf returns the scopes that routes need, without duplicates.
func scopesOf(routes []apiRoute) []string {
	var out []string
	for _, r := range routes {
		for _, c := range r.calls {
			if !slices.Contains(out, c.scope) {
				out = append(out, c.scope)
			}
		}
	}
	return out
}

// routes returns the routes that forward to an API, below prefix. set selects the API for each call.
func (f *forwarder) routes(prefix string, of []apiRoute, set func(*call)) []route {
	out := make([]route, len(of))
	for i, a := range of {
		words := strings.Split(a.path, "/")
		out[i] = newRoute(prefix+a.path, true)
		out[i].id = a.id
		for _, c := range a.calls {
			c.resource, c.noun = words[1], a.noun
			if len(words) > 3 { // after the ID
				c.sub = words[3]
			}
			set(&c)
			out[i].endpoints = append(out[i].endpoints, f.forward(c))
		}
	}
	return out
}
