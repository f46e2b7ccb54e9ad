package admin

import (
	"github.com/formgraph/formgraph/model/schema"
)

// reserved reports whether an application is the tenant's own.
func reserved(client *schema.Object) bool { return is(client, "is_reserved") }

func clients() section {
	kinds := fixed(plainOption("regular_web", explained{"Web application", "Runs on a server and keeps a secret."}),
		plainOption("spa", explained{"Single-page application", "Runs in the browser and has no secret."}),
		plainOption("native", explained{"Native application", "Runs on a phone or desktop and has no secret."}),
		plainOption("non_interactive", explained{"Machine to machine", "Calls APIs on its own, with a secret and without people."}))
	title := nameOr("client_id")
	ours := func(x facts) string {
		if reserved(x.entry) {
			return "This is the editor's own application. The tenant maintains it and resets it at each start."
		}
		return ""
	}
	return section{
		name: clientsName, path: "clients", id: "client_id", scope: "clients", icon: "cards", words: &sectionWords{
			Title: "Applications", One: "application", New: "New application", Search: "Search applications",
			About: "Programs that sign people in or call APIs on their own.",
			Empty: "No applications yet", EmptyText: "Create one for each program that signs people in or calls an API.",
		}, title: title,
		columns: []column{
			titled("Name", title, func(x facts) []cell {
				return marks(mark{"Tenant's own", reserved(x.entry), false}, mark{"Third party", !is(x.entry, "is_first_party"), false},
					mark{"Global", is(x.entry, "global"), false})
			}),
			{name: "Type", cells: func(x facts) []cell { return []cell{{plainCell, nameOfOption(kinds(x), x.entry.Text("app_type"))}} }},
			member("Client id", "client_id", codeCell).wide(),
			member("Made", "created_at", timeCell).wide(),
		},
		fields:  clientFields(kinds),
		locked:  ours,
		actions: clientActions(ours),
	}
}

// clientFields are the fields of an application, whose type is one of kinds.
func clientFields(kinds func(facts) []option) []field {
	return []field{
		{path: "name", text: &explained{"Name", "People see it when they are asked for consent."}, made: true, must: true, changed: true},
		{
			path: "app_type", kind: choiceField, text: &explained{"Type", "Where it runs decides whether it can keep a secret."}, made: true,
			changed: true, first: "regular_web", options: kinds,
		},
		{path: "description", kind: longField, text: &explained{"Description", "For administrators only."}, made: true, changed: true},
		{path: "callbacks", kind: rowsField, text: &explained{
			"Callback addresses",
			"Where people may be sent after signing in. They must match exactly.",
		}, changed: true},
		{
			path: "allowed_logout_urls", kind: rowsField, text: &explained{"Logout addresses", "Where people may be sent after signing out."},
			changed: true,
		},
		{path: "allowed_origins", kind: rowsField, text: &explained{
			"Origins",
			"Where the pages of this application come from when they call the tenant, such as https://app.example.",
		}, changed: true},
		{path: "web_origins", kind: rowsField, text: &explained{
			"Web origins",
			"They count as origins, too. Applications from elsewhere list them here.",
		}, changed: true},
		{
			path: "grant_types", kind: checksField, text: &explained{"Ways to get tokens", "Allow only what the application uses."}, changed: true,
			options: fixed(
				plainOption("authorization_code", explained{"Sign-in in the browser", "authorization_code"}),
				plainOption("refresh_token", explained{"Stay signed in", "refresh_token"}),
				plainOption("client_credentials", explained{"On its own, without a person", "client_credentials"}),
				plainOption("password", explained{"With the person's password", "password: only where no browser can be shown"}),
				plainOption("implicit", explained{"An ID token straight from the sign-in, without a code", "implicit"}),
				plainOption("urn:formgraph:params:oauth:grant-type:webauthn", explained{"With a passkey in a native application", "webauthn"}),
			),
		},
		{
			path: "token_endpoint_auth_method", kind: pickField, text: &explained{"How it authenticates", "At the token endpoint."}, changed: true,
			options: fixed(
				plainOption("client_secret_post", explained{"Secret in the request", "client_secret_post"}),
				plainOption("client_secret_basic", explained{"Secret in the header", "client_secret_basic"}),
				plainOption("none", explained{"No secret", "none: for programs that cannot keep one"}),
			),
		},
		{
			path: "is_first_party", kind: flagField, text: &explained{"First-party", "It belongs to you: people are not asked for consent."},
			changed: true,
		},
		{path: "global", kind: flagField, text: &explained{"Global", "It may call the management API, within its grants."}, changed: true},
		{
			path: "oidc_logout.backchannel_logout_urls", kind: rowsField,
			text: &explained{
				"Back-channel logout address",
				"Where the tenant tells the application that somebody signed out: one address, by https or on this machine.",
			}, part: "Advanced",
			changed: true,
		},
		{
			path: "require_pushed_authorization_requests", kind: flagField,
			text:    &explained{"Require pushed requests", "A sign-in begins only with a request that the application sent ahead (PAR)."},
			changed: true,
		},
		{
			path: "require_proof_of_possession", kind: flagField,
			text: &explained{
				"Require proof of possession",
				"Its tokens are bound to a key that it holds (DPoP). It no longer gets bearer tokens.",
			}, changed: true,
		},
	}
}

// clientActions are the actions on an application: ours says why those on the editor's own are locked.
func clientActions(ours func(facts) string) []action {
	return []action{
		{
			name: "rotate", text: &asked{
				"Create a new secret", "Create a new secret for %s?",
				"The present secret stops working at once. Whatever uses it fails until it has the new one.", "%s has a new secret.",
			}, method: "POST",
			word: "rotate-secret", scope: "update:client_keys", asks: true, once: "client_secret",
			locked: func(x facts) string {
				if x.entry.Text("token_endpoint_auth_method") == "none" {
					return "This application has no secret."
				}
				return ours(x)
			},
		},
		{
			name: "delete", text: &asked{
				"Delete application", "Delete %s?",
				"Its grants go with it, and nobody can sign in with it any longer. This cannot be undone.", "%s is deleted.",
			}, method: "DELETE",
			scope: "delete:clients", asks: true, danger: true, ends: true, locked: ours,
		},
	}
}
