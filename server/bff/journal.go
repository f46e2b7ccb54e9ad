package bff

import (
	"context"
	"log/slog"

	"github.com/formgraph/formgraph/server/httpx"
)

// journal writes log lines that name their request.
type journal struct{ to *slog.Logger }

// audit logs an action of a person. more must never contain a token, code or secret.
func (j journal) audit(ctx context.Context, event string, more ...any) {
	j.to.InfoContext(ctx, "audit", append([]any{"event", event, "request_id", httpx.RequestID(ctx)}, more...)...)
}

// warn logs a failure outside this server.
func (j journal) warn(ctx context.Context, what string, err error) {
	j.to.WarnContext(ctx, what, "request_id", httpx.RequestID(ctx), "error", err)
}

// fail logs a failure in this server.
func (j journal) fail(ctx context.Context, what string, err error) {
	j.to.ErrorContext(ctx, what, "request_id", httpx.RequestID(ctx), "error", err)
}
