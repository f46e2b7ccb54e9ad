package storetest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/formgraph/formgraph/server/store"
)

func proofs(t *testing.T, s store.Proofs) {
	t.Helper()
	use := func(id byte, now, end time.Time, want bool) {
		t.Helper()
		first, err := s.UseProof(t.Context(), []byte{id}, now, end)
		must(t, err)
		if first != want {
			t.Errorf("UseProof of %d at %v = %v, want %v", id, now, first, want)
		}
	}
	end := noon().Add(5 * time.Minute)
	use(1, noon(), end, true)
	use(1, noon(), end, false)
	use(1, noon().Add(time.Minute), end.Add(time.Minute), false)
	use(2, noon(), end, true)
	// Until end plus margin has passed, no use counts as the first, whatever else is used meanwhile.
	kept := end.Add(store.ProofMargin)
	for id := byte(10); id < 20; id++ {
		use(id, kept, kept.Add(time.Hour), true)
	}
	use(1, kept, end, false)
	use(2, kept, end, false)
	// After that the row is deleted gradually.
	late := kept.Add(store.Resolution)
	for id := byte(20); id < 30; id++ {
		use(id, late, late.Add(time.Hour), true)
	}
	use(1, late, end, true)
	use(10, late, kept.Add(time.Hour), false)
}

// oneUseIsFirst checks that exactly one of many concurrent uses of a proof is the first.
func oneUseIsFirst(t *testing.T, s store.Proofs) {
	t.Helper()
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			first, err := s.UseProof(t.Context(), []byte{1}, noon(), noon().Add(time.Minute))
			if err != nil {
				t.Errorf("UseProof = %v, want nil", err)
			}
			if first {
				won.Add(1)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("%d uses were the first, want 1", won.Load())
	}
}
