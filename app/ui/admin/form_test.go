package admin

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/model/schema"
)

func TestEntryIsCreated(t *testing.T) {
	v := newVisit(t, "people/new")
	v.people(60)
	roles := []string{`{"id":"r0","name":"Account","is_preset":true}`, `{"id":"r1","name":"Editor","description":"Edits"}`}
	v.add("roles", roles...)
	v.add("users/made/roles", roles...)
	v.before = func(method, path, _ string) (int, string) {
		if path == "users/made/tickets" {
			return 201, `{"ticket":"https://tenant.test/once"}`
		}
		return 0, ""
	}
	v.play(
		v.shows("Invite a person", "Editor", "!Account"), // new people get the role Account by default
		v.typing(input{path: "email", value: " ana@x.test "}), v.typing(input{path: "name", value: "Ana"}),
		v.typing(input{path: "roles", key: "r1", kind: "checkbox", checked: true}),
		v.shows("Unsaved changes", "1 chosen"),
		func(ctx app.Context) { v.asked = nil; v.press("save", "")(ctx) },
		func(app.Context) {
			want := []string{
				`POST users {"email":"ana@x.test","name":"Ana"}`, `POST users/made/roles {"roles":["r1"]}`, `POST users/made/tickets {}`,
			}
			made := slices.DeleteFunc(slices.Clone(v.asked), func(r string) bool { return strings.HasPrefix(r, "GET") })
			if !slices.Equal(made, want) {
				t.Errorf("sent %q, want %q", made, want)
			}
			if v.at != (place{peopleName, "made"}) || len(v.unsaved()) > 0 {
				t.Errorf("at %v, unsaved %v", v.at, v.unsaved())
			}
			if has := items(v.form().now["roles"]); !slices.Equal(has, []string{"r0", "r1"}) { // the tenant's, too
				t.Errorf("the form shows the roles %q", has)
			}
			if l := v.list(v.section()); l.Total != 61 || l.Rows[0].Text("name") != "Ana" || len(l.Rows) != 51 {
				t.Errorf("the list has %d rows of %d, first %s", len(l.Rows), l.Total, schema.Encode(l.Rows[0]))
			}
		},
		v.shows("One-time link for “Ana”", "https://tenant.test/once"),
		func(ctx app.Context) { v.dialogs.close(ctx) }, v.shows("!https://tenant.test/once"),
	)
}

func TestEntryIsChangedInPlace(t *testing.T) {
	v := newVisit(t, "people/u55")
	v.people(60)
	v.play(
		v.press("more", ""), v.shows("60 shown"),
		v.typing(input{path: "name", value: "Zoë"}),
		func(ctx app.Context) { v.asked = nil; v.press("save", "")(ctx) },
		v.asks(`PATCH users/u55 {"name":"Zoë"}`), v.shows("Zoë", "60 shown", "!Unsaved"),
		func(app.Context) {
			if got := v.list(v.section()).Rows[55].Text("name"); got != "Zoë" {
				t.Errorf("row 55 is called %q", got)
			}
		},
		v.press("save", ""), v.asks(), // nothing has changed
	)
}

// A refused change stays in the form, with the reason at its field.
func TestRefusedChangeStaysInTheForm(t *testing.T) {
	v := newVisit(t, "people/u01")
	v.people(3)
	refusal := `{"code":"invalid_body","detail":"x","problems":[{"path":"email","code":"format","detail":"must be an e-mail address"}]}`
	v.before = func(method, _, _ string) (int, string) {
		if method == "PATCH" {
			return 400, refusal
		}
		return 0, ""
	}
	v.play(
		v.typing(input{path: "email", value: "nowhere"}), v.press("save", ""),
		v.shows("Must be an e-mail address.", "Not saved: some fields need your attention.", `data-held="=nowhere="`, "Unsaved changes"),
		func(app.Context) { refusal = `{"code":"conflict","detail":"another user has this address"}` },
		v.typing(input{path: "email", value: "p02@x.test"}), v.shows("!Must be an e-mail address."),
		v.press("save", ""), v.shows("Not saved. Another user has this address. Your changes are still here."),
		func(app.Context) { v.before = nil }, v.press("save", ""), v.shows("!Unsaved", "!Not saved"),
	)
}

// A problem with an added row is shown at that row.
func TestProblemIsShownAtItsRow(t *testing.T) {
	v := newVisit(t, "clients/c1")
	v.add("clients", `{"client_id":"c1","name":"Shop","callbacks":["https://a.test"]}`)
	v.before = func(method, _, _ string) (int, string) {
		if method == "PATCH" {
			return 400, `{"code":"invalid_body","detail":"x","problems":[{"path":"callbacks[1]","code":"format","detail":"must be an address"}]}`
		}
		return 0, ""
	}
	v.play(
		v.press("add", "callbacks"), v.press("add", "callbacks"), v.typing(input{path: "callbacks[2]", value: "nowhere"}),
		v.press("save", ""), v.shows("Must be an address."),
		func(app.Context) {
			if e := v.form(); len(e.problems) != 1 || e.problems["callbacks[2]"] == "" {
				t.Errorf("the problems are %q", e.problems)
			}
		},
	)
}

// Ways to sign in leave the list when they are removed, one at a time or all at once. The focus moves to the title of the list, since the
// pressed button is gone.
func TestRemovedWayLeavesTheList(t *testing.T) {
	v := newVisit(t, "people/u00")
	v.scopes += " read:authentication_methods delete:authentication_methods"
	v.people(1)
	v.add("users/u00/authentication-methods", `{"id":"passkey|a","type":"passkey","name":"Laptop"}`, `{"id":"totp|b","type":"totp"}`,
		`{"id":"recovery-code|c","type":"recovery-code"}`)
	back := func(app.Context) {
		if to := v.dialogs.modal.Back; v.dialogs.current != nil || to != "#owned-title" {
			t.Errorf("the dialog is open: %t, and the focus goes to %q", v.dialogs.current != nil, to)
		}
	}
	v.play(
		v.shows("Laptop", "Authenticator app", "Recovery code"),
		func(ctx app.Context) { v.asked = nil; v.press("take", "totp|b")(ctx) }, v.press("yes", ""),
		v.asks("DELETE users/u00/authentication-methods/totp%7Cb"), v.shows("Laptop", "!Authenticator app", "Recovery code"), back,
		v.press("take-all", ""), v.press("yes", ""),
		v.asks("DELETE users/u00/authentication-methods"), v.shows("!Laptop", "!Recovery code"), back,
	)
}

func TestEntryIsDeletedAfterConfirmation(t *testing.T) {
	v := newVisit(t, "people/u07")
	v.people(60)
	refuse := true
	v.before = func(method, _, _ string) (int, string) {
		if method == "DELETE" && refuse {
			return 403, `{"code":"denied","detail":"you may not delete this person"}`
		}
		return 0, ""
	}
	v.play(
		v.press("more", ""),
		v.press("do", "delete"), v.shows("Delete “Person 07”?"),
		v.press("yes", ""), v.shows("Delete “Person 07”?", "You may not delete this person."),
		v.press("cancel", ""), v.shows("!Delete “Person 07”?", "60 shown"),
		func(app.Context) { refuse = false },
		v.press("do", "delete"), v.press("yes", ""), v.shows("59 shown", "!u07"),
		func(app.Context) {
			if v.at != (place{section: peopleName}) {
				t.Errorf("at %v", v.at)
			}
		},
	)
}

// An address without an entry is reported as such, and a failed request can be retried.
func TestUnreadableEntry(t *testing.T) {
	v := newVisit(t, "people/gone")
	v.people(1)
	v.before = func(_, path, _ string) (int, string) {
		if path == "users/u00" {
			return 502, `{"code":"x","detail":"the tenant is down"}`
		}
		return 0, ""
	}
	v.play(
		v.shows("Not found"),
		func(ctx app.Context) { v.show(ctx, place{peopleName, "u00"}) }, v.shows("The tenant is down.", `data-act="retry"`),
		func(app.Context) { v.before = nil }, v.press("retry", ""), v.shows("p00@x.test", "!The tenant is down."),
	)
}

// Unsaved input survives opening another entry or section and the end of the session. Unchanged forms are read again.
func TestUnsavedInputIsKept(t *testing.T) {
	v := newVisit(t, "people/u01")
	v.people(3)
	v.play(
		v.typing(input{path: "name", value: "typed"}),
		func(ctx app.Context) { v.show(ctx, place{peopleName, "u02"}) },
		func(ctx app.Context) { v.show(ctx, place{section: rolesName}) }, v.shows("unsaved-dot"),
		func(ctx app.Context) {
			if len(v.forms) != 1 || !v.unsaved()[peopleName] {
				t.Errorf("%d forms are kept, unsaved %v", len(v.forms), v.unsaved())
			}
			v.before = func(string, string, string) (int, string) { return 401, `{"code":"session_expired","detail":"x"}` }
			v.show(ctx, place{peopleName, "u01"})
		},
		v.shows(`data-held="=typed="`), v.press("save", ""),
		v.shows(sessionEnded, `data-held="=typed="`),
		func(app.Context) {
			if !v.ended {
				t.Error("the page does not offer to sign in again")
			}
		},
		v.press("discard", ""), v.shows("Your unsaved changes to “Person 01” will be lost."),
		v.press("yes", ""), v.shows(`data-held="=Person 01="`, "!unsaved-dot"),
	)
}

// A new entry without input can be left without confirmation.
func TestBlankEntryIsLeft(t *testing.T) {
	v := newVisit(t, "roles/new")
	v.play(v.press("discard", ""), func(app.Context) {
		if v.at != (place{section: rolesName}) || len(v.forms) > 0 || v.dialogs.current != nil {
			t.Errorf("at %v with %d forms and the question %+v", v.at, len(v.forms), v.dialogs.current)
		}
	})
}

// The server pages and searches the options of a field. A selected option stays visible and in the form.
func TestOptionsAreSearchedOnTheServer(t *testing.T) {
	v := newVisit(t, "grants/new")
	for i := range 30 {
		v.add("clients", fmt.Sprintf(`{"client_id":"c%02d","name":"Shop %02d"}`, i, i))
	}
	v.add("resource-servers",
		`{"id":"a1","identifier":"https://orders","name":"Orders","scopes":[{"value":"read:orders"},{"value":"write:orders"}]}`,
		`{"id":"a2","identifier":"https://bills","name":"Bills","scopes":[{"value":"read:bills"}]}`)
	const clients = "GET clients?per_page=20&include_totals=true"
	v.play(
		v.asks("GET client-grants?include_names=true&per_page=50&include_totals=true", clients,
			"GET resource-servers?per_page=20&include_totals=true"),
		v.shows("Shop 19", "!Shop 20", "Choose an API first.", "Show more – Application"),
		v.press("more-options", "client_id"), v.asks("GET clients?from=20&take=20&include_totals=true"), v.shows("Shop 29"),
		v.typing(input{filter: "client_id", value: "shop 2"}), v.asks(clients+"&q=shop+2"), v.shows("Shop 20", "!Shop 19"),
		v.typing(input{path: "client_id", key: "c25", kind: "radio", checked: true}),
		v.typing(input{filter: "client_id", value: "shop 25"}),
		func(ctx app.Context) { // the field keeps its place and the focus while the answer is pending
			v.typing(input{filter: "client_id", value: ""})(ctx)
			v.shows("Search application", "!Loading…")(ctx) // and nothing moves
		},
		v.shows("Shop 25", "Shop 00", "!Shop 24"),
		func(ctx app.Context) {
			v.asked = nil
			v.typing(input{path: "audience", key: "https://orders", kind: "radio", checked: true})(ctx)
		},
		v.asks("GET resource-servers?per_page=20&include_totals=true&q=https%3A%2F%2Forders"), v.shows("read:orders", "!read:bills"),
		v.typing(input{path: "scope", key: "read:orders", kind: "checkbox", checked: true}), v.shows("1 chosen"),
		v.typing(input{filter: "scope", value: "write"}), v.asks(), v.shows("write:orders", "!>read:orders"),
		// The scopes of one API differ from those of another.
		v.typing(input{path: "audience", key: "https://bills", kind: "radio", checked: true}), v.shows("0 chosen"),
		func(app.Context) {
			if d := v.form().now; d["client_id"] != "c25" || d["audience"] != "https://bills" || d["scope"] != "" {
				t.Errorf("the form holds %q", d)
			}
		},
	)
}

func TestUnreadableOptions(t *testing.T) {
	v := newVisit(t, "people/u00")
	v.people(1)
	v.add("users/u00/roles", `{"id":"r9","name":"Auditor"}`)
	v.before = func(_, path, _ string) (int, string) {
		if path == "roles" {
			return 502, `{"code":"x","detail":"the tenant is down"}`
		}
		return 0, ""
	}
	v.play(
		v.shows("The tenant is down.", "Auditor", `data-act="options"`),
		func(app.Context) { v.before = nil; v.add("roles", `{"id":"r1","name":"Editor"}`) },
		v.press("options", "roles"), v.shows("Editor", "Auditor", "!The tenant is down."),
		v.typing(input{filter: "roles", value: "zzz"}), v.shows("No results for “zzz”"),
	)
	// Without the scope to read roles, the person's own roles are still shown by name.
	v = newVisit(t, "people/u00")
	v.people(1)
	v.add("users/u00/roles", `{"id":"r9","name":"Auditor"}`)
	v.scopes = "read:users update:users"
	v.play(v.shows("Auditor"), v.asks(firstPeople, "GET users/u00", "GET users/u00/roles?per_page=100&page=0",
		"GET users/u00/permissions?per_page=100&page=0"))
}

// The people with a role are read page by page together with all people: two requests open a role that everybody has.
func TestPeopleOfARoleArePaged(t *testing.T) {
	v := newVisit(t, "roles/r1")
	v.people(60)
	v.add("roles", `{"id":"r1","name":"Editor"}`)
	for i := range 60 {
		if i != 3 {
			v.add("roles/r1/users", string(schema.Encode(v.rows["users"][i])))
		}
	}
	held := func() int { return len(items(v.form().now["users"])) }
	v.play(
		func(app.Context) {
			if n := held(); n != 20 || len(v.unsaved()) > 0 {
				t.Errorf("the form has %d people, unsaved %v", n, v.unsaved())
			}
		},
		v.typing(input{path: "users", key: "u05", kind: "checkbox"}), v.typing(input{path: "users", key: "u03", kind: "checkbox", checked: true}),
		v.press("more-options", "users"),
		func(app.Context) {
			if n := held(); n != 40 || !v.unsaved()[rolesName] {
				t.Errorf("the form has %d people, unsaved %v", n, v.unsaved())
			}
		},
		v.typing(input{filter: "users", value: "Person 05"}), // a removed person is not added again by the answer
		func(ctx app.Context) { v.asked = nil; v.press("save", "")(ctx) },
		v.asks(`POST roles/r1/users {"users":["u03"]}`, `DELETE users/u05/roles {"roles":["r1"]}`),
		v.typing(input{filter: "users", value: "Person 0"}), // nor would an answer from before the change do so
		func(app.Context) {
			if len(v.unsaved()) > 0 || slices.Contains(items(v.form().now["users"]), "u05") {
				t.Errorf("after saving the form has %q, unsaved %v", v.form().now["users"], v.unsaved())
			}
		},
	)
}

// The banner of the account API is shown wherever its row is, and disappears when the API is active.
func TestActivationBanner(t *testing.T) {
	v := newVisit(t, "apis")
	for i := range 60 {
		v.add("resource-servers", fmt.Sprintf(`{"id":"a%d","name":"A%d","active":true}`, i, i))
	}
	v.add("resource-servers", `{"id":"me","name":"Account API","active":false}`)
	v.play(
		v.shows("The account API is inactive.", "!Account API<"),
		v.press("banner", "activate"), v.shows("!The account API is inactive."),
	)
}
