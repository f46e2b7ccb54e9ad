package account

import (
	"errors"
	"log/slog"
	"net/http"
	"slices"

	"github.com/formgraph/formgraph/server/store"
)

// session is one sign-in on the wire. The spec does not show it; the members are our choice.
type session struct {
	ID            string   `json:"id"`
	Authenticated string   `json:"authenticated_at"`
	Expires       string   `json:"expires_at"`
	Browser       bool     `json:"browser"` // a browser is signed in at the tenant
	Clients       []string `json:"clients"` // applications that live on by refresh tokens
	Current       bool     `json:"current"` // the token of this call came of it
	Device        *device  `json:"device,omitempty"`
}

// listSessions is GET /sessions.
func (h *Handler) listSessions(c *call) *apiError {
	ls, err := h.Store.Logins(c.r.Context(), c.user.ID, h.Now())
	if err != nil {
		return h.down(c, "list logins", err)
	}
	out := []session{}
	for _, l := range ls {
		out = append(out, session{
			ID: l.ID, Authenticated: stamp(l.AuthTime), Expires: stamp(l.Expires), Browser: l.Browser,
			Clients: append([]string{}, l.ClientIDs...), Current: l.ID == c.token.SignInID, Device: readDevice(l.Device),
		})
	}
	return answer(c, http.StatusOK, map[string]any{"sessions": out})
}

// deleteSession is DELETE /sessions/{id}: the browser is signed out and refresh tokens end. Access tokens
// end by themselves within minutes.
func (h *Handler) deleteSession(c *call) *apiError {
	err := h.Store.EndLogin(c.r.Context(), c.user.ID, c.id)
	if errors.Is(err, store.ErrNotFound) {
		return notFound()
	}
	if err != nil {
		return h.down(c, "end login", err)
	}
	h.tell(c, c.id)
	h.audit(c, "session ended", slog.String("session", c.id))
	return done(c)
}

// deleteSessions is DELETE /sessions: sign out everywhere, here too.
func (h *Handler) deleteSessions(c *call) *apiError {
	if err := h.Store.EndLogins(c.r.Context(), c.user.ID); err != nil {
		return h.down(c, "end logins", err)
	}
	h.tell(c, "")
	h.audit(c, "signed out everywhere")
	return done(c)
}

// tell lets applications know that a sign-in has ended, or all of the person. The person is signed out
// whether or not they can be notified.
func (h *Handler) tell(c *call, signInID string) {
	if h.SignedOut == nil {
		return
	}
	if err := h.SignedOut(c.r.Context(), c.user.ID, signInID); err != nil {
		h.Log.LogAttrs(c.r.Context(), slog.LevelError, "store failed", slog.String("action", "tell clients"), slog.Any("error", err))
	}
}

// consent is what an application may do in a person's name, on the wire. Its id is that of the client.
type consent struct {
	ID     string          `json:"id"`
	Name   string          `json:"client_name"`
	Since  string          `json:"created_at"`
	Grants []consentGrants `json:"grants"`
}

// consentGrants are the scopes of one API.
type consentGrants struct {
	Audience string   `json:"audience"`
	Scopes   []string `json:"scopes"`
}

// consents returns one entry for each client that holds a live authorization or a consent of the person:
// also for those that belong to the tenant, which nobody was asked about, since they act in the person's
// name too.
func (h *Handler) consents(c *call) ([]consent, *apiError) {
	as, err := h.Store.Authorizations(c.r.Context(), c.user.ID, h.Now())
	if err != nil {
		return nil, h.down(c, "list authorizations", err)
	}
	out := []consent{}
	for _, a := range as {
		i := slices.IndexFunc(out, func(k consent) bool { return k.ID == a.ClientID })
		if i < 0 {
			client, err := h.Store.Client(c.r.Context(), a.ClientID)
			if errors.Is(err, store.ErrNotFound) {
				continue // removed since
			}
			if err != nil {
				return nil, h.down(c, "read client", err)
			}
			i, out = len(out), append(out, consent{ID: a.ClientID, Name: client.Name, Since: stamp(a.Since)})
		}
		k := &out[i]
		k.Since = min(k.Since, stamp(a.Since)) // dates of one format sort as text
		k.Grants = append(k.Grants, consentGrants{a.Audience, append([]string{}, a.Scope...)})
	}
	return out, nil
}

// listConsents is GET /consents.
func (h *Handler) listConsents(c *call) *apiError {
	out, e := h.consents(c)
	if e != nil {
		return e
	}
	return answer(c, http.StatusOK, map[string]any{"consents": out})
}

// getConsent is GET /consents/{id}.
func (h *Handler) getConsent(c *call) *apiError {
	out, e := h.consents(c)
	if e != nil {
		return e
	}
	i := slices.IndexFunc(out, func(k consent) bool { return k.ID == c.id })
	if i < 0 {
		return notFound()
	}
	return answer(c, http.StatusOK, out[i])
}

// deleteConsent is DELETE /consents/{id}: the application's refresh tokens of this person end, and it must
// ask again.
func (h *Handler) deleteConsent(c *call) *apiError {
	err := h.Store.EndAuthorizations(c.r.Context(), c.user.ID, c.id)
	if errors.Is(err, store.ErrNotFound) {
		return notFound()
	}
	if err != nil {
		return h.down(c, "end authorizations", err)
	}
	h.audit(c, "consent deleted", slog.String("of", c.id))
	return done(c)
}
