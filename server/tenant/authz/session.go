package authz

import (
	"errors"
	"net/http"
	"time"

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

// begin makes a new sign-in for a person and gives the browser its cookie. An earlier one of the
// browser ends, so that no cookie lives on that nobody holds.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request, userID string) (store.SignIn, error) {
	if old, ok, err := h.current(r); err != nil {
		return store.SignIn{}, err
	} else if ok {
		if err := h.Store.DeleteSignIn(r.Context(), old.Hash); err != nil {
			return store.SignIn{}, err
		}
	}
	value, now := tokens.NewSecret(), h.Now()
	s := store.SignIn{Hash: tokens.Hash(value), ID: tokens.NewSecret(), UserID: userID, AuthTime: now, Expires: now.Add(signInLife)}
	if err := h.Store.CreateSignIn(r.Context(), s); err != nil {
		return store.SignIn{}, err
	}
	http.SetCookie(w, h.cookie(signInCookie, value, signInLife))
	return s, nil
}
