package admin

import "github.com/formgraph/formgraph/model/schema"

const apisName = "apis"

// The ids of the tenant's own APIs.
const (
	managementID  = "management"
	selfServiceID = "me"
)

func apis() section {
	called := nameOr("identifier")
	policies := []option{
		{key: "require_client_grant", name: "Require a grant", text: "Only applications with a grant, and only the scopes in it."},
		{key: "allow_all", name: "Allow all", text: "Every application, and every scope of this API."},
		{key: "deny_all", name: "Deny all", text: "No application at all."},
	}
	policy := func(of string) func(*schema.Object) string {
		return func(o *schema.Object) string { return o.Object("subject_type_authorization").Object(of).Text("policy") }
	}
	return section{
		name: apisName, path: "resource-servers", id: "id", scope: "resource_servers", icon: "code",
		words: words{
			title: "APIs", one: "API", many: "APIs",
			about:     "The services that tokens are issued for, their scopes, and who may request them.",
			emptyText: "Create one for each service that accepts this tenant's tokens.",
		},
		called: called, watched: selfServiceID,
		columns: []column{
			heading("Name", called, mark{"Tenant's own", has("is_system"), false}, mark{"Inactive", lacks("active"), true}),
			member("Identifier", "identifier", codeCell),
			scopeCount("scopes"),
			chosen("People", policies, policy("user")).wide(),
			chosen("Applications", policies, policy("client")).wide(),
		},
		fields: apiFields(policies),
		locked: func(x facts) string {
			if x.entry.Text("id") == managementID {
				return "The management API cannot be changed: once turned off, it could not be turned on again."
			}
			return ""
		},
		actions: []action{
			{
				name: "activate", label: "Activate", text: "People can then manage their own accounts.", done: "%s is active.",
				method: "PATCH", scope: "update:resource_servers", body: schema.NewObject(schema.Member{Key: "active", Value: true}),
				banner: "The account API is inactive. People cannot manage their own accounts: passwords, passkeys and sign-ins.",
				hidden: func(x facts) bool { return x.entry.Text("id") != selfServiceID || is(x.entry, "active") },
			},
			deletion("API", "resource_servers", "Its grants and permissions are deleted too, and no more tokens are issued for it.",
				func(x facts) string {
					if is(x.entry, "is_system") {
						return "The tenant's own APIs cannot be deleted."
					}
					return ""
				}),
		},
	}
}

func apiFields(policies []option) []field {
	own := func(x facts) string {
		if is(x.entry, "is_system") {
			return "The tenant manages the name and scopes of its own APIs."
		}
		return ""
	}
	return []field{
		{path: "name", label: "Name", help: "How people recognize the API.", must: true, locked: own},
		{
			path: "identifier", label: "Identifier", help: "The audience in tokens, often an address. It cannot be changed later.", must: true,
			settled: "The identifier cannot be changed: tokens and settings elsewhere refer to it.",
		},
		{path: "active", kind: flagField, late: true, label: "Active", help: "No tokens are issued for an inactive API."},
		{
			path: "subject_type_authorization.user.policy", kind: choiceField, label: "When an application acts for a person",
			help: "The applications that can get a token on behalf of a person.", first: "require_client_grant", options: policies,
		},
		{
			path: "subject_type_authorization.client.policy", kind: choiceField, label: "When an application acts on its own",
			help: "The applications that can get a token without a person.", first: "require_client_grant", options: policies,
			locked: func(x facts) string {
				if x.entry.Text("id") == selfServiceID {
					return "Always “Deny all”: the account API is for people who are signed in, so no application may call it on its own."
				}
				return ""
			},
		},
		{
			path: "scopes", kind: rowsField, label: "Scopes", help: "The permissions of the API. One word each, such as read:orders.",
			columns: []rowColumn{{"value", "Value"}, {"description", "Description"}}, locked: own,
		},
	}
}
