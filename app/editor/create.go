package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// NewNode returns the command that adds a node of a type at a place, with a
// fresh id. A step comes with the button that leads on: without one nobody can
// leave it.
func (e *Editor) NewNode(t model.NodeType, at model.Point, after *EdgeRef) AddNode {
	id := e.fresh(string(t), func(id string) bool { n, _ := e.state.Form.Node(id); return n != nil })
	node := model.NewNode(t, id, at)
	if t == model.StepNode {
		next := e.component(model.NextButton())
		node = node.With("config", schema.NewObject(schema.Member{Key: "components", Value: []any{next}}))
	}
	return AddNode{Node: node, After: after}
}

// NewComponent returns the command that adds a component of a kind to a step,
// with a fresh id: before the one at index, or when index is negative at the
// end. What is asked or shown goes before the buttons that end the step.
func (e *Editor) NewComponent(k *model.Kind, node string, index int) AddComponent {
	if n, _ := e.state.Form.Node(node); n != nil && index < 0 && !k.Button {
		if s, ok := n.Config.(*model.Step); ok {
			index = len(s.Components)
			for index > 0 && s.Components[index-1].Button() {
				index--
			}
		}
	}
	return AddComponent{Node: node, Index: index, Component: e.component(k)}
}

func (e *Editor) component(k *model.Kind) *schema.Object {
	id := e.fresh(k.Type, func(id string) bool { c, _, _ := e.state.Form.Component(id); return c != nil })
	return model.NewComponent(k, e.config.Dialect, id)
}

// isButton reports whether a component type is one of the buttons at the end of a step.
func isButton(typ string) bool {
	k := model.KindOf(typ)
	return k != nil && k.Button
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
