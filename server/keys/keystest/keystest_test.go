package keystest_test

import (
	"crypto/rsa"
	"path/filepath"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/keys"
	"github.com/formgraph/formgraph/server/keys/keystest"
)

// Tests that run one after the other may have the same key. Two calls of one test have different ones.
func TestKeysAreUsedAgain(t *testing.T) {
	var had []*rsa.PrivateKey
	for range 2 {
		t.Run("use", func(t *testing.T) {
			a, b := keystest.RSA(t), keystest.RSA(t)
			if a == b {
				t.Error("a test has the same key twice")
			}
			had = append(had, a, b)
		})
	}
	if had[2] != had[0] && had[2] != had[1] {
		t.Error("the second test has a new key")
	}
}

// A server reads the file, whose secrets are new each time.
func TestPut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	keystest.Put(t, path)
	got, err := keys.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	other := keystest.Set(t, time.Now())
	if got.Signing[0].ID == other.Signing[0].ID || string(got.Master[0].Secret) == string(other.Master[0].Secret) {
		t.Error("two sets have the same keys")
	}
}
