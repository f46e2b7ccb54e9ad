package editor

import "github.com/formgraph/formgraph/model"

// Changes returns the smallest patch that makes the form under edit of the one
// that is saved. It is empty when there is nothing to save: dirty is a
// difference, not a flag, so undoing everything is clean again.
func (e *Editor) Changes() model.Patch { return model.Diff(e.saved, e.state.Form) }

// Saved tells the editor that a form is now what the server holds: the form as
// it was when the save was sent, with the times of the answer. What was typed
// meanwhile stays, and stays to be saved. The history stays too.
func (e *Editor) Saved(f *model.Form) {
	e.saved = f
	e.notify()
}

// Base returns the form that is saved.
func (e *Editor) Base() *model.Form { return e.saved }
