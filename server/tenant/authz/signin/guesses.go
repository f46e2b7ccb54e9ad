package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// Limits of wrong passwords. The second stops one password from being tried on many accounts, the third one account from being tried from
// many networks, and the last somebody with an earlier password whom many browsers know.
const (
	wrongPerAccount = 5 // of a network, or of a browser that signed in before
	wrongPerNetwork = 100
	wrongWindow     = 15 * time.Minute
	wrongAnywhere   = 20 // of an account, by strangers
	wrongSlowed     = 9  // more of them, each followed by a longer pause; the count ends there, and the last pause is for all that follow
	firstPause      = time.Second
	wrongKnown      = 20 // of an account, by browsers that signed in before
	anywhereWindow  = time.Hour
	knownWindow     = 90 * 24 * time.Hour // for which a network with a successful sign-in is remembered
)

// A Place is the origin of a guess.
type Place struct {
	Network string // the unit by which limits count
	Browser string // identifies a browser in which somebody has signed in to the account before; "" for any other

	paused bool // the guess made others pause
}

// Guesses limits how often passwords and codes are guessed, and never locks a person out where they have signed in before.
//
// Wrong passwords are counted by account and network. An account with many wrong passwords is under attack. A network from which nobody has
// signed in to it then gets one more guess an hour, and all such networks together have to pause after each guess: for a second at first,
// and twice as long each time, up to four minutes. So a botnet of any size gets about forty guesses an hour. The owner can still sign in
// from a network used before, and in a browser used before, whatever others in the same network do: a cookie identifies the browser, which
// has guesses of its own. With a new device in a new network, the owner waits for the pause to end, as long as the attack lasts. The cookie
// is the defense of https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies, with pauses in place of its lock
// for new devices. An address without an account is counted in the same way. Guesses is safe for concurrent use.
type Guesses struct {
	wrong    *ratelimit.Failures // by account and network, or account and browser
	spray    *ratelimit.Failures // by network
	anywhere *ratelimit.Failures // by account, outside of known browsers
	browsers *ratelimit.Failures // by account, in known browsers
	stranger *ratelimit.Failures // by account under attack and network
	pause    *ratelimit.Failures // by account under attack
	known    *ratelimit.Failures // account and network of people who signed in, as a counter to one
}

// NewGuesses returns limits that have counted no guesses yet.
func NewGuesses(count ratelimit.Counting) *Guesses {
	return &Guesses{
		wrong:    count.Failures("wrong", wrongPerAccount, wrongWindow),
		spray:    count.Failures("spray", wrongPerNetwork, wrongWindow),
		anywhere: count.Failures("anywhere", wrongAnywhere+wrongSlowed, anywhereWindow),
		browsers: count.Failures("browsers", wrongKnown, anywhereWindow),
		stranger: count.Failures("stranger", 1, anywhereWindow),
		pause:    count.Failures("pause", 1, firstPause),
		known:    count.Failures("known", 1, knownWindow),
	}
}

// password counts a guess at the password of an e-mail address before its outcome is known. It returns how long to wait instead, or 0 to
// continue. counted is the place to pass to right: it is from, without its browser after too many guesses in known browsers.
func (g *Guesses) password(ctx context.Context, email string, from Place) (counted Place, wait time.Duration) {
	account := accountKey(email)
	if from.Browser != "" {
		if wait := g.wrong.Try(ctx, ofBrowser(account, from)); wait > 0 || g.browsers.Try(ctx, account) == 0 {
			return from, wait
		}
		from.Browser = ""
	}
	at := ofNetwork(account, from)
	if wait := g.try(ctx, from.Network, at); wait > 0 {
		return from, wait
	}
	if n := g.anywhere.Count(ctx, account) - wrongAnywhere; n >= 0 && !g.known.Spent(ctx, at) {
		if wait := g.slow(ctx, account, at, n); wait > 0 {
			g.spray.Succeed(ctx, from.Network) // it was not an attempt
			g.wrong.Succeed(ctx, at)
			return from, wait
		}
		from.paused = true
	}
	g.anywhere.Try(ctx, account) // beyond the limit nothing more is counted
	return from, 0
}

// slow returns how long a stranger at a place has to wait before the nth guess of strangers at an account under attack, or 0 to continue.
func (g *Guesses) slow(ctx context.Context, account, at string, n int) time.Duration {
	if wait := g.stranger.Try(ctx, at); wait > 0 {
		return wait
	}
	wait := g.pause.TryFor(ctx, account, firstPause<<min(n, wrongSlowed-1))
	if wait > 0 {
		g.stranger.Succeed(ctx, at)
	}
	return wait
}

// right takes back the wrong guesses at an e-mail address from a place, after the right password.
func (g *Guesses) right(ctx context.Context, email string, from Place) {
	account := accountKey(email)
	if from.Browser != "" {
		g.wrong.Clear(ctx, ofBrowser(account, from))
		g.browsers.Succeed(ctx, account)
		return
	}
	at := ofNetwork(account, from)
	g.wrong.Clear(ctx, at)
	g.spray.Succeed(ctx, from.Network)
	g.anywhere.Succeed(ctx, account)
	if from.paused {
		g.stranger.Succeed(ctx, at)
		g.pause.Succeed(ctx, account)
	}
	g.known.Try(ctx, at)
}

// try counts a guess from a network at what key names, and returns how long to wait instead, or 0 to continue.
func (g *Guesses) try(ctx context.Context, network, key string) time.Duration {
	if wait := g.spray.Try(ctx, network); wait > 0 {
		return wait
	}
	wait := g.wrong.Try(ctx, key)
	if wait > 0 {
		g.spray.Succeed(ctx, network) // it was not an attempt
	}
	return wait
}

// code counts a guess at the codes of a person before its outcome is known, as password does for a password. The browser of from is known for a
// code.
func (g *Guesses) code(ctx context.Context, userID string, from Place) (counted Place, wait time.Duration) {
	account := codesKey(userID)
	if from.Browser != "" {
		if wait := g.wrong.Try(ctx, ofBrowser(account, from)); wait > 0 || g.browsers.Try(ctx, account) == 0 {
			return from, wait
		}
		from.Browser = ""
	}
	return from, g.try(ctx, from.Network, account)
}

// rightCode takes back the guess that code counted at a place.
func (g *Guesses) rightCode(ctx context.Context, userID string, from Place) {
	account := codesKey(userID)
	if from.Browser != "" {
		g.wrong.Succeed(ctx, ofBrowser(account, from))
		g.browsers.Succeed(ctx, account)
		return
	}
	g.wrong.Succeed(ctx, account)
	g.spray.Succeed(ctx, from.Network)
}

// codesKey returns the key for the codes of a person. No key of a password begins with a zero byte.
func codesKey(userID string) string { return "\x00" + userID }

// accountKey returns a short key for an e-mail address as typed, which may be long: the limiters bound the number of keys but not their
// size.
func accountKey(email string) string {
	sum := sha256.Sum256([]byte(email))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// The keys of the two kinds never collide: no account, network or browser contains a zero byte.
func ofNetwork(account string, from Place) string { return account + "\x00" + from.Network }
func ofBrowser(account string, from Place) string { return account + "\x00\x00" + from.Browser }
