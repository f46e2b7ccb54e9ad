package authz

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Names of the tenant's cookies. Cookies do not know ports, so on one host they must differ from
// those of the BFF. Over TLS the prefix keeps other hosts and plain http from setting them.
const (
	signInCookie = "fg-tenant"       // who is signed in
	visitCookie  = "fg-tenant-visit" // which browser was shown a sign-in page
	hostPrefix   = "__Host-"
)

func (h *Handler) cookieName(name string) string {
	if h.secure() {
		return hostPrefix + name
	}
	return name
}

// cookie returns a cookie of the tenant. It is Lax, since the browser comes from the application's site.
func (h *Handler) cookie(name, value string, life time.Duration) *http.Cookie {
	c := &http.Cookie{ //nolint:gosec // Secure follows the tenant's address: a browser drops such cookies on plain http
		Name: h.cookieName(name), Value: value, Path: "/",
		HttpOnly: true, Secure: h.secure(), SameSite: http.SameSiteLaxMode,
	}
	c.MaxAge = -1
	if life > 0 {
		c.MaxAge = int(life / time.Second)
	}
	return c
}

// current returns the live sign-in of the browser and whether there is one. Of several cookies of the
// name the first that names one counts, so that a planted cookie cannot shadow ours.
func (h *Handler) current(r *http.Request) (store.SignIn, bool, error) {
	for _, c := range r.CookiesNamed(h.cookieName(signInCookie)) {
		s, err := h.Store.SignIn(r.Context(), tokens.Hash(c.Value))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return store.SignIn{}, false, err
		}
		if h.Now().Before(s.Expires) {
			return s, true, nil
		}
	}
	return store.SignIn{}, false, nil
}

// begin keeps a new sign-in, whose person, times, AMR and Basis the caller has set, and gives the browser its
// cookie. An earlier sign-in of the browser ends, so that no cookie outlives its browser. If it was the same
// person's, the new one keeps its ID, so that signing out still notifies every application that knows the ID.
// It returns store.ErrNotFound when the Basis no longer holds.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request, s store.SignIn) (store.SignIn, error) {
	old, ok, err := h.current(r)
	if err != nil {
		return store.SignIn{}, err
	}
	value := tokens.NewSecret()
	s.Hash, s.ID, s.Device, s.Replaces = tokens.Hash(value), tokens.NewSecret(), device(r), old.Hash
	if ok && old.UserID == s.UserID {
		s.ID = old.ID
	}
	err = h.Store.CreateSignIn(r.Context(), s)
	if ok && errors.Is(err, store.ErrConflict) { // two pages of the browser at once: the other has the name
		s.ID = tokens.NewSecret()
		err = h.Store.CreateSignIn(r.Context(), s)
	}
	if err != nil {
		return store.SignIn{}, err
	}
	http.SetCookie(w, h.cookie(signInCookie, value, s.Expires.Sub(h.Now())))
	return s, nil
}

// What is said when a sign-in ended while a request by it was answered: to the application, and on the sign-in page.
const (
	errSignedOut  = "the person was signed out, or a factor of the sign-in was removed"
	textSignedOut = "You were signed out. Sign in again to continue."
)

// textChanged is shown when a factor was changed or removed, or the account blocked, during the sign-in.
const textChanged = "Something about your account changed while you signed in. Sign in again."

// enter signs in a person who has proven everything, and continues with the request.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, q *request, s store.SignIn) {
	s, err := h.begin(w, r, s)
	if errors.Is(err, store.ErrNotFound) {
		h.journal.Record(r, store.Event{
			Type: eventFailed, UserID: s.UserID, ClientID: q.client.ID, Description: "the account changed during the sign-in",
		})
		h.showSignIn(w, r, q, q.hint, http.StatusForbidden, textChanged)
		return
	}
	if err != nil {
		h.pages.Fail(w, h.journal.Unavailable(r.Context(), "create sign-in", err))
		return
	}
	h.journal.Record(r, store.Event{Type: eventSignedIn, UserID: s.UserID, ClientID: q.client.ID, Audience: q.audience, Scope: q.scope})
	h.journal.Info(r.Context(), "signed in", slog.String("user", s.UserID), slog.String("client", q.client.ID),
		slog.String("address", clientip.Of(r)), slog.String("by", strings.Join(s.AMR, " ")))
	h.complete(w, r, q, s)
}

// newSignIn returns the sign-in of a person who has just proven everything; b is what was proven.
func newSignIn(userID string, amr []string, b store.Basis, now time.Time) store.SignIn {
	return store.SignIn{UserID: userID, AuthTime: now, AMR: amr, Expires: now.Add(signInLife), Basis: b}
}
