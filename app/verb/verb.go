// Package verb says what commands do, in words, before and after. Before is as in "Delete node" on the button that undoes it, and after as
// in "Deleted node" in the history. It does not know the commands.
package verb

// Verb is what a command does to something. The zero Verb is that of a phrase which only has its own words.
type Verb int

// The verbs of all commands.
const (
	Add Verb = iota + 1
	Align
	Change
	Choose
	Clear
	Connect
	Copy
	Cut
	Delete
	Disconnect
	Discard
	Distribute
	Duplicate
	Edit
	Fill
	Fix
	Import
	Insert
	Merge
	Move
	Paste
	Reconnect
	Remove
	Rename
	Reorder
	Replace
	Restore
	Set
	Take
	Tidy
	Translate
)

// forms are the words of the verbs, before and after. The first ones are kept in drafts.
var forms = [...]struct{ do, did string }{
	Add: {"Add", "Added"}, Align: {"Align", "Aligned"}, Change: {"Change", "Changed"}, Choose: {"Choose", "Chose"}, Clear: {"Clear", "Cleared"},
	Connect: {"Connect", "Connected"}, Copy: {"Copy", "Copied"}, Cut: {"Cut", "Cut"}, Delete: {"Delete", "Deleted"},
	Disconnect: {"Disconnect", "Disconnected"}, Discard: {"Discard", "Discarded"}, Distribute: {"Distribute", "Distributed"},
	Duplicate: {"Duplicate", "Duplicated"}, Edit: {"Edit", "Changed"}, Fill: {"Fill", "Filled"}, Fix: {"Fix", "Fixed"}, Import: {"Import", "Imported"},
	Insert: {"Insert", "Inserted"}, Merge: {"Merge", "Merged"}, Move: {"Move", "Moved"}, Paste: {"Paste", "Pasted"},
	Reconnect: {"Reconnect", "Reconnected"}, Remove: {"Remove", "Removed"}, Rename: {"Rename", "Renamed"}, Reorder: {"Reorder", "Reordered"},
	Replace: {"Replace", "Replaced"},
	Restore: {"Restore", "Restored"}, Set: {"Set", "Changed"}, Take: {"Take", "Took"}, Tidy: {"Tidy", "Tidied"}, Translate: {"Translate", "Translated"},
}

// String returns the verb as on a button.
func (v Verb) String() string { return forms[v].do }

// Past returns what was done.
func (v Verb) Past() string { return forms[v].did }

// Of returns the phrase of a verb and what it is done to.
func (v Verb) Of(noun string) Phrase { return Phrase{Verb: v, Noun: noun} }

// With returns the phrase of a verb and the words after it.
func (v Verb) With(rest string) Phrase { return Phrase{Verb: v, Rest: rest} }
