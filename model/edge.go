package model

import (
	"strings"

	"github.com/formgraph/formgraph/model/schema"
)

// Port names one way out of a node: next, fallback, rule:{rule id} or jump:{component id}. The attributes data-handle and data-edge use the
// same names.
type Port string

// The ports that carry no id.
const (
	NextPort     Port = "next"
	FallbackPort Port = "fallback"
)

// RulePort returns the port of a router's rule.
func RulePort(id string) Port { return Port("rule:" + id) }

// JumpPort returns the port of a component with a pointer to a node.
func JumpPort(id string) Port { return Port("jump:" + id) }

// Rule returns the id of the rule that the port belongs to, or "".
func (p Port) Rule() string { return p.after("rule:") }

// Jump returns the id of the component that the port belongs to, or "".
func (p Port) Jump() string { return p.after("jump:") }

func (p Port) after(prefix string) string {
	id, ok := strings.CutPrefix(string(p), prefix)
	if !ok {
		return ""
	}
	return id
}

// Out is a way out of a node and its target.
type Out struct {
	Port Port
	To   Pointer     // "" if it has no target
	Path schema.Path // of the pointer's property, from the form's root
}

// Edge leads from a node to another, or to one that does not exist.
type Edge struct {
	From string // a node's id, or StartID
	Out
}

// Outs returns the ways out of the i-th node, in the order in which
// they are drawn: rules before the fallback, buttons before next.
func (f *Form) Outs(i int) []Out {
	n := f.Nodes[i]
	var outs []Out
	n.Pointers(func(r Ref) { outs = append(outs, Out{n.Port(r), Pointer(r.ID), f.RefPath(i, r)}) })
	return outs
}

// StartOut returns the way out of the start.
func (f *Form) StartOut() Out {
	return Out{NextPort, f.Start.Next, schema.Path{schema.Key("start"), schema.Key("next_node")}}
}

// OutOf returns the way out of a node, or of StartID, by its port.
func (f *Form) OutOf(id string, port Port) (Out, bool) {
	if id == StartID {
		return f.StartOut(), port == NextPort
	}
	if m := f.maps(); m != nil {
		o, ok := m.outsOf(f)[way{id, port}]
		return o, ok
	}
	_, i := f.Node(id)
	if i < 0 {
		return Out{}, false
	}
	for _, o := range f.Outs(i) {
		if o.Port == port {
			return o, true
		}
	}
	return Out{}, false
}

// Edges returns every way out that has a target: first that of the start, then those of the nodes in order.
func (f *Form) Edges() []Edge {
	edges := make([]Edge, 0, len(f.Nodes)+1)
	if f.Start.Next != "" {
		edges = append(edges, Edge{StartID, f.StartOut()})
	}
	for i, n := range f.Nodes {
		for _, o := range f.Outs(i) {
			if o.To != "" {
				edges = append(edges, Edge{n.ID, o})
			}
		}
	}
	return edges
}
