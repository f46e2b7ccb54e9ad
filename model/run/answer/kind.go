package answer

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/run/answertype"
	"github.com/formgraph/formgraph/model/schema"
)

const defaultValue = model.DefaultValue

// kind is what the package knows about a component type. Each property of the type's config is in exactly one of rules, reads and ignored.
type kind struct {
	name string // of the type in the spec
	// parse returns the answer in a given value, nil if there is none. faults lists the keys that it returns.
	parse  parser
	faults []Key
	// absent is the refusal of a required component without an answer, or with an answer that fulfills does not accept; nil accepts all.
	absent   func(config *schema.Object) Key
	fulfills func(answer any) bool
	rules    []rule   // in the order in which they judge
	reads    []string // properties of the config that the type of the answer, parse, absent and Default read
	ignored  []string // properties that do not concern the judging of answers
}

// rule is a constraint of the config.
type rule struct {
	property string // of the config
	key      Key    // the refusal
	param    string // the parameter of its text, "" for none
	// broken reports whether an answer breaks the rule. bound is the value of the property, nil if the config lacks it.
	broken func(bound, answer any, config *schema.Object) bool
	// say returns the parameter; nil says the bound as a number.
	say func(bound any) string
}

// kindOf returns the row of a component, nil if it takes no answer.
func kindOf(c *model.Component) *kind {
	switch {
	case answertype.Of(c) == answertype.None:
		return nil
	case c.Kind == nil || c.Kind.Category != c.Category:
		return &unknown
	}
	for i := range kinds {
		if kinds[i].name == c.Kind.Type {
			return &kinds[i]
		}
	}
	return nil
}

// Default returns the default value of a component as the form has it, nil if there is none. It may contain templates; the result of
// resolving them is judged as any answer.
func Default(c *model.Component) any {
	k := kindOf(c)
	if k == nil {
		return nil
	}
	v, _ := c.Config().Get(defaultValue)
	return v
}

// always returns a function that ignores the config.
func always[T any](v T) func(*schema.Object) T { return func(*schema.Object) T { return v } }

// Samples returns examples of answers that Judge accepts, the most ordinary first. It returns none if it finds none, for example because the
// constraints contradict each other, and for a component that takes no answer.
func Samples(c *model.Component) []any {
	var found []any
	for _, v := range answertype.Examples(c) {
		if a, refusal := Judge(c, v, nil); a != nil && refusal == nil {
			found = append(found, v)
		}
	}
	return found
}
