package factor

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"strings"
)

// recoveryAlphabet has no letters that look alike. Each of its 32 letters encodes 5 bits.
const recoveryAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// recoveryLetters is the length of a recovery code. It has 120 bits, so a plain SHA-256 is a safe hash.
const recoveryLetters = 24

// NewRecoveryCode returns a random code in groups of four letters, and the hash to store.
func NewRecoveryCode() (code string, hash []byte) {
	b := make([]byte, recoveryLetters)
	rand.Read(b) // never fails
	var text strings.Builder
	for i, c := range b {
		if i > 0 && i%4 == 0 {
			text.WriteByte('-')
		}
		text.WriteByte(recoveryAlphabet[c%byte(len(recoveryAlphabet))]) // 256 is a multiple of 32
	}
	return text.String(), hashRecovery(text.String())
}

// CheckRecoveryCode reports whether code matches hash, in any grouping and case. A code works once: the caller must delete the method.
func CheckRecoveryCode(hash []byte, code string) bool {
	return subtle.ConstantTimeCompare(hash, hashRecovery(code)) == 1
}

func hashRecovery(code string) []byte {
	code = strings.Map(func(r rune) rune {
		switch r {
		case '-', ' ':
			return -1
		case 'O', 'o':
			return '0'
		case 'I', 'i', 'L', 'l':
			return '1'
		}
		return r
	}, code)
	sum := sha256.Sum256([]byte(strings.ToUpper(code)))
	return sum[:]
}
