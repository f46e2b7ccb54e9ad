package editor

import (
	"strconv"
	"strings"

	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Maker makes commands that add elements to one state of an editor, with ids that its form does not have. When such a command runs on a
// later state, an id may be taken.
type Maker struct {
	state    State
	config   Config
	warnings func() schema.Problems // of state
	trials   *trials
	touched  string // key of the step that was selected last, "" for none
}

// Make returns a maker for the current state.
func (e *Editor) Make() Maker {
	return Maker{e.state, e.config, e.Found().Warnings, &e.trials, e.touched}
}

// Node returns the command that adds a node of a type at a place, with a fresh id and a name such as "Step 2". A new step has a next button,
// since nobody could leave it without one.
func (m Maker) Node(t model.NodeType, at model.Point, after *EdgeRef) AddNode {
	id := m.config.fresh(string(t), func(id string) bool { n, _ := m.state.Form.Node(id); return n != nil })
	node := model.NewNode(t, id, at).With("alias", m.name(t))
	if t == model.StepNode {
		next := m.component(model.NextButton())
		node = node.With("config", schema.NewObject(schema.Member{Key: "components", Value: []any{next}}))
	}
	return AddNode{Node: node, After: after}
}

// name returns the name of a new node: its kind and the smallest number with which no node has that name. An id such as step_2 counts as the
// name "Step 2", since a node without a name is called by it.
func (m Maker) name(t model.NodeType) string {
	kind, taken := kindWord(t), map[string]bool{}
	for _, n := range m.state.Form.Nodes {
		taken[strings.ToLower(strings.ReplaceAll(n.Name(), "_", " "))] = true
	}
	for i := 1; ; i++ {
		if name := kind + " " + strconv.Itoa(i); !taken[name] {
			return strings.ToUpper(name[:1]) + name[1:]
		}
	}
}

// Component returns the command that adds a component of a kind to a step, with a fresh id: before the one at index or, if index is
// negative, at the end. Components other than buttons go before the buttons at the end of the step.
func (m Maker) Component(k *model.Kind, node string, index int) AddComponent {
	if n, _ := m.state.Form.Node(node); n != nil && index < 0 && !k.Button {
		index = beforeButtons(n)
	}
	return AddComponent{Node: node, Index: index, Component: m.component(k)}
}

func (m Maker) component(k *model.Kind) *schema.Object {
	id := m.config.fresh(k.Type, func(id string) bool { c, _, _ := m.state.Form.Component(id); return c != nil })
	return model.NewComponent(k, m.config.Dialect, id)
}

// fresh returns an unused id for an element of a type.
func (c Config) fresh(typ string, taken func(string) bool) string {
	return model.IDSource{Rand: c.Rand}.Fresh(typ, taken)
}

// beforeButtons returns the index of the first of the buttons at the end of a step. For any other node it is the index after the last part.
func beforeButtons(n *model.Node) int {
	i := n.Parts()
	for i > 0 && n.Component(i-1) != nil && n.Component(i-1).Button() {
		i--
	}
	return i
}

// isButton reports whether a component type is one of the buttons at the end of a step.
func isButton(typ string) bool {
	k := model.KindOf(typ)
	return k != nil && k.Button
}

// ItemValue returns the value of a new element of a list: the smallest that fits its rule, with empty strings for what only the author
// knows.
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
	default: // texts, and rules that allow a text
		return ""
	}
}
