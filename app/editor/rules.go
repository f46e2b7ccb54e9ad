package editor

import (
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Rule returns the command that adds a rule to a router, with a fresh id. Its condition is proposed: that the answer to the last choice on the
// way to the router is the first option that no other rule compares it with.
func (m Maker) Rule(node string) AddRule {
	n, _ := m.state.Form.Node(node)
	add := AddRule{Node: node, Rule: model.NewRule(m.ruleID(n, nil))}
	if left := untaken(m.state.Form, node); len(left) > 0 {
		add.Rule = add.Rule.With("condition", left[0])
	}
	return add
}

// RuleForEach returns the command that adds the rules which Maker.Rule would propose one after the other, nil if there are none.
func (m Maker) RuleForEach(node string) Command {
	n, _ := m.state.Form.Node(node)
	left, made := untaken(m.state.Form, node), map[string]bool{}
	if len(left) == 0 {
		return nil
	}
	c := Sequence{Name: verb.Phrase{Verb: verb.Add, Noun: "rule", Count: len(left)}}
	for _, condition := range left {
		id := m.ruleID(n, made)
		made[id] = true
		c.Commands = append(c.Commands, AddRule{Node: node, Rule: model.NewRule(id).With("condition", condition)})
	}
	return c
}

func (m Maker) ruleID(router *model.Node, made map[string]bool) string {
	return m.config.fresh("rule", func(id string) bool { return made[id] || ruleAt(router, id) >= 0 })
}

// OptionsLeft reports whether RuleForEach has rules to add to a node.
func OptionsLeft(f *model.Form, node string) bool { return len(untaken(f, node)) > 0 }

// untaken returns a condition for each option of the last choice on the way to a router that no rule of the router compares with the choice.
func untaken(f *model.Form, node string) (conditions []*schema.Object) {
	n, _ := f.Node(node)
	router, ok := configOf[*model.Router](n)
	if !ok {
		return nil
	}
	choice := choiceBefore(f, node)
	if choice == nil {
		return nil
	}
	operator, field := "EQ", "{{fields."+choice.ID+"}}"
	if several, _ := choice.Config().Get("multiple"); several == true {
		operator = "INCLUDES"
	}
	for _, value := range optionsOf(choice) {
		taken := false
		for _, r := range router.Rules {
			taken = taken || compares(r.Condition, field, value)
		}
		if !taken {
			compare := schema.NewObject(schema.Member{Key: "operator", Value: operator}, schema.Member{Key: "operands", Value: []any{field, value}})
			conditions = append(conditions, schema.NewObject(
				schema.Member{Key: "operator", Value: flow.And}, schema.Member{Key: "operands", Value: []any{compare}}))
		}
	}
	return conditions
}

// choiceBefore returns the last component with options of the nearest step from which ways lead to a node, nil if there is none.
func choiceBefore(f *model.Form, node string) *model.Component {
	into := map[string][]string{}
	for i, key := range f.Keys() {
		for _, o := range f.Outs(i) {
			into[string(o.To)] = append(into[string(o.To)], key)
		}
	}
	seen := map[string]bool{node: true}
	for todo := []string{node}; len(todo) > 0; todo = todo[1:] {
		n, _ := f.Node(todo[0])
		for i := n.Parts() - 1; i >= 0; i-- {
			if c := n.Component(i); c != nil && c.ID != "" && len(optionsOf(c)) > 0 {
				return c
			}
		}
		for _, from := range into[todo[0]] {
			if !seen[from] {
				seen[from] = true
				todo = append(todo, from)
			}
		}
	}
	return nil
}

// optionsOf returns the values of which one may be the answer to a component, nil for one without options.
func optionsOf(c *model.Component) (values []any) {
	if c.Kind == nil {
		return nil
	}
	switch c.Kind.Type {
	case "BOOLEAN":
		return []any{true, false}
	case "CHOICE", "DROPDOWN", "CARDS":
		for _, v := range c.Config().List("options") {
			if o, ok := v.(*schema.Object); ok && o.Text("value") != "" {
				values = append(values, o.Text("value"))
			}
		}
	}
	return values
}

// compares reports whether a condition, or a part of it, compares a field with a value.
func compares(condition any, field string, value any) bool {
	o, _ := condition.(*schema.Object)
	operands := o.List("operands")
	if len(operands) > 1 && operands[0] == field && (schema.Equal(operands[1], value) || operands[1] == "true" && value == true || operands[1] == "false" && value == false) {
		return true
	}
	for _, part := range operands {
		if _, ok := part.(*schema.Object); ok && compares(part, field, value) {
			return true
		}
	}
	return false
}
