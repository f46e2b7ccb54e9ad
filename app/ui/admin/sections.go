package admin

import (
	"strings"

	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// The names of sections in the address.
const (
	apisName    = "apis"
	clientsName = "clients"
	grantsName  = "grants"
	peopleName  = "people"
	rolesName   = "roles"
	logName     = "log"
)

// The ids of the tenant's own APIs.
const (
	managementID  = "management"
	selfServiceID = "me"
)

// sections is the table of the page, in the order of the screen.
func sections() []section {
	return []section{apis(), clients(), grants(), people(), roles(), signIns()}
}

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
			return "The tenant keeps name and scopes of its own APIs itself."
		}
		return ""
	}
	title := nameOr("identifier")
	return section{
		name: apisName, path: "resource-servers", id: "id", scope: "resource_servers", icon: "code", words: &sectionWords{
			Title: "APIs", One: "API", New: "New API", Search: "Search APIs",
			About: "What tokens are issued for, which scopes there are, and who may ask for them.",
			Empty: "No APIs yet", EmptyText: "Make one for each service that takes this tenant's tokens.",
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
		fields: []field{
			{path: "name", text: &explained{"Name", "How people recognise the API."}, made: true, must: true, changed: true, locked: own},
			{path: "identifier", text: &explained{"Identifier", "The audience in tokens, often an address. It cannot be changed later."},
				made: true, must: true, locked: func(x facts) string {
					if x.entry != nil {
						return "The identifier cannot be changed: tokens and settings elsewhere name it."
					}
					return ""
				}},
			{path: "active", kind: flagField, text: &explained{"Active", "While it is off, no token is issued for this API."}, changed: true},
			{path: "subject_type_authorization.user.policy", kind: choiceField,
				text: &explained{"When an application acts for a person", "Who may ask for a token in a person's name."}, made: true, changed: true,
				first: "require_client_grant", options: policies},
			{path: "subject_type_authorization.client.policy", kind: choiceField,
				text: &explained{"When an application acts on its own", "Who may ask for a token without a person."}, made: true, changed: true,
				first: "require_client_grant", options: policies, locked: func(x facts) string {
					if x.entry.Text("id") == selfServiceID {
						return "Always “Deny all”: the account API is for people who are signed in, so no application may call it on its own."
					}
					return ""
				}},
			{path: "scopes", kind: rowsField, text: &explained{"Scopes", "What can be allowed. One word each, such as read:orders."}, made: true,
				changed: true, columns: []rowColumn{{"value", "Value"}, {"description", "Description"}}, locked: own},
		},
		locked: func(x facts) string {
			if x.entry.Text("id") == managementID {
				return "The management API cannot be changed: turned off, it could not be turned on again."
			}
			return ""
		},
		actions: []action{
			{
				name: "activate", text: &asked{"Activate", "Activate %s?", "People can then look after their own account.", "%s is active."},
				method: "PATCH", scope: "update:resource_servers",
				banner: "The account API is not active. People cannot look after their own account: passwords, passkeys and where they are signed in.",
				body:   schema.NewObject(schema.Member{Key: "active", Value: true}),
				hidden: func(x facts) bool { return x.entry.Text("id") != selfServiceID || is(x.entry, "active") },
			},
			{
				name: "delete", text: &asked{"Delete API", "Delete %s?",
					"Its grants and permissions go with it, and no more tokens are issued for it. This cannot be undone.", "%s is deleted."},
				method: "DELETE", scope: "delete:resource_servers", asks: true, danger: true, ends: true,
				locked: func(x facts) string {
					if system(x) {
						return "The tenant's own APIs cannot be deleted."
					}
					return ""
				},
			},
		},
	}
}

// reserved tells whether an application is the tenant's own.
func reserved(client *schema.Object) bool { return is(client, "is_reserved") }

func clients() section {
	kinds := fixed(plainOption("regular_web", explained{"Web application", "Runs on a server and keeps a secret."}),
		plainOption("spa", explained{"Single-page application", "Runs in the browser and has no secret."}),
		plainOption("native", explained{"Native application", "Runs on a phone or desktop and has no secret."}),
		plainOption("non_interactive", explained{"Machine to machine", "Calls APIs on its own, with a secret and without people."}))
	title := nameOr("client_id")
	ours := func(x facts) string {
		if reserved(x.entry) {
			return "This is the editor's own application. The tenant keeps it up itself and sets it anew at each start."
		}
		return ""
	}
	return section{
		name: clientsName, path: "clients", id: "client_id", scope: "clients", icon: "cards", words: &sectionWords{
			Title: "Applications", One: "application", New: "New application", Search: "Search applications",
			About: "Programs that sign people in or call APIs on their own.",
			Empty: "No applications yet", EmptyText: "Make one for each program that signs people in or calls an API.",
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
		fields: []field{
			{path: "name", text: &explained{"Name", "People see it when they are asked for consent."}, made: true, must: true, changed: true},
			{path: "app_type", kind: choiceField, text: &explained{"Type", "Where it runs decides whether it can keep a secret."}, made: true,
				changed: true, first: "regular_web", options: kinds},
			{path: "description", kind: longField, text: &explained{"Description", "For administrators only."}, made: true, changed: true},
			{path: "callbacks", kind: rowsField, text: &explained{"Callback addresses",
				"Where people may be sent after signing in. Compared letter by letter."}, changed: true},
			{path: "allowed_logout_urls", kind: rowsField, text: &explained{"Logout addresses", "Where people may be sent after signing out."},
				changed: true},
			{path: "allowed_origins", kind: rowsField, text: &explained{"Origins",
				"Where the pages of this application come from when they call the tenant, such as https://app.example."}, changed: true},
			{path: "web_origins", kind: rowsField, text: &explained{"Web origins",
				"They count as the origins above. Applications from elsewhere list them here."}, changed: true},
			{path: "grant_types", kind: checksField, text: &explained{"Ways to get tokens", "Allow only what the application uses."}, changed: true,
				options: fixed(
					plainOption("authorization_code", explained{"Sign-in in the browser", "authorization_code"}),
					plainOption("refresh_token", explained{"Stay signed in", "refresh_token"}),
					plainOption("client_credentials", explained{"On its own, without a person", "client_credentials"}),
					plainOption("password", explained{"With the person's password", "password: only where no browser can be shown"}),
					plainOption("implicit", explained{"An ID token straight from the sign-in, without a code", "implicit"}),
					plainOption("urn:formgraph:params:oauth:grant-type:webauthn", explained{"With a passkey in a native application", "webauthn"}),
				)},
			{path: "token_endpoint_auth_method", kind: pickField, text: &explained{"How it proves itself", "At the token endpoint."}, changed: true,
				options: fixed(
					plainOption("client_secret_post", explained{"Secret in the request", "client_secret_post"}),
					plainOption("client_secret_basic", explained{"Secret in the header", "client_secret_basic"}),
					plainOption("none", explained{"No secret", "none: for programs that cannot keep one"}),
				)},
			{path: "is_first_party", kind: flagField, text: &explained{"First-party", "It belongs to you: people are not asked for consent."},
				changed: true},
			{path: "global", kind: flagField, text: &explained{"Global", "It may call the management API, within its grants."}, changed: true},
			{path: "oidc_logout.backchannel_logout_urls", kind: rowsField,
				text: &explained{"Back-channel logout address",
					"Where the tenant tells the application that somebody signed out: one address, by https or on this machine."}, part: "Advanced",
				changed: true},
			{path: "require_pushed_authorization_requests", kind: flagField,
				text:    &explained{"Require pushed requests", "A sign-in begins only with a request that the application sent ahead (PAR)."},
				changed: true},
			{path: "require_proof_of_possession", kind: flagField,
				text: &explained{"Require proof of possession",
					"Its tokens are bound to a key that it holds (DPoP). It gets no bearer tokens any more."}, changed: true},
		},
		locked: ours,
		actions: []action{
			{
				name: "rotate", text: &asked{"Make a new secret", "Make a new secret for %s?",
					"The present secret stops working at once. Whatever uses it fails until it has the new one.", "%s has a new secret."}, method: "POST",
				word: "rotate-secret", scope: "update:client_keys", asks: true, once: "client_secret",
				locked: func(x facts) string {
					if x.entry.Text("token_endpoint_auth_method") == "none" {
						return "This application has no secret."
					}
					return ours(x)
				},
			},
			{name: "delete", text: &asked{"Delete application", "Delete %s?",
				"Its grants go with it, and nobody can sign in by it any more. This cannot be undone.", "%s is deleted."}, method: "DELETE",
				scope: "delete:clients", asks: true, danger: true, ends: true, locked: ours},
		},
	}
}

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
			return "This grant is the editor's own. The tenant sets it anew at each start."
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
		fields: []field{
			{path: "client_id", kind: pickField, text: &explained{"Application", "Who the grant is for. It cannot be changed later."}, made: true,
				must: true, locked: settled, options: func(x facts) []option {
					var out []option
					for _, c := range x.lists[clientsName] {
						out = append(out, option{key: c.Text("client_id"), name: nameOr("client_id")(facts{entry: c})})
					}
					return out
				}},
			{path: "audience", kind: pickField, text: &explained{"API", "What the tokens are for. It cannot be changed later."}, made: true,
				must: true, locked: settled, options: func(x facts) []option {
					var out []option
					for _, a := range x.lists[apisName] {
						out = append(out, option{key: a.Text("identifier"), name: a.Text("name")})
					}
					return out
				}},
			{path: "subject_type", kind: choiceField, text: &explained{"Acts for", "An application may have one grant of each kind for an API."},
				made: true, first: "client", locked: settled, options: subjects},
			{path: "scope", kind: checksField, text: &explained{"Scopes", "The most that its tokens can hold."}, made: true, must: true,
				changed: true, options: func(x facts) []option {
					return scopesOf(x.api(x.draft["audience"]), func(scope string) string { return scope }, "")
				}},
		},
		locked: ours,
		actions: []action{{name: "delete", text: &asked{"Delete grant", "Delete the grant %s?",
			"The application gets no more tokens by it. Those it has live on for some minutes.", "The grant %s is deleted."}, method: "DELETE",
			scope: "delete:client_grants", asks: true, danger: true, ends: true, locked: ours}},
	}
}

func people() section {
	title := nameOr("email")
	blocked := func(x facts) bool { return is(x.entry, "blocked") }
	self := func(x facts) string {
		if x.entry != nil && x.entry.Text("user_id") == x.me {
			return "This is you. Ask another administrator."
		}
		return ""
	}
	block := func(on bool) *schema.Object { return schema.NewObject(schema.Member{Key: "blocked", Value: on}) }
	return section{
		name: peopleName, path: "users", id: "user_id", scope: "users", icon: "people", words: &sectionWords{
			Title: "People", One: "person", New: "Invite a person", Search: "Search people", About: "Who can sign in, and what they may do.",
			Empty: "Nobody yet", EmptyText: "Invite a person by e-mail address. You get a link to hand over; it works once.",
		}, needs: []string{rolesName, apisName}, then: "link", title: title, owned: factors(),
		columns: []column{
			titled("Name", title, func(x facts) []cell {
				return marks(mark{"Blocked", blocked(x), true}, mark{"Invited", is(x.entry, "invited"), false},
					mark{"Address not confirmed", !is(x.entry, "email_verified"), false})
			}),
			member("E-mail", "email", plainCell),
			member("Made", "created_at", timeCell).wide(),
		},
		fields: []field{
			{path: "email", text: &explained{"E-mail", "What the person signs in with."}, made: true, must: true, changed: true},
			{path: "name", text: &explained{"Name", "When it is empty, the e-mail address is taken."}, made: true, changed: true},
			{path: "roles", kind: checksField, text: &explained{"Roles",
				"The person may do what any of these allows. Roles for everyone new come by themselves."}, made: true, changed: true,
				set: &set{member: "roles", keys: []string{"id"}}, options: func(x facts) []option {
					var out []option
					for _, r := range x.lists[rolesName] {
						if x.entry == nil && is(r, "is_preset") {
							continue // whoever is new gets it by itself
						}
						out = append(out, option{key: r.Text("id"), name: r.Text("name"), text: r.Text("description")})
					}
					return out
				}},
			{path: "permissions", kind: checksField, text: &explained{"Direct permissions",
				"Beside those of the roles. Roles are easier to keep in order."}, changed: true, set: permissionSet(), options: permissions},
		},
		actions: []action{
			{
				name: "link", text: &asked{"Make a one-time link", "Make a one-time link for %s?",
					"Who opens it can choose a new password for this account. It works once, for five days.", "A one-time link for %s is made."},
				method: "POST", word: "tickets", scope: "create:user_tickets", body: schema.NewObject(), asks: true, once: "ticket",
				locked: func(x facts) string {
					if blocked(x) {
						return "Blocked people get no link. Unblock first."
					}
					return ""
				},
			},
			{
				name: "vouch", text: &asked{"Confirm the address", "Confirm the address of %s?",
					"The person signed up alone. Applications are told that the address is theirs.", "The address of %s is confirmed."}, method: "PATCH",
				scope: "update:users", body: schema.NewObject(schema.Member{Key: "email_verified", Value: true}),
				asks: true, hidden: func(x facts) bool { return is(x.entry, "email_verified") },
			},
			{name: "block", text: &asked{"Block", "Block %s?", "The person is signed out everywhere at once and cannot sign in until unblocked.",
				"%s is blocked and signed out everywhere."}, method: "PATCH", scope: "update:users", body: block(true), asks: true, danger: true,
				hidden: blocked, locked: self},
			{name: "unblock", text: &asked{"Unblock", "Unblock %s?", "The person can sign in again.", "%s can sign in again."}, method: "PATCH",
				scope: "update:users", body: block(false), hidden: func(x facts) bool { return !blocked(x) }},
			{name: "delete", text: &asked{"Delete person", "Delete %s?",
				"The account, its ways to sign in and its permissions are gone for good. To keep the person out for a while, block the account.",
				"%s is deleted."}, method: "DELETE", scope: "delete:users", asks: true, danger: true, ends: true, locked: self},
		},
	}
}

func roles() section {
	title := nameOr("id")
	return section{
		name: rolesName, path: "roles", id: "id", scope: "roles", icon: "shield", words: &sectionWords{
			Title: "Roles", One: "role", New: "New role", Search: "Search roles", About: "Permissions with a name, given to people together.",
			Empty: "No roles yet", EmptyText: "Make a role for each kind of work, then give it to people.",
		}, needs: []string{apisName, peopleName}, title: title,
		columns: []column{
			titled("Name", title, func(x facts) []cell { return marks(mark{"Everyone new", is(x.entry, "is_preset"), false}) }),
			member("Description", "description", plainCell),
		},
		fields: []field{
			{path: "name", text: &explained{"Name", "Short, such as Editor."}, made: true, must: true, changed: true},
			{path: "description", kind: longField, text: &explained{"Description", "What people with this role do."}, made: true, changed: true},
			{path: "permissions", kind: checksField, text: &explained{"Permissions", "What people with this role may do."}, made: true,
				changed: true, set: permissionSet(), options: permissions},
			{
				path: "users", kind: checksField, text: &explained{"People", "Who has this role."}, made: true, changed: true,
				set: &set{member: "users", keys: []string{"user_id"}, takeFrom: "users", takeWord: "roles", takeMember: "roles"},
				options: func(x facts) []option {
					var out []option
					for _, u := range x.lists[peopleName] {
						out = append(out, option{key: u.Text("user_id"), name: nameOr("email")(facts{entry: u}), text: u.Text("email")})
					}
					return out
				},
			},
		},
		actions: []action{{name: "delete", text: &asked{"Delete role", "Delete %s?",
			"Everybody with this role loses its permissions. This cannot be undone.", "%s is deleted."}, method: "DELETE", scope: "delete:roles",
			asks: true, danger: true, ends: true}},
	}
}

// eventName is what the log says of a line.
func eventName(code string) string {
	for _, row := range logTypes {
		if row[0] == code {
			return row[1]
		}
	}
	return code
}

// failed tells whether a type of the log is a failure, or a warning.
func failed(code string) bool {
	return strings.HasPrefix(code, "f") || strings.HasSuffix(code, "_failed") || strings.HasSuffix(code, "_cloned")
}

func signIns() section {
	shown := func(path string, e *explained) field { return field{path: path, kind: shownField, text: e} }
	return section{
		name: logName, path: "logs", id: "log_id", scope: "logs", icon: "rich", words: &sectionWords{
			Title: "Sign-in log", One: "line", New: "New line", Search: "Search the log",
			About: "Who signed in, who failed, and which tokens were issued. Kept for 30 days.",
			Empty: "Nothing happened yet", EmptyText: "Each sign-in and each token leaves a line here.",
		}, log: true,
		title: func(x facts) string { return eventName(x.entry.Text("type")) },
		columns: []column{
			{name: "What happened", cells: func(x facts) []cell {
				kind, code := plainCell, x.entry.Text("type")
				if failed(code) {
					kind = warnCell
				}
				return []cell{{kind, eventName(code)}}
			}},
			member("Person", "user_name", plainCell),
			member("Application", "client_name", plainCell).wide(),
			member("From", "ip", codeCell).wide(),
			member("When", "date", timeCell),
		},
		fields: []field{
			shown("date", &explained{"When", "Times are this browser's."}),
			shown("user_name", &explained{"Person", "By the e-mail address of today."}),
			shown("user_id", &explained{"Person's id", "Stays when the address changes."}),
			shown("client_name", &explained{"Application", "By the name of today."}),
			shown("client_id", &explained{"Client id", "Stays when the name changes."}),
			shown("ip", &explained{"From", "The network address of the request."}),
			shown("audience", &explained{"API", "The audience of the tokens."}), shown("scope", &explained{"Scopes", "Those of the tokens."}),
			shown("description", &explained{"Why", "What the tenant said."}), shown("type", &explained{"Code", "The short name of what happened."}),
		},
	}
}
