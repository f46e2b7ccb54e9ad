package signin

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/authz/browser"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/request"
	"github.com/formgraph/formgraph/server/tenant/factor"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// codePurpose is the purpose of a session between the password and the code.
const codePurpose = "second factor"

// Texts of the page that asks for a code. One text covers every fault of a code: more would not help the person, and would only inform
// others.
const (
	textCode        = "That code is wrong or was already used. Wait for the next one and try again."
	textRecovery    = "That recovery code is wrong or was already used. Check it and try again."
	textCodeMissing = "Enter the code."
	textCodeStale   = "This page was open for too long, or something changed since. Sign in again."
)

// pending is what is known about a person who has yet to enter a code. The server stores it; the page holds only the name of its session.
type pending struct {
	// Password is the hash of the stored password hash. A person whose password has changed begins again.
	Password []byte `json:"password"`
	SignIn   string `json:"sign_in,omitempty"` // ID of the sign-in that is stepped up; empty after a password
}

// askCode begins the exchange for a code and shows its page.
func (h *Pages) askCode(w http.ResponseWriter, r *http.Request, q *request.Request, user store.User, signInID string) {
	data, err := json.Marshal(pending{Password: tokens.Hash(user.PasswordHash), SignIn: signInID})
	if err != nil {
		panic("signin: encode pending: " + err.Error()) // of bytes and a string
	}
	secret, now := tokens.NewSecret(), h.Now()
	row := store.AuthSession{
		Hash: tokens.Hash(secret), Purpose: codePurpose, ClientID: q.Client.ID, UserID: user.ID, Data: data, Expires: now.Add(factor.Life),
	}
	if err := h.Store.CreateAuthSession(r.Context(), row, now); err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "keep second factor", err))
		return
	}
	h.showCode(w, r, q, entry{secret: secret, row: row, user: user}, http.StatusOK, "")
}

// entry is one visit to the code page.
type entry struct {
	secret   string // names the row
	row      store.AuthSession
	user     store.User
	have     Second
	recovery bool // the page asks for a recovery code in place of the app's
}

// boundCode returns what the token of a code page is bound to.
func boundCode(q *request.Request, secret string) string {
	return strings.Join([]string{q.Query, "code", secret}, "\x00")
}

// showCode shows the code page.
func (h *Pages) showCode(w http.ResponseWriter, r *http.Request, q *request.Request, e entry, status int, problem string) {
	p := pages.Page{
		Title: "Enter the code from your authenticator app", FormTo: pages.Origin(q.Redirect), Session: e.secret, Recovery: e.recovery,
		Form: pages.Form{
			App: q.Client.Name, Email: e.user.Email, Problem: problem, Action: "/authorize/code?" + q.Query,
			// The page ends with the session, however often it is shown.
			Token: h.Browsers.PageToken(h.Browsers.Visit(w, r), boundCode(q, e.secret), e.row.Expires),
		},
	}
	if e.recovery {
		p.Title = "Enter a recovery code"
	}
	h.Pages.Render(w, status, pages.Code, p)
}

// Code is the Step for the code page. A wrong code does not end the exchange, but it is counted.
func (h *Pages) Code(w http.ResponseWriter, r *http.Request, q *request.Request, p oauth.Params) *store.SignIn {
	if h.Browsers.CheckPage(r, boundCode(q, p["session"]), p["token"]) != "" {
		h.Again(w, r, q, textCodeStale)
		return nil
	}
	e, s, problem, err := h.entry(r, q, p["session"])
	_, e.recovery = p["recovery"]
	code := p["code"] + p["recovery"] // a page has only one of them
	switch {
	case err != nil:
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "read second factor", err))
	case problem != "":
		h.Again(w, r, q, problem)
	case p["way"] != "":
		e.recovery = p["way"] == "recovery"
		h.showCode(w, r, q, e, http.StatusOK, "")
	case strings.TrimSpace(code) == "":
		h.showCode(w, r, q, e, http.StatusBadRequest, textCodeMissing)
	default:
		return h.checkCode(w, r, q, e, s, code)
	}
	return nil
}

// entry returns what a code page was shown for, and the sign-in for a right code. problem tells the person why the sign-in cannot continue.
func (h *Pages) entry(r *http.Request, q *request.Request, secret string) (e entry, s store.SignIn, problem string, err error) {
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
		e.have, err = h.Factors.Of(r.Context(), row.UserID)
	}
	if err == nil {
		s, err = h.afterCode(r, e)
	}
	if errors.Is(err, store.ErrNotFound) {
		return e, s, textCodeStale, nil
	}
	return e, s, "", err
}

// afterCode returns the sign-in for a right code, or store.ErrNotFound if what preceded the code no longer counts: the app was removed, the
// password was changed, or the sign-in has ended.
func (h *Pages) afterCode(r *http.Request, e entry) (store.SignIn, error) {
	var was pending
	if err := json.Unmarshal(e.row.Data, &was); err != nil {
		return store.SignIn{}, err
	}
	if !e.have.Needed() || !slices.Equal(was.Password, tokens.Hash(e.user.PasswordHash)) {
		return store.SignIn{}, store.ErrNotFound
	}
	// A code of another app, or the recovery code, is a second factor only while the person has an app: any one will do.
	basis := store.Basis{PasswordHash: e.user.PasswordHash, MethodID: e.have.apps[0].ID}
	if was.SignIn == "" {
		return h.Browsers.NewSignIn(e.user.ID, append(oauth.ByPassword(), oauth.AMRCode, oauth.AMRMulti), basis), nil
	}
	old, ok, err := h.Browsers.Current(r)
	if err != nil {
		return store.SignIn{}, err
	}
	if !ok || old.ID != was.SignIn || old.UserID != e.user.ID {
		return store.SignIn{}, store.ErrNotFound
	}
	// The first factor keeps its age, and the sign-in keeps its end.
	amr := append(slices.Clone(old.AMR), oauth.AMRCode, oauth.AMRMulti)
	slices.Sort(amr)
	basis.SignInID, basis.AMR = old.ID, old.AMR
	return store.SignIn{UserID: old.UserID, AuthTime: old.AuthTime, AMR: slices.Compact(amr), Expires: old.Expires, Basis: basis}, nil
}

// checkCode signs the person in if the code is right. Wrong codes are counted by account alone, whatever their address: the sender knows
// the password, and from many addresses six digits are soon tried. A right password forgives none of them. A browser in which somebody has
// given a code before has guesses of its own, so that nobody else can use up those of the owner.
func (h *Pages) checkCode(
	w http.ResponseWriter, r *http.Request, q *request.Request, e entry, s store.SignIn, code string,
) *store.SignIn {
	from := Place{Network: clientip.Network(r), Browser: h.Browsers.Known(r, e.user.Email, browser.Code)}
	counted, wait := h.Passwords.Guesses.code(r.Context(), e.user.ID, from)
	if wait > 0 {
		ratelimit.RetryAfter(w.Header(), wait)
		h.showCode(w, r, q, e, http.StatusTooManyRequests, textWait("codes", wait))
		return nil
	}
	use, failed, text := h.Factors.useApp, eventCodeFailed, textCode
	if e.recovery {
		use, failed, text = h.Factors.useRecovery, eventRecoveryFailed, textRecovery
	}
	right, err := use(r.Context(), e.have, code)
	if err != nil {
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "check code", err))
		return nil
	}
	if !right {
		h.Journal.SignIn(r.Context(), "wrong_code")
		h.Journal.Record(r, store.Event{Type: failed, UserID: e.user.ID, ClientID: q.Client.ID, Description: "wrong code"})
		h.Journal.Warn(r.Context(), "code refused", slog.String("user", e.user.ID),
			slog.String("client", q.Client.ID), slog.String("address", clientip.Of(r)), slog.Bool("recovery", e.recovery))
		h.showCode(w, r, q, e, http.StatusBadRequest, text)
		return nil
	}
	h.Passwords.Guesses.rightCode(r.Context(), e.user.ID, counted)
	if from.Browser == "" {
		h.Browsers.SetKnown(w, e.user.Email, browser.Code)
	}
	if e.recovery {
		h.Journal.Record(r, store.Event{
			Type: eventRecovered, UserID: e.user.ID, ClientID: q.Client.ID, Description: "the recovery code is used up",
		})
	}
	// If two right codes arrive at once, one signs in.
	switch _, err := h.Store.UseAuthSession(r.Context(), e.row.Hash); {
	case errors.Is(err, store.ErrNotFound):
		h.Again(w, r, q, textCodeStale)
	case err != nil:
		h.Pages.Fail(w, h.Journal.Unavailable(r.Context(), "use second factor", err))
	default:
		return h.enter(w, r, q, s)
	}
	return nil
}
