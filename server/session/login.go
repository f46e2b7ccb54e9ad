package session

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// LoginTime is how long a person may take to sign in.
const LoginTime = 10 * time.Minute

// maxLogins is how many sign-ins one browser may have pending, each in a tab.
const maxLogins = 5

// Login is a pending sign-in. It is encrypted in a cookie of its own, so that tabs that begin at the same time do not overwrite each
// other's.
type Login struct {
	State    string `json:"state"`
	Nonce    string `json:"nonce"`
	Verifier string `json:"verifier"`
	// ReturnTo is a local path that the caller has checked.
	ReturnTo string `json:"return_to"`
	// Silent means that the tenant was asked to show nothing.
	Silent bool `json:"silent,omitempty"`
	// Popup means that the sign-in runs in a window of its own.
	Popup bool `json:"popup,omitempty"`
	// Fresh means that the tenant was asked not to use an earlier sign-in.
	Fresh bool      `json:"fresh,omitempty"`
	Begun time.Time `json:"begun"`
}

// Logins keeps pending sign-ins in cookies. It is safe for concurrent use.
type Logins struct {
	cookies cookies
	ring    *ring
	now     func() time.Time
	used    *ratelimit.Failures // finished sign-ins by state, which may be used once
}

// Begin sets the cookie of a sign-in. The cookie is SameSite=Lax, since browsers do not send a Strict one when a tenant on another site
// redirects back. If there are more than five sign-ins, the oldest are dropped.
func (s *Logins) Begin(w http.ResponseWriter, r *http.Request, l Login) error {
	l.Begun = s.now().UTC()
	plain, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("encode sign-in: %w", err)
	}
	name := s.cookieName(l.State)
	sealed, err := s.ring.seal(infoLogin, nil, []byte(name), plain)
	if err != nil {
		return fmt.Errorf("seal sign-in: %w", err)
	}
	open := s.openAll(w, r)
	for len(open) >= maxLogins {
		s.drop(w, s.cookieName(open[0].State))
		open = open[1:]
	}
	http.SetCookie(w, s.cookies.cookie(name, base64.RawURLEncoding.EncodeToString(sealed), int(LoginTime.Seconds()), http.SameSiteLaxMode))
	return nil
}

// Take returns the sign-in that this browser began with state, and only once: a second call with the same state finds nothing, whatever the
// cookies are.
func (s *Logins) Take(w http.ResponseWriter, r *http.Request, state string) (Login, bool) {
	if state == "" {
		return Login{}, false
	}
	name := s.cookieName(state)
	for _, c := range r.CookiesNamed(name) {
		l, ok := s.open(c)
		if !ok || l.State != state {
			continue
		}
		s.drop(w, name)
		if s.used.Try(r.Context(), state) > 0 {
			return Login{}, false
		}
		return l, true
	}
	return Login{}, false
}

// openAll returns this browser's sign-ins, oldest first, and drops cookies that have expired or are not ours.
func (s *Logins) openAll(w http.ResponseWriter, r *http.Request) []Login {
	var open []Login
	for _, c := range r.Cookies() {
		if !strings.HasPrefix(c.Name, s.cookies.session+"-login-") {
			continue
		}
		if l, ok := s.open(c); ok {
			open = append(open, l)
		} else {
			s.drop(w, c.Name)
		}
	}
	slices.SortFunc(open, func(a, b Login) int { return a.Begun.Compare(b.Begun) })
	return open
}

func (s *Logins) open(c *http.Cookie) (Login, bool) {
	sealed, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return Login{}, false
	}
	plain, err := s.ring.open(infoLogin, nil, []byte(c.Name), sealed)
	if err != nil {
		return Login{}, false
	}
	var l Login
	if json.Unmarshal(plain, &l) != nil || s.now().Sub(l.Begun) >= LoginTime {
		return Login{}, false
	}
	return l, true
}

func (s *Logins) drop(w http.ResponseWriter, name string) {
	http.SetCookie(w, s.cookies.cookie(name, "", -1, http.SameSiteLaxMode))
}

// cookieName derives the cookie's name from a hash: the state itself is in the tenant's answer, and no page may choose a cookie's name.
func (s *Logins) cookieName(state string) string {
	h := sha256.Sum256([]byte(state))
	return s.cookies.session + "-login-" + hex.EncodeToString(h[:8])
}
