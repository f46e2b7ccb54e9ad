package signin

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/logout"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// TicketPath is the page on which a person with a one-time link sets a password. The ticket is in the query, since links are sent by mail
// and chat.
const TicketPath = "/new-password"

// TicketURL returns the link of a ticket at an issuer.
func TicketURL(issuer, ticket string) string {
	return issuer + TicketPath + "?" + url.Values{"ticket": {ticket}}.Encode()
}

// TicketStore holds people and their one-time links.
type TicketStore interface {
	store.Users
	store.Tickets
}

// Tickets is the page for one-time links at one address of the tenant. All fields but SignInAt are required.
type Tickets struct {
	Store   TicketStore
	Pages   *pages.Pages
	Clients *logout.Notifier
	Journal *journal.Journal
	Now     func() time.Time
	// SignInAt returns the address where a person starts to sign in without an application, or nil for none.
	SignInAt func(ctx context.Context) *url.URL
}

// Texts of the page that sets a password.
const (
	textTicket = "This link was used, has expired, or was replaced by a newer one. Ask your administrator for a new one."
	textShort  = "This is too short. Use at least %d characters."                             // with password.Min
	textLong   = "This is too long. Use at most %d bytes: that many letters without accents." // with password.Max
	textDiffer = "The passwords do not match. Enter the same one twice."
)

// Names of the fields of the page that sets a password.
const (
	fieldPassword = "password"
	fieldAgain    = "again"
)

// Show is GET /new-password. It uses nothing up, since mail programs open links before people do.
func (t *Tickets) Show(w http.ResponseWriter, r *http.Request) {
	ticket := r.URL.Query().Get("ticket")
	if user, ok := t.user(w, r, ticket); ok {
		t.ask(w, ticket, user.Email, http.StatusOK, "", "")
	}
}

// user returns the person of a ticket, or answers that the link does not work. The answer reveals no more: a blocked person, an old link
// and a made-up one look the same.
func (t *Tickets) user(w http.ResponseWriter, r *http.Request, ticket string) (store.User, bool) {
	row, err := t.Store.Ticket(r.Context(), tokens.Hash(ticket), t.Now())
	var user store.User
	if err == nil {
		user, err = t.Store.User(r.Context(), row.UserID)
	}
	if err != nil {
		t.failed(w, r, err)
		return store.User{}, false
	}
	return user, true
}

// failed answers for a ticket that does not work or cannot be read.
func (t *Tickets) failed(w http.ResponseWriter, r *http.Request, err error) {
	if !errors.Is(err, store.ErrNotFound) {
		t.Pages.Fail(w, t.Journal.Unavailable(r.Context(), "read ticket", err))
		return
	}
	p := pages.Page{Title: "This link does not work", Notice: pages.Notice{Bad: true, Text: textTicket}}
	t.Pages.Render(w, http.StatusNotFound, pages.Message, t.onward(r.Context(), p))
}

// ask shows the page, with problem beside the field it concerns.
func (t *Tickets) ask(w http.ResponseWriter, ticket, email string, status int, field, problem string) {
	t.Pages.Render(w, status, pages.NewPassword, pages.Page{
		Title: "Choose a password",
		Form:  pages.Form{Email: email, Problem: problem, Wrong: field, Token: ticket, Action: TicketPath},
	})
}

// onward adds a button to a page that leads to SignInAt, if there is such an address.
func (t *Tickets) onward(ctx context.Context, p pages.Page) pages.Page {
	if t.SignInAt == nil {
		return p
	}
	at := t.SignInAt(ctx)
	if at == nil {
		return p
	}
	p.FormTo, p.Fields = at.Scheme+"://"+at.Host, at.Query()
	at.RawQuery = "" // a GET form replaces it with its fields
	p.Action = at.String()
	return p
}

// Redeem is POST /new-password. The ticket is the proof, so nothing binds the page to a browser. Only our own pages may
// send it, so that no other site can set a password.
func (t *Tickets) Redeem(w http.ResponseWriter, r *http.Request) {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		t.Pages.Fail(w, oauth.NewError(http.StatusForbidden, "invalid_request", "the form was sent from another site"))
		return
	}
	p, e := oauth.ReadPage(w, r)
	if e != nil {
		t.Pages.Fail(w, e)
		return
	}
	ticket, chosen := p["token"], p[fieldPassword]
	user, ok := t.user(w, r, ticket)
	if !ok {
		return
	}
	if field, problem := checkPassword(chosen, p[fieldAgain]); problem != "" {
		t.ask(w, ticket, user.Email, http.StatusBadRequest, field, problem)
		return
	}
	if _, err := t.Store.RedeemTicket(r.Context(), tokens.Hash(ticket), t.Now(), password.Hash(chosen)); err != nil {
		t.failed(w, r, err)
		return
	}
	if err := t.Clients.SignedOut(r.Context(), user.ID, ""); err != nil {
		t.Journal.Down(r.Context(), "notify clients", err)
	}
	t.Journal.Record(r, store.Event{Type: eventChangePassword, UserID: user.ID, Description: "set by a one-time link"})
	t.Journal.Info(r.Context(), "password set", slog.String("user", user.ID))
	done := pages.Page{Title: "Your password is set", Notice: pages.Notice{Text: "Sign in with it from now on."}}
	if !user.Invited() { // a new person was not signed in anywhere
		done.Hint = "You were signed out everywhere."
	}
	t.Pages.Render(w, http.StatusOK, pages.Message, t.onward(r.Context(), done))
}

// checkPassword returns the fault of a new password and the field to correct, or "".
func checkPassword(chosen, again string) (field, problem string) {
	err := password.Check(chosen)
	switch {
	case errors.Is(err, password.ErrShort):
		return fieldPassword, fmt.Sprintf(textShort, password.Min)
	case err != nil:
		return fieldPassword, fmt.Sprintf(textLong, password.Max)
	case subtle.ConstantTimeCompare([]byte(chosen), []byte(again)) != 1:
		return fieldAgain, textDiffer
	}
	return "", ""
}
