package inspector

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// Input is the kind of a control.
type Input int

// The inputs.
const (
	Text     Input = iota
	LongText       // several lines
	Secret         // shown only on demand
	Number         // text that is not a number is kept and reported
	Select         // one of Options
	Switch         // true or false
	JSON           // any JSON value
	Pointer        // one of the form's nodes, in Options
	Flow           // a flow of the tenant, by id
	Group          // an object: Rows are its properties
	Items          // an array: Rows are its elements
	Entries        // an object of free keys: Rows are its members
	Checks         // some of Options, as a list in their order
)

// Control describes the control for editing a value.
type Control struct {
	Input   Input
	Options []Option        // of Select, Checks and Pointer; those of Text are only offered
	Role    schema.Role     // what a text means
	Max     int             // maximum number of characters, 0 for none
	Code    schema.Language // the language of a text or of JSON, NoCode for prose
}

// Element describes an element that can be added to a list or a map.
type Element struct {
	Noun string // the name of its kind, as one word
	New  any    // its initial value
}

// Row is one property, list element or member of a map.
type Row struct {
	Path  schema.Path
	Label string
	Help  string
	Control
	Required bool
	Present  bool
	Value    any             // of the tree; nil if absent
	Problems schema.Problems // at Path; for JSON also below it
	Warnings schema.Problems // at Path, of a node or a flow that the row names, or of the value of an option
	Rows     []Row           // of Group, Items and Entries: their content
	Listing
	Shared
	origin
	standard
	effect
}

// Listing is what the row of a list or a map has beside its elements.
type Listing struct {
	Element Element // of Items and Entries
	// Columns are the labels of the texts of an element, in the order of its rows, if Items has only elements with a few texts. An element
	// that is itself a text has one column, "".
	Columns []string

	keys     []string // the properties of the columns, "" for an element that is itself a text
	defaults any      // the default of options
	options  bool     // whether the elements are options with a label and a value
}

// origin is what the tables say about a row.
type origin struct {
	spec    schema.Spec
	section string   // the title of its section, "" for the first
	words   []string // see schema.Row
}

// standard is what a row is compared with.
type standard struct {
	initial any  // what a new component has here, nil for nothing
	marked  bool // whether the row is compared with initial
}

// effect decides what a text in the control of a row changes.
type effect struct {
	pending  *string        // text that was typed and is not valid JSON, nil for none
	follower *follower      // the value that follows the label which the row is, nil for none
	truth    bool           // whether a text in a Select becomes true or false
	operands []any          // of the comparison whose operator the row is, nil for another
	choice   *schema.Choice // the choice whose discriminator the row is, else nil
	chosen   *schema.Object // the object of that choice
	// emptied is the path that is cleared when the control is emptied, nil for none: that of the row, or of an object around it that would
	// be left without properties.
	emptied schema.Path
}

// List is a row as a list or a map, for what is done with its elements.
type List struct{ Row }

// List returns the row as a list or a map, for what is done with its elements.
func (r Row) List() List { return List{r} }

// Source is a row as code.
type Source struct{ Row }

// Source returns the row as code.
func (r Row) Source() Source { return Source{r} }

// Quantity is a row as a number.
type Quantity struct{ Row }

// Quantity returns the row as a number.
func (r Row) Quantity() Quantity { return Quantity{r} }

// Prose is a row as a text that may have templates.
type Prose struct{ Row }

// Prose returns the row as a text that may have templates.
func (r Row) Prose() Prose { return Prose{r} }

// Option is an option of a Select, Checks or Pointer.
type Option struct{ Value, Label string }

// Text returns the text in the row's control.
func (r Row) Text() string {
	if r.pending != nil {
		return *r.pending
	}
	switch v := r.Value.(type) {
	case nil:
		if r.Present && r.Input == JSON {
			return "null"
		}
		return ""
	case string:
		if r.Input == JSON {
			return string(schema.Encode(v))
		}
		return v
	case schema.Number:
		return string(v)
	case bool:
		if r.Input != JSON {
			if v {
				return "true"
			}
			return "false"
		}
	}
	b := schema.EncodeIndent(r.Value)
	return string(b[:len(b)-1])
}

// On reports whether a Switch is on.
func (r Row) On() bool { return r.Value == true }

// Checked reports whether a value is one of those that are chosen by Checks, or the one of a Select.
func (r Row) Checked(value string) bool {
	list, _ := r.Value.([]any)
	return slices.Contains(list, any(value)) || r.Value == value
}

// empty makes p the path that is cleared when the row, or the only property in it, is emptied.
func (r *Row) empty(p schema.Path) {
	r.emptied = p
	if o, ok := r.Value.(*schema.Object); !ok || r.Input != Group || o.Len() != 1 {
		return
	}
	for i := range r.Rows {
		if r.Rows[i].Present {
			r.Rows[i].empty(p)
		}
	}
}

// leads reports whether the row is for the id of a node, whatever its value is.
func (r Row) leads() bool {
	s, ok := r.spec.(schema.String)
	return ok && s.Role == schema.NodePointer
}
