package draft

import (
	"time"

	"github.com/formgraph/formgraph/app/editor"
)

// Status is the state of a form's draft.
type Status string

// The values of Status.
const (
	None     Status = "none"     // nothing is unsaved, or the last change is not written yet
	Kept     Status = "kept"     // all unsaved work is stored
	Restored Status = "restored" // the work was restored, and the user has not continued yet
	Failed   Status = "failed"   // the work could not be stored
)

// Store stores the parts of one draft. Both methods block until the change is
// durable, and are atomic.
type Store interface {
	Write(Batch) error
	Delete() error
}

// KeeperConfig configures a Keeper. Run starts work concurrently, and calls then with its error on the caller's goroutine. After calls f on
// that goroutine after d.
type KeeperConfig struct {
	Store   Store
	Editor  *editor.Editor
	ETag    func() string
	Now     func() time.Time
	Run     func(work func() error, then func(error))
	After   func(d time.Duration, f func())
	Changed func() // called when the status has changed, and after each failure
}

// The times of a Keeper. The first change after a pause is written at once, so that a change is stored within 300 ms even if a write has
// just begun.
const (
	pause  = 50 * time.Millisecond // between two writes, so that not every key press is written
	again  = 5 * time.Second       // until a failed write is retried
	others = 2 * time.Second       // until changes by others are written, which the server has anyway
)

// Keeper keeps the draft of a form in step with its editor. It is not safe for concurrent use.
type Keeper struct {
	KeeperConfig
	log     *Log
	status  Status
	err     error
	at      time.Time // when the stored work was changed; zero if nothing is stored
	handled int       // revision of the editor that is stored or being stored
	edits   int       // Editor.Edits at that revision
	busy    bool
	later   bool // changes by others wait to be written
	stopped bool
	closed  func() // see Close
}

// NewKeeper returns the Keeper of an editor whose work is not stored.
func NewKeeper(c KeeperConfig) *Keeper {
	return &Keeper{KeeperConfig: c, log: &Log{}, status: None, handled: c.Editor.Revision()}
}

// Continue returns the Keeper of an editor that was restored from a draft of that time. log knows the parts of the draft.
func Continue(c KeeperConfig, log *Log, at time.Time) *Keeper {
	return &Keeper{KeeperConfig: c, log: log, status: Restored, at: at, handled: -1}
}

// Status returns the status of the draft and, for Failed, the reason.
func (k *Keeper) Status() (Status, error) { return k.status, k.err }

// KeptAt returns when the stored work was last changed, zero if nothing is stored.
func (k *Keeper) KeptAt() time.Time { return k.at }

// Busy reports whether a write is in progress.
func (k *Keeper) Busy() bool { return k.busy }

// Dismiss ends Restored, once the user has seen that the work was restored.
func (k *Keeper) Dismiss() {
	if k.status == Restored {
		k.set(Kept, nil)
	}
}

// Stop stops the Keeper: it writes nothing from now on.
func (k *Keeper) Stop() { k.stopped = true }

// Close writes what remains to be written and then calls done.
func (k *Keeper) Close(done func()) {
	k.closed = done
	k.Follow()
	if !k.busy {
		done()
	}
}

// Follow stores what has changed. Call it after every change of the editor. Changes by others are stored two seconds later.
func (k *Keeper) Follow() {
	switch {
	case k.status != Kept || k.edits != k.Editor.Edits() || k.closed != nil || k.stopped:
		k.store()
	case !k.later && k.handled != k.Editor.Revision():
		k.later = true
		k.After(others, func() {
			k.later = false
			k.store()
		})
	}
}

// store stores what has changed now.
func (k *Keeper) store() {
	was, revision := k.handled, k.Editor.Revision()
	if k.stopped || was == revision {
		return
	}
	if was >= 0 && (k.status == Kept && k.edits != k.Editor.Edits() || k.status == Restored) {
		k.set(None, nil) // until the change is written
	}
	if k.busy {
		return
	}
	k.handled, k.edits = revision, k.Editor.Edits()
	switch {
	case k.Editor.Unsaved():
		k.write(was)
	case !k.at.IsZero():
		k.busy = true
		k.Run(k.Store.Delete, func(err error) {
			if err == nil {
				k.at, k.log = time.Time{}, &Log{}
			}
			k.finish(None, was, err)
		})
	default:
		k.set(None, nil)
	}
}

func (k *Keeper) write(was int) {
	f, at, status := k.Editor.State().Form, k.Now(), Kept
	if was < 0 { // restored work keeps its time
		at, status = k.at, Restored
	}
	before := *k.log
	b := k.log.Next(k.Editor.Past(), Meta{Form: f.ID, Name: f.Name, Changed: at, Changes: k.Editor.ChangeCount()}, k.ETag())
	k.busy = true
	k.Run(func() error { return k.Store.Write(b) }, func(err error) {
		if err == nil {
			k.at = at
		} else {
			*k.log = before
		}
		k.finish(status, was, err)
	})
}

// finish ends a write, and begins the next if there is more to write.
func (k *Keeper) finish(s Status, was int, err error) {
	if err != nil {
		s, k.handled = Failed, was
		k.After(again, k.Follow)
	}
	if (s == Kept || s == Restored) && k.handled != k.Editor.Revision() && k.edits != k.Editor.Edits() {
		s = None
	}
	k.set(s, err)
	next := func() {
		k.busy = false
		if err == nil {
			k.Follow()
		}
		if k.closed != nil && !k.busy {
			k.closed()
		}
	}
	if k.closed == nil {
		k.After(pause, next)
	} else {
		next()
	}
}

func (k *Keeper) set(s Status, err error) {
	was := k.status
	k.status, k.err = s, err
	if s != was || err != nil {
		k.Changed()
	}
}
