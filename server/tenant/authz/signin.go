package authz

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
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
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/authz/pages"
	"github.com/formgraph/formgraph/server/tenant/authz/policy"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// What the sign-in page says when it is shown again. One text for an unknown address and a wrong
// password, so that nobody learns who has an account.
const (
	textWrong   = "That e-mail address and password do not match. Check both and try again."
	textMissing = "Enter your e-mail address and your password."
	textStale   = "This page was open for too long. Enter your password again to sign in."
	textBlocked = "This account is blocked. Ask the people who run this tenant."
	textCookie  = "Your browser did not send our cookie back. Allow cookies for this address and sign in again."
)

// showSignIn shows the sign-in page for a request, with a text above the fields when problem is not
// empty. The page carries a token that binds it to the request, the browser and the time.
func (h *Handler) showSignIn(w http.ResponseWriter, r *http.Request, q *request, email string, status int, problem string) {
	visit := h.visit(w, r)
	h.pages.Render(w, status, pages.SignIn, pages.Page{
		Title: "Sign in", FormTo: pages.Origin(q.redirect),
		Form: pages.Form{
			App: q.client.Name, Action: "/authorize/password?" + q.query, Token: h.pageToken(0, visit, q.query, h.Now().Add(pageLife)),
			Email: email, Problem: problem, Passkey: h.askPasskey(r, q, visit),
		},
	})
}

// visit names the browser that is shown a page, and gives it the cookie when it has none.
func (h *Handler) visit(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(h.cookieName(visitCookie)); err == nil && isDigest(c.Value) {
		return c.Value // several tabs share it
	}
	visit := tokens.NewSecret()
	http.SetCookie(w, h.cookie(visitCookie, visit, signInLife))
	return visit
}

// signIn is POST /authorize/password: the sign-in page comes back with what the person typed.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request) {
	q, p, ok := h.returned(w, r)
	if !ok {
		return
	}
	email := strings.ToLower(strings.TrimSpace(p["email"]))
	if problem := h.checkBound(r, q.query, p["token"]); problem != "" {
		h.showSignIn(w, r, q, email, http.StatusForbidden, problem)
		return
	}
	password := p["password"]
	if email == "" || password == "" {
		h.showSignIn(w, r, q, email, http.StatusBadRequest, textMissing)
		return
	}
	known := h.knownBrowsers()
	from := place{network: clientip.Network(r), browser: known.find(r.CookiesNamed(h.cookieName(knownCookie)), email)}
	user, wait, err := h.person(r.Context(), from, email, password)
	switch {
	case wait > 0:
		ratelimit.RetryAfter(w.Header(), wait)
		h.showSignIn(w, r, q, email, http.StatusTooManyRequests, textWait("passwords", wait))
	case errors.Is(err, store.ErrNotFound):
		h.recordWrong(r, user.ID, q.client.ID)
		h.journal.Warn(r.Context(), "sign-in refused",
			slog.String("client", q.client.ID), slog.String("address", clientip.Of(r)))
		h.showSignIn(w, r, q, email, http.StatusBadRequest, textWrong)
	case err != nil:
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "sign in", err))
	case user.Blocked: // a person with the password may know it
		h.journal.Record(r, store.Event{Type: eventFailed, UserID: user.ID, ClientID: q.client.ID, Description: policy.Blocked})
		h.showSignIn(w, r, q, email, http.StatusForbidden, textBlocked)
	default:
		if from.browser == "" {
			http.SetCookie(w, h.cookie(knownCookie, known.make(email), knownLife))
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

// returned reads a form that one of our pages sends. The address holds the authorization request, which is checked
// again as if it were new, and the body holds the fields. It answers itself if one of them is refused.
func (h *Handler) returned(w http.ResponseWriter, r *http.Request) (*request, oauth.Params, bool) {
	q, f := h.parseRequest(r.Context(), r.URL.RawQuery)
	if f != nil {
		h.refuse(w, r, f)
		return nil, nil, false
	}
	p, e := oauth.ReadPage(w, r)
	if e != nil {
		h.pages.Fail(w, e)
		return nil, nil, false
	}
	return q, p, true
}

// checkBound returns why a page that came back is not one that this browser was shown, or "". bound is what its token
// is bound to: the request, for the sign-in page. It keeps another site from signing a browser in: neither the cookie
// nor the token is enough alone.
func (h *Handler) checkBound(r *http.Request, bound, token string) string {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return textCookie
	}
	b, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(b) != 8+sha256.Size {
		return textStale
	}
	ends := time.Unix(int64(binary.BigEndian.Uint64(b)), 0) //nolint:gosec // a time out of range fails the comparison below
	for _, c := range r.CookiesNamed(h.cookieName(visitCookie)) {
		for i := range h.Master {
			if !hmac.Equal([]byte(token), []byte(h.pageToken(i, c.Value, bound, ends))) {
				continue
			}
			if h.Now().After(ends) {
				return textStale
			}
			return ""
		}
	}
	return textCookie
}

// pageToken binds a page to the tenant's address, a browser, a request and an end; key counts the master
// secrets.
func (h *Handler) pageToken(key int, visit, query string, ends time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(ends.Unix())) //nolint:gosec // only compared
	m := hmac.New(sha256.New, h.Master[key].Derive("sign-in page", sha256.Size))
	m.Write(b)
	for _, s := range []string{h.Issuer, visit} {
		m.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		m.Write([]byte(s))
	}
	m.Write([]byte(query))
	return base64.RawURLEncoding.EncodeToString(m.Sum(b))
}
