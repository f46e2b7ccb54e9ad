package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/run/answer"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/schema"
)

// maxCondition and maxOperand bound what a sentence quotes, in code points.
const (
	maxCondition = 120
	maxOperand   = 60
)

// condition returns the condition of a rule in words, or other words if it is long or has an unknown shape.
func (r *router) condition(i int, long string) string {
	if c, ok := flow.ParseCondition(r.config.Rules[i].Condition); ok {
		if s := flow.Sentence(r.fields, c.Tree()); utf8.RuneCountInString(s) <= maxCondition {
			return s
		}
	}
	return long
}

// name returns the number of a rule and, if it has one, its alias.
func (r *router) name(i int) string {
	if alias := r.config.Rules[i].Alias; alias != "" {
		return fmt.Sprintf("%d, %s", i+1, alias)
	}
	return fmt.Sprint(i + 1)
}

func (r *router) contradictory(i int) string {
	return "Never applies: no values satisfy " + r.condition(i, "the condition") + "."
}

func (r *router) duplicate(i, of int) string {
	how := "applies exactly when this one does"
	if r.rules[i].key == r.rules[of].key {
		how = "has the same condition"
	}
	return fmt.Sprintf("Never decides: rule %s %s.", apposition(r.name(of)), how)
}

// apposition returns a name with a comma after it if it has one inside.
func apposition(name string) string {
	if strings.Contains(name, ", ") {
		return name + ","
	}
	return name
}

func (r *router) shadowed(i int, by []int) string {
	when := r.condition(i, "this one does")
	if len(by) == 1 {
		return fmt.Sprintf("Never decides: rule %s already applies whenever %s.", apposition(r.name(by[0])), when)
	}
	names := make([]string, len(by))
	for j, k := range by {
		names[j] = r.name(k)
	}
	last := len(names) - 1
	return fmt.Sprintf("Never decides: one of rules %s and %s already applies whenever %s.", apposition(strings.Join(names[:last], "; ")),
		apposition(names[last]), when)
}

// impossible returns the impossible comparisons of a condition at a path.
func (r *router) impossible(condition any, at schema.Path) []Finding {
	c, _ := flow.ParseCondition(condition)
	switch c := c.(type) {
	case *flow.Group:
		var found []Finding
		for i, of := range c.Of {
			found = append(found, r.impossible(of.Tree(), at.Key("operands").Index(i))...)
		}
		return found
	case *flow.Comparison:
		e := r.comparison(c)
		a := r.atoms[e.atom]
		if a.part < 0 || len(a.operands) < 2 || a.can.high != no || r.parts[a.part].component == nil {
			return nil
		}
		how := neverHolds
		if e.negated {
			how = "Always holds"
		}
		of := r.parts[a.part].component
		// Finding the words reads the options of the field.
		if !r.work.spend(200 + sizeOf(of.Config())/4) {
			return nil
		}
		return []Finding{{Path: at, Kind: Impossible, Detail: fmt.Sprintf("%s: no accepted answer %s%s.", how, r.clause(a), because(of, a))}}
	}
	return nil
}

// neverHolds begins the detail of a comparison that never holds.
const neverHolds = "Never holds"

// clause returns what no answer does.
func (r *router) clause(a *atom) string {
	row, _ := flow.OperatorOf(a.operator)
	words := make([]string, len(a.operands))
	for i, o := range a.operands {
		w := flow.Operand(r.fields, o, a.operands, maxOperand)
		words[i] = w.Text
		if s, ok := o.(string); ok && i != a.at && !w.Name && s != "" {
			words[i] = string(schema.Encode(s))
		}
	}
	if a.at == 0 {
		return fmt.Sprintf("of %s %s %s", words[0], row.Words, strings.Join(words[1:], " and "))
	}
	return fmt.Sprintf("satisfies %s %s %s", words[0], row.Words, strings.Join(words[1:], " and "))
}

// because says what the component accepts, as far as that explains an impossible comparison.
func because(c *model.Component, a *atom) string {
	config := c.Config()
	switch answertype.Of(c) {
	case answertype.Boolean:
		return "; it is true or false"
	case answertype.Number:
		return "; it is a number" + bounds(config, "min_value", "max_value")
	case answertype.Option, answertype.Options:
		return "; there is no such option"
	case answertype.Date:
		return "; it is a date such as 2026-01-31"
	case answertype.Time:
		return "; it is a time such as 23:15"
	case answertype.Text:
		if _, refusal := answer.Judge(c, a.literal, nil); refusal != nil && (refusal.Key == answer.TooLong || refusal.Key == answer.TooShort) {
			return "; its length is" + bounds(config, "min_length", "max_length")
		}
	default:
	}
	return ""
}

func bounds(config *schema.Object, low, high string) string {
	words := ""
	for _, of := range []struct{ property, words string }{{low, " at least "}, {high, " at most "}} {
		if v, ok := config.Get(of.property); ok {
			if words != "" {
				words += " and"
			}
			words += of.words + string(schema.Encode(v))
		}
	}
	return words
}
