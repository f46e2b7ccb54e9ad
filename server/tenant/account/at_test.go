package account_test

import (
	"testing"

	"github.com/formgraph/formgraph/server/tenant/account"
)

// Two addresses allow no more wrong codes, and hash no more passwords at once, than one; what follows the
// address is that one's own.
func TestAt(t *testing.T) {
	f := newFixture(t)
	const login = "http://login.localhost:8081"
	at := f.At(login, f.store, f.tokens.At(login))
	if !at.SharesWith(f.Handler) || at.Issuer != login || f.Issuer == login {
		t.Errorf("at %s, the first at %s: want what is counted shared, and an issuer each", at.Issuer, f.Issuer)
	}
	if at.SharesWith(account.New(f.Config)) {
		t.Error("another API shares too: the check says nothing")
	}
}
