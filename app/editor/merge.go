package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// Merge brings what was saved elsewhere into the form under edit: theirs is what
// is saved from now on, and what differs from it is still to be saved. It is one
// undo step; taking it back leaves the form as it was before, and to save it then
// replaces theirs. Conflicts hold the places where both changed one thing; the
// form has this side's value there, and Conflict.TakeTheirs gives the other.
func (e *Editor) Merge(theirs *model.Form) ([]merge.Conflict, error) {
	if e.config.ReadOnly {
		return nil, ErrReadOnly
	}
	merged, conflicts := merge.Forms(e.saved.form, e.state.Form, theirs)
	return conflicts, e.adopt(theirs, replace{name: "Merge what was saved elsewhere", form: merged, typed: true})
}

// LoadSaved puts the form that was saved elsewhere in the place of the one under
// edit, which is one undo step: what was not saved here is not lost.
func (e *Editor) LoadSaved(theirs *model.Form) error {
	if e.config.ReadOnly {
		return ErrReadOnly
	}
	return e.adopt(theirs, replace{name: "Load the saved version", form: theirs})
}

// adopt takes a form as what is saved and runs the command that brings it in, as an
// undo step of its own.
func (e *Editor) adopt(theirs *model.Form, c Command) error {
	e.saved.form = theirs
	if err := e.Run(c); err != nil {
		return err
	}
	e.Seal()
	e.revision++
	e.notify()
	return nil
}

// Discard returns the command that gives up all that is not saved.
func (e *Editor) Discard() Command { return replace{name: "Discard unsaved work", form: e.saved.form} }

// replace puts a form in the place of the one under edit.
type replace struct {
	name  string
	form  *model.Form
	typed bool // keeps texts that the form cannot hold yet
}

// Label is the name.
func (c replace) Label() string { return c.name }

// Do takes the form over.
func (c replace) Do(s State) (State, error) {
	s.Form = c.form
	if !c.typed {
		s.Pending = nil
	}
	return s, nil
}

// TakeTheirs gives one place that both sides changed the other side's value.
type TakeTheirs struct{ Conflict merge.Conflict }

// Label says what happens.
func (TakeTheirs) Label() string { return "Take the saved version of one place" }

// Do takes the value over.
func (c TakeTheirs) Do(s State) (State, error) {
	f, err := c.Conflict.TakeTheirs(s.Form)
	return withForm(s, f, err)
}
