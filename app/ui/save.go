package ui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/editor"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model"
	"github.com/formgraph/formgraph/model/schema"
)

// The states of saving, which the attribute data-save-state shows.
const (
	stateSaved    = "saved"
	stateDirty    = "dirty"
	stateSaving   = "saving"
	stateConflict = "conflict"
	stateOffline  = "offline"
	stateError    = "error"
)

// saver sends what changed. While a save is under way the form may be edited:
// the answer moves what counts as saved, never the form.
type saver struct {
	client    *client.Client
	ed        *editor.Editor
	etag      string
	state     string          // the outcome of the last save; see State
	message   string          // why it failed
	problems  schema.Problems // that the server found in what was sent
	savedAt   time.Time
	signedOut bool
	gone      bool // the form was deleted
	slow      bool // a save is under way for long
	tries     int  // that found no server, since one was found
	retryAt   time.Time
	cancel    context.CancelFunc // of the save under way
}

// State returns the state to show: an outcome stays until the next edit or save.
func (s *saver) State() string {
	if s.state == stateSaved && s.ed.Unsaved() {
		return stateDirty
	}
	if s.state != stateSaving && !s.ed.Unsaved() && s.state != stateConflict {
		return stateSaved
	}
	return s.state
}

// slowAfter is how long a save may take before the page says more than "Saving…"
// and offers to cancel it.
const slowAfter = 6 * time.Second

// save sends the smallest patch. changed is called when the state is another.
func (s *saver) save(ctx app.Context, changed func(app.Context)) {
	if s.state == stateSaving {
		return
	}
	sent, patch := s.ed.State().Form, s.ed.Changes()
	if patch.Empty() {
		s.state = stateSaved
		changed(ctx)
		return
	}
	s.state, s.message, s.problems, s.slow = stateSaving, "", nil, false
	etag := s.etag
	call, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	changed(ctx)
	ctx.After(slowAfter, func(ctx app.Context) {
		if call.Err() == nil && s.state == stateSaving {
			s.slow = true
			changed(ctx)
		}
	})
	ctx.Async(func() {
		f, etag, err := s.client.Save(call, s.ed.Base().ID, patch, etag)
		ctx.Dispatch(func(ctx app.Context) {
			cancelled := call.Err() != nil
			cancel()
			s.finish(sent, f, etag, err)
			if err != nil && cancelled {
				// It may have come through: the next save asks by its ETag.
				s.state, s.message = stateError, "Saving was cancelled. The server may have saved your changes anyway."
			}
			s.retryLater(ctx, changed)
			changed(ctx)
		})
	})
}

// retryLater tries again by itself what found no server.
func (s *saver) retryLater(ctx app.Context, changed func(app.Context)) {
	if s.state != stateOffline {
		s.tries = 0
		return
	}
	wait := retryAfter(s.tries)
	s.tries++
	at := time.Now().Add(wait)
	s.retryAt = at
	ctx.After(wait, func(ctx app.Context) {
		if s.state == stateOffline && s.retryAt.Equal(at) {
			s.save(ctx, changed)
		}
	})
}

func (s *saver) finish(sent, got *model.Form, etag string, err error) {
	if err == nil {
		s.state, s.etag, s.savedAt, s.signedOut = stateSaved, etag, savedTime(got), false
		s.gone = false
		s.ed.Saved(sent)
		return
	}
	s.message, s.gone = kit.Sentence(err), kit.StatusOf(err) == 404
	if e, ok := errors.AsType[*client.Error](err); ok && e.RetryAfter > 0 {
		s.message += fmt.Sprintf(" Try again in %d s.", e.RetryAfter.Round(time.Second)/time.Second)
	}
	switch code := client.CodeOf(err); {
	case code == "conflict":
		s.state = stateConflict
	case code == client.CodeOffline, code == "upstream_unavailable":
		s.state = stateOffline
	case kit.StatusOf(err) == 401:
		s.state, s.signedOut = stateError, true
	default:
		s.state = stateError
		s.problems = refusedProblems(err)
	}
}

// overwrite saves over the version that another has saved: without an ETag.
func (s *saver) overwrite(ctx app.Context, changed func(app.Context)) {
	s.etag = ""
	s.state = stateError
	s.save(ctx, changed)
}

func savedTime(f *model.Form) time.Time {
	at, err := time.Parse(time.RFC3339, f.UpdatedAt)
	if err != nil {
		return time.Time{}
	}
	return at
}
