package account

import (
	"log/slog"

	"github.com/formgraph/formgraph/server/audit"
	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// eventPassword is the event type for a new password, as in the vendor's public log.
const eventPassword = "scp"

// audit records a change to the user's own account. object is the kind of the changed object and id its ID; detail may be empty. None of
// them may contain a secret.
func (h *Handler) audit(c *api.Call, event, object, id, detail string) {
	h.Audit.Record(c.Request, h.Log, store.AuditEntry{
		Source: audit.SourceAccount, Event: event, Outcome: audit.Done, Object: object, ObjectID: id, Detail: detail,
		Issuer: h.Issuer, Subject: c.User.ID, Email: c.User.Email, ClientID: c.Token.ClientID,
	})
}

// record adds an entry about the person of a call to the sign-in log.
func (h *Handler) record(c *api.Call, kind, text string) {
	c.Record(h.Store, h.Now(), store.Event{Type: kind, UserID: c.User.ID, Description: text})
}

// refusedEvent returns the event type for a method that could not be enrolled.
func refusedEvent(of store.MethodType) string {
	if of == store.MethodPasskey {
		return store.EventPasskeyRefused
	}
	return store.EventEnrolmentFailed
}

// recordRefused logs a failed attempt to prove a method for enrolment.
func (h *Handler) recordRefused(c *api.Call, of store.MethodType, why string) {
	h.Log.LogAttrs(c.Context(), slog.LevelInfo, "enrolment refused", slog.String("type", string(of)), slog.String("why", why),
		slog.String("user", c.User.ID), slog.String("client", c.Token.ClientID), slog.String("address", clientip.Of(c.Request)))
	h.record(c, refusedEvent(of), string(of)+": "+why)
}
