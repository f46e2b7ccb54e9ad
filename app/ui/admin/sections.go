package admin

import (
	"strings"

	"github.com/formgraph/formgraph/app/ui/words"
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
	t := &words.T.Admin
	return []section{apis(t), clients(t), grants(t), people(t), roles(t), signIns(t)}
}

func apis(t *words.Admin) section {
	policies := fixed(plainOption("require_client_grant", t.RequireGrant), plainOption("allow_all", t.AllowAll), plainOption("deny_all", t.DenyAll))
	policy := func(who string) func(facts) []cell {
		return func(x facts) []cell {
			key := x.entry.Object("subject_type_authorization").Object(who).Text("policy")
			return []cell{{plainCell, nameOfOption(policies(x), key)}}
		}
	}
	system := func(x facts) bool { return is(x.entry, "is_system") }
	own := func(x facts) string {
		if system(x) {
			return t.OwnLocked
		}
		return ""
	}
	title := nameOr("identifier")
	return section{
		name: apisName, path: "resource-servers", id: "id", scope: "resource_servers", icon: "code", words: &t.APIs, title: title,
		columns: []column{
			titled(t.Name, title, func(x facts) []cell {
				return marks(mark{t.Own, system(x), false}, mark{t.NotActive, !is(x.entry, "active"), true})
			}),
			member(t.Identifier, "identifier", codeCell),
			column{name: t.Scopes, cells: func(x facts) []cell {
				return []cell{{plainCell, words.Several(len(x.entry.List("scopes")), t.ScopeCount)}}
			}}.wide(),
			column{name: t.ForPeople, cells: policy("user")}.wide(),
			column{name: t.ForApplications, cells: policy("client")}.wide(),
		},
		fields: []field{
			{path: "name", text: &t.APIName, made: true, must: true, changed: true, locked: own},
			{path: "identifier", text: &t.APIIdentifier, made: true, must: true, locked: func(x facts) string {
				if x.entry != nil {
					return t.IdentifierLocked
				}
				return ""
			}},
			{path: "active", kind: flagField, text: &t.APIActive, changed: true},
			{path: "subject_type_authorization.user.policy", kind: choiceField, text: &t.UserPolicy, made: true, changed: true, first: "require_client_grant", options: policies},
			{path: "subject_type_authorization.client.policy", kind: choiceField, text: &t.ClientPolicy, made: true, changed: true, first: "require_client_grant", options: policies, locked: func(x facts) string {
				if x.entry.Text("id") == selfServiceID {
					return t.SelfClientLocked
				}
				return ""
			}},
			{path: "scopes", kind: rowsField, text: &t.APIScopes, made: true, changed: true, columns: []rowColumn{{"value", t.Value}, {"description", t.Description}}, locked: own},
		},
		locked: func(x facts) string {
			if x.entry.Text("id") == managementID {
				return t.ManagementLocked
			}
			return ""
		},
		actions: []action{
			{
				name: "activate", text: &t.Activate, method: "PATCH", scope: "update:resource_servers", banner: t.AccountOff,
				body:   schema.NewObject(schema.Member{Key: "active", Value: true}),
				hidden: func(x facts) bool { return x.entry.Text("id") != selfServiceID || is(x.entry, "active") },
			},
			{
				name: "delete", text: &t.DeleteAPI, method: "DELETE", scope: "delete:resource_servers", asks: true, danger: true, ends: true,
				locked: func(x facts) string {
					if system(x) {
						return t.OwnDelete
					}
					return ""
				},
			},
		},
	}
}

// reserved tells whether an application is the tenant's own.
func reserved(client *schema.Object) bool { return is(client, "is_reserved") }

func clients(t *words.Admin) section {
	kinds := fixed(plainOption("regular_web", t.RegularWeb), plainOption("spa", t.SPA), plainOption("native", t.Native), plainOption("non_interactive", t.Machine))
	title := nameOr("client_id")
	ours := func(x facts) string {
		if reserved(x.entry) {
			return t.ReservedLocked
		}
		return ""
	}
	return section{
		name: clientsName, path: "clients", id: "client_id", scope: "clients", icon: "cards", words: &t.Applications, title: title,
		columns: []column{
			titled(t.Name, title, func(x facts) []cell {
				return marks(mark{t.Own, reserved(x.entry), false}, mark{t.ThirdParty, !is(x.entry, "is_first_party"), false}, mark{t.Global, is(x.entry, "global"), false})
			}),
			{name: t.Type, cells: func(x facts) []cell { return []cell{{plainCell, nameOfOption(kinds(x), x.entry.Text("app_type"))}} }},
			member(t.ClientID, "client_id", codeCell).wide(),
			member(t.Since, "created_at", timeCell).wide(),
		},
		fields: []field{
			{path: "name", text: &t.ClientName, made: true, must: true, changed: true},
			{path: "app_type", kind: choiceField, text: &t.ClientType, made: true, changed: true, first: "regular_web", options: kinds},
			{path: "description", kind: longField, text: &t.ClientDescription, made: true, changed: true},
			{path: "callbacks", kind: rowsField, text: &t.Callbacks, changed: true},
			{path: "allowed_logout_urls", kind: rowsField, text: &t.Logouts, changed: true},
			{path: "allowed_origins", kind: rowsField, text: &t.Origins, changed: true},
			{path: "web_origins", kind: rowsField, text: &t.WebOrigins, changed: true},
			{path: "grant_types", kind: checksField, text: &t.GrantTypes, changed: true, options: fixed(
				plainOption("authorization_code", t.AuthCode), plainOption("refresh_token", t.Refreshing), plainOption("client_credentials", t.Credentials),
				plainOption("password", t.Password), plainOption("implicit", t.Implicit),
				plainOption("urn:formgraph:params:oauth:grant-type:webauthn", t.Passkey),
			)},
			{path: "token_endpoint_auth_method", kind: pickField, text: &t.AuthMethod, changed: true, options: fixed(
				plainOption("client_secret_post", t.AuthPost), plainOption("client_secret_basic", t.AuthBasic), plainOption("none", t.AuthNone),
			)},
			{path: "is_first_party", kind: flagField, text: &t.FirstParty, changed: true},
			{path: "global", kind: flagField, text: &t.IsGlobal, changed: true},
			{path: "oidc_logout.backchannel_logout_urls", kind: rowsField, text: &t.BackChannel, part: t.Advanced, changed: true},
			{path: "require_pushed_authorization_requests", kind: flagField, text: &t.RequirePushed, changed: true},
			{path: "require_proof_of_possession", kind: flagField, text: &t.RequireProof, changed: true},
		},
		locked: ours,
		actions: []action{
			{
				name: "rotate", text: &t.RotateSecret, method: "POST", word: "rotate-secret", scope: "update:client_keys", asks: true, once: "client_secret",
				locked: func(x facts) string {
					if x.entry.Text("token_endpoint_auth_method") == "none" {
						return t.PublicSecret
					}
					return ours(x)
				},
			},
			{name: "delete", text: &t.DeleteClient, method: "DELETE", scope: "delete:clients", asks: true, danger: true, ends: true, locked: ours},
		},
	}
}

func grants(t *words.Admin) section {
	subjects := fixed(plainOption("client", t.SubjectClient), plainOption("user", t.SubjectUser))
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
			return t.ReservedGrant
		}
		return ""
	}
	settled := func(x facts) string {
		if x.entry != nil {
			return t.GrantLocked
		}
		return ""
	}
	return section{
		name: grantsName, path: "client-grants", id: "id", scope: "client_grants", icon: "link", words: &t.Grants, needs: []string{clientsName, apisName},
		title: func(x facts) string { return lines(client(x), api(x)) },
		columns: []column{
			titled(t.Application, client, nil),
			{name: t.API, cells: func(x facts) []cell { return []cell{{plainCell, api(x)}} }},
			{name: t.For, cells: func(x facts) []cell {
				return []cell{{plainCell, nameOfOption(subjects(x), x.entry.Text("subject_type"))}}
			}},
			column{name: t.Scopes, cells: func(x facts) []cell {
				return []cell{{plainCell, words.Several(len(x.entry.List("scope")), t.ScopeCount)}}
			}}.wide(),
		},
		fields: []field{
			{path: "client_id", kind: pickField, text: &t.GrantClient, made: true, must: true, locked: settled, options: func(x facts) []option {
				var out []option
				for _, c := range x.lists[clientsName] {
					out = append(out, option{key: c.Text("client_id"), name: nameOr("client_id")(facts{entry: c})})
				}
				return out
			}},
			{path: "audience", kind: pickField, text: &t.GrantAPI, made: true, must: true, locked: settled, options: func(x facts) []option {
				var out []option
				for _, a := range x.lists[apisName] {
					out = append(out, option{key: a.Text("identifier"), name: a.Text("name")})
				}
				return out
			}},
			{path: "subject_type", kind: choiceField, text: &t.GrantSubject, made: true, first: "client", locked: settled, options: subjects},
			{path: "scope", kind: checksField, text: &t.GrantScopes, made: true, must: true, changed: true, options: func(x facts) []option {
				return scopesOf(x.api(x.draft["audience"]), func(scope string) string { return scope }, "")
			}},
		},
		locked:  ours,
		actions: []action{{name: "delete", text: &t.DeleteGrant, method: "DELETE", scope: "delete:client_grants", asks: true, danger: true, ends: true, locked: ours}},
	}
}

func people(t *words.Admin) section {
	title := nameOr("email")
	blocked := func(x facts) bool { return is(x.entry, "blocked") }
	self := func(x facts) string {
		if x.entry != nil && x.entry.Text("user_id") == x.me {
			return t.NotYourself
		}
		return ""
	}
	block := func(on bool) *schema.Object { return schema.NewObject(schema.Member{Key: "blocked", Value: on}) }
	return section{
		name: peopleName, path: "users", id: "user_id", scope: "users", icon: "people", words: &t.People, needs: []string{rolesName, apisName}, then: "link", title: title, owned: factors(t),
		columns: []column{
			titled(t.Name, title, func(x facts) []cell {
				return marks(mark{t.Blocked, blocked(x), true}, mark{t.Invited, is(x.entry, "invited"), false}, mark{t.Unproven, !is(x.entry, "email_verified"), false})
			}),
			member(t.Email, "email", plainCell),
			member(t.Since, "created_at", timeCell).wide(),
		},
		fields: []field{
			{path: "email", text: &t.UserEmail, made: true, must: true, changed: true},
			{path: "name", text: &t.UserName, made: true, changed: true},
			{path: "roles", kind: checksField, text: &t.UserRoles, made: true, changed: true, set: &set{member: "roles", keys: []string{"id"}}, options: func(x facts) []option {
				var out []option
				for _, r := range x.lists[rolesName] {
					if x.entry == nil && is(r, "is_preset") {
						continue // whoever is new gets it by itself
					}
					out = append(out, option{key: r.Text("id"), name: r.Text("name"), text: r.Text("description")})
				}
				return out
			}},
			{path: "permissions", kind: checksField, text: &t.UserPermissions, changed: true, set: permissionSet(), options: permissions},
		},
		actions: []action{
			{
				name: "link", text: &t.ResetLink, method: "POST", word: "tickets", scope: "create:user_tickets", body: schema.NewObject(), asks: true, once: "ticket",
				locked: func(x facts) string {
					if blocked(x) {
						return t.BlockedLink
					}
					return ""
				},
			},
			{
				name: "vouch", text: &t.Vouch, method: "PATCH", scope: "update:users", body: schema.NewObject(schema.Member{Key: "email_verified", Value: true}),
				asks: true, hidden: func(x facts) bool { return is(x.entry, "email_verified") },
			},
			{name: "block", text: &t.Block, method: "PATCH", scope: "update:users", body: block(true), asks: true, danger: true, hidden: blocked, locked: self},
			{name: "unblock", text: &t.Unblock, method: "PATCH", scope: "update:users", body: block(false), hidden: func(x facts) bool { return !blocked(x) }},
			{name: "delete", text: &t.DeletePerson, method: "DELETE", scope: "delete:users", asks: true, danger: true, ends: true, locked: self},
		},
	}
}

func roles(t *words.Admin) section {
	title := nameOr("id")
	return section{
		name: rolesName, path: "roles", id: "id", scope: "roles", icon: "shield", words: &t.Roles, needs: []string{apisName, peopleName}, title: title,
		columns: []column{
			titled(t.Name, title, func(x facts) []cell { return marks(mark{t.Preset, is(x.entry, "is_preset"), false}) }),
			member(t.Description, "description", plainCell),
		},
		fields: []field{
			{path: "name", text: &t.RoleName, made: true, must: true, changed: true},
			{path: "description", kind: longField, text: &t.RoleText, made: true, changed: true},
			{path: "permissions", kind: checksField, text: &t.RolePermissions, made: true, changed: true, set: permissionSet(), options: permissions},
			{
				path: "users", kind: checksField, text: &t.InRole, made: true, changed: true,
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
		actions: []action{{name: "delete", text: &t.DeleteRole, method: "DELETE", scope: "delete:roles", asks: true, danger: true, ends: true}},
	}
}

// eventName is what the log says of a line.
func eventName(t *words.Admin, code string) string {
	for _, row := range t.LogTypes {
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

func signIns(t *words.Admin) section {
	shown := func(path string, e *words.Explained) field { return field{path: path, kind: shownField, text: e} }
	return section{
		name: logName, path: "logs", id: "log_id", scope: "logs", icon: "rich", words: &t.Log, log: true,
		title: func(x facts) string { return eventName(t, x.entry.Text("type")) },
		columns: []column{
			{name: t.Event, cells: func(x facts) []cell {
				kind, code := plainCell, x.entry.Text("type")
				if failed(code) {
					kind = warnCell
				}
				return []cell{{kind, eventName(t, code)}}
			}},
			member(t.Person, "user_name", plainCell),
			member(t.Application, "client_name", plainCell).wide(),
			member(t.From, "ip", codeCell).wide(),
			member(t.When, "date", timeCell),
		},
		fields: []field{
			shown("date", &t.LogDate), shown("user_name", &t.LogPerson), shown("user_id", &t.LogPersonID), shown("client_name", &t.LogClient), shown("client_id", &t.LogClientID),
			shown("ip", &t.LogAddress), shown("audience", &t.LogAPI), shown("scope", &t.LogScopes), shown("description", &t.LogText), shown("type", &t.LogType),
		},
	}
}
