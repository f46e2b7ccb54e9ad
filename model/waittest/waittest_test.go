package waittest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestFactor(t *testing.T) {
	for took, want := range map[time.Duration]float64{
		0: 1, reference / 2: 1, reference: 1, 3 * reference: 3, slowest * reference: slowest, time.Hour: slowest,
	} {
		if got := factor(took); got != want {
			t.Errorf("factor(%v) = %v, want %v", took, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	one := Limit(time.Second)
	if one < time.Second || one > slowest*time.Second {
		t.Errorf("Limit(1s) = %v", one)
	}
	if again := Limit(time.Second); again != one {
		t.Errorf("a second time Limit(1s) = %v, want %v", again, one)
	}
}

// failing is a test that notes its failure.
type failing struct {
	testing.TB

	said string
}

func (*failing) Helper() {}

func (f *failing) Fatalf(format string, args ...any) {
	f.said = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

func TestUntil(t *testing.T) {
	limit := Limit(patience) // by the real clock
	synctest.Test(t, func(t *testing.T) {
		for _, x := range []struct {
			name  string
			after time.Duration // when the condition begins to hold
			fails bool
		}{
			{"at once", 0, false},
			{"later", limit / 2, false},
			{"too late", 2 * limit, true},
		} {
			began := time.Now()
			f, ended := &failing{TB: t}, make(chan struct{})
			go func() {
				defer close(ended)
				Until(f, "the egg is hard", func() bool { return time.Since(began) >= x.after })
			}()
			<-ended
			if (f.said != "") != x.fails || x.fails && !strings.Contains(f.said, "the egg is hard") {
				t.Errorf("%s: the test fails with %q", x.name, f.said)
			}
			if took := time.Since(began); took > limit+2*longest || !x.fails && (took < x.after || took > x.after+longest) {
				t.Errorf("%s: waits %v of %v", x.name, took, limit)
			}
		}
	})
}
