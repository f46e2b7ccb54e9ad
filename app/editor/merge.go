package editor

import "github.com/formgraph/formgraph/model"

// Merge brings what was saved elsewhere into the form under edit: theirs is what
// is saved from now on, and what differs from it is still to be saved. It is one
// undo step; taking it back leaves the form as it was before, and to save it then
// replaces theirs. Conflicts hold the places where both changed one thing; the
// form has this side's value there, and Conflict.TakeTheirs gives the other.
func (e *Editor) Merge(theirs *model.Form) ([]model.Conflict, error) {
	if e.config.ReadOnly {
		return nil, ErrReadOnly
	}
	merged, conflicts := model.Merge(e.saved, e.state.Form, theirs)
	e.saved = theirs
	if err := e.Run(merge{merged}); err != nil {
		return nil, err
	}
	e.sealed = true
	e.notify()
	return conflicts, nil
}

// merge puts a merged form in place.
type merge struct{ form *model.Form }

// Label says what happens.
func (merge) Label() string { return "Merge what was saved elsewhere" }

// Do takes the form over.
func (c merge) Do(s State) (State, error) {
	s.Form = c.form
	return s, nil
}

// TakeTheirs gives one place that both sides changed the other side's value.
type TakeTheirs struct{ Conflict model.Conflict }

// Label says what happens.
func (TakeTheirs) Label() string { return "Take the saved version of one place" }

// Do takes the value over.
func (c TakeTheirs) Do(s State) (State, error) {
	f, err := c.Conflict.TakeTheirs(s.Form)
	return withForm(s, f, err)
}
