package editor

import (
	"slices"
	"time"

	"github.com/formgraph/formgraph/model"
)

// Past is the history of an editor as data: what a draft keeps and Restore brings
// back. The states are the editor's own and immutable.
type Past struct {
	Origin State  // before the first step
	Before int    // serial of the step that led to Origin, 0 when Origin is how the editor began
	Steps  []Done // oldest first, undone ones behind
	At     int    // how many of Steps are done; the rest can be redone
	Saved  *model.Form
}

// Done is one step of a Past.
type Done struct {
	Serial int // positive; another step of this editor never has it
	Label  string
	At     time.Time
	State  State // after the step
}

// Now returns the state that a Past is at.
func (p Past) Now() State {
	if p.At == 0 {
		return p.Origin
	}
	return p.Steps[p.At-1].State
}

// Past returns the history as it is now.
func (e *Editor) Past() Past {
	p := Past{Origin: e.state, Before: e.forgotten, At: len(e.done), Saved: e.saved, Steps: make([]Done, 0, len(e.done)+len(e.gone))}
	add := func(ent entry) { p.Steps = append(p.Steps, Done{ent.serial, ent.label, ent.at, ent.after}) }
	for _, ent := range e.done {
		add(ent)
	}
	for _, ent := range slices.Backward(e.gone) {
		add(ent)
	}
	switch {
	case len(e.done) > 0:
		p.Origin = e.done[0].before
	case len(e.gone) > 0:
		p.Origin = e.gone[len(e.gone)-1].before
	}
	return p
}

// Restore returns an editor that is where another one left off. Nothing is
// selected, and the next command does not join the last one.
func Restore(p Past, c Config) *Editor {
	e := &Editor{config: c, saved: p.Saved, sealed: true}
	before := p.Origin
	var ents []entry
	e.forgotten, e.serial = p.Before, p.Before
	for _, s := range p.Steps {
		e.serial = max(e.serial, s.Serial)
		ents = append(ents, entry{serial: s.Serial, label: s.Label, before: before, after: s.State, at: s.At})
		before = s.State
	}
	e.done = ents[:p.At:p.At]
	for i := len(ents) - 1; i >= p.At; i-- {
		e.gone = append(e.gone, ents[i])
	}
	now := p.Now()
	now.Selection = Selection{}
	e.set(now)
	return e
}
