package editor

import (
	"errors"
	"fmt"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// AddComponent adds a component to a step, before the one at Index, or after the last one if Index is negative.
type AddComponent struct {
	Node      string
	Index     int
	Component *schema.Object
}

// Label names the kind.
func (c AddComponent) Label() verb.Phrase {
	if k := model.KindOf(c.Component.Text("type")); k != nil {
		return verb.Add.Of(k.Label)
	}
	return verb.Add.Of("component")
}

// Do inserts the component and selects it.
func (c AddComponent) Do(s State) (State, error) {
	n, i := s.Form.Node(c.Node)
	if n == nil {
		return s, fmt.Errorf("add component: %w", ErrNoNode)
	}
	step, ok := n.Config.(*model.Step)
	if !ok {
		return s, errors.New("only a step holds components: select a step")
	}
	at := c.Index
	if at < 0 || at > len(step.Components) {
		at = len(step.Components)
	}
	f, err := s.Form.Insert(model.ComponentPath(i, at), c.Component)
	s.Selection = Selection{Nodes: []string{c.Node}, Component: c.Component.Text("id")}
	return withForm(s, f, err)
}

// AddRule adds a rule after the last one of a router.
type AddRule struct {
	Node string
	Rule *schema.Object
}

// Label describes the command.
func (AddRule) Label() verb.Phrase { return verb.Add.Of("rule") }

// Do appends the rule and selects it.
func (c AddRule) Do(s State) (State, error) {
	n, i := s.Form.Node(c.Node)
	if n == nil {
		return s, fmt.Errorf("add rule: %w", ErrNoNode)
	}
	r, ok := n.Config.(*model.Router)
	if !ok {
		return s, errors.New("only a router holds rules: select a router")
	}
	f, err := s.Form.Insert(model.RulePath(i, len(r.Rules)), c.Rule)
	s.Selection = Selection{Nodes: []string{c.Node}, Rule: c.Rule.Text("id")}
	return withForm(s, f, err)
}

// RemoveSelection deletes the selection: components, a rule, an edge, or nodes with the pointers to them. Join has the meaning of
// RemoveNodes.Join and applies only to nodes.
type RemoveSelection struct{ Join bool }

// Label describes the command.
func (c RemoveSelection) Label() verb.Phrase {
	return verb.Phrase{Verb: verb.Delete, Join: c.Join}
}

// Do removes the innermost selected part.
func (c RemoveSelection) Do(s State) (State, error) {
	sel := s.Selection
	switch {
	case sel.Edge != nil:
		next, err := Connect{From: sel.Edge.From, Port: sel.Edge.Port}.Do(s)
		next.Selection = Selection{}
		return next, err
	case len(sel.Parts) > 0:
		return RemoveComponents{Node: sel.Only(), IDs: sel.Parts}.Do(s)
	case sel.Component != "" || sel.Rule != "":
		path, err := partPath(s.Form, sel)
		if err != nil {
			return s, err
		}
		f, err := s.Form.Clear(path)
		s.Selection = SelectNodes(sel.Nodes...)
		return withForm(s, f, err)
	case len(sel.Nodes) > 0:
		return RemoveNodes{IDs: sel.Nodes, Join: c.Join}.Do(s)
	}
	return s, errors.New("nothing is selected")
}

// RemoveComponents deletes several components of a step, in one step of the history. Those that the step does not have are ignored.
type RemoveComponents struct {
	Node string
	IDs  []string
}

// Label states the number of components.
func (c RemoveComponents) Label() verb.Phrase {
	return verb.Phrase{Verb: verb.Delete, Noun: "component", Count: len(c.IDs)}
}

// Do removes the components and selects the step.
func (c RemoveComponents) Do(s State) (State, error) {
	n, i := s.Form.Node(c.Node)
	if n == nil {
		return s, fmt.Errorf("delete components: %w", ErrNoNode)
	}
	ids, list, kept := setOf(c.IDs), n.Tree().Object("config").List("components"), []any{}
	for j, v := range list {
		if part := n.Component(j); part == nil || !ids[part.ID] {
			kept = append(kept, v)
		}
	}
	s.Selection = SelectNodes(c.Node)
	if len(kept) == len(list) {
		return s, nil
	}
	f, err := s.Form.Set(model.NodePath(i).Key("config").Key("components"), kept)
	return withForm(s, f, err)
}

// partPath returns the path of the selected component or rule.
func partPath(f *model.Form, sel Selection) (schema.Path, error) {
	at, ok := sel.Place(f)
	switch {
	case !ok:
		return nil, ErrNoNode
	case at.Part() < 0:
		return nil, errors.New("the selected part no longer exists")
	}
	return at.Path(), nil
}
