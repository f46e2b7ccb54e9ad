// Package editor is the editor without a screen: the form under edit, the selection, commands, the history and the unsaved changes. It runs
// and is tested natively; the browser draws a State and runs Commands.
//
// The package knows no DOM, no network and no clock.
package editor

import (
	"errors"
	"slices"
	"time"

	"github.com/formgraph/formgraph/app/verb"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/flow"
	"github.com/formgraph/formgraph/model/pause"
)

// State is a state to which undo returns: the form, the texts that it cannot hold, and the selection. It is immutable.
type State struct {
	Form      *model.Form
	Pending   []Pending // in the order in which they were typed
	Selection Selection

	seen int // how many changes of others it contains, see others
}

// sameContent reports whether s and t differ at most in the selection.
func (s State) sameContent(t State) bool {
	return s.Form == t.Form && slices.EqualFunc(s.Pending, t.Pending, Pending.Equal)
}

// A Command computes the next state. Do must not change its argument. If the command does not apply, Do returns an error that explains why.
type Command interface {
	// Label names the command in the Undo button and the history, as in "Move 2 nodes".
	Label() verb.Phrase
	Do(State) (State, error)
}

// Merger is a Command that may be merged with the previous one in the history if both have the same key and little time has passed, as when
// somebody types in one field.
type Merger interface {
	Command
	// MergeKey identifies what is edited. A command whose key is "" is never merged.
	MergeKey() string
}

// ErrReadOnly is returned for a command in an editor whose user may not change the form.
var ErrReadOnly = errors.New("the form is open for reading only")

// Config holds the dependencies of an Editor: a clock, random numbers and options.
type Config struct {
	Now      func() time.Time // nil means time.Now
	Rand     func(n int) int  // returns a number from 0 to n-1
	Dialect  model.Dialect    // determines the names of new components; "" means model.SpecDialect
	ReadOnly bool
	// Remote reports that the form belongs to a tenant that is not ours. Its properties that our tables do not list are warnings, and problems
	// of the saved form do not block a save: see Own.
	Remote bool
}

// Editor holds one form under edit. It is not safe for concurrent use: in the
// browser all of it runs on one thread.
type Editor struct {
	config   Config
	state    State
	history  history
	others   others
	saved    saved
	findings findings
	causes   causes
	trials   trials
	early    early
	watchers []*func()
	revision int    // see Revision
	touched  string // see Maker
}

// New returns an editor of a saved form.
func New(f *model.Form, c Config) *Editor {
	e := unopened(f, c)
	e.history.began = e.config.Now()
	e.set(State{Form: f})
	return e
}

// unopened returns an editor of a saved form that has no state yet. Its findings are for people, who see names in quotation marks everywhere.
func unopened(f *model.Form, c Config) *Editor {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Editor{config: c, saved: saved{form: f}, findings: findings{remote: c.Remote, prover: flow.Prover{Quoted: true}}}
}

// State returns the current state.
func (e *Editor) State() State { return e.state }

// Remote reports whether the form belongs to a tenant that is not ours.
func (e *Editor) Remote() bool { return e.config.Remote }

// ReadOnly reports whether commands are refused.
func (e *Editor) ReadOnly() bool { return e.config.ReadOnly }

// Can returns nil if the command would apply now, else the reason why it would not. It is used to disable buttons and to show, while a
// connection is dragged, that a drop would be refused.
func (e *Editor) Can(c Command) error {
	if e.config.ReadOnly {
		return ErrReadOnly
	}
	_, err := c.Do(e.state)
	return err
}

// Run applies a command and records it as one undo step, or merges it with the last one. A command that does not change the form only sets
// the selection.
func (e *Editor) Run(c Command) error {
	if e.config.ReadOnly {
		return ErrReadOnly
	}
	next, err := c.Do(e.state)
	if err != nil {
		return err
	}
	next = next.followPending(e.state.Form)
	if next.sameContent(e.state) {
		e.Select(next.Selection)
		return nil
	}
	next.Selection, next.seen = next.Selection.within(next.Form), e.state.seen
	e.history.record(c, e.state, next, e.config.Now(), e.others.carry)
	e.set(next)
	return nil
}

// Revision returns a number that increases with every change of the content, the history or the saved form. Selecting does not increase it.
func (e *Editor) Revision() int { return e.revision }

// Seal makes the next command a separate undo step, which is not merged with the last one.
func (e *Editor) Seal() { e.history.sealed = true }

// Select sets the selection. It is not an undo step and does not clear redo.
func (e *Editor) Select(s Selection) {
	s = s.within(e.state.Form)
	if s.Equal(e.state.Selection) {
		return
	}
	e.state.Selection = s
	if key := s.Only(); isStep(e.state.Form, key) {
		e.touched = key
	}
	e.Seal()
	e.notify()
}

// Observe calls f after every change of the form, the selection, the problems or the saved form, until stop is called.
func (e *Editor) Observe(f func()) (stop func()) {
	p := &f
	e.watchers = append(e.watchers, p)
	return func() {
		e.watchers = slices.DeleteFunc(slices.Clone(e.watchers), func(q *func()) bool { return q == p })
	}
}

func (e *Editor) set(s State) {
	e.revision++
	if e.state.Form == nil || !s.sameContent(e.state) {
		pause.Now()
		e.findings.check(s)
		pause.Now()
	}
	e.state = s
	if key := s.Selection.Only(); isStep(s.Form, key) {
		e.touched = key
	}
	e.notify()
}

func (e *Editor) notify() {
	for _, f := range e.watchers {
		(*f)()
		pause.Now()
	}
}
