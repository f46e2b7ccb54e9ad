// Package observe is how the parts of the server report what they do to whatever measures it. The parts depend on this package alone, and
// report nothing while nobody measures. A report contains no token, address, content or ID of a person or form: every word of it is one of
// few.
package observe

import "context"

// Kind is a kind of work.
type Kind string

// The kinds of work, with the values of detail and outcome.
const (
	// Save is a change of a form. Its detail is the name of the change in the audit log, such as form_saved. Its outcome is saved, conflict,
	// refused, failed (nothing was changed) or unknown.
	Save Kind = "save"
	// Token is a request for tokens at the embedded tenant. Its detail is the grant type, or other. Its outcome is issued, client_refused, or
	// an error code of OAuth.
	Token Kind = "token"
	// SignIn is the end of a sign-in. Its detail is editor or tenant. Its outcome is signed_in, or says why it failed.
	SignIn Kind = "sign-in"
	// Refresh is the renewal of a session's access token. Its outcome is renewed, revoked, failed, or lost if the new token could not be
	// stored.
	Refresh Kind = "refresh"
	// Call is a request to a remote tenant until the header of its answer. Its detail is the method. Its outcome is the class of the status
	// such as 2xx, or 429, timeout, unreachable or canceled.
	Call Kind = "call"
	// Wait is the time for which a call to a remote tenant waits because of its rate limit. Its detail is answered after a 429, or held
	// before a call for which nothing is left. Its outcome is waited, or canceled.
	Wait Kind = "wait"
	// Statement is a statement of the store. Its detail is the action. Its outcome is ok, not_found, conflict, canceled or failed.
	Statement Kind = "statement"
	// Transaction is a transaction of the store, including the wait for its turn. Its outcomes are those of a Statement.
	Transaction Kind = "transaction"
	// Limit is a request that a rate limit or a count of failures refuses. Its detail is the name of the counter. Its outcome is refused.
	Limit Kind = "limit"
	// Notice is a notice of a sign-out to a client, from the moment at which it waits. Its outcome is sent, failed or dropped.
	Notice Kind = "notice"
)

// Func is told that work begins, and its second result is called once with the outcome when the work ends. The context that it returns is
// the one for the work. A Func is safe for concurrent use. The methods of a nil Func do nothing.
type Func func(ctx context.Context, k Kind, detail string) (context.Context, func(outcome string))

// Begin reports that work begins.
func (f Func) Begin(ctx context.Context, k Kind, detail string) (context.Context, func(outcome string)) {
	if f == nil {
		return ctx, nothing
	}
	return f(ctx, k, detail)
}

// Count reports work of which only the outcome counts.
func (f Func) Count(ctx context.Context, k Kind, detail, outcome string) {
	if f != nil {
		_, end := f(ctx, k, detail)
		end(outcome)
	}
}

func nothing(string) {}

// All returns a Func that reports to all of fs that are not nil, or nil if there is none. The last one sees the contexts of those before it.
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
