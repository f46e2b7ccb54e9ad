package authz

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/password"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
)

// What the sign-in page says when it is shown again. One text for an unknown address and a wrong
// password, so that nobody learns who has an account.
const (
	textWrong   = "That e-mail address and password do not match. Check both and try again."
	textMissing = "Enter your e-mail address and your password."
	textBlocked = "This account is blocked. Ask the people who run this tenant."
)

// showSignIn shows the sign-in page for a request, with a text above the fields when problem is not
// empty. The page carries a token that binds it to the request, the browser and the time.
func (h *Handler) showSignIn(w http.ResponseWriter, r *http.Request, q *request.Request, email string, status int, problem string) {
	visit := h.browsers.Visit(w, r)
	h.pages.Render(w, status, pages.SignIn, pages.Page{
		Title: "Sign in", FormTo: pages.Origin(q.Redirect),
		Form: pages.Form{
			App: q.Client.Name, Action: "/authorize/password?" + q.Query, Token: h.browsers.PageToken(visit, q.Query, h.Now().Add(browser.PageLife)),
			Email: email, Problem: problem, Passkey: h.askPasskey(r, q, visit),
		},
	})
}

// signIn is POST /authorize/password: the sign-in page comes back with what the person typed.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request) {
	q, p, ok := h.requests.FromPage(w, r)
	if !ok {
		return
	}
	email := strings.ToLower(strings.TrimSpace(p["email"]))
	if problem := h.browsers.CheckPage(r, q.Query, p["token"]); problem != "" {
		h.showSignIn(w, r, q, email, http.StatusForbidden, problem)
		return
	}
	password := p["password"]
	if email == "" || password == "" {
		h.showSignIn(w, r, q, email, http.StatusBadRequest, textMissing)
		return
	}
	from := place{network: clientip.Network(r), browser: h.browsers.Known(r, email)}
	user, wait, err := h.person(r.Context(), from, email, password)
	switch {
	case wait > 0:
		ratelimit.RetryAfter(w.Header(), wait)
		h.showSignIn(w, r, q, email, http.StatusTooManyRequests, textWait("passwords", wait))
	case errors.Is(err, store.ErrNotFound):
		h.recordWrong(r, user.ID, q.Client.ID)
		h.journal.Warn(r.Context(), "sign-in refused",
			slog.String("client", q.Client.ID), slog.String("address", clientip.Of(r)))
		h.showSignIn(w, r, q, email, http.StatusBadRequest, textWrong)
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "sign in", err))
	case user.Blocked: // a person with the password may know it
		h.journal.Record(r, store.Event{Type: eventFailed, UserID: user.ID, ClientID: q.Client.ID, Description: policy.Blocked})
		h.showSignIn(w, r, q, email, http.StatusForbidden, textBlocked)
	default:
		if from.browser == "" {
			h.browsers.SetKnown(w, email)
		}
		h.afterPassword(w, r, q, user)
	}
}

// maxEmail bounds in bytes what is looked up as an address; the longest that is kept has 320 characters.
const maxEmail = 1024

// person returns the user with the address and the password, ErrNotFound if there is none, or how long to wait
// after too many wrong passwords. It takes the same time for known and unknown addresses.
func (h *Handler) person(ctx context.Context, from place, email, typed string) (store.User, time.Duration, error) {
	from, wait := h.guesses.password(email, from)
	if wait > 0 {
		return store.User{}, wait, nil
	}
	if password.CheckMax(typed) != nil || len(email) > maxEmail {
		return store.User{}, 0, store.ErrNotFound
	}
	user, err := h.Store.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return store.User{}, 0, err
	}
	ok, err := h.hashes.Verify(ctx, user.PasswordHash, typed)
	if err != nil {
		return store.User{}, 0, err
	}
	if !ok {
		return user, 0, store.ErrNotFound // whose account it was, for the log only
	}
	h.guesses.right(email, from)
	return user, 0, nil
}

// textWait is told after too many wrong passwords or codes.
func textWait(wrong string, wait time.Duration) string {
	minutes := int((wait + time.Minute - 1) / time.Minute)
	if minutes == 1 {
		return "Too many wrong " + wrong + ". Wait a minute and try again."
	}
	return fmt.Sprintf("Too many wrong %s. Wait %d minutes and try again.", wrong, minutes)
}

// What is said when a sign-in ended while a request by it was answered: to the application, and on the sign-in page.
const (
	errSignedOut  = "the person was signed out, or a factor of the sign-in was removed"
	textSignedOut = "You were signed out. Sign in again to continue."
)

// textChanged is shown when a factor was changed or removed, or the account blocked, during the sign-in.
const textChanged = "Something about your account changed while you signed in. Sign in again."

// enter signs in a person who has proven everything, and continues with the request.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn) {
	s, err := h.browsers.Begin(w, r, s)
	if errors.Is(err, store.ErrNotFound) {
		h.journal.Record(r, store.Event{
			Type: eventFailed, UserID: s.UserID, ClientID: q.Client.ID, Description: "the account changed during the sign-in",
		})
		h.showSignIn(w, r, q, q.Hint, http.StatusForbidden, textChanged)
		return
	}
	if err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "create sign-in", err))
		return
	}
	h.journal.Record(r, store.Event{Type: eventSignedIn, UserID: s.UserID, ClientID: q.Client.ID, Audience: q.Audience, Scope: q.Scope})
	h.journal.Info(r.Context(), "signed in", slog.String("user", s.UserID), slog.String("client", q.Client.ID),
		slog.String("address", clientip.Of(r)), slog.String("by", strings.Join(s.AMR, " ")))
	h.complete(w, r, q, s)
}
