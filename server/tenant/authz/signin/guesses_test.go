package signin_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/authz/signin"
)

// A limiter bounds the number of keys, so each key must be short, too.
func TestGuessKeysAreShort(t *testing.T) {
	long := strings.Repeat("a", 60_000)
	if a, b := signin.GuessKeys(long+"@example.com"), signin.GuessKeys(long+"@example.org"); a[0] == b[0] {
		t.Error("two accounts share a key")
	}
	for _, key := range signin.GuessKeys(long + "@example.com") {
		if len(key) > 200 {
			t.Errorf("a key has %d bytes", len(key))
		}
	}
}
