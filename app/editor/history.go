package editor

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
)

// mergeWindow is how long after a command the next may still be merged with it: after a pause in typing a new undo step begins.
const mergeWindow = time.Second

// maxEntries bounds the undo steps. Forms share their nodes, so an entry costs only the list of nodes and the changed parts.
const maxEntries = 500

// history holds the steps that were done, and those that were undone and can be redone. No slice of its steps leaves the package, so they are
// changed in place.
type history struct {
	steps     []entry   // oldest first, undone ones last
	done      int       // how many of the steps are done
	sealed    bool      // the next command may not be merged with the last one
	serial    int       // of the newest entry
	forgotten int       // serial of the last entry that was dropped, 0 for none
	began     time.Time // when the state before the first step came about, zero if that is not known
}

// entry is one step of the history.
type entry struct {
	serial        int // identifies the entry in this editor; never reused
	label         verb.Phrase
	before, after State
	mergeKey      string
	at            time.Time
}

// record adds the step of a command, or merges it with the last one. carry returns a state with what others did since.
func (h *history) record(c Command, before, after State, at time.Time, carry func(State) State) {
	h.serial++
	ent := entry{serial: h.serial, label: c.Label(), before: before, after: after, at: at}
	if m, ok := c.(Merger); ok {
		ent.mergeKey = m.MergeKey()
	}
	keep := h.done
	if keep > 0 && !h.sealed {
		last := &h.steps[keep-1]
		if ent.mergeKey != "" && last.mergeKey == ent.mergeKey && ent.at.Sub(last.at) < mergeWindow {
			ent.before = carry(last.before)
			keep--
		}
	}
	h.steps = append(slices.Delete(h.steps, keep, len(h.steps)), ent)
	if n := len(h.steps) - maxEntries; n > 0 {
		h.begin(n)
		clear(h.steps[:n]) // lets their forms go; the slots go when the slice grows
		h.steps = h.steps[n:]
	}
	h.done, h.sealed = len(h.steps), false
}

// begin makes the state after the first n steps, which are dropped, the first one.
func (h *history) begin(n int) { h.forgotten, h.began = h.steps[n-1].serial, h.steps[n-1].at }

// rewrite replaces every state of the history. The steps get new serials, since a draft that has the old ones must be written again.
func (h *history) rewrite(f func(State) State) {
	h.serial++
	h.forgotten = h.serial
	for i := range h.steps {
		ent := &h.steps[i]
		h.serial++
		ent.serial, ent.before, ent.after = h.serial, f(ent.before), f(ent.after)
	}
}

// origin returns the state before the first step; now is the current state.
func (h *history) origin(now State) State {
	if len(h.steps) > 0 {
		return h.steps[0].before
	}
	return now
}

// jump makes i the number of done steps, and returns the state. As with undo and redo, the selection is that of the adjacent step on the
// way. i must differ from the current number.
func (h *history) jump(i int) State {
	to := h.steps[max(i-1, 0)].after
	if i < h.done {
		to = h.steps[i].before
	}
	h.done, h.sealed = i, true
	return to
}

// LastStep returns the serial of the step that Undo would revert, 0 if there is none.
func (e *Editor) LastStep() int {
	if e.history.done == 0 {
		return 0
	}
	return e.history.steps[e.history.done-1].serial
}

// Undo reverts the last step and returns it, or false if there is none. Step.Saved is not set.
func (e *Editor) Undo() (s Step, ok bool) {
	s = e.history.step(e.history.done - 1)
	return s, e.JumpTo(e.history.done - 1)
}

// Redo repeats the last undone step and returns it, or false if there is none. Step.Saved is not set.
func (e *Editor) Redo() (s Step, ok bool) {
	s = e.history.step(e.history.done)
	return s, e.JumpTo(e.history.done + 1)
}

// UndoLabel names the step that Undo would revert, "" if there is none.
func (e *Editor) UndoLabel() string { return e.history.step(e.history.done - 1).Label.String() }

// RedoLabel names the step that Redo would repeat, "" if there is none.
func (e *Editor) RedoLabel() string { return e.history.step(e.history.done).Label.String() }

// step returns a step, the zero Step if there is no such step.
func (h *history) step(i int) Step {
	if i < 0 || i >= len(h.steps) {
		return Step{}
	}
	ent := &h.steps[i]
	return Step{Label: ent.label, At: ent.at, Serial: ent.serial, before: ent.before.Form, after: ent.after.Form}
}

// Step is one state in the history: the state after the command with the label.
type Step struct {
	Label   verb.Phrase // zero for the first state, before any command
	Current bool        // the state is shown
	// Saved reports that the form equals the one on the server. This may be true for several steps, after a change was reverted by hand, or
	// for none.
	Saved  bool
	At     time.Time // when the command was run, or the form was opened; zero if the form is from a draft
	Serial int       // identifies the command and its states in this editor, 0 for the first state

	before, after *model.Form
}

// Forms returns the forms before and after the command. Both are nil for the first state.
func (s *Step) Forms() (before, after *model.Form) { return s.before, s.after }

// Difference returns the forms before and after the command, without the nodes that both share. Both are nil for the first state.
func (s *Step) Difference() (before, after *model.Form) {
	if s.before == nil {
		return nil, nil
	}
	return merge.Differing(s.before, s.after)
}

// Steps returns the states to which JumpTo can jump, the oldest first. There is at least one, and exactly one is current. Redo leads to the
// one after it. Only the last 500 commands are kept.
//
// Each call compares every state with the saved form, so call it only to show the list. States share nodes, which the comparison skips.
func (e *Editor) Steps() []Step {
	is := func(f *model.Form) bool { return f == e.saved.form || model.Diff(e.saved.form, f).Empty() }
	steps := []Step{{Saved: is(e.history.origin(e.state).Form), At: e.history.began}}
	for i := range e.history.steps {
		s := e.history.step(i)
		s.Saved = is(s.after)
		steps = append(steps, s)
	}
	steps[e.history.done].Current = true
	return steps
}

// JumpTo makes the i-th of Steps the current one, as repeated calls of Undo or Redo would, but notifies observers once. It returns false if
// there is no such step. A jump to the current step changes nothing.
func (e *Editor) JumpTo(i int) bool {
	if i < 0 || i > len(e.history.steps) {
		return false
	}
	if i != e.history.done {
		e.set(e.others.carry(e.history.jump(i)))
	}
	return true
}
