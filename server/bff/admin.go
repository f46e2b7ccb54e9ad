package bff

import (
	"net/http"
	"slices"
	"strings"
)

// adminRoute is one path of the tenant's administration: below /bff/api/admin here, and under the same name below the
// management API's base address there.
type adminRoute struct {
	path  string
	calls []call
}

// resource is the first word of the path.
func (a adminRoute) resource() string { return firstWord(a.path) }

// sub is the word after the ID, "" for none.
func (a adminRoute) sub() string { return wordBehindID(a.path) }

func firstWord(path string) string { return strings.Split(path, "/")[1] }

func wordBehindID(path string) string {
	if words := strings.Split(path, "/"); len(words) > 3 {
		return words[3]
	}
	return ""
}

// adminRoutes lists the routes of the administration. Nothing else of the management
// API is forwarded, and nothing without the scope of the row.
func adminRoutes() []adminRoute {
	read := func(scope string) call { return call{method: http.MethodGet, scope: "read:" + scope, query: listQuery} }
	find := func(scope string, filter ...string) call {
		return call{method: http.MethodGet, scope: "read:" + scope, query: placeQuery, filter: filter}
	}
	one := func(scope string) call { return call{method: http.MethodGet, scope: "read:" + scope} }
	change := func(method, scope, event string) call {
		return call{method: method, scope: scope, body: true, event: event}
	}
	act := func(method, scope, event string) call { return call{method: method, scope: scope, event: event} }
	id := "/" + wildcard
	// crud returns the routes of a resource that can be created, read, changed and deleted.
	crud := func(path, noun string, filter ...string) []adminRoute {
		scope := strings.ReplaceAll(path, "-", "_") + "s"
		return []adminRoute{
			{"/" + path + "s", []call{find(scope, filter...), change(http.MethodPost, "create:"+scope, noun+"_created")}},
			{"/" + path + "s" + id, []call{
				one(scope), change(http.MethodPatch, "update:"+scope, noun+"_changed"), act(http.MethodDelete, "delete:"+scope, noun+"_deleted"),
			}},
		}
	}
	rows := crud("client", "client")
	grants := crud("client-grant", "client_grant", "client_id", "subject_type")
	for _, row := range grants {
		row.calls[0].query = append(slices.Clone(row.calls[0].query), "include_names") // of GET
	}
	rows = append(rows, grants...)
	rows = append(rows, crud("resource-server", "resource_server")...)
	rows = append(rows, crud("user", "user")...)
	rows = append(rows, crud("role", "role")...)
	return append(rows,
		adminRoute{"/clients" + id + "/rotate-secret", []call{act(http.MethodPost, "update:client_keys", "client_secret_rotated")}},
		adminRoute{"/users" + id + "/roles", []call{
			read("users"), change(http.MethodPost, "update:users", "user_roles_added"),
			change(http.MethodDelete, "update:users", "user_roles_removed"),
		}},
		adminRoute{"/users" + id + "/permissions", []call{
			read("users"), change(http.MethodPost, "update:users", "user_permissions_added"),
			change(http.MethodDelete, "update:users", "user_permissions_removed"),
		}},
		adminRoute{"/users" + id + "/authentication-methods", []call{
			read("authentication_methods"), act(http.MethodDelete, "delete:authentication_methods", "user_methods_removed"),
		}},
		adminRoute{"/users" + id + "/authentication-methods/" + innerWildcard, []call{
			one("authentication_methods"), act(http.MethodDelete, "delete:authentication_methods", "user_method_removed"),
		}},
		adminRoute{
			"/users" + id + "/authenticators",
			[]call{act(http.MethodDelete, "delete:authentication_methods", "user_authenticators_removed")},
		},
		adminRoute{"/users" + id + "/tickets", []call{change(http.MethodPost, "create:user_tickets", "user_ticket_created")}},
		adminRoute{"/roles" + id + "/permissions", []call{
			read("roles"), change(http.MethodPost, "update:roles", "role_permissions_added"),
			change(http.MethodDelete, "update:roles", "role_permissions_removed"),
		}},
		adminRoute{"/roles" + id + "/users", []call{find("roles"), change(http.MethodPost, "update:roles", "role_users_added")}},
		adminRoute{"/logs", []call{find("logs", "type", "user_id", "client_id")}},
		adminRoute{"/logs" + id, []call{one("logs")}},
	)
}
