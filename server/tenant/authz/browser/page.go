package browser

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/tenant/authz/oauth"
	"github.com/formgraph/formgraph/server/tenant/tokens"
)

// Texts of the sign-in page about a returned page that is not accepted.
const (
	TextStale  = "This page was open for too long. Enter your password again to sign in."
	textCookie = "Your browser did not return our cookie. Allow cookies for this address and sign in again."
)

// Visit returns the name of the browser that is shown a page, and gives it the cookie if it has none.
func (b *Browsers) Visit(w http.ResponseWriter, r *http.Request) string {
	if c, err := r.Cookie(b.name(visitCookie)); err == nil && oauth.IsDigest(c.Value) {
		return c.Value // several tabs share it
	}
	visit := tokens.NewSecret()
	http.SetCookie(w, b.cookie(visitCookie, visit, signInLife))
	return visit
}

// PageToken returns the token of a page that is shown to a browser, valid until ends. It binds the page to the tenant's address, the
// browser and bound.
func (b *Browsers) PageToken(visit, bound string, ends time.Time) string {
	return b.pageToken(b.Master[0], visit, bound, ends)
}

// CheckPage returns "" if a returned page was shown to this browser, and otherwise a text that explains why it is not accepted. bound is
// what its token is bound to: the request, for the sign-in page. CheckPage keeps another site from signing a browser in: neither the cookie
// nor the token alone is enough.
func (b *Browsers) CheckPage(r *http.Request, bound, token string) string {
	if err := http.NewCrossOriginProtection().Check(r); err != nil {
		return textCookie
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != 8+sha256.Size {
		return TextStale
	}
	ends := time.Unix(int64(binary.BigEndian.Uint64(raw)), 0) //nolint:gosec // a time out of range fails the comparison below
	for _, c := range r.CookiesNamed(b.name(visitCookie)) {
		for _, master := range b.Master {
			if !hmac.Equal([]byte(token), []byte(b.pageToken(master, c.Value, bound, ends))) {
				continue
			}
			if b.Now().After(ends) {
				return TextStale
			}
			return ""
		}
	}
	return textCookie
}

func (b *Browsers) pageToken(master keys.Master, visit, bound string, ends time.Time) string {
	head := binary.BigEndian.AppendUint64(nil, uint64(ends.Unix())) //nolint:gosec // only compared
	m := hmac.New(sha256.New, master.Derive("sign-in page", sha256.Size))
	m.Write(head)
	for _, s := range []string{b.Issuer, visit} {
		m.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		m.Write([]byte(s))
	}
	m.Write([]byte(bound))
	return base64.RawURLEncoding.EncodeToString(m.Sum(head))
}
