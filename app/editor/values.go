package editor

import (
	"fmt"
	"slices"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// Set sets the value at a path. It is the command behind every field of the inspector. All typing in one field is one undo step.
type Set struct {
	Path  schema.Path
	Value any
}

// Label names the property.
func (c Set) Label() verb.Phrase { return verb.Edit.Of(propertyName(c.Path)) }

// MergeKey is the path.
func (c Set) MergeKey() string { return "set " + c.Path.String() }

// Do sets the value; if it is unchanged, Do changes nothing.
func (c Set) Do(s State) (State, error) {
	s = s.withoutPending(c.Path)
	if was, ok := schema.Lookup(s.Form.Tree(), c.Path); ok && schema.Equal(was, c.Value) {
		return s, nil
	}
	f, err := s.Form.Set(c.Path, c.Value)
	return withForm(s, f, err)
}

// Clear removes a property.
type Clear struct{ Path schema.Path }

// Label names the property.
func (c Clear) Label() verb.Phrase { return verb.Clear.Of(propertyName(c.Path)) }

// MergeKey is that of a Set of the path, since emptying a field is also typing.
func (c Clear) MergeKey() string { return "set " + c.Path.String() }

// Do clears the value; if it is absent, Do changes nothing.
func (c Clear) Do(s State) (State, error) {
	s = s.withoutPending(c.Path)
	if _, ok := schema.Lookup(s.Form.Tree(), c.Path); !ok {
		return s, nil
	}
	f, err := s.Form.Clear(c.Path)
	return withForm(s, f, err)
}

// InsertItem inserts a value into a list, before the element at the path.
type InsertItem struct {
	Path  schema.Path
	Value any
	Name  string // names the element in the label
}

// Label names what was added.
func (c InsertItem) Label() verb.Phrase { return verb.Add.Of(c.Name) }

// Do inserts the value.
func (c InsertItem) Do(s State) (State, error) {
	f, err := s.Form.Insert(c.Path, c.Value)
	return withForm(s, f, err)
}

// RemoveItem removes an element from a list.
type RemoveItem struct {
	Path schema.Path
	Name string
}

// Label names what was removed.
func (c RemoveItem) Label() verb.Phrase { return verb.Remove.Of(c.Name) }

// Do removes the element.
func (c RemoveItem) Do(s State) (State, error) {
	if _, ok := schema.Lookup(s.Form.Tree(), c.Path); !ok {
		return s, fmt.Errorf("remove %s: %w", c.Name, schema.ErrNoPlace)
	}
	f, err := s.Form.Clear(c.Path)
	return withForm(s, f, err)
}

// MoveItem moves an element within a list.
type MoveItem struct {
	List     schema.Path
	From, To int // To is its new index
	Name     string
}

// Label names what was moved.
func (c MoveItem) Label() verb.Phrase { return verb.Reorder.Of(c.Name) }

// Do moves the element.
func (c MoveItem) Do(s State) (State, error) {
	v, ok := schema.Lookup(s.Form.Tree(), c.List.Index(c.From))
	l, _ := schema.Lookup(s.Form.Tree(), c.List)
	list, _ := l.([]any)
	if !ok || c.To < 0 || c.To >= len(list) {
		return s, fmt.Errorf("reorder %s: %w", c.Name, schema.ErrNoPlace)
	}
	if c.From == c.To {
		return s, nil
	}
	f, err := s.Form.Clear(c.List.Index(c.From))
	if err == nil {
		f, err = f.Insert(c.List.Index(c.To), v)
	}
	return withForm(s, f, err)
}

func withForm(s State, f *model.Form, err error) (State, error) {
	if err != nil {
		return s, err
	}
	s.Selection = s.Selection.follow(s.Form, f)
	s.Form = f
	return s, nil
}

// propertyName describes the last property of a path in words.
func propertyName(p schema.Path) string {
	for _, e := range slices.Backward(p) {
		if e.Index < 0 {
			return schema.Words(e.Key)
		}
	}
	return "form"
}
