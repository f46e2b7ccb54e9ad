package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// Cost of argon2id: 19 MiB, two passes, one lane. It is a recommended minimum and takes about 30 ms here. With more memory, a few
// concurrent sign-ins could exhaust a small machine.
const (
	argonMemory = 19 << 10 // KiB
	argonTime   = 2
	argonLanes  = 1
	saltBytes   = 16
	hashBytes   = 32
)

// atOnce bounds how many passwords a Verifier checks at the same time, and so their memory.
const atOnce = 4

var errFormat = errors.New("read password hash: not an argon2id PHC string of this program")

// Hash returns the PHC string of a password with a new salt.
func Hash(password string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails
	return phcString(salt, argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonLanes, hashBytes))
}

func phcString(salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonLanes,
		b64.EncodeToString(salt), b64.EncodeToString(sum))
}

// A Verifier checks passwords, a few at a time. It is safe for concurrent use.
type Verifier struct {
	slots chan struct{}
	decoy string // the hash for unknown people: checking a password against it costs the same
}

// NewVerifier returns a Verifier with slots of its own.
func NewVerifier() *Verifier {
	// No password has a random hash, and checking one against it takes as long as against any other.
	random := make([]byte, saltBytes+hashBytes)
	rand.Read(random) // never fails
	return &Verifier{slots: make(chan struct{}, atOnce), decoy: phcString(random[:saltBytes], random[saltBytes:])}
}

// Verify reports whether password matches a PHC string. An empty string matches no password, and checking it takes the
// same time. Verify waits for a free slot until ctx is done.
func (v *Verifier) Verify(ctx context.Context, phc, password string) (bool, error) {
	select {
	case v.slots <- struct{}{}:
	case <-ctx.Done():
		return false, ctx.Err()
	}
	defer func() { <-v.slots }()
	known := phc != ""
	if !known {
		phc = v.decoy
	}
	ok, err := verify(phc, password)
	return ok && known, err
}

func verify(phc, password string) (bool, error) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return false, errFormat
	}
	var memory, passes uint32
	var lanes uint8
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &passes, &lanes); n != 3 || err != nil {
		return false, errFormat
	}
	// A hash in the database must not make the server allocate gigabytes.
	if memory > 1<<20 || passes == 0 || passes > 100 || lanes == 0 {
		return false, errFormat
	}
	b64 := base64.RawStdEncoding
	salt, err1 := b64.DecodeString(parts[4])
	want, err2 := b64.DecodeString(parts[5])
	if err1 != nil || err2 != nil || len(want) != hashBytes {
		return false, errFormat
	}
	got := argon2.IDKey([]byte(password), salt, passes, memory, lanes, hashBytes)
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}
