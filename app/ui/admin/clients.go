package admin

import "github.com/formgraph/formgraph/model/schema"

const clientsName = "clients"

func clients() section {
	called := nameOr("client_id")
	kinds := []option{
		{key: "regular_web", name: "Web application", text: "Runs on a server and keeps a secret."},
		{key: "spa", name: "Single-page application", text: "Runs in the browser and has no secret."},
		{key: "native", name: "Native application", text: "Runs on a phone or desktop and has no secret."},
		{key: "non_interactive", name: "Machine to machine", text: "Calls APIs on its own, with a secret and without people."},
	}
	ours := func(x facts) string {
		if is(x.entry, "is_reserved") {
			return "This is the editor's own application. The tenant maintains it and resets it at each start."
		}
		return ""
	}
	fields := []field{
		{path: "name", label: "Name", help: "People see it when they are asked for consent.", must: true},
		{
			path: "app_type", kind: choiceField, label: "Type", help: "Where it runs decides whether it can keep a secret.",
			first: "regular_web", options: kinds,
		},
		{path: "description", kind: longField, label: "Description", help: "For administrators only."},
	}
	fields = append(fields, clientAddresses()...)
	fields = append(fields, clientTokens()...)
	return section{
		name: clientsName, path: "clients", id: "client_id", scope: "clients", icon: "apps",
		words: words{
			title: "Applications", one: "application", many: "applications",
			about:     "Programs that sign people in or call APIs on their own.",
			emptyText: "Create one for each program that signs people in or calls an API.",
		},
		called: called, locked: ours,
		columns: []column{
			heading("Name", called, mark{"Tenant's own", has("is_reserved"), false}, mark{"Third party", lacks("is_first_party"), false},
				mark{"Global", has("global"), false}),
			chosen("Type", kinds, func(o *schema.Object) string { return o.Text("app_type") }),
			member("Client id", "client_id", codeCell).wide(),
			member("Created", "created_at", timeCell).wide(),
		},
		fields: append(fields, clientSecurity()...),
		actions: []action{
			{
				name: "rotate", label: "Create a new secret", ask: "Create a new secret for %s?",
				text: "The current secret stops working at once. Programs that use it fail until they have the new one.",
				done: "%s has a new secret.", method: "POST", word: "rotate-secret", scope: "update:client_keys", once: "client_secret",
				locked: func(x facts) string {
					if x.entry.Text("token_endpoint_auth_method") == "none" {
						return "This application has no secret."
					}
					return ours(x)
				},
			},
			deletion("application", "clients", "Its grants are deleted too, and nobody can sign in to it any longer.", ours),
		},
	}
}

// clientAddresses are the fields for an application's addresses.
func clientAddresses() []field {
	return []field{
		{
			path: "callbacks", kind: rowsField, late: true, label: "Callback addresses",
			help: "The addresses that people may be sent to after signing in. They must match exactly.",
		},
		{
			path: "allowed_logout_urls", kind: rowsField, late: true, label: "Logout addresses",
			help: "The addresses that people may be sent to after signing out.",
		},
		{
			path: "allowed_origins", kind: rowsField, late: true, label: "Origins",
			help: "The origins of this application's pages that call the tenant, such as https://app.example.",
		},
		{
			path: "web_origins", kind: rowsField, late: true, label: "Web origins",
			help: "These count as origins, too. Applications that were set up for another tenant list them here.",
		},
	}
}

// clientTokens are the fields for how an application gets tokens.
func clientTokens() []field {
	return []field{
		{
			path: "grant_types", kind: checksField, late: true, label: "Ways to get tokens", help: "Allow only what the application uses.",
			options: []option{
				{key: "authorization_code", name: "Sign-in in the browser", text: "authorization_code"},
				{key: "refresh_token", name: "Stay signed in", text: "refresh_token"},
				{key: "client_credentials", name: "On its own, without a person", text: "client_credentials"},
				{key: "password", name: "With the person's password", text: "password: only where no browser can be shown"},
				{key: "implicit", name: "An ID token directly from the sign-in, without a code", text: "implicit"},
				{key: "urn:formgraph:params:oauth:grant-type:webauthn", name: "With a passkey in a native application", text: "webauthn"},
			},
		},
		{
			path: "token_endpoint_auth_method", kind: pickField, late: true, label: "How it authenticates", help: "At the token endpoint.",
			options: []option{
				{key: "client_secret_post", name: "Secret in the request", text: "client_secret_post"},
				{key: "client_secret_basic", name: "Secret in the header", text: "client_secret_basic"},
				{key: "none", name: "No secret", text: "none: for programs that cannot keep one"},
			},
		},
		{
			path: "is_first_party", kind: flagField, late: true, label: "First-party",
			help: "It belongs to you: people are not asked for consent.",
		},
		{path: "global", kind: flagField, late: true, label: "Global", help: "It may call the management API, within its grants."},
	}
}

// clientSecurity are the fields for further security requirements of an
// application.
func clientSecurity() []field {
	return []field{
		{
			path: "oidc_logout.backchannel_logout_urls", kind: rowsField, late: true, part: "Advanced", label: "Back-channel logout address",
			help: "The address at which the tenant notifies the application of a sign-out: a single one, with https or on this machine.",
		},
		{
			path: "require_pushed_authorization_requests", kind: flagField, late: true, label: "Require pushed requests",
			help: "A sign-in must begin with a request that the application has pushed (PAR).",
		},
		{
			path: "require_proof_of_possession", kind: flagField, late: true, label: "Require proof of possession",
			help: "Tokens are bound to a key of the application (DPoP). It no longer gets bearer tokens.",
		},
	}
}
