package editor

import (
	"strconv"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// Merge merges the form that was saved elsewhere into the form under edit. From then on theirs is the saved form, and every difference from
// it is unsaved. The merge is one undo step. Undoing it restores the form as it was before, and saving that replaces theirs. The conflicts
// are the places that both sides changed. The form has this side's value there; Conflict.TakeTheirs takes the other.
func (e *Editor) Merge(theirs *model.Form) ([]merge.Conflict, error) {
	if e.config.ReadOnly {
		return nil, ErrReadOnly
	}
	merged, conflicts := merge.Forms(e.saved.form, e.state.Form, theirs)
	return conflicts, e.adopt(theirs, replace{name: verb.Merge.With("what was saved elsewhere"), form: merged, typed: true})
}

// adopt makes theirs the saved form and runs the command that loads it, as a separate undo step.
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

// Discard returns the command that discards all unsaved work.
func (e *Editor) Discard() Command {
	return replace{name: verb.Discard.With("unsaved work"), form: e.saved.form}
}

// replace replaces the form under edit.
type replace struct {
	name  verb.Phrase
	form  *model.Form
	typed bool // keeps texts that the form cannot hold yet
}

// Label is the name.
func (c replace) Label() verb.Phrase { return c.name }

// Do replaces the form.
func (c replace) Do(s State) (State, error) {
	s.Form = c.form
	if !c.typed {
		s.Pending = nil
	}
	return s, nil
}

// TakeTheirs resolves conflicts with the values of the other side, as one step.
type TakeTheirs struct {
	Conflicts []merge.Conflict
	Name      verb.Phrase // the label, zero for that of a version that was saved
}

// Label describes the command.
func (c TakeTheirs) Label() verb.Phrase {
	if c.Name != (verb.Phrase{}) {
		return c.Name
	}
	if len(c.Conflicts) == 1 {
		return verb.Take.With("the saved version of one place")
	}
	return verb.Take.With("the saved version of " + strconv.Itoa(len(c.Conflicts)) + " places")
}

// Do sets the values. A place whose element no longer exists has none.
func (c TakeTheirs) Do(s State) (State, error) {
	return withForm(s, merge.TakeTheirs(s.Form, c.Conflicts), nil)
}

// TakeSaved adopts the version that somebody else saved. It is not an undo step: the change is made in every state of the history, so that
// undo and redo revert and repeat only the person's own steps. It returns what the other changed, and the conflicts with unsaved edits, which
// stay. See Answered. shared is the form that people edit together as the other saved it, if that is known: the form under edit was made from
// it, and from the saved version before otherwise. A state of the history keeps its value only in a conflict that is not decided: undo must not
// bring an older value back over theirs.
func (e *Editor) TakeSaved(shared, theirs *model.Form) ([]merge.Change, []merge.Conflict) {
	if shared == nil {
		shared = e.saved.form
	}
	return rebased(e, shared, theirs, keeping)
}
