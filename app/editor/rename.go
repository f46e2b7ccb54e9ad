package editor

import (
	"fmt"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/schema"
)

// RenameNode changes the id of a node and every pointer to it.
type RenameNode struct {
	Index int // of the node: its id may be empty, or shared with another node
	ID    string
}

// Label names the changed property.
func (RenameNode) Label() verb.Phrase { return verb.Change.With("node id") }

// Do renames. It refuses an id that is malformed (flow.ErrMalformed) or taken (flow.ErrTaken).
// If several nodes share an id, pointers follow only the first.
func (c RenameNode) Do(s State) (State, error) {
	if c.Index < 0 || c.Index >= len(s.Form.Nodes) {
		return s, fmt.Errorf("rename: %w", ErrNoNode)
	}
	old := s.Form.Nodes[c.Index].ID
	if old == c.ID {
		return s, nil
	}
	if !model.ValidIdentifier(c.ID) {
		return s, flow.ErrMalformed
	}
	if n, _ := s.Form.Node(c.ID); n != nil {
		return s, taken(c.ID, n.Title())
	}
	f, err := s.Form, flow.ErrNoID
	if _, first := s.Form.Node(old); first == c.Index {
		f, err = flow.RenameNode(s.Form, old, c.ID)
	}
	if err != nil {
		f, err = s.Form.Set(model.NodePath(c.Index).Key("id"), c.ID)
	}
	return withForm(s, f, err)
}

// taken returns the error for an id that has an owner.
func taken(id, owner string) error {
	return fmt.Errorf("%w: %s belongs to %s", flow.ErrTaken, id, owner)
}

// RenamePart changes the id of a component, a rule or a hidden field and every reference
// to it (templates anywhere in the form, texts in other languages),
// and keeps it selected.
type RenamePart struct {
	Path schema.Path // of the id, or of a hidden field's key
	ID   string
}

// Label names the changed property.
func (c RenamePart) Label() verb.Phrase {
	if c.Path[len(c.Path)-1].Key == "key" {
		return verb.Change.With("key")
	}
	return verb.Change.With("id")
}

// Do renames. As with nodes, it refuses an id that is malformed or taken. It does not refuse keys of hidden fields: they may repeat, and a
// key that the table does not allow shows as a problem.
func (c RenamePart) Do(s State) (State, error) {
	v, _ := schema.Lookup(s.Form.Tree(), c.Path)
	old, _ := v.(string)
	if v == c.ID {
		return s, nil
	}
	if err := c.refused(s.Form); err != nil {
		return s, err
	}
	f, err := c.rename(s.Form, old)
	if err != nil {
		f, err = s.Form.Set(c.Path, c.ID)
	}
	if err == nil && old != "" {
		switch old {
		case s.Selection.Component:
			s.Selection.Component = c.ID
		case s.Selection.Rule:
			s.Selection.Rule = c.ID
		}
	}
	return withForm(s, f, err)
}

// refused returns the reason why a component or rule cannot have the id.
func (c RenamePart) refused(f *model.Form) error {
	at, _ := f.At(c.Path)
	if at.Part() < 0 {
		return nil
	}
	if !model.ValidIdentifier(c.ID) {
		return flow.ErrMalformed
	}
	if at.Component >= 0 {
		if other, node, _ := f.Component(c.ID); other != nil {
			return taken(c.ID, "a component of "+f.Nodes[node].Title())
		}
		return nil
	}
	if ruleAt(f.Nodes[at.Node], c.ID) >= 0 {
		return taken(c.ID, "another rule of this router")
	}
	return nil
}

// rename renames the element at the path if it is the first with its id.
func (c RenamePart) rename(f *model.Form, old string) (*model.Form, error) {
	at, _ := f.At(c.Path)
	switch {
	case at.End != "":
		return flow.RenameHiddenField(f, old, c.ID)
	case at.Component >= 0:
		if _, node, place := f.Component(old); node == at.Node && place == at.Component {
			return flow.RenameComponent(f, old, c.ID)
		}
	case at.Rule >= 0:
		n := f.Nodes[at.Node]
		if _, i := f.Node(n.ID); i == at.Node && ruleAt(n, old) == at.Rule {
			return flow.RenameRule(f, n.ID, old, c.ID)
		}
	}
	return f, flow.ErrNoID
}
