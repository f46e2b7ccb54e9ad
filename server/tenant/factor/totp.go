package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238 is HMAC-SHA-1, and apps read nothing else everywhere
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/store"
)

// Parameters of one-time passwords, as all authenticator apps assume them. RFC 6238, section 4.
const (
	totpPeriod = 30 * time.Second
	totpDigits = 6
	totpBytes  = 20 // of a secret: as long as the hash. RFC 4226, section 4, R6
	totpDrift  = 1  // steps before and after the current one. RFC 6238, section 5.2
)

// NewTOTPSecret returns a random secret for an authenticator app.
func NewTOTPSecret() []byte {
	b := make([]byte, totpBytes)
	rand.Read(b) // never fails
	return b
}

// TOTPText returns a secret as people type it: base32 without padding.
func TOTPText(secret []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)
}

// TOTPAddress returns a secret in the key URI format, which apps read from a QR code.
func TOTPAddress(secret []byte, issuer, account string) string {
	q := url.Values{
		"secret": {TOTPText(secret)}, "issuer": {issuer}, "algorithm": {"SHA1"},
		"digits": {fmt.Sprint(totpDigits)}, "period": {fmt.Sprint(int(totpPeriod.Seconds()))},
	}
	u := url.URL{Scheme: "otpauth", Host: "totp", Path: "/" + issuer + ":" + account, RawQuery: q.Encode()}
	return u.String()
}

// CheckTOTP returns the time step of a code, and whether the code is right: its step must be within the drift and after last, the step last
// used, so that a code works once. RFC 6238, section 5.2.
func CheckTOTP(secret []byte, code string, last int64, now time.Time) (step int64, ok bool) {
	current := now.Unix() / int64(totpPeriod/time.Second)
	for s := current - totpDrift; s <= current+totpDrift; s++ {
		// Every step is compared, so that the time taken does not reveal which one matched.
		if subtle.ConstantTimeCompare([]byte(totp(secret, s)), []byte(code)) == 1 && s > last && !ok {
			step, ok = s, true
		}
	}
	return step, ok
}

// CheckMethod is CheckTOTP for a stored method. The caller records the use with Methods.UseMethod, from m.Count to step. A conflict there
// means that the code was used concurrently.
func CheckMethod(masters []keys.Master, m store.Method, code string, now time.Time) (step int64, ok bool, err error) {
	secret, err := Open(masters, m.UserID, m.Data)
	if err != nil {
		return 0, false, err
	}
	step, ok = CheckTOTP(secret, code, m.Count, now)
	return step, ok, nil
}

// totp returns the code of one time step. RFC 4226, section 5.3.
func totp(secret []byte, step int64) string {
	mac := hmac.New(sha1.New, secret)
	mac.Write(binary.BigEndian.AppendUint64(nil, uint64(step))) //nolint:gosec // steps count up from 1970
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	n := binary.BigEndian.Uint32(sum[at:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", totpDigits, n%1_000_000)
}
