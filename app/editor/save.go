package editor

import (
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// saved is the form on the server, with a memo of how another form differs from it.
type saved struct {
	form    *model.Form
	of, to  *model.Form // the two forms that patch compares
	patch   model.Patch
	changes int // of patch, as people count them; 0 if nobody has asked
}

// changesTo returns the patch from the saved form to another. The screen asks several times per frame, so the patch is kept until one of
// the two forms changes.
func (s *saved) changesTo(now *model.Form) model.Patch {
	if s.of != s.form || s.to != now {
		s.of, s.to, s.patch, s.changes = s.form, now, model.Diff(s.form, now), 0
	}
	return s.patch
}

// Changes returns the smallest patch that turns the saved form into the one being edited. It is empty if there is nothing to save. It is a
// difference, not a flag, so undoing everything leaves nothing to save.
func (e *Editor) Changes() model.Patch { return e.saved.changesTo(e.state.Form) }

// ChangesTo returns the smallest patch that turns the saved form into another one.
func (e *Editor) ChangesTo(f *model.Form) model.Patch {
	if f == e.state.Form {
		return e.Changes()
	}
	return model.Diff(e.saved.form, f)
}

// Unsaved reports whether closing the editor would lose anything: a
// difference from the saved form, or a text that the form cannot hold. A form that is open for reading shows what others have not saved yet,
// and has nothing to lose.
func (e *Editor) Unsaved() bool {
	return !e.config.ReadOnly && (!e.Changes().Empty() || len(e.state.Pending) > 0)
}

// Saved sets the form that the server now has, the form as it was when the save was sent. Edits made meanwhile stay and are still unsaved.
// The history stays too. Answered is for an answer that may differ from what was sent.
func (e *Editor) Saved(f *model.Form) {
	e.saved.form = f
	e.revision++
	e.notify()
}

// Base returns the saved form.
func (e *Editor) Base() *model.Form { return e.saved.form }

// ChangeCount returns the number of differences from the saved form, as a person would count them: each node, component and rule that was
// added, removed or moved in its list, and each property with another value. Coordinates count as one change, however many nodes moved. It
// is meant for people; use Unsaved for decisions.
func (e *Editor) ChangeCount() int { return len(e.state.Pending) + e.saved.countTo(e.state.Form) }

// countTo counts the changes from the saved form to another.
func (s *saved) countTo(now *model.Form) int {
	if s.changesTo(now).Empty() || s.changes > 0 {
		return s.changes
	}
	of, is := merge.Differing(s.form, now)
	count, layout := 0, 0
	for _, c := range merge.Changes(of, is) {
		if c.Layout() {
			layout = 1
		} else {
			count++
		}
	}
	// A new order of the nodes is one change, although no node differs.
	s.changes = max(count+layout, 1)
	return s.changes
}
