package admin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/schema"
)

// section is one resource of the administration: how its list looks, what an entry holds and what can be
// done with it.
type section struct {
	name    string // in the page's address
	path    string // below /bff/api/admin
	id      string // the member that names an entry
	scope   string // behind the verb of its scopes
	icon    string
	words   *sectionWords
	needs   []string // the sections whose entries this one speaks of
	columns []column
	fields  []field
	actions []action
	then    string // the action that follows when one was made, "" for none
	title   func(facts) string
	// locked says why nothing of an entry can be changed, "" when it can. nil locks nothing.
	locked func(facts) string
	// log marks what is only read: newest first, of one type when that is chosen, a page at a time.
	log bool
	// owned are the things that can be taken from an entry, nil for none.
	owned *owned
}

// facts are what the functions of a table look at.
type facts struct {
	entry *schema.Object // nil while one is being made
	draft draft          // nil in a list
	lists map[string][]*schema.Object
	me    string // the id of who is signed in
}

// of returns the entry with an id in the list of a section, nil when it is not there.
func (f facts) of(section, member, id string) *schema.Object {
	for _, o := range f.lists[section] {
		if o.Text(member) == id {
			return o
		}
	}
	return nil
}

// column is one of a list. Its name is that of the cells' head.
type column struct {
	name  string
	cells func(facts) []cell
	// rest marks what a list without room leaves out.
	rest bool
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

// fieldKind says how a field is shown, and what its value in a draft is.
type fieldKind int

const (
	textField   fieldKind = iota // one line
	longField                    // several lines
	flagField                    // "true" or "false"
	choiceField                  // the key of an option; all options are shown, each with its sentence
	pickField                    // the key of an option
	checksField                  // the keys of options, joined
	rowsField                    // rows of one or more texts, joined
	shownField                   // is only shown
)

// field is one value of an entry.
type field struct {
	// path is the member in entries and bodies, with dots between those of objects. Of a set it is the word
	// behind the entry's id.
	path string
	kind fieldKind
	text *explained
	// part is the heading of the part of the form that begins with the field, "" for none.
	part string
	// made and changed report whether POST and PATCH accept it.
	made, changed bool
	// must means that POST requires it even when it is empty.
	must bool
	// first is its value in a new entry.
	first string
	// columns are the members of the objects in a rowsField and what they are called; without them its rows
	// are strings.
	columns []rowColumn
	options func(facts) []option
	// set says that the value is a list at a path of its own; nil for a member of the entry.
	set    *set
	locked func(facts) string
}

// rowColumn is a member of the objects that a rowsField holds.
type rowColumn struct{ member, name string }

// set is a list of an entry that POST adds to and DELETE removes from.
type set struct {
	// member is what the body is called, keys the members of an item that together name it. With one key
	// the body lists strings, with more objects.
	member string
	keys   []string
	// takeFrom turns the removal round: it is sent to this section's path and the item's id, with the
	// entry's id under takeMember. The API has no other way for the people of a role.
	takeFrom, takeWord, takeMember string
}

// option is a value that can be chosen.
type option struct {
	key, name, text string
	group           string // options of one group stand together below its name
}

// action is what can be done with an entry besides changing it.
type action struct {
	name   string
	text   *asked
	method string
	// word is what follows the entry's id in the path, "" for nothing.
	word   string
	body   *schema.Object
	scope  string // whole
	asks   bool   // a question comes first
	danger bool
	ends   bool // the entry is gone afterwards
	// once is the member of the answer that is shown a single time, "" for none.
	once   string
	hidden func(facts) bool
	locked func(facts) string
	// banner is shown above the list while an entry has the action in sight, "" for none.
	banner string
}

// reason returns what f returns, "" when f is nil.
func reason(f func(facts) string, x facts) string {
	if f == nil {
		return ""
	}
	return f(x)
}

// field returns the field of a path, nil for none.
func (s *section) field(path string) *field {
	for i := range s.fields {
		if s.fields[i].path == path {
			return &s.fields[i]
		}
	}
	return nil
}

// action returns the action of a name, nil for none.
func (s *section) action(name string) *action {
	for i := range s.actions {
		if s.actions[i].name == name {
			return &s.actions[i]
		}
	}
	return nil
}

// choices returns what a field offers, and after it what it holds that is not offered: a scope that
// its API has lost must be seen to be taken away.
func (f *field) choices(x facts, held string) []option {
	var list []option
	if f.options != nil {
		list = f.options(x)
	}
	for _, key := range items(held) {
		if !slices.ContainsFunc(list, func(o option) bool { return o.key == key }) {
			list = append(list, option{
				key: key, name: key[strings.LastIndex(key, unit)+1:],
				group: strings.Join(parts(key)[:max(0, len(parts(key))-1)], " "),
			})
		}
	}
	return list
}

// searched is what a search of the list looks at.
func (s *section) searched(x facts) string {
	var b strings.Builder
	for _, c := range s.columns {
		for _, cell := range c.cells(x) {
			b.WriteString(strings.ToLower(cell.text))
			b.WriteByte(' ')
		}
	}
	b.WriteString(strings.ToLower(x.entry.Text(s.id)))
	return b.String()
}

// sorted returns the entries of a list by what they are called; a log stays as it came.
func (s *section) sorted(list []*schema.Object, x facts) []*schema.Object {
	if s.log {
		return list
	}
	// By text alone, with the place behind it: sorting of another type is code of its own in the program.
	keys := make([]string, len(list))
	for i, o := range list {
		x.entry = o
		keys[i] = strings.ToLower(s.title(x)) + record + string(rune(i+1))
	}
	slices.Sort(keys)
	out := make([]*schema.Object, len(list))
	for i, key := range keys {
		r, _ := utf8.DecodeLastRuneInString(key)
		out[i] = list[r-1]
	}
	return out
}

// heldFirst puts the options of each group that are held before its others.
func heldFirst(list []option, held []string) []option {
	var out []option
	for from := 0; from < len(list); {
		to := from
		for to < len(list) && list[to].group == list[from].group {
			to++
		}
		for _, first := range []bool{true, false} {
			for _, o := range list[from:to] {
				if slices.Contains(held, o.key) == first {
					out = append(out, o)
				}
			}
		}
		from = to
	}
	return out
}

// joined appends a page to rows without those that are there already: what is made while a log is read
// moves its lines to later pages.
func joined(rows, page []*schema.Object, id string) []*schema.Object {
	seen := make(map[string]bool, len(rows))
	for _, o := range rows {
		seen[o.Text(id)] = true
	}
	out := slices.Clone(rows)
	for _, o := range page {
		if !seen[o.Text(id)] {
			out = append(out, o)
		}
	}
	return out
}
