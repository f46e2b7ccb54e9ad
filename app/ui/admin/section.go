package admin

import (
	"cmp"

	"github.com/formgraph/formgraph/model/schema"
)

// sections is the table of sections, in the order of the screen.
func sections() []section {
	return []section{apis(), clients(), grants(), people(), roles(), signIns()}
}

// section describes one resource of the administration: its list, its fields and its actions. The rest of the page
// follows from the description: a new resource needs only a file with its section, and its name in sections.
type section struct {
	name  string // in the page's address
	path  string // below /bff/api/admin
	id    string // the member that names an entry
	scope string // behind the verb of its scopes
	query string // added to requests that read entries, "" for none
	icon  string

	words
	called  func(facts) string // name of an entry
	columns []column
	fields  []field
	actions []action
	watched string // the id of an entry whose actions may have a banner, "" for none
	// locked returns the reason why an entry is read-only, "" if it is not. nil locks nothing.
	locked func(facts) string
	// types are the types of entries in a log, which is read-only; nil for other sections. Each is a code and its name.
	types [][2]string
	owned *owned // things that can be removed from an entry, nil for none
}

// words are the texts of a section.
type words struct {
	title, one, many string // the heading, and the nouns for one entry and for several
	about            string
	add              string // label of the button that creates an entry, "" for "New" and the noun
	empty, emptyText string // shown without entries; empty may be "" for "No ... yet"
}

// addition returns the label of the button that creates an entry.
func (w words) addition() string { return cmp.Or(w.add, "New "+w.one) }

// none returns the text shown when there are no entries.
func (w words) none() string { return cmp.Or(w.empty, "No "+w.many+" yet") }

// log reports whether entries are only read.
func (s *section) log() bool { return s.types != nil }

// facts are the arguments of a section's functions.
type facts struct {
	entry *schema.Object // nil for an entry that is being created
	draft draft          // nil in a list
	me    string         // the id of the signed-in person
}

// field is one value of an entry.
type field struct {
	// path is the member in entries and bodies, with dots between nested members. For a set it is the word after the
	// entry's id in the address.
	path        string
	kind        fieldKind
	label, help string
	part        string // the heading of the part of the form that begins with the field, "" for none
	must        bool   // POST requires it even when it is empty
	late        bool   // POST does not accept it
	settled     string // the reason why PATCH does not accept it, "" if it does
	first       string // its value in a new entry
	// columns are the members of the objects in a rowsField, with their names; if there are none, its rows are strings.
	columns []rowColumn
	options []option // the choices; from replaces them when they are the rows of a list
	from    *source
	clears  string // the field that is emptied when this one changes, "" for none
	// set is non-nil if the value is a list with an address of its own; nil for a member of the entry.
	set    *set
	locked func(facts) string // the reason why it is read-only; nil locks nothing
}

// made and changed report whether POST and PATCH accept a field.
func (f *field) made() bool    { return !f.late && f.kind != shownField }
func (f *field) changed() bool { return f.settled == "" && f.kind != shownField }

// why returns the reason why a field is read-only, "" if it is not.
func (f *field) why(x facts) string {
	if x.entry != nil && f.settled != "" {
		return f.settled
	}
	return reason(f.locked, x)
}

// fieldKind determines how a field is shown, and the format of its value in a draft.
type fieldKind int

const (
	textField   fieldKind = iota // one line
	longField                    // several lines
	flagField                    // "true" or "false"
	choiceField                  // the key of an option; all options are shown with their descriptions
	pickField                    // the key of an option
	checksField                  // the keys of options, joined
	rowsField                    // rows of one or more texts, joined
	shownField                   // read-only
)

// rowColumn is a member of the objects that a rowsField holds.
type rowColumn struct{ member, name string }

// set is a list of an entry to which POST adds and from which DELETE removes.
type set struct {
	// member is the name of the list in the body, keys the members that together identify an item. With one key the
	// body lists strings, with several objects.
	member string
	keys   []string
	// option returns the option of an item; nil if the field's source makes it.
	option func(*schema.Object) option
	// long is true if the set may have any number of items: they are read and searched alongside the options.
	long bool
	// takeFrom reverses the direction of a removal: the request is sent to this section's path and the item's id, with
	// the entry's id in takeMember. The API has no other way to remove the people of a role.
	takeFrom, takeWord, takeMember string
}

// option is a choice.
type option struct {
	key, name, text string
	group           string // options of a group are listed together below its name
}

// action is an operation on an entry other than changing its fields. ask and done have a placeholder for the entry's
// name.
type action struct {
	name    string
	label   string // label of the button
	ask     string // the question asked first, "" for none
	text    string // explanation
	done    string // message afterwards
	method  string
	word    string // follows the entry's id in the address, "" for nothing
	body    *schema.Object
	scope   string // the complete scope
	danger  bool
	follows bool   // it runs after an entry is created
	once    string // the member of the answer that is shown once, "" for none
	banner  string // shown above the list while the section's watched entry offers the action, "" for none
	hidden  func(facts) bool
	locked  func(facts) string
}

// ends reports whether the entry is gone afterwards.
func (a *action) ends() bool { return a.method == "DELETE" }

// deletion is the action that deletes an entry; text describes the consequences.
func deletion(one, scope, text string, locked func(facts) string) action {
	return action{
		name: "delete", label: "Delete " + one, ask: "Delete %s?", text: text + " This cannot be undone.", done: "%s was deleted.",
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
