package editor

import (
	"time"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
)

// Past is the history of an editor as data, for drafts and Restore. The states are shared with the editor and immutable.
type Past struct {
	Origin State  // before the first step
	Before int    // serial of the step that led to Origin, 0 if the editor began with Origin
	Steps  []Done // oldest first, undone ones last
	At     int    // how many of Steps are done; the others can be redone
	Saved  *model.Form
}

// Done is one step of a Past.
type Done struct {
	Serial int // positive and unique in this editor
	Label  verb.Phrase
	At     time.Time
	State  State // after the step
}

// Now returns the current state of a Past.
func (p Past) Now() State {
	if p.At == 0 {
		return p.Origin
	}
	return p.Steps[p.At-1].State
}

// Past returns the history as it is now. While several people edit the form, it has a single step, which leads to the present state: the
// others' changes reach the states of the history only when they are needed.
func (e *Editor) Past() Past {
	h := &e.history
	if p, ok := e.others.past(&e.history, e.saved.form, e.state, e.config.Now); ok {
		return p
	}
	p := Past{Origin: h.origin(e.state), Before: h.forgotten, At: h.done, Saved: e.saved.form, Steps: make([]Done, 0, len(h.steps))}
	for i := range h.steps {
		ent := &h.steps[i]
		p.Steps = append(p.Steps, Done{ent.serial, ent.label, ent.at, ent.after})
	}
	return p
}

// Restore returns an editor that continues where another one left off. Nothing is selected, and the next command is not merged with the
// last one.
func Restore(p Past, c Config) *Editor {
	e := unopened(p.Saved, c)
	h := history{done: p.At, sealed: true, forgotten: p.Before, serial: p.Before}
	before := p.Origin
	for _, s := range p.Steps {
		h.serial = max(h.serial, s.Serial)
		h.steps = append(h.steps, entry{serial: s.Serial, label: s.Label, before: before, after: s.State, at: s.At})
		before = s.State
	}
	e.history = h
	now := p.Now()
	now.Selection = Selection{}
	e.set(now)
	return e
}
