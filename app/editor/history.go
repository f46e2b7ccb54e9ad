package editor

import (
	"slices"

	"github.com/formgraph/formgraph/model"
)

// Step is one entry of the history as a list of states: what the form is after
// the command of that label.
type Step struct {
	Label   string // "" of the first, which is what the form was before any of them
	Current bool   // the state that is shown
	// Saved tells that a form like this is what the server holds: several can be,
	// after a change that was taken back by hand, and none when it is not here.
	Saved bool
}

// Steps returns the states that JumpTo leads to, the oldest first. There is always
// one, and exactly one is current; of those behind it Redo does the first. The
// oldest commands are forgotten after some hundred.
//
// Each call compares every state with the saved form, so it is for a list that is
// being shown. States share their nodes, and the comparison passes over those.
func (e *Editor) Steps() []Step {
	steps := []Step{{Saved: e.isSaved(e.stateAt(0).Form)}}
	for _, ent := range e.done {
		steps = append(steps, Step{Label: ent.label, Saved: e.isSaved(ent.after.Form)})
	}
	for _, ent := range slices.Backward(e.gone) {
		steps = append(steps, Step{Label: ent.label, Saved: e.isSaved(ent.after.Form)})
	}
	steps[len(e.done)].Current = true
	return steps
}

// JumpTo makes the i-th of Steps the current one, as Undo or Redo do when they are
// called often enough, but tells observers once. It returns false when there is
// no such step. A jump to where the editor is changes nothing.
func (e *Editor) JumpTo(i int) bool {
	if i < 0 || i > len(e.done)+len(e.gone) {
		return false
	}
	if i == len(e.done) {
		return true
	}
	s := e.stateAt(i)
	for len(e.done) > i {
		last := len(e.done) - 1
		e.done, e.gone = e.done[:last], append(e.gone, e.done[last])
	}
	for len(e.done) < i {
		last := len(e.gone) - 1
		e.gone, e.done = e.gone[:last], append(e.done, e.gone[last])
	}
	e.sealed = true
	e.set(s)
	return true
}

// stateAt returns the state of the i-th step. As with Undo and Redo, the selection
// is that from which the way there comes.
func (e *Editor) stateAt(i int) State {
	switch n := len(e.done); {
	case i < n:
		return e.done[i].before
	case i > n:
		return e.gone[len(e.gone)-(i-n)].after
	}
	return e.state
}

func (e *Editor) isSaved(f *model.Form) bool {
	return f == e.saved || model.Diff(e.saved, f).Empty()
}
