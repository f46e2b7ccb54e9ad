// Package browser knows people's browsers: who is signed in, which browser was shown a page, and in which one a person has signed in
// before. It stores all of that in cookies and in the store's sign-ins.
package browser

import (
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Lifetimes of what a browser is given.
const (
	signInLife = 12 * time.Hour      // absolute; as long as a session of the BFF
	knownLife  = 90 * 24 * time.Hour // after a sign-in by password

	// PageLife is how long a person may take to send a page after it was shown.
	PageLife = 10 * time.Minute
)

// Names of the tenant's cookies. Cookies ignore ports, so on one host they must differ from those of the BFF. Over TLS
// the prefix keeps other hosts and plain http from setting them.
const (
	signInCookie = "fg-tenant"       // identifies the sign-in
	visitCookie  = "fg-tenant-visit" // identifies the browser that was shown a page
	// knownCookie identifies a browser in which somebody has signed in before. It does not sign anybody in.
	knownCookie = "fg-tenant-known"
	hostPrefix  = "__Host-"
)

// Browsers are the browsers at one address of the tenant. All fields are required. It is safe for concurrent use.
type Browsers struct {
	Issuer string
	Store  store.SignIns
	Master []keys.Master // newest first
	Now    func() time.Time
}

// secure reports whether browsers reach the tenant over TLS.
func (b *Browsers) secure() bool { return strings.HasPrefix(b.Issuer, "https://") }

func (b *Browsers) name(name string) string {
	if b.secure() {
		return hostPrefix + name
	}
	return name
}

// cookie returns a cookie of the tenant. It is Lax, since the browser comes from the application's site.
func (b *Browsers) cookie(name, value string, life time.Duration) *http.Cookie {
	c := &http.Cookie{ //nolint:gosec // Secure follows the tenant's address: a browser drops such cookies on plain http
		Name: b.name(name), Value: value, Path: "/",
		HttpOnly: true, Secure: b.secure(), SameSite: http.SameSiteLaxMode,
	}
	c.MaxAge = -1
	if life > 0 {
		c.MaxAge = int(life / time.Second)
	}
	return c
}

// Current returns the live sign-in of a browser, and whether there is one. If there are several cookies with the name, the first that
// identifies a sign-in counts, so that a planted cookie cannot shadow ours.
func (b *Browsers) Current(r *http.Request) (store.SignIn, bool, error) {
	for _, c := range r.CookiesNamed(b.name(signInCookie)) {
		s, err := b.Store.SignIn(r.Context(), tokens.Hash(c.Value))
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return store.SignIn{}, false, err
		}
		if b.Now().Before(s.Expires) {
			return s, true, nil
		}
	}
	return store.SignIn{}, false, nil
}

// Begin stores a new sign-in and gives the browser its cookie. The caller has set person, times, AMR and Basis. An earlier sign-in of the
// browser ends, so that no cookie outlives its browser. If it was the same person's, the new one keeps its ID, so that signing out still
// notifies every application that knows the ID. Begin returns store.ErrNotFound if the Basis no longer holds.
func (b *Browsers) Begin(w http.ResponseWriter, r *http.Request, s store.SignIn) (store.SignIn, error) {
	old, ok, err := b.Current(r)
	if err != nil {
		return store.SignIn{}, err
	}
	value := tokens.NewSecret()
	s.Hash, s.ID, s.Device, s.Replaces = tokens.Hash(value), tokens.NewSecret(), Device(r), old.Hash
	if ok && old.UserID == s.UserID {
		s.ID = old.ID
	}
	err = b.Store.CreateSignIn(r.Context(), s)
	if ok && errors.Is(err, store.ErrConflict) { // two pages of the browser at once: the other one has the ID
		s.ID = tokens.NewSecret()
		err = b.Store.CreateSignIn(r.Context(), s)
	}
	if err != nil {
		return store.SignIn{}, err
	}
	http.SetCookie(w, b.cookie(signInCookie, value, s.Expires.Sub(b.Now())))
	return s, nil
}

// End ends a sign-in and removes the cookie. If s is the zero value, it only removes the cookie.
func (b *Browsers) End(w http.ResponseWriter, r *http.Request, s store.SignIn) error {
	if s.Hash != nil {
		if err := b.Store.DeleteSignIn(r.Context(), s.Hash); err != nil {
			return err
		}
	}
	http.SetCookie(w, b.cookie(signInCookie, "", 0))
	return nil
}

// NewSignIn returns the sign-in of a person who has just proven everything that basis names.
func (b *Browsers) NewSignIn(userID string, amr []string, basis store.Basis) store.SignIn {
	now := b.Now()
	return store.SignIn{UserID: userID, AuthTime: now, AMR: amr, Expires: now.Add(signInLife), Basis: basis}
}

// agentBytes bounds the stored part of a user agent. Browsers need about 150 bytes.
const agentBytes = 256

// Device returns where a request comes from, in a form that the person can recognize.
func Device(r *http.Request) store.Device {
	agent := r.UserAgent()
	return store.Device{UserAgent: strings.ToValidUTF8(agent[:min(len(agent), agentBytes)], ""), IP: clientip.Of(r)}
}
