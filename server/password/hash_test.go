package password_test

import (
	"runtime"
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

// Checking a password for an unknown user costs as much as checking a wrong one, so that timing does not reveal who has an account. The
// test compares memory, which unlike time does not vary on a busy machine.
func TestUnknownPeopleCostTheSame(t *testing.T) {
	v := password.NewVerifier()
	cost := func(phc string) uint64 {
		t.Helper()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if ok, err := v.Verify(t.Context(), phc, "wrong"); ok || err != nil {
			t.Errorf("a wrong password: %v, %v", ok, err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	const least = 19 << 20
	if a, b := cost(password.Hash("correct horse")), cost(""); a < least || b < least || max(a, b)-min(a, b) > 1<<20 {
		t.Errorf("a known person takes %d bytes, an unknown one %d", a, b)
	}
}

// BenchmarkVerify checks a password, which bounds the sign-ins by password per core.
func BenchmarkVerify(b *testing.B) {
	v, hash := password.NewVerifier(), password.Hash("correct horse")
	for b.Loop() {
		if ok, err := v.Verify(b.Context(), hash, "correct horse"); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}
