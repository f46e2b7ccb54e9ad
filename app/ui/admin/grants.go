package admin

import (
	"github.com/formgraph/formgraph/app/ui/kit"
)

func grants() section {
	subjects := fixed(plainOption("client", explained{"Itself", "Tokens without a person."}),
		plainOption("user", explained{"A person", "Tokens for the person who signed in."}))
	client := func(x facts) string {
		if s := x.of(clientsName, "client_id", x.entry.Text("client_id")).Text("name"); s != "" {
			return s
		}
		return x.entry.Text("client_id")
	}
	api := func(x facts) string {
		if s := x.api(x.entry.Text("audience")).Text("name"); s != "" {
			return s
		}
		return x.entry.Text("audience")
	}
	ours := func(x facts) string {
		if reserved(x.of(clientsName, "client_id", x.entry.Text("client_id"))) {
			return "This grant is the editor's own. The tenant resets it at each start."
		}
		return ""
	}
	settled := func(x facts) string {
		if x.entry != nil {
			return "To change this, make another grant."
		}
		return ""
	}
	return section{
		name: grantsName, path: "client-grants", id: "id", scope: "client_grants", icon: "link", words: &sectionWords{
			Title: "Grants", One: "grant", New: "New grant", Search: "Search grants", About: "Which application may get which scopes of which API.",
			Empty: "No grants yet", EmptyText: "An API that requires a grant issues tokens only to applications that have one.",
		}, needs: []string{clientsName, apisName},
		title: func(x facts) string { return lines(client(x), api(x)) },
		columns: []column{
			titled("Application", client, nil),
			{name: "API", cells: func(x facts) []cell { return []cell{{plainCell, api(x)}} }},
			{name: "Acts for", cells: func(x facts) []cell {
				return []cell{{plainCell, nameOfOption(subjects(x), x.entry.Text("subject_type"))}}
			}},
			column{name: "Scopes", cells: func(x facts) []cell {
				return []cell{{plainCell, kit.Several(len(x.entry.List("scope")), "1 scope", "%d scopes")}}
			}}.wide(),
		},
		fields: grantFields(subjects, settled),
		locked: ours,
		actions: []action{{
			name: "delete", text: &asked{
				"Delete grant", "Delete the grant %s?",
				"The application gets no more tokens by it. Those it has stay valid for some minutes.", "The grant %s is deleted.",
			}, method: "DELETE",
			scope: "delete:client_grants", asks: true, danger: true, ends: true, locked: ours,
		}},
	}
}

// grantFields are the fields of a grant: settled says why those that name what it grants are locked.
func grantFields(subjects func(facts) []option, settled func(facts) string) []field {
	return []field{
		{
			path: "client_id", kind: pickField, text: &explained{"Application", "Who the grant is for. It cannot be changed later."}, made: true,
			must: true, locked: settled, options: func(x facts) []option {
				var out []option
				for _, c := range x.lists[clientsName] {
					out = append(out, option{key: c.Text("client_id"), name: nameOr("client_id")(facts{entry: c})})
				}
				return out
			},
		},
		{
			path: "audience", kind: pickField, text: &explained{"API", "What the tokens are for. It cannot be changed later."}, made: true,
			must: true, locked: settled, options: func(x facts) []option {
				var out []option
				for _, a := range x.lists[apisName] {
					out = append(out, option{key: a.Text("identifier"), name: a.Text("name")})
				}
				return out
			},
		},
		{
			path: "subject_type", kind: choiceField, text: &explained{"Acts for", "An application may have one grant of each kind for an API."},
			made: true, first: "client", locked: settled, options: subjects,
		},
		{
			path: "scope", kind: checksField, text: &explained{"Scopes", "The most that its tokens can hold."}, made: true, must: true,
			changed: true, options: func(x facts) []option {
				return scopesOf(x.api(x.draft["audience"]), func(scope string) string { return scope }, "")
			},
		},
	}
}
