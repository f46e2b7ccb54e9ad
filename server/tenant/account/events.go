package account

import (
	"context"
	"log/slog"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
)

// eventPassword is a new password, as the vendor's public log has it.
const eventPassword = "scp"

// record keeps one line of the sign-in log about the person of a call. What cannot be kept goes to the
// operator's log; the change it is about has been made.
func (h *Handler) record(c *call, kind, text string) {
	ctx := context.WithoutCancel(c.r.Context())
	err := h.Store.AddEvent(ctx, store.Event{
		At: h.Now(), Type: kind, UserID: c.user.ID, ClientID: c.token.ClientID, Address: clientip.Of(c.r), Description: text,
	})
	if err != nil {
		h.Log.LogAttrs(ctx, slog.LevelError, "store failed", slog.String("action", "keep event"), slog.Any("error", err))
	}
}

// refusedEvent is the type of a way to sign in that could not be enrolled.
func refusedEvent(of store.MethodType) string {
	if of == store.MethodPasskey {
		return store.EventPasskeyRefused
	}
	return store.EventEnrolmentFailed
}

// recordRefused logs that somebody tried to enrol what was not proven.
func (h *Handler) recordRefused(c *call, of store.MethodType, why string) {
	h.audit(c, "enrolment refused", slog.String("type", string(of)), slog.String("why", why))
	h.record(c, refusedEvent(of), string(of)+": "+why)
}
