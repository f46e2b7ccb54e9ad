package admin

import (
	"cmp"

	"github.com/formgraph/formgraph/model/schema"
)

const grantsName = "grants"

func grants() section {
	subjects := []option{
		{key: "client", name: "Itself", text: "Tokens without a person."},
		{key: "user", name: "A person", text: "Tokens for the person who signed in."},
	}
	client := func(x facts) string { return cmp.Or(x.entry.Text("client_name"), x.entry.Text("client_id")) }
	api := func(x facts) string { return cmp.Or(x.entry.Text("resource_server_name"), x.entry.Text("audience")) }
	ours := func(x facts) string {
		if is(x.entry, "is_reserved") {
			return "This grant is the editor's own. The tenant resets it at each start."
		}
		return ""
	}
	const settled = "To change this, create another grant."
	return section{
		name: grantsName, path: "client-grants", id: "id", scope: "client_grants", query: "include_names=true", icon: "link",
		words: words{
			title: "Grants", one: "grant", many: "grants",
			about:     "The scopes that an application may get for an API.",
			emptyText: "An API that requires a grant issues tokens only to applications that have one.",
		},
		called: func(x facts) string { return client(x) + " → " + api(x) },
		locked: ours,
		columns: []column{
			heading("Application", client),
			{name: "API", cells: func(x facts) []cell { return []cell{{plainCell, api(x)}} }},
			chosen("Acts for", subjects, func(o *schema.Object) string { return o.Text("subject_type") }),
			scopeCount("scope"),
		},
		fields: []field{
			{
				path: "client_id", kind: pickField, label: "Application", help: "It cannot be changed later.", must: true, settled: settled,
				from: &source{section: clientsName, options: one("client_id", "description"), named: "client_name"},
			},
			{
				path: "audience", kind: pickField, label: "API", help: "The audience of the tokens. It cannot be changed later.", must: true,
				settled: settled, clears: "scope",
				from: &source{section: apisName, options: one("identifier", "identifier"), named: "resource_server_name"},
			},
			{
				path: "subject_type", kind: choiceField, label: "Acts for", help: "An application may have one grant of each kind for an API.",
				first: "client", settled: settled, options: subjects,
			},
			{
				path: "scope", kind: checksField, label: "Scopes", help: "The scopes that its tokens can have at most.", must: true,
				from: &source{section: apisName, options: grantScopes, of: func(x facts) string { return x.draft["audience"] }},
			},
		},
		actions: []action{
			deletion("grant", "client_grants", "The application gets no more tokens with it. Existing tokens stay valid for a few minutes.", ours),
		},
	}
}

// grantScopes returns the scopes that a grant can have: those of its API.
func grantScopes(api *schema.Object, x facts) []option {
	if api.Text("identifier") != x.draft["audience"] {
		return nil
	}
	return scopesOf(api, func(scope string) string { return scope }, "")
}
