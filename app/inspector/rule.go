package inspector

import (
	"slices"
	"strings"

	"github.com/formgraph/formgraph/app/caption"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/template"
	"github.com/formgraph/formgraph/model/run/template/scan"
	"github.com/formgraph/formgraph/model/schema"
)

// Condition is a condition of a router: a group of comparisons and other groups. A condition may be any JSON value; what has another shape is
// shown as JSON and never rewritten.
type Condition struct {
	Operator Row // AND or OR over the terms
	Terms    []Term
	List     Row // the operands, for adding, moving and removing terms
	// Whole is the condition as JSON. It stands for the rest, not beside it.
	Whole Row
	// Group is a new group that can be added to List.
	Group Row
}

// Term is one operand of a group: a comparison, a group, or a value of another shape.
type Term struct {
	Comparison *Comparison
	Group      *Condition
	Other      *Row
}

// Comparison compares its first operand with the others.
type Comparison struct {
	Operator Row
	Operands []Row
	Names    []Named // of the operands
}

// Named is how people know an operand: a variable, or one of a field's options. The zero Named is that of any other value.
type Named struct{ Text, Icon string }

// unknownIcon is the icon of a field that no component and no hidden field of the form is.
const unknownIcon = "warn"

// Unknown reports whether nothing has the name.
func (n Named) Unknown() bool { return n.Icon == unknownIcon }

// Names returns how people know the variables of a form in a text, by their templates.
func Names(f *model.Form, text string) map[string]Named {
	names := map[string]Named{}
	scan.Frames(text, func(from, to int) {
		if to < 0 {
			return
		}
		framed := text[from-len("{{") : to+len("}}")]
		if n := (reader{form: f}).named(framed, nil); n.Text != "" {
			names[framed] = n
		}
	})
	return names
}

// maxTitle bounds the condition that is the title of a rule, in characters: two lines of the panel have room for it.
const maxTitle = 44

// maxName bounds the label of an operand, in characters.
const maxName = 80

// operators are the known comparisons with their words. Others are kept and shown as written.
var operators = func() []Option {
	options := make([]Option, len(flow.Operators))
	for i, o := range flow.Operators {
		options[i] = Option{o.Name, o.Words}
	}
	return options
}()

var groups = []Option{{flow.And, "all"}, {flow.Or, "any"}}

// rules adds the rules of a router to its panel, with the sections of the one at an index, -1 for none.
func (rd reader) rules(p *Panel, router *model.Node, i, open int) {
	p.PartNoun = "rule"
	for j := range router.Parts() {
		r, path := router.Rule(j), model.RulePath(i, j)
		words := flow.Words(rd.form.Fields(), r.Condition)
		part := Part{
			ID: r.ID, Icon: p.Icon, Title: caption.ShortRule(rd.form.Fields(), r, j, maxTitle), Words: caption.Join(words), Type: rd.leadsTo(r.Next), Path: path,
		}
		part.Said = part.Title == caption.Fit(words, maxTitle)
		if j == open {
			part.Sections = rd.rule(r, path)
		} else {
			part.Problems, part.Warned = len(rd.wrong.below(path)), len(rd.doubtful.below(path)) > 0
		}
		p.Parts = append(p.Parts, part)
	}
}

// rule returns the sections of a rule.
func (rd reader) rule(r *model.Rule, at schema.Path) []Section {
	if r.Tree() == nil {
		return []Section{{Rows: []Row{rd.row(schema.Row{Name: "rule", Spec: schema.Any{}}, at)}}}
	}
	table := model.RuleTable()
	rows := rd.table(table, at, "condition")
	i := slices.IndexFunc(rows, Row.leads)
	to := rows[i]
	all := sections(append(rows[:i:i], rows[i+1:]...))
	when := Section{Title: "When"}
	if _, _, ok := operation(r.Condition); ok {
		cond := rd.condition(r.Condition, at.Key("condition"))
		when.Condition = &cond
	} else {
		row, _ := table.Row("condition")
		when.Rows = []Row{rd.row(row, at.Key("condition"))}
	}
	return slices.Insert(all, 1, when, Section{Rows: []Row{to}})
}

// condition returns a condition that is an operation. A comparison that stands alone is the only term.
func (rd reader) condition(v any, at schema.Path) Condition {
	operator, operands, _ := operation(v)
	row, _ := model.RuleTable().Row("condition")
	c := Condition{Whole: rd.row(row, at), List: Row{Path: at.Key("operands"), Control: Control{Input: Items}}}
	if operator != flow.And && operator != flow.Or {
		c.Terms = []Term{{Comparison: rd.comparison(operands, at)}}
		return c
	}
	c.Operator = rd.choose("Holds when", at.Key("operator"), groups)
	compare := schema.NewObject(schema.Member{Key: "operator", Value: "EQ"}, schema.Member{Key: "operands", Value: []any{"{{fields.}}", ""}})
	other := flow.Or
	if operator == flow.Or {
		other = flow.And
	}
	c.List.Element = Element{Noun: "condition", New: compare}
	c.Group = c.List
	c.Group.Element = Element{Noun: "group", New: schema.NewObject(
		schema.Member{Key: "operator", Value: other}, schema.Member{Key: "operands", Value: []any{compare}},
	)}
	for k, v := range operands {
		path := at.Key("operands").Index(k)
		c.List.Rows = append(c.List.Rows, Row{Path: path})
		c.Terms = append(c.Terms, rd.term(v, path))
	}
	c.Group.Rows = c.List.Rows
	return c
}

func (rd reader) term(v any, at schema.Path) Term {
	switch operator, operands, ok := operation(v); {
	case !ok:
		r := rd.row(schema.Row{Name: "condition", Spec: schema.Any{}, Required: true}, at)
		return Term{Other: &r}
	case operator == flow.And || operator == flow.Or:
		c := rd.condition(v, at)
		return Term{Group: &c}
	default:
		return Term{Comparison: rd.comparison(operands, at)}
	}
}

func (rd reader) comparison(operands []any, at schema.Path) *Comparison {
	cmp := &Comparison{Operator: rd.choose("Comparison", at.Key("operator"), operators)}
	cmp.Operator.operands = operands
	for n := range operands {
		label := "Value"
		if n > 0 {
			label = "Compared with"
		}
		cmp.Operands = append(cmp.Operands, rd.operand(label, at.Key("operands").Index(n)))
		cmp.Names = append(cmp.Names, rd.named(operands[n], operands))
	}
	rd.knows(cmp, at)
	return cmp
}

// named names an operand; of are all operands of its comparison.
func (rd reader) named(v any, of []any) Named {
	text, _ := v.(string)
	variable, isVariable := flow.Variable(text)
	w := flow.Operand(rd.form.Fields(), v, of, maxName)
	switch {
	case !isVariable && w.Name:
		return Named{Text: w.Text}
	case !isVariable:
		return Named{}
	}
	id, _ := strings.CutPrefix(variable, "fields.")
	if c, _, _ := rd.form.Component(id); c != nil && w.Name && c.Kind != nil {
		return Named{w.Text, c.Kind.Icon}
	}
	if rd.lacks(text) {
		return Named{variable, unknownIcon}
	}
	if w.Text == flow.Unnamed {
		return Named{"Choose a value", "braces"}
	}
	return Named{w.Text, "braces"}
}

// lacks reports whether a text reads a field that the form does not have.
func (rd reader) lacks(text string) bool {
	t, _ := template.Parse(text)
	return slices.ContainsFunc(t.Variables(), func(v template.Variable) bool {
		if v.Namespace != "fields" || len(v.Path) == 0 {
			return false
		}
		id := v.Path[0].Key
		c, _, _ := rd.form.Component(id)
		return c == nil && !slices.ContainsFunc(rd.form.Start.Hidden, func(h model.HiddenField) bool { return h.Key == id })
	})
}

// compare returns the command that chooses the operator of a comparison. The operands become as many as another known operator has.
func (r Row) compare(name string) editor.Command {
	o, known := flow.OperatorOf(name)
	if !known || o.Operands == len(r.operands) || name == r.Value {
		return editor.Set{Path: r.Path, Value: name}
	}
	operands := slices.Clone(r.operands)
	for len(operands) < o.Operands {
		operands = append(operands, "")
	}
	return editor.Set{Path: r.Path[:len(r.Path)-1], Value: schema.NewObject(
		schema.Member{Key: "operator", Value: name}, schema.Member{Key: "operands", Value: operands[:o.Operands]},
	)}
}

// operand returns the row of one side of a comparison. The control follows the JSON type of the value, since 3 and "3" are different in
// JSON and no table says which is meant: a text stays a text, even "true", and a number stays a number.
func (rd reader) operand(label string, at schema.Path) Row {
	r := rd.row(schema.Row{Name: "operand", Label: label, Spec: schema.Any{}, Required: true}, at)
	switch r.Value.(type) {
	case string:
		r.Input, r.Code = Text, schema.Expression
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
	if !has(options, text) {
		r.Options = append(slices.Clip(options), Option{text, text})
	}
	return r
}

// operation returns the members of an object that has only an operator and operands.
func operation(v any) (operator string, operands []any, ok bool) {
	o, _ := v.(*schema.Object)
	name, _ := o.Get("operator")
	list, _ := o.Get("operands")
	operator, isText := name.(string)
	operands, isList := list.([]any)
	return operator, operands, isText && isList && o.Len() == 2
}

// Rows returns the rows of a condition and of the groups in it.
func (c *Condition) Rows() []Row {
	var rows []Row
	if c.Operator.Path != nil {
		rows = append(rows, c.Operator)
	}
	for _, t := range c.Terms {
		switch {
		case t.Comparison != nil:
			rows = append(append(rows, t.Comparison.Operator), t.Comparison.Operands...)
		case t.Group != nil:
			rows = append(rows, t.Group.Rows()...)
		default:
			rows = append(rows, *t.Other)
		}
	}
	return rows
}
