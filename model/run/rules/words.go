package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/formgraph/formgraph/model/flow"
)

// maxCondition bounds the condition that a sentence quotes, in code points.
const maxCondition = 120

// condition returns the condition of a rule in words, or other words if it is long or has an unknown shape.
func (r *router) condition(i int, long string) string {
	if c, ok := flow.ParseCondition(r.config.Rules[i].Condition); ok {
		if s := c.String(); utf8.RuneCountInString(s) <= maxCondition {
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
