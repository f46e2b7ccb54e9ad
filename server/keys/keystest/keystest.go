// Package keystest makes keys for tests. Generating an RSA key takes longer than most tests, so those that tests have used are used again.
package keystest

import (
	"crypto/rand"
	"crypto/rsa"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
)

// bits is the size of the keys, which is that of the keys of a server.
const bits = 2048

var (
	mu   sync.Mutex
	free []*rsa.PrivateKey // keys that tests have used
)

// RSA returns a key that no other test and no other call of this test has until the test ends.
func RSA(tb testing.TB) *rsa.PrivateKey {
	tb.Helper()
	key := take()
	if key == nil {
		var err error
		if key, err = rsa.GenerateKey(rand.Reader, bits); err != nil {
			tb.Fatal(err)
		}
	}
	tb.Cleanup(func() {
		mu.Lock()
		defer mu.Unlock()
		free = append(free, key)
	})
	return key
}

func take() *rsa.PrivateKey {
	mu.Lock()
	defer mu.Unlock()
	n := len(free)
	if n == 0 {
		return nil
	}
	key := free[n-1]
	free = free[:n-1]
	return key
}

// Set returns a set as keys.New does: with a signing key of RSA and a new master secret.
func Set(tb testing.TB, now time.Time) *keys.Set {
	tb.Helper()
	key, secret := RSA(tb), make([]byte, keys.SecretBytes)
	rand.Read(secret) // never fails
	return &keys.Set{
		Signing: []keys.Signing{{ID: keys.Thumbprint(&key.PublicKey), Key: key, Created: now.UTC().Truncate(time.Second)}},
		Master:  []keys.Master{{ID: 1, Secret: secret}},
	}
}

// Put writes a keys file with a Set, as a first start does.
func Put(tb testing.TB, path string) {
	tb.Helper()
	text, err := Set(tb, time.Now()).Encode()
	if err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		tb.Fatal(err)
	}
}
