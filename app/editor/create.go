package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// NewNode returns the command that adds a node of a type at a place, with a
// fresh id.
func (e *Editor) NewNode(t model.NodeType, at model.Point, after *EdgeRef) AddNode {
	id := e.fresh(string(t), func(id string) bool { n, _ := e.state.Form.Node(id); return n != nil })
	return AddNode{Node: model.NewNode(t, id, at), After: after}
}

// NewComponent returns the command that adds a component of a kind to a step,
// with a fresh id.
func (e *Editor) NewComponent(k *model.Kind, node string, index int) AddComponent {
	id := e.fresh(k.Type, func(id string) bool { c, _, _ := e.state.Form.Component(id); return c != nil })
	return AddComponent{Node: node, Index: index, Component: model.NewComponent(k, e.config.Dialect, id)}
}

// NewRule returns the command that adds a rule to a router, with a fresh id.
func (e *Editor) NewRule(node string) AddRule {
	n, _ := e.state.Form.Node(node)
	id := e.fresh("rule", func(id string) bool { return hasRule(n, id) })
	return AddRule{Node: node, Rule: model.NewRule(id)}
}

func (e *Editor) fresh(typ string, taken func(string) bool) string {
	return model.IDSource{Rand: e.config.Rand}.Fresh(typ, taken)
}

// ItemValue returns what a new element of a list holds: the least that fits its
// rule, with empty strings for what only the author knows.
func ItemValue(s schema.Spec) any {
	switch s := s.(type) {
	case schema.Table:
		o := schema.NewObject()
		for _, r := range s {
			if r.Required {
				o = o.With(r.Name, ItemValue(r.Spec))
			}
		}
		return o
	case schema.Enum:
		return s[0]
	case schema.Open, schema.Map:
		return schema.NewObject()
	case schema.List:
		return []any{}
	case schema.Bool, schema.True:
		return true
	case schema.Numeric:
		if s.Min != "" {
			return s.Min
		}
		return schema.Number("0")
	default: // texts, and what may be one
		return ""
	}
}
