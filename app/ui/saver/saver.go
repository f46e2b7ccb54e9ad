// Package saver sends the changes of a form to the server, reports the outcome, and merges the work of two
// people.
package saver

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/workspace"
	"github.com/formgraph/formgraph/model"
)

// State is the state of saving. It is the value of the attribute data-save-state.
type State string

// States of saving.
const (
	Saved    State = "saved"
	Dirty    State = "dirty"
	Saving   State = "saving"
	Conflict State = "conflict"
	Offline  State = "offline"
	Error    State = "error"
)

// Saver saves the form of a workspace, takes what others save, and shows both. The form may be edited during a save: these edits stay and
// are saved by the next one.
type Saver struct {
	*standing
	sending
	catching
	Setting Setting
	// Away reports whether the server cannot be reached; nil for no.
	Away func() bool
}

// Shared is the form that people edit together.
type Shared interface {
	// Told reports whether others have everything that the local form has to tell.
	Told(local *model.Form) bool
	// ToSave returns the form to save: the local one without what the person has to decide first.
	ToSave(local *model.Form) *model.Form
	// ID is not "" if the page shares a form, and Joined reports whether there are others to share it with.
	ID() string
	Joined() bool
	// Saved returns the recent shared form whose content equals a saved form, or nil.
	Saved(saved *model.Form) *model.Form
}

// New returns the saver of a form in the server's version.
func New(w *workspace.Workspace, shared Shared, f *model.Form, etag string) *Saver {
	at := &standing{Workspace: w, etag: etag, savedAt: savedTime(f), last: outcome{state: Saved}, Outside: func(_ string, change func()) { change() }}
	s := &Saver{standing: at, Setting: Setting{Workspace: w}}
	s.sending = sending{standing: at, shared: shared, setting: &s.Setting, others: &s.catching}
	s.catching = catching{standing: at, shared: shared, follow: s.sending.follow}
	s.Setting.begun = func() { s.going.pace.edited(time.Now()) }
	return s
}

// Heard handles an event about the form. What this page has done itself, or has already, is no news.
func (s *Saver) Heard(ctx app.Context, e client.FormEvent) {
	switch {
	case e.Tab != "" && e.Tab == s.Client.Tab:
		return
	case e.Kind == client.Settings:
		s.Setting.heard(ctx, e)
		return
	case e.Kind == client.Hello && e.Missed:
		s.Setting.Read(ctx)
	}
	if e.Kind == client.Hello && s.shut {
		s.shut = false
		s.Redraw(ctx)
	}
	s.hear(ctx, e)
}

// DrawDialog returns the open dialog if it is one of the Saver's, else nil.
func (s *Saver) DrawDialog() app.UI {
	switch s.Dialog.Name() {
	case ConflictsDialog:
		return s.review.draw(s.Workspace, time.Now())
	case ChangesDialog:
		return s.arrival.draw(&s.Dialog)
	}
	return nil
}
