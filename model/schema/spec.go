package schema

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Spec is the rule for one value. The set of specs is closed: code that reads
// tables (the checker, the inspector, the printer of JSON Schema) switches over
// all of them.
//
//sumtype:decl
type Spec interface {
	check(c *checker, v any)
}

// Row is one line of a table: a property and its rule.
type Row struct {
	Name     string
	Spec     Spec
	Required bool
	Label    string // inspector label; "" derives it from Name
	Noun     string // an element of a list or map in a word; "" derives it from Name
	Doc      string // inspector help, one sentence
	// Words are for people: one for each value of an Enum or of a list of one, in its order; or those of false and true. nil stands for
	// the values themselves.
	Words   []string
	Section string // of the inspector, by its title; "" is the first
}

// Table lists the properties of an object, in the order in which they are written.
// Other properties are not allowed.
type Table []Row

// Open is a Table that also allows any other property.
type Open struct{ Rows Table }

// Map is an object with any keys, whose values all have one rule.
type Map struct{ Value Spec }

// String is a string of Min to Max Unicode code points, both inclusive. Max 0
// is not a bound.
type String struct {
	Min, Max  int
	Format    *Format  // nil for any text
	Multiline bool     // the inspector shows several lines
	Secret    bool     // lists, logs and messages never show the value
	Code      Language // the language of the text, NoCode for prose
	Tagged    bool     // the text is HTML if it begins with a tag
	Role      Role
}

// Read reports whether people who fill in the form read the text, so that a language may translate it.
func (s String) Read() bool {
	return s.Translatable() && s.Role != Opaque && s.Role != Address && s.Format == nil && (s.Code == NoCode || s.Role == Caption)
}

// Markup reports whether a value is HTML of the author. All other texts are shown as they are.
func (s String) Markup(value string) bool {
	return s.Code == HTML || s.Code == RichText || s.Tagged && strings.HasPrefix(value, "<")
}

// Translatable reports whether a translation may replace the text.
func (s String) Translatable() bool { return s.Role != NodePointer && s.Role != FlowID && !s.Secret }

// Language is the language of a text that a program reads. Editors of the form color it, and find its mistakes.
type Language string

// The languages.
const (
	NoCode     Language = ""
	RichText   Language = "rich" // HTML of headings, paragraphs, lists and links
	HTML       Language = "html"
	CSS        Language = "css"
	JavaScript Language = "js"
	JSON       Language = "json"
	Expression Language = "expression" // a template, or a value to compare it with
)

// Role is what a string means, in addition to its rule. Code looks for roles, never for
// the names of properties.
type Role uint8

// The roles of strings.
const (
	Plain       Role = iota
	NodePointer      // the id of the node, or of the ending, that it leads to
	FlowID           // the id of a flow of the tenant
	Caption          // the text that names a component without a label
	Opaque           // a value for programs, such as a public key, that people do not read
	Address          // an address of the web, for programs
	Color            // a color
)

// Format is a named shape of strings. Check reports whether s has it. Detail
// says what is required, and begins with a verb.
type Format struct {
	Name   string
	Detail string
	Check  func(s string) bool
	// Pattern is the ECMA regular expression of the format, "" if there is no
	// exact one.
	Pattern string
}

// Numeric is a number from Min to Max, both inclusive; "" is not a bound. Integer
// forbids a fraction: 1.0 has none.
type Numeric struct {
	Min, Max Number
	Integer  bool
}

// Enum is one of the listed strings.
type Enum []string

// Bool is true or false.
type Bool struct{}

// True allows only true.
type True struct{}

// Any is any JSON value.
type Any struct {
	// Options is the property beside it with a list of options whose values it names, "" for none. The inspector offers them.
	Options string
}

// List is an array of at least Min elements.
type List struct {
	Item Spec
	Min  int
}

// Nullable is the value null or what Spec allows.
type Nullable struct{ Spec Spec }

// Either is a value that one of the alternatives allows. The first one with the right JSON type
// checks the value. Want names the types, as in "a string or a number".
type Either struct {
	Of   []Spec
	Want string
}

// Union is an object whose table depends on its property Tag, which is checked
// first. If it is absent, not a string or not listed, nothing else is checked.
type Union struct {
	Tag  string
	Arms []Arm
}

// Arm is one alternative of a Union. Aliases are other names for it.
type Arm struct {
	Tag     string
	Aliases []string
	Spec    Spec // a Table, or another Union over the same object
}

// Arm returns the alternative for the value of the discriminator.
func (u Union) Arm(tag string) (Arm, bool) {
	if a := u.arm(tag); a != nil {
		return *a, true
	}
	return Arm{}, false
}

// arm is Arm without a copy, since the checker calls it for every component of a form.
func (u Union) arm(tag string) *Arm {
	for i := range u.Arms {
		if a := &u.Arms[i]; a.Tag == tag || a.Aliases != nil && slices.Contains(a.Aliases, tag) {
			return a
		}
	}
	return nil
}

// Tags lists the values of the discriminator, without aliases.
func (u Union) Tags() []string {
	tags := make([]string, len(u.Arms))
	for i, a := range u.Arms {
		tags[i] = a.Tag
	}
	return tags
}

// Choice is an object with the property Tag and exactly one other property, which the value of Tag
// selects, as in the charge of PAYMENT. If that property is missing, or another one is
// present, it is one problem one_of at the object.
type Choice struct {
	Tag     string
	Options []Option
}

// Option is the property that one value of a Choice's Tag requires.
type Option struct {
	Tag string
	Row Row
}

// Tags lists the values of the discriminator.
func (s Choice) Tags() []string {
	tags := make([]string, len(s.Options))
	for i, o := range s.Options {
		tags[i] = o.Tag
	}
	return tags
}

// Rows lists the alternative properties, without the discriminator.
func (s Choice) Rows() Table {
	rows := make(Table, len(s.Options))
	for i, o := range s.Options {
		rows[i] = o.Row
	}
	return rows
}

// Row returns the row of a property, or false.
func (t Table) Row(name string) (Row, bool) {
	for _, r := range t {
		if r.Name == name {
			return r, true
		}
	}
	return Row{}, false
}

// Find returns the first property of the table that is a string with a role, "" for none.
func (t Table) Find(role Role) string {
	for i := range t {
		if s, ok := t[i].Spec.(String); ok && s.Role == role {
			return t[i].Name
		}
	}
	return ""
}

// EachRow calls do with every row of the tables in a spec, at any depth.
func EachRow(s Spec, do func(Row)) {
	rows := func(t Table) {
		for _, r := range t {
			do(r)
			EachRow(r.Spec, do)
		}
	}
	switch s := s.(type) {
	case Table:
		rows(s)
	case Open:
		rows(s.Rows)
	case Map:
		EachRow(s.Value, do)
	case List:
		EachRow(s.Item, do)
	case Nullable:
		EachRow(s.Spec, do)
	case Either:
		for _, of := range s.Of {
			EachRow(of, do)
		}
	case Union:
		for _, a := range s.Arms {
			EachRow(a.Spec, do)
		}
	case Choice:
		for _, o := range s.Options {
			rows(Table{o.Row})
		}
	default: // a value without properties
	}
}

// Words returns a property's name in words: "default value" for default_value
// and for defaultValue.
func Words(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_':
			b.WriteByte(' ')
		case i > 0 && 'A' <= r && r <= 'Z':
			b.WriteByte(' ')
			b.WriteRune(r - 'A' + 'a')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Element returns the word for an element of a list or map: Noun, or the name in words.
func (r Row) Element() string {
	if r.Noun != "" {
		return r.Noun
	}
	return Words(r.Name)
}

// Title returns the label of a row: Label, or the name in words, capitalized.
func (r Row) Title() string {
	if r.Label != "" {
		return r.Label
	}
	w := Words(r.Name)
	first, n := utf8.DecodeRuneInString(w)
	if n == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + w[n:]
}
