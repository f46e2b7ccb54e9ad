package flow

import "strings"

// Operator is a row of the table of comparisons.
type Operator struct {
	Name     string // in JSON
	Words    string // for people to read
	Operands int    // how many operands it has, including the one on the left
	Negates  string // the operator that is true exactly when this one is false, for one that is defined by another
}

// Operators lists the known comparisons, in the order in which menus show them. No public page lists them: EQ, INCLUDES and ENDS_WITH occur
// in exports of real forms; the other names are our choice.
var Operators = []Operator{
	{"EQ", "equals", 2, ""},
	{"NEQ", "is different from", 2, "EQ"},
	{"GT", "is greater than", 2, ""},
	{"GTE", "is at least", 2, ""},
	{"LT", "is less than", 2, ""},
	{"LTE", "is at most", 2, ""},
	{"BETWEEN", "is between", 3, ""},
	{"NOT_BETWEEN", "is not between", 3, "BETWEEN"},
	{"INCLUDES", "includes", 2, ""},
	{"NOT_INCLUDES", "does not include", 2, "INCLUDES"},
	{"CONTAINS", "contains", 2, ""},
	{"NOT_CONTAINS", "does not contain", 2, "CONTAINS"},
	{"IN", "is one of", 2, ""},
	{"NOT_IN", "is not one of", 2, "IN"},
	{"STARTS_WITH", "starts with", 2, ""},
	{"NOT_STARTS_WITH", "does not start with", 2, "STARTS_WITH"},
	{"ENDS_WITH", "ends with", 2, ""},
	{"NOT_ENDS_WITH", "does not end with", 2, "ENDS_WITH"},
	{"MATCHES", "matches", 2, ""},
	{"NOT_MATCHES", "does not match", 2, "MATCHES"},
	{"EXISTS", "exists", 1, ""},
	{"NOT_EXISTS", "does not exist", 1, "EXISTS"},
	{"IS_EMPTY", "is empty", 1, ""},
	{"IS_NOT_EMPTY", "is not empty", 1, "IS_EMPTY"},
}

// OperatorOf returns the row of a comparison by its case-sensitive name in
// JSON, or false.
func OperatorOf(name string) (Operator, bool) {
	for _, o := range Operators {
		if o.Name == name {
			return o, true
		}
	}
	return Operator{}, false
}

// Otherwise returns the words for a comparison that is false: those of the one that is true exactly then, as in "is not one of", or else "is
// not less than".
func (o Operator) Otherwise() string {
	for _, n := range Operators {
		if n.Name == o.Negates || n.Negates == o.Name {
			return n.Words
		}
	}
	return strings.Replace(o.Words, "is ", "is not ", 1)
}

// The operators of groups.
const (
	And = "AND"
	Or  = "OR"
)
