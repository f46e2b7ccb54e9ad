package password_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/password"
)

func TestHash(t *testing.T) {
	a, b := password.Hash("x"), password.Hash("x")
	if a == b {
		t.Error("two hashes of one password are the same: the salt is not random")
	}
	if !strings.HasPrefix(a, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash = %s, want the PHC string of argon2id", a)
	}
}
