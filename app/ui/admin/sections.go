package admin

import (
	"strings"
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

func roles() section {
	title := nameOr("id")
	return section{
		name: rolesName, path: "roles", id: "id", scope: "roles", icon: "shield", words: &sectionWords{
			Title: "Roles", One: "role", New: "New role", Search: "Search roles", About: "Permissions with a name, given to people together.",
			Empty: "No roles yet", EmptyText: "Create a role for each kind of work, then give it to people.",
		}, needs: []string{apisName, peopleName}, title: title,
		columns: []column{
			titled("Name", title, func(x facts) []cell { return marks(mark{"Everyone new", is(x.entry, "is_preset"), false}) }),
			member("Description", "description", plainCell),
		},
		fields: []field{
			{path: "name", text: &explained{"Name", "Short, such as Editor."}, made: true, must: true, changed: true},
			{path: "description", kind: longField, text: &explained{"Description", "What people with this role do."}, made: true, changed: true},
			{
				path: "permissions", kind: checksField, text: &explained{"Permissions", "What people with this role may do."}, made: true,
				changed: true, set: permissionSet(), options: permissions,
			},
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
		actions: []action{{
			name: "delete", text: &asked{
				"Delete role", "Delete %s?",
				"Everybody with this role loses its permissions. This cannot be undone.", "%s is deleted.",
			}, method: "DELETE", scope: "delete:roles",
			asks: true, danger: true, ends: true,
		}},
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

// failed reports whether a type of the log is a failure, or a warning.
func failed(code string) bool {
	return strings.HasPrefix(code, "f") || strings.HasSuffix(code, "_failed") || strings.HasSuffix(code, "_cloned")
}

func signIns() section {
	shown := func(path string, e *explained) field { return field{path: path, kind: shownField, text: e} }
	return section{
		name: logName, path: "logs", id: "log_id", scope: "logs", icon: "rich", words: &sectionWords{
			Title: "Sign-in log", One: "line", New: "New line", Search: "Search the log",
			About: "Who signed in, who failed, and which tokens were issued. Kept for 30 days.",
			Empty: "Nothing has happened yet", EmptyText: "Each sign-in and each token leaves a line here.",
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
			shown("date", &explained{"When", "In the time zone of this browser."}),
			shown("user_name", &explained{"Person", "By the current e-mail address."}),
			shown("user_id", &explained{"Person's id", "Stays when the address changes."}),
			shown("client_name", &explained{"Application", "By the current name."}),
			shown("client_id", &explained{"Client id", "Stays when the name changes."}),
			shown("ip", &explained{"From", "The network address of the request."}),
			shown("audience", &explained{"API", "The audience of the tokens."}), shown("scope", &explained{"Scopes", "Those of the tokens."}),
			shown("description", &explained{"Why", "What the tenant said."}), shown("type", &explained{"Code", "The short name of what happened."}),
		},
	}
}
