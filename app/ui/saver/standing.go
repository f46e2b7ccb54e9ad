package saver

import (
	"time"

	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// standing is how the form on this page stands to the saved one. Sending a save and catching up with others both change it.
type standing struct {
	*workspace.Workspace
	etag    string // of the saved form that is the base of the next save
	savedAt time.Time
	known   *model.Form // the form as this page knows it: any other one was edited here
	last    outcome
	review  review  // conflicts that the person has not settled
	arrival arrival // what came from outside last
	shut    bool    // the person may not read the form any more

	// Outside makes a change of the form that does not come from this page. who made it is the subject of a sentence, "" for the tenant.
	Outside func(who string, change func())
}

// ETag returns the version of the form that is the base of the next save.
func (s *standing) ETag() string { return s.etag }

// SavedAt returns when the form was saved last, the zero time if the tenant does not say.
func (s *standing) SavedAt() time.Time { return s.savedAt }

// Problems returns the problems that the server found in the last save.
func (s *standing) Problems() schema.Problems { return s.last.problems }

// SignedOut records that the session has ended.
func (s *standing) SignedOut() { s.last.signedOut = true }

// Barred records that the person may not read the form any more, until an event says that they may.
func (s *standing) Barred() { s.shut = true }

// SignedIn records that there is a session again. It reports whether a save failed for the lack of one.
func (s *standing) SignedIn() (interrupted bool) {
	interrupted = s.last.signedOut && s.State() == Error
	s.last.signedOut = false
	return interrupted
}

// State returns the displayed state: an outcome stays until the next edit or save.
func (s *standing) State() State {
	switch unsaved := s.Editor.Unsaved(); {
	case s.last.state == Saved && unsaved:
		return Dirty
	case s.last.state != Saving && !unsaved:
		return Saved
	}
	return s.last.state
}

// still reports whether nothing is being saved or asked.
func (s *standing) still() bool { return s.last.state != Saving && s.State() != Conflict }

// Took records that the form has changed, but not by an edit of this page: that is not a reason to save it here.
func (s *standing) Took() { s.known = s.Editor.State().Form }

// caughtUp records that the form builds on the version that others saved.
func (s *standing) caughtUp(etag string, theirs *model.Form) {
	s.etag, s.savedAt, s.last = etag, savedTime(theirs), outcome{state: Saved, signedOut: s.last.signedOut}
}

func savedTime(f *model.Form) time.Time {
	at, err := time.Parse(time.RFC3339, f.UpdatedAt)
	if err != nil {
		return time.Time{}
	}
	return at
}
