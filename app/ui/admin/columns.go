package admin

import (
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// column is a column of a list. Its name is the text of its header.
type column struct {
	name  string
	cells func(facts) []cell
	rest  bool // hidden when the list is narrow
}

// wide returns the column marked as hidden when the list is narrow.
func (c column) wide() column {
	c.rest = true
	return c
}

// cellKind is how a cell is drawn.
type cellKind int

const (
	plainCell cellKind = iota
	codeCell
	badgeCell
	warnCell // with a warning sign
	timeCell // a time in the format of RFC 3339
)

// cell is a text in a row of a list.
type cell struct {
	kind cellKind
	text string
}

// mark is a badge after the name of an entry, shown when a condition holds.
type mark struct {
	text  string
	when  func(facts) bool
	warns bool
}

// heading is the column with the name of an entry and its marks.
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

// member is a column that shows one member of the entries.
func member(name, path string, kind cellKind) column {
	return column{name: name, cells: func(x facts) []cell { return []cell{{kind, x.entry.Text(path)}} }}
}

// chosen is a column for a member whose value is the key of an option; it shows the
// option's name.
func chosen(name string, options []option, key func(*schema.Object) string) column {
	return column{name: name, cells: func(x facts) []cell { return []cell{{plainCell, nameOfOption(options, key(x.entry))}} }}
}

// scopeCount is a column with the number of scopes in a list member of the entries.
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

// has and lacks are the conditions that a member is true and that it is not.
func has(path string) func(facts) bool   { return func(x facts) bool { return is(x.entry, path) } }
func lacks(path string) func(facts) bool { return func(x facts) bool { return !is(x.entry, path) } }

// nameOr returns a function that names an entry by its name, or by another member if the
// name is empty.
func nameOr(other string) func(facts) string {
	return func(x facts) string { return nameIn(x.entry, other) }
}

func nameIn(o *schema.Object, other string) string {
	if name := o.Text("name"); name != "" {
		return name
	}
	return o.Text(other)
}

// nameOfOption returns the name of an option, or the key if the option is unknown.
func nameOfOption(list []option, key string) string {
	for _, o := range list {
		if o.key == key {
			return o.name
		}
	}
	return key
}
