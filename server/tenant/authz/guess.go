package authz

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/formgraph/formgraph/server/clientip"
	"github.com/formgraph/formgraph/server/ratelimit"
	"github.com/formgraph/formgraph/server/recent"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Wrong passwords allowed. The second bound is against trying one password on many accounts, the third against
// guessing one password from many networks.
const (
	wrongPerAccount = 5 // of a network, or of a browser that signed in before
	wrongPerNetwork = 100
	wrongWindow     = 15 * time.Minute
	wrongAnywhere   = 20 // of an account, by strangers
	anywhereWindow  = time.Hour
)

// maxKnown bounds how many networks are remembered from which people signed in.
const maxKnown = 10_000

// place is where a guess comes from.
type place struct {
	network string // what limits count by
	browser string // names a browser in which somebody signed in to the account before; "" for a stranger's
}

// guesses limits how often passwords and codes are guessed, and never locks a person out of their account.
//
// Wrong passwords count by account and network. An account with many of them from anywhere is under attack:
// then each network that nobody signed in to it from has one more guess an hour, so that a botnet gets one
// guess an hour from each of its networks and not twenty. The person still comes in from a network where they
// signed in before, from any other one with the right password at once, and in a browser that signed in before
// whatever strangers in the same network do: it is told by a cookie and has guesses of its own. The cookie is
// the defence of https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies, without
// its lock for new devices. It is safe for concurrent use.
type guesses struct {
	wrong    *ratelimit.Failures // by account and network, or browser
	spray    *ratelimit.Failures // by network
	anywhere *ratelimit.Failures // by account, of strangers
	stranger *ratelimit.Failures // by account under attack and network

	mu    sync.Mutex
	known *recent.Map[string, struct{}] // account and network of people who signed in
}

func newGuesses(now func() time.Time) *guesses {
	return &guesses{
		wrong:    ratelimit.NewFailures(wrongPerAccount, wrongWindow, now),
		spray:    ratelimit.NewFailures(wrongPerNetwork, wrongWindow, now),
		anywhere: ratelimit.NewFailures(wrongAnywhere, anywhereWindow, now),
		stranger: ratelimit.NewFailures(1, anywhereWindow, now),
		known:    recent.New[string, struct{}](maxKnown),
	}
}

// password counts a guess at the password of an account before its outcome is known, and returns how long it
// has to wait instead.
func (g *guesses) password(account string, from place) time.Duration {
	if from.browser != "" {
		return g.wrong.Try(ofBrowser(account, from))
	}
	at := ofNetwork(account, from)
	if wait := g.code(from.network, at); wait > 0 {
		return wait
	}
	if g.anywhere.Spent(account) && !g.knows(at) {
		if wait := g.stranger.Try(at); wait > 0 {
			g.spray.Succeed(from.network) // it was no attempt
			g.wrong.Succeed(at)
			return wait
		}
	}
	g.anywhere.Try(account) // beyond the limit there is nothing more to count
	return 0
}

// right forgives the guesses of a person whose password was right.
func (g *guesses) right(account string, from place) {
	if from.browser != "" {
		g.wrong.Clear(ofBrowser(account, from))
		return
	}
	at := ofNetwork(account, from)
	g.wrong.Clear(at)
	g.stranger.Clear(at)
	g.spray.Succeed(from.network)
	g.anywhere.Succeed(account)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known.Put(at, struct{}{})
}

// code counts a guess at what key names, from a network, and returns how long it has to wait instead.
func (g *guesses) code(network, key string) time.Duration {
	if wait := g.spray.Try(network); wait > 0 {
		return wait
	}
	wait := g.wrong.Try(key)
	if wait > 0 {
		g.spray.Succeed(network) // it was no attempt
	}
	return wait
}

// rightCode takes back one guess that code counted.
func (g *guesses) rightCode(network, key string) {
	g.wrong.Succeed(key)
	g.spray.Succeed(network)
}

func (g *guesses) knows(at string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, ok := g.known.Get(at)
	return ok
}

// An e-mail address holds no zero byte, so the keys of two kinds never meet.
func ofNetwork(account string, from place) string { return account + "\x00" + from.network }
func ofBrowser(account string, from place) string { return account + "\x00\x00" + from.browser }

// knownCookie tells the browser in which somebody signed in before. It lets nobody in.
const knownCookie = "fg-tenant-known"

// knownLife is how long a browser is known after a sign-in by password.
const knownLife = 90 * 24 * time.Hour

// placeOf is where a request comes from that guesses the password of an account.
func (h *Handler) placeOf(r *http.Request, account string) place {
	from := place{network: clientip.Network(r)}
	for _, c := range r.CookiesNamed(h.cookieName(knownCookie)) {
		browser, rest, _ := strings.Cut(c.Value, ".")
		seconds, _, _ := strings.Cut(rest, ".")
		ends, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil || !isDigest(browser) || !h.Now().Before(time.Unix(ends, 0)) {
			continue
		}
		for i := range h.Master {
			if hmac.Equal([]byte(c.Value), []byte(h.knownValue(i, account, browser, ends))) {
				from.browser = browser
				return from
			}
		}
	}
	return from
}

// know makes the browser known for an account whose password was right.
func (h *Handler) know(w http.ResponseWriter, account string, from place) {
	if from.browser != "" {
		return
	}
	value := h.knownValue(0, account, tokens.NewSecret(), h.Now().Add(knownLife).Unix())
	http.SetCookie(w, h.cookie(knownCookie, value, knownLife))
}

// knownValue is the cookie of a browser; key counts the master secrets.
func (h *Handler) knownValue(key int, account, browser string, ends int64) string {
	text := browser + "." + strconv.FormatInt(ends, 10)
	m := hmac.New(sha256.New, h.Master[key].Derive("known browser", sha256.Size))
	m.Write([]byte(h.Issuer + "\x00" + text + "\x00" + account)) // neither the address nor text holds a zero byte
	return text + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}
