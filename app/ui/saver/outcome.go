package saver

import (
	"errors"

	"github.com/formgraph/formgraph/app/client"
	"github.com/formgraph/formgraph/app/ui/kit"
	"github.com/formgraph/formgraph/model/schema"
)

// outcome is the result of the last save.
type outcome struct {
	state     State
	message   string          // reason of the failure
	problems  schema.Problems // problems that the server found
	signedOut bool            // the session has ended
	gone      bool            // the form was deleted
	forbidden bool            // the person may no longer use the editor
	dangling  bool            // a pointer leads to a node that the tenant does not know
	again     bool            // a save that did not reach the server is being tried again
}

// outcomeOf returns the outcome of a save of a form that ended with an error, nil for none.
func outcomeOf(err error, cancelled bool) outcome {
	switch {
	case err == nil:
		return outcome{state: Saved}
	case cancelled:
		// The save may have succeeded: the next one finds out by its ETag.
		return outcome{state: Error, message: "Saving was cancelled. The server may have saved your changes anyway."}
	}
	o := outcome{state: Error, message: kit.Sentence(err), gone: kit.StatusOf(err) == 404, forbidden: kit.Forbidden(err)}
	switch code := client.CodeOf(err); {
	case code == "conflict":
		o.state = Conflict
	case lost(err):
		o.state, o.message = Offline, "The change did not reach the server."
	case code == client.CodeOffline, code == "upstream_unavailable":
		o.state = Offline
	case kit.StatusOf(err) == 401:
		o.signedOut = true
	default:
		o.problems, o.dangling = refusedProblems(err)
	}
	return o
}

// lost reports whether a change failed for no reason of its own and is known not to have been made.
func lost(err error) bool {
	e, ok := errors.AsType[*client.Error](err)
	return ok && e.Status >= 500 && (e.Outcome == client.NotSent || e.Outcome == client.NotSaved)
}
