// Package signin has the pages on which people sign in at the tenant, sign out of it, and choose a password with a one-time link. It knows
// what a person has proven; what an application gets for that is decided elsewhere.
package signin

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/journal"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/passkey"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
)

// Types of events in the sign-in log, as in the vendor's public log.
const (
	eventSignedIn       = "s"
	eventFailed         = "f"
	eventWrongPassword  = "fp"
	eventUnknownUser    = "fu"
	eventChangePassword = "scp"
	eventCodeFailed     = "gd_auth_failed"
	eventRecoveryFailed = "gd_recovery_failed"
	eventRecovered      = "gd_recovery_succeed"
)

// Texts of the sign-in page when it is shown again. An unknown address and a wrong password have the same text, so that nobody learns who
// has an account.
const (
	textWrong   = "That e-mail address and password do not match. Check both and try again."
	textMissing = "Enter your e-mail address and your password."
	textBlocked = "This account is blocked. Contact your administrator."
	// textChanged is for a factor that was changed or removed, or an account that was blocked, during the sign-in.
	textChanged = "Something about your account changed while you signed in. Sign in again."
)

// Store holds people and unfinished sign-ins.
type Store interface {
	store.Users
	store.AuthSessions
}

// Pages are the pages on which people sign in at one address of the tenant. All fields are required. It is safe for concurrent use.
type Pages struct {
	Store     Store
	Passwords *Passwords
	Factors   *Factors
	Passkeys  *passkey.Passkeys
	Browsers  *browser.Browsers
	Requests  *request.Requests
	Pages     *pages.Pages
	Shown     *ratelimit.Failures // challenges shown to a network in pages
	Journal   *journal.Journal
	Now       func() time.Time
}

// A Step receives a form that was sent from one of the pages, for a request. It returns the sign-in that results, or nil after it has
// answered with another page or refused the request.
type Step func(w http.ResponseWriter, r *http.Request, q *request.Request, p oauth.Params) *store.SignIn

// Show shows the sign-in page for a request, with a text above the fields if problem is not empty. The page carries a
// token that binds it to the request, the browser and the time.
func (h *Pages) Show(w http.ResponseWriter, r *http.Request, q *request.Request, email string, status int, problem string) {
	visit := h.Browsers.Visit(w, r)
	h.Pages.Render(w, status, pages.SignIn, pages.Page{
		Title: "Sign in", FormTo: pages.Origin(q.Redirect),
		Form: pages.Form{
			App: q.Client.Name, Action: "/authorize/password?" + q.Query, Email: email, Problem: problem,
			Token: h.Browsers.PageToken(visit, q.Query, h.Now().Add(browser.PageLife)), Passkey: h.passkeyForm(r, q, visit),
		},
	})
}

// Again shows the sign-in page to a person who has to begin again, with the reason.
func (h *Pages) Again(w http.ResponseWriter, r *http.Request, q *request.Request, problem string) {
	h.Show(w, r, q, q.Hint, http.StatusForbidden, problem)
}

// Password is the Step for the sign-in page with an e-mail address and a password.
func (h *Pages) Password(w http.ResponseWriter, r *http.Request, q *request.Request, p oauth.Params) *store.SignIn {
	email, typed := strings.ToLower(strings.TrimSpace(p["email"])), p["password"]
	again := func(status int, problem string) *store.SignIn {
		h.Show(w, r, q, email, status, problem)
		return nil
	}
	if problem := h.Browsers.CheckPage(r, q.Query, p["token"]); problem != "" {
		return again(http.StatusForbidden, problem)
	}
	if email == "" || typed == "" {
		return again(http.StatusBadRequest, textMissing)
	}
	from := Place{Network: clientip.Network(r), Browser: h.Browsers.Known(r, email, browser.Password)}
	user, wait, err := h.Passwords.Check(r.Context(), from, email, typed)
	switch {
	case wait > 0:
		ratelimit.RetryAfter(w.Header(), wait)
		return again(http.StatusTooManyRequests, textWait("passwords", wait))
	case errors.Is(err, store.ErrNotFound):
		h.recordWrong(r, user.ID, q.Client.ID)
		h.Journal.Warn(r.Context(), "sign-in refused", slog.String("client", q.Client.ID), slog.String("address", clientip.Of(r)))
		return again(http.StatusBadRequest, textWrong)
	case err != nil:
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "sign in", err))
		return nil
	case user.Blocked: // a person with the right password may learn this
		h.failed(r, q, user.ID, policy.Blocked)
		return again(http.StatusForbidden, textBlocked)
	}
	if from.Browser == "" {
		h.Browsers.SetKnown(w, email, browser.Password)
	}
	return h.afterPassword(w, r, q, user)
}

// afterPassword continues with a person whose password was right. Nobody is signed in yet.
func (h *Pages) afterPassword(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User) *store.SignIn {
	have, err := h.Factors.Of(r.Context(), user.ID)
	switch {
	case err != nil:
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "list methods", err))
	case have.Needed():
		h.askCode(w, r, q, user, "")
	case q.ACR != "":
		h.unmet(w, r, q, user, have)
	default:
		return h.enter(w, r, q, h.Browsers.NewSignIn(user.ID, oauth.ByPassword(), store.Basis{PasswordHash: user.PasswordHash}))
	}
	return nil
}

// textUsePasskey is for a person whose only second factor is a passkey.
const textUsePasskey = "This application requires more than a password. Sign in with your passkey."

// StepUp asks a signed-in person for what the sign-in lacks for the request: the code of an app, without asking for the password again, or
// a passkey.
func (h *Pages) StepUp(w http.ResponseWriter, r *http.Request, q *request.Request, s store.SignIn) {
	user, err := h.Store.User(r.Context(), s.UserID)
	var have Second
	if err == nil {
		have, err = h.Factors.Of(r.Context(), s.UserID)
	}
	switch {
	case err != nil:
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read user", err))
	case q.Prompt.None && (have.Needed() || have.passkey):
		h.Requests.Refuse(w, r, &request.Refusal{Err: oauth.LoginRequired("the person must enter a second factor"), Req: q})
	case have.Needed():
		h.askCode(w, r, q, user, s.ID)
	default:
		h.unmet(w, r, q, user, have)
	}
}

// unmet answers a request for a second factor when the person has no app: with the sign-in page if they have a passkey, and with a refusal
// otherwise.
func (h *Pages) unmet(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User, have Second) {
	if have.passkey {
		h.Show(w, r, q, user.Email, http.StatusOK, textUsePasskey)
		return
	}
	h.Journal.Info(r.Context(), "no second factor", slog.String("user", user.ID), slog.String("client", q.Client.ID))
	h.Requests.Refuse(w, r, &request.Refusal{Err: oauth.Unmet(), Req: q})
}

// enter signs in a person who has proven everything.
func (h *Pages) enter(w http.ResponseWriter, r *http.Request, q *request.Request, proven store.SignIn) *store.SignIn {
	s, err := h.Browsers.Begin(w, r, proven)
	if errors.Is(err, store.ErrNotFound) {
		h.failed(r, q, proven.UserID, "the account changed during the sign-in")
		h.Again(w, r, q, textChanged)
		return nil
	}
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "create sign-in", err))
		return nil
	}
	h.Journal.SignIn(r.Context(), "signed_in")
	h.Journal.Record(r, store.Event{Type: eventSignedIn, UserID: s.UserID, ClientID: q.Client.ID, Audience: q.Audience, Scope: q.Scope})
	h.Journal.Info(r.Context(), "signed in", slog.String("user", s.UserID), slog.String("client", q.Client.ID),
		slog.String("address", clientip.Of(r)), slog.String("by", strings.Join(s.AMR, " ")))
	return &s
}

// failed records a failed sign-in. userID is "" if the person is unknown.
func (h *Pages) failed(r *http.Request, q *request.Request, userID, why string) {
	h.Journal.SignIn(r.Context(), "failed")
	h.Journal.Record(r, store.Event{Type: eventFailed, UserID: userID, ClientID: q.Client.ID, Description: why})
}

// recordWrong records a wrong password, or an address without an account. It does not store the address, since people type their passwords
// into the wrong field.
func (h *Pages) recordWrong(r *http.Request, userID, clientID string) {
	e := store.Event{Type: eventWrongPassword, UserID: userID, ClientID: clientID, Description: "wrong password"}
	if userID == "" {
		e.Type, e.Description = eventUnknownUser, "unknown e-mail address"
	}
	h.Journal.SignIn(r.Context(), "wrong_password")
	h.Journal.Record(r, e)
}

// textWait is the text after too many wrong passwords or codes.
func textWait(wrong string, wait time.Duration) string {
	minutes := int((wait + time.Minute - 1) / time.Minute)
	if minutes == 1 {
		return "Too many wrong " + wrong + ". Wait a minute and try again."
	}
	return fmt.Sprintf("Too many wrong %s. Wait %d minutes and try again.", wrong, minutes)
}
