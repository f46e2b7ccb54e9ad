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

// cookie returns a cookie of ours. Lax, since the browser comes from the application's site.
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

// begin keeps a new sign-in, whose person, times and AMR the caller has set, and gives the browser its
// cookie. An earlier one of the browser ends, so that no cookie lives on that nobody holds. When it was
// the same person's its name goes on, so that signing out still tells every application that knows it.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request, s store.SignIn) (store.SignIn, error) {
	old, ok, err := h.current(r)
	if err != nil {
		return store.SignIn{}, err
	}
	value := tokens.NewSecret()
	s.Hash, s.ID, s.Device = tokens.Hash(value), tokens.NewSecret(), device(r)
	if ok {
		if err := h.Store.DeleteSignIn(r.Context(), old.Hash); err != nil {
			return store.SignIn{}, err
		}
		if old.UserID == s.UserID {
			s.ID = old.ID
		}
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

// enter signs a person in who has proven everything, and goes on with the request.
func (h *Handler) enter(w http.ResponseWriter, r *http.Request, q *request, s store.SignIn) {
	s, err := h.begin(w, r, s)
	if err != nil {
		h.down(r.Context(), "create sign-in", err)
		h.fail(w, r, unavailable())
		return
	}
	h.record(r, store.Event{Type: eventSignedIn, UserID: s.UserID, ClientID: q.client.ID, Audience: q.audience, Scope: q.scope})
	h.Log.LogAttrs(r.Context(), slog.LevelInfo, "signed in", slog.String("user", s.UserID), slog.String("client", q.client.ID),
		slog.String("address", clientip.Of(r)), slog.String("by", strings.Join(s.AMR, " ")))
	h.complete(w, r, q, s)
}

// signInNow is the sign-in of a person who has just proven everything.
func (h *Handler) signInNow(userID string, amr []string) store.SignIn {
	now := h.Now()
	return store.SignIn{UserID: userID, AuthTime: now, AMR: amr, Expires: now.Add(signInLife)}
}
