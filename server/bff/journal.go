package bff

import (
	"context"
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/httpx"
	"github.com/formgraph/formgraph/server/store"
)

// journal writes log lines with the ID of their request, and the audit log.
type journal struct {
	to     *slog.Logger
	audits *audit.Log // if nil, entries are only logged
	issuer string     // of the users who sign in
}

// audit records an action of a user in the log and in the store. The entry must never contain a token, code or secret.
func (j journal) audit(r *http.Request, e store.AuditEntry) {
	e.Source, e.Issuer = audit.SourceEditor, j.issuer
	j.audits.Record(r, j.to, e)
}

// refused logs a refused request of an anonymous client. It is not stored, because such requests can be repeated without limit. more must
// never contain a token, code or secret.
func (j journal) refused(ctx context.Context, event string, more ...any) {
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
