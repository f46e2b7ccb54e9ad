package factortest

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // RFC 6238 is HMAC-SHA-1
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"testing"
	"time"
)

// Code returns the code that an app shows at a time for a secret in text form. RFC 4226, section 5.4; RFC 6238, section 4.2. It is computed
// independently of package factor.
func Code(tb testing.TB, text string, now time.Time) string {
	tb.Helper()
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	mac := hmac.New(sha1.New, secret)
	if err := binary.Write(mac, binary.BigEndian, now.Unix()/30); err != nil {
		tb.Fatal(err)
	}
	h := mac.Sum(nil)
	o := h[19] & 15
	n := (int(h[o])&127)<<24 | int(h[o+1])<<16 | int(h[o+2])<<8 | int(h[o+3])
	return fmt.Sprintf("%06d", n%1_000_000)
}
