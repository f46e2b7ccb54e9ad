package admin

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// member is a column of one member of the entries.
func member(name, path string, kind cellKind) column {
	return column{name: name, cells: func(x facts) []cell { return []cell{{kind, x.entry.Text(path)}} }}
}

// wide leaves a column out where the list has no room.
func (c column) wide() column {
	c.rest = true
	return c
}

// is reports whether a member is true.
func is(o *schema.Object, path string) bool {
	v, _ := o.Get(path)
	on, _ := v.(bool)
	return on
}

// marks returns a badge for each pair that holds.
func marks(pairs ...mark) []cell {
	var out []cell
	for _, m := range pairs {
		if m.holds {
			kind := badgeCell
			if m.warns {
				kind = warnCell
			}
			out = append(out, cell{kind, m.text})
		}
	}
	return out
}

type mark struct {
	text         string
	holds, warns bool
}

// titled is the column that names an entry, with its marks behind the name.
func titled(name string, title func(facts) string, more func(facts) []cell) column {
	return column{name: name, cells: func(x facts) []cell {
		out := []cell{{plainCell, title(x)}}
		if more != nil {
			out = append(out, more(x)...)
		}
		return out
	}}
}

// nameOr returns the title of an entry by its name, or else by another member.
func nameOr(other string) func(facts) string {
	return func(x facts) string {
		if s := x.entry.Text("name"); s != "" {
			return s
		}
		return x.entry.Text(other)
	}
}

// plainOption is an option of a key, a name and a sentence.
func plainOption(key string, e explained) option {
	return option{key: key, name: e.Name, text: e.Text}
}

// nameOfOption returns what an option is called, its key for one that is unknown.
func nameOfOption(list []option, key string) string {
	for _, o := range list {
		if o.key == key {
			return o.name
		}
	}
	return key
}

// fixed are options that do not depend on anything.
func fixed(list ...option) func(facts) []option { return func(facts) []option { return list } }

// apiPart returns an API of the list by its identifier.
func (f facts) api(identifier string) *schema.Object { return f.of(apisName, "identifier", identifier) }

// scopesOf are the scopes of an API as options; group names the API above them.
func scopesOf(api *schema.Object, key func(scope string) string, group string) []option {
	var out []option
	for _, v := range api.List("scopes") {
		s, _ := v.(*schema.Object)
		scope := s.Text("value")
		out = append(out, option{key: key(scope), name: scope, text: s.Text("description"), group: group})
	}
	return out
}

// permissions are the scopes of all APIs as options, named as a set of permissions names them.
func permissions(x facts) []option {
	var out []option
	for _, api := range x.lists[apisName] {
		identifier := api.Text("identifier")
		out = append(out, scopesOf(api, func(scope string) string { return identifier + unit + scope }, api.Text("name"))...)
	}
	return out
}

// permissionSet is the set of permissions of a role or a person.
func permissionSet() *set {
	return &set{member: "permissions", keys: []string{"resource_server_identifier", "permission_name"}}
}

// lines joins texts that are not empty.
func lines(list ...string) string {
	var out []string
	for _, s := range list {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " → ")
}
