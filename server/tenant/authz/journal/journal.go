// Package journal writes to the logs of the authorization server: the operator's log, and the sign-in log that administrators read.
package journal

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/observe"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
)

// A Journal writes to both logs, and reports to Observe. All fields but Observe are required. It is safe for concurrent use.
type Journal struct {
	Log     *slog.Logger // of the operator
	Events  store.Events // the sign-in log
	Now     func() time.Time
	Observe observe.Func // may be nil
}

// SignIn reports the end of a sign-in. outcome must be one of a fixed set of words.
func (j *Journal) SignIn(ctx context.Context, outcome string) {
	j.Observe.Count(ctx, observe.SignIn, "tenant", outcome)
}

// Info logs a success.
func (j *Journal) Info(ctx context.Context, message string, attrs ...slog.Attr) {
	j.Log.LogAttrs(ctx, slog.LevelInfo, message, attrs...)
}

// Warn logs a refusal.
func (j *Journal) Warn(ctx context.Context, message string, attrs ...slog.Attr) {
	j.Log.LogAttrs(ctx, slog.LevelWarn, message, attrs...)
}

// Down logs an error of the store and the action that failed, unless the caller canceled the request.
func (j *Journal) Down(ctx context.Context, action string, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	j.Log.LogAttrs(ctx, slog.LevelError, "store failed", slog.String("action", action), slog.Any("error", err))
}

// Unavailable is Down, and returns the error to answer with.
func (j *Journal) Unavailable(ctx context.Context, action string, err error) *oauth.Error {
	j.Down(ctx, action, err)
	return oauth.Unavailable()
}

// Record adds an event to the sign-in log, with the address of a request. If the event cannot be stored, it logs the failure to the
// operator's log and continues. The event is recorded even if the request is canceled.
func (j *Journal) Record(r *http.Request, e store.Event) {
	e.Address = clientip.Of(r)
	j.RecordAt(r.Context(), e)
}

// RecordAt is Record for a caller that has the address but not the request.
func (j *Journal) RecordAt(ctx context.Context, e store.Event) {
	e.At, ctx = j.Now(), context.WithoutCancel(ctx)
	if err := j.Events.AddEvent(ctx, e); err != nil {
		j.Log.LogAttrs(ctx, slog.LevelError, "store failed", slog.String("action", "keep event"), slog.Any("error", err))
	}
}
