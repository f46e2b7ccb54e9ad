package editor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Reconnect moves one end of an edge, or both, as one step, and selects the edge.
type Reconnect struct {
	Edge   EdgeRef
	Source *EdgeRef      // the new beginning of the edge; nil leaves it unchanged
	Target model.Pointer // its new target; "" leaves it unchanged
}

// Label describes the command.
func (Reconnect) Label() verb.Phrase { return verb.Phrase{Verb: verb.Reconnect} }

// Do clears the old port and sets the new one, which replaces an edge that begins there. It refuses what Connect refuses.
func (c Reconnect) Do(s State) (State, error) {
	out, err := edgeOut(s.Form, c.Edge)
	if err != nil {
		return s, err
	}
	source, target := c.Edge, out.To
	if c.Source != nil {
		source = *c.Source
	}
	if c.Target != "" {
		target = c.Target
	}
	if source == c.Edge && target == out.To {
		return s, nil
	}
	if _, ok := s.Form.OutOf(source.From, source.Port); !ok {
		if n, _ := s.Form.Node(source.From); n == nil && source.From != model.StartID {
			return s, noNode("connect", source.From)
		}
		return s, fmt.Errorf("%s has no way out %s", model.KeyID(source.From), source.Port)
	}
	next := s
	if source != c.Edge {
		if next, err = (Connect{From: c.Edge.From, Port: c.Edge.Port}).Do(s); err != nil {
			return s, err
		}
	}
	if next, err = (Connect{From: source.From, Port: source.Port, To: target}).Do(next); err != nil {
		return s, err
	}
	next.Selection = Selection{Edge: &source}
	return next, nil
}

// InsertOnEdge inserts a node of the form between the ends of an edge: the edge then leads to the node, and the node's next or fallback to
// the edge's former target. AddNode.After does the same with a new node.
type InsertOnEdge struct {
	Edge EdgeRef
	Node string
}

// Label describes the command.
func (InsertOnEdge) Label() verb.Phrase { return verb.Insert.With("on edge") }

// Do connects both. It refuses a node that already has a target, since that connection would be lost, and a node at an end of the edge.
func (c InsertOnEdge) Do(s State) (State, error) {
	out, err := edgeOut(s.Form, c.Edge)
	if err != nil {
		return s, err
	}
	n, i := s.Form.Node(c.Node)
	if n == nil {
		return s, noNode("insert", c.Node)
	}
	if c.Node == c.Edge.From || c.Node == string(out.To) {
		return s, errors.New("the node is at this edge already")
	}
	if slices.ContainsFunc(s.Form.Outs(i), func(o model.Out) bool { return o.To != "" }) {
		return s, errors.New("the node already leads to another node: disconnect it first")
	}
	port := lastOut(s.Form, i).Port
	if port == "" {
		return s, errors.New("the node cannot lead to another node")
	}
	next, err := Connect{From: c.Node, Port: port, To: out.To}.Do(s)
	if err == nil {
		next, err = Connect{From: c.Edge.From, Port: c.Edge.Port, To: model.Pointer(c.Node)}.Do(next)
	}
	if err != nil {
		return s, err
	}
	next.Selection = SelectNodes(c.Node)
	return next, nil
}

// lastOut returns the next or the fallback of the i-th node. It is the zero Out for a node that has neither.
func lastOut(f *model.Form, i int) (last model.Out) {
	if outs := f.Outs(i); len(outs) > 0 {
		last = outs[len(outs)-1]
	}
	return last
}

// edgeOut returns the way out of an edge. A port without a target is not an edge.
func edgeOut(f *model.Form, e EdgeRef) (model.Out, error) {
	out, ok := f.OutOf(e.From, e.Port)
	if !ok || out.To == "" {
		return out, errors.New("there is no such edge")
	}
	return out, nil
}
