package admin

import (
	"cmp"

	"github.com/formgraph/formgraph/model/schema"
)

// sections is the table of the page, in the order of the screen.
func sections() []section {
	return []section{apis(), clients(), grants(), people(), roles(), signIns()}
}

// section is one resource of the administration: how its list looks, what an entry holds and what can be done
// with it. Everything else of the page follows from it: a new resource is a file with its section, and a name in
// sections.
type section struct {
	name  string // in the page's address
	path  string // below /bff/api/admin
	id    string // the member that names an entry
	scope string // behind the verb of its scopes
	query string // added to requests that read entries, "" for none
	icon  string

	words
	called  func(facts) string // what an entry is called
	columns []column
	fields  []field
	actions []action
	watched string // the id of an entry whose actions may have a banner, "" for none
	// locked says why nothing of an entry can be changed, "" when it can. nil locks nothing.
	locked func(facts) string
	// types are the kinds of lines of a log, which is only read; nil for other sections. Each is a code and its name.
	types [][2]string
	owned *owned // what can be taken from an entry, nil for nothing
}

// words are the texts of a section.
type words struct {
	title, one, many string // the heading, and what one entry and several are called
	about            string
	add              string // the button that creates an entry, "" for "New" and what one is called
	empty, emptyText string // shown when there is no entry; empty may be "" for "No ... yet"
}

// addition is the button that creates an entry.
func (w words) addition() string { return cmp.Or(w.add, "New "+w.one) }

// none is shown when there is no entry.
func (w words) none() string { return cmp.Or(w.empty, "No "+w.many+" yet") }

// log reports whether entries are only read.
func (s *section) log() bool { return s.types != nil }

// facts are what the functions of a section look at.
type facts struct {
	entry *schema.Object // nil while one is being made
	draft draft          // nil in a list
	me    string         // the id of the person who is signed in
}

// field is one value of an entry.
type field struct {
	// path is the member in entries and bodies, with dots between those of objects. A set has the word that follows
	// the entry's id in the address.
	path        string
	kind        fieldKind
	label, help string
	part        string // the heading of the part of the form that begins with the field, "" for none
	must        bool   // POST requires it even when it is empty
	late        bool   // POST does not accept it
	settled     string // why PATCH does not accept it, "" when it does
	first       string // its value in a new entry
	// columns are the members of the objects in a rowsField and what they are called; without them its rows are strings.
	columns []rowColumn
	options []option // what can be chosen; from is used in their place when they are the rows of a list
	from    *source
	clears  string // the field that is emptied when this one changes, "" for none
	// set says that the value is a list at an address of its own; nil for a member of the entry.
	set    *set
	locked func(facts) string // why it cannot be changed; nil locks nothing
}

// made and changed report whether POST and PATCH accept a field.
func (f *field) made() bool    { return !f.late && f.kind != shownField }
func (f *field) changed() bool { return f.settled == "" && f.kind != shownField }

// why says why a field cannot be changed, "" when it can.
func (f *field) why(x facts) string {
	if x.entry != nil && f.settled != "" {
		return f.settled
	}
	return reason(f.locked, x)
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

// rowColumn is a member of the objects that a rowsField holds.
type rowColumn struct{ member, name string }

// set is a list of an entry that POST adds to and DELETE removes from.
type set struct {
	// member is what the body is called, keys the members of an item that together name it. With one key
	// the body lists strings, with more objects.
	member string
	keys   []string
	// option is what an item is in the list of options; nil for the one that the field's source makes of it.
	option func(*schema.Object) option
	// long says that the set may have any number of items: they are read and searched beside the options.
	long bool
	// takeFrom reverses the removal: it is sent to this section's path and the item's id, with the
	// entry's id under takeMember. The API has no other way for the people of a role.
	takeFrom, takeWord, takeMember string
}

// option is a value that can be chosen.
type option struct {
	key, name, text string
	group           string // options of one group stand together below its name
}

// action is what can be done with an entry besides changing it. ask and done have a place for what the entry is called.
type action struct {
	name    string
	label   string // the button
	ask     string // the question that comes first, "" for none
	text    string // what it means
	done    string // said afterwards
	method  string
	word    string // follows the entry's id in the address, "" for nothing
	body    *schema.Object
	scope   string // whole
	danger  bool
	follows bool   // it is done once an entry was created
	once    string // the member of the answer that is shown a single time, "" for none
	banner  string // shown above the list while the section's watched entry has the action, "" for none
	hidden  func(facts) bool
	locked  func(facts) string
}

// ends reports whether the entry is gone afterwards.
func (a *action) ends() bool { return a.method == "DELETE" }

// deletion is the action that deletes an entry of a scope; text says what goes with it.
func deletion(one, scope, text string, locked func(facts) string) action {
	return action{
		name: "delete", label: "Delete " + one, ask: "Delete %s?", text: text + " This cannot be undone.", done: "%s is deleted.",
		method: "DELETE", scope: "delete:" + scope, danger: true, locked: locked,
	}
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

// shown returns the fields of an entry, or of a new one when the facts have none.
func (s *section) shown(x facts) []*field {
	var out []*field
	for i := range s.fields {
		if f := &s.fields[i]; x.entry != nil || f.made() {
			out = append(out, f)
		}
	}
	return out
}
