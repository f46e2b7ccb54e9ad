// Package observe defines how the parts of the server report their work to observers such as metrics and traces. The parts depend only on
// this package, and report nothing while there is no observer. A report contains no token, address, content or ID of a user or form: its
// words come from small fixed sets.
//
// A new kind of work is a constant here and a row of the table in metrics/meter.go. Handlers name their route with httpx.SetRoute.
package observe

import "context"

// Kind is a kind of work.
type Kind string

// The kinds of work, with their details and outcomes.
const (
	// Save is a change to a form. Its detail is the name of the change in the audit log, such as form_saved. Its outcome is saved,
	// conflict, refused, failed (nothing was changed) or unknown.
	Save Kind = "save"
	// Token is a request for tokens at the embedded tenant. Its detail is the grant type, or other. Its outcome is issued, client_refused, or
	// an error code of OAuth.
	Token Kind = "token"
	// SignIn is the end of a sign-in. Its detail is editor or tenant. Its outcome is signed_in, or the reason for the failure.
	SignIn Kind = "sign-in"
	// Refresh is the renewal of a session's access token. Its outcome is renewed, revoked, failed, or lost if the new token could not be
	// stored.
	Refresh Kind = "refresh"
	// Call is a request to a remote tenant, until the response header arrives. Its detail is the method. Its outcome is the class of the
	// status, such as 2xx, or 429, timeout, unreachable or canceled.
	Call Kind = "call"
	// Wait is a delay of a call to a remote tenant because of its rate limit. Its detail is answered after a 429, or held if no requests
	// remain before the call. Its outcome is waited or canceled.
	Wait Kind = "wait"
	// Statement is a database statement of the store. Its detail is the action. Its outcome is ok, not_found, conflict, canceled or failed.
	Statement Kind = "statement"
	// Transaction is a database transaction of the store, including the wait for its turn. Its outcomes are those of a Statement.
	Transaction Kind = "transaction"
	// Limit is a request that a rate limit or a count of failures refuses. Its detail is the name of the counter. Its outcome is refused.
	Limit Kind = "limit"
	// Notice is a sign-out notice to a client, from the time it is queued. Its outcome is sent, failed or dropped.
	Notice Kind = "notice"
	// Stream is a stream of events to a browser, while it is open. Its outcome is left (by the browser), cut (the browser does not read),
	// asked (for its first events alone), missed (it read too slowly: events that it lacks were forgotten), session_ended, rights_ended,
	// form_deleted or shutdown.
	Stream Kind = "stream"
	// Event is something that open editors are told, such as a save. Its detail is the kind of the event. Its outcome is published, failed,
	// refused (by the store, for good) or dropped (too many were waiting), and then sent for each stream.
	Event Kind = "event"
	// Version is something that the versions of a form are told in the background. Its detail is saved, seen (read) or deleted. Its outcome is
	// recorded, failed, dropped (too much was waiting) or forgotten (the form was deleted before).
	Version Kind = "version"
)

// Func is an observer of work. It is called when work begins, and returns the context for the work and a function that must be called
// exactly once, with the outcome, when the work ends. A Func is safe for concurrent use. The methods of a nil Func do nothing.
type Func func(ctx context.Context, k Kind, detail string) (context.Context, func(outcome string))

// Begin reports that work begins.
func (f Func) Begin(ctx context.Context, k Kind, detail string) (context.Context, func(outcome string)) {
	if f == nil {
		return ctx, nothing
	}
	return f(ctx, k, detail)
}

// Count reports work whose duration does not matter.
func (f Func) Count(ctx context.Context, k Kind, detail, outcome string) {
	if f != nil {
		_, end := f(ctx, k, detail)
		end(outcome)
	}
}

func nothing(string) {}

// All returns a Func that calls every non-nil element of fs in order, or nil if there is none. Each receives the context that the one
// before it returned.
func All(fs ...Func) Func {
	var all []Func
	for _, f := range fs {
		if f != nil {
			all = append(all, f)
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return func(ctx context.Context, k Kind, detail string) (context.Context, func(string)) {
		ends := make([]func(string), len(all))
		for i, f := range all {
			ctx, ends[i] = f(ctx, k, detail)
		}
		return ctx, func(outcome string) {
			for _, end := range ends {
				end(outcome)
			}
		}
	}
}
