package bff

import (
	"context"
	"errors"
	"net/http"

	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/upstream"
)

// saving reports the beginning of a call that changes a form. The function that it returns reports the outcome. Other calls are not
// reported.
func (f *forwarder) saving(ctx context.Context, c call) (context.Context, func(outcome string)) {
	if c.event == "" || c.admin || c.me {
		return ctx, func(string) {}
	}
	return f.observe.Begin(ctx, observe.Save, c.event)
}

// saveOutcome returns the outcome of a change to a form.
func saveOutcome(res *upstream.Response, err error) string {
	switch {
	case errors.Is(err, upstream.ErrNotSent), errors.Is(err, upstream.ErrNotSaved):
		return "failed"
	case err != nil:
		return "unknown"
	}
	switch status := res.Status; {
	case status < 300:
		return "saved"
	case status == http.StatusConflict || status == http.StatusPreconditionFailed:
		return "conflict"
	case status == http.StatusUnauthorized || status == http.StatusTooManyRequests:
		return "failed" // the change itself was not the cause
	case status < 500:
		return "refused"
	default:
		return "unknown"
	}
}
