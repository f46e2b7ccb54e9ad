package editor

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/model"
)

// mergeWindow is how long after a command the next may still be merged with it: after a pause in typing a new undo step begins.
const mergeWindow = 500 * time.Millisecond

// maxEntries bounds the undo steps. Forms share their nodes, so an entry costs only the list of nodes and the changed parts.
const maxEntries = 500

// history holds the steps that were done, and those that were undone and can be redone.
type history struct {
	done      []entry // oldest first
	gone      []entry // the next to redo is the last
	sealed    bool    // the next command may not be merged with the last one
	serial    int     // of the newest entry
	forgotten int     // serial of the last entry that was dropped, 0 for none
}

// entry is one step of the history.
type entry struct {
	serial        int // identifies the entry in this editor; never reused
	label         string
	before, after State
	mergeKey      string
	at            time.Time
}

// record adds the step of a command, or merges it with the last one.
func (h *history) record(c Command, before, after State, at time.Time) {
	h.serial++
	ent := entry{serial: h.serial, label: c.Label(), before: before, after: after, at: at}
	if m, ok := c.(Merger); ok {
		ent.mergeKey = m.MergeKey()
	}
	if last := len(h.done) - 1; last >= 0 && !h.sealed && ent.mergeKey != "" && h.done[last].mergeKey == ent.mergeKey &&
		ent.at.Sub(h.done[last].at) <= mergeWindow {
		ent.before = h.done[last].before
		h.done = h.done[:last]
	}
	h.done = append(h.done, ent)
	if n := len(h.done) - maxEntries; n > 0 {
		h.forgotten = h.done[n-1].serial
		h.done = slices.Delete(h.done, 0, n)
	}
	h.gone, h.sealed = nil, false
}

// rewrite replaces every state of the history. The steps get new serials, since a draft that has the old ones must be written again.
func (h *history) rewrite(f func(State) State) {
	h.serial++
	h.forgotten = h.serial
	done := len(h.done)
	all := h.all()
	for i, ent := range all {
		h.serial++
		all[i].serial, all[i].before, all[i].after = h.serial, f(ent.before), f(ent.after)
	}
	h.done, h.gone = all[:done:done], slices.Clone(all[done:])
	slices.Reverse(h.gone)
}

// all returns the steps in order; undone ones come last.
func (h *history) all() []entry {
	all := slices.Clone(h.done)
	for _, ent := range slices.Backward(h.gone) {
		all = append(all, ent)
	}
	return all
}

// origin returns the state before the first step; now is the current state.
func (h *history) origin(now State) State {
	if all := h.all(); len(all) > 0 {
		return all[0].before
	}
	return now
}

// jump makes i the number of done steps, and returns the state. As with undo and redo, the selection is that of the adjacent step on the
// way. i must differ from the current number.
func (h *history) jump(i int) State {
	all := h.all()
	var to State
	if i < len(h.done) {
		to = all[i].before
	} else {
		to = all[i-1].after
	}
	h.done, h.gone, h.sealed = all[:i:i], all[i:], true
	slices.Reverse(h.gone)
	return to
}

// Undo reverts the last step and returns its label, or "" and false if there is none.
func (e *Editor) Undo() (label string, ok bool) {
	label = e.UndoLabel()
	return label, e.JumpTo(len(e.history.done) - 1)
}

// Redo repeats the last undone step and returns its label, or "" and false if there is none.
func (e *Editor) Redo() (label string, ok bool) {
	label = e.RedoLabel()
	return label, e.JumpTo(len(e.history.done) + 1)
}

// UndoLabel returns the label of the step that Undo would revert, "" if there is none.
func (e *Editor) UndoLabel() string { return lastLabel(e.history.done) }

// RedoLabel returns the label of the step that Redo would repeat, "" if there is none.
func (e *Editor) RedoLabel() string { return lastLabel(e.history.gone) }

func lastLabel(es []entry) string {
	if len(es) == 0 {
		return ""
	}
	return es[len(es)-1].label
}

// Step is one state in the history: the state after the command with the label.
type Step struct {
	Label   string // "" for the first state, before any command
	Current bool   // the state is shown
	// Saved reports that the form equals the one on the server. This may be true for several steps, after a change was reverted by hand, or
	// for none.
	Saved bool
}

// Steps returns the states to which JumpTo can jump, the oldest first. There is at least one, and exactly one is current. Redo leads to the
// one after it. Only the last 500 commands are kept.
//
// Each call compares every state with the saved form, so call it only to show the
// list. States share nodes, which the comparison skips.
func (e *Editor) Steps() []Step {
	is := func(f *model.Form) bool { return f == e.saved.form || model.Diff(e.saved.form, f).Empty() }
	steps := []Step{{Saved: is(e.history.origin(e.state).Form)}}
	for _, ent := range e.history.all() {
		steps = append(steps, Step{Label: ent.label, Saved: is(ent.after.Form)})
	}
	steps[len(e.history.done)].Current = true
	return steps
}

// JumpTo makes the i-th of Steps the current one, as repeated calls of Undo or Redo would, but notifies observers once. It returns false if
// there is no such step. A jump to the current step changes nothing.
func (e *Editor) JumpTo(i int) bool {
	if i < 0 || i > len(e.history.done)+len(e.history.gone) {
		return false
	}
	if i != len(e.history.done) {
		e.set(e.history.jump(i))
	}
	return true
}
