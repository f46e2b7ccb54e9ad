package flow

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Condition is a router condition of the shape that real exports show: a *Group
// of conditions or a *Comparison. A form may hold any JSON value for one.
//
//sumtype:decl
type Condition interface {
	// Tree returns the JSON value of the condition.
	Tree() *schema.Object
	// String returns the whole condition in words: "fields.code equals 123 and
	// (vars.a exists or vars.b exists)". It is not a format to be read again.
	String() string

	isCondition()
}

// Group holds when all (And) or one (Or) of its conditions hold. There is at
// least one.
type Group struct {
	Operator string
	Of       []Condition
}

// Comparison compares its first operand with the others. The operator may be
// one that Operators does not list; then any number of operands, but not none,
// is right. Operands are trees: texts with templates in them, and other values.
type Comparison struct {
	Operator string
	Operands []any
}

// ParseCondition reads a condition, or returns false for another shape: other
// members beside the two, an empty group, a known comparison with another number
// of operands than it reads. What it does not read has to be edited as
// JSON; nothing else should write it. Operands share the memory of v, which must
// not be changed.
func ParseCondition(v any) (Condition, bool) {
	operator, operands, ok := operation(v)
	if o, _ := v.(*schema.Object); !ok || o.Len() != 2 {
		return nil, false
	}
	if operator != And && operator != Or {
		if _, ok := comparison(operator, operands); !ok {
			return nil, false
		}
		return &Comparison{operator, operands}, true
	}
	g := &Group{Operator: operator, Of: make([]Condition, len(operands))}
	for i, operand := range operands {
		if g.Of[i], ok = ParseCondition(operand); !ok {
			return nil, false
		}
	}
	return g, true
}

// operation reads the two members that groups and comparisons have.
func operation(v any) (operator string, operands []any, ok bool) {
	o, _ := v.(*schema.Object)
	operator, operands = o.Text("operator"), o.List("operands")
	return operator, operands, operator != "" && len(operands) > 0
}

// Tree returns the JSON value of the group.
func (g *Group) Tree() *schema.Object {
	operands := make([]any, len(g.Of))
	for i, c := range g.Of {
		operands[i] = c.Tree()
	}
	return operationTree(g.Operator, operands)
}

// Tree returns the JSON value of the comparison.
func (c *Comparison) Tree() *schema.Object { return operationTree(c.Operator, c.Operands) }

func operationTree(operator string, operands []any) *schema.Object {
	return schema.NewObject(schema.Member{Key: "operator", Value: operator}, schema.Member{Key: "operands", Value: operands})
}

// String returns the group in words.
func (g *Group) String() string { return sentence(g.Tree()) }

// String returns the comparison in words.
func (c *Comparison) String() string { return sentence(c.Tree()) }

func (*Group) isCondition()      {}
func (*Comparison) isCondition() {}

// comparison returns the row of the table for a comparison, and whether it has
// as many operands as that needs. An unknown operator is shown as
// it is, in lower case.
func comparison(operator string, operands []any) (Operator, bool) {
	o, ok := OperatorOf(operator)
	if !ok {
		o = Operator{operator, strings.ToLower(strings.ReplaceAll(operator, "_", " ")), len(operands)}
	}
	return o, len(operands) > 0 && len(operands) == o.Operands
}
