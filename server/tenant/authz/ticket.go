package authz

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"

	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// TicketPath is the page on which a person with a one-time link sets a password. The ticket stands in
// the query: links are sent by mail and chat.
const TicketPath = "/new-password"

// TicketURL returns the link of a ticket at the tenant of an issuer.
func TicketURL(issuer, ticket string) string {
	return issuer + TicketPath + "?" + url.Values{"ticket": {ticket}}.Encode()
}

// Texts of the page that sets a password.
const (
	textTicket = "This link was used, has expired, or was replaced by a newer one. Ask the people who run this tenant for a new one."
	textShort  = "This is too short."
	textLong   = "This is too long. Use at most %d bytes: that many letters without accents." // with password.Max
	textDiffer = "The two passwords differ. Type the same one twice."
)

// Names of the fields of the page that sets a password.
const (
	fieldPassword = "password"
	fieldAgain    = "again"
)

// showTicket is GET /new-password. Looking uses nothing up: mail programs open links before people do.
func (h *Handler) showTicket(w http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	if user, ok := h.ticketUser(w, r, ticket); ok {
		h.askPassword(w, ticket, user.Email, http.StatusOK, "", "")
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
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "read ticket", err))
		return
	}
	p := pages.Page{Title: "This link does not work", Notice: pages.Notice{Bad: true, Text: textTicket}}
	h.pages.Render(w, http.StatusNotFound, pages.Message, onward(r.Context(), h.SignInAt, p))
}

// askPassword shows the page, with problem beside the field that it is about.
func (h *Handler) askPassword(w http.ResponseWriter, ticket, email string, status int, field, problem string) {
	h.pages.Render(w, status, pages.NewPassword, pages.Page{
		Title: "Choose a password",
		Form:  pages.Form{Email: email, Problem: problem, Wrong: field, Token: ticket, Action: TicketPath},
	})
}

// onward adds a button to a page that leads to signInAt; nil, or an address of nil, means no button.
func onward(ctx context.Context, signInAt func(context.Context) *url.URL, p pages.Page) pages.Page {
	if signInAt == nil {
		return p
	}
	at := signInAt(ctx)
	if at == nil {
		return p
	}
	p.FormTo, p.Fields = at.Scheme+"://"+at.Host, at.Query()
	at.RawQuery = "" // a form by GET replaces it by its fields
	p.Action = at.String()
	return p
}

// redeemTicket is POST /new-password. The ticket is the proof, so nothing binds the page to a browser;
// only our own pages may send it, so that no other site can set a password.
func (h *Handler) redeemTicket(w http.ResponseWriter, r *http.Request) {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		h.pages.Fail(w, oauth.NewError(http.StatusForbidden, "invalid_request", "the form was sent from another site"))
		return
	}
	p, e := oauth.ReadPage(w, r)
	if e != nil {
		h.pages.Fail(w, e)
		return
	}
	ticket, chosen := p["token"], p[fieldPassword]
	user, ok := h.ticketUser(w, r, ticket)
	if !ok {
		return
	}
	if field, problem := judgePassword(chosen, p[fieldAgain]); problem != "" {
		h.askPassword(w, ticket, user.Email, http.StatusBadRequest, field, problem)
		return
	}
	if _, err := h.Store.RedeemTicket(r.Context(), tokens.Hash(ticket), h.Now(), password.Hash(chosen)); err != nil {
		h.ticketFailed(w, r, err)
		return
	}
	if err := h.SignedOut(r.Context(), user.ID, ""); err != nil {
		h.journal.Down(r.Context(), "tell clients", err)
	}
	h.journal.Record(r, store.Event{Type: eventChangePassword, UserID: user.ID, Description: "set by a one-time link"})
	h.journal.Info(r.Context(), "password set", slog.String("user", user.ID))
	done := pages.Page{Title: "Your password is set", Notice: pages.Notice{Text: "Sign in with it from now on."}}
	if !user.Invited() { // a new person was not signed in anywhere
		done.Hint = "You were signed out everywhere."
	}
	h.pages.Render(w, http.StatusOK, pages.Message, onward(r.Context(), h.SignInAt, done))
}

// judgePassword returns what is wrong with a new password and the field to fix, or "".
func judgePassword(chosen, again string) (field, problem string) {
	err := password.Check(chosen)
	switch {
	case errors.Is(err, password.ErrShort):
		return fieldPassword, textShort
	case err != nil:
		return fieldPassword, fmt.Sprintf(textLong, password.Max)
	case subtle.ConstantTimeCompare([]byte(chosen), []byte(again)) != 1:
		return fieldAgain, textDiffer
	}
	return "", ""
}
