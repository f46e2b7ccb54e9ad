package admin

import (
	"github.com/formgraph/formgraph/model/schema"
)

func people() section {
	title := nameOr("email")
	blocked := func(x facts) bool { return is(x.entry, "blocked") }
	self := func(x facts) string {
		if x.entry != nil && x.entry.Text("user_id") == x.me {
			return "This is you. Ask another administrator."
		}
		return ""
	}
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
			{path: "name", text: &explained{"Name", "If it is empty, the e-mail address is used."}, made: true, changed: true},
			{
				path: "roles", kind: checksField, text: &explained{
					"Roles",
					"The person may do what any of these allows. New people get the default roles automatically.",
				}, made: true, changed: true,
				set: &set{member: "roles", keys: []string{"id"}}, options: func(x facts) []option {
					var out []option
					for _, r := range x.lists[rolesName] {
						if x.entry == nil && is(r, "is_preset") {
							continue // new people get it automatically
						}
						out = append(out, option{key: r.Text("id"), name: r.Text("name"), text: r.Text("description")})
					}
					return out
				},
			},
			{path: "permissions", kind: checksField, text: &explained{
				"Direct permissions",
				"In addition to those of the roles. Roles are easier to manage.",
			}, changed: true, set: permissionSet(), options: permissions},
		},
		actions: personActions(blocked, self),
	}
}

// personActions are the actions on a person: self says why those on oneself are locked.
func personActions(blocked func(facts) bool, self func(facts) string) []action {
	block := func(on bool) *schema.Object { return schema.NewObject(schema.Member{Key: "blocked", Value: on}) }
	return []action{
		{
			name: "link", text: &asked{
				"Create a one-time link", "Create a one-time link for %s?",
				"Anyone who opens it can choose a new password for this account. It works once, for five days.", "A one-time link for %s is made.",
			},
			method: "POST", word: "tickets", scope: "create:user_tickets", body: schema.NewObject(), asks: true, once: "ticket",
			locked: func(x facts) string {
				if blocked(x) {
					return "Blocked people cannot get a link. Unblock the person first."
				}
				return ""
			},
		},
		{
			name: "vouch", text: &asked{
				"Confirm the address", "Confirm the address of %s?",
				"The person signed up alone. Applications are told that the address is theirs.", "The address of %s is confirmed.",
			}, method: "PATCH",
			scope: "update:users", body: schema.NewObject(schema.Member{Key: "email_verified", Value: true}),
			asks: true, hidden: func(x facts) bool { return is(x.entry, "email_verified") },
		},
		{
			name: "block", text: &asked{
				"Block", "Block %s?", "The person is signed out everywhere at once and cannot sign in until unblocked.",
				"%s is blocked and signed out everywhere.",
			}, method: "PATCH", scope: "update:users", body: block(true), asks: true, danger: true,
			hidden: blocked, locked: self,
		},
		{
			name: "unblock", text: &asked{"Unblock", "Unblock %s?", "The person can sign in again.", "%s can sign in again."}, method: "PATCH",
			scope: "update:users", body: block(false), hidden: func(x facts) bool { return !blocked(x) },
		},
		{name: "delete", text: &asked{
			"Delete person", "Delete %s?",
			"The account, its ways to sign in and its permissions are gone for good. To keep the person out for a while, block the account.",
			"%s is deleted.",
		}, method: "DELETE", scope: "delete:users", asks: true, danger: true, ends: true, locked: self},
	}
}
