package authz

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// codePurpose is the purpose of a session between the password and the code.
const codePurpose = "second factor"

// Texts of the page that asks for a code. One for all that can be wrong with a code: the person cannot
// help it, and nobody else learns more.
const (
	textCode        = "That code is not right, or was used before. Wait for the next one and try again."
	textRecovery    = "That recovery code is not right, or was used before. Check it and try again."
	textCodeMissing = "Enter the code."
	textCodeStale   = "This page was open for too long, or something changed since. Sign in again."
)

// pending is what is known of a person who has yet to enter a code. It is kept by the server: the page
// holds the name of its session only.
type pending struct {
	// Password is the hash of what is kept of the password. A person who has another one by now begins
	// again.
	Password []byte `json:"password"`
	SignIn   string `json:"sign_in,omitempty"` // ID of the sign-in that is stepped up; empty after a password
}

// askCode begins the exchange for a code and shows its page.
func (h *Handler) askCode(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User, signInID string) {
	data, err := json.Marshal(pending{Password: tokens.Hash(user.PasswordHash), SignIn: signInID})
	if err != nil {
		panic("authz: encode pending: " + err.Error()) // of bytes and a string
	}
	secret, now := tokens.NewSecret(), h.Now()
	row := store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: codePurpose, ClientID: q.Client.ID, UserID: user.ID, Data: data, Expires: now.Add(factor.Life),
	}
	if err := h.Store.CreateAuthSession(r.Context(), row, now); err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "keep second factor", err))
		return
	}
	h.showCode(w, r, q, entry{secret: secret, row: row, user: user}, http.StatusOK, "")
}

// entry is one visit of the code page.
type entry struct {
	secret   string // names the row
	row      store.AuthSession
	user     store.User
	have     seconds
	recovery bool // a recovery code is asked for in place of the app's
}

// boundCode is what the token of a code page is bound to.
func boundCode(q *request.Request, secret string) string {
	return strings.Join([]string{q.Query, "code", secret}, "\x00")
}

func (h *Handler) showCode(w http.ResponseWriter, r *http.Request, q *request.Request, e entry, status int, problem string) {
	p := pages.Page{
		Title: "Enter the code of your app", FormTo: pages.Origin(q.Redirect), Session: e.secret, Recovery: e.recovery,
		Form: pages.Form{
			App: q.Client.Name, Email: e.user.Email, Problem: problem, Action: "/authorize/code?" + q.Query,
			// The page ends with the session, however often it is shown.
			Token: h.browsers.PageToken(h.browsers.Visit(w, r), boundCode(q, e.secret), e.row.Expires),
		},
	}
	if e.recovery {
		p.Title = "Enter a recovery code"
	}
	h.pages.Render(w, status, pages.Code, p)
}

// enterCode is POST /authorize/code: the page with the code comes back. A wrong code does not end the
// exchange, but it counts.
func (h *Handler) enterCode(w http.ResponseWriter, r *http.Request) {
	q, p, ok := h.requests.FromPage(w, r)
	if !ok {
		return
	}
	if h.browsers.CheckPage(r, boundCode(q, p["session"]), p["token"]) != "" {
		h.showSignIn(w, r, q, q.Hint, http.StatusForbidden, textCodeStale)
		return
	}
	e, s, problem, err := h.entry(r, q, p["session"])
	_, e.recovery = p["recovery"]
	code := p["code"] + p["recovery"] // a page has one of them
	switch {
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "read second factor", err))
	case problem != "":
		h.showSignIn(w, r, q, q.Hint, http.StatusForbidden, problem)
	case p["way"] != "":
		e.recovery = p["way"] == "recovery"
		h.showCode(w, r, q, e, http.StatusOK, "")
	case strings.TrimSpace(code) == "":
		h.showCode(w, r, q, e, http.StatusBadRequest, textCodeMissing)
	default:
		h.judgeCode(w, r, q, e, s, code)
	}
}

// entry finds what a code page was shown for, and the sign-in that a right code leads to; problem tells
// the person why it cannot continue.
func (h *Handler) entry(r *http.Request, q *request.Request, secret string) (e entry, s store.SignIn, problem string, err error) {
	row, err := h.Store.AuthSession(r.Context(), tokens.Hash(secret))
	e = entry{secret: secret, row: row}
	if err == nil && (row.Purpose != codePurpose || row.ClientID != q.Client.ID || !h.Now().Before(row.Expires)) {
		err = store.ErrNotFound
	}
	if err == nil {
		e.user, err = h.Store.User(r.Context(), row.UserID)
	}
	if err == nil && e.user.Blocked {
		return e, s, textBlocked, nil
	}
	if err == nil {
		e.have, err = h.second(r.Context(), row.UserID)
	}
	if err == nil {
		s, err = h.afterCode(r, e)
	}
	if errors.Is(err, store.ErrNotFound) {
		return e, s, textCodeStale, nil
	}
	return e, s, "", err
}

// afterCode returns the sign-in that a right code leads to, or ErrNotFound when what came before the code
// does not count any more: the app was removed, the password is another one, the sign-in has ended.
func (h *Handler) afterCode(r *http.Request, e entry) (store.SignIn, error) {
	var was pending
	if err := json.Unmarshal(e.row.Data, &was); err != nil {
		return store.SignIn{}, err
	}
	if !e.have.needed() || !slices.Equal(was.Password, tokens.Hash(e.user.PasswordHash)) {
		return store.SignIn{}, store.ErrNotFound
	}
	// A code of another app, or the recovery code, is a second factor only while the person has an app: any one will do.
	basis := store.Basis{PasswordHash: e.user.PasswordHash, MethodID: e.have.apps[0].ID}
	if was.SignIn == "" {
		return h.browsers.NewSignIn(e.user.ID, append(oauth.ByPassword(), oauth.AMRCode, oauth.AMRMulti), basis), nil
	}
	old, ok, err := h.browsers.Current(r)
	if err != nil {
		return store.SignIn{}, err
	}
	if !ok || old.ID != was.SignIn || old.UserID != e.user.ID {
		return store.SignIn{}, store.ErrNotFound
	}
	// The first factor is as old as it was, and the sign-in ends when it would have.
	amr := append(slices.Clone(old.AMR), oauth.AMRCode, oauth.AMRMulti)
	slices.Sort(amr)
	basis.SignInID, basis.AMR = old.ID, old.AMR
	return store.SignIn{UserID: old.UserID, AuthTime: old.AuthTime, AMR: slices.Compact(amr), Expires: old.Expires, Basis: basis}, nil
}

// judgeCode signs the person in when the code is right. Wrong ones count by account alone, wherever they
// come from: whoever is here knows the password, and six digits are soon tried from many addresses. A right
// password forgives none of them.
func (h *Handler) judgeCode(w http.ResponseWriter, r *http.Request, q *request.Request, e entry, s store.SignIn, code string) {
	from, account := clientip.Network(r), "\x00"+e.user.ID // no e-mail address is empty
	if wait := h.guesses.code(from, account); wait > 0 {
		ratelimit.RetryAfter(w.Header(), wait)
		h.showCode(w, r, q, e, http.StatusTooManyRequests, textWait("codes", wait))
		return
	}
	use, failed, text := h.useApp, eventCodeFailed, textCode
	if e.recovery {
		use, failed, text = h.useRecovery, eventRecoveryFailed, textRecovery
	}
	right, err := use(r.Context(), e, code)
	if err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "check code", err))
		return
	}
	if !right {
		h.journal.Record(r, store.Event{Type: failed, UserID: e.user.ID, ClientID: q.Client.ID, Description: "wrong code"})
		h.journal.Warn(r.Context(), "code refused", slog.String("user", e.user.ID),
			slog.String("client", q.Client.ID), slog.String("address", clientip.Of(r)), slog.Bool("recovery", e.recovery))
		h.showCode(w, r, q, e, http.StatusBadRequest, text)
		return
	}
	h.guesses.rightCode(from, account)
	if e.recovery {
		h.journal.Record(r, store.Event{Type: eventRecovered, UserID: e.user.ID, ClientID: q.Client.ID, Description: "the recovery code is used up"})
	}
	// Of two right codes at once one signs in.
	switch _, err := h.Store.UseAuthSession(r.Context(), e.row.Hash); {
	case errors.Is(err, store.ErrNotFound):
		h.showSignIn(w, r, q, q.Hint, http.StatusForbidden, textCodeStale)
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "use second factor", err))
	default:
		h.enter(w, r, q, s)
	}
}

// useApp reports whether a code is one that an app of the person shows, and uses up its step.
func (h *Handler) useApp(ctx context.Context, e entry, code string) (bool, error) {
	code = strings.NewReplacer(" ", "", "-", "").Replace(code) // apps show it in two groups
	for _, m := range e.have.apps {
		step, ok, err := factor.CheckMethod(h.Master, m, code, h.Now())
		if err != nil {
			return false, err
		}
		if !ok {
			continue
		}
		err = h.Store.UseMethod(ctx, m.ID, m.Count, step, nil, h.Now())
		if errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
			continue // used at the same time, or removed
		}
		return err == nil, err
	}
	return false, nil
}

// useRecovery reports whether a code is the person's recovery code, and removes it. It is not replaced: who
// loses their app signs in once, and sets up both again.
func (h *Handler) useRecovery(ctx context.Context, e entry, code string) (bool, error) {
	for _, m := range e.have.recovery {
		if !factor.CheckRecoveryCode(m.Data, code) {
			continue
		}
		err := h.Store.DeleteMethod(ctx, e.user.ID, m.ID, nil)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		return err == nil, err
	}
	return false, nil
}
