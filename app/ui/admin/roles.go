package admin

const rolesName = "roles"

func roles() section {
	called := nameOr("id")
	return section{
		name: rolesName, path: "roles", id: "id", scope: "roles", icon: "shield",
		words: words{
			title: "Roles", one: "role", many: "roles",
			about:     "Named sets of permissions to give to people.",
			emptyText: "Create a role for each kind of work, then give it to people.",
		},
		called: called,
		columns: []column{
			heading("Name", called, mark{"Everyone new", has("is_preset"), false}),
			member("Description", "description", plainCell),
		},
		fields: []field{
			{path: "name", label: "Name", help: "Short, such as Editor.", must: true},
			{path: "description", kind: longField, label: "Description", help: "The work of the people with this role."},
			{
				path: "permissions", kind: checksField, label: "Permissions", help: "The permissions of the people with this role.",
				set: permissionSet(), from: permissionSource(),
			},
			{
				path: "users", kind: checksField, label: "People", help: "The people with this role.",
				set: &set{
					member: "users", keys: []string{"user_id"}, long: true, takeFrom: "users", takeWord: "roles", takeMember: "roles",
				},
				from: &source{section: peopleName, options: one("user_id", "email")},
			},
		},
		actions: []action{deletion("role", "roles", "Everybody with this role loses its permissions.", nil)},
	}
}
