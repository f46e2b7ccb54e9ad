package editor

import (
	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// Change is a command whose effect was computed elsewhere, on the same form.
type Change struct {
	Name  verb.Phrase // the label
	Key   string      // as Merger returns it, "" for none
	Edits []schema.Edit
}

// Label returns the name.
func (c Change) Label() verb.Phrase { return c.Name }

// MergeKey returns the key.
func (c Change) MergeKey() string { return c.Key }

// nodesKey is the property of a form with its nodes.
const nodesKey = "nodes"

// Do makes the edits, all or none.
func (c Change) Do(s State) (State, error) {
	f := s.Form
	var rest []schema.Edit
	for _, e := range c.Edits {
		if len(e.Path) < 2 || e.Path[0].Key != nodesKey {
			rest = append(rest, e)
			continue
		}
		var err error
		if f, err = edited(f, e); err != nil {
			return s, err
		}
	}
	// Large properties such as translations are set once, however many edits they have.
	tree, err := schema.Patch(f.Tree(), rest)
	if err != nil {
		return s, err
	}
	done := map[string]bool{}
	for _, e := range rest {
		key := e.Path[0].Key
		if done[key] {
			continue
		}
		done[key] = true
		v, ok := tree.Get(key)
		if f, err = edited(f, schema.Edit{Path: schema.Path{schema.Key(key)}, Value: v, Cleared: !ok}); err != nil {
			return s, err
		}
	}
	return withForm(s, f, nil)
}

// edited returns a form after an edit.
func edited(f *model.Form, e schema.Edit) (*model.Form, error) {
	switch {
	case e.Cleared:
		return f.Clear(e.Path)
	case e.Inserted:
		return f.Insert(e.Path, e.Value)
	}
	return f.Set(e.Path, e.Value)
}

// ChangeOf returns the change that a command makes in a state. It fails as the command does.
func ChangeOf(c Command, s State) (Change, error) {
	now, err := c.Do(s)
	if err != nil {
		return Change{}, err
	}
	change := Change{Name: c.Label(), Edits: schema.Delta(s.Form.Tree(), now.Form.Tree())}
	if m, ok := c.(Merger); ok {
		change.Key = m.MergeKey()
	}
	return change, nil
}

// RestoreVersion returns the command that makes the form now as an earlier version has it, as one step. What only the tenant sets stays.
func RestoreVersion(name verb.Phrase, now, version *model.Form) Command {
	return replace{name: name, form: now.Share(merge.TakeAll(version, now))}
}
