package account

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/api"
)

// session is the wire form of one sign-in. Its members are our choice.
type session struct {
	ID            string   `json:"id"`
	Authenticated string   `json:"authenticated_at"`
	Expires       string   `json:"expires_at"`
	Browser       bool     `json:"browser"` // a browser is signed in at the tenant
	Clients       []string `json:"clients"` // applications that stay signed in with refresh tokens
	Current       bool     `json:"current"` // the token of this call comes from it
	Device        *device  `json:"device,omitempty"`
}

// sessions implements the operations on the sign-ins of a person.
type sessions struct{ h *Handler }

// list is GET /sessions.
func (s *sessions) list(c *api.Call) *api.Error {
	ls, err := s.h.Store.Logins(c.Context(), c.User.ID, s.h.Now())
	if err != nil {
		return c.Down("list logins", err)
	}
	out := []session{}
	for _, l := range ls {
		out = append(out, session{
			ID: l.ID, Authenticated: stamp(l.AuthTime), Expires: stamp(l.Expires), Browser: l.Browser,
			Clients: append([]string{}, l.ClientIDs...), Current: l.ID == c.Token.SignInID, Device: readDevice(l.Device),
		})
	}
	return c.JSON(http.StatusOK, map[string]any{"sessions": out})
}

// delete is DELETE /sessions/{id}: it signs the browser out and revokes refresh tokens. Access tokens expire within minutes.
func (s *sessions) delete(c *api.Call) *api.Error {
	err := s.h.Store.EndLogin(c.Context(), c.User.ID, c.ID())
	if errors.Is(err, store.ErrNotFound) {
		return api.NotFound()
	}
	if err != nil {
		return c.Down("end login", err)
	}
	s.h.notify(c, c.ID())
	s.h.audit(c, "sign_in_ended", "session", c.ID(), "")
	return c.Done(http.StatusNoContent)
}

// deleteAll is DELETE /sessions: it signs the person out everywhere, including here.
func (s *sessions) deleteAll(c *api.Call) *api.Error {
	if err := s.h.Store.EndLogins(c.Context(), c.User.ID); err != nil {
		return c.Down("end logins", err)
	}
	s.h.notify(c, "")
	s.h.audit(c, "signed_out_everywhere", "session", "", "")
	return c.Done(http.StatusNoContent)
}

// notify notifies applications that a sign-in of the person has ended, or that all have if signInID is empty. The person is signed out
// whether or not the notification succeeds.
func (h *Handler) notify(c *api.Call, signInID string) {
	if h.SignedOut == nil {
		return
	}
	if err := h.SignedOut(c.Context(), c.User.ID, signInID); err != nil {
		h.Log.LogAttrs(c.Context(), slog.LevelError, "store failed", slog.String("action", "notify clients"), slog.Any("error", err))
	}
}
