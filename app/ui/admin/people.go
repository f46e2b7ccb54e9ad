package admin

import "github.com/formgraph/formgraph/model/schema"

const peopleName = "people"

func people() section {
	called := nameOr("email")
	return section{
		name: peopleName, path: "users", id: "user_id", scope: "users", icon: "people",
		words: words{
			title: "People", one: "person", many: "people", add: "Invite a person",
			about:     "The people who can sign in, and their permissions.",
			empty:     "Nobody yet",
			emptyText: "Invite a person by e-mail address. You get a link to pass on; it works once.",
		},
		called: called, owned: factors(),
		columns: []column{
			heading("Name", called, mark{"You", func(x facts) bool { return x.entry.Text("user_id") == x.me }, false}, mark{"Blocked", has("blocked"), true},
				mark{"Invited", has("invited"), false},
				mark{"Address not confirmed", lacks("email_verified"), false}),
			member("E-mail", "email", plainCell),
			member("Created", "created_at", timeCell).wide(),
		},
		fields: []field{
			{path: "email", label: "E-mail", help: "The address that the person signs in with.", must: true},
			{path: "name", label: "Name", help: "If it is empty, the e-mail address is used."},
			{
				path: "roles", kind: checksField, label: "Roles",
				help: "The person has the permissions of all these roles. New people get the default roles automatically.",
				set:  &set{member: "roles", keys: []string{"id"}}, from: &source{section: rolesName, options: rolesToGive},
			},
			{
				path: "permissions", kind: checksField, late: true, label: "Direct permissions",
				help: "In addition to those of the roles. Roles are easier to manage.", set: permissionSet(), from: permissionSource(),
			},
		},
		actions: personActions(),
	}
}

// rolesToGive offers a role, except a default role when a person is invited.
func rolesToGive(role *schema.Object, x facts) []option {
	if x.entry == nil && is(role, "is_preset") {
		return nil
	}
	return one("id", "description")(role, x)
}

func personActions() []action {
	change := func(member string, v bool) *schema.Object {
		return schema.NewObject(schema.Member{Key: member, Value: v})
	}
	self := func(x facts) string {
		if x.entry != nil && x.entry.Text("user_id") == x.me {
			return "This is your own account. Ask another administrator."
		}
		return ""
	}
	return []action{
		{
			name: "link", label: "Create a one-time link", ask: "Create a one-time link for %s?",
			text: "Anyone who opens it can choose a new password for this account. It works once, within five days.",
			done: "A one-time link for %s was created.", method: "POST", word: "tickets", scope: "create:user_tickets",
			body: schema.NewObject(), once: "ticket", follows: true,
			locked: func(x facts) string {
				if is(x.entry, "blocked") {
					return "Blocked people cannot get a link. Unblock the person first."
				}
				return ""
			},
		},
		{
			name: "vouch", label: "Confirm the address", ask: "Confirm the address of %s?",
			text: "The person signed up on their own. Applications will see the address as confirmed.",
			done: "The address of %s is confirmed.", method: "PATCH", scope: "update:users", body: change("email_verified", true),
			hidden: has("email_verified"),
		},
		{
			name: "block", label: "Block", ask: "Block %s?",
			text: "The person is signed out everywhere at once and cannot sign in until unblocked.",
			done: "%s is blocked and signed out everywhere.", method: "PATCH", scope: "update:users", body: change("blocked", true),
			danger: true, hidden: has("blocked"), locked: self,
		},
		{
			name: "unblock", label: "Unblock", text: "The person can sign in again.", done: "%s can sign in again.",
			method: "PATCH", scope: "update:users", body: change("blocked", false), hidden: lacks("blocked"),
		},
		deletion("person", "users", "The account, its ways to sign in and its permissions are deleted. To keep the person out for a while, "+
			"block the account.", self),
	}
}

// factors are the passkeys and the second factors of a person.
func factors() *owned {
	return &owned{
		word: "authentication-methods", scope: "authentication_methods",
		label: "Second factors and passkeys", help: "The person's ways to sign in besides the password.", none: "There are none.",
		take: action{
			label: "Remove", ask: "Remove %s?", done: "%s was removed.",
			text: "The person can no longer use it. They stay signed in, but are asked again wherever a second factor is required. " +
				"A person without a password then needs a one-time link.",
		},
		takeAll: action{
			label: "Remove all", ask: "Remove all passkeys and second factors of %s?", done: "All passkeys and second factors of %s were removed.",
			text: "Only the password is left. The person stays signed in, but is asked again wherever a second factor is required. " +
				"A person without a password then needs a one-time link.",
		},
	}
}
