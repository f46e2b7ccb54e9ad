package authz

import (
	"crypto/subtle"
	"errors"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// TicketPath is the page on which a person with a one-time link sets a password. The ticket stands in
// the query: links are sent by mail and chat.
const TicketPath = "/new-password"

// TicketURL returns the link of a ticket at the tenant of an issuer.
func TicketURL(issuer, ticket string) string {
	return issuer + TicketPath + "?" + url.Values{"ticket": {ticket}}.Encode()
}

// MinPassword is the least length of a password in bytes. NIST SP 800-63B, section 5.1.1.2 asks for 8.
const MinPassword = 8

// Texts of the page that sets a password.
const (
	textTicket = "This link was used, has ended, or a newer one was made. Ask the people who run this tenant for another."
	textShort  = "Use at least 8 characters."
	textDiffer = "The two passwords differ. Type the same one twice."
)

// showTicket is GET /new-password. Looking uses nothing up: mail programs open links before people do.
func (h *Handler) showTicket(w http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	if user, ok := h.ticketUser(w, r, ticket); ok {
		h.askPassword(w, ticket, user.Email, http.StatusOK, "")
	}
}

// ticketUser returns whose ticket it is, or answers itself that it does not work. It says no more than
// that: a blocked person, an old link and a made-up one look the same.
func (h *Handler) ticketUser(w http.ResponseWriter, r *http.Request, ticket string) (store.User, bool) {
	t, err := h.Store.Ticket(r.Context(), tokens.Hash(ticket), h.Now())
	var user store.User
	if err == nil {
		user, err = h.Store.User(r.Context(), t.UserID)
	}
	if err != nil {
		h.ticketFailed(w, r, err)
		return store.User{}, false
	}
	return user, true
}

func (h *Handler) ticketFailed(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, store.ErrNotFound) {
		h.down(r.Context(), "read ticket", err)
		h.fail(w, r, unavailable())
		return
	}
	h.render(w, http.StatusNotFound, pageMessage, page{Title: "This link does not work", Bad: true, Text: textTicket})
}

func (h *Handler) askPassword(w http.ResponseWriter, ticket, email string, status int, problem string) {
	h.render(w, status, pageNewPassword, page{
		Title: "Choose a password", Email: email, Problem: problem, Token: ticket, Action: TicketPath,
	})
}

// redeemTicket is POST /new-password. The ticket is the proof, so nothing binds the page to a browser;
// only pages of ours may send it, so that no other site sets a password of its own choosing.
func (h *Handler) redeemTicket(w http.ResponseWriter, r *http.Request) {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		h.fail(w, r, newError(http.StatusForbidden, "invalid_request", "the page was not sent by us"))
		return
	}
	p, e := readPage(w, r)
	if e != nil {
		h.fail(w, r, e)
		return
	}
	ticket, password := p["token"], p["password"]
	user, ok := h.ticketUser(w, r, ticket)
	if !ok {
		return
	}
	switch {
	case len(password) < MinPassword || len(password) > MaxPassword:
		h.askPassword(w, ticket, user.Email, http.StatusBadRequest, textShort)
		return
	case subtle.ConstantTimeCompare([]byte(password), []byte(p["again"])) != 1:
		h.askPassword(w, ticket, user.Email, http.StatusBadRequest, textDiffer)
		return
	}
	if _, err := h.Store.RedeemTicket(r.Context(), tokens.Hash(ticket), h.Now(), HashPassword(password)); err != nil {
		h.ticketFailed(w, r, err)
		return
	}
	if err := h.SignedOut(r.Context(), user.ID, ""); err != nil {
		h.down(r.Context(), "tell clients", err)
	}
	h.record(r, store.Event{Type: eventChangePassword, UserID: user.ID, Description: "set by a one-time link"})
	h.Log.LogAttrs(r.Context(), slog.LevelInfo, "password set", slog.String("user", user.ID))
	h.render(w, http.StatusOK, pageMessage, page{
		Title: "Your password is set", Text: "Sign in with it from now on.", Hint: "You were signed out everywhere.",
	})
}
