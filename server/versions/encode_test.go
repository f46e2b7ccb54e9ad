package versions

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/formgraph/formgraph/model/sizetest"
	"github.com/formgraph/formgraph/server/store"
)

// randomText returns a text with repetitions, as forms have.
func randomText(r *rand.Rand, n int) []byte {
	words := []string{`{"type":"STEP","config":{`, `"label":"Name"`, `,"sensitive":false`, "}", "ä", `"x":12345`}
	var b []byte
	for len(b) < n {
		b = append(b, words[r.IntN(len(words))]...)
	}
	return b
}

// changedText returns a text with some parts removed, moved or replaced.
func changedText(r *rand.Rand, a []byte) []byte {
	b := bytes.Clone(a)
	for range r.IntN(6) {
		from := r.IntN(len(b) + 1)
		to := from + r.IntN(min(len(b)-from, 300)+1)
		part := bytes.Clone(b[from:to])
		b = append(b[:from:from], b[to:]...)
		switch at := r.IntN(len(b) + 1); r.IntN(3) {
		case 0:
			b = append(b[:at:at], append(part, b[at:]...)...)
		case 1:
			b = append(b[:at:at], append(randomText(r, r.IntN(500)), b[at:]...)...)
		}
	}
	return b
}

// Edits make of the one text the other, whatever both are.
func TestEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range sizetest.Of(0, 1000, 50_000) {
		a := randomText(r, r.IntN(3000))
		b := changedText(r, a)
		got, err := apply(nil, a, edits(a, b))
		if err != nil || !bytes.Equal(got, b) {
			t.Fatalf("%s\nto   %s\ngot  %s, %v", a, b, got, err)
		}
	}
}

// Edits of a small change are small, wherever it is, and so are those of a part that was moved.
func TestEditsAreSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := make([]byte, 20_000)
	for i := range a {
		a[i] = byte('a' + r.IntN(26))
	}
	for _, tt := range []struct {
		name string
		b    []byte
		most int
	}{
		{"the same", a, 10},
		{"one byte", append(append(bytes.Clone(a[:500]), '!'), a[501:]...), 20},
		{"inserted", append(append(bytes.Clone(a[:500]), "some new bytes"...), a[500:]...), 30},
		{"at the end", append(bytes.Clone(a), '!'), 20},
		{"nothing", nil, 0},
		{"moved", append(append(bytes.Clone(a[5000:9000]), a[:5000]...), a[9000:]...), 60},
		{"two places", append(append(append(bytes.Clone(a[:500]), '!'), a[500:15_000]...), append([]byte{'!'}, a[15_000:]...)...), 60},
	} {
		if n := len(edits(a, tt.b)); n > tt.most {
			t.Errorf("%s: %d bytes, want at most %d", tt.name, n, tt.most)
		}
	}
}

// Whatever is in a damaged row is refused, and nothing is read or made beyond its limits.
func FuzzApply(f *testing.F) {
	f.Add([]byte("abcdef"), edits([]byte("abcdef"), []byte("abXdef")))
	f.Add([]byte("abc"), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte("abc"), appendCopy(nil, 2, 2))
	f.Add([]byte("abc"), appendCopy(nil, 1<<40, 1))
	f.Fuzz(func(t *testing.T, base, edits []byte) {
		text, err := apply(nil, base, edits)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
		if len(text) > maxText {
			t.Errorf("%d bytes", len(text))
		}
	})
}

func TestDamagedBodies(t *testing.T) {
	good := whole(bytes.Repeat([]byte("text "), 100))
	flipped := bytes.Clone(good)
	flipped[2] ^= 1
	for name, body := range map[string][]byte{
		"empty": nil, "short": good[:4], "cut": good[:len(good)-3], "unknown": append([]byte{7}, good[1:]...), "wrong sum": flipped,
	} {
		if _, err := textOf([]store.Version{{Number: 1, Body: body}}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if text, err := textOf([]store.Version{{Number: 1, Body: good}}); err != nil || len(text) != 500 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for _, n := range []int{0, 1, 10} { // not worth compressing
		text := bytes.Repeat([]byte("x"), n)
		if got, err := textOf([]store.Version{{Number: 1, Body: whole(text)}}); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes: %s, %v", n, got, err)
		}
	}
}
