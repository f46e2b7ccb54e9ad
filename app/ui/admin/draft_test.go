package admin

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/model/schema"
)

func TestPlaces(t *testing.T) {
	for fragment, want := range map[string]place{
		"":                      {},
		"apis":                  {"apis", ""},
		"clients/client_a-B9":   {"clients", "client_a-B9"},
		"people/new":            {"people", "new"},
		"people/a/b":            {},
		"people/..":             {},
		"people/%2e":            {},
		"people/" + long(65):    {},
		"people/\"]":            {},
		"people/" + long(64):    {"people", long(64)},
		"<script>alert</script": {},
	} {
		if got := placeOf(fragment); got != want {
			t.Errorf("%q: %v, want %v", fragment, got, want)
		}
		if want.section != "" && want.fragment() != "#"+fragment {
			t.Errorf("%v is %q", want, want.fragment())
		}
	}
}

func long(n int) string { return strings.Repeat("x", n) }

func table(name string) *section {
	for _, s := range sections() {
		if s.name == name {
			return &s
		}
	}
	return nil
}

func object(t *testing.T, text string) *schema.Object {
	t.Helper()
	v, ps := schema.Decode([]byte(text))
	o, ok := v.(*schema.Object)
	if len(ps) > 0 || !ok {
		t.Fatalf("%s: %v", text, ps)
	}
	return o
}

// Every control has a name that identifies it, and every row and text can be changed.
func TestControls(t *testing.T) {
	for _, s := range sections() {
		for i := range s.fields {
			f := &s.fields[i]
			for row := range 3 {
				for column := range max(1, len(f.columns)) {
					got, r, c := s.controlOf(f.control(row, column))
					if f.kind != rowsField {
						row, column = 0, 0
					}
					if got != f || r != row || c != column {
						t.Errorf("%s: %q is %v %d %d", s.name, f.control(row, column), got, r, c)
					}
				}
			}
		}
		for _, name := range []string{"", "none", "none[0]", "name[0]", "callbacks[-1]", "callbacks[x]", "callbacks["} {
			if f, _, _ := s.controlOf(name); f != nil && name != f.path {
				t.Errorf("%s: %q is %s", s.name, name, f.path)
			}
		}
	}
}

func TestTyping(t *testing.T) {
	s := table(apisName)
	e := newEditing(s)
	if e.dirty(s) {
		t.Fatal("a blank form is dirty")
	}
	if got := e.addRow(s, "scopes"); got != "scopes[0].value" {
		t.Errorf("the first row is %q", got)
	}
	if e.dirty(s) {
		t.Error("a blank row makes the form dirty")
	}
	e.addRow(s, "scopes")
	if got := e.addRow(s, "scopes"); got != "scopes[2].value" {
		t.Errorf("the third row is %q", got)
	}
	e.problems = map[string]string{"scopes[2].value": "x", "name": "y"}
	e.typed(s, "scopes[2].value", "read:x")
	e.typed(s, "scopes[2].description", "Reads  x, ")
	e.typed(s, "scopes[0].value", "a")
	e.typed(s, "scopes[7].value", "nowhere")
	if f := s.field("scopes"); f.typed("a"+record, 0, 1, "x") != "a"+record || f.typed("a"+record, 0, -1, "x") != "a"+record {
		t.Error("a text is written where a row has none")
	}
	e.typed(s, "none", "nothing")
	if e.problems["scopes[2].value"] != "" || e.problems["name"] == "" {
		t.Errorf("typing left the problems %v", e.problems)
	}
	if want := "a" + unit + record + unit + record + "read:x" + unit + "Reads  x, " + record; e.now["scopes"] != want {
		t.Errorf("typed: %q, want %q", e.now["scopes"], want)
	}
	if sent := string(schema.Encode(s.plan("", e.was,
		e.now)[0].body.List("scopes"))); sent != `[{"value":"a"},{"value":"read:x","description":"Reads  x,"}]` {
		t.Errorf("sent: %s", sent)
	}
	if next := e.removeRow(s, "scopes[2].value"); next != "scopes[1].value" {
		t.Errorf("after the last row the focus goes to %q", next)
	}
	if next := e.removeRow(s, "scopes[0].value"); next != "scopes[0].value" || e.now["scopes"] != unit+record {
		t.Errorf("after the first row %q, %q", next, e.now["scopes"])
	}
	if next := e.removeRow(s, "scopes[5].value"); next != "" || e.now["scopes"] != unit+record {
		t.Errorf("a missing row: %q, %q", next, e.now["scopes"])
	}
	if next := e.removeRow(s, "scopes[0].value"); next != "" || e.now["scopes"] != "" {
		t.Errorf("after the only row %q, %q", next, e.now["scopes"])
	}
	e.typed(s, "name", "X")
	if !e.dirty(s) {
		t.Error("a name does not make the form dirty")
	}
	e.failed = "x"
	e.discard()
	if e.dirty(s) || len(e.problems) > 0 || e.failed != "" {
		t.Errorf("thrown away, the form still is %+v", e)
	}
	e.typed(s, "name", "Y")
	if e.was["name"] != "" {
		t.Error("typing changes the tenant's values")
	}
	for _, x := range []struct {
		busy, dirty, loading bool
		want                 bool
	}{{want: true}, {busy: true}, {dirty: true}, {loading: true, want: true}} {
		e := newEditing(s)
		e.busy, e.loading = x.busy, x.loading
		e.err = errors.New("not read") // it has no input to lose
		if x.dirty {
			e.typed(s, "name", "Z")
		}
		if e.idle(s) != x.want {
			t.Errorf("%+v: idle is %v", x, e.idle(s))
		}
	}
	var none *editing
	if none.dirty(s) {
		t.Error("no form is dirty")
	}
}

func TestToggled(t *testing.T) {
	v := ""
	for _, key := range []string{"b", "a", "c", "a"} {
		v = toggled(v, key, true)
	}
	if want := "a" + record + "b" + record + "c"; v != want {
		t.Errorf("%q, want %q", v, want)
	}
	if v = toggled(toggled(v, "b", false), "none", false); v != "a"+record+"c" {
		t.Errorf("removed: %q", v)
	}
	if v = toggled(toggled(v, "a", false), "c", false); v != "" {
		t.Errorf("all removed: %q", v)
	}
}

func TestMerged(t *testing.T) {
	l := func(keys ...string) string { return listOf(keys) }
	for _, x := range []struct{ held, old, now, want string }{
		{l("a"), "", "", l("a")},
		{l("a"), "", l("b"), l("a", "b")},
		{l("a", "b"), l("a", "b"), l("a"), l("a")},
		{l("b", "c"), l("a", "b"), l("b", "d"), l("b", "c", "d")},
		{l("a"), l("a", "b"), l("a", "b"), l("a")},
	} {
		if got := merged(x.held, x.old, x.now); got != x.want {
			t.Errorf("merged(%q, %q, %q) = %q, want %q", x.held, x.old, x.now, got, x.want)
		}
	}
}

// A plan sends only the differences, and each of its requests records the tenant's state after it.
func TestPlan(t *testing.T) {
	permission := func(api, scope string) string { return api + unit + scope }
	for _, x := range []struct {
		name, section, id string
		was, now          draft
		want              []string
	}{
		{"nothing", clientsName, "c", draft{"name": "a"}, draft{"name": "a"}, nil},
		{"a blank row", clientsName, "c", draft{"callbacks": "x" + record}, draft{"callbacks": record + "x" + record + " " + record}, nil},
		{
			"one member", clientsName, "c",
			draft{"name": "a", "global": "false"},
			draft{"name": " b ", "global": "false"},
			[]string{`PATCH clients/c {"name":"b"}`},
		},
		{"an empty list", clientsName, "c", draft{"callbacks": "x" + record}, draft{}, []string{`PATCH clients/c {"callbacks":[]}`}},
		{
			"a nested member", apisName, "a",
			draft{},
			draft{
				"subject_type_authorization.client.policy": "x",
				"subject_type_authorization.user.policy":   "y",
			},
			[]string{`PATCH resource-servers/a {"subject_type_authorization":{"user":{"policy":"y"},"client":{"policy":"x"}}}`},
		},
		{"read-only fields", grantsName, "g", draft{"audience": "a"}, draft{"audience": "b"}, nil},
		{
			"a new one", grantsName, "",
			draft{},
			draft{"subject_type": "client"},
			[]string{`POST client-grants {"client_id":"","audience":"","subject_type":"client","scope":[]}`},
		},
		{
			"a new person", peopleName, "",
			draft{},
			draft{"email": "a@b", "roles": "r"},
			[]string{`POST users {"email":"a@b"}`, `POST users/{id}/roles {"roles":["r"]}`},
		},
		{
			"sets", peopleName, "u",
			draft{"roles": "a" + record + "b", "permissions": permission("i", "x")},
			draft{"roles": "b" + record + "c", "permissions": permission("i", "y")},
			[]string{
				`POST users/u/roles {"roles":["c"]}`, `DELETE users/u/roles {"roles":["a"]}`,
				`POST users/u/permissions {"permissions":[{"resource_server_identifier":"i","permission_name":"y"}]}`,
				`DELETE users/u/permissions {"permissions":[{"resource_server_identifier":"i","permission_name":"x"}]}`,
			},
		},
		{"people of a role", rolesName, "r", draft{"users": "a" + record + "b"}, draft{"users": "c"}, []string{
			`POST roles/r/users {"users":["c"]}`, `DELETE users/a/roles {"roles":["r"]}`, `DELETE users/b/roles {"roles":["r"]}`,
		}},
		{"a log", logName, "l", draft{"type": "s"}, draft{"type": "f"}, nil},
	} {
		s := table(x.section)
		var got []string
		held := maps.Clone(x.was)
		for _, r := range s.plan(x.id, x.was, x.now) {
			got = append(got, r.method+" "+r.path+" "+string(schema.Encode(r.body)))
			maps.Copy(held, r.leaves)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
		if len(x.want) > 0 {
			if left := s.changed(held, x.now); len(left) > 0 && x.id != "" {
				t.Errorf("%s: after it all %v differs: %q", x.name, left, held)
			}
		}
	}
	// A request that fails in the middle keeps the results of those before it.
	plan := table(rolesName).plan("r", draft{"users": "a" + record + "b"}, draft{"users": "c"})
	for i, want := range []string{"a" + record + "b" + record + "c", "b" + record + "c", "c"} {
		if got := plan[i].leaves["users"]; got != want {
			t.Errorf("after request %d the set is %q, want %q", i, got, want)
		}
	}
}

// Input during a save stays unsaved, the tenant's own changes are accepted, and a secret is not stored.
func TestAccept(t *testing.T) {
	s := table(clientsName)
	e := &editing{was: draft{}, now: draft{}}
	e.loaded(s, object(t, `{"client_id":"c","name":"A","callbacks":["x"],"global":false}`), nil)
	if e.dirty(s) || e.now["name"] != "A" || e.now["callbacks"] != "x"+record {
		t.Fatalf("loaded: %+v", e)
	}
	e.typed(s, "name", "B ")
	e.typed(s, "callbacks[0]", "y")
	sent := maps.Clone(e.now)
	plan := s.plan("c", e.was, e.now)
	e.typed(s, "callbacks[0]", "z")
	e.accept(s, plan[0], sent, object(t, `{"client_id":"c","name":"B","callbacks":["y"],"global":true,"client_secret":"hush"}`))
	if got := s.changed(e.was, e.now); !slices.Equal(got, []string{"callbacks"}) {
		t.Errorf("unsaved: %v", got)
	}
	if e.now["name"] != "B" || e.now["global"] != "true" || e.now["callbacks"] != "z"+record || e.was["callbacks"] != "y"+record {
		t.Errorf("accepted: %q, was %q", e.now, e.was)
	}
	if e.entry.Has("client_secret") || !e.entry.Has("client_id") {
		t.Errorf("kept: %s", schema.Encode(e.entry))
	}

	// A new person whose roles were refused exists, and the roles stay unsaved.
	p := table(peopleName)
	n := newEditing(p)
	n.typed(p, "email", "A@B.c")
	n.typed(p, "roles", "r")
	sent = maps.Clone(n.now)
	plan = p.plan("", n.was, n.now)
	n.accept(p, plan[0], sent, object(t, `{"user_id":"u","email":"a@b.c","name":"a@b.c"}`))
	if got := p.changed(n.was, n.now); !slices.Equal(got, []string{"roles"}) || n.now["email"] != "a@b.c" || n.now["name"] != "a@b.c" {
		t.Errorf("made: %v of %q unsaved", got, n.now)
	}
	n.accept(p, plan[1], sent, nil)
	if n.dirty(p) {
		t.Errorf("after the roles %v is unsaved", p.changed(n.was, n.now))
	}
}

// A changed name says nothing about the person's roles.
func TestAcceptKeepsSets(t *testing.T) {
	s := table(peopleName)
	e := &editing{was: draft{}, now: draft{}}
	e.loaded(s, object(t, `{"user_id":"u","name":"A"}`), map[string][]*schema.Object{"roles": {object(t, `{"id":"r"}`)}})
	e.typed(s, "name", "B")
	plan := s.plan("u", e.was, e.now)
	e.accept(s, plan[0], maps.Clone(e.now), object(t, `{"user_id":"u","name":"B"}`))
	if e.dirty(s) || e.now["roles"] != "r" {
		t.Errorf("the roles are %q, unsaved %v", e.now["roles"], s.changed(e.was, e.now))
	}
}

// A new person gets the tenant's default roles besides the chosen ones. A refused choice stays unsaved and
// removes nothing.
func TestNewPeopleShowTheirRoles(t *testing.T) {
	p := table(peopleName)
	for name, x := range map[string]struct {
		saved   bool // the chosen role was given
		unsaved []string
	}{"all saved": {true, nil}, "roles refused": {false, []string{"roles"}}} {
		e := newEditing(p)
		e.typed(p, "email", "a@b.c")
		e.typed(p, "roles", "editor")
		sent := maps.Clone(e.now)
		plan := p.plan("", e.was, e.now)
		e.accept(p, plan[0], sent, object(t, `{"user_id":"u","email":"a@b.c","name":"a@b.c"}`))
		roles := []*schema.Object{object(t, `{"id":"account"}`)}
		if x.saved {
			e.accept(p, plan[1], sent, nil)
			roles = append(roles, object(t, `{"id":"editor"}`))
		}
		e.loaded(p, e.entry, map[string][]*schema.Object{"roles": roles})
		if want := listOf([]string{"account", "editor"}); e.now["roles"] != want {
			t.Errorf("%s: the roles are %q, want %q", name, e.now["roles"], want)
		}
		if got := p.changed(e.was, e.now); !slices.Equal(got, x.unsaved) {
			t.Errorf("%s: %v unsaved, want %v", name, got, x.unsaved)
		}
	}
}

func TestPlaced(t *testing.T) {
	s := table(clientsName)
	sent := draft{"callbacks": "a" + record + record + "b" + record}
	r := request{leaves: draft{"callbacks": "", "name": ""}}
	got := s.placed(r, sent, []client.Problem{
		{Path: "callbacks[1]", Detail: "second"},
		{Path: "callbacks[9]", Detail: "beyond"},
		{Path: "callbacks", Detail: "all"},
		{Path: "name", Detail: "first"},
		{Path: "name", Detail: "later"},
		{Path: "names", Detail: "other"},
		{Path: "global", Detail: "not sent"},
		{Path: "", Detail: "whole"},
	})
	want := map[string]string{"callbacks[2]": "second", "callbacks": "beyond", "name": "first", "": "other"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Choices include values that are no longer offered, and selected options come first in their group.
func TestChoices(t *testing.T) {
	s := table(peopleName)
	e := newEditing(s)
	f := s.field("permissions")
	e.chooser(f).Rows = []*schema.Object{
		object(t, `{"identifier":"i","name":"I","scopes":[{"value":"a","description":"A"},{"value":"b"}]}`),
		object(t, `{"identifier":"j","name":"J","scopes":[{"value":"a"}]}`),
	}
	held := listOf([]string{"i" + unit + "b", "i" + unit + "gone", "j" + unit + "a", "k" + unit + "read"})
	e.was["permissions"], e.now["permissions"] = held, toggled(held, "j"+unit+"a", false)
	e.chooser(f).name(f, []*schema.Object{
		object(t, `{"resource_server_identifier":"k","resource_server_name":"K","permission_name":"read","description":"Reads"}`),
	}, facts{})
	names := func(list []option) string {
		var out []string
		for _, o := range list {
			out = append(out, o.group+":"+o.name)
		}
		return strings.Join(out, " ")
	}
	list := e.choices(f, facts{})
	if got := names(list); got != "i:gone K:read I:a I:b J:a" {
		t.Errorf("options: %s", got)
	}
	if got := names(heldFirst(list, items(held))); got != "i:gone K:read I:b I:a J:a" {
		t.Errorf("held first: %s", got)
	}
	if list[2].key != "i"+unit+"a" || list[2].text != "A" || list[1].text != "Reads" {
		t.Errorf("options: %+v", list)
	}
	for filter, want := range map[string]string{"READ": "K:read", "i b": "I:b", " j ": "J:a", "zzz": ""} {
		e.chooser(f).filter = filter
		if got := names(e.choices(f, facts{})); got != want {
			t.Errorf("%q finds %s, want %s", filter, got, want)
		}
	}
}

// Default roles are not offered when a person is invited: deselecting them would change nothing.
func TestDefaultRolesAreNotOffered(t *testing.T) {
	preset, other := object(t, `{"id":"a","name":"Account","is_preset":true}`), object(t, `{"id":"e","name":"Editor","is_preset":false}`)
	from := table(peopleName).field("roles").from
	if len(from.options(preset, facts{})) != 0 || len(from.options(other, facts{})) != 1 {
		t.Error("a new person is offered other roles")
	}
	if x := (facts{entry: object(t, `{"user_id":"u"}`)}); len(from.options(preset, x)) != 1 {
		t.Error("a person is not offered a default role")
	}
}

// The option keys that the tenant knows, by hand: it accepts any word as a grant type.
func TestOptionKeys(t *testing.T) {
	for _, x := range []struct{ section, path, keys string }{
		{apisName, "subject_type_authorization.user.policy", "require_client_grant allow_all deny_all"},
		{apisName, "subject_type_authorization.client.policy", "require_client_grant allow_all deny_all"},
		{clientsName, "app_type", "regular_web spa native non_interactive"},
		{
			clientsName, "grant_types",
			"authorization_code refresh_token client_credentials password implicit urn:formgraph:params:oauth:grant-type:webauthn",
		},
		{clientsName, "token_endpoint_auth_method", "client_secret_post client_secret_basic none"},
		{grantsName, "subject_type", "client user"},
	} {
		var got []string
		f := table(x.section).field(x.path)
		for _, o := range f.options {
			got = append(got, o.key)
			if o.name == "" || o.text == "" {
				t.Errorf("%s %s: %s is not explained", x.section, x.path, o.key)
			}
		}
		if strings.Join(got, " ") != x.keys {
			t.Errorf("%s %s: %q, want %q", x.section, x.path, got, x.keys)
		}
	}
}

// Only the account API has a banner: other APIs are inactive because somebody wants them to be.
func TestActivation(t *testing.T) {
	a := table(apisName).action("activate")
	for entry, hidden := range map[string]bool{
		`{"id":"me","active":false}`: false, `{"id":"me","active":true}`: true, `{"id":"other","active":false}`: true,
	} {
		if got := a.hidden(facts{entry: object(t, entry)}); got != hidden {
			t.Errorf("%s: hidden: %v", entry, got)
		}
	}
}

// Failures in the log are marked, and unknown types are shown by their code.
func TestLogTypes(t *testing.T) {
	s := table(logName)
	for code, want := range map[string]cell{
		"s": {plainCell, "Signed in"}, "fp": {warnCell, "Wrong password"}, "fertft": {warnCell, "Renewal refused"}, "zzz": {plainCell, "zzz"},
		"": {plainCell, ""},
	} {
		if got := s.columns[0].cells(facts{entry: schema.NewObject(schema.Member{Key: "type", Value: code})}); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %v, want %v", code, got, want)
		}
	}
}

// Administrators cannot block or delete themselves, but can block and delete anybody else.
func TestAdministratorsCannotBlockThemselves(t *testing.T) {
	s := table(peopleName)
	for _, name := range []string{"block", "delete"} {
		for id, locked := range map[string]bool{"me": true, "other": false} {
			x := facts{me: "me", entry: schema.NewObject(schema.Member{Key: "user_id", Value: id})}
			if got := reason(s.action(name).locked, x) != ""; got != locked {
				t.Errorf("%s of %s is locked: %v", name, id, got)
			}
		}
	}
}

// The grants of the editor's own application are read-only.
func TestReserved(t *testing.T) {
	s := table(grantsName)
	for text, locked := range map[string]bool{`{"is_reserved":true}`: true, `{"is_reserved":false}`: false, `{}`: false} {
		x := facts{entry: object(t, text)}
		if form, act := reason(s.locked, x) != "", reason(s.action("delete").locked, x) != ""; form != locked || act != locked {
			t.Errorf("a grant with %s is locked: %v, its deletion %v", text, form, act)
		}
	}
}

// The tables are consistent: each section and field has a unique name, and fields that need options have
// some.
func TestTables(t *testing.T) {
	names := map[string]bool{}
	all := sections()
	for i := range all {
		s := &all[i]
		if names[s.name] || placeOf(s.name).section != s.name {
			t.Errorf("section %q is there twice or not in the address", s.name)
		}
		names[s.name] = true
		paths := map[string]bool{}
		for j := range s.fields {
			f := &s.fields[j]
			choosing := f.kind == choiceField || f.kind == pickField || f.kind == checksField
			offers := f.options != nil || f.from != nil && table(f.from.section) != nil
			if paths[f.path] || choosing != offers || f.set != nil && f.kind != checksField {
				t.Errorf("%s: the field %s is not sound", s.name, f.path)
			}
			paths[f.path] = true
		}
		for j := range s.actions {
			a := &s.actions[j]
			if a.danger && a.ask == "" || a.ends() && !a.danger {
				t.Errorf("%s: %s destroys without asking", s.name, a.name)
			}
		}
	}
}
