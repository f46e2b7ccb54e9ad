package editor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Reconnect moves an end of an edge, or both, as one step. The edge is selected
// afterwards, by its new name.
type Reconnect struct {
	Edge   EdgeRef
	Source *EdgeRef      // where the edge begins from now on; nil leaves the end
	Target model.Pointer // where it leads from now on; "" leaves the end
}

// Label says what happens.
func (Reconnect) Label() string { return "Reconnect" }

// Do clears the old port and sets the new one; an edge that began at the new port
// is gone then. What Connect refuses it refuses.
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

// InsertOnEdge puts a node of the form between the ends of an edge: the edge then
// leads to the node, and the node by its next or its fallback to where the edge
// led. AddNode.After does the same with a new node.
type InsertOnEdge struct {
	Edge EdgeRef
	Node string
}

// Label says what happens.
func (InsertOnEdge) Label() string { return "Insert on edge" }

// Do connects both. A node that leads somewhere already is refused, since its way
// would be lost, and so is one that the edge begins at or leads to.
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
		return s, errors.New("the node leads on already: disconnect it first")
	}
	port := lastOut(s.Form, i).Port
	if port == "" {
		return s, errors.New("the node cannot lead on")
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

// lastOut returns the way out of the i-th node on which it leads when nothing else decides: its next or its
// fallback. It is the zero Out for a node that cannot lead on.
func lastOut(f *model.Form, i int) (last model.Out) {
	if outs := f.Outs(i); len(outs) > 0 {
		last = outs[len(outs)-1]
	}
	return last
}

// edgeOut returns the way out that an edge is. A port that leads nowhere is not one.
func edgeOut(f *model.Form, e EdgeRef) (model.Out, error) {
	out, ok := f.OutOf(e.From, e.Port)
	if !ok || out.To == "" {
		return out, errors.New("there is no such edge")
	}
	return out, nil
}
