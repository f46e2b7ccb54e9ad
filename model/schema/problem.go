package schema

import (
	"cmp"
	"slices"
	"strings"
)

// Code identifies the rule that a value breaks. Tests, the API and the screen match on
// the code, never on the text. server/API.md lists the codes.
type Code string

// The codes of problems.
const (
	CodeSyntax         Code = "syntax"          // not one JSON value in UTF-8; stands alone
	CodeLimit          Code = "limit"           // too deep, too many values, too large; stands alone
	CodeDuplicateKey   Code = "duplicate_key"   // a property written twice
	CodeType           Code = "type"            // another JSON type than the table's
	CodeRequired       Code = "required"        // an absent property
	CodeUnknown        Code = "unknown"         // a property that the table does not list
	CodeLength         Code = "length"          // a string shorter or longer than allowed
	CodeRange          Code = "range"           // a number outside its bounds
	CodeEnum           Code = "enum"            // none of the listed values
	CodeFormat         Code = "format"          // a string not of the named format
	CodeItems          Code = "items"           // an array with too few elements
	CodeOneOf          Code = "one_of"          // none or two of several exclusive properties
	CodeDuplicateID    Code = "duplicate_id"    // an id taken by an earlier node, rule or component
	CodeUnknownNode    Code = "unknown_node"    // a pointer to a node that does not exist
	CodeFlowID         Code = "flow_id"         // warning: a flow id of an unknown shape
	CodeUnreachable    Code = "unreachable"     // warning: a node that no journey reaches
	CodeDeadEnd        Code = "dead_end"        // warning: a way that leads nowhere
	CodeTrap           Code = "trap"            // warning: a cycle without an exit
	CodeLoop           Code = "loop"            // warning: a cycle that leads through routers only
	CodeNoEnding       Code = "no_ending"       // warning: no journey reaches the ending
	CodeNoButton       Code = "no_button"       // warning: a step without a way to leave it
	CodeNeverDecides   Code = "never_decides"   // warning: a rule of a router that never decides
	CodeRepeatedOption Code = "repeated_option" // warning: an option with the value of an earlier one
	CodeImpossible     Code = "impossible"      // warning: a comparison that never or always holds, since its field cannot have the value
	// Warnings about translations.
	CodeOrphanTranslation Code = "orphan_translation" // a translation of what the form does not have
	CodeTranslationType   Code = "translation_type"   // a translation of a text that is not a text
)

// Problem is one broken rule at one place. Detail begins with a verb and names the
// bound and the value, as in "must be at most 50 characters, is 51". It never holds the
// value of a secret.
type Problem struct {
	Path   Path   `json:"path"`
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
	// Offset is the byte in the source where the problem is, -1 if it is not
	// known. See Locate.
	Offset int `json:"-"`
	// Foreign reports that a tenant with newer tables than ours may allow the value: it is a property that our tables do not list, or an
	// object of a type or kind that they do not know.
	Foreign bool `json:"-"`
}

func (p Problem) Error() string {
	if len(p.Path) == 0 {
		return p.Detail
	}
	return p.Path.String() + ": " + p.Detail
}

// Problems are the problems of a document, in document order.
type Problems []Problem

func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Split returns the problems that any tenant would report and, separately, the Foreign ones. A form of a tenant that is not ours
// may keep the latter. Both stay in document order.
func (ps Problems) Split() (problems, foreign Problems) {
	for _, p := range ps {
		if p.Foreign {
			foreign = append(foreign, p)
		} else {
			problems = append(problems, p)
		}
	}
	return problems, foreign
}

// At returns the problems whose path is exactly p.
func (ps Problems) At(p Path) Problems {
	var out Problems
	for _, q := range ps {
		if q.Path.Equal(p) {
			out = append(out, q)
		}
	}
	return out
}

// Under returns ps with p before every path.
func (ps Problems) Under(p Path) Problems {
	out := make(Problems, len(ps))
	for i, q := range ps {
		q.Path = p.Join(q.Path)
		out[i] = q
	}
	return out
}

// Sort sorts ps into document order: an object comes before its members,
// members are in the order in which they are written, and an absent member (which is reported at its object) comes before
// the others. Problems at one place keep their order.
func Sort(tree any, ps Problems) {
	if len(ps) < 2 {
		return
	}
	type ranked struct {
		rank []int
		p    Problem
	}
	rs := make([]*ranked, len(ps)) // pointers, so that the sort shares its code with other sorts
	for i, p := range ps {
		rs[i] = &ranked{rank(tree, p.Path), p}
	}
	slices.SortStableFunc(rs, func(a, b *ranked) int { return slices.CompareFunc(a.rank, b.rank, cmp.Compare[int]) })
	for i := range rs {
		ps[i] = rs[i].p
	}
}

// rank returns the indexes of the steps of p among their siblings.
func rank(tree any, p Path) []int {
	out := make([]int, len(p))
	for i, e := range p {
		if e.Index >= 0 {
			out[i] = e.Index
		} else {
			o, _ := tree.(*Object)
			out[i] = o.find(e.Key)
		}
		tree, _ = Lookup(tree, p[i:i+1])
	}
	return out
}
