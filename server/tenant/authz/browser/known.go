package browser

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// A Proof is what somebody in a browser has given before to sign in to an account.
type Proof string

// The proofs. Whoever gave a code had given the password.
const (
	Password Proof = "known browser"
	Code     Proof = "known browser with a code"
)

// Known returns the name of a browser in which somebody has given the proof for an account before, or "".
func (b *Browsers) Known(r *http.Request, account string, of Proof) string {
	for _, c := range r.CookiesNamed(b.name(knownCookie)) {
		browser, rest, _ := strings.Cut(c.Value, ".")
		seconds, _, _ := strings.Cut(rest, ".")
		ends, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil || !oauth.IsDigest(browser) || !b.Now().Before(time.Unix(ends, 0)) {
			continue
		}
		for _, m := range b.Master {
			if hmac.Equal([]byte(c.Value), []byte(b.knownValue(m, Code, account, browser, ends))) ||
				of == Password && hmac.Equal([]byte(c.Value), []byte(b.knownValue(m, Password, account, browser, ends))) {
				return browser
			}
		}
	}
	return ""
}

// SetKnown gives a browser the cookie by which Known identifies it. The cookie does not sign anybody in.
func (b *Browsers) SetKnown(w http.ResponseWriter, account string, by Proof) {
	value := b.knownValue(b.Master[0], by, account, tokens.NewSecret(), b.Now().Add(knownLife).Unix())
	http.SetCookie(w, b.cookie(knownCookie, value, knownLife))
}

// knownValue returns the value of the cookie: the name of a browser, its end, and a MAC that binds both to the account and the proof.
func (b *Browsers) knownValue(master keys.Master, by Proof, account, browser string, ends int64) string {
	text := browser + "." + strconv.FormatInt(ends, 10)
	m := hmac.New(sha256.New, master.Derive(string(by), sha256.Size))
	m.Write([]byte(b.Issuer + "\x00" + text + "\x00" + account)) // neither the address nor text holds a zero byte
	return text + "." + base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}
