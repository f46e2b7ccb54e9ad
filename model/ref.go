package model

import (
	"slices"

	"github.com/formgraph/formgraph/model/schema"
)

// Ref is a property of a node, or of a component or rule in it, that holds the id of a node or a flow.
type Ref struct {
	Part int    // index of the component or rule, -1 for the node itself
	Key  string // the property, in the config of the node or component, or in the rule
	ID   string // "" if it names nothing
}

// Pointers calls do with every property of the node that points to a node, in the order in which ways out are drawn: rules before the
// fallback, components before the next node.
func (n *Node) Pointers(do func(Ref)) {
	switch c := n.Config.(type) {
	case *Step:
		for i, comp := range c.Components {
			if comp.Kind != nil && comp.Kind.leads != "" {
				do(Ref{i, comp.Kind.leads, comp.Config().Text(comp.Kind.leads)})
			}
		}
		do(Ref{-1, "next_node", string(c.Next)})
	case *Flow:
		do(Ref{-1, "next_node", string(c.Next)})
	case *Router:
		for i, r := range c.Rules {
			do(Ref{i, "next_node", string(r.Next)})
		}
		do(Ref{-1, "fallback", string(c.Fallback)})
	}
}

// Flows calls do with every property of the node that holds the id of a flow.
func (n *Node) Flows(do func(Ref)) {
	switch c := n.Config.(type) {
	case *Step:
		for i, comp := range c.Components {
			if comp.Kind != nil && comp.Kind.flow != "" {
				do(Ref{i, comp.Kind.flow, comp.Config().Text(comp.Kind.flow)})
			}
		}
	case *Flow:
		do(Ref{-1, "flow_id", c.FlowID})
	case *Router, nil:
	}
}

// Port returns the way out that belongs to one of the node's Pointers.
func (n *Node) Port(r Ref) Port {
	if c := n.Component(r.Part); c != nil {
		return JumpPort(c.ID)
	}
	if rule := n.Rule(r.Part); rule != nil {
		return RulePort(rule.ID)
	}
	if r.Key == string(FallbackPort) {
		return FallbackPort
	}
	return NextPort
}

// RefPath returns the path of a property of the i-th node of the form.
func (f *Form) RefPath(i int, r Ref) schema.Path {
	switch {
	case r.Part < 0:
		return schema.Path{schema.Key("nodes"), schema.Index(i), schema.Key("config"), schema.Key(r.Key)}
	case f.Nodes[i].Rule(r.Part) != nil:
		return append(RulePath(i, r.Part), schema.Key(r.Key))
	}
	return append(ComponentPath(i, r.Part), schema.Key("config"), schema.Key(r.Key))
}

// MapPointers returns the tree of the node with each of its pointers mapped by to, without those that become "". It returns the node's
// object if nothing changed. It copies lists once; setting each pointer by its path would copy them each time.
func (n *Node) MapPointers(to func(Pointer) Pointer) *schema.Object {
	put := func(o *schema.Object, key, id string) *schema.Object {
		if id == "" {
			return o.Without(key)
		}
		return o.With(key, id)
	}
	return n.mapRefs(n.Pointers, func(id string) string { return string(to(Pointer(id))) }, put)
}

// MapFlows is MapPointers for the ids of flows. It keeps ids that become "".
func (n *Node) MapFlows(to func(id string) string) *schema.Object {
	return n.mapRefs(n.Flows, to, func(o *schema.Object, key, id string) *schema.Object { return o.With(key, id) })
}

func (n *Node) mapRefs(
	each func(func(Ref)), to func(string) string, put func(o *schema.Object, key, id string) *schema.Object,
) *schema.Object {
	was := n.tree.Object("config")
	config := was
	var list []any // of the components or rules
	each(func(r Ref) {
		if r.ID == "" {
			return
		}
		id := to(r.ID)
		if id == r.ID {
			return
		}
		if r.Part < 0 {
			config = put(config, r.Key, id)
			return
		}
		if list == nil {
			list = slices.Clone(was.List(NodeKindOf(n.Type).Parts))
		}
		if c := n.Component(r.Part); c != nil {
			list[r.Part] = c.tree.With("config", put(c.Config(), r.Key, id))
		} else {
			list[r.Part] = put(n.Rule(r.Part).tree, r.Key, id)
		}
	})
	if list != nil {
		config = config.With(NodeKindOf(n.Type).Parts, list)
	}
	if config == was {
		return n.tree
	}
	return n.tree.With("config", config)
}
