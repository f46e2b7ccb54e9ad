package model

import (
	"cmp"

	"github.com/formgraph/formgraph/model/schema"
)

// NodeKind is everything the product knows about one node type, as Kind is for a component type.
type NodeKind struct {
	Type           NodeType
	Label          string // its name for people
	Doc            string // its purpose, in one sentence
	Icon           string // name of a symbol in the icon set
	ConfigRequired bool
	Config         schema.Table
	Default        *schema.Object // config of a new node
	Next           string         // property of the config with the node that follows by default
	// Parts is the property of the config that lists components or rules, and Part the word for one of them. Both are "" for a type without
	// parts.
	Parts, Part string
}

// NodeKinds lists every node type in the order of the spec.
var NodeKinds = []NodeKind{
	{
		Type: FlowNode, Label: "Flow", Icon: "flow", Doc: "Runs one of your flows.", ConfigRequired: true, Next: "next_node",
		Config: schema.Table{
			{Name: "flow_id", Label: "Flow", Spec: flowSpec, Required: true},
			{Name: "next_node", Label: "Goes to", Spec: pointerSpec},
		},
		Default: obj("flow_id", ""), // a warning until one is chosen
	},
	{
		Type: RouterNode, Label: "Router", Icon: "router",
		Doc: "Continues with the first rule whose condition holds, else with the fallback.", Next: "fallback",
		Parts: "rules", Part: "rule",
		Config: schema.Table{
			{Name: "rules", Spec: schema.List{Item: ruleTable}},
			{Name: "fallback", Label: "Otherwise", Spec: pointerSpec},
		},
		Default: obj("rules", []any{}),
	},
	{
		Type: StepNode, Label: "Step", Icon: "step", Doc: "Shows components and waits for an answer.", Next: "next_node",
		Parts: "components", Part: "component",
		Config: schema.Table{
			{Name: "components", Spec: schema.List{Item: componentSpec}},
			{Name: "next_node", Label: "Goes to", Spec: pointerSpec},
		},
		Default: obj("components", []any{}),
	},
}

// NodeKindOf returns the kind of a node type, nil for an unknown type.
func NodeKindOf(t NodeType) *NodeKind {
	for i := range NodeKinds {
		if k := &NodeKinds[i]; k.Type == t {
			return k
		}
	}
	return nil
}

// Name returns the node's name for the user interface: its alias, else its id, else its type.
func (n *Node) Name() string {
	if name := cmp.Or(n.Alias, n.ID); name != "" {
		return name
	}
	if k := NodeKindOf(n.Type); k != nil {
		return k.Label
	}
	return cmp.Or(string(n.Type), "Unknown node")
}
