package admin

import (
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// column is one of a list. Its name is that of the cells' head.
type column struct {
	name  string
	cells func(facts) []cell
	rest  bool // a list without room leaves it out
}

// wide leaves a column out where the list has no room.
func (c column) wide() column {
	c.rest = true
	return c
}

// cellKind says how a cell is drawn.
type cellKind int

const (
	plainCell cellKind = iota
	codeCell
	badgeCell
	warnCell // with the sign of a warning
	timeCell // a time by RFC 3339
)

// cell is a text in a list.
type cell struct {
	kind cellKind
	text string
}

// mark is a badge behind what an entry is called, when it applies.
type mark struct {
	text  string
	when  func(facts) bool
	warns bool
}

// heading is the column that says what an entry is called, with its marks.
func heading(name string, called func(facts) string, marks ...mark) column {
	return column{name: name, cells: func(x facts) []cell {
		out := []cell{{plainCell, called(x)}}
		for _, m := range marks {
			switch {
			case !m.when(x):
			case m.warns:
				out = append(out, cell{warnCell, m.text})
			default:
				out = append(out, cell{badgeCell, m.text})
			}
		}
		return out
	}}
}

// member is a column of one member of the entries.
func member(name, path string, kind cellKind) column {
	return column{name: name, cells: func(x facts) []cell { return []cell{{kind, x.entry.Text(path)}} }}
}

// chosen is a column of a member that holds the key of an option.
func chosen(name string, options []option, key func(*schema.Object) string) column {
	return column{name: name, cells: func(x facts) []cell { return []cell{{plainCell, nameOfOption(options, key(x.entry))}} }}
}

// scopeCount is a column with the number of scopes in a list of the entries.
func scopeCount(path string) column {
	return column{name: "Scopes", cells: func(x facts) []cell {
		return []cell{{plainCell, kit.Several(len(x.entry.List(path)), "1 scope", "%d scopes")}}
	}}.wide()
}

// is reports whether a member is true.
func is(o *schema.Object, path string) bool {
	v, _ := o.Get(path)
	on, _ := v.(bool)
	return on
}

// has and lacks are the conditions that a member is true, and that it is not.
func has(path string) func(facts) bool   { return func(x facts) bool { return is(x.entry, path) } }
func lacks(path string) func(facts) bool { return func(x facts) bool { return !is(x.entry, path) } }

// nameOr names an entry by the first member that is not empty: its name, or else another.
func nameOr(other string) func(facts) string {
	return func(x facts) string { return nameIn(x.entry, other) }
}

func nameIn(o *schema.Object, other string) string {
	if name := o.Text("name"); name != "" {
		return name
	}
	return o.Text(other)
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
