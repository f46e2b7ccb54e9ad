package account

import (
	"log/slog"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// eventPassword is the event type for a new password, as in the vendor's public log.
const eventPassword = "scp"

// audit logs a change and who made it, never a secret.
func (h *Handler) audit(c *api.Call, did string, attrs ...slog.Attr) {
	attrs = append(attrs, slog.String("user", c.User.ID), slog.String("client", c.Token.ClientID),
		slog.String("address", clientip.Of(c.Request)))
	h.Log.LogAttrs(c.Context(), slog.LevelInfo, did, attrs...)
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
	h.audit(c, "enrolment refused", slog.String("type", string(of)), slog.String("why", why))
	h.record(c, refusedEvent(of), string(of)+": "+why)
}
