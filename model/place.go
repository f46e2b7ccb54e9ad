package model

import "github.com/formgraph/formgraph/model/schema"

// Place is a path into a form, split after the innermost part of the graph that it enters: one of the two ends, a node, or a component or
// rule of a node. PlaceOf and Form.At return it.
type Place struct {
	End       string // StartID or EndingID in one of the two ends, else ""
	Node      int    // index among the form's nodes, -1 for none
	Component int    // index among the step's components, -1 for none
	Rule      int    // index among the router's rules, -1 for none
	// Rest is the remaining path, or the whole path if it enters no part of the graph. It shares storage with the path that was split.
	Rest schema.Path
}

// PlaceOf splits a path by its shape only, whether or not the form has such a place.
func PlaceOf(p schema.Path) Place {
	at := Place{Node: -1, Component: -1, Rule: -1, Rest: p}
	switch {
	case len(p) == 0:
	case p[0].Key == "start":
		at.End, at.Rest = StartID, p[1:]
	case p[0].Key == "ending":
		at.End, at.Rest = EndingID, p[1:]
	case p[0].Key == "nodes" && len(p) > 1 && p[1].Index >= 0:
		at.Node, at.Rest = p[1].Index, p[2:]
		if len(p) < 5 || p[2].Key != "config" || p[4].Index < 0 {
			break
		}
		switch p[3].Key {
		case "components":
			at.Component, at.Rest = p[4].Index, p[5:]
		case "rules":
			at.Rule, at.Rest = p[4].Index, p[5:]
		}
	}
	return at
}

// At returns the place that a path enters, and whether it is a part of the graph. A path to a component or rule that the node does not have
// enters the node, and one to a node that the form does not have enters the form. At(p).Path() equals p for every path.
func (f *Form) At(p schema.Path) (Place, bool) {
	at := PlaceOf(p)
	switch {
	case at.End != "":
		return at, true
	case at.Node < 0 || at.Node >= len(f.Nodes):
		return Place{Node: -1, Component: -1, Rule: -1, Rest: p}, false
	case at.Part() >= 0:
		if n := f.Nodes[at.Node]; n.Component(at.Component) == nil && n.Rule(at.Rule) == nil {
			at = Place{Node: at.Node, Component: -1, Rule: -1, Rest: p[2:]}
		}
	}
	return at, true
}

// Part returns the index of the component or rule, -1 for none.
func (at Place) Part() int { return max(at.Component, at.Rule) }

// IsNode reports whether the place is a node, not something inside a node.
func (at Place) IsNode() bool { return at.Node >= 0 && at.Part() < 0 && len(at.Rest) == 0 }

// Path returns the path that was split. It shares no storage with Rest.
func (at Place) Path() schema.Path {
	var p schema.Path
	switch {
	case at.End == StartID:
		p = schema.Path{schema.Key("start")}
	case at.End == EndingID:
		p = schema.Path{schema.Key("ending")}
	case at.Component >= 0:
		p = ComponentPath(at.Node, at.Component)
	case at.Rule >= 0:
		p = RulePath(at.Node, at.Rule)
	case at.Node >= 0:
		p = NodePath(at.Node)
	}
	return p.Join(at.Rest)
}

// NodePath returns the path of the i-th node of a form.
func NodePath(i int) schema.Path { return schema.Path{schema.Key("nodes"), schema.Index(i)} }

// ComponentPath returns the path of the i-th component of a step.
func ComponentPath(node, i int) schema.Path { return partPath(node, "components", i) }

// RulePath returns the path of the i-th rule of a router.
func RulePath(node, i int) schema.Path { return partPath(node, "rules", i) }

func partPath(node int, list string, i int) schema.Path {
	return schema.Path{schema.Key("nodes"), schema.Index(node), schema.Key("config"), schema.Key(list), schema.Index(i)}
}

// Component returns the i-th component of a step, nil if there is none.
func (n *Node) Component(i int) *Component {
	if s, ok := n.Config.(*Step); ok && 0 <= i && i < len(s.Components) {
		return s.Components[i]
	}
	return nil
}

// Rule returns the i-th rule of a router, nil if there is none.
func (n *Node) Rule(i int) *Rule {
	if r, ok := n.Config.(*Router); ok && 0 <= i && i < len(r.Rules) {
		return r.Rules[i]
	}
	return nil
}

// Parts returns how many components or rules the node has.
func (n *Node) Parts() int {
	switch c := n.Config.(type) {
	case *Step:
		return len(c.Components)
	case *Router:
		return len(c.Rules)
	case *Flow, nil:
	}
	return 0
}
