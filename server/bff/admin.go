package bff

import (
	"net/http"
	"slices"
	"strings"
)

// adminRoutes lists the routes of the administration. No other route of the management API is forwarded, and no route without the scope in
// its row.
func adminRoutes() []apiRoute {
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
	crud := func(path, noun string, filter ...string) []apiRoute {
		scope := strings.ReplaceAll(path, "-", "_") + "s"
		return []apiRoute{
			{path: "/" + path + "s", calls: []call{find(scope, filter...), change(http.MethodPost, "create:"+scope, noun+"_created")}},
			{path: "/" + path + "s" + id, calls: []call{
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
		apiRoute{path: "/clients" + id + "/rotate-secret", calls: []call{act(http.MethodPost, "update:client_keys", "client_secret_rotated")}},
		apiRoute{path: "/users" + id + "/roles", calls: []call{
			read("users"), change(http.MethodPost, "update:users", "user_roles_added"),
			change(http.MethodDelete, "update:users", "user_roles_removed"),
		}},
		apiRoute{path: "/users" + id + "/permissions", calls: []call{
			read("users"), change(http.MethodPost, "update:users", "user_permissions_added"),
			change(http.MethodDelete, "update:users", "user_permissions_removed"),
		}},
		apiRoute{path: "/users" + id + "/authentication-methods", calls: []call{
			read("authentication_methods"), act(http.MethodDelete, "delete:authentication_methods", "user_methods_removed"),
		}},
		apiRoute{path: "/users" + id + "/authentication-methods/" + innerWildcard, calls: []call{
			one("authentication_methods"), act(http.MethodDelete, "delete:authentication_methods", "user_method_removed"),
		}},
		apiRoute{
			path:  "/users" + id + "/authenticators",
			calls: []call{act(http.MethodDelete, "delete:authentication_methods", "user_authenticators_removed")},
		},
		apiRoute{path: "/users" + id + "/tickets", calls: []call{change(http.MethodPost, "create:user_tickets", "user_ticket_created")}},
		apiRoute{path: "/roles" + id + "/permissions", calls: []call{
			read("roles"), change(http.MethodPost, "update:roles", "role_permissions_added"),
			change(http.MethodDelete, "update:roles", "role_permissions_removed"),
		}},
		apiRoute{path: "/roles" + id + "/users", calls: []call{find("roles"), change(http.MethodPost, "update:roles", "role_users_added")}},
		apiRoute{path: "/logs", calls: []call{find("logs", "type", "user_id", "client_id")}},
		apiRoute{path: "/logs" + id, calls: []call{one("logs")}},
	)
}
