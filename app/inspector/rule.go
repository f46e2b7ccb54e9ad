package inspector

import (
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Condition is a condition of a router in the shape of real exports: a group of comparisons. A condition may be any JSON value; any other
// shape is shown as JSON and never rewritten.
type Condition struct {
	Operator Row // AND or OR over the comparisons
	Rows     []Comparison
	List     Row // the operands, for adding and removing comparisons
}

// Comparison is one operand of the group.
type Comparison struct {
	Operator Row
	Operands []Row
}

// operators are the known comparisons with their words. Others are kept and shown as written.
var operators = func() []Option {
	options := make([]Option, len(flow.Operators))
	for i, o := range flow.Operators {
		options[i] = Option{o.Name, o.Words}
	}
	return options
}()

var groups = []Option{{"AND", "all of these hold"}, {"OR", "any of these holds"}}

func (rd reader) rule(n *model.Node, r *model.Rule, index int, at schema.Path) Panel {
	p := Panel{
		Icon: "router", Tint: "ROUTER", Title: caption.Rule(r, index), Subtitle: fmt.Sprintf("Rule %d of %s", index+1, n.Name()),
		Parent: rd.state.Selection.Only(),
	}
	if r.Tree() == nil {
		p.Sections = []Section{{Rows: []Row{rd.row(schema.Row{Name: "rule", Spec: schema.Any{}}, at)}}}
		return p
	}
	table := model.RuleTable()
	all := sections(rd.table(table, at, "condition"))
	when := Section{Title: "When"}
	cond, ok := rd.condition(r.Condition, at.Key("condition"))
	if ok {
		when.Condition = &cond
	} else {
		row, _ := table.Row("condition")
		when.Rows = []Row{rd.row(row, at.Key("condition"))}
	}
	p.Sections = slices.Insert(all, 1, when)
	return p
}

// condition returns a condition in the known shape, or false.
func (rd reader) condition(v any, at schema.Path) (Condition, bool) {
	operands, ok := operandsOf(v)
	if !ok {
		return Condition{}, false
	}
	c := Condition{
		Operator: rd.choose("Holds when", at.Key("operator"), groups),
		List: Row{
			Path: at.Key("operands"), Control: Control{Input: Items}, Element: Element{Noun: "condition", New: schema.NewObject(
				schema.Member{Key: "operator", Value: "EQ"}, schema.Member{Key: "operands", Value: []any{"{{fields.}}", ""}},
			)},
		},
	}
	for k, v := range operands {
		sides, ok := operandsOf(v)
		if !ok {
			return Condition{}, false
		}
		path := at.Key("operands").Index(k)
		cmp := Comparison{Operator: rd.choose("Comparison", path.Key("operator"), operators)}
		for n := range sides {
			switch sides[n].(type) {
			case *schema.Object, []any:
				return Condition{}, false
			}
			label := "Value"
			if n > 0 {
				label = "Compared with"
			}
			cmp.Operands = append(cmp.Operands, rd.operand(label, path.Key("operands").Index(n)))
		}
		c.List.Rows = append(c.List.Rows, Row{Path: path})
		c.Rows = append(c.Rows, cmp)
	}
	return c, true
}

// operand returns the row of one side of a comparison. The control follows the JSON type of the value, since 3 and "3" are different in
// JSON and no table says which is meant: a text stays a text, even "true", and a number stays a number.
func (rd reader) operand(label string, at schema.Path) Row {
	r := rd.row(schema.Row{Name: "operand", Label: label, Spec: schema.Any{}, Required: true}, at)
	switch r.Value.(type) {
	case string:
		r.Input, r.Code = Text, true
	case schema.Number:
		r.Input = Number
	case bool:
		r.Input, r.Options = Select, []Option{{"true", "true"}, {"false", "false"}}
	}
	return r
}

// choose returns a Select with options. A value that is not one of them is added.
func (rd reader) choose(label string, at schema.Path, options []Option) Row {
	r := Row{Path: at, Label: label, Control: Control{Input: Select, Options: options}, Required: true, Present: true}
	r.Value, _ = schema.Lookup(rd.form.Tree(), at)
	text, _ := r.Value.(string)
	for _, o := range options {
		if o.Value == text {
			return r
		}
	}
	r.Options = append(append([]Option(nil), options...), Option{text, text})
	return r
}

// operandsOf returns the operands of an object that has only these and an operator.
func operandsOf(v any) ([]any, bool) {
	o, _ := v.(*schema.Object)
	operator, _ := o.Get("operator")
	operands, _ := o.Get("operands")
	_, isText := operator.(string)
	list, isList := operands.([]any)
	return list, isText && isList && o.Len() == 2
}
