package admin

import (
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

func apis() section {
	policies := fixed(plainOption("require_client_grant",
		explained{"Require a grant", "Only applications with a grant, and only the scopes in it."}),
		plainOption("allow_all", explained{"Allow all", "Every application, and every scope of this API."}),
		plainOption("deny_all", explained{"Deny all", "No application at all."}))
	policy := func(who string) func(facts) []cell {
		return func(x facts) []cell {
			key := x.entry.Object("subject_type_authorization").Object(who).Text("policy")
			return []cell{{plainCell, nameOfOption(policies(x), key)}}
		}
	}
	system := func(x facts) bool { return is(x.entry, "is_system") }
	own := func(x facts) string {
		if system(x) {
			return "The tenant manages the name and scopes of its own APIs."
		}
		return ""
	}
	title := nameOr("identifier")
	return section{
		name: apisName, path: "resource-servers", id: "id", scope: "resource_servers", icon: "code", words: &sectionWords{
			Title: "APIs", One: "API", New: "New API", Search: "Search APIs",
			About: "What tokens are issued for, which scopes there are, and who may ask for them.",
			Empty: "No APIs yet", EmptyText: "Create one for each service that takes this tenant's tokens.",
		}, title: title,
		columns: []column{
			titled("Name", title, func(x facts) []cell {
				return marks(mark{"Tenant's own", system(x), false}, mark{"Not active", !is(x.entry, "active"), true})
			}),
			member("Identifier", "identifier", codeCell),
			column{name: "Scopes", cells: func(x facts) []cell {
				return []cell{{plainCell, kit.Several(len(x.entry.List("scopes")), "1 scope", "%d scopes")}}
			}}.wide(),
			column{name: "People", cells: policy("user")}.wide(),
			column{name: "Applications", cells: policy("client")}.wide(),
		},
		fields: apiFields(policies, own),
		locked: func(x facts) string {
			if x.entry.Text("id") == managementID {
				return "The management API cannot be changed: turned off, it could not be turned on again."
			}
			return ""
		},
		actions: apiActions(system),
	}
}

// apiFields are the fields of an API: own says why its name and scopes are locked.
func apiFields(policies func(facts) []option, own func(facts) string) []field {
	return []field{
		{path: "name", text: &explained{"Name", "How people recognize the API."}, made: true, must: true, changed: true, locked: own},
		{
			path: "identifier", text: &explained{"Identifier", "The audience in tokens, often an address. It cannot be changed later."},
			made: true, must: true, locked: func(x facts) string {
				if x.entry != nil {
					return "The identifier cannot be changed: tokens and settings elsewhere name it."
				}
				return ""
			},
		},
		{path: "active", kind: flagField, text: &explained{"Active", "While it is off, no token is issued for this API."}, changed: true},
		{
			path: "subject_type_authorization.user.policy", kind: choiceField,
			text: &explained{"When an application acts for a person", "Who may ask for a token in a person's name."}, made: true, changed: true,
			first: "require_client_grant", options: policies,
		},
		{
			path: "subject_type_authorization.client.policy", kind: choiceField,
			text: &explained{"When an application acts on its own", "Who may ask for a token without a person."}, made: true, changed: true,
			first: "require_client_grant", options: policies, locked: func(x facts) string {
				if x.entry.Text("id") == selfServiceID {
					return "Always “Deny all”: the account API is for people who are signed in, so no application may call it on its own."
				}
				return ""
			},
		},
		{
			path: "scopes", kind: rowsField, text: &explained{"Scopes", "What can be allowed. One word each, such as read:orders."}, made: true,
			changed: true, columns: []rowColumn{{"value", "Value"}, {"description", "Description"}}, locked: own,
		},
	}
}

// apiActions are the actions on an API: system reports whether it is the tenant's own.
func apiActions(system func(facts) bool) []action {
	return []action{
		{
			name: "activate", text: &asked{"Activate", "Activate %s?", "People can then manage their own account.", "%s is active."},
			method: "PATCH", scope: "update:resource_servers",
			banner: "The account API is not active. People cannot manage their own account: passwords, passkeys and where they are signed in.",
			body:   schema.NewObject(schema.Member{Key: "active", Value: true}),
			hidden: func(x facts) bool { return x.entry.Text("id") != selfServiceID || is(x.entry, "active") },
		},
		{
			name: "delete", text: &asked{
				"Delete API", "Delete %s?",
				"Its grants and permissions go with it, and no more tokens are issued for it. This cannot be undone.", "%s is deleted.",
			},
			method: "DELETE", scope: "delete:resource_servers", asks: true, danger: true, ends: true,
			locked: func(x facts) string {
				if system(x) {
					return "The tenant's own APIs cannot be deleted."
				}
				return ""
			},
		},
	}
}
