package flow

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Condition is a router condition in the shape of real exports: a *Group
// of conditions or a *Comparison. A form may hold any JSON value as a condition.
//
//sumtype:decl
type Condition interface {
	// Tree returns the JSON value of the condition.
	Tree() *schema.Object
	// String returns the whole condition in words, without names of fields, as in "fields.code equals 123 and
	// (vars.a exists or vars.b exists)". It cannot be parsed.
	String() string

	isCondition()
}

// Group is true when all (And) or at least one (Or) of its conditions are true. It has at
// least one condition.
type Group struct {
	Operator string
	Of       []Condition
}

// Comparison compares its first operand with the others. The operator may be one that Operators does not list, with any number of operands
// but at least one. Operands are trees: texts, which may contain templates, and other values.
type Comparison struct {
	Operator string
	Operands []any
}

// ParseCondition parses a condition, or returns false for any other shape: additional members, an empty group, or a known comparison with
// the wrong number of operands. A condition that it does not parse must be edited only as JSON. Operands share the memory of v, which must
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

// operation returns the two members that groups and comparisons have.
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
func (g *Group) String() string { return Sentence(nil, g.Tree()) }

// String returns the comparison in words.
func (c *Comparison) String() string { return Sentence(nil, c.Tree()) }

func (*Group) isCondition()      {}
func (*Comparison) isCondition() {}

// comparison returns the row of the table for a comparison, and whether the number of operands is right. The words of an unknown operator
// are its name in lower case.
func comparison(operator string, operands []any) (Operator, bool) {
	o, ok := OperatorOf(operator)
	if !ok {
		o = Operator{Name: operator, Words: strings.ToLower(strings.ReplaceAll(operator, "_", " ")), Operands: len(operands)}
	}
	return o, len(operands) > 0 && len(operands) == o.Operands
}
