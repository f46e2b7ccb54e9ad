// Package rename gives the elements that scenarios name the ids that they have in a form now.
package rename

import (
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// Scenario returns a scenario, an element of a file of scenarios, with the new ids of nodes, components, hidden fields and rules. What is not as
// the format has it stays.
func Scenario(s *schema.Object, r flow.Renames) *schema.Object {
	if hidden, ok := s.Get("hidden_fields"); ok {
		// Answers given in advance are there, too.
		s = s.With("hidden_fields", keys(hidden, func(key string) string { return r.HiddenField(r.Component(key)) }))
	}
	s = each(s, "steps", func(v any) any { return step(v, r) })
	return each(s, "expect", func(v any) any {
		if id, ok := v.(string); ok {
			return r.Node(id)
		}
		return v
	})
}

// File is Scenario for all scenarios of a file.
func File(file *schema.Object, r flow.Renames) *schema.Object {
	return each(file, "scenarios", func(v any) any {
		if s, ok := v.(*schema.Object); ok {
			return Scenario(s, r)
		}
		return v
	})
}

func step(v any, r flow.Renames) any {
	s, ok := v.(*schema.Object)
	if !ok {
		return v
	}
	node := s.Text("node")
	if rule, ok := strings.CutPrefix(s.Text("choose"), "rule:"); ok {
		s = s.With("choose", string(model.RulePort(r.Rule(node, rule))))
	}
	if id := s.Text("press"); id != "" {
		s = s.With("press", r.Component(id))
	}
	if answers, ok := s.Get("answers"); ok {
		s = s.With("answers", keys(answers, r.Component))
	}
	if node != "" {
		s = s.With("node", r.Node(node))
	}
	return s
}

// each returns an object with other elements of a list in it.
func each(o *schema.Object, key string, do func(any) any) *schema.Object {
	list := o.List(key)
	if len(list) == 0 {
		return o
	}
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = do(v)
	}
	return o.With(key, out)
}

// keys returns an object with other keys.
func keys(v any, to func(string) string) any {
	o, ok := v.(*schema.Object)
	if !ok {
		return v
	}
	members := make([]schema.Member, o.Len())
	for i, m := range o.Members() {
		members[i] = schema.Member{Key: to(m.Key), Value: m.Value}
	}
	return schema.NewObject(members...)
}
