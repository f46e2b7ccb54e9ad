package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/formgraph/formgraph/server/ratelimit"
)

// Limits of wrong passwords. The second stops one password from being tried on many accounts, the third one account from being tried from
// many networks, and the fourth somebody with an earlier password whom many browsers know.
const (
	wrongPerAccount = 5 // of a network, or of a browser that signed in before
	wrongPerNetwork = 100
	wrongWindow     = 15 * time.Minute
	wrongAnywhere   = 20 // of an account, by strangers
	wrongKnown      = 20 // of an account, by browsers that signed in before
	anywhereWindow  = time.Hour
	knownWindow     = 90 * 24 * time.Hour // for which a network with a successful sign-in is remembered
)

// A Place is the origin of a guess.
type Place struct {
	Network string // the unit by which limits count
	Browser string // identifies a browser in which somebody has signed in to the account before; "" for any other
}

// Guesses limits how often passwords and codes are guessed, and never locks a person out of their account.
//
// Wrong passwords are counted by account and network. An account with many wrong passwords is under attack. A network from which nobody has
// signed in to it then gets one more guess an hour, so that a botnet gets one guess an hour from each of its networks. The owner can still
// sign in from a network used before, from any other network with the right password at the first attempt, and in a browser used before,
// whatever others in the same network do: a cookie identifies the browser, which has guesses of its own. The cookie is the defense of
// https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies, without its lock for new devices. Guesses is safe
// for concurrent use.
type Guesses struct {
	wrong    *ratelimit.Failures // by account and network, or account and browser
	spray    *ratelimit.Failures // by network
	anywhere *ratelimit.Failures // by account, outside of known browsers
	browsers *ratelimit.Failures // by account, in known browsers
	stranger *ratelimit.Failures // by account under attack and network
	known    *ratelimit.Failures // account and network of people who signed in, as a counter to one
}

// NewGuesses returns limits that have counted no guesses yet.
func NewGuesses(count ratelimit.Counting) *Guesses {
	return &Guesses{
		wrong:    count.Failures("wrong", wrongPerAccount, wrongWindow),
		spray:    count.Failures("spray", wrongPerNetwork, wrongWindow),
		anywhere: count.Failures("anywhere", wrongAnywhere, anywhereWindow),
		browsers: count.Failures("browsers", wrongKnown, anywhereWindow),
		stranger: count.Failures("stranger", 1, anywhereWindow),
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
	if wait := g.code(ctx, from.Network, at); wait > 0 {
		return from, wait
	}
	if g.anywhere.Spent(ctx, account) && !g.known.Spent(ctx, at) {
		if wait := g.stranger.Try(ctx, at); wait > 0 {
			g.spray.Succeed(ctx, from.Network) // it was not an attempt
			g.wrong.Succeed(ctx, at)
			return from, wait
		}
	}
	g.anywhere.Try(ctx, account) // beyond the limit nothing more is counted
	return from, 0
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
	g.known.Try(ctx, at)
}

// code counts a guess from a network at the code that key names, and returns how long to wait instead, or 0 to continue. No
// key of a password begins with a zero byte.
func (g *Guesses) code(ctx context.Context, network, key string) time.Duration {
	if wait := g.spray.Try(ctx, network); wait > 0 {
		return wait
	}
	wait := g.wrong.Try(ctx, key)
	if wait > 0 {
		g.spray.Succeed(ctx, network) // it was not an attempt
	}
	return wait
}

// rightCode takes back one guess that code counted.
func (g *Guesses) rightCode(ctx context.Context, network, key string) {
	g.wrong.Succeed(ctx, key)
	g.spray.Succeed(ctx, network)
}

// accountKey returns a short key for an e-mail address as typed, which may be long: the limiters bound the number of keys but not their
// size.
func accountKey(email string) string {
	sum := sha256.Sum256([]byte(email))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// The keys of the two kinds never collide: no account, network or browser contains a zero byte.
func ofNetwork(account string, from Place) string { return account + "\x00" + from.Network }
func ofBrowser(account string, from Place) string { return account + "\x00\x00" + from.Browser }
