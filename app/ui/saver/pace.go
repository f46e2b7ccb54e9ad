package saver

import "time"

// When a form that is saved as it is edited is saved.
const (
	// editPause is how long after the last edit.
	editPause = 2 * time.Second
	// editMost is how long after the first unsaved edit at most, while the typing goes on.
	editMost = 10 * time.Second
	// holdPause is how soon the page looks again whether what held a save up is over.
	holdPause = 500 * time.Millisecond
)

// pace decides when the form is saved as it is edited. The zero pace waits for nothing.
type pace struct {
	first, last time.Time // the edits of this page that are not saved, zero for none
}

// edited records an edit.
func (p *pace) edited(now time.Time) {
	if p.last = now; p.first.IsZero() {
		p.first = now
	}
}

// waits reports whether there is something to save.
func (p *pace) waits() bool { return !p.first.IsZero() }

// rest records that everything is saved or being saved.
func (p *pace) rest() { *p = pace{} }

// next returns how long to wait before the form is saved, 0 for now. held reports that it must not be saved yet.
func (p *pace) next(now time.Time, held bool) time.Duration {
	due := p.last.Add(editPause)
	if most := p.first.Add(editMost); most.Before(due) {
		due = most
	}
	wait := max(due.Sub(now), 0)
	if wait == 0 && held {
		return holdPause
	}
	return wait
}
