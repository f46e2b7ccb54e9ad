package editor

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/merge"
	"github.com/formgraph/formgraph/model/schema"
)

// others is what others did to a form that people edit together. The states of the history take it when they are needed: there may be hundreds
// of them, and others may type several times a second.
type others struct {
	taken     []carried
	blocks    []carried // each is blockSize of taken in one
	forgotten int       // the number of those before taken
	size      int       // of the forms in taken, see [model.Form.SizeBeside]

	// The single step of Past is from this form, and has this serial before it.
	origin *model.Form
	before int
}

// carried is a change of the shared form by others.
type carried struct {
	before, after *model.Form
	size          int              // of after beside before
	forks         []merge.Conflict // whose values stay in the states that have them
}

// Bounds of what is kept: states that lack more are forgotten. Forms share their nodes, so of a form with 12,000 nodes there are about 200; but
// others may replace all nodes each time.
const (
	blockSize = 64
	maxTaken  = 16_384
	maxSize   = 64 << 20
)

// seen returns the number of changes that a present state contains.
func (o *others) seen() int { return o.forgotten + len(o.taken) }

// add adds a change.
func (o *others) add(t carried) {
	t.size = t.after.SizeBeside(t.before)
	o.taken = append(o.taken, t)
	o.size += t.size
	if len(o.taken)%blockSize == 0 {
		all := o.taken[len(o.taken)-blockSize:]
		block := all[0]
		for _, t := range all[1:] {
			block.after = merge.Carry(t.before, block.after, t.after, keeping(t.forks))
			block.forks = append(slices.Clip(block.forks), t.forks...)
		}
		o.blocks = append(o.blocks, block)
	}
	for len(o.taken) > maxTaken || o.size > maxSize && len(o.taken) > 0 {
		o.forget()
	}
}

// forget forgets the oldest changes: a block, or one if there is at most a block.
func (o *others) forget() {
	n := blockSize
	if len(o.taken) > blockSize {
		o.blocks = slices.Clone(o.blocks[1:])
	} else {
		n, o.blocks = 1, nil
	}
	for _, t := range o.taken[:n] {
		o.size -= t.size
	}
	o.taken = slices.Clone(o.taken[n:])
	o.forgotten += n
}

// carry returns a state with the changes that it does not contain yet.
func (o *others) carry(s State) State {
	before := s.Form
	for at := max(0, s.seen-o.forgotten); at < len(o.taken); {
		t, n := o.taken[at], 1
		if at%blockSize == 0 && at/blockSize < len(o.blocks) {
			t, n = o.blocks[at/blockSize], blockSize
		}
		s.Form = merge.Carry(t.before, s.Form, t.after, keeping(t.forks))
		at += n
	}
	s.seen = o.seen()
	if s.Form != before {
		s = s.adopted(before)
	}
	return s
}

// keeping returns whether a state keeps its value in a conflict: it is one of forks, which the person has not decided.
func keeping(forks []merge.Conflict) func(merge.Conflict) bool {
	byKey := make(map[string][]merge.Conflict, len(forks))
	for _, f := range forks {
		byKey[f.Key()] = append(byKey[f.Key()], f)
	}
	return func(c merge.Conflict) bool {
		return len(byKey) > 0 && slices.ContainsFunc(byKey[c.Key()], func(f merge.Conflict) bool {
			return c.Mine.Present == f.Mine.Present && schema.Equal(c.Mine.Tree, f.Mine.Tree)
		})
	}
}

// forget removes the steps whose states lack changes that are no longer known. Those that can be redone are lost with them.
func (h *history) forget(before int) {
	n := 0
	for n < h.done && h.steps[n].before.seen < before {
		n++
	}
	if n == 0 && (h.done == len(h.steps) || h.steps[h.done].after.seen >= before) {
		return
	}
	to := len(h.steps)
	if h.done < to && h.steps[h.done].after.seen < before {
		to = h.done
	}
	if n > 0 {
		h.begin(n)
	}
	h.steps, h.done = slices.Clone(h.steps[n:to]), h.done-n
}

// Edits returns a number that increases with every change that increases Revision, except changes by others.
func (e *Editor) Edits() int { return e.revision - e.others.seen() }

// TakeOthers takes what others did to the form while several people edit it. before and after are the form that all of them share, before and
// after their change, and local is the form under edit with it. forks are the values in local that stay although others have changed them.
// None of this is an undo step: undo and redo revert and repeat only the person's own steps, except where others have changed the same
// value since.
func (e *Editor) TakeOthers(before, after, local *model.Form, forks []merge.Conflict) {
	e.others.add(carried{before: before, after: after, forks: forks})
	e.history.forget(e.others.forgotten)
	s, was := e.state, e.state.Form
	s.Form, s.seen = local, e.others.seen()
	e.set(s.adopted(was))
}

// past returns the history as a single step from the saved form to the present state. It returns false if others have changed nothing, so that all
// states of the history are complete.
func (o *others) past(h *history, saved *model.Form, present State, now func() time.Time) (Past, bool) {
	if o.seen() == 0 {
		return Past{}, false
	}
	h.serial++
	if o.origin != saved {
		o.origin, o.before = saved, h.serial
		h.serial++
	}
	step := Done{Serial: h.serial, Label: verb.Restore.With("unsaved changes"), At: now(), State: present}
	return Past{Origin: State{Form: o.origin}, Before: o.before, Saved: o.origin, At: 1, Steps: []Done{step}}, true
}
