package authz_test

import (
	"strings"
	"testing"

	"github.com/formgraph/formgraph/server/tenant/authz"
)

func TestHashPassword(t *testing.T) {
	a, b := authz.HashPassword("x"), authz.HashPassword("x")
	if a == b {
		t.Error("two hashes of one password are the same: the salt is not random")
	}
	if !strings.HasPrefix(a, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("hash = %s, want the PHC string of argon2id", a)
	}
}
